"""Kernels of OnlineMin and RPB-OM: O(log k) a request, amortised.

Pages of the support, by their last request, fall into contiguous blocks: the work-function layers L_1..L_k
(Koutsoupias & Papadimitriou 2000). A request appends its page as a block and removes one block end.

* blocks: union-find over *tokens*, one a request (the first k stand for the start); a page knows its last token;
* places: leaves of array trees in recency order, for cached pages and block ends, compacted when they run out.
  ``most`` is a max tree with range addition over s_j = |C & (L_1 u..u L_j)| - j at the end of layer j: a valid
  cache has s_j <= 0 and s_k = 0, and "tight" means 0. ``low`` and ``far`` are min trees over the priorities and the
  negated predictions of the cached pages.

Both kinds of fault: with r the block of the page (for L_0: the last block), the victim is sought up to the first
tight end at or after the end of r; then the block before r joins r.
"""

import numpy as np
from numba import njit

LAST, NEXT_TOKEN, NEXT_PLACE = 0, 1, 2  # entries of State.at
GONE = -(1 << 30)  # value of a leaf of `most` that is no block end


@njit(cache=True, nogil=True)
def _find(parent, x):
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@njit(cache=True, nogil=True)
def _put(tree, place, value):
    i = (tree.size >> 1) + place
    tree[i] = value
    i >>= 1
    while i and tree[i] > value:
        tree[i] = value
        i >>= 1


@njit(cache=True, nogil=True)
def _clear(tree, place):
    i = (tree.size >> 1) + place
    tree[i] = np.inf
    i >>= 1
    while i:
        least = min(tree[2 * i], tree[2 * i + 1])
        if tree[i] == least:
            break
        tree[i] = least
        i >>= 1


@njit(cache=True, nogil=True)
def _least(tree, last):
    """Place of the least value among places 0..last; of equal values the earliest place."""
    size = tree.size >> 1
    i = size + last
    best = i
    while i > 1:
        if i & 1 and tree[i - 1] <= tree[best]:
            best = i - 1
        i >>= 1
    while best < size:
        best *= 2
        if tree[best + 1] < tree[best]:
            best += 1
    return best - size


@njit(cache=True, nogil=True)
def _remove_end(most, add, place):
    i = (most.size >> 1) + place
    most[i] = GONE
    i >>= 1
    while i:
        value = max(most[2 * i], most[2 * i + 1]) + add[i]
        if most[i] == value:
            break
        most[i] = value
        i >>= 1


@njit(cache=True, nogil=True)
def _append_end(most, place):
    # s_k = 0, and no range was ever added over places not yet used: all ancestors have add 0
    i = (most.size >> 1) + place
    while i and most[i] < 0:
        most[i] = 0
        i >>= 1


@njit(cache=True, nogil=True)
def _shift(most, add, first, last, by):
    """Add ``by`` to every block end at places first..last."""
    if first > last:
        return
    left = first + (most.size >> 1)
    right = last + (most.size >> 1)
    i = left
    j = right + 1
    while i < j:
        if i & 1:
            most[i] += by
            add[i] += by
            i += 1
        if j & 1:
            j -= 1
            most[j] += by
            add[j] += by
        i >>= 1
        j >>= 1
    while left > 1:
        left >>= 1
        right >>= 1
        most[left] = max(most[2 * left], most[2 * left + 1]) + add[left]
        if right != left:
            most[right] = max(most[2 * right], most[2 * right + 1]) + add[right]


@njit(cache=True, nogil=True)
def _first_tight(most, add, place):
    """First place >= place whose block end is tight; the last block end always is."""
    size = most.size >> 1
    i = size + place
    above = 0  # additions kept in the proper ancestors of i
    j = i >> 1
    while j:
        above += add[j]
        j >>= 1
    if most[i] + above == 0:
        return place
    while i & 1 or most[i + 1] + above != 0:
        i >>= 1
        above -= add[i]
    i += 1
    while i < size:
        above += add[i]
        i *= 2
        if most[i] + above != 0:
            i += 1
    return i - size


@njit(cache=True, nogil=True)
def _compact(s):
    """Close the gaps: live places keep their order; all trees are built anew."""
    size = s.page.size
    live = 0
    cached = 0
    ends = 0
    s.most[:] = GONE
    s.add[:] = 0
    s.low[:] = np.inf
    s.far[:] = np.inf
    for x in range(s.at[NEXT_PLACE]):
        p = s.page[x]
        r = s.block[x]
        if p < 0 and r < 0:
            continue
        s.page[live] = p
        s.block[live] = r
        if p >= 0:
            cached += 1
            s.place[p] = live
            s.low[size + live] = s.priority[p]
            s.far[size + live] = s.key[p]
        if r >= 0:
            ends += 1
            s.end[r] = live
            s.most[size + live] = cached - ends
        live += 1
    s.page[live:] = -1
    s.block[live:] = -1
    s.at[NEXT_PLACE] = live
    for i in range(size - 1, 0, -1):
        s.most[i] = max(s.most[2 * i], s.most[2 * i + 1])
        s.low[i] = min(s.low[2 * i], s.low[2 * i + 1])
        s.far[i] = min(s.far[2 * i], s.far[2 * i + 1])


