"""Adversarial bounded curves, drawn at random for every sweep (spec 3b)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fits.dictionary import PAIRED, TRANSIENTS, Array

Rng = np.random.Generator
SHAPES: tuple[Callable[[Array, Array], Array], ...] = (
    lambda k, k0: k / (k + k0),
    lambda k, k0: 1 - np.exp(-k / k0),
    lambda k, k0: np.tanh(k / k0),
    lambda k, k0: np.log(np.minimum(k, np.maximum(k0, 1.5))) / np.log(np.maximum(k0, 1.5)),
)
# Where a family-E like curve saturates, as fractions of k_max.
SATURATION = {"E": (0.0, 1 / 32), "F": (1 / 32, 1 / 8), "G": (1 / 8, 1.0)}


def log_uniform(rng: Rng, low: float, high: float, size: int) -> Array:
    """Uniform in the logarithm, shape (size, 1)."""
    return np.asarray(np.exp(rng.uniform(np.log(low), np.log(high), (size, 1))))


def draw(family: str, k: Array, rng: Rng, size: int) -> Array:
    """Curves of one family, shape (size, n): A, B from the dictionary, C, D off it, E, F, G saturating.

    >>> draw("A", 2.0 ** np.arange(2, 11), np.random.default_rng(0), 3).shape
    (3, 9)
    """
    one = {"A": _listed, "B": _paired, "C": _off, "D": _off}.get(family)
    if one is None:
        return _amplitude(rng, size) * _saturating(family, k, rng, size)
    curve = _amplitude(rng, size) * one(k, rng, size)
    return curve + _amplitude(rng, size) * one(k, rng, size) if family in "BD" else curve


def _amplitude(rng: Rng, size: int) -> Array:
    signs: Array = rng.choice([-1.0, 1.0], (size, 1))
    return log_uniform(rng, 0.1, 10, size) * signs


def _listed(k: Array, rng: Rng, size: int) -> Array:
    values = np.array([phi(k) for phi in TRANSIENTS.values()])
    return values[rng.integers(len(values), size=size)]


def _paired(k: Array, rng: Rng, size: int) -> Array:
    values = np.array([TRANSIENTS[name](k) for name in PAIRED])
    return values[rng.integers(len(values), size=size)]


def _off(k: Array, rng: Rng, size: int) -> Array:
    power = k ** -rng.uniform(0.25, 2, (size, 1))
    logs = np.log(k) ** -rng.uniform(1, 3, (size, 1))
    shifted = 1 / (np.log(k) + rng.uniform(0, 5, (size, 1)))
    kind = rng.integers(3, size=(size, 1))
    return np.choose(kind, [power, logs, shifted])


def _saturating(family: str, k: Array, rng: Rng, size: int) -> Array:
    low, high = SATURATION[family]
    # a saturation point below 1 is a constant on any grid
    k0 = log_uniform(rng, max(1.0, low * k[-1]), max(1.0 + 1e-9, high * k[-1]), size)
    kind = rng.integers(len(SHAPES), size=(size, 1))
    return np.choose(kind, [shape(k, k0) for shape in SHAPES])
