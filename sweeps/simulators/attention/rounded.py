"""Single steps in integers rounded outward, for starts whose leaders change at nearly every step without end.

Exact states grow by about two bits a step; here a state is integers over 2^bits with one bound on their error.
Averages do not enlarge errors, so a step adds one unit. Whatever the error leaves open is tried again with more bits
from the exact start, and in the end raises Undecided: an exact tie as a rule.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpz, fmpz_mat

from exact import Undecided
from sweeps.simulators.attention.spectrum import Bound
from sweeps.simulators.attention.state import Form, State, Targets, averaging

BITS, BITS_MAX = 256, 2048


@dataclass(frozen=True)
class Seen:
    """Step t: where each class moves, and whether the state certainly breaks the claim."""

    t: int
    moves: Targets
    breaks: bool


class _Open(Exception):  # noqa: N818 - not an error: more bits are needed
    """The error bound leaves a comparison open."""


def steps(start: State, form: Form, limit: Bound) -> Iterator[Seen]:
    """Steps from the exact ``start`` on, its own among them; raises Undecided where 2,048 bits do not decide."""
    done, bits = start.t - 1, BITS
    while bits <= BITS_MAX:
        try:
            for seen in _at(start, form, limit, bits):
                if seen.t > done:
                    yield seen
                    done = seen.t
        except _Open:
            bits *= 2
    raise Undecided(f"a comparison at t = {done + 1} is open at {BITS_MAX} bits: an exact tie, or nearly one")


def _at(start: State, form: Form, limit: Bound, bits: int) -> Iterator[Seen]:
    rows = [[(x << bits) // start.scale for x in row] for row in start.places.tolist()]
    weight = sum((abs(x) for x in form.matrix.entries()), fmpz(0))
    t, radius = start.t, 1
    while True:
        places = fmpz_mat(rows)
        gram = places * form.matrix * places.transpose()
        largest = max(abs(x) for row in rows for x in row)
        margin = 4 * radius * weight * (largest + radius)
        moves = tuple((_leader(row, margin),) for row in gram.tolist())
        top = max(gram[i, i] for i in range(len(rows)))
        yield Seen(t, moves, _above(top * t, margin * t, limit, fmpz(form.scale << (2 * bits))))
        moved = places * t + averaging(start, moves).matrix * places * 2
        rows = [[x // (t + 2) for x in row] for row in moved.tolist()]
        t, radius = t + 1, radius + 1


def _leader(row: list[fmpz], margin: fmpz) -> int:
    """The class of least score, if it is less than any other's for certain: without a tie all rules say the same."""
    best = row.index(min(row))
    if any(score - row[best] <= margin for j, score in enumerate(row) if j != best):
        raise _Open
    return best


def _above(energy: fmpz, margin: fmpz, limit: Bound, unit: fmpz) -> bool:
    low, high = limit.low, limit.high
    if (energy - margin) * high.denominator > high.numerator * unit:
        return True
    if (energy + margin) * low.denominator <= low.numerator * unit:
        return False
    raise _Open
