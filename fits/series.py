"""What the user brings: a series of measured means, and the claim to test on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fits.dictionary import Array
from fits.formulas import Law, law

MIN_POINTS = 5
MIN_REPLICATES = 3
MIN_K = 3
MOST_REPLICATES = 2.0**53
ROUNDING = 4 * float(np.finfo(float).eps)


def numbers(name: str, values: Any) -> Array:
    """Read a flat list of finite numbers; one clear ValueError otherwise."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers; got {values!r:.60}") from None
    if array.ndim != 1:
        raise ValueError(f"{name} must be a flat list; got shape {array.shape}")
    if not np.isfinite(array).all():
        where = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite; got {array[where]} at position {where}")
    return array


@dataclass(frozen=True, eq=False)
class Series:
    """Means of a sweep with their standard errors, sorted by k.

    ``k``, ``mean``, ``se``: n numbers each, n >= 5, k >= 3 and distinct (1/ln k, ln ln k), se > 0 in the unit
    of the mean. ``reps``: replicates behind each mean, one number or n; at least 3, unless ``exact`` says
    that the errors are known and not estimated. ``samples``: the replicates themselves, shape (R, n); with
    ``shared_seeds`` row r used the same random numbers at every k and errors of slopes come from
    replicate contrasts (spec 2.2). ``seed`` is only kept for the record. Raises ValueError.

    >>> Series([4, 8, 16, 32, 64], [1, 1, 1, 1, 1], [0.1] * 5, reps=50).n
    5
    """

    k: Array
    mean: Array
    se: Array
    reps: Any = None
    samples: Any = None
    shared_seeds: bool = False
    exact: bool = False
    seed: int | None = field(default=None)

    def __post_init__(self) -> None:
        k, mean, se = numbers("k", self.k), numbers("mean", self.mean), numbers("se", self.se)
        _same_length(k, mean=mean, se=se)
        order = np.argsort(k, kind="stable")
        reps = _replicates(self, k.size)
        samples = _matrix(self, k.size)
        _check(k[order], se[order], reps)
        _check_scale(k, mean, se)
        _check_samples(self, mean, se, samples)
        for name, value in (("k", k), ("mean", mean), ("se", se), ("reps", reps)):
            object.__setattr__(self, name, None if value is None else value[order])
        object.__setattr__(self, "samples", None if samples is None else samples[:, order])

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.k.size)

    @classmethod
    def from_samples(
        cls, k: Sequence[float], samples: Any, *, shared_seeds: bool = False, seed: int | None = None
    ) -> Series:
        """Means and errors of replicates, shape (R, n) with R >= 3.

        >>> Series.from_samples([4, 8, 16, 32, 64], [[1, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 1, 1, 1, 1]]).n
        5
        """
        matrix = np.array(samples, dtype=float)
        if matrix.ndim != 2 or matrix.shape[0] < MIN_REPLICATES:
            raise ValueError(f"samples must have shape (R, n) with R >= {MIN_REPLICATES}; got {matrix.shape}")
        R = matrix.shape[0]
        sizes, mean = numbers("k", k), matrix.mean(axis=0)
        se = matrix.std(axis=0, ddof=1) / np.sqrt(R)
        _same_length(sizes, samples=mean)
        check_scatter(sizes, mean, se)
        return cls(
            sizes,
            mean,
            se,
            reps=R,
            samples=matrix,
            shared_seeds=shared_seeds,
            seed=seed,
        )


@dataclass(frozen=True)
class Bounded:
    """The claim f = O(1), against growth c * rival with c >= c_star.

    ``rival``: a law by name or a formula in k. ``c_star``: the smallest slope per unit of the rival that
    matters, in the unit of y; at most half the slope of the competing claim (spec 6). Without it nothing is
    verified. ``k_full``: the k_max that the claim declared beforehand; a shorter sweep is at most toy.

    >>> Bounded(rival="ln", c_star=0.18, k_full=1024).law.name
    'ln'
    """

    rival: str = "ln"
    c_star: float | None = None
    k_full: float = 0.0

    def __post_init__(self) -> None:
        if self.c_star is not None and not 0 < float(self.c_star) < float("inf"):
            raise ValueError(f"c_star={self.c_star} must be positive and finite")
        if not 0 <= float(self.k_full) < float("inf"):
            raise ValueError(f"k_full={self.k_full} must be at least 0 and finite")
        if self.law.name == "1":
            raise ValueError("rival='1' must be a growing law; a constant does not grow")

    @property
    def law(self) -> Law:
        """The rival as a function."""
        return law(self.rival)


