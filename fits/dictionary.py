"""The declared dictionary: bounded transients in three tiers, and growth laws (spec 2.1, 2.8).

A change of any function or list here changes what a verdict means: raise ``VERSION`` with it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
VERSION = "2026-1"

TRANSIENTS: dict[str, Callable[[Array], Array]] = {
    "1/k^2": lambda k: k**-2.0,
    "1/k": lambda k: 1 / k,
    "ln/k": lambda k: np.log(k) / k,
    "k^-1/2": lambda k: k**-0.5,
    "k^-1/4": lambda k: k**-0.25,
    "1/ln^2": lambda k: np.log(k) ** -2.0,
    "1/ln": lambda k: 1 / np.log(k),
}
PAIRED = ("1/k", "k^-1/2", "1/ln^2", "1/ln")

# Tiers are prefixes of one list: T0 is its first entry, T1 the first eight, T2 all fourteen.
MODELS: tuple[tuple[str, ...], ...] = ((), *((name,) for name in TRANSIENTS), *combinations(PAIRED, 2))
TIER_SIZES = (1, 1 + len(TRANSIENTS), len(MODELS))
TIERS = ("T0", "T1", "T2")

LAWS: dict[str, Callable[[Array], Array]] = {
    "1": np.ones_like,
    "lnln": lambda k: np.log(np.log(k)),
    "ln^0.5": lambda k: np.log(k) ** 0.5,
    "ln": np.log,
    "ln.lnln": lambda k: np.log(k) * np.log(np.log(k)),
    "ln^2": lambda k: np.log(k) ** 2,
    "k^0.1": lambda k: k**0.1,
    "k^0.25": lambda k: k**0.25,
    "k^0.5": lambda k: k**0.5,
    "k": lambda k: k + 0.0,
    "k.ln": lambda k: k * np.log(k),
}
# What can falsify besides the rival; each at one sigma more, so that the union costs 3 * 3.2e-5 only.
GROWTHS = ("ln", "ln^2", "k^0.5", "k")
ALIASES = {"log": "ln", "sqrt": "k^0.5", "loglog": "lnln", "linear": "k", "const": "1"}


def model_name(model: tuple[str, ...]) -> str:
    """Name a dictionary entry for print.

    >>> model_name(()), model_name(("1/k", "1/ln"))
    ('constant', '1/k + 1/ln')
    """
    return " + ".join(model) or "constant"


def null_columns(k: Array) -> Array:
    """Columns of every bounded model, shape (models, 3, n); absent terms are zero columns.

    >>> null_columns(np.array([4.0, 8.0, 16.0])).shape
    (14, 3, 3)
    """
    columns = np.zeros((len(MODELS), 3, k.size))
    columns[:, 0] = 1.0
    values = {name: phi(k) for name, phi in TRANSIENTS.items()}
    for i, model in enumerate(MODELS):
        for j, name in enumerate(model):
            columns[i, j + 1] = values[name] / max(np.abs(values[name]).max(), np.finfo(float).tiny)
    return columns


def null_sizes() -> npt.NDArray[np.int64]:
    """Parameters of every bounded model: 1 for the constant, 2 or 3 with transients."""
    return np.array([1 + len(model) for model in MODELS])
