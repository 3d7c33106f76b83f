"""Figures as they stand in a sentence: few digits, and rounded to the side on which the sentence stays true."""

from __future__ import annotations

import math
from collections.abc import Callable

from fits.dictionary import Array

LARGE = 1e9  # figures from here on are printed with an exponent
ROUNDING = 1e-6
_EXACT = 1e15  # whole sizes below are printed with all their digits


def number(value: float | None, digits: int = 2) -> str:
    """Print a figure with few digits and no exponent where it can be helped.

    >>> number(0.38123), number(16384.0), number(None), number(41.3)
    ('0.38', '16,384', 'beyond reach', '41')
    """
    if value is None or not math.isfinite(value):
        return "beyond reach"
    if abs(value) >= LARGE:
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.{digits}g}"


def upward(value: float | None, digits: int = 2) -> str:
    """As ``number``, rounded up: "c >= 0.19 is seen" is true of 0.1815, "c >= 0.18" is not.

    >>> upward(0.1815), upward(0.18), upward(1.017, 3), upward(5792.6), upward(-0.0561)
    ('0.19', '0.18', '1.02', '5,793', '-0.056')
    """
    return number(None if value is None else _to_step(value, digits, math.ceil, -ROUNDING), digits)


def downward(value: float, digits: int = 2) -> str:
    """As ``number``, rounded down.

    >>> downward(12.9), downward(0.1899)
    ('12', '0.18')
    """
    return number(_to_step(value, digits, math.floor, ROUNDING), digits)


def _to_step(value: float, digits: int, to: Callable[[float], int], slack: float) -> float:
    """Value as a multiple of its last printed digit; ``slack`` of that digit forgives the rounding of floats."""
    if not value or not math.isfinite(value):
        return value
    step = 1.0 if 10 <= abs(value) < LARGE else 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
    return to(value / step + slack) * step


def given(value: float) -> str:
    """A figure that the user gave: nobody else may round it.

    >>> given(0.18), given(12.5), given(4096.0)
    ('0.18', '12.5', '4,096')
    """
    return f"{value:,.0f}" if value == round(value) and 1 <= value < _EXACT else f"{value:.6g}"


def span(k: Array) -> str:
    """First and last size, so that they differ in print.

    >>> import numpy as np
    >>> span(np.array([4.0, 1024.0])), span(np.array([1e6, 1e6 + 4])), span(np.array([5.5, 5.5 + 1e-9]))
    ('4 .. 1,024', '1,000,000 .. 1,000,004', '5.5 .. 5.500000001')
    """
    first, last = float(k[0]), float(k[-1])
    ends = [given(first), given(last)]
    return " .. ".join(ends if ends[0] != ends[1] else [repr(first), repr(last)])