@njit(cache=True, nogil=True)
def _evict(s, place, end):
    """Drop the page at ``place`` for a fault whose block ends at ``end``; s_j follows (module docstring)."""
    _clear(s.low, place)
    s.place[s.page[place]] = -1
    s.page[place] = -1
    _shift(s.most, s.add, place, end - 1, -1)
    _shift(s.most, s.add, end, place - 1, 1)


@njit(cache=True, nogil=True)
def _merge_down(s, r):
    """The block before r joins r; if r is L_1, what is left of it leaves the support."""
    q = s.before[r]
    if q >= 0 and s.end[q] >= 0:
        s.parent[q] = r
        s.before[r] = s.before[q]
        dead = q
    else:
        dead = r
    _remove_end(s.most, s.add, s.end[dead])
    s.block[s.end[dead]] = -1
    s.end[dead] = -1


@njit(cache=True, nogil=True)
def _append(s, p):
    x = s.at[NEXT_PLACE]
    r = s.at[NEXT_TOKEN]
    s.at[NEXT_PLACE] += 1
    s.at[NEXT_TOKEN] += 1
    s.token[p] = r
    s.parent[r] = r
    s.before[r] = s.at[LAST]
    s.end[r] = x
    s.at[LAST] = r
    s.place[p] = x
    s.page[x] = p
    s.block[x] = r
    _append_end(s.most, x)
    _put(s.low, x, s.priority[p])


@njit(cache=True, nogil=True)
def _block(s, p):
    """Root of the block of page p, or -1 if p is in L_0."""
    if s.token[p] < 0:
        return -1
    r = _find(s.parent, s.token[p])
    return r if s.end[r] >= 0 else -1


@njit(cache=True, nogil=True)
def onlinemin(s, requests, draws, fault):
    """Serve the requests by OnlineMin (Brodal, Moruz, Negoescu 2015); returns the number of L_0 requests.

    ``draws[t]`` is the priority that the page of request t takes if it enters the support.
    """
    _compact(s)
    new = 0
    for t in range(requests.size):
        p = requests[t]
        r = _block(s, p)
        if r < 0:
            new += 1
            r = s.at[LAST]
            s.priority[p] = draws[t]
        x = s.place[p]
        if x >= 0:
            _clear(s.low, x)
            s.page[x] = -1
        else:
            fault[t] = True
            last = s.end[r] if r == s.at[LAST] else _first_tight(s.most, s.add, s.end[r])
            _evict(s, _least(s.low, last), s.end[r])
        _merge_down(s, r)
        _append(s, p)
        if s.at[NEXT_PLACE] == s.page.size:
            _compact(s)
    return new


@njit(cache=True, nogil=True)
def rpb_om(s, setting, requests, draws, keys, earns, fault):
    """Serve the requests by RPB-OM (Chen et al. 2026); returns (L_0 requests, budget earned, budget spent).

    ``setting`` = (k, tau, 1 if Y follows every request else 0), ``keys`` are negated predictions and ``earns[Y]``
    is the largest U that earns budget. Revealed are the pages requested since the last L_0 request.
    """
    _compact(s)
    k, tau, on_request = setting
    new = earned = spent = since = unrevealed = y = budget = 0
    for t in range(requests.size):
        p = requests[t]
        r = _block(s, p)
        x = s.place[p]
        by_prediction = r < 0
        if r < 0:
            new += 1
            r = s.at[LAST]
            s.priority[p] = draws[t]
            unrevealed = k - 1
            since = s.at[NEXT_TOKEN]
            budget = tau
        else:
            unrevealed -= s.token[p] < since
            if x < 0:
                if unrevealed <= earns[y]:
                    budget += 1
                    earned += 1
                by_prediction = budget > 0
                budget -= by_prediction
                spent += by_prediction
        if x < 0:
            fault[t] = True
            last = s.end[r] if r == s.at[LAST] else _first_tight(s.most, s.add, s.end[r])
            x = _least(s.far if by_prediction else s.low, last)
            _evict(s, x, s.end[r])
        else:
            _clear(s.low, x)
            s.page[x] = -1
        if fault[t] or on_request:
            y = unrevealed
        _clear(s.far, x)
        _merge_down(s, r)
        _append(s, p)
        s.key[p] = keys[t]
        _put(s.far, s.at[NEXT_PLACE] - 1, s.key[p])
        if s.at[NEXT_PLACE] == s.page.size:
            _compact(s)
    return new, earned, spent
