"""Exact expected costs of OnlineMin, RPB-OM and Marker on one request sequence, from the cache 0..k-1.

OnlineMin and RPB-OM: the distribution over (cache, rising order of the support's priorities, budget, comparison
value), request by request; equal states are put together. Weights are integers over a common total. Marker: only
how many unmarked pages are missing matters (Fiat et al. 1991). `exact/verify.py` recomputes what these say with code
of its own; the tests compare them with the reference over all coin flips.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import factorial
from typing import NamedTuple

from exact import floor_div_e
from sweeps.simulators.paging.reference import Layers

Sets = tuple[frozenset[int], ...]
Chance = tuple[frozenset[int], tuple[int, ...], int, int]  # cache, order, budget, comparison value
STATES = 60_000  # beyond it the expectation is given up


class TooMany(ArithmeticError):  # noqa: N818 - an answer, not a fault
    """More random states than `STATES`: the exact expectation isn't computed."""


class Rule(NamedTuple):
    """RPB-OM's: ``tau``, ``on_request`` (its budget rule), ``furthest[t]``: pages as request t would evict them."""

    tau: int
    on_request: bool
    furthest: list[list[int]]


class Moment(NamedTuple):
    """One request: its page and layer, layers before it; support and number unrevealed after it."""

    page: int
    at: int
    layers: Sets
    support: frozenset[int]
    unrevealed: int


@cache
def most_that_earns(y: int) -> int:
    """The largest U with U <= (y + 2)/e - 2."""
    return int(floor_div_e(y + 2)[y + 2]) - 2


def moments(k: int, requests: Sequence[int]) -> list[Moment]:
    """The layers along the sequence: they are the same for all coin flips."""
    layers, found = Layers(range(k)), []
    for page in requests:
        before, index = tuple(map(frozenset, layers.sets)), layers.index(page)
        layers.request(page)
        found.append(Moment(page, index, before, frozenset().union(*layers.sets), layers.unrevealed()))
    return found


def opt_cost(k: int, requests: Sequence[int]) -> int:
    """What OPT pays: the requests to L_0."""
    return sum(moment.at == 0 for moment in moments(k, requests))


def rule_of(k: int, requests: Sequence[int], predictions: Sequence[int], tau: int, budget: str) -> Rule:
    """Pages by predicted arrival, furthest first, of equal ones the least recently requested, at each request."""
    arrival = {page: (predictions[page], k - page) for page in range(k)}
    furthest = []
    for t, page in enumerate(requests):
        furthest.append(sorted(arrival, key=arrival.__getitem__, reverse=True))
        arrival[page] = (predictions[k + t], -t)
    return Rule(tau, budget == "on-request", furthest)


def expected_cost(k: int, requests: Sequence[int], rule: Rule | None = None) -> Fraction:
    """Of OnlineMin, or with a rule of RPB-OM. Raises TooMany beyond `STATES` states.

    >>> expected_cost(2, [2, 0, 1])
    Fraction(5, 2)
    """
    start = frozenset(range(k))
    states: dict[Chance, int] = {(start, order, 0, 0): 1 for order in permutations(range(k))}
    total, cost = factorial(k), Fraction(0)
    for t, moment in enumerate(moments(k, requests)):
        cost += Fraction(sum(w for state, w in states.items() if moment.page not in state[0]), total)
        states, factor = _served(states, moment, rule, t)
        total *= factor
        if len(states) > STATES:
            raise TooMany(f"{len(states)} states after {t + 1} requests")
    return cost


def _served(states: dict[Chance, int], moment: Moment, rule: Rule | None, t: int) -> tuple[dict[Chance, int], int]:
    """The states after a request, and by what the total of their weights has grown."""
    after: dict[Chance, int] = {}
    factor = 1
    for state, weight in states.items():
        cached, order, budget, y = _evicting(state, moment, rule, t)
        order = tuple(page for page in order if page in moment.support and (moment.at or page != moment.page))
        orders = [order]
        if moment.at == 0:
            orders = [(*order[:i], moment.page, *order[i:]) for i in range(len(order) + 1)]
            factor = len(orders)
        for one in orders:
            key = (cached, one, budget, y)
            after[key] = after.get(key, 0) + weight
    return after, factor


def _evicting(state: Chance, moment: Moment, rule: Rule | None, t: int) -> Chance:
    cached, order, budget, y = state
    if moment.page not in cached:
        pool, predicted = _pool(cached, moment), False
        if rule is not None:
            earned = moment.at > 0 and moment.unrevealed <= most_that_earns(y)
            budget = rule.tau if moment.at == 0 else budget + earned
            predicted = moment.at == 0 or budget > 0
            budget, y = budget - (predicted and moment.at > 0), moment.unrevealed
        victim = next(page for page in (rule.furthest[t] if rule and predicted else order) if page in pool)
        cached = cached - {victim} | {moment.page}
    return cached, order, budget, moment.unrevealed if rule is not None and rule.on_request else y


def _pool(cached: frozenset[int], moment: Moment) -> frozenset[int]:
    """The cached pages that may be evicted for a fault."""
    within: frozenset[int] = frozenset()
    for j, layer in enumerate(moment.layers, start=1):
        within |= cached & layer
        if 0 < moment.at <= j == len(within):
            return within
    return cached


def marker_cost(k: int, requests: Sequence[int]) -> Fraction:
    """Marker's: c of u unmarked pages are missing, each with probability c/u, c being the new pages of the phase.

    >>> marker_cost(2, [2, 0, 1])
    Fraction(5, 2)
    """
    marked, unmarked, new, cost = set(range(k)), set[int](), 0, Fraction(0)
    for page in requests:
        if page in marked:
            continue
        if len(marked) == k:
            marked, unmarked, new = set(), marked, 0
        if page in unmarked:
            cost += Fraction(new, len(unmarked))
            unmarked.remove(page)
        else:
            cost, new = cost + 1, new + 1
        marked.add(page)
    return cost
