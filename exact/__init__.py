"""Exact arithmetic for claims: models solved in rationals, enclosures, certificates.

Names load on first use, so that the checker and `--help` start without numpy or gmpy2.

>>> import exact
>>> exact.additive_term(9)
Fraction(137, 144)
>>> exact.rational("1e-3"), exact.hull([(exact.rational(1),), (exact.rational(-1),)]).weights
(Fraction(1, 1000), (Fraction(1, 2), Fraction(1, 2)))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# At once, not on first use: a function named like its module would otherwise be hidden by the module. Both are light.
from exact.hull import hull
from exact.rational import rational

if TYPE_CHECKING:
    from exact.enclosure import Undecided, certainly_less
    from exact.matrix import exceeds_lambda_max
    from exact.paging import additive_term, additive_terms, floor_div_e, harmonic, phase_variance
    from exact.verify import check

_HOME = {
    "Undecided": "enclosure",
    "additive_term": "paging",
    "additive_terms": "paging",
    "certainly_less": "enclosure",
    "check": "verify",
    "exceeds_lambda_max": "matrix",
    "floor_div_e": "paging",
    "harmonic": "paging",
    "phase_variance": "paging",
}

__all__ = [
    "Undecided",
    "additive_term",
    "additive_terms",
    "certainly_less",
    "check",
    "exceeds_lambda_max",
    "floor_div_e",
    "harmonic",
    "hull",
    "phase_variance",
    "rational",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'exact' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"exact.{_HOME[name]}"), name)
