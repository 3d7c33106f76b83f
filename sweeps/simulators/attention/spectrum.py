"""The claim's constant 4 L D^2 as a rational, or as a rational interval as narrow as asked."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from flint import arb, ctx, fmpz_mat, fmpz_poly

from exact.matrix import exceeds_lambda_max, is_positive_semidefinite
from sweeps.simulators.attention.problem import Problem, Rows


@dataclass(frozen=True)
class Bound:
    """4 L D^2 is in [low, high]; equal where L is rational. <B* x, x> k above it: state k breaks the claim."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        """Whether the constant is known as a rational."""
        return self.low == self.high


def bound(problem: Problem, bits: int = 192) -> Bound:
    """4 L D^2 to about ``bits`` significant bits, exactly if L is rational."""
    low, high = largest_eigenvalue(problem.b, bits)
    scale = 4 * problem.diameter_squared
    return Bound(low * scale, high * scale)


def largest_eigenvalue(b: Rows, bits: int = 192) -> tuple[Fraction, Fraction]:
    """lambda_max of a symmetric rational matrix as an interval, a single rational where it is one.

    The interval's upper end is checked by definiteness, its lower end by the same test failing.

    >>> largest_eigenvalue(((Fraction(1), Fraction(0)), (Fraction(0), Fraction(2))))
    (Fraction(2, 1), Fraction(2, 1))
    """
    scale = lcm(*(x.denominator for row in b for x in row))
    polynomial = fmpz_mat([[int(x * scale) for x in row] for row in b]).charpoly()
    rational = [Fraction(int(-f[0]), int(f[1])) for f, _ in polynomial.factor()[1] if f.degree() == 1]
    best = max(rational, default=Fraction(-1)) / scale
    if rational and is_positive_semidefinite([[best * (i == j) - x for j, x in enumerate(r)] for i, r in enumerate(b)]):
        return best, best
    return _enclosed(polynomial, b, scale, bits)


def _enclosed(polynomial: fmpz_poly, b: Rows, scale: int, bits: int) -> tuple[Fraction, Fraction]:
    with ctx.workprec(bits + 32):
        balls: list[arb] = [root[0].real for root in polynomial.complex_roots()]  # type: ignore[index]
        top = max(balls, key=lambda ball: ball.mid())
        low, high = (_fraction(end) / scale for end in (top.lower(), top.upper()))
    if not exceeds_lambda_max(high, b) or exceeds_lambda_max(low, b):
        raise ArithmeticError(
            "an enclosure of lambda_max must hold when checked by definiteness; it doesn't (a defect)"
        )
    return low, high


def _fraction(end: arb) -> Fraction:
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
