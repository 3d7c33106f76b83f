"""An instance of the claim in exact numbers: tokens, B*, tie rule, indexing, horizon; the one door for input."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import exact
from exact.matrix import is_positive_semidefinite

TIES = ("low", "avg", "stay")
INDEXES = ("update", "state")
Rows = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Problem:
    """``tokens`` (n rows of d Fractions), ``b`` (d x d, symmetric positive semidefinite), tie rule, indexing, horizon.

    ``tie``: what a token does whose argmin is not unique: low (follow the one of lowest index), avg (go to the mean
    of the tied tokens), stay (keep still if it is itself among them, else low). ``index``: how a violation in state
    k is labelled: update (J(x^{t+1}) <= 2 L D^2/(t+1), label t = k - 1) or state (J(x^k) <= 2 L D^2/k, label k).
    """

    tokens: Rows
    b: Rows
    tie: str
    index: str
    horizon: int

    @property
    def diameter_squared(self) -> Fraction:
        """D^2, the largest squared distance between two tokens at the start."""
        pairs = ((x, y) for i, x in enumerate(self.tokens) for y in self.tokens[:i])
        return max(
            (sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0)) for x, y in pairs), default=Fraction(0)
        )

    def label(self, k: int) -> int:
        """The claim's own number for state k."""
        return k - 1 if self.index == "update" else k


def read_problem(
    tokens: Sequence[Any],
    *,
    b: Sequence[Sequence[Any]] | None = None,
    tie: str = "low",
    index: str = "update",
    horizon: Any = 10**12,
) -> Problem:
    """Check an instance. A token is a sequence of d coordinates, or one number where d = 1; ``b`` is I if not given.

    Numbers are integers, Fractions or text ("1/10", "1e-20"). Raises TypeError for floats and ValueError for ragged
    tokens, a ``b`` that is not d x d, symmetric and positive semidefinite, a horizon below 1, an unknown rule, and
    for an origin outside the tokens' hull, where the claim says nothing.
    """
    points = read_rows(tokens, "tokens")
    d = len(points[0])
    matrix = read_matrix(b, d)
    if tie not in TIES:
        raise ValueError(f"tie must be one of {', '.join(TIES)}; got {tie!r}")
    if index not in INDEXES:
        raise ValueError(f"index must be one of {', '.join(INDEXES)}; got {index!r}")
    whole = exact.rational(horizon, name="horizon")
    if whole.denominator != 1 or whole < 1:
        raise ValueError(f"horizon must be an integer of at least 1; got {horizon}")
    if exact.hull(points).weights is None:
        raise ValueError("tokens must have the origin in their convex hull, as the claim assumes; it is outside")
    return Problem(points, matrix, tie, index, int(whole))


def read_rows(tokens: Sequence[Any], name: str) -> Rows:
    """Rows of Fractions of equal length."""
    listed = [[token] if isinstance(token, str) or not hasattr(token, "__iter__") else list(token) for token in tokens]
    if not listed or not listed[0]:
        raise ValueError(f"{name} must be one or more points of one or more coordinates; got none")
    if len({len(row) for row in listed}) != 1:
        raise ValueError(f"{name} must all have the same number of coordinates; got {[len(row) for row in listed]}")
    return tuple(
        tuple(exact.rational(x, name=f"{name}[{i}][{j}]") for j, x in enumerate(row)) for i, row in enumerate(listed)
    )


def read_matrix(b: Sequence[Sequence[Any]] | None, d: int) -> Rows:
    """B* as d rows of d Fractions: given, or the identity."""
    if b is None:
        return tuple(tuple(Fraction(i == j) for j in range(d)) for i in range(d))
    matrix = read_rows(b, "b")
    if len(matrix) != d or len(matrix[0]) != d:
        raise ValueError(f"b must be {d} x {d} for tokens of {d} coordinates; got {len(matrix)} x {len(matrix[0])}")
    for i in range(d):
        for j in range(i):
            if matrix[i][j] != matrix[j][i]:
                raise ValueError(f"b must be symmetric; got {matrix[i][j]} and {matrix[j][i]} across the diagonal")
    if not is_positive_semidefinite(matrix):
        raise ValueError("b must be positive semidefinite; it has a negative eigenvalue")
    return matrix
