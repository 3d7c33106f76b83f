"""float64 scouts of a hunt: how near the energy of hardmax attention comes to its bound."""

# numba infers the types of kernels
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"

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


@njit(cache=True, nogil=True)
def walk_layers(k, requests, layer_of, index, unrevealed):
    """Layers along a sequence: ``layer_of[t, p]`` in 0..k before request t, its ``index[t]``, U after it."""
    pages = layer_of.shape[1]
    now = np.zeros(pages, np.int64)
    now[:k] = np.arange(1, k + 1)
    size = np.zeros(k + 2, np.int64)
    for t in range(requests.size):
        layer_of[t] = now
        p = requests[t]
        i = now[p]
        index[t] = i
        for q in range(pages):
            if now[q] >= (i if i > 0 else k):  # what is left of L_i goes down, and so do the layers after it
                now[q] -= 1
        now[p] = k
        size[:] = 0
        for q in range(pages):
            size[now[q]] += 1
        u = k
        while u > 0 and size[u] == 1:
            u -= 1
        unrevealed[t] = u


@njit(cache=True, nogil=True)
def sampled_cost(walk, requests, arrival, priorities, rule, most):
    """Mean faults over rows of ``priorities`` ([samples, k + requests], read as in the reference), pages 0..k-1 cached.

    ``walk``: (layer_of, index, unrevealed). ``arrival``: k + requests, the furthest is the largest. ``rule``: (k, 0
    OnlineMin or 1 RPB-OM, tau, 1 if on-request). ``most[y]``: the largest U that earns budget.
    """
    layer_of, index, unrevealed = walk
    k, learning, tau, on_request = rule
    pages = layer_of.shape[1]
    cached, last, priority = np.zeros(pages, np.bool_), np.zeros(pages, np.int64), np.zeros(pages)
    place, in_layer = np.zeros(pages, np.int64), np.zeros(k + 1, np.int64)
    faults = 0
    for s in range(priorities.shape[0]):
        cached[:] = False
        cached[:k] = True
        for p in range(k):
            last[p], priority[p], place[p] = p - k, priorities[s, p], p
        budget = y = 0
        for t in range(requests.size):
            p, i, u = requests[t], index[t], unrevealed[t]
            if not cached[p]:
                faults += 1
                top = _tight(layer_of[t], cached, i, k, in_layer)
                predicted = learning == 1 and i == 0
                if predicted:
                    budget = tau
                elif learning == 1:
                    budget += u <= most[y]
                    predicted = budget > 0
                    budget -= predicted
                y = u
                cached[_victim(layer_of[t], cached, top, predicted, (priority, arrival, place, last))] = False
                cached[p] = True
            if i == 0:
                priority[p] = priorities[s, k + t]
            last[p], place[p] = t, k + t
            if on_request == 1:
                y = u
    return faults / priorities.shape[0]


@njit(cache=True, nogil=True)
def _tight(layers, cached, i, k, in_layer):
    """The least j >= i with j cached pages in L_1..L_j; k for i = 0."""
    if i == 0:
        return k
    in_layer[:] = 0
    for p in range(layers.size):
        if cached[p]:
            in_layer[layers[p]] += 1
    within = 0
    for j in range(1, k + 1):
        within += in_layer[j]
        if j >= i and within == j:
            return j
    return k


@njit(cache=True, nogil=True)
def _victim(layers, cached, top, predicted, memory):
    """The cached page of L_1..L_top that is predicted furthest, or of least priority; of equal ones the oldest."""
    priority, arrival, place, last = memory
    victim = -1
    for p in range(layers.size):
        if cached[p] and layers[p] <= top:
            if victim < 0:
                victim = p
            elif predicted:
                a, b = arrival[place[p]], arrival[place[victim]]
                if a > b or (a == b and last[p] < last[victim]):
                    victim = p
            elif priority[p] < priority[victim] or (priority[p] == priority[victim] and last[p] < last[victim]):
                victim = p
    return victim
