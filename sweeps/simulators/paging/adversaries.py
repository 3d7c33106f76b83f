"""Request sequences of the adversaries, phase by phase.

A phase lasts from one L_0 request (where OPT pays 1, and pays nowhere else) to just before the next. At its start
the k pages of the support are single in their layers. Each kernel starts with pages 0..k-1 cached.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Sequence = tuple[NDArray[np.int32], NDArray[np.int64], int]  # requests, first request of each phase, pages


@njit(cache=True, nogil=True)
def _lazy(k, phases, rng):
    out = np.empty(k * phases, np.int32)
    old = np.arange(k).astype(np.int32)
    t = 0
    for new in range(k, k + phases):
        out[t] = new
        t += 1
        for j in range(k - 1):
            i = j + int(rng.random() * (k - j))
            old[i], old[j] = old[j], old[i]
            out[t] = old[j]
            t += 1
        old[k - 1] = new  # in place of the one page left out
    return out


@njit(cache=True, nogil=True)
def _uniform(k, starts, rng, out):
    """Fill ``starts`` and, if it is long enough, ``out``; return the number of requests."""
    seen = np.full(k + 1, -1, np.int64)
    p = k
    t = 0
    for phase in range(starts.size):
        starts[phase] = t
        distinct = 0
        while True:
            if seen[p] != phase:
                if distinct == k:
                    break  # the page left out: the next phase starts with it
                seen[p] = phase
                distinct += 1
            if t < out.size:
                out[t] = p
            t += 1
            p = int(rng.random() * (k + 1))
    return t


def lazy(k: int, phases: int, seed: np.random.SeedSequence) -> Sequence:
    """A new page, then k - 1 of the k old ones in a uniformly random order: every request but the first is to
    a page of an unrevealed layer (spec, "lazy")."""  # fmt: skip
    requests = _lazy(k, phases, np.random.default_rng(seed))
    return requests, np.arange(phases) * k, k + phases


def cyclic(k: int, phases: int, seed: np.random.SeedSequence) -> Sequence:  # noqa: ARG001 - one signature
    """Pages k, 0, 1, .., k, 0, .. in turn (Sleator & Tarjan 1985): LRU and FIFO fault always, OPT once in k."""
    requests = ((np.arange(k * phases) + k) % (k + 1)).astype(np.int32)
    return requests, np.arange(phases) * k, k + 1


def uniform(k: int, phases: int, seed: np.random.SeedSequence) -> Sequence:
    """Independent uniform requests over k + 1 pages from an L_0 request on; a phase has (k + 1) H_k in the mean."""
    starts = np.empty(phases, np.int64)
    total = _uniform(k, starts, np.random.default_rng(seed), np.empty(0, np.int32))
    requests = np.empty(total, np.int32)
    _uniform(k, starts, np.random.default_rng(seed), requests)  # the same draws again
    return requests, starts, k + 1


ADVERSARIES = {"lazy": lazy, "cyclic": cyclic, "uniform": uniform}
