"""One model drawn as a curve: its coefficients, and its values beyond the data (for figures)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fits.dictionary import TRANSIENTS, Array
from fits.formulas import law


def columns(k: Array, model: Sequence[str], growth: str | None) -> Array:
    """Design matrix (n, p): constant, the model's transients, then the growth law if any."""
    parts = [np.ones_like(k), *(TRANSIENTS[name](k) for name in model)]
    if growth is not None and growth != "1":
        parts.append(law(growth)(k))
    return np.stack(parts, axis=1)


def curve(k: Array, y: Array, errors: Array, model: Sequence[str], growth: str | None, at: Array) -> Array:
    """Weighted fit of [1, model, growth] to (k, y), evaluated at ``at``.

    >>> k = np.array([4.0, 8.0, 16.0, 32.0])
    >>> np.round(curve(k, 1 + np.log(k), np.ones(4), (), "ln", np.array([1e3])), 3)
    array([7.908])
    """
    X = columns(k, model, growth)
    size = np.linalg.norm(X, axis=0)
    beta = np.linalg.lstsq(X / size / errors[:, None], y / errors, rcond=None)[0]
    return np.asarray(columns(at, model, growth) / size @ beta)
