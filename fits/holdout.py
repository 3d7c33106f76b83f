"""Fit the small sizes, predict the large ones (the idea of ESA; spec 2.9).

The prediction error in units of its own covariance, Q, equals chi2 of all points minus chi2 of the fitted
ones (Chow 1960), and is computed so. It is a directed lack-of-fit test that people understand, no evidence
beyond the fit itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fits.dictionary import Array
from fits.formulas import Law
from fits.leastsquares import fit_growth
from fits.significance import misfit_p

MIN_FITTED = 3


class HoldOut(NamedTuple):
    """Squared prediction error ``Q`` in units of its variance, over ``m`` points, with its tail ``p``."""

    Q: float
    m: int
    p: float


def hold_outs(
    k: Array, y: Array, errors: Array, laws: Sequence[Law], *, fraction: float = 2 / 3, pooled: float = np.inf
) -> list[HoldOut]:
    """Fit a + c law to the smallest ``fraction`` of the points, at least 3, and test the rest; one per law.

    >>> from fits.formulas import law
    >>> k = np.array([4.0, 8.0, 16.0, 32.0, 64.0])
    >>> hold_outs(k, np.ones(5), np.full(5, 0.1), [law("1"), law("ln")])[1].p
    1.0
    """
    if not 0 < fraction < 1:
        raise ValueError(f"holdout={fraction} must be between 0 and 1")
    split = min(max(MIN_FITTED, int(k.size * fraction)), k.size - 1)
    growths = np.array([one(k) for one in laws])
    Q = np.maximum(_chi2(y, errors, growths) - _chi2(y[:split], errors[:split], growths[:, :split]), 0.0)
    m = k.size - split
    return [HoldOut(float(q), m, float(p)) for q, p in zip(Q, misfit_p(Q, m, pooled), strict=True)]


def _chi2(y: Array, errors: Array, growths: Array) -> Array:
    w = errors[None]
    return fit_growth(y[None], growths, np.ones((1, 1, y.size)), w, w, None).chi2[:, 0, 0]
