"""Sums of rational multiples of logarithms of rationals, compared exactly.

Logarithms of primes are linearly independent over the rationals (unique factorisation), and no rational but 0 is a
combination of them (Lindemann: e^r is transcendental for rational r != 0). So a sum r + c_2 log 2 + c_3 log 3 + ...
is a list of rationals, and two are equal only if the lists are.

>>> log(Fraction(12)) == log(Fraction(3)) + 2 * log(Fraction(2))
True
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Union


@dataclass(frozen=True)
class LogSum:
    """``rational`` + sum of ``logs[p]`` log p over primes p; no coefficient is 0."""

    rational: Fraction = Fraction(0)
    logs: Mapping[int, Fraction] = field(default_factory=dict)

    def __add__(self, other: Union["LogSum", Fraction, int]) -> "LogSum":
        if not isinstance(other, LogSum):
            return LogSum(self.rational + other, self.logs)
        primes = self.logs.keys() | other.logs.keys()
        logs = {p: self.logs.get(p, Fraction(0)) + other.logs.get(p, Fraction(0)) for p in sorted(primes)}
        return LogSum(self.rational + other.rational, {p: c for p, c in logs.items() if c})

    def __rmul__(self, factor: Fraction | int) -> "LogSum":
        if factor == 0:
            return LogSum()
        return LogSum(factor * self.rational, {p: factor * c for p, c in self.logs.items()})

    def __sub__(self, other: "LogSum") -> "LogSum":
        return self + -1 * other

    def __float__(self) -> float:
        return float(self.rational) + math.fsum(float(c) * math.log(p) for p, c in self.logs.items())

    def __str__(self) -> str:
        logs = [f"{c} log {p}" for p, c in self.logs.items()]
        rational = [str(self.rational)] if self.rational or not logs else []
        return " + ".join(rational + logs).replace("+ -", "- ")


def log(x: Fraction) -> LogSum:
    """log x by the factors of x. Raises ValueError for x <= 0; for small numbers, factors are found by trial."""
    if x <= 0:
        raise ValueError(f"x={x} must be above 0; the logarithm is infinite there")
    return _log(x.numerator) - _log(x.denominator)


def _log(n: int) -> LogSum:
    logs: dict[int, Fraction] = {}
    p = 2
    while n > 1:
        if p * p > n:
            p = n
        while n % p == 0:
            logs[p] = logs.get(p, Fraction(0)) + 1
            n //= p
        p += 1
    return LogSum(logs=logs)


def total(terms: "list[LogSum]") -> LogSum:
    """Their sum."""
    result = LogSum()
    for term in terms:
        result = result + term
    return result
