"""Published claims, one a file: `python -m cases` re-checks them all, `cases.check(name)` one.

Names load on first use, so that `--help` needs no numpy.

>>> import cases
>>> cases.check("icml2026_verdicts", quick=True).finding.verdict
'falsified'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cases.claim import Case, Claim, Finding
    from cases.direction import kl_direction
    from cases.discovery import find, names
    from cases.ledger import paper_classes
    from cases.padding import padding_report
    from cases.prefixes import sequence_direction
    from cases.running import check

_HOMES = {
    "Case": "claim",
    "Claim": "claim",
    "Finding": "claim",
    "check": "running",
    "find": "discovery",
    "kl_direction": "direction",
    "names": "discovery",
    "padding_report": "padding",
    "paper_classes": "ledger",
    "sequence_direction": "prefixes",
}

__all__ = [
    "Case",
    "Claim",
    "Finding",
    "check",
    "find",
    "kl_direction",
    "names",
    "padding_report",
    "paper_classes",
    "sequence_direction",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'cases' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"cases.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
