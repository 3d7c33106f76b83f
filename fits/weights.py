"""Weights from a smoothed variance (spec 2.2).

Raw 1/s^2 weights follow the noise of s: with skewed noise a low mean comes with a low s and pulls the fit.
The variance of one replicate is therefore smoothed over k. The smoothed value counts as ``PRIOR`` degrees
of freedom against the measured one (the shape of Smyth 2004, with a fixed prior): with few replicates
the smooth line rules, with thousands the measurement does, and a variance that is no power of k does no harm.
"""

from __future__ import annotations

import numpy as np

from fits.dictionary import Array

PRIOR = 1000.0


def smoothed_errors(k: Array, se: Array, reps: Array | None) -> Array:
    """Standard errors to weight with, shape as ``se`` (sweeps, n); ``reps`` (n,), or None for known errors.

    >>> smoothed_errors(np.array([4.0, 8.0, 16.0]), np.array([[0.1, 0.1, 0.1]]), None)
    array([[0.1, 0.1, 0.1]])
    """
    if reps is None:
        return se
    from scipy.special import polygamma, psi

    half = (reps - 1) / 2
    logs = np.log(reps * se**2) - (psi(half) - np.log(half))
    precision = 1 / polygamma(1, half)
    u = np.log(k) - np.average(np.log(k), weights=precision)
    level = np.average(logs, axis=-1, weights=precision)[..., None]
    slope = (logs @ (precision * u))[..., None] / (precision * u * u).sum()
    smooth = np.exp(level + slope * u) / reps
    blended: Array = np.sqrt((PRIOR * smooth + (reps - 1) * se**2) / (PRIOR + reps - 1))
    return blended
