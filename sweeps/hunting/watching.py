"""A hunt's watch, and one try of an instance: what a gap says is read strictly.

An exact gap is an int, a Fraction or another rational that does not wrap around, a scouted one a finite float.
"""

import math
import numbers
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from sweeps.hunting.model import BadClaim, Target, Undecided

TICK = 0.5  # seconds
SLACK = 1e-6  # a scout this near to a violation is asked exactly


class Stop(BaseException):
    """Ends a round from within: time is up, what was sought is found, or the claim is bad (``reason``).

    Not an Exception, so that Hypothesis lets it through instead of drawing the instance again and shrinking it.
    """

    def __init__(self, reason: BadClaim | None = None) -> None:
        self.reason = reason


class Violated(Exception):  # noqa: N818 - what is sought
    """The instance violates the claim; Hypothesis sees it, and shrinks where that is its part."""


LEAST_SHRINKING = 3.0  # seconds that shrinking gets even if the find came at the end of the budget


@dataclass
class Watch:
    """What is known while a hunt runs.

    ``on_tick`` is called about twice a second. ``call``: what of the claim's own runs now, on which instance;
    ``touched``: when the search last had its turn; ``stopped``: it is to end, by KeyboardInterrupt at its next turn.
    ``undecided``, ``refused``: see `Hunt`.
    """

    seconds: float
    on_tick: Callable[["Watch"], None] = lambda _watch: None
    started: float = field(default_factory=time.monotonic)
    tried: int = 0
    best: Any = None
    best_gap: float = -math.inf
    best_exact: Fraction | None = None
    violation: Any = None
    violation_gap: Fraction = Fraction(0)
    first_find: int | None = None
    first_find_seconds: float | None = None
    largest: int = 0
    call: tuple[str, Any] | None = None
    touched: float = field(default_factory=time.monotonic)
    ticked: float = 0.0
    stopped: bool = False
    undecided: int = 0
    refused: int = 0

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def tick(self) -> None:
        """The search has its turn."""
        if self.stopped:
            raise KeyboardInterrupt
        self.touched = time.monotonic()
        if self.touched - self.ticked >= TICK:
            self.ticked = self.touched
            self.on_tick(self)

    def check_time(self) -> None:
        """Raise Stop if time is up."""
        self.tick()
        if self.spent >= self.seconds:
            raise Stop


def exact_gap(target: Target, instance: Any, watch: Watch) -> Fraction:
    """The exact gap; BadClaim if it raises or isn't exact."""
    value = _called(target.gap, "gap", instance, watch)
    if not _is_exact(value):
        shown = f"{type(value).__name__} {value!r}"[:60]
        why = " (numpy's integers wrap around: compute with int(x))" if _has_numpy(value) else ""
        raise BadClaim(f"gap must return an int or a Fraction; got {shown} for {_short(instance)}{why}")
    return Fraction(int(value.numerator), int(value.denominator))


def _is_exact(value: Any) -> bool:
    """Whether it is a true rational: gmpy2's are; True is none, nor is what numpy has a part in."""
    return isinstance(value, numbers.Rational) and not isinstance(value, bool) and not _has_numpy(value)


def _has_numpy(value: Any) -> bool:
    """Whether it is numpy's, or a Fraction of numpy's integers, which wrap around as they do."""
    parts = (value, value.numerator, value.denominator) if isinstance(value, Fraction) else (value,)
    return any(isinstance(part, np.generic | np.ndarray) for part in parts)


def steady_gap(target: Target, instance: Any, watch: Watch, before: Fraction | None = None) -> Fraction:
    """The exact gap, asked twice, or once if ``before`` is what it was; BadClaim if the two differ.

    A gap that draws, counts its calls, or remembers would else be a miss or a find by chance.
    """
    first = exact_gap(target, instance, watch) if before is None else before
    again = exact_gap(target, instance, watch)
    if again != first:
        raise BadClaim(f"gap must depend on the instance alone; got {first}, then {again} for {_short(instance)}")
    return again


def scouted_gap(target: Target, instance: Any, watch: Watch) -> float:
    """The scout's gap in float."""
    assert target.fast_gap is not None
    try:
        value = _called(target.fast_gap, "fast_gap", instance, watch)
    except Undecided as unknown:
        watch.undecided += 1
        return unknown.guess
    number = _rounded(value) if isinstance(value, numbers.Real | np.bool_) else math.nan
    if not math.isfinite(number):
        raise BadClaim(f"fast_gap must return a finite number; got {repr(value)[:60]} for {_short(instance)}")
    return number


def _rounded(value: Any) -> float:
    """The nearest float, or one as large as is wanted."""
    try:
        return float(value)
    except OverflowError:
        return 1e300 if value > 0 else -1e300


def _called(function: Callable[[Any], Any], name: str, instance: Any, watch: Watch) -> Any:
    watch.touched, watch.call = time.monotonic(), (name, instance)
    try:
        return function(instance)
    except (BadClaim, Undecided):
        raise
    except (Exception, SystemExit) as error:  # whatever a user's file raises: the file is the input
        said = " ".join(str(error).split())[:200]
        raise BadClaim(f"{name} must not raise; got {type(error).__name__}: {said} for {_short(instance)}") from error
    finally:
        watch.call, watch.touched = None, time.monotonic()


def _short(instance: Any) -> str:
    text = " ".join(repr(instance).split())
    return text if len(text) <= 120 else text[:117] + "..."


def consider(target: Target, instance: Any, watch: Watch) -> float:
    """Try an instance: its scouted gap. Keeps a certified violation, and raises Stop for it, or when time is up.

    Where Hypothesis is to shrink it, the violation is only kept. Exact gaps of those near the bound, and of the
    closest so far, are asked twice.
    """
    watch.check_time()
    exactly = exact_gap(target, instance, watch) if target.fast_gap is None else None
    gap = scouted_gap(target, instance, watch) if exactly is None else _rounded(exactly)
    watch.tried += 1
    watch.largest = max(watch.largest, target.scale(instance))
    closest = gap > watch.best_gap
    if closest:
        watch.best, watch.best_gap, watch.best_exact = instance, gap, exactly
    if gap > -SLACK or (closest and exactly is not None):
        exactly = steady_gap(target, instance, watch, exactly)
        if closest:
            watch.best_exact = exactly
        certified = exactly > 0 and target.certify(instance, exactly) is not None
        watch.refused += exactly > 0 and not certified
        if certified:
            keep(target, instance, exactly, watch)
            if target.shrinks_itself:
                raise Stop
    return gap


def consider_smaller(target: Target, instance: Any, watch: Watch) -> bool:
    """While Hypothesis shrinks: whether this instance too violates the claim; raises Stop if time is up."""
    watch.check_time()
    watch.tried += 1
    exactly = exact_gap(target, instance, watch)
    if exactly > 0:
        keep(target, instance, exactly, watch)
    return exactly > 0


def keep(target: Target, instance: Any, gap: Fraction, watch: Watch) -> None:
    """Keep a violation if it is the first or smaller than the one that is there."""
    if watch.first_find is None:
        watch.first_find, watch.first_find_seconds = watch.tried, watch.spent
        watch.seconds = max(watch.seconds, watch.spent + LEAST_SHRINKING)
    if watch.violation is None or target.size(instance) < target.size(watch.violation):
        watch.violation, watch.violation_gap = instance, gap
