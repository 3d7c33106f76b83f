"""If the data are bounded after all: how slow the approach and how high the limit must be (spec 2.11)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fits.dictionary import Array
from fits.rules import P_FIT
from fits.significance import misfit_p

DELTA = 9.0
_Q = np.geomspace(0.002, 2.0, 400)


class Reading(NamedTuple):
    """``q`` at most, ``limit`` at least; ``describes``: the best such curve describes the data at p > 0.001."""

    q: float
    limit: float
    describes: bool


def if_bounded(k: Array, y: Array, errors: Array, *, scale: float = 1.0, pooled: float = np.inf) -> Reading:
    """Largest q and smallest limit a of a - b k^-q (b >= 0) within Delta chi2 < 9 of the best such curve.

    Whether it describes the data is judged with errors enlarged by ``scale`` (what the best model of the dictionary
    leaves); ``pooled``: degrees of freedom of the errors. Shapes (n,). Source: profile likelihood over q in (0, 2],
    chi2 inflated by its own minimum.

    >>> k = 2.0 ** np.arange(2, 11)
    >>> q, limit, describes = if_bounded(k, 0.38 * np.log(k), np.full(9, 0.02))
    >>> q < 0.04 and limit > 11 and describes
    True
    >>> if_bounded(k, 0.01 * k, np.full(9, 0.02)).describes
    False
    """
    w = errors**-2.0
    x = k ** -_Q[:, None]
    level, spread, chi2_flat = _line(np.zeros_like(x), y, w)
    a, se, chi2 = _line(x, y, w)
    rising = np.einsum("qn,n->q", x - (x @ w / w.sum())[:, None], w * y) < 0
    a, se, chi2 = (np.where(rising, new, old) for new, old in ((a, level), (se, spread), (chi2, chi2_flat)))
    describes = bool(misfit_p(chi2.min() / scale**2, k.size - 3, pooled) > P_FIT)
    room = DELTA * max(1.0, chi2.min() / max(k.size - 3, 1)) - (chi2 - chi2.min())
    inside = room > 0
    # lowering a below the flat fit's own bound would need b < 0
    low = np.maximum(a - se * np.sqrt(room.clip(min=0)), level - spread * np.sqrt(DELTA))
    return Reading(float(_Q[inside].max()), float(low[inside].min()), describes)


def _line(x: Array, y: Array, w: Array) -> tuple[Array, Array, Array]:
    """Weighted line y = a + b x for each row of x (Q, n): a, its error, chi2, each (Q,)."""
    total = w.sum()
    x0, y0 = x @ w / total, float(y @ w / total)
    dx, dy = x - x0[:, None], y - y0
    sxx = np.einsum("qn,qn,n->q", dx, dx, w)
    safe = np.where(sxx > 0, sxx, 1.0)
    b = np.where(sxx > 0, np.einsum("qn,n->q", dx, w * dy) / safe, 0.0)
    residual = dy - b[:, None] * dx
    var = 1 / total + np.where(sxx > 0, x0**2 / safe, 0.0)
    return y0 - b * x0, np.sqrt(var), np.einsum("qn,qn,n->q", residual, residual, w)
