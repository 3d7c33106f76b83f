"""Weighted least squares of every bounded model with every growth law, for many sweeps at once.

Only the growth coefficient and chi2 are needed, so nothing is inverted: the growth column and the data are
orthogonalised against the model's columns (Gram-Schmidt, twice, which is enough for full accuracy even for
the nearly collinear pairs; Giraud, Langou, Rozloznik 2005), and then c = <g, y>/<g, g>.
Shapes: M models, G growth laws, B sweeps, n points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fits.dictionary import Array

_SINGULAR = 1e-11


@dataclass(frozen=True)
class Fits:
    """Coefficients of the growth column: ``c``, ``se``, ``unit_se``, ``dof`` and ``chi2`` (G, M, B).

    ``unit_se`` is the design's own error [(X'WX)^-1]^(1/2); ``se`` uses the measured errors and is unbiased
    whatever the weights. ``null_chi2`` (M, B) belongs to the models without growth.
    """

    c: Array
    se: Array
    unit_se: Array
    dof: Array
    chi2: Array
    null_chi2: Array


def project_out(vectors: Array, basis: Sequence[Array]) -> Array:
    """Remove from ``vectors`` (..., n) their parts along orthonormal ``basis`` vectors (..., n)."""
    for _ in range(2):
        for q in basis:
            vectors = vectors - np.einsum("...n,...n->...", vectors, q)[..., None] * q
    return vectors


def orthonormal(columns: Array, scale: Array) -> list[Array]:
    """Orthonormal bases of weighted columns (M, P, n), with ``scale`` (B, n) = 1/w: P arrays (M, B, n)."""
    basis: list[Array] = []
    for p in range(columns.shape[1]):
        raw = columns[:, p, None, :] * scale
        vector = project_out(raw, basis)
        norm = np.linalg.norm(vector, axis=-1, keepdims=True)
        alive = norm > _SINGULAR * np.linalg.norm(raw, axis=-1, keepdims=True)
        basis.append(np.where(alive, vector / np.where(alive, norm, 1.0), 0.0))
    return basis


def fit_growth(
    y: Array,
    growths: Array,
    columns: Array,
    weights: Array,
    se: Array,
    dof: Array | None,
    cov: Array | None = None,
) -> Fits:
    """Fit [columns_m, growth_g] to each sweep.

    ``y``, ``weights``, ``se`` (B, n): data, errors to weight with, measured errors; ``growths`` (G, n);
    ``columns`` (M, P, n); ``dof`` (n,): degrees of freedom of each se, None when known exactly; ``cov``
    (B, n, n): covariance of the means under common random numbers, of ``dof[0]`` degrees of freedom.
    """
    scale = 1 / weights
    basis = orthonormal(columns, scale)
    centred = (y - y.mean(axis=-1, keepdims=True)) * scale
    data = project_out(np.broadcast_to(centred, (len(columns), *centred.shape)), basis)
    size = np.abs(growths).max(axis=1)[:, None, None]
    raw = (growths[:, None, :] / size)[:, :, None, :] * scale
    g = project_out(np.broadcast_to(raw, (len(growths), *data.shape)), basis)
    norm2 = np.einsum("...n,...n->...", g, g)
    alive = norm2 > _SINGULAR**2 * np.einsum("...n,...n->...", raw, raw)
    safe = np.where(alive, norm2, 1.0)
    c = np.where(alive, np.einsum("...n,...n->...", g, data) / safe, 0.0)
    residual = data - c[..., None] * g
    h = g * scale / safe[..., None]
    var, nu = _variance(h, se, dof, cov)
    return Fits(
        c=c / size,
        se=np.where(alive, np.sqrt(var), np.inf) / size,
        unit_se=np.where(alive, 1 / np.sqrt(safe), np.inf) / size,
        dof=nu,
        chi2=np.einsum("...n,...n->...", residual, residual),
        null_chi2=np.einsum("...n,...n->...", data, data),
    )


def _variance(h: Array, se: Array, dof: Array | None, cov: Array | None) -> tuple[Array, Array]:
    """Variance of h'y from measured errors, with Satterthwaite's degrees of freedom."""
    if cov is not None:
        var = np.einsum("...i,...ij,...j->...", h, cov, h)
        return var, np.full(var.shape, np.inf if dof is None else dof[0])
    parts = (h * se) ** 2
    var = parts.sum(axis=-1)
    if dof is None:
        return var, np.full(var.shape, np.inf)
    share = parts / np.where(var > 0, var, 1.0)[..., None]  # not var**2: the unit of y may be 1e-140
    inverse = np.einsum("...n,...n->...", share, share / dof)
    return var, np.where(inverse > 0, 1 / np.where(inverse > 0, inverse, 1.0), 0.0)
