"""The exact additive term: known values, the recursion as written down, error bounds, floor(m/e)."""

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exact

RULES = [(tau, budget) for tau in (0, 1, 3) for budget in ("on-fault", "on-request")]
LONG = 2**20
_TERMS = [Fraction(1, math.factorial(n)) for n in range(40)]
E_BELOW, E_ABOVE = sum(_TERMS), sum(_TERMS) + _TERMS[-1]


@pytest.fixture(scope="module")
def terms():
    return exact.additive_terms(LONG)


def as_defined(k, tau, budget):
    """The expected cost of a phase by the double sum, nothing telescoped; e by its series."""
    if k <= tau + 2:
        return Fraction(k)
    f = [Fraction(0)]
    for u in range(1, k - 1 - tau):
        total = Fraction(0)
        for v in range(u):
            earned = budget == "on-fault" and (v + 2) * E_ABOVE <= u + 2
            total += 1 + (1 + f[v - 1] if earned and v >= 1 else f[v])
        f.append(total / (u + 1))
    return tau + 2 + f[k - 2 - tau]


@pytest.mark.parametrize(
    ("k", "value"),
    [(1, "0"), (2, "1/2"), (3, "2/3"), (4, "3/4"), (5, "4/5"), (8, "7/8"), (9, "137/144"), (16, "877/780")],
)
def test_small_additive_terms_are_the_derived_ones(k, value):  # worked out by hand and by enumeration
    assert exact.additive_term(k) == Fraction(value)


@pytest.mark.parametrize(
    ("k", "value"), [(32, 1.38580), (64, 1.64538), (256, 2.15513), (1024, 2.66313), (LONG, 5.21310)]
)
def test_large_additive_terms_are_the_derived_ones(terms, k, value):  # five decimals, computed independently
    assert terms[k] == pytest.approx(value, abs=5e-6)


def test_the_published_slope_is_the_additive_term_at_1024_over_its_logarithm(terms):
    assert terms[1024] / math.log(1024) == pytest.approx(0.384, abs=5e-4)  # the reproductions report 0.38 ln k


