"""The door for numbers that decide: integers, Fractions and text, never floats."""

import re
from fractions import Fraction
from numbers import Rational
from typing import Any

DIGITS = 1000
EXPONENT = 1000
_ALLOWED = (
    "an integer, a Fraction or text such as 3, -1/10, 0.1, 1e-20 "
    f"(at most {DIGITS} digits, exponent at most {EXPONENT})"
)
# text of allowed length only is matched, and no part of it can be matched in two ways: linear time
_TEXT = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")


def rational(value: Any, *, name: str = "value") -> Fraction:
    """`value` as a Fraction, exactly: an integer, a Fraction (or another rational type), or text.

    Text is "3", "-1/10", "0.1" or "1e-20": at most 1000 digits in all and an exponent between -1000 and 1000,
    so that "1e3000000" can't fill the memory. Spaces around it are allowed, signs of other alphabets aren't.

    Raises TypeError for floats, bools and everything else, ValueError for text that isn't such a number or
    is beyond the bounds; the message starts with `name`.

    >>> rational("0.1"), rational("-3/6"), rational("2e-3", name="tau"), rational(7)
    (Fraction(1, 10), Fraction(-1, 2), Fraction(1, 500), Fraction(7, 1))
    """
    if isinstance(value, str):
        return _from_text(value.strip(), name)
    if isinstance(value, Rational) and not isinstance(value, bool):  # also gmpy2's and numpy's integers
        return Fraction(int(value.numerator), int(value.denominator))
    hint = "; write it as text" if isinstance(value, float) else ""
    raise TypeError(f"{name} must be {_ALLOWED}; got {type(value).__name__} {_short(repr(value))}{hint}")


def _from_text(text: str, name: str) -> Fraction:
    if len(text) > DIGITS + 20 or not _TEXT.fullmatch(text):
        raise ValueError(f"{name} must be {_ALLOWED}; got {_short(repr(text))}")
    mantissa, _, exponent = text.lower().partition("e")
    digits = sum(character.isdigit() for character in mantissa)
    if digits > DIGITS or len(exponent) > 20 or abs(int(exponent or 0)) > EXPONENT:
        raise ValueError(f"{name} must be {_ALLOWED}; got {_short(repr(text))}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{name} must have a denominator other than zero; got {_short(repr(text))}") from None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"
