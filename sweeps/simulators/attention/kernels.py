"""float64 stepping: fast, for any size, tie rule and step rule; a scout, never a proof.

``tie`` is 0 (low), 1 (avg) or 2 (stay). ``gammas`` is the step rule: none, gamma_t = 2/(t+2); one number, constant;
more, gamma_t = gammas[t]. Tokens are moved in place from state t0 to t1; the result is the first k in t0..t1, k >= 1,
with max_i <B x_i, x_i>/2 k > limit, or -1. Both kernels do the same; ``dense`` lets BLAS form all scores at once.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _gamma(gammas, t):
    if gammas.size == 0:
        return 2.0 / (t + 2.0)
    return gammas[0] if gammas.size == 1 else gammas[t]


@njit(cache=True, nogil=True)
def _aim(X, score, i, tie, y):
    """The point token i moves to, from its scores."""
    n, d = X.shape
    best = 0
    for j in range(1, n):
        if score[j] < score[best]:
            best = j
    if tie == 2 and score[i] == score[best]:
        best = i
    for c in range(d):
        y[c] = X[best, c]
    if tie == 1:
        count = 1
        for j in range(best + 1, n):
            if score[j] == score[best]:
                count += 1
                for c in range(d):
                    y[c] += X[j, c]
        for c in range(d):
            y[c] /= count


@njit(cache=True, nogil=True)
def walk(X, B, tie, gammas, t0, t1, limit):
    """Loops over tokens: the faster one for few tokens."""
    n, d = X.shape
    Y = np.empty((n, d))
    field = np.empty(d)
    score = np.empty(n)
    for t in range(t0, t1 + 1):
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
        if t >= 1 and 0.5 * top * t > limit:
            return t
        if t < t1:
            g = _gamma(gammas, t)
            for i in range(n):
                for c in range(d):
                    X[i, c] += g * (Y[i, c] - X[i, c])
    return -1


@njit(cache=True, nogil=True)
def dense(X, B, tie, gammas, t0, t1, limit):
    """All scores X B X^T by BLAS: the faster one from about 16 tokens."""
    n, d = X.shape
    Y = np.empty((n, d))
    fields = np.empty((n, d))
    scores = np.empty((n, n))
    for t in range(t0, t1 + 1):
        np.dot(X, B, fields)
        np.dot(fields, X.T, scores)
        top = 0.0
        for i in range(n):
            top = max(top, scores[i, i])
            _aim(X, scores[i], i, tie, Y[i])
        if t >= 1 and 0.5 * top * t > limit:
            return t
        if t < t1:
            g = _gamma(gammas, t)
            for i in range(n):
                for c in range(d):
                    X[i, c] += g * (Y[i, c] - X[i, c])
    return -1
