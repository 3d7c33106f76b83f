"""Two real algorithms with known answers: left-to-right maxima, and quicksort (spec 3h)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fits.dictionary import Array

Rng = np.random.Generator
_MOST_RECORDS = 60
_POOL = 10_000


def harmonic(n: int) -> float:
    """H_n.

    >>> harmonic(4)
    2.083333333333333
    """
    return float((1 / np.arange(1, n + 1)).sum())


@lru_cache(maxsize=64)
def record_law(n: int) -> Array:
    """Probabilities of 0, 1, ... 59 left-to-right maxima in a random permutation of n.

    >>> record_law(3)[:4].round(4)
    array([0.    , 0.3333, 0.5   , 0.1667])
    """
    law = np.zeros(_MOST_RECORDS)
    law[0] = 1.0
    for i in range(1, n + 1):
        law[1:], law[0] = law[1:] * (1 - 1 / i) + law[:-1] / i, law[0] * (1 - 1 / i)
    total: Array = law / law.sum()
    return total


def records(k: Array, reps: int, rng: Rng, size: int) -> tuple[Array, Array]:
    """Mean number of records minus H_k and its error, over ``reps`` permutations; each (size, n)."""
    x = np.arange(_MOST_RECORDS)
    means, errors = [], []
    for n in k.astype(int):
        counts = rng.multinomial(reps, record_law(int(n)), size=size)
        mean = counts @ x / reps
        var = (counts @ (x * x) / reps - mean**2) * reps / (reps - 1)
        means.append(mean - harmonic(int(n)))
        errors.append(np.sqrt(var / reps))
    return np.array(means).T, np.array(errors).T


@lru_cache(maxsize=64)
def quicksort_pool(n: int) -> Array:
    """Comparisons of quicksort with random pivots, 10,000 runs, centred to the exact mean 2(n+1)H_n - 4n."""
    rng = np.random.default_rng(n)
    cost, owner = np.zeros(_POOL), np.arange(_POOL)
    sizes = np.full(_POOL, n)
    while sizes.size:
        cost += np.bincount(owner, weights=sizes - 1, minlength=_POOL)
        left = (rng.random(sizes.size) * sizes).astype(np.int64)
        sizes, owner = np.concatenate([left, sizes - 1 - left]), np.concatenate([owner, owner])
        sizes, owner = sizes[sizes > 1], owner[sizes > 1]
    centred: Array = cost - cost.mean() + 2 * (n + 1) * harmonic(n) - 4 * n
    return centred


def quicksort(k: Array, reps: int, rng: Rng, size: int) -> tuple[Array, Array]:
    """Mean comparisons over k minus 1.62 H_k, and its standard error, from the pool; each (size, n)."""
    means, errors = [], []
    for n in k.astype(int):
        x = quicksort_pool(int(n))[rng.integers(_POOL, size=(size, reps))] / n
        means.append(x.mean(axis=1) - 1.62 * harmonic(int(n)))
        errors.append(x.std(axis=1, ddof=1) / np.sqrt(reps))
    return np.array(means).T, np.array(errors).T
