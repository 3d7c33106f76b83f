"""Plans see what they say, at less cost than the obvious alternatives, and within the budget."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fits
from fits.calibration.bank import truth


def test_a_plan_has_the_power_it_states_when_the_decision_is_simulated_on_it():
    p = fits.plan(c=0.38, sd=0.28)
    rates = fits.calibrate(p, (truth("0.38 ln k"), truth("3-3/sqrt k")), n=2000)
    assert rates[0]["falsified"] > 0.92
    assert rates[1]["falsified"] < 0.005


def test_a_smaller_slope_needs_more():
    costs = [fits.plan(c=c, sd=1.0).cost for c in (1.0, 0.5, 0.2)]
    assert costs == sorted(costs)
    assert costs[2] > 4 * costs[0]


@given(st.floats(0.2, 2.0), st.floats(0.05, 2.0), st.sampled_from([0, 1, 2]), st.sampled_from(["1", "k", "k.ln"]))
@settings(max_examples=12, deadline=None)
def test_a_plan_for_a_slope_sees_it_and_adds_up(c, sd, tier, cost):
    p = fits.plan(c=c, sd=sd, tier=tier, cost=cost, k_limit=4096)
    price = {"1": np.ones_like(p.k), "k": p.k, "k.ln": p.k * np.log(p.k)}[cost]
    assert p.mde <= c * (1 + 1e-9)
    assert p.power >= 0.949
    assert p.cost == pytest.approx(float(p.reps @ price))
    assert p.se == pytest.approx(sd / np.sqrt(p.reps))
    assert p.reps.min() >= 10
    assert min(total for _, total in p.options) == p.cost


@given(st.floats(1e4, 1e7))
@settings(max_examples=12, deadline=None)
def test_a_budget_is_kept_and_more_of_it_sees_no_less(budget):
    small, large = (fits.plan(sd=1.0, budget=b, k_limit=4096) for b in (budget, 3 * budget))
    assert small.cost <= budget
    assert large.mde <= small.mde


def test_a_slope_beyond_the_budget_gets_the_budgets_best_and_its_power():
    p = fits.plan(c=0.1, sd=1.0, budget=1e5)
    assert p.cost <= 1e5
    assert p.mde > 0.1
    assert p.power < 0.9


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"c": None}, "c or budget must be given"),
        ({"c": 0}, "c=0 must be positive"),
        ({"sd": -1}, "sd=-1 must be positive"),
        ({"step": 0.001}, "step=0.001 must be at least"),
        ({"tier": 5}, "tier=5 must be 0, 1 or 2"),
        ({"k_min": 2}, "k_min=2 must be at least 3"),
        ({"k_limit": 16}, "must leave at least 7 points"),
        ({"cost": "0-k"}, "cost='0-k' must be positive"),
        ({"c": None, "budget": 5}, "budget=5 must pay 10 replicates at 7 points"),
    ],
)
def test_bad_plans_are_refused_with_the_reason(change, message):
    with pytest.raises(ValueError, match=message):
        fits.plan(**{"c": 0.38, "sd": 0.3, **change})
