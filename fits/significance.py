"""From a coefficient to a number of sigma: t to normal, misfit p-values, the trip-wire (spec 2.2, 2.3)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fits.dictionary import Array

TRIP = 0.01


def to_sigma(t: Array, dof: Array) -> Array:
    """Normal deviate with the tail of Student's t (Wallace 1959; within 1 % for dof >= 5, |t| <= 6).

    >>> float(to_sigma(np.array(3.0), np.array(np.inf)))
    3.0
    """
    finite = np.where(np.isfinite(dof), dof, 1.0)
    with np.errstate(over="ignore"):
        z = (8 * finite + 1) / (8 * finite + 3) * np.sqrt(finite * np.log1p(t * t / finite))
    return np.where(np.isfinite(dof), np.copysign(z, t), t)


def misfit_p(chi2: Array, nu: npt.ArrayLike, pooled: float) -> Array:
    """Tail of chi2 on nu degrees of freedom; an F tail when the variance itself has ``pooled`` of them.

    >>> round(float(misfit_p(np.array(3.84), np.array(1), np.inf)), 3)
    0.05
    """
    from scipy.special import chdtrc, fdtrc

    safe = np.maximum(nu, 1)
    p = chdtrc(safe, chi2) if np.isinf(pooled) else fdtrc(safe, pooled, chi2 / safe)
    return np.where(np.asarray(nu) >= 1, p, 1.0)


def best_scale(reduced: Array, axis: int | tuple[int, ...]) -> Array:
    """S_best = max(1, sqrt of the least chi2/nu): what even the best model cannot explain."""
    least: Array = np.sqrt(np.maximum(1.0, reduced.min(axis=axis)))
    return least


def inflation(reduced: Array, p: Array, best: Array) -> Array:
    """Factor on an error: Birge's sqrt(chi2/nu) where the model misfits (p < TRIP), else S_best."""
    tripped: npt.NDArray[np.bool_] = p < TRIP
    return np.maximum(np.where(tripped, np.sqrt(np.maximum(1.0, reduced)), 1.0), best)
