"""Symmetric rational matrices: definiteness, a bound on the largest eigenvalue, the kernel; all exactly.

Elimination in rationals (LDL^T). A threshold on the largest eigenvalue L needs no root: theta > L if and only
if theta I - B is positive definite.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gmpy2 import mpq

Matrix = Sequence[Sequence[Fraction]]


def is_positive_definite(matrix: Matrix) -> bool:
    """Whether the symmetric matrix (d rows of d rationals, d >= 1) has only positive eigenvalues.

    Raises ValueError unless square and symmetric, TypeError for floats; so do the other functions here.

    >>> is_positive_definite([(Fraction(2), Fraction(1)), (Fraction(1), Fraction(1))])
    True
    """
    return _least_pivot_sign(_symmetric(matrix)) > 0


def is_positive_semidefinite(matrix: Matrix) -> bool:
    """Whether the symmetric matrix has no negative eigenvalue.

    >>> is_positive_semidefinite([(Fraction(1), Fraction(1)), (Fraction(1), Fraction(1))])
    True
    """
    return _least_pivot_sign(_symmetric(matrix)) >= 0


def exceeds_lambda_max(theta: Fraction, matrix: Matrix) -> bool:
    """Whether theta is strictly above the largest eigenvalue of the symmetric matrix.

    >>> diagonal = [(Fraction(1), Fraction(0)), (Fraction(0), Fraction(2))]
    >>> exceeds_lambda_max(Fraction(2), diagonal), exceeds_lambda_max(Fraction(21, 10), diagonal)
    (False, True)
    """
    from gmpy2 import mpq

    if isinstance(theta, float):
        raise TypeError(f"theta must be rational; got the float {theta!r}")
    rows = _symmetric(matrix)
    shift = mpq(theta)
    return _least_pivot_sign([[shift * (i == j) - x for j, x in enumerate(row)] for i, row in enumerate(rows)]) > 0


def kernel_basis(matrix: Matrix) -> tuple[tuple[Fraction, ...], ...]:
    """A basis of {x : B x = 0}, from the reduced row echelon form: each vector has a 1 in its free column.

    >>> kernel_basis([(Fraction(1), Fraction(2)), (Fraction(2), Fraction(4))])
    ((Fraction(-2, 1), Fraction(1, 1)),)
    """
    rows, pivots = _echelon(_symmetric(matrix))
    basis = []
    for free in range(len(rows)):
        if free not in pivots:
            vector = [Fraction(0)] * len(rows)
            vector[free] = Fraction(1)
            for i, column in enumerate(pivots):
                vector[column] = _fraction(-rows[i][free])
            basis.append(tuple(vector))
    return tuple(basis)


def _symmetric(matrix: Matrix) -> "list[list[mpq]]":
    from gmpy2 import mpq

    d = len(matrix)
    if d == 0 or any(len(row) != d for row in matrix):
        raise ValueError(f"matrix must be square, 1 x 1 or more; got rows of {[len(row) for row in matrix]} entries")
    if any(isinstance(x, float) for row in matrix for x in row):
        raise TypeError("matrix must have rational entries; got a float")
    for i in range(d):
        for j in range(i):
            if matrix[i][j] != matrix[j][i]:
                raise ValueError(f"matrix must be symmetric; got {matrix[i][j]} at [{i}][{j}], {matrix[j][i]} across")
    return [[mpq(x) for x in row] for row in matrix]


def _least_pivot_sign(rows: "list[list[mpq]]") -> int:
    """1: positive definite; 0: semidefinite and singular; -1: neither. LDL^T without pivoting.

    Exact without pivoting: in a semidefinite matrix a zero on the diagonal has a row of zeros.
    """
    sign = 1
    while rows:
        pivot, *first = rows[0]
        if pivot < 0 or (pivot == 0 and any(first)):
            return -1
        if pivot == 0:
            sign = 0
            rows = [row[1:] for row in rows[1:]]
        else:
            rows = [[x - row[0] * y / pivot for x, y in zip(row[1:], first, strict=True)] for row in rows[1:]]
    return sign


def _echelon(rows: "list[list[mpq]]") -> tuple[list[list[Any]], list[int]]:
    pivots: list[int] = []
    for column in range(len(rows)):
        top = len(pivots)
        source = next((i for i in range(top, len(rows)) if rows[i][column]), None)
        if source is None:
            continue
        rows[top], rows[source] = rows[source], rows[top]
        pivot = rows[top][column]
        rows[top] = [x / pivot for x in rows[top]]
        for i, row in enumerate(rows):
            if i != top and (factor := row[column]):
                rows[i] = [x - factor * y for x, y in zip(row, rows[top], strict=True)]
        pivots.append(column)
    return rows, pivots


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))
