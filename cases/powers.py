"""Rational powers between rational bounds, and printed figures with what their rounding leaves open.

>>> power_bounds(Fraction(1031, 1000), Fraction(50, 17), digits=5)
(Fraction(54697, 50000), Fraction(21879, 20000))
"""

import re
from fractions import Fraction
from typing import NamedTuple

_DECIMAL = re.compile(r"[0-9]{1,30}(\.[0-9]{1,30})?")
SHARE_DIGITS = 4  # denominators of exponents stay below 10^4, or the roots below get long


class Figure(NamedTuple):
    """A number with its range: value, low, high."""

    value: Fraction
    low: Fraction
    high: Fraction


def figure(name: str, number: object) -> Figure:
    """A published figure: text ("5.11") stands for all that rounds to it; a Fraction or an integer for itself.

    Raises TypeError for Python floats, which say neither, and ValueError for text that is no plain decimal.
    """
    if isinstance(number, Fraction | int) and not isinstance(number, bool):
        return Figure(*[Fraction(number)] * 3)
    if not isinstance(number, str):
        raise TypeError(f'{name} must be text such as "5.11", a Fraction or an integer; got {type(number).__name__}')
    if not _DECIMAL.fullmatch(number):
        raise ValueError(f'{name} must be a decimal such as "5.11"; got {number[:40]!r}')
    value = Fraction(number)
    half = Fraction(1, 2 * 10 ** len(number.partition(".")[2]))
    return Figure(value, max(value - half, Fraction(0)), value + half)


def power_bounds(base: Fraction, exponent: Fraction, *, digits: int = 6) -> tuple[Fraction, Fraction]:
    """Multiples of 10^-digits next to base^exponent, below (or equal) and above: integer roots, no floats.

    Raises ValueError unless base > 0, exponent >= 0 with numerator and denominator below 10^6.
    """
    from gmpy2 import iroot, mpz

    p, q = exponent.numerator, exponent.denominator
    if base <= 0 or p < 0 or max(p, q) >= 10**6:
        raise ValueError(f"base={base}, exponent={exponent} must be above 0, at least 0 and below 10^6 in both parts")
    scale = 10**digits
    scaled = mpz(base.numerator) ** p * mpz(scale) ** q
    root, exact = iroot(scaled // mpz(base.denominator) ** p, q)
    exact = exact and scaled % mpz(base.denominator) ** p == 0
    return Fraction(int(root), scale), Fraction(int(root) + (not exact), scale)


def outward(low: Fraction, high: Fraction, digits: int = SHARE_DIGITS) -> tuple[Fraction, Fraction]:
    """The smallest interval of multiples of 10^-digits around [low, high]; a short fraction stays as it is."""
    scale = 10**digits
    wide = Fraction(low * scale // 1, scale), Fraction(-(-high * scale // 1), scale)
    return (
        low if low.denominator <= scale else wide[0],
        high if high.denominator <= scale else wide[1],
    )
