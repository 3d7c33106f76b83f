"""Paging claims as targets: requests (and predictions) on which a policy costs more in expectation than c(k) OPT.

A sequence from the start cache loses nothing by being closed: requests to unrevealed pages until none is left raise
no OPT, and then cache and layers are those of a start, with priorities still independent of what was requested. So
the largest cost / OPT over finite sequences is also the adversary's long-run ratio.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any

import numpy as np

import exact
from exact import certificates, harmonic
from sweeps.hunting import expected, kernels
from sweeps.hunting.model import Certificate, Target, Undecided
from sweeps.strategies.instances import Paging

SAMPLES = 400
SAMPLE_SEED = 20_26  # one set of priorities for all instances: common random numbers
REQUESTS = {1: 12, 2: 12, 3: 14, 4: 14}  # most requests of an instance by k
NEW_PAGES = 3
WARM = Paging(2, (2, 0, 1), (0, 1, 2, 3, 3))
SAMPLED_WORK = 40
SLACK = 0.1  # the sampled ratio of a violation may be so much too low

Bound = Callable[[int], Fraction]
Rule = tuple[int, str]  # tau, budget


def onlinemin(*, k: int | None = None, bound: Bound = harmonic) -> Target:
    """OnlineMin <= H_k OPT, by exact expectation; k given, or 2..4."""
    said = "OnlineMin costs at most H_k OPT in expectation on every request sequence"
    return _target("onlinemin2015_optimal", said, "onlinemin", k, bound, None)


def marker(*, k: int | None = None, bound: Bound = lambda k: 2 * harmonic(k) - 1) -> Target:
    """Marker <= (2 H_k - 1) OPT, by exact expectation; k given, or 2..4."""
    said = "Marker costs at most (2 H_k - 1) OPT in expectation on every request sequence"
    return _target("achlioptas2000_marker", said, "marker", k, bound, None)


def rpb_om(*, k: int = 4, tau: int = 0, budget: str = "on-fault", beyond: Fraction = Fraction(0)) -> Target:
    """No adversary makes RPB-OM cost more than the lazy one, (H_k + a(k)) OPT; ``beyond`` is added to that factor."""
    said = f"no adversary is worse for RPB-OM (tau {tau}, budget {budget}) than the lazy one: cost <= (H_k + a(k)) OPT"

    def bound(k: int) -> Fraction:
        return harmonic(k) + exact.additive_term(k, tau=tau, budget=budget) + beyond

    return _target("chen2026_rpb_om", said, "rpb-om", k, bound, (tau, budget))


def _target(name: str, statement: str, policy: str, k: int | None, bound: Bound, rule: Rule | None) -> Target:
    def size(one: Paging) -> tuple[Any, ...]:
        return one.k, len(one.requests), len(set(one.requests)), sum(one.requests), sum(one.predictions)

    return Target(
        name=name,
        statement=statement,
        instances=lambda: _instances(k),
        gap=lambda one: gap(policy, one, bound, rule),
        fast_gap=None if policy == "marker" else lambda one: fast_gap(one, bound, rule),
        move=move,
        certify=lambda one, _gap: certify(policy, one, bound, rule),
        smaller=lambda one: smaller(one, k is None),
        size=size,
        describe=lambda one, certificate: describe(policy, one, certificate),
        example=lambda one: f"@example(k={one.k}, requests={one.requests}, predictions={one.predictions})",
        test=source_of_test,
        pack=lambda one: {name: list(v) if isinstance(v, tuple) else v for name, v in vars(one).items()},
        scale=lambda one: len(one.requests),
        scale_name="requests",
        work=lambda one: work(policy, one, bound, rule),
        warm=lambda: warm(policy, rule),
    )


def _instances(k: int | None) -> Any:
    from sweeps.strategies import paging_instances

    return paging_instances(k=k, min_k=2, max_requests=most_requests(k or 4), new_pages=NEW_PAGES)


def most_requests(k: int) -> int:
    """The longest sequence tried: three phases, or what keeps exact expectations short."""
    return REQUESTS.get(k, 3 * k)


@lru_cache(maxsize=4096)
def cost(policy: str, one: Paging, rule: Rule | None) -> Fraction:
    """The exact expected cost."""
    if policy == "marker":
        return expected.marker_cost(one.k, one.requests)
    if rule is None:
        return expected.expected_cost(one.k, one.requests)
    return expected.expected_cost(one.k, one.requests, expected.rule_of(one.k, one.requests, one.predictions, *rule))


def gap(policy: str, one: Paging, bound: Bound, rule: Rule | None) -> Fraction:
    """cost / OPT - c(k), exactly; -c(k) where OPT pays nothing (the start cache holds all), or it can't be computed."""
    opt = expected.opt_cost(one.k, one.requests)
    try:
        return (cost(policy, one, rule) / opt if opt else 0) - bound(one.k)
    except expected.TooMany:
        return -bound(one.k)


def fast_gap(one: Paging, bound: Bound, rule: Rule | None) -> float:
    """The scout: the mean over fixed priorities; near the bound the exact gap, Undecided where that is out of reach."""
    found, opt = sampled(one, rule)
    guess = (found / opt if opt else 0.0) - float(bound(one.k))
    if guess < -SLACK:
        return guess
    exactly = gap("onlinemin" if rule is None else "rpb-om", one, bound, rule)
    if exactly == -bound(one.k):
        raise Undecided(min(guess, -SLACK))
    return float(exactly)


