"""float64 runs in front of the kernels: they say where to look, not what is true."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweeps.simulators.attention import kernels
from sweeps.simulators.attention.problem import TIES

DENSE = 16  # tokens from which BLAS is faster (bench/attention.py)
STEPS = 10**9


@dataclass(frozen=True)
class Scouted:
    """``first``: the first state seen above the bound, unconfirmed, or None; ``tokens`` after ``steps`` steps."""

    first: int | None
    steps: int
    tokens: NDArray[np.float64]


def scout(
    tokens: ArrayLike,
    *,
    b: ArrayLike | None = None,
    tie: str = "low",
    horizon: int = 10_000,
    gamma: float | ArrayLike | None = None,
) -> Scouted:
    """Step ``tokens`` (n x d, or n numbers) in float64 until J(x^k) <= 2 L D^2/k looks broken, or to state ``horizon``.

    ``b``: B*, d x d (default I). ``gamma``: None for 2/(t+2), a number for a constant step, or one number a step.
    Rounding breaks ties that are exact, and near ones in favour of either side: the result needs confirmation.
    Raises ValueError for shapes that do not fit, values that are not finite, a horizon not in 1..10^9.

    >>> scout([4.0, -1.0], horizon=1000).first
    225
    >>> import math; scout([2 + 1e-20, -1.0]).first, scout([1.0, -1.0], horizon=50, gamma=0.5).first
    (145, None)
    """
    X = np.array(tokens, dtype=np.float64)
    X = np.ascontiguousarray(X.reshape(-1, 1) if X.ndim == 1 else X)
    if X.ndim != 2 or not X.size or not np.isfinite(X).all():
        raise ValueError(f"tokens must be n >= 1 rows of d >= 1 finite numbers; got shape {X.shape}")
    B = np.eye(X.shape[1]) if b is None else np.ascontiguousarray(b, dtype=np.float64)
    if B.shape != (X.shape[1],) * 2 or not np.isfinite(B).all() or not np.allclose(B, B.T):
        raise ValueError(f"b must be symmetric, {X.shape[1]} x {X.shape[1]} and finite; got shape {B.shape}")
    if tie not in TIES:
        raise ValueError(f"tie must be one of {', '.join(TIES)}; got {tie!r}")
    if not 1 <= horizon <= STEPS:
        raise ValueError(f"horizon must be between 1 and {STEPS} for float64 stepping; got {horizon}")
    gammas = _steps(gamma, horizon)
    limit = 2.0 * float(np.linalg.eigvalsh(B)[-1]) * _diameter_squared(X)
    kernel: Any = kernels.dense if len(X) >= DENSE else kernels.walk
    found = int(kernel(X, B, TIES.index(tie), gammas, 0, horizon, limit))
    return Scouted(found if found > 0 else None, found if found > 0 else horizon, X)


def _steps(gamma: float | ArrayLike | None, horizon: int) -> NDArray[np.float64]:
    gammas = np.empty(0) if gamma is None else np.atleast_1d(np.asarray(gamma, dtype=np.float64))
    if gammas.ndim != 1 or not ((gammas >= 0) & (gammas <= 1)).all() or 1 < gammas.size < horizon:
        raise ValueError(f"gamma must be in 0..1: one number, or one for each of the {horizon} steps")
    return gammas


def _diameter_squared(X: NDArray[np.float64]) -> float:
    return max(float(((X - x) ** 2).sum(axis=1).max()) for x in X)
