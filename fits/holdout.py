"""Fit the small sizes, predict the large ones (the idea of ESA; spec 2.9).

The test is Chow's: chi2 of all points = chi2 of the fitted ones + Q. So Q is a directed lack-of-fit test
that people understand, and no evidence beyond the fit itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fits.curves import columns
from fits.dictionary import Array
from fits.significance import misfit_p


class HoldOut(NamedTuple):
    """Squared prediction error ``Q`` in units of its variance, over ``m`` points, with its tail ``p``."""

    Q: float
    m: int
    p: float


def predict(
    k: Array, y: Array, errors: Array, law: str = "1", *, fraction: float = 2 / 3, pooled: float = np.inf
) -> HoldOut:
    """Fit a + c law to the smallest ``fraction`` of the points, at least 3, and test the rest.

    >>> k = np.array([4.0, 8.0, 16.0, 32.0, 64.0])
    >>> predict(k, np.ones(5), np.full(5, 0.1)).p
    1.0
    """
    if not 0 < fraction < 1:
        raise ValueError(f"holdout={fraction} must be between 0 and 1")
    split = min(max(3, int(k.size * fraction)), k.size - 1)
    X = columns(k, (), law)
    X = X / np.abs(X).max(axis=0)
    W = X[:split] / errors[:split, None]
    beta = np.linalg.lstsq(W, y[:split] / errors[:split], rcond=None)[0]
    d = y[split:] - X[split:] @ beta
    cov = np.diag(errors[split:] ** 2) + X[split:] @ np.linalg.pinv(W.T @ W) @ X[split:].T
    Q = float(d @ np.linalg.solve(cov, d))
    return HoldOut(Q, d.size, float(misfit_p(np.array(Q), np.array(d.size), pooled)))
