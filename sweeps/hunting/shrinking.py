"""Our own shrinking of a certified violation: greedy steps to a local minimum of the target's size."""

from fractions import Fraction
from typing import Any

from sweeps.hunting.model import Target
from sweeps.hunting.watching import Watch, exact_gap


def shrink(target: Target, watch: Watch) -> bool:
    """Make ``watch.violation`` smaller while a smaller one is certified; whether a local minimum was reached.

    Every instance passed through violates the claim, certified, so that
    an interruption loses nothing.
    """
    while watch.spent < watch.seconds:
        if not _step(target, watch):
            return watch.spent < watch.seconds
    return False


def _step(target: Target, watch: Watch) -> bool:
    size = target.size(watch.violation)
    for candidate in target.smaller(watch.violation):
        watch.tick()
        if watch.spent >= watch.seconds:
            return False
        if target.size(candidate) < size and (gap := _violates(target, candidate, watch)) is not None:
            watch.violation, watch.violation_gap = candidate, gap
            return True
    return False


def _violates(target: Target, candidate: Any, watch: Watch) -> Fraction | None:
    gap = exact_gap(target, candidate, watch)
    return gap if gap > 0 and target.certify(candidate, gap) is not None else None
