"""The games behind the paging cases: against the slow reference and against brute force over all sequences."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import chen2026_released_code as released_code
from cases.certificates import belady, cost_exceeds
from cases.games import GAMES, expected_cost, first_layers, next_layers
from cases.worst import graph, nearest, opt_cost, worst
from exact import additive_term, harmonic
from sweeps.simulators.paging import enumeration
from sweeps.simulators.paging.reference import run

small = st.tuples(st.integers(2, 3), st.lists(st.integers(0, 4), min_size=1, max_size=5))


@pytest.mark.parametrize("policy", GAMES)
@settings(max_examples=60)
@given(instance=small)
def test_a_games_expected_cost_is_the_references_mean_over_all_coin_flips(policy, instance):
    k, requests = instance
    if policy == "onlinemin" and k + opt_cost(requests, k) > 6:
        requests = requests[:3]  # (k + L_0 requests)! runs
    slow = enumeration.expected_cost(policy, requests, k, cache=range(k))
    assert expected_cost(policy, requests, k) == slow


@given(st.integers(1, 4), st.lists(st.integers(0, 5), max_size=12))
def test_opt_cost_is_beladys_and_so_is_the_certificates_schedule(k, requests):
    by_layers = opt_cost(requests, k)
    assert by_layers == sum(run("opt", requests, k=k, cache=range(k)).faults)
    assert by_layers == sum(entry != "-" for entry in belady(requests, k))


@pytest.mark.parametrize("policy", GAMES)
@pytest.mark.parametrize("c", [Fraction(1), Fraction(7, 5), Fraction(5, 2)])
def test_the_largest_excess_is_that_of_brute_force(policy, c):
    k, pages = 2, 4
    found = worst(graph(policy, k, pages), c, length=5)
    excesses = {
        n: max(expected_cost(policy, r, k) - c * opt_cost(r, k) for r in product(range(pages), repeat=n))
        for n in range(1, 6)
    }
    positive = [n for n, excess in excesses.items() if excess > 0]
    assert found.excess == (excesses[positive[0]] if positive else 0)
    assert len(found.requests) == (positive[0] if positive else 0)


@pytest.mark.parametrize("policy", GAMES)
def test_the_nearest_miss_is_the_largest_ratio_of_brute_force(policy):
    ratio, requests = nearest(graph(policy, 2, 4), policy, length=5)
    sequences = (r for n in range(1, 6) for r in product(range(4), repeat=n) if opt_cost(r, 2))
    assert ratio == max(expected_cost(policy, r, 2) / opt_cost(r, 2) for r in sequences)
    assert ratio == expected_cost(policy, requests, 2) / opt_cost(requests, 2)


def test_a_bound_that_settles_says_so_and_one_cut_off_does_not():
    within = graph("lru", 2, 4)
    assert worst(within, Fraction(2)).length is None
    assert worst(within, Fraction(2), length=1).length == 1


def test_marker_started_unmarked_breaks_its_bound_as_the_spec_says():
    phase = (frozenset(), frozenset(range(2)), 0)
    layers, total = first_layers(2), Fraction(0)
    for page in (2, 1, 2):  # after a hit on page 0, which marks it
        marked = phase if phase[0] else (frozenset([0]), frozenset([1]), 0)
        phase, cost = GAMES["marker"].step(marked, layers, page)
        layers, total = next_layers(layers, page)[0], total + cost
    assert total > (2 * harmonic(2) - 1) * 1
    assert total == Fraction(5, 2)


def test_markers_worst_ratio_comes_close_to_twice_the_harmonic_number_less_one():
    ratio, _ = nearest(graph("marker", 2, 4), "marker", length=16)
    assert ratio == Fraction(31, 16)


def test_a_certificate_carries_what_the_checker_recomputes():
    certificate = cost_exceeds("onlinemin", (2, 0), 2, Fraction(7, 5))
    assert certificate["cost"] == "3/2"
    assert (certificate["offline"], certificate["offline_cost"]) == (["1", "-"], "1")
    assert certificate["policy"] == {"name": "onlinemin"}


def test_budget_is_first_earned_at_six_pages_and_first_costs_at_nine():
    finding = released_code.judge("on-fault", quick=True)
    assert finding.details["first_k"] == 6
    assert additive_term(8) == additive_term(8, budget="on-request")
    assert additive_term(9) - additive_term(9, budget="on-request") == Fraction(9, 144)
    assert (finding.details["costly"]["earned"], finding.details["costly"]["faults"]) == (1, 4)


def test_the_proofs_steps_fail_where_they_should():
    assert released_code.proof_steps(3, 100)["holds"]
    falls = [fall for k in (2, 3) for fall in released_code._falls(k)]
    assert max(falls) == 1
    assert min(falls) == 0
