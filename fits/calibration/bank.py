"""Known curves to measure the decision on (spec 3a)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fits.dictionary import Array


@dataclass(frozen=True)
class Truth:
    """A curve with its class: ``bounded``, and ``c`` its slope in ln k (None where it is no c ln k)."""

    name: str
    curve: Callable[[Array], Array]
    bounded: bool
    c: float | None = None


def _bounded(name: str, curve: Callable[[Array], Array]) -> Truth:
    return Truth(name, curve, bounded=True, c=0.0)


def _ln(c: float) -> Truth:
    return Truth(f"{c:g} ln k", lambda k: 3 + c * np.log(k), bounded=False, c=c)


BOUNDED: tuple[Truth, ...] = (
    _bounded("constant", lambda k: 3 + 0 * k),
    _bounded("3-2/k", lambda k: 3 - 2 / k),
    _bounded("3-3/sqrt k", lambda k: 3 - 3 / np.sqrt(k)),
    _bounded("3-3/ln k", lambda k: 3 - 3 / np.log(k)),
    _bounded("3-10/ln k", lambda k: 3 - 10 / np.log(k)),
    _bounded("3-3/k^.35", lambda k: 3 - 3 / k**0.35),
    _bounded("3+2/k-3/sqrt k", lambda k: 3 + 2 / k - 3 / np.sqrt(k)),
    _bounded("3-5/(ln k+2)", lambda k: 3 - 5 / (np.log(k) + 2)),
    _bounded("1.5k/(k+20)", lambda k: 1.5 * k / (k + 20)),
)
LNLN = Truth("ln ln k", lambda k: np.log(np.log(k)), bounded=False)
MASKED = Truth(".38 ln k+3/ln k", lambda k: 0.38 * np.log(k) + 3 / np.log(k), bounded=False, c=0.38)
HIDDEN = Truth(".38 ln k-3/ln k", lambda k: 0.38 * np.log(k) - 3 / np.log(k), bounded=False, c=0.38)
GROWING: tuple[Truth, ...] = (
    *(_ln(c) for c in (0.02, 0.05, 0.1, 0.2, 0.38, 1.0)),
    MASKED,
    HIDDEN,
    LNLN,
    Truth("k^.1", lambda k: k**0.1, bounded=False),
    Truth(".1 ln^2 k", lambda k: 0.1 * np.log(k) ** 2, bounded=False),
    Truth(".1 sqrt k", lambda k: 0.1 * np.sqrt(k), bounded=False),
    Truth(".01 k", lambda k: 0.01 * k, bounded=False),
)
BANK: tuple[Truth, ...] = BOUNDED + GROWING


def truth(name: str) -> Truth:
    """A curve of the bank by name.

    >>> truth("0.38 ln k").c
    0.38
    """
    for one in BANK:
        if one.name == name:
            return one
    raise ValueError(f"truth={name!r} must be one of {', '.join(t.name for t in BANK)}")
