"""Numbers at the door, definiteness and comparisons with irrational numbers."""

from fractions import Fraction

import gmpy2
import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

import exact
from exact import enclosure
from exact.matrix import exceeds_lambda_max, is_positive_definite, is_positive_semidefinite, kernel_basis


@given(st.fractions())
def test_rationals_come_through_unchanged_as_fractions_and_as_text(value):
    assert exact.rational(value) == exact.rational(str(value)) == value


@pytest.mark.parametrize("text", ["0.1", "1e-20", "-3", "+2.5e3", ".5", "4.", " 7/3 ", "1e1000", "-0"])
def test_text_is_read_exactly(text):
    assert exact.rational(text) == Fraction(text)


def test_integers_and_rationals_of_other_libraries_are_read():
    for value in (np.int64(3), gmpy2.mpq(3), gmpy2.mpz(3), sympy.Rational(3)):
        got = exact.rational(value)
        assert (got, type(got.numerator)) == (3, int)


@pytest.mark.parametrize(
    "text", ["1e3000000", "1e1001", "1" * 1001, "nan", "inf", "", "1_0", "٣", "1/0", "1/-2", "0x1"]
)
def test_text_beyond_the_bounds_or_of_another_kind_is_refused(text):
    with pytest.raises(ValueError, match=r"^tokens must .*; got ") as caught:
        exact.rational(text, name="tokens")
    assert len(str(caught.value)) < 220


@pytest.mark.parametrize("value", [0.5, 1.0, True, None, 1j, float("nan"), np.float64(2), [1]])
def test_floats_and_everything_else_are_refused(value):
    with pytest.raises(TypeError, match=r"^value must be an integer, a Fraction or text"):
        exact.rational(value)


entries = st.integers(-4, 4)


@given(st.integers(1, 4).flatmap(lambda d: st.lists(st.lists(entries, min_size=d, max_size=d), min_size=d, max_size=d)))
def test_definiteness_and_kernel_agree_with_sympy(rows):
    d = len(rows)
    matrix = [[Fraction(rows[min(i, j)][max(i, j)]) for j in range(d)] for i in range(d)]
    second = sympy.Matrix(d, d, lambda i, j: sympy.Rational(matrix[i][j]))
    assert is_positive_definite(matrix) == second.is_positive_definite
    assert is_positive_semidefinite(matrix) == second.is_positive_semidefinite
    basis = kernel_basis(matrix)
    assert len(basis) == d - second.rank()
    assert all(sum(a * b for a, b in zip(row, x, strict=True)) == 0 for row in matrix for x in basis)


@given(st.integers(0, 400))
def test_the_largest_eigenvalue_is_bounded_strictly(n):
    golden = [(Fraction(1), Fraction(1)), (Fraction(1), Fraction(0))]  # (1 + sqrt 5)/2
    theta = Fraction(n, 123)
    assert exceeds_lambda_max(theta, golden) == (theta > 0 and (2 * theta - 1) ** 2 > 5 and theta > Fraction(1, 2))
    assert not exceeds_lambda_max(Fraction(3), [(Fraction(3),)])


@pytest.mark.parametrize(
    ("matrix", "error", "message"),
    [
        ([], ValueError, "matrix must be square"),
        ([[1, 2]], ValueError, "matrix must be square"),
        ([[1, 2], [3, 1]], ValueError, "matrix must be symmetric"),
        ([[0.5]], TypeError, "matrix must have rational entries"),
    ],
)
def test_bad_matrices_are_refused(matrix, error, message):
    with pytest.raises(error, match=f"^{message}"):
        is_positive_definite(matrix)


def convergents_of_e(count):
    terms = [2] + [1 if i % 3 != 2 else 2 * (i // 3 + 1) for i in range(1, count)]
    p, q = (1, terms[0]), (0, 1)
    for a in terms[1:]:
        p, q = (p[1], a * p[1] + p[0]), (q[1], a * q[1] + q[0])
        yield Fraction(p[1], q[1])


def test_convergents_of_e_are_told_apart_from_it_on_the_right_side():
    for i, convergent in enumerate(convergents_of_e(200)):
        above = i % 2 == 0
        assert exact.certainly_less(convergent, lambda: arb(1).exp()) is not above
        assert exact.certainly_less(lambda: arb(1).exp(), convergent) is above
        with mpmath.workdps(300):
            assert (mpmath.mpf(convergent.numerator) / convergent.denominator > mpmath.e) is above


def test_equal_numbers_stay_undecided_unless_both_are_exact():
    assert exact.certainly_less(Fraction(1, 3), Fraction(1, 3)) is False
    with pytest.raises(exact.Undecided, match="undecided at 256 bits"):
        exact.certainly_less(lambda: arb(2).sqrt() ** 2, 2, bits_max=256)
    with pytest.raises(exact.Undecided):
        exact.certainly_less(1, lambda: arb("nan"), bits_max=128)


def test_the_precision_in_use_is_restored():
    from flint import ctx

    before = ctx.prec
    seen = []
    with pytest.raises(exact.Undecided):
        enclosure.refine(lambda: seen.append(ctx.prec), bits=50, bits_max=300)
    assert seen == [50, 100, 200, 300]
    assert ctx.prec == before


def test_floats_are_refused_in_comparisons():
    with pytest.raises(TypeError, match="got the float"):
        exact.certainly_less(0.5, lambda: arb(1))
    with pytest.raises(TypeError, match="rational"):
        exceeds_lambda_max(0.5, [(Fraction(1),)])


def test_names_like_their_modules_stay_functions():
    import importlib

    for name in ("hull", "rational"):
        importlib.import_module(f"exact.{name}")
        assert callable(getattr(exact, name))
    assert len(exact.__all__) <= 12
    assert all(getattr(exact, name) for name in exact.__all__)
