"""The event-driven simulator against plain Fraction stepping: leader changes, first violation, final state."""

from fractions import Fraction

import pytest
from attention_starts import starts
from gmpy2 import mpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sweeps.simulators.attention import reference
from sweeps.simulators.attention.course import follow, state_at
from sweeps.simulators.attention.outcome import outcome
from sweeps.simulators.attention.problem import read_problem
from sweeps.simulators.attention.spectrum import largest_eigenvalue


def compare(start, horizon):
    tokens, b, tie = start
    problem = read_problem(tokens, b=b, tie=tie)
    low, high = largest_eigenvalue(problem.b)
    stepped = reference.replay(problem.tokens, problem.b, low, tie, horizon, mpq)
    assert stepped[1] == reference.replay(problem.tokens, problem.b, high, tie, stepped[1] or 1, mpq)[1]
    course = follow(problem)
    events = [t for t in course.events if t <= horizon]
    first = course.first if course.first is not None and course.first <= horizon else None
    assert course.settled or course.reached >= horizon
    assert (events, first) == stepped[:2]
    final = state_at(problem, course, horizon)
    assert final.rows() == stepped[2]


@given(starts())
@settings(max_examples=60)
def test_event_driven_equals_stepping_to_60(start):
    compare(start, 60)


@pytest.mark.slow
@given(starts())
@settings(max_examples=500, suppress_health_check=list(HealthCheck))
def test_event_driven_equals_stepping_to_1000(start):
    compare(start, 1000)


def test_the_reference_in_fractions_and_in_mpq_is_the_same():
    problem = read_problem([(-6, -5), (-3, 5), (1, 0)])
    runs = [reference.replay(problem.tokens, problem.b, Fraction(1), "low", 40, number) for number in (Fraction, mpq)]
    assert runs[0] == runs[1]
    assert runs[0][:2] == ([0, 3], 22)


@given(starts(max_n=6), st.integers(0, 40))
@settings(max_examples=60)
def test_the_three_answers_agree_with_the_states(start, later):
    """Before the hull is lost J <= (2/3) L D^2/k; from from_k on every token is above the bound."""
    tokens, b, tie = start
    problem = read_problem(tokens, b=b, tie=tie)
    found = outcome(problem)
    high = largest_eigenvalue(problem.b)[1] * problem.diameter_squared
    steps = reference.states(problem.tokens, problem.b, tie)
    next(steps)
    for k in range(1, 60):
        rows = next(steps)[1]
        if found.eventual == "never" or (found.lost_at is not None and k < found.lost_at):
            assert reference.energy(rows, problem.b) * k <= Fraction(2, 3) * high
    if found.separation is None:
        assert found.first is None
        return
    k = found.separation.from_k + later
    assert found.first <= found.separation.from_k
    if found.course.base(k) is not None and found.course.settled and k < 2000:
        for row in state_at(problem, found.course, k).rows():
            assert (
                reference.energy([row], problem.b) * k > 2 * largest_eigenvalue(problem.b)[0] * problem.diameter_squared
            )
