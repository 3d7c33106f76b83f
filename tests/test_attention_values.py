"""Known values of the attention dynamics: closed forms in one dimension, fixtures, ties, what floats get wrong."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sweeps
from sweeps.simulators.attention.scout import scout

LATE = 3240000000000000000021600000000000000000036


def simulate(tokens, **options):
    return sweeps.simulate("attention", tokens, **options)


@pytest.mark.parametrize(
    ("tokens", "b", "k1"),
    [
        ([4, -1], None, 225),
        ([3, -1], None, 576),
        ([3, -2], None, 401),
        ([5, -1], None, 144),
        ([320, -281], None, 3800),
        ([410, -371], None, 6417),
        (["4.1", "-3.71"], None, 6417),
        (["0.9", "-0.6"], None, 401),
        ([f"2.{'0' * 19}1", -1], None, LATE),
        ([f"1.{'9' * 20}", -1], None, 145),
        ([(-6, -5), (-3, 5), (1, 0)], None, 22),
        ([(-4, 0), (-1, 0), (1, 0)], None, 225),
        ([(-3, -3), (0, -1), (0, 1)], [(1, 0), (0, 3)], 225),
        ([(-3, -3), (-1, 1), (0, -1), (3, 0)], None, 224),
        ([(-9, 0), (0, -1), (9, 5)], None, 224),
        ([(-3, -1), (-2, -3), (0, 5), (6, 0)], [(1, 0), (0, 2)], 3801),
        ([(-4, 1), (6, -2), (1, -4), (0, 8), (-3, 1)], None, 1663),
    ],
)
def test_the_first_violation_is_the_known_one(tokens, b, k1):
    answer = simulate(tokens, b=b)
    assert answer.first_violation == k1
    assert answer.to_dict()["first_violation"] == {"k": str(k1), "t": str(k1 - 1)}
    assert answer.eventual == "violated"
    assert answer.from_k >= k1
    assert answer.complete
    assert answer.finding["verdict"] == "falsified"


def test_the_labels_of_the_public_reports_are_224_and_6416_and_3800():
    assert simulate([4, -1]).to_dict()["first_violation"]["t"] == "224"
    assert simulate([410, -371]).to_dict()["first_violation"]["t"] == "6416"
    four = [(-3, -1), (-2, -3), (0, 5), (6, 0)]
    assert "first fails at t = 3800 (state 3801)" in simulate(four, b=[(1, 0), (0, 2)]).finding["sentence"]
    assert "first fails at state k = 225 (t = 224)" in simulate([4, -1], index="state").finding["sentence"]


def test_a_perturbation_of_1e_20_moves_the_first_violation_by_40_digits_and_float64_does_not_see_it():
    assert simulate(["200000000000000000001e-20", -1]).first_violation == LATE
    assert scout([2 + 1e-20, -1.0]).first == 145
    fifth = ("-3.00000000000000000001", -3)
    plane = simulate([(2, 0), (-2, 3), (-3, -1), (3, 3), fifth])
    assert plane.first_violation == 11520000000000000000019200000000000000000016
    assert scout([(2, 0), (-2, 3), (-3, -1), (3, 3), (-3, -3)], horizon=20_000).first == 16200


def test_a_start_with_52_leader_changes_breaks_the_bound_at_state_128587863():
    answer = simulate([(-9, -74), (-67, 31), (73, -39), (42, 55)])
    assert (len(answer.events), answer.events[-1], answer.first_violation) == (52, 75, 128587863)


def test_a_start_with_late_leader_changes_has_them_at_20_and_110():
    answer = simulate([(50, 90), (-99, -12), (-36, 61), (-66, -86), (40, -72), (-1, -25)])
    assert answer.events == (*range(7), 20, 110)
    assert answer.first_violation == 3404574


@pytest.mark.parametrize(
    ("tokens", "tie", "k1", "eventual"),
    [
        ([2, -1], "low", 145, "violated"),
        ([2, -1], "avg", 576, "violated"),
        ([2, -1], "stay", None, "never"),
        ([3, 0, -1], "low", 576, "violated"),
        ([3, 0, -1], "stay", None, "never"),
        ([0, 3, -1], "low", None, "never"),
        ([1, -1], "low", None, "never"),
        ([0], "avg", None, "never"),
        ([1, 0, -1], "avg", None, "never"),
    ],
)
def test_the_tie_rule_decides_the_verdict_where_a_token_meets_the_origin(tokens, tie, k1, eventual):
    answer = simulate(tokens, tie=tie)
    assert (answer.first_violation, answer.eventual) == (k1, eventual)
    assert answer.finding["verdict"] == ("falsified" if k1 else "verified")


def test_a_tie_inside_a_segment_that_does_not_change_the_leader_is_no_event():
    """An exact tie at t = 4 with a token of higher index."""
    tokens = [(-6, -5), (-3, 3), (8, -5), (0, -4), (8, 5)]
    assert 4 not in simulate(tokens).events
    assert 4 in simulate(tokens, tie="avg").events


def test_the_hull_of_3_and_minus_1_loses_the_origin_at_2_and_all_tokens_violate_from_577():
    answer = simulate([3, -1])
    separation = answer.outcome.separation
    assert answer.lost_at == 2
    assert (separation.t, separation.separator, separation.from_k) == (2, (Fraction(3),), 577)


def test_a_kernel_of_b_that_the_hull_keeps_meeting_means_never():
    assert simulate([(1, 0), (-1, 0)], b=[(0, 0), (0, 1)]).eventual == "never"
    assert simulate([1, -2, 3], b=[[0]]).eventual == "never"


def test_the_horizon_only_decides_whether_the_violation_comes_by_then():
    before, at = simulate([4, -1], horizon=223), simulate([4, -1], horizon=224)
    assert (before.violated_by_horizon, at.violated_by_horizon) == (False, True)
    assert before.first_violation == at.first_violation == 225
    assert simulate([4, -1], horizon=224, index="state").violated_by_horizon is False
    assert simulate([4, -1], horizon="1e12").violated_by_horizon is True


def test_a_pair_that_leads_itself_for_ever_decides_by_its_mean():
    kept = simulate([(4, 2), (-4, 1), (-1, -4), (1, 3), (4, 0)])
    assert (kept.eventual, kept.outcome.rest.name, kept.complete) == ("never", "closed form", True)
    lost = simulate([(2, 2), (-3, -2), (-3, 3), (1, -4), (0, 1)])
    assert (lost.eventual, lost.first_violation, lost.from_k) == ("violated", 2080, 2081)
    assert kept.outcome.course.moves == lost.outcome.course.moves[:2] == ((1,), (0,))


def test_a_limit_away_from_the_origin_is_never_called_never(monkeypatch):
    """Without a separating state the eventual answer stays open, whatever is known of the limit."""
    from sweeps.simulators.attention import outcome

    monkeypatch.setattr(outcome, "_sharpest", lambda *_: None)
    assert simulate([4, -1]).eventual == "undecided"


def test_chattering_without_end_leaves_the_events_open_but_not_the_three_answers():
    tokens = [(-1, 8), (-6, -6), (-9, 0), (-5, -7), (9, 4), (-2, 2), (7, -7), (3, 3)]
    answer = simulate(tokens, b=[(5, -4), (-4, 4)])
    assert not answer.complete
    assert len(answer.events) > 1000
    assert (answer.first_violation, answer.eventual, answer.from_k) == (2901, "violated", 2901)


def test_chattering_is_followed_to_the_first_violation_in_rounded_integers(monkeypatch):
    from sweeps.simulators.attention import course

    monkeypatch.setattr(course, "MORE_PATIENCE", 300)
    tokens = [(-1, 8), (-6, -6), (-9, 0), (-5, -7), (9, 4), (-2, 2), (7, -7), (3, 3)]
    answer = simulate(tokens, b=[(5, -4), (-4, 4)])
    assert (answer.first_violation, answer.eventual) == (2901, "violated")
    assert len(answer.events) > 1800


def closed_form(a, b):
    """First violation of tokens a > b > 0 in the roles max = a, min = -b (None: never), ties excluded."""
    if a == b:
        return None
    if a < 2 * b:
        return floor(16 * ((a + b) / (a - b)) ** 2) + 1
    c = (a - 2 * b) / 3
    k = max(2, floor(36 * ((a + b) / (a - 2 * b)) ** 2) - 2)
    while k * (c + 2 * (a + b) / (k * (k + 1))) ** 2 <= 4 * (a + b) ** 2:
        k += 1
    return k


positive = st.fractions(Fraction(1, 10**6), 10**6, max_denominator=10**6)


@given(positive, positive, st.booleans())
@settings(max_examples=500)
@example(Fraction(4), Fraction(1), False)
@example(Fraction(1), Fraction(1), True)
def test_two_tokens_on_a_line_follow_the_closed_form(p, q, reflected):
    a, b = max(p, q), min(p, q)
    if a == 2 * b:
        return
    answer = simulate([-a, b] if reflected else [a, -b])
    assert answer.first_violation == closed_form(a, b)
    assert answer.eventual == ("never" if a == b else "violated")
    assert answer.complete
