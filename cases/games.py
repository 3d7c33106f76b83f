"""Paging policies as finite games: over n pages, expected costs depend on a state with finitely many values.

A state knows all that decides the expected cost of every later request, so that all sequences of any length over n
pages are walks in a finite graph (see `cases/worst.py`). OPT's cost comes from the reference's layers.

- LRU: the pages by recency.
- Marker: marked pages, unmarked pages of the last phase, new pages of this one. The u unmarked pages are alike and
  as many of them are missing from the cache as there are new pages, c: each is missing with probability c/u.
- OnlineMin: the layers. Its cache is built from them layer by layer, keeping the i pages of highest priority of the
  first i layers, and the priorities are independent of the requests (Brodal, Moruz, Negoescu 2015).

The tests compare each with the slow reference over all coin flips.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

from sweeps.simulators.paging.reference import Layers

Layering = tuple[frozenset[int], ...]


class Game(NamedTuple):
    """``start(k)`` and ``step(state, page) -> (state, expected cost)``; ``state`` also holds the layers."""

    start: Callable[[int], Any]
    step: Callable[[Any, Layering, int], tuple[Any, Fraction]]


def first_layers(k: int) -> Layering:
    """The layers at the start: page i - 1 alone in L_i."""
    return tuple(frozenset([page]) for page in range(k))


def next_layers(layers: Layering, page: int) -> tuple[Layering, bool]:
    """The layers after a request, and whether OPT pays for it: the reference's update."""
    mutable = Layers(())
    mutable.sets = [set(layer) for layer in layers]
    paid = mutable.request(page)
    return tuple(frozenset(layer) for layer in mutable.sets), paid


def _lru(recency: tuple[int, ...], _layers: Layering, page: int) -> tuple[tuple[int, ...], Fraction]:
    fault = page not in recency
    kept = recency[1:] if fault else tuple(p for p in recency if p != page)
    return (*kept, page), Fraction(fault)


Phase = tuple[frozenset[int], frozenset[int], int]


def _marker(state: Phase, layers: Layering, page: int) -> tuple[Phase, Fraction]:
    marked, unmarked, new = state
    if page in marked:
        return state, Fraction(0)
    if len(marked) == len(layers):  # all pages are marked: a new phase
        marked, unmarked, new = frozenset(), marked, 0
    if page in unmarked:
        return (marked | {page}, unmarked - {page}, new), Fraction(new, len(unmarked))
    return (marked | {page}, unmarked, new + 1), Fraction(1)


def _onlinemin(state: None, layers: Layering, page: int) -> tuple[None, Fraction]:
    index = next((i for i, layer in enumerate(layers) if page in layer), None)
    missing = Fraction(1) if index is None else missing_chances(tuple(map(len, layers)))[index]
    return state, missing


@cache
def missing_chances(sizes: tuple[int, ...]) -> tuple[Fraction, ...]:
    """For each layer the chance that OnlineMin's cache lacks a given page of it, by all priority orders.

    >>> missing_chances((1, 2))  # the first layer's page competes with both of the second: two of three are kept
    (Fraction(1, 3), Fraction(1, 3))
    """
    n, count, kept = sum(sizes), 0, [0] * len(sizes)
    home = [i for i, size in enumerate(sizes) for _ in range(size)]
    for order in permutations(range(n)):
        count += 1
        for page in _kept(order, sizes):
            kept[home[page]] += 1
    return tuple(1 - Fraction(k, count * size) for k, size in zip(kept, sizes, strict=True))


def _kept(priority: Sequence[int], sizes: Sequence[int]) -> list[int]:
    pages: list[int] = []
    first = 0
    for i, size in enumerate(sizes, start=1):
        pages = sorted([*pages, *range(first, first + size)], key=lambda page: -priority[page])[:i]
        first += size
    return pages


GAMES = {
    "lru": Game(lambda k: tuple(range(k)), _lru),
    "marker": Game(lambda k: (frozenset(range(k)), frozenset(), 0), _marker),
    "onlinemin": Game(lambda _k: None, _onlinemin),
}


def expected_cost(policy: str, requests: Sequence[int], k: int) -> Fraction:
    """The policy's exact expected cost on a sequence, from the cache 0..k-1, oldest first.

    >>> expected_cost("marker", [2, 0, 1], 2)
    Fraction(5, 2)
    """
    game, layers, total = GAMES[policy], first_layers(k), Fraction(0)
    state = game.start(k)
    for page in requests:
        state, cost = game.step(state, layers, page)
        layers, total = next_layers(layers, page)[0], total + cost
    return total