def work(policy: str, one: Paging, bound: Bound, rule: Rule | None) -> int:
    """What the scout costs: samples, and near the bound the states of an exact expectation, five to a unit."""
    found, opt = (0.0, 0) if policy == "marker" else sampled(one, rule)
    walk = expected.moments(one.k, one.requests) if opt and found / opt - float(bound(one.k)) >= -SLACK else []
    if expected.is_lone(walk) or factorial(one.k) > expected.STATES:
        return SAMPLED_WORK
    return SAMPLED_WORK + factorial(one.k) * len(one.requests) // 5


def warm(policy: str, rule: Rule | None) -> None:
    """Call the kernels once."""
    if policy != "marker":
        sampled(WARM, rule)


@lru_cache(maxsize=4096)
def sampled(one: Paging, rule: Rule | None, samples: int = SAMPLES) -> tuple[float, int]:
    """Mean cost over ``samples`` rows of priorities, the same for every instance, and OPT's cost."""
    n, pages = len(one.requests), max(one.k, *one.requests) + 1
    requests = np.array(one.requests, dtype=np.int64)
    walk = (np.zeros((n, pages), np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64))
    kernels.walk_layers(one.k, requests, *walk)
    tau, budget = rule or (0, "on-fault")
    setting = (one.k, int(rule is not None), tau, int(budget == "on-request"))
    arrival = np.array(one.predictions, dtype=np.float64)
    most = np.array([expected.most_that_earns(y) for y in range(one.k + 1)])
    priorities = _priorities(samples, one.k + n)
    return float(kernels.sampled_cost(walk, requests, arrival, priorities, setting, most)), int((walk[1] == 0).sum())


@lru_cache(maxsize=64)
def _priorities(samples: int, length: int) -> Any:
    return np.random.default_rng(SAMPLE_SEED).random((samples, length))


def move(one: Paging, rng: Any) -> Paging | None:
    """A request changed, moved, dropped or added, or a prediction changed."""
    requests, predictions, k = list(one.requests), list(one.predictions), one.k
    kind, t = rng.integers(6), int(rng.integers(len(requests)))
    page, when = int(rng.integers(k + NEW_PAGES)), int(rng.integers(10))
    if kind == 0:
        requests[t] = page
    elif kind == 1 and len(requests) < most_requests(k):
        requests.insert(t + 1, page)
        predictions.insert(k + t + 1, when)
    elif kind == 2 and len(requests) > 1:
        del requests[t], predictions[k + t]
    elif kind == 3:
        other = int(rng.integers(len(requests)))
        requests[t], requests[other] = requests[other], requests[t]
    else:
        predictions[int(rng.integers(len(predictions)))] = when
    return Paging(k, tuple(requests), tuple(predictions))


def smaller(one: Paging, any_k: bool) -> Iterator[Paging]:
    """Smaller k, requests dropped from the end or one by one, smaller pages, predictions nearer to 0."""
    n, k = len(one.requests), one.k
    if any_k and k > 1:
        yield Paging(k - 1, one.requests, one.predictions[1:])
    for left in range(1, n):
        yield replace(one, requests=one.requests[:left], predictions=one.predictions[: k + left])
    for t in range(n):
        requests, predictions = list(one.requests), list(one.predictions)
        del requests[t], predictions[k + t]
        if requests:
            yield Paging(k, tuple(requests), tuple(predictions))
    for t in range(n):
        for page in range(one.requests[t]):
            yield replace(one, requests=(*one.requests[:t], page, *one.requests[t + 1 :]))
    for i, time in enumerate(one.predictions):
        for less in dict.fromkeys((0, time // 2, time - 1)):
            if 0 <= less < time:
                yield replace(one, predictions=(*one.predictions[:i], less, *one.predictions[i + 1 :]))


def certify(policy: str, one: Paging, bound: Bound, rule: Rule | None) -> Certificate | None:
    """The certificate that the cost exceeds c(k) OPT, if the independent checker accepts it."""
    learning = rule and {"tau": rule[0], "budget": rule[1], "predictions": one.predictions}
    made = certificates.exceeds(
        one.requests,
        cache=range(one.k),
        policy=policy,
        c=bound(one.k),
        cost=cost(policy, one, rule),
        offline=belady(one.requests, one.k),
        rule=learning,
    )
    try:
        exact.check(made)
    except exact.verify.Rejected:
        return None
    return made


def belady(requests: tuple[int, ...], k: int) -> list[int | None]:
    """The page that a furthest-in-future cache evicts at each request, None at a hit."""
    cached, schedule = set(range(k)), list[int | None]()
    for t, page in enumerate(requests):
        after = requests[t + 1 :]
        fault = page not in cached
        victim = max(cached, key=lambda p: after.index(p) if p in after else len(after)) if fault else None
        if victim is not None:
            cached ^= {victim, page}
        schedule.append(victim)
    return schedule


def describe(policy: str, one: Paging, certificate: Certificate | None) -> str:
    """One line: k, requests, predictions, and cost and bound where known."""
    shown = f"k = {one.k}, requests {' '.join(map(str, one.requests))} from the cache 0..{one.k - 1}"
    if policy == "rpb-om":
        shown += f", predictions {' '.join(map(str, one.predictions))}"
    if certificate is None:
        return shown
    return f"{shown}: cost {certificate['cost']} > {certificate['c']} * {certificate['offline_cost']}"


def source_of_test(one: Paging, certificate: Certificate) -> str:
    """A test that the instance fails: it recomputes the cost by the slow reference's definition in the checker."""
    return (
        f'"""{certificate["statement"]}: violated."""\n\nimport pytest\n\nfrom exact import check, verify\n\n'
        f"CERTIFICATE = {certificate!r}\n\n\n"
        f"def test_cost_stays_within_the_bound():\n    # k = {one.k}, requests {one.requests}\n"
        "    with pytest.raises(verify.Rejected):\n        check(CERTIFICATE)\n"
    )
