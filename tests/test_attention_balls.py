"""Ball arithmetic against exact arithmetic, and the searches both rest on."""

from fractions import Fraction

import pytest
from attention_starts import starts
from flint import arb, ctx, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from exact import Undecided
from sweeps.simulators.attention import balls, rational, rounded
from sweeps.simulators.attention import state as states
from sweeps.simulators.attention.clock import Clock
from sweeps.simulators.attention.course import Walk
from sweeps.simulators.attention.problem import read_problem
from sweeps.simulators.attention.roots import first_negative
from sweeps.simulators.attention.spectrum import Bound, bound
from sweeps.simulators.attention.survey import start as random_start


@given(starts(ties=("low", "stay")), st.integers(3, 12))
@settings(max_examples=80)
def test_balls_and_polynomials_find_the_same_event_and_the_same_violation(start, t):
    tokens, b, tie = start
    problem = read_problem(tokens, b=b, tie=tie)
    form, state = states.form_of(problem), states.start(problem)
    while state.t < t:
        state = states.step(state, states.averaging(state, states.targets(states.products(state, form), tie)))
    moves = states.targets(states.products(state, form), tie)
    piece = rational.segment(state, states.averaging(state, moves))
    if piece is None:
        return
    search, walk = balls.Search(balls.chain(state, moves), form), Walk(state, moves)

    def departs(at):
        return states.targets(states.products(walk.at(at), form), tie) != moves

    def breaks(at):
        gram = states.products(walk.at(at), form)
        top = max(gram[c, c] for c in range(gram.nrows()))
        return top * at > limit * (form.scale * walk.at(at).scale ** 2)

    table = rational.gram(piece, form)
    event = rational.next_event(piece, table, moves, tie)
    if event is None or event < 10_000:
        assert search.next_event(moves, lambda i, j, led: rational.wins_ties(i, j, led, tie), departs) == event
    limit = bound(problem).low
    if bound(problem).exact and limit.denominator == 1:
        limit = limit.numerator
        first = rational.first_violation(piece, table, form, bound(problem).low)
        until = 5000 if first is None else min(first + 5, 5000)
        expected = first if first is not None and first <= until else None
        assert search.first_violation(bound(problem), breaks, until) == expected


def test_deep_tails_change_leaders_and_break_the_bound_when_stepping_says_so():
    """Tails of depth 2 and more, where no polynomial applies; they are transient, so from a state in between."""
    found = broken = 0
    for number in range(60):
        problem = read_problem(random_start(10, 3, 0, number))
        form, state = states.form_of(problem), states.start(problem)
        for _ in range(12):
            moves = states.targets(states.products(state, form), "low")
            p = states.averaging(state, moves)
            if state.t >= 3 and rational.segment(state, p) is None:
                found += 1
                broken += assert_as_stepped(problem, balls.Search(balls.chain(state, moves), form), moves)
            state = states.step(state, p)
    assert found >= 10
    assert broken >= 2


def assert_as_stepped(problem, search, moves):
    form, limit = states.form_of(problem), bound(problem).low / 400  # a bound that is broken early
    walk = Walk(search.piece.start, moves)
    event = first = None
    t = search.piece.start.t
    while event is None:
        t += 1
        gram = states.products(walk.at(t), form)
        top = max(gram[c, c] for c in range(gram.nrows()))
        if first is None and Fraction(int(top) * t, int(walk.at(t).scale) ** 2) > limit:
            first = t
        event = t if states.targets(gram, "low") != moves else None
    assert search.next_event(moves, lambda _, j, led: j < led, lambda _: False) == event
    expected = first if first is not None and first < event else None
    assert search.first_violation(Bound(limit, limit), lambda _: False, event - 1) == expected
    return expected is not None


def test_rounded_steps_see_the_leaders_and_the_violation_of_exact_ones():
    """A start that chatters for ever: leaders change at most steps, the first violation is at 2901."""
    tokens = [(-1, 8), (-6, -6), (-9, 0), (-5, -7), (9, 4), (-2, 2), (7, -7), (3, 3)]
    problem = read_problem(tokens, b=[(5, -4), (-4, 4)])
    form, state = states.form_of(problem), states.start(problem)
    seen = None
    for _ in range(400):
        moves = states.targets(states.products(state, form), "low")
        if state.t == 40:
            seen = rounded.steps(state, form, bound(problem))
        if seen is not None:
            step = next(seen)
            assert (step.t, step.moves, step.breaks) == (state.t, moves, False)
        state = states.step(state, states.averaging(state, moves))
    assert next(step.t for step in seen if step.breaks) == 2901


def test_rounded_steps_raise_undecided_at_an_exact_tie():
    problem = read_problem([(-3, 0), (2, 1), (2, -1)])
    with pytest.raises(Undecided, match="open at 2048 bits"):
        next(rounded.steps(states.start(problem), states.form_of(problem), bound(problem)))


@given(st.integers(3, 50), st.integers(1, 5), st.integers(1, 400))
@settings(max_examples=60)
def test_elementary_sums_by_zeta_values_hold_the_plain_product(s, h, more):
    clock = Clock(s, h, 128)
    with ctx.workprec(128):
        plain = Clock(s, h, 128)._product(s + 64 + more)
        assert all(x.overlaps(y) for x, y in zip(clock.elementary(s + 64 + more), plain, strict=True))
        assert all(x.rel_accuracy_bits() > 60 for x in clock.elementary(s + 64 + more))


@given(st.integers(3, 30), st.integers(1, 4), st.integers(0, 60), st.integers(1, 60), st.integers(0, 60))
@settings(max_examples=60)
def test_a_ratio_over_an_interval_holds_the_ratio_at_each_time_in_it(s, h, first, length, inside):
    clock = Clock(s, h, 128)
    a = s + h + first
    t = a + min(inside, length)
    for x in range(clock.size):
        for y in range(clock.size):
            for end in (a + length, None):
                enclosure = clock.ratio(x, y, a, end)
                if enclosure is not None and not (y == h + 1 and s < 3):
                    with ctx.workprec(128):
                        assert enclosure.overlaps(clock.at(t)[x] / clock.at(t)[y])


@given(st.lists(st.integers(-60, 60), min_size=1, max_size=7), st.booleans())
@settings(max_examples=300)
def test_the_first_negative_value_is_the_one_that_counting_finds(coefficients, or_zero):
    p = fmpz_poly(coefficients)
    counted = next((u for u in range(200) if p(u) < 0 or (or_zero and p(u) == 0)), None)
    assert first_negative(p, or_zero=or_zero) == counted
    for stop in (0, 1, 2, 5, 40):
        assert first_negative(p, or_zero=or_zero, stop=stop) == (
            counted if counted is not None and counted < stop else None
        )


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=4), st.integers(0, 3))
@settings(max_examples=100)
def test_close_roots_far_away_are_found(roots, gap):
    """(u - r)^2 - gap dips below zero near r, if at all."""
    p = fmpz_poly([1])
    for r in roots:
        p *= fmpz_poly([-r, 1]) ** 2
    p = p * 4 - gap
    around = sorted({u for r in roots for u in range(max(r - 3, 0), r + 4)})
    expected = next((u for u in around if p(u) < 0), None)
    assert first_negative(p) == (0 if p(0) < 0 else expected)
    assert first_negative(p + gap) is None
    assert first_negative(p + gap, or_zero=True) == min(roots)


def test_undecided_arb_comparisons_are_false_both_ways():
    wide = arb(0, 1)
    assert not wide > 0
    assert not wide < 0
