"""float64 scouts of a hunt: how near the energy of hardmax attention comes to its bound."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def closeness(X, B, steps, tie, limit, out):
    """Steps tokens X (n x d, moved in place) with gamma_t = 2/(t+2) up to state ``steps``, or to the first violation.

    ``tie``: 0 low, 1 avg, 2 stay. out[0]: the largest max_i <B x_i, x_i>/2 k / limit over the states k = 1..steps;
    returns the first k where it is above 1, or -1.
    """
    n, d = X.shape
    Y = np.empty((n, d))
    field = np.empty(d)
    score = np.empty(n)
    out[0] = 0.0
    for t in range(steps + 1):
        top = 0.0
        for i in range(n):
            energy = 0.0
            for c in range(d):
                total = 0.0
                for e in range(d):
                    total += B[c, e] * X[i, e]
                field[c] = total
                energy += total * X[i, c]
            top = max(top, energy)
            for j in range(n):
                total = 0.0
                for c in range(d):
                    total += field[c] * X[j, c]
                score[j] = total
            _aim(X, score, i, tie, Y[i])
        out[0] = max(out[0], 0.5 * top * t / limit)
        if out[0] > 1.0:
            return t
        g = 2.0 / (t + 2.0)
        for i in range(n):
            for c in range(d):
                X[i, c] += g * (Y[i, c] - X[i, c])
    return -1


@njit(cache=True, nogil=True)
def _aim(X, score, i, tie, y):
    """The point that token i moves to."""
    best = np.argmin(score)
    if tie == 2 and score[i] == score[best]:
        best = i
    y[:] = X[best]
    if tie == 1:
        count = 1
        for j in range(best + 1, score.size):
            if score[j] == score[best]:
                count += 1
                y += X[j]
        y /= count
