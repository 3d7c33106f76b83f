"""Noise of a sweep: errors of the means and their estimated standard errors (spec 3c)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fits.dictionary import Array

Rng = np.random.Generator
PARETO = 2.5


@dataclass(frozen=True)
class Noise:
    """``shape`` of one replicate's noise, ``reps`` at k_min, error ``s`` of each mean.

    ``sd_power``: the standard deviation grows like k^sd_power (s at the middle of the grid); ``reps_last``:
    replicates fall log-linearly to this at k_max, at equal s; ``extra``: unseen scatter of the means in s.
    """

    name: str
    shape: str = "gauss"
    reps: int = 200
    s: float = 0.02
    sd_power: float = 0.0
    reps_last: int | None = None
    extra: float = 0.0

    def counts(self, k: Array) -> Array:
        """Replicates at every k, shape (n,)."""
        last = self.reps if self.reps_last is None else self.reps_last
        return np.round(np.geomspace(self.reps, last, k.size))

    def errors(self, k: Array) -> Array:
        """True standard error of every mean as its replicates show it, shape (n,)."""
        relative = k / np.sqrt(k[0] * k[-1])
        return np.asarray(self.s * relative**self.sd_power)

    def draw(self, k: Array, rng: Rng, size: int) -> tuple[Array, Array]:
        """Errors of the means and estimated standard errors, each (size, n)."""
        R, s = self.counts(k), self.errors(k)
        if self.shape == "gauss":
            mean = rng.standard_normal((size, k.size))
            spread = np.sqrt(rng.chisquare(R - 1, (size, k.size)) / (R - 1))
        else:
            mean, spread = _moments(self.shape, self.reps, k.size, rng, size)
        mean = mean + self.extra * rng.standard_normal(mean.shape) if self.extra else mean
        return s * mean, s * spread


def _moments(shape: str, R: int, n: int, rng: Rng, size: int) -> tuple[Array, Array]:
    """Mean times sqrt R and standard deviation of R draws of unit variance, each (size, n)."""
    x = standard(shape, rng, (size, n, R))
    return x.mean(axis=-1) * np.sqrt(R), x.std(axis=-1, ddof=1)


def standard(shape: str, rng: Rng, size: tuple[int, ...]) -> Array:
    """Draws of mean 0 and variance 1: t3, lognormal (sigma 1) or pareto (index 2.5).

    >>> standard("t3", np.random.default_rng(0), (2, 3)).shape
    (2, 3)
    """
    if shape == "t3":
        return np.asarray(rng.standard_t(3, size) / np.sqrt(3))
    if shape == "lognormal":
        return np.asarray((np.exp(rng.standard_normal(size)) - np.exp(0.5)) / np.sqrt(np.e**2 - np.e))
    if shape == "pareto":
        var = PARETO / ((PARETO - 1) ** 2 * (PARETO - 2))
        return np.asarray((rng.pareto(PARETO, size) + 1 - PARETO / (PARETO - 1)) / np.sqrt(var))
    raise ValueError(f"shape={shape!r} must be gauss, t3, lognormal or pareto")


GAUSS = Noise("gauss")
HARD: tuple[Noise, ...] = (
    Noise("gauss R=5", reps=5),
    Noise("t3 R=30", "t3", 30),
    Noise("t3 R=200", "t3", 200),
    Noise("lognormal R=30", "lognormal", 30),
    Noise("lognormal R=200", "lognormal", 200),
    Noise("pareto R=30", "pareto", 30),
    Noise("pareto R=200", "pareto", 200),
    Noise("sd~k^.3", sd_power=0.3),
    Noise("R 1600->12", reps=1600, reps_last=12),
    Noise("s understated 2.2x", extra=2.0),
)
