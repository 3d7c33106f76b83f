"""Exact expected costs of paging policies: the reference simulator run over all orders, all coin flips.

>>> expected_cost("marker", [3, 1, 2], 2, cache=[1, 2])
Fraction(5, 2)
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Unpack

from sweeps.simulators.paging.reference import Layers, Real, Rule, run


def _over_priorities(
    policy: str, requests: Sequence[int], predictions: Sequence[Real] | None, cache: Sequence[int], rule: Rule
) -> Fraction:
    k, layers = len(cache), Layers(cache)
    used = list(range(k)) + [k + t for t, page in enumerate(requests) if layers.request(page)]
    total = count = 0
    for order in permutations(range(len(used))):
        draws = [0] * (k + len(requests))
        for place, priority in zip(used, order, strict=True):
            draws[place] = priority
        out = run(policy, requests, k=k, cache=cache, predictions=predictions, draws=draws, **rule)
        total, count = total + sum(out.faults), count + 1
    return Fraction(total, count)


def _over_branches(policy: str, requests: Sequence[int], cache: Sequence[int]) -> Fraction:
    path: list[tuple[int, int]] = []  # (choice, number of choices) at each fault of this branch
    depth, total = 0, Fraction(0)

    def pick(_t: int, size: int) -> int:
        nonlocal depth
        if depth == len(path):
            path.append((0, size))
        depth += 1
        return path[depth - 1][0]

    while True:
        depth = 0
        out = run(policy, requests, k=len(cache), cache=cache, draws=pick)
        total += Fraction(sum(out.faults), math.prod(size for _, size in path))
        while path and path[-1][0] == path[-1][1] - 1:
            path.pop()
        if not path:
            return total
        path[-1] = (path[-1][0] + 1, path[-1][1])


def expected_cost(
    policy: str,
    requests: Sequence[int],
    k: int,
    *,
    cache: Sequence[int],
    predictions: Sequence[Real] | None = None,
    **rule: Unpack[Rule],
) -> Fraction:
    """The exact mean of the faults over all priority orders (OnlineMin, RPB-OM) or victims (random, Marker).

    Takes (k + number of L_0 requests)! runs, or one run a branch: for short sequences. Errors as for `run`.
    Policies without coin flips: their cost.

    >>> expected_cost("random", [3, 1], 2, cache=[1, 2])
    Fraction(3, 2)
    """
    run(policy, [], k=k, cache=cache, draws=[0] * k, **rule)  # for its errors
    if policy in ("onlinemin", "rpb-om"):
        return _over_priorities(policy, requests, predictions, cache, rule)
    return _over_branches(policy, requests, cache)


def lazy_phase(order: Sequence[int], k: int) -> tuple[list[int], list[int]]:
    """One phase of the lazy adversary from the cache 0..k-1: requests (k), reversed predictions (2 k).

    `order`: the k - 1 start pages that are requested after the new page k, in order; the other one never is.

    >>> lazy_phase([2, 0], 3)
    ([3, 2, 0], [1, 0, 2, 0, 0, 0])
    """
    predictions = [0] * (2 * k)
    for place, page in enumerate(order):
        predictions[page] = len(order) - place
    return [k, *order], predictions


def lazy_phase_costs(
    k: int, priorities: Sequence[int], *, policy: str = "rpb-om", **rule: Unpack[Rule]
) -> Iterator[int]:
    """The faults of one lazy phase for each of the k! request orders; `priorities` (k + 1) of pages 0..k."""
    cache, draws = range(k), [*priorities, *[0] * (k - 1)]
    for order in permutations(range(k), k - 1):
        requests, predictions = lazy_phase(order, k)
        out = run(policy, requests, k=k, cache=cache, predictions=predictions, draws=draws, **rule)
        yield sum(out.faults)


def lazy_phase_expectation(
    k: int, *, priorities: Iterable[Sequence[int]] | None = None, policy: str = "rpb-om", **rule: Unpack[Rule]
) -> Fraction:
    """The exact mean cost of a lazy phase (OPT pays one) over all request orders and the `priorities` orders.

    None: the one order 0, 1, ..., k. The mean over the request orders is the same for each priority order.

    >>> lazy_phase_expectation(3) - Fraction(11, 6)
    Fraction(2, 3)
    """
    chosen = [range(k + 1)] if priorities is None else priorities
    costs = [cost for order in chosen for cost in lazy_phase_costs(k, order, policy=policy, **rule)]
    return Fraction(sum(costs), len(costs))
