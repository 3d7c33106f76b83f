"""Hunts for counterexamples to a claim, within a time budget; a find is certified exactly and shrunk.

`hunt(claim, seconds=60)` returns a `Hunt`; `assert_claim(claim, seconds=10)` makes it a test. A claim is a name of
`names()`, the path of a Python file with ``gap(instance) -> Fraction`` and ``instances``, or an object with the two.

>>> import sweeps.hunting
>>> found = sweeps.hunting.hunt("alcalde2025_frank_wolfe", seconds=20, seed=1)
>>> found.found, found.certificate["kind"]
(True, 'attention first violation')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.hunting.asserting import assert_claim
    from sweeps.hunting.claims import names, target
    from sweeps.hunting.model import BadClaim, Hunt, Target
    from sweeps.hunting.running import hunt

_HOMES = {
    "BadClaim": "model",
    "Hunt": "model",
    "Target": "model",
    "assert_claim": "asserting",
    "hunt": "running",
    "names": "claims",
    "target": "claims",
}

__all__ = ["BadClaim", "Hunt", "Target", "assert_claim", "hunt", "names", "target"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sweeps.hunting' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"sweeps.hunting.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
