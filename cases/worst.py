"""The worst request sequence of a paging policy over n pages, of any length, in exact arithmetic.

The excess of a sequence is cost - c OPT. Longest walks are relaxed round by round (Bellman and Ford): when a round
improves nothing, no sequence of any length over these pages has a larger excess; a positive one is a witness.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from cases.games import GAMES, Game, Layering, first_layers, next_layers

Edge = tuple[int, int, Fraction, bool]  # page, state it leads to, expected cost, whether OPT pays


@dataclass(frozen=True)
class Graph:
    """All states that sequences over ``pages`` pages reach from the start (state 0), and their requests."""

    k: int
    pages: int
    edges: tuple[tuple[Edge, ...], ...]


@dataclass(frozen=True)
class Worst:
    """``excess``: the largest found, 0 for the empty sequence; ``requests``: a sequence that has it; ``length``:
    requests up to which all sequences are covered, None for any length."""

    excess: Fraction
    requests: tuple[int, ...]
    length: int | None


def graph(policy: str, k: int, pages: int) -> Graph:
    """Walk every sequence over ``pages`` pages from the cache 0..k-1 until no new state appears."""
    game = GAMES[policy]
    start = (game.start(k), first_layers(k))
    numbers: dict[Any, int] = {start: 0}
    queue, edges = [start], []
    for state, layers in queue:  # grows while it is walked
        found = []
        for page in range(pages):
            target, cost, paid = _request(game, state, layers, page)
            if target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
            found.append((page, numbers[target], cost, paid))
        edges.append(tuple(found))
    return Graph(k, pages, tuple(edges))


def _request(game: Game, state: Any, layers: Layering, page: int) -> tuple[Any, Fraction, bool]:
    after, cost = game.step(state, layers, page)
    moved, paid = next_layers(layers, page)
    return (after, moved), cost, paid


def worst(within: Graph, c: Fraction, *, length: int = 10_000) -> Worst:
    """The largest cost - c OPT; stops at the first round with a positive one, or when a round improves nothing.

    The first positive excess is that of a shortest violating sequence.
    """
    unit = lcm(c.denominator, *{cost.denominator for edges in within.edges for _, _, cost, _ in edges})
    weighted = [[(page, s, int(unit * (cost - c * paid))) for page, s, cost, paid in edges] for edges in within.edges]
    best, parents = {0: 0}, [{0: (0, -1)}]
    active = [0]
    for round_number in range(1, length + 1):
        parent = _improve(weighted, best, active)
        if not parent:
            return Worst(Fraction(0), (), None)
        parents.append(parent)
        active = list(parent)
        top = max(active, key=lambda s: best[s])
        if best[top] > 0:
            return Worst(Fraction(best[top], unit), _walk(parents, top), round_number)
    return Worst(Fraction(0), (), length)


def _improve(
    weighted: Sequence[Sequence[tuple[int, int, int]]], best: dict[int, int], active: Sequence[int]
) -> dict[int, tuple[int, int]]:
    """One round from the states that the last one improved, on its values; the parents of those improved now."""
    values = [(state, best[state]) for state in active]
    parent = {}
    for state, value in values:
        for page, target, weight in weighted[state]:
            if value + weight > best.get(target, value + weight - 1):
                best[target] = value + weight
                parent[target] = (state, page)
    return parent


def _walk(parents: Sequence[dict[int, tuple[int, int]]], state: int) -> tuple[int, ...]:
    """The requests that lead to a state improved in the last round: each parent was improved in the round before."""
    requests: list[int] = []
    for parent in reversed(parents[1:]):
        state, page = parent[state]
        requests.append(page)
    return tuple(reversed(requests))


def opt_cost(requests: Sequence[int], k: int) -> int:
    """OPT's cost from the cache 0..k-1: the requests to L_0."""
    layers, total = first_layers(k), 0
    for page in requests:
        layers, paid = next_layers(layers, page)
        total += paid
    return total


def nearest(within: Graph, policy: str, *, length: int) -> tuple[Fraction, tuple[int, ...]]:
    """The largest cost / OPT of sequences of at most ``length`` requests, with one that has it (Dinkelbach).

    Each round asks for a sequence above the last one's ratio; the last ratio is one that none exceeds.
    """
    from cases.games import expected_cost

    ratio = Fraction(0)
    requests: tuple[int, ...] = (0,)
    while (found := worst(within, ratio, length=length)).requests:
        requests = found.requests
        ratio = expected_cost(policy, requests, within.k) / opt_cost(requests, within.k)
    return ratio, requests
