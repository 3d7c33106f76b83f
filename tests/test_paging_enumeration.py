"""The lazy adversary: the reference simulator over all orders against the exact recursion."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from exact import additive_term, harmonic, phase_variance
from sweeps.simulators.paging.enumeration import (
    expected_cost,
    lazy_phase,
    lazy_phase_costs,
    lazy_phase_expectation,
)
from sweeps.simulators.paging.reference import run

RULES = [(tau, budget) for tau in (0, 1) for budget in ("on-fault", "on-request")]
every_rule = pytest.mark.parametrize(("tau", "budget"), RULES)


@every_rule
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_all_priority_and_request_orders_together_cost_what_the_recursion_says(k, tau, budget):
    mean = lazy_phase_expectation(k, priorities=permutations(range(k + 1)), tau=tau, budget=budget)
    assert mean - harmonic(k) == additive_term(k, tau=tau, budget=budget)


def check_all_request_orders(k, tau, budget):
    costs = list(lazy_phase_costs(k, range(k + 1), tau=tau, budget=budget))
    mean = Fraction(sum(costs), len(costs))
    assert mean - harmonic(k) == additive_term(k, tau=tau, budget=budget)
    variance = Fraction(sum(cost * cost for cost in costs), len(costs)) - mean**2
    assert phase_variance(k, tau=tau, budget=budget)[k] == pytest.approx(float(variance), abs=1e-12)


@every_rule
def test_all_request_orders_of_six_pages_cost_what_the_recursion_says(tau, budget):
    check_all_request_orders(6, tau, budget)


@pytest.mark.slow
@every_rule
def test_all_request_orders_of_nine_pages_cost_what_the_recursion_says(tau, budget):
    check_all_request_orders(9, tau, budget)


@pytest.mark.parametrize("policy", ["rpb-om", "onlinemin"])
def test_the_costs_are_distributed_alike_for_every_priority_order(
    policy,
):  # so phases are independent and alike
    counts = [Counter(lazy_phase_costs(4, order, policy=policy)) for order in permutations(range(5))]
    assert all(count == counts[0] for count in counts)
    assert len(counts[0]) > 2


def test_onlinemins_costs_in_a_lazy_phase_are_counted_by_stirling_numbers_of_the_first_kind():
    assert Counter(lazy_phase_costs(5, range(6), policy="onlinemin")) == {1: 24, 2: 50, 3: 35, 4: 10, 5: 1}


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_marker_pays_the_harmonic_number_in_a_lazy_phase(k):
    orders = list(permutations(range(k), k - 1))
    costs = [expected_cost("marker", lazy_phase(order, k)[0], k, cache=range(k)) for order in orders]
    assert sum(costs) / len(costs) == harmonic(k)


@every_rule
def test_a_lazy_phase_ends_with_everything_revealed_and_cached(tau, budget):
    for order in permutations(range(5), 4):
        requests, predictions = lazy_phase(order, 5)
        ends = []
        run(
            "rpb-om",
            requests,
            k=5,
            cache=range(5),
            predictions=predictions,
            draws=range(10),
            tau=tau,
            budget=budget,
            observe=lambda _t, _page, cache, layers, ends=ends: ends.append((cache, list(layers.sets))),
        )
        assert ends[-1] == (set(requests), [{page} for page in requests])


@pytest.mark.parametrize("tau", [0, 1])
def test_budget_on_fault_is_first_earned_at_six_plus_tau_pages_where_it_cannot_cost_anything(tau):
    def most_earned(
        k,
    ):  # at U = 0, where no request of the phase is left to fault: 2 <= (Y + 2)/e needs Y = 4
        phases = (lazy_phase(order, k) for order in permutations(range(k), k - 1))
        draws = [*range(k + 1), *[0] * (k - 1)]
        outs = [run("rpb-om", r, k=k, cache=range(k), predictions=p, draws=draws, tau=tau) for r, p in phases]
        return max(out.earned for out in outs)

    assert most_earned(5 + tau) == 0
    assert most_earned(6 + tau) == 1


def test_budget_earned_with_one_page_unrevealed_makes_the_next_request_fault_too():
    requests, predictions = lazy_phase([8, 4, 7, 2, 3, 5, 0, 6], 9)  # Y = 7; the fault on page 0 leaves U = 1
    options = {"k": 9, "cache": range(9), "predictions": predictions, "draws": range(18)}
    on_fault = run("rpb-om", requests, **options)
    assert (on_fault.earned, on_fault.spent, sum(on_fault.faults)) == (1, 1, 4)
    on_request = run("rpb-om", requests, **options, budget="on-request")
    assert (on_request.earned, on_request.spent, sum(on_request.faults)) == (0, 0, 3)
