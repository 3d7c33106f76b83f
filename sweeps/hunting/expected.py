"""Exact expected costs of OnlineMin, RPB-OM and Marker on one request sequence, from the cache 0..k-1.

OnlineMin and RPB-OM: the distribution over (cache, rising order of the support's priorities, budget, comparison
value), request by request; equal states are put together. Weights are integers over a common total. Where OPT pays
once a phase, over (the page that is missing, budget, comparison value): any k. Marker: only how many unmarked pages
are missing matters (Fiat et al. 1991). `exact/verify.py` recomputes what these say with code
of its own; the tests compare them with the reference over all coin flips.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations
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


def is_lone(walk: Sequence[Moment]) -> bool:
    """Whether each request to L_0 comes when all pages are revealed: then expectations are short at any k."""
    return all(moment.at or not before.unrevealed for before, moment in pairwise(walk))


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
    walk = moments(k, requests)
    if is_lone(walk):
        return _cost_of_lone_faults(k, walk, rule)
    if factorial(k) > STATES:
        raise TooMany(f"{k}! orders of priorities")
    start = frozenset(range(k))
    states: dict[Chance, int] = {(start, order, 0, 0): 1 for order in permutations(range(k))}
    total, cost = factorial(k), Fraction(0)
    for t, moment in enumerate(walk):
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
            predicted, budget = _by_prediction(budget, y, moment, rule)
            y = moment.unrevealed
        victim = next(page for page in (rule.furthest[t] if rule and predicted else order) if page in pool)
        cached = cached - {victim} | {moment.page}
    return cached, order, budget, moment.unrevealed if rule is not None and rule.on_request else y


def _by_prediction(budget: int, y: int, moment: Moment, rule: Rule) -> tuple[bool, int]:
    """Whether RPB-OM evicts by prediction at this fault, and its budget afterwards."""
    if moment.at == 0:
        return True, rule.tau
    budget += moment.unrevealed <= most_that_earns(y)
    return budget > 0, max(budget - 1, 0)


def _pool(cached: frozenset[int], moment: Moment) -> frozenset[int]:
    """The cached pages that may be evicted for a fault."""
    within: frozenset[int] = frozenset()
    for j, layer in enumerate(moment.layers, start=1):
        within |= cached & layer
        if 0 < moment.at <= j == len(within):
            return within
    return cached


Lone = tuple[int | None, int, int]  # the missing page, budget, comparison value


def _cost_of_lone_faults(k: int, walk: Sequence[Moment], rule: Rule | None) -> Fraction:
    """Of sequences whose requests to L_0 come when all pages of the support are revealed, and so cached.

    One page of the support is missing then until the next one, and it is unrevealed. A victim of least priority is
    any of the candidates with equal probability: earlier such victims have been requested since, and that the others'
    priorities were above theirs tells nothing about the order of these.
    """
    states: dict[Lone, Fraction] = {(None, 0, 0): Fraction(1)}
    cost, unrevealed = Fraction(0), 0
    for t, moment in enumerate(walk):
        pool = frozenset().union(*moment.layers[: unrevealed or k]) - {moment.page}
        after: dict[Lone, Fraction] = {}
        for state, weight in states.items():
            fault = moment.at == 0 or state[0] == moment.page
            cost += weight * fault
            following = _after_lone_fault(state, moment, rule, t, pool) if fault else [state]
            for missing, budget, y in following:
                on_request = rule is not None and rule.on_request
                key = (missing, budget, moment.unrevealed if on_request else y)
                after[key] = after.get(key, Fraction(0)) + weight / len(following)
        states, unrevealed = after, moment.unrevealed
    return cost


def _after_lone_fault(state: Lone, moment: Moment, rule: Rule | None, t: int, pool: frozenset[int]) -> list[Lone]:
    """The states after a fault, equally likely: which page of the pool is evicted."""
    _, budget, y = state
    victims: Iterable[int] = pool
    if rule is not None:
        predicted, budget = _by_prediction(budget, y, moment, rule)
        y = moment.unrevealed
        if predicted:
            victims = [next(page for page in rule.furthest[t] if page in pool)]
    return [(page, budget, y) for page in victims]


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
