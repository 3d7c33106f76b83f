"""Kernels of the classic policies, of OPT and of the count of L_0 requests.

Pages are 0..pages-1, the cache starts with pages 0..k-1, oldest first, page i in slot i. Each policy serves
``requests`` (int32) and sets ``fault[t]`` (bool, zeroed by the caller). ``draws[k + t]`` in [0, 1) is the random
number of request t, so that a policy is a function of its arguments.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def lru(k, pages, requests, fault):
    """Least recently used: slots in a ring of links, k is the ring's seam."""
    slot = np.full(pages, -1, np.int32)
    page = np.arange(k).astype(np.int32)
    newer = np.empty(k + 1, np.int32)
    older = np.empty(k + 1, np.int32)
    for i in range(k + 1):
        newer[i] = i + 1 if i < k else 0
        older[i] = i - 1 if i else k
        if i < k:
            slot[i] = i
    for t in range(requests.size):
        p = requests[t]
        i = slot[p]
        if i < 0:
            fault[t] = True
            i = newer[k]
            slot[page[i]] = -1
            page[i] = p
            slot[p] = i
        if i != older[k]:
            a, b = older[i], newer[i]
            newer[a] = b
            older[b] = a
            a = older[k]
            newer[a] = i
            older[i] = a
            newer[i] = k
            older[k] = i


@njit(cache=True, nogil=True)
def fifo(k, pages, requests, fault):
    """First in, first out."""
    cached = np.zeros(pages, np.bool_)
    cached[:k] = True
    page = np.arange(k).astype(np.int32)
    oldest = 0
    for t in range(requests.size):
        p = requests[t]
        if not cached[p]:
            fault[t] = True
            cached[page[oldest]] = False
            page[oldest] = p
            cached[p] = True
            oldest = oldest + 1 if oldest + 1 < k else 0


@njit(cache=True, nogil=True)
def random(k, pages, requests, draws, fault):
    """Evict the page of a uniformly random slot."""
    cached = np.zeros(pages, np.bool_)
    cached[:k] = True
    page = np.arange(k).astype(np.int32)
    for t in range(requests.size):
        p = requests[t]
        if not cached[p]:
            fault[t] = True
            i = int(draws[k + t] * k)
            cached[page[i]] = False
            page[i] = p
            cached[p] = True


@njit(cache=True, nogil=True)
def marker(k, pages, requests, draws, fault):
    """Marker (Fiat et al. 1991): evict a random unmarked page; all marked and a fault: a new phase, none is.

    The unmarked slots are ``free[:unmarked]``, in slot order when a phase starts; one that leaves the list is
    replaced by its last. ``where`` is a slot's index in the list.
    """
    slot = np.full(pages, -1, np.int32)
    page = np.arange(k).astype(np.int32)
    slot[:k] = page
    free = page.copy()
    where = page.copy()
    unmarked = 0
    for t in range(requests.size):
        p = requests[t]
        i = slot[p]
        if i < 0:
            fault[t] = True
            if unmarked == 0:
                unmarked = k
                for j in range(k):
                    free[j] = where[j] = j
            i = free[int(draws[k + t] * unmarked)]
            slot[page[i]] = -1
            page[i] = p
            slot[p] = i
        if where[i] < unmarked:
            unmarked -= 1
            j = free[unmarked]
            free[where[i]] = j
            where[j] = where[i]
            where[i] = k  # marked


@njit(cache=True, nogil=True)
def next_arrivals(k, pages, requests):
    """For the k start pages, then for each request: the time of the page's next request, or requests.size."""
    n = requests.size
    upcoming = np.full(pages, n, np.int64)
    arrival = np.empty(k + n, np.int64)
    for t in range(n - 1, -1, -1):
        arrival[k + t] = upcoming[requests[t]]
        upcoming[requests[t]] = t
    arrival[:k] = upcoming[:k]
    return arrival


@njit(cache=True, nogil=True)
def opt(k, pages, requests, arrival, fault):
    """Belady (1966): evict the page requested furthest in the future; a max tree over the slots' next arrivals."""
    size = 1
    while size < k:
        size *= 2
    far = np.full(2 * size, -1, np.int64)
    far[size : size + k] = arrival[:k]
    for i in range(size - 1, 0, -1):
        far[i] = max(far[2 * i], far[2 * i + 1])
    slot = np.full(pages, -1, np.int32)
    page = np.arange(k).astype(np.int32)
    slot[:k] = page
    for t in range(requests.size):
        p = requests[t]
        i = slot[p]
        if i < 0:
            fault[t] = True
            i = 1
            while i < size:
                i = 2 * i if far[2 * i] == far[i] else 2 * i + 1
            i -= size
            slot[page[i]] = -1
            page[i] = p
            slot[p] = i
        i += size
        far[i] = arrival[k + t]
        i >>= 1
        while i:
            far[i] = max(far[2 * i], far[2 * i + 1])
            i >>= 1


@njit(cache=True, nogil=True)
def phases(k, pages, requests, first):
    """Number of L_0 requests; ``first[t]`` becomes True at each: there OPT pays (Koutsoupias, Papadimitriou 2000).

    Layers are blocks of the recency order, found by union-find over one token a request (see layers.py).
    """
    tokens = k + requests.size
    token = np.full(pages, -1, np.int32)
    token[:k] = np.arange(k).astype(np.int32)
    parent = np.arange(tokens).astype(np.int32)
    before = parent - np.int32(1)
    alive = np.ones(tokens, np.bool_)
    new = 0
    for t in range(requests.size):
        p = requests[t]
        r = token[p]
        while r >= 0 and parent[r] != r:
            parent[r] = parent[parent[r]]
            r = parent[r]
        if r < 0 or not alive[r]:
            new += 1
            first[t] = True
            r = k + t - 1
        q = before[r]
        if q >= 0 and alive[q]:
            parent[q] = r
            before[r] = before[q]
        else:
            alive[r] = False
        token[p] = k + t
    return new
