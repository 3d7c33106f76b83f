"""Timings that carry their unit of work, so that unlike ones are not compared.

>>> from fractions import Fraction
>>> per_trajectory = Timing(Fraction(1), "trajectory", 1)
>>> per_batch = Timing(Fraction(2), "batch", 1)
>>> slowdown(per_batch.counted_as("trajectory", 50), per_trajectory)
Fraction(1, 25)
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Timing:
    """``seconds`` that ``count`` units of work took together; ``unit`` names one of them ("batch")."""

    seconds: Fraction
    unit: str
    count: int

    def __post_init__(self) -> None:
        if isinstance(self.seconds, float) or self.seconds <= 0:
            raise ValueError(f"seconds must be a Fraction or an integer above 0; got {self.seconds!r}")
        if self.count < 1:
            raise ValueError(f"count must be at least 1; got {self.count}")

    @property
    def each(self) -> Fraction:
        """Seconds a unit."""
        return Fraction(self.seconds) / self.count

    def counted_as(self, unit: str, count: int) -> "Timing":
        """The same work counted in another unit: ``count`` of ``unit`` in all, a short last batch included."""
        return Timing(self.seconds, unit, count)


def slowdown(method: Timing, baseline: Timing) -> Fraction:
    """How many times longer a unit takes by ``method``; ValueError when the units of work differ."""
    if method.unit != baseline.unit:
        raise ValueError(f"unit of work must be the same in both timings; got {method.unit} and {baseline.unit}")
    return method.each / baseline.each
