"""The float64 kernels against the reference, on numbers that floats hold exactly, and their step rules."""

from fractions import Fraction

import numpy as np
import pytest
from attention_starts import starts
from hypothesis import given, settings
from hypothesis import strategies as st

from sweeps.simulators.attention import kernels, reference
from sweeps.simulators.attention.problem import TIES
from sweeps.simulators.attention.scout import scout

HALVES = np.array([0.5])
KERNELS = pytest.mark.parametrize("kernel", [kernels.walk, kernels.dense], ids=["walk", "dense"])


@KERNELS
@given(start=starts(), steps=st.integers(1, 4))
@settings(max_examples=60)
def test_a_kernel_moves_tokens_as_the_definition_does(kernel, start, steps):
    """Step sizes of one half keep small integers exact in float64, ties included (avg: up to its divisions)."""
    tokens, b, tie = start
    tokens = [[x * 10 for x in row] for row in tokens]
    d = len(tokens[0])
    matrix = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)] if b is None else b
    X, expected = np.array(tokens, dtype=float), tokens
    kernel(X, np.array(matrix, dtype=float), TIES.index(tie), HALVES, 0, steps, np.inf)
    for _ in range(steps):
        targets = reference.leaders(expected, matrix, tie)
        if any(len(target) not in (1, 2, 4) for target in targets):
            return
        expected = reference.step(expected, targets, Fraction(1, 2))
    assert X.tolist() == [[float(x) for x in row] for row in expected]


@KERNELS
@pytest.mark.parametrize(("tokens", "tie", "k1"), [([4, -1], 0, 225), ([3, -2], 0, 401), ([5, -1], 2, 144)])
def test_a_kernel_stops_at_the_first_state_above_the_bound(kernel, tokens, tie, k1):
    X = np.array(tokens, dtype=float).reshape(-1, 1)
    limit = 2.0 * (max(tokens) - min(tokens)) ** 2
    assert kernel(X.copy(), np.eye(1), tie, np.empty(0), 0, 1000, limit) == k1
    assert kernel(X.copy(), np.eye(1), tie, np.empty(0), 0, k1 - 1, limit) == -1


@KERNELS
def test_a_run_in_two_parts_is_the_run_in_one(kernel):
    start = np.random.default_rng(3).standard_normal((7, 2))
    whole, parts = start.copy(), start.copy()
    kernel(whole, np.eye(2), 0, np.empty(0), 0, 90, np.inf)
    kernel(parts, np.eye(2), 0, np.empty(0), 0, 40, np.inf)
    kernel(parts, np.eye(2), 0, np.empty(0), 40, 90, np.inf)
    assert whole.tolist() == parts.tolist()


def test_both_kernels_agree_on_random_tokens():
    rng = np.random.default_rng(0)
    for n, d in ((3, 2), (16, 3), (70, 5)):
        A = rng.standard_normal((d, d))
        begun = rng.standard_normal((n, d))
        for steps in (1, 3, 10, 60):
            one, other = begun.copy(), begun.copy()
            for kernel, X in ((kernels.walk, one), (kernels.dense, other)):
                assert kernel(X, A @ A.T, 0, np.empty(0), 0, steps, np.inf) == -1
            assert np.allclose(one, other, rtol=0, atol=1e-12)
            assert not np.allclose(one, begun)


def test_step_rules_are_the_classical_one_a_constant_and_a_given_list():
    tokens = np.array([[4.0], [-1.0]])
    classical = scout(tokens, horizon=20).tokens
    given_list = scout(tokens, horizon=20, gamma=[2 / (t + 2) for t in range(20)]).tokens
    assert classical.tolist() == given_list.tolist()
    assert scout(tokens, horizon=3, gamma=0.5).tokens.ravel().tolist() == [1.5, 1.5]
    assert scout(tokens, horizon=5, gamma=0.0).tokens.tolist() == tokens.tolist()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tokens": [[1.0, np.nan]]}, "finite numbers"),
        ({"tokens": np.zeros((2, 2, 2))}, "tokens must be"),
        ({"tokens": [1.0, -1.0], "b": [[1.0, 0.0], [0.0, 1.0]]}, "b must be symmetric, 1 x 1"),
        ({"tokens": [[1.0, 0.0]], "b": [[1.0, 1.0], [0.0, 1.0]]}, "b must be symmetric"),
        ({"tokens": [1.0, -1.0], "tie": "first"}, "tie must be one of low, avg, stay"),
        ({"tokens": [1.0, -1.0], "horizon": 0}, "horizon must be between 1 and"),
        ({"tokens": [1.0, -1.0], "horizon": 5, "gamma": [0.5, 0.5]}, "gamma must be"),
        ({"tokens": [1.0, -1.0], "horizon": 5, "gamma": 2.0}, "gamma must be"),
    ],
)
def test_the_scout_refuses_what_does_not_fit(options, says):
    with pytest.raises(ValueError, match=says):
        scout(options.pop("tokens"), **options)