def check_scatter(k: Array, mean: Array, se: Array, name: str = "k") -> None:
    """Refuse sizes whose replicates are all equal: no scatter was seen, so none can be estimated."""
    equal = k[se <= ROUNDING * np.abs(mean)]
    if equal.size:
        shown = ", ".join(f"{size:g}" for size in sorted(equal)[:3]) + (", ..." if equal.size > 3 else "")
        raise ValueError(
            f"replicates at {name} = {shown} are all equal (up to rounding): no scatter was seen, so the error of "
            f"their mean cannot be estimated; leave these sizes out, or give means with known errors"
        )


def _same_length(k: Array, **others: Array) -> None:
    for name, values in others.items():
        if values.size != k.size:
            raise ValueError(f"{name} must have as many entries as k; got {values.size} and {k.size}")


def _replicates(series: Series, n: int) -> Array | None:
    if series.reps is None:
        if not series.exact:
            raise ValueError("reps must be given (replicates behind each mean), or exact=True for known errors")
        return None
    reps = numbers("reps", np.broadcast_to(series.reps, n) if np.ndim(series.reps) == 0 else series.reps)
    if reps.size != n:
        raise ValueError(f"reps must be one number or as many as k; got {reps.size} and {n}")
    if not series.exact and reps.min() < MIN_REPLICATES:
        raise ValueError(
            f"reps must be at least {MIN_REPLICATES} at every k (or exact=True for known errors); "
            f"got {reps.min():g} at k = {np.asarray(series.k)[reps.argmin()]:g}"
        )
    if series.exact:
        return None
    broken = (reps != np.round(reps)) | (reps > MOST_REPLICATES)
    if broken.any():
        where = np.asarray(series.k)[broken][0]
        raise ValueError(f"reps must be whole numbers up to 2^53; got {reps[broken][0]:.15g} at k = {where:g}")
    return reps


def _matrix(series: Series, n: int) -> Array | None:
    if series.samples is None:
        if series.shared_seeds:
            raise ValueError("shared_seeds must come with samples of shape (R, n)")
        return None
    matrix = np.array(series.samples, dtype=float)
    if matrix.ndim != 2 or matrix.shape[1] != n or matrix.shape[0] < MIN_REPLICATES:
        raise ValueError(f"samples must have shape (R >= {MIN_REPLICATES}, {n}); got {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError("samples must be finite")
    return matrix


def _check_scale(k: Array, mean: Array, se: Array) -> None:
    if not 1e-150 < se.min() <= se.max() < 1e150:
        raise ValueError(f"se must be between 1e-150 and 1e150 (change the unit); got {se.min():g} .. {se.max():g}")
    rounding = ROUNDING * np.abs(mean).max()
    if se.min() < rounding:
        least = f"{se.min():.1g} at k = {k[se.argmin()]:g}"
        raise ValueError(f"se must exceed the rounding of the mean, {rounding:.1g}; got {least}")


def _check_samples(series: Series, mean: Array, se: Array, samples: Array | None) -> None:
    if samples is not None and (np.abs(samples.mean(axis=0) - mean) > 1e-3 * se).any():
        raise ValueError("mean must be the mean of samples (Series.from_samples computes it)")
    if series.shared_seeds and series.exact:
        raise ValueError("exact must be False with shared_seeds: errors come from the replicates")


def _check(k: Array, se: Array, reps: Array | None) -> None:
    if k.size < MIN_POINTS:
        raise ValueError(f"points must be at least {MIN_POINTS}; got {k.size} sizes")
    if k[0] < MIN_K:
        raise ValueError(
            f"k must be at least {MIN_K} (1/ln k and ln ln k are in the dictionary); got {k[0]:g}: "
            f"leave smaller sizes out"
        )
    if (np.diff(k) == 0).any():
        raise ValueError(f"k must be distinct; got k = {k[1:][np.diff(k) == 0][0]:g} twice (group replicates first)")
    if (se <= 0).any():
        reason = "" if reps is None else ": no scatter was seen, so its variance cannot be estimated"
        raise ValueError(f"se must be positive; got {se[se <= 0][0]:g} at k = {k[se <= 0][0]:g}{reason}")
