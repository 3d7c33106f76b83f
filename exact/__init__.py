"""Exact arithmetic for claims: models solved in rationals, enclosures, certificates.

Names load on first use, so that the checker and `--help` start without numpy or gmpy2.

>>> import exact
>>> exact.additive_term(9)
Fraction(137, 144)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exact.paging import additive_term, additive_terms, floor_div_e, harmonic, phase_variance

_HOME = {
    "additive_term": "paging",
    "additive_terms": "paging",
    "floor_div_e": "paging",
    "harmonic": "paging",
    "phase_variance": "paging",
}

__all__ = ["additive_term", "additive_terms", "floor_div_e", "harmonic", "phase_variance"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'exact' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"exact.{_HOME[name]}"), name)
