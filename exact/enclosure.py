"""Certified comparisons with irrational numbers, through enclosures in python-flint's arb balls.

A ball contains the number it stands for. Two balls that overlap decide nothing: precision is doubled, and at
the cap `Undecided` is raised. "Unknown" is never reported as an inequality.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from flint import arb

    Enclosed = int | Fraction | arb | Callable[[], arb]

T = TypeVar("T")


class Undecided(ArithmeticError):  # noqa: N818 - an answer, not a fault
    """Enclosures still overlap at the highest precision allowed: no answer, neither yes nor no."""


def certainly_less(a: "Enclosed", b: "Enclosed", *, bits: int = 64, bits_max: int = 4096) -> bool:
    """True if a < b, False if a >= b, both certain; raises Undecided when the enclosures can't tell.

    `a`, `b`: exact numbers (int, Fraction), or functions without arguments that return an `arb` enclosing the
    number at the precision then set (they are called again at each precision), or one `arb` (never refined).
    Precision starts at `bits` and doubles up to `bits_max`. Equal irrational numbers are never decided.

    Raises TypeError for floats.

    >>> from flint import arb
    >>> certainly_less(Fraction(106, 39), lambda: arb(1).exp())  # a convergent of e from below
    True
    """
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return a < b
    return refine(lambda: _less(_ball(a), _ball(b)), bits=bits, bits_max=bits_max)


def refine(attempt: Callable[[], T | None], *, bits: int = 64, bits_max: int = 4096) -> T:
    """The first answer of `attempt()` that isn't None, with arb's precision set to `bits`, doubled up to `bits_max`.

    Raises Undecided when there is none, ValueError unless 2 <= bits <= bits_max. The precision in use before is
    restored.

    >>> from flint import arb
    >>> refine(lambda: arb.pi().floor().unique_fmpz())
    3
    """
    from flint import ctx

    if not 2 <= bits <= bits_max:
        raise ValueError(f"bits={bits} must be at least 2 and at most bits_max={bits_max}")
    while True:
        with ctx.workprec(bits):
            answer = attempt()
        if answer is not None:
            return answer
        if bits >= bits_max:
            raise Undecided(f"the comparison is undecided at {bits} bits: the numbers are equal or very close")
        bits = min(2 * bits, bits_max)


def _less(a: "arb", b: "arb") -> bool | None:
    if a < b:  # for balls: every number of a is below every number of b
        return True
    return False if a >= b else None


def _ball(value: "Enclosed") -> "arb":
    from flint import arb, fmpq

    if isinstance(value, float):
        raise TypeError(
            f"an enclosed number must be an int, a Fraction or a function giving an arb; got the float {value}"
        )
    if isinstance(value, int | Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    return value() if callable(value) else value