def test_the_slope_against_ln_k_approaches_one_over_e(terms):
    slope = (terms[LONG] - terms[LONG // 2]) / math.log(2)
    assert slope == pytest.approx(0.367880, abs=5e-7)
    assert slope == pytest.approx(1 / math.e, abs=2e-6)


@pytest.mark.parametrize("k", range(2, 40))
def test_without_earned_budget_the_additive_term_is_one_less_one_over_k(k):
    assert exact.additive_term(k, budget="on-request") == 1 - Fraction(1, k)


@pytest.mark.parametrize("tau", range(4))
def test_the_two_budget_rules_part_at_nine_plus_tau(tau):
    gaps = [
        exact.additive_term(k, tau=tau) - exact.additive_term(k, tau=tau, budget="on-request")
        for k in range(1, 16 + tau)
    ]
    assert [gap > 0 for gap in gaps] == [k >= 9 + tau for k in range(1, 16 + tau)]


@pytest.mark.parametrize(("tau", "budget"), RULES)
def test_every_request_faults_up_to_tau_plus_two_pages(tau, budget):
    costs = [exact.additive_term(k, tau=tau, budget=budget) + exact.harmonic(k) for k in range(1, tau + 5)]
    assert [cost == k for k, cost in enumerate(costs, start=1)] == [True] * (tau + 2) + [False] * 2


@pytest.mark.parametrize(("tau", "budget"), RULES)
def test_the_telescoped_recursion_equals_the_double_sum(tau, budget):
    for k in [*range(1, 32), 61]:
        assert exact.additive_term(k, tau=tau, budget=budget) == as_defined(k, tau, budget) - exact.harmonic(k)


@pytest.mark.parametrize(("tau", "budget"), RULES)
def test_the_floats_keep_the_proved_error_bound(tau, budget):
    floats = exact.additive_terms(260, tau=tau, budget=budget)
    assert len(floats) == 261
    assert all(math.isnan(x) for x in floats[:2])
    for k in range(2, 261):
        error = abs(Fraction(floats[k]) - exact.additive_term(k, tau=tau, budget=budget))
        assert error <= Fraction(math.ulp(floats[k])) / 2 + Fraction(max(k, 32), 2**128)


def test_a_shorter_list_of_additive_terms_is_a_prefix_of_a_longer_one(terms):
    for k_max in (1, 2, 3, 50):
        assert exact.additive_terms(k_max)[2:] == terms[2 : k_max + 1]
        assert len(exact.additive_terms(k_max)) == k_max + 1


@given(st.integers(0, 400))
def test_harmonic_numbers_are_the_plain_sums(k):
    assert exact.harmonic(k) == sum((Fraction(1, i) for i in range(1, k + 1)), Fraction(0))


def test_floors_of_multiples_of_one_over_e_agree_with_the_series_of_e():
    floors = exact.floor_div_e(LONG + 2)
    assert floors.dtype == np.int64
    assert len(floors) == LONG + 3
    nearly_whole = [
        2721,
        23225,
        25946,
        49171,
        517656,
        566827,
    ]  # numerators of convergents: m/e is all but a whole
    for m in [*range(3000), *range(LONG - 500, LONG + 3), *nearly_whole]:
        assert math.floor(m / E_ABOVE) == math.floor(m / E_BELOW) == floors[m]


def test_the_two_convergents_are_neighbours_on_either_side_of_e():
    p, q, p_above, q_above = 848456353, 312129649, 438351041, 161260336
    assert Fraction(p, q) < E_BELOW
    assert Fraction(p_above, q_above) > E_ABOVE
    assert q * p_above - p * q_above == 1
    m = np.arange(LONG, dtype=np.int64)
    assert np.array_equal(m * q_above // p_above, exact.floor_div_e(LONG - 1))


@pytest.mark.parametrize(("tau", "budget"), RULES)
def test_the_variance_is_zero_while_every_request_faults_and_then_positive(tau, budget):
    variances = exact.phase_variance(40, tau=tau, budget=budget)
    assert len(variances) == 41
    assert all(math.isnan(x) for x in variances[:2])
    assert [x > 0 for x in variances[2:]] == [k > tau + 2 for k in range(2, 41)]


def test_the_variance_is_that_of_the_whole_distribution_of_costs():
    further = [{0: Fraction(1)}]  # u -> {faults: probability}, each way the next fault can fall
    for u in range(1, 39):
        law = {0: Fraction(1, u + 1)}
        for v in range(u):
            earned = v >= 1 and (v + 2) * E_ABOVE <= u + 2
            for faults, p in further[v - 1 if earned else v].items():
                law[faults + 1 + earned] = law.get(faults + 1 + earned, 0) + p / (u + 1)
        further.append(law)
    variances = exact.phase_variance(40)
    for k, law in enumerate(further, start=2):
        mean = sum(faults * p for faults, p in law.items())
        assert variances[k] == pytest.approx(float(sum(p * (x - mean) ** 2 for x, p in law.items())), abs=1e-12)


@pytest.mark.parametrize("k", [2, 5, 12, 300])
def test_without_budget_the_faults_are_independent_with_probabilities_one_over_i(k):
    expected = sum(1 / i - 1 / i**2 for i in range(2, k))  # the i-th last request faults with probability 1/i
    assert exact.phase_variance(k, budget="on-request")[k] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exact.additive_term(0), "k=0 must be at least 1; "),
        (lambda: exact.additive_terms(0), "k_max=0 must be at least 1; "),
        (lambda: exact.additive_terms(2**28 + 1), "k_max=268435457 must be at most 2"),
        (lambda: exact.phase_variance(-1), "k_max=-1 must be at least 1; "),
        (lambda: exact.additive_term(4, tau=-1), "tau=-1 must be at least 0; "),
        (
            lambda: exact.additive_term(4, budget="never"),
            "budget='never' must be one of on-fault, on-request",
        ),
        (lambda: exact.harmonic(-1), "k=-1 must be at least 0; "),
        (lambda: exact.floor_div_e(-1), "m_max=-1 must be at least 0 "),
        (lambda: exact.floor_div_e(2**28 + 1), "m_max=268435457 must be at least 0 and at most 2"),
    ],
)
def test_bad_values_are_named_in_the_message(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


def test_a_float_k_is_refused():
    with pytest.raises(TypeError):
        exact.additive_term(4.0)


def test_an_unknown_name_is_an_attribute_error_that_lists_what_exists():
    with pytest.raises(AttributeError, match="floor_div_e"):
        exact.floor_div_pi  # noqa: B018


def test_importing_exact_loads_neither_numpy_nor_gmpy2():
    code = "import sys, exact; print(sorted({'numpy', 'gmpy2'} & set(sys.modules)), hasattr(exact, 'harmonic'))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split("\n")[0] == "[] True"
