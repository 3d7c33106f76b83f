"""Exact expectations where OPT pays once a phase: any k, against the orders of priorities and against the checker."""

from fractions import Fraction
from itertools import combinations, permutations

import pytest
from certificate_truth import belady
from hypothesis import given, settings
from hypothesis import strategies as st

import exact
from exact import additive_term, certificates, harmonic, verify
from sweeps.hunting import expected
from sweeps.simulators.paging import enumeration

BUDGETS = st.sampled_from(["on-fault", "on-request"])


@st.composite
def whole_phases(draw):
    """k, requests in one to three phases, each all unrevealed pages but one, revealed ones between; predictions."""
    k, requests = draw(st.integers(1, 3)), []
    support, page = list(range(k)), k
    for _ in range(draw(st.integers(1, 3))):
        requests.append(page)
        unrevealed = draw(st.permutations(support))
        for one in unrevealed[1:]:
            requests += [one, *draw(st.lists(st.sampled_from([page, one]), max_size=1))]
        support, page = [page, *unrevealed[1:]], draw(st.sampled_from([unrevealed[0], page + 1]))
    times = st.lists(st.integers(0, 4), min_size=k + len(requests), max_size=k + len(requests))
    return k, requests, draw(times)


def certificate(k, requests, cost, c, **rule):
    schedule, policy = belady(requests, range(k)), "rpb-om" if rule else "onlinemin"
    return certificates.exceeds(
        requests, cache=range(k), policy=policy, c=c, cost=cost, offline=schedule, rule=rule or None
    )


@settings(max_examples=80)
@given(phases=whole_phases(), tau=st.integers(0, 1), budget=BUDGETS)
def test_whole_phases_cost_what_all_orders_of_priorities_say(phases, tau, budget):
    k, requests, predictions = phases
    rule = {"tau": tau, "budget": budget, "predictions": predictions}
    slow = enumeration.expected_cost("rpb-om", requests, k, cache=range(k), **rule)
    assert expected.expected_cost(k, requests, expected.rule_of(k, requests, predictions, tau, budget)) == slow
    assert exact.check(certificate(k, requests, slow, 0, **rule)).startswith(f"rpb-om costs {slow} > 0")
    slow = enumeration.expected_cost("onlinemin", requests, k, cache=range(k))
    assert expected.expected_cost(k, requests) == slow
    assert exact.check(certificate(k, requests, slow, 0)).startswith(f"onlinemin costs {slow} > 0")


def lazy(k, tau, budget):
    requests, predictions = enumeration.lazy_phase(range(k - 1), k)
    return requests, {"tau": tau, "budget": budget, "predictions": predictions}


@pytest.mark.parametrize("k", [2, 8, 9, 10, 33, 64])
@pytest.mark.parametrize(("tau", "budget"), [(0, "on-fault"), (2, "on-fault"), (0, "on-request")])
def test_lazy_phase_costs_what_the_recursion_says_and_the_checker_agrees(k, tau, budget):
    requests, rule = lazy(k, tau, budget)
    cost = harmonic(k) + additive_term(k, tau=tau, budget=budget)
    assert expected.expected_cost(k, requests, expected.rule_of(k, requests, rule["predictions"], tau, budget)) == cost
    assert exact.check(certificate(k, requests, cost, harmonic(k), **rule))
    with pytest.raises(verify.Rejected, match="the inequality is false"):
        exact.check(certificate(k, requests, cost, cost, **rule))
    with pytest.raises(verify.Rejected, match="is false: it is"):
        exact.check(certificate(k, requests, cost + Fraction(1, 10**9), harmonic(k), **rule))


def test_checker_refuses_requests_to_l0_that_share_a_phase_beyond_seven_pages():
    with pytest.raises(
        verify.Rejected, match="at most 7 pages for onlinemin when requests to L_0 share a phase; got 8"
    ):
        exact.check(certificate(8, [8, 9], 2, 0))


def one_phase(k, predicted, tau=0, budget="on-fault"):
    """Cost of the phase k, 0, 1, ..., k - 2 from the cache 0..k-1, with ``predicted[p]`` of the start pages."""
    requests = [k, *range(k - 1)]
    return expected.expected_cost(k, requests, expected.rule_of(k, requests, [*predicted, *[0] * k], tau, budget))


def by_maxima(k, maxima):
    """Predictions in which ``maxima`` and the last page are each predicted further than every page requested later."""
    return [k - page if page in maxima or page == k - 1 else 0 for page in range(k)]


def subsets(n):
    return (chosen for size in range(n + 1) for chosen in combinations(range(n), size))


def test_only_which_predictions_exceed_all_later_ones_matters():
    """An eviction by prediction takes the furthest of the pages still to come, whatever the order among the others."""
    for order in permutations(range(5)):
        maxima = [page for page in range(5) if order[page] == max(order[page:])]
        assert one_phase(5, order, tau=1) == one_phase(5, by_maxima(5, maxima), tau=1)


@pytest.mark.parametrize("k", [3, 4, 5, 9, 10])
@pytest.mark.parametrize("tau", [0, 1])
def test_no_adversary_that_opt_pays_once_a_phase_is_worse_than_the_lazy_one(k, tau):
    """All of them: priorities are exchangeable, so the order of requests is free, and 2^(k-1) predictions are left."""
    worst = max(one_phase(k, by_maxima(k, maxima), tau=tau) for maxima in subsets(k - 1))
    assert worst == harmonic(k) + additive_term(k, tau=tau)
