"""The state of OnlineMin and RPB-OM that the kernels of layers.py work on: arrays only."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


class State(NamedTuple):
    """Arrays of one run; ``size`` = leaves of a tree, a power of two >= 4k. See layers.py for tokens and places."""

    token: Ints  # [pages] last token of a page, -1: never requested nor cached at the start
    parent: Ints  # [tokens] union-find
    before: Ints  # [tokens] at a root: the block before it
    end: Ints  # [tokens] at a root: place of the block's end, -1: the block left the support
    place: Ints  # [pages] place of a cached page, -1: not cached
    page: Ints  # [size] page cached at a place or -1
    block: Ints  # [size] root of the block that ends at a place or -1
    most: Ints  # [2 size]
    add: Ints  # [2 size]
    low: Floats  # [2 size]
    far: Floats  # [2 size]
    priority: Floats  # [pages]
    key: Floats  # [pages] negated prediction
    at: NDArray[np.int64]  # last block, next token, next place


def start(pages: int, requests: int, priorities: Floats, keys: Floats) -> State:
    """Pages 0..k-1 cached, page i alone in L_{i+1}, with the given priorities and keys; room for the requests.

    The trees are filled by the first compaction, which every kernel starts with.
    """
    k = priorities.size
    size = 1 << max(2, (4 * k - 1).bit_length())
    none = np.full(2 * (pages + size) + k + requests, -1, np.int32)
    token, place, page, block, end = np.split(none, np.cumsum([pages, pages, size, size]))
    first = np.arange(k, dtype=np.int32)
    token[:k] = page[:k] = block[:k] = first
    parent, before = np.empty((2, k + requests), np.int32)
    parent[:k], before[:k] = first, first - 1
    most, add = np.empty((2, 2 * size), np.int32)
    low, far = np.empty((2, 2 * size))
    priority, key = np.empty((2, pages))
    priority[:k], key[:k] = priorities, keys
    at = np.array([k - 1, k, k])
    return State(token, parent, before, end, place, page, block, most, add, low, far, priority, key, at)
