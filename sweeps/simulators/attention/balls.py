"""Segments with tails of any depth: events and violations found by ball arithmetic, with exact coefficients.

The state at the segment's start is exact, so every gap <B* x_i, x_j - x_l(i)> is a sum of exact integers times
products of two basis functions (clock.py); only these are enclosed. What is zero for ever has integers zero, and
dividing by the slowest product keeps signs that fade like 1/t^2. A sign left open at 2,048 bits is an exact tie as a
rule: it is then decided by exact stepping, or the search ends undecided.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from flint import arb, arb_mat, ctx, fmpq, fmpz, fmpz_mat

from exact import Undecided
from sweeps.simulators.attention.clock import Clock
from sweeps.simulators.attention.spectrum import Bound
from sweeps.simulators.attention.state import Form, State, Targets

BITS, BITS_MAX = 128, 2048
WORK = 20_000  # intervals looked at before a search gives up

CLEAR, OPEN, HIT = "clear", "open", "hit"
Test = Callable[[list[int], int, "int | None", int], list[str]]  # items, interval, bits -> CLEAR, OPEN or HIT


@dataclass(frozen=True)
class Chain:
    """A segment from ``start``: parts[a] are the classes' coefficients of basis function a, over 2 start.scale."""

    start: State
    h: int
    parts: tuple[fmpz_mat, ...]


def chain(state: State, moves: Targets) -> Chain | None:
    """The segment of a map with one leader each and cycles of length at most 2, from t >= 3; None for others."""
    if state.t < 3 or any(len(target) > 1 for target in moves):
        return None
    leader = [target[0] for target in moves]
    orbit = [list(range(len(leader))), leader]  # orbit[k][i] = l^k(i)
    while len(orbit) < 3 or orbit[-1] != orbit[-3]:
        if len(orbit) > len(leader) + 3:
            return None
        orbit.append([leader[c] for c in orbit[-1]])
    h = max(len(orbit) - 3, 1)
    twin = orbit[h + h % 2]  # the periodic class that has the same leader at level h
    return Chain(state, h, tuple(fmpz_mat(rows) for rows in _parts(state.places.tolist(), orbit, twin, h)))


def _parts(x: list[list[fmpz]], orbit: list[list[int]], twin: list[int], h: int) -> list[list[list[fmpz]]]:
    def row(sign: int, one: int, other: int) -> list[fmpz]:
        return [p + sign * q for p, q in zip(x[one], x[other], strict=True)]

    mean = [row(1, p, orbit[1][p]) for p in twin]
    swing = [row(-1, p, orbit[1][p]) for p in twin]
    tails = [[[2 * c for c in row(-1, o[i], o[p])] for i, p in enumerate(twin)] for o in orbit[:h]]
    return [mean, *reversed(tails), swing]


class Search:
    """Events and violations of one chain."""

    def __init__(self, piece: Chain, form: Form) -> None:
        self.piece = piece
        self._size = len(piece.parts)
        self.products = list(combinations_with_replacement(range(self._size), 2))
        images = [part * form.matrix for part in piece.parts]
        self.tables = [
            (images[a] * piece.parts[b].transpose() + (images[b] * piece.parts[a].transpose()) * (a != b)).tolist()
            for a, b in self.products
        ]
        self._clocks: dict[int, Clock] = {}
        self._scale = 4 * piece.start.scale**2 * form.scale

    def clock(self, bits: int) -> Clock:
        """The basis functions at a precision."""
        return self._clocks.setdefault(bits, Clock(self.piece.start.t, self.piece.h, bits))

    def limit_energy(self, i: int) -> fmpq:
        """<B* x_i, x_i> in the limit."""
        return fmpq(self.tables[0][i][i], self._scale)

    def energy(self, t: int) -> fmpq:
        """The largest <B* x_i, x_i> at t, in about 600 bits (not rounded outwards)."""
        rows = [[table[i][i] for table in self.tables] for i in range(len(self.tables[0]))]
        values = self._values((0, 0), rows, t, t, 640)
        assert values is not None
        tops = [v.mid().man_exp() for v in self._sums(rows, values, 640)]
        return max(fmpq(m) * fmpq(2) ** e for m, e in tops) / self._scale

    def next_event(
        self, moves: Targets, wins_ties: Callable[[int, int, int], bool], decide: Callable[[int], bool]
    ) -> int | None:
        """First t after the start at which the map is another, None: never. ``decide(t)`` says it exactly."""
        rows, ties = [], []
        for i, (leader,) in enumerate(moves):
            for j in range(len(moves)):
                gap = [table[i][j] - table[i][leader] for table in self.tables]
                if any(gap):
                    rows.append(gap)
                    ties.append(wins_ties(i, j, leader))
        leading = [self._leading(gap) for gap in rows]

        def test(items: list[int], a: int, b: int | None, bits: int) -> list[str]:
            answer = dict.fromkeys(items, OPEN)
            early = a < self.piece.start.t + self.piece.h  # some w_k is still zero
            for lead in {leading[i] for i in items}:
                group = [i for i in items if leading[i] == lead]
                values = self._values((0, 0) if early else lead, [rows[i] for i in group], a, b, bits)
                if values is not None:
                    for i, v in zip(group, self._sums([rows[i] for i in group], values, bits), strict=True):
                        hit = a == b and (v <= 0 if ties[i] else v < 0)
                        answer[i] = CLEAR if v > 0 or (v >= 0 and not ties[i]) else HIT if hit else OPEN
            return [answer[i] for i in items]

        return self._first(list(range(len(rows))), test, decide, None)

    def first_violation(self, bound: Bound, decide: Callable[[int], bool], until: int | None) -> int | None:
        """First t after the start with <B* x_i, x_i> t > 4 L D^2 for some i, looking up to ``until`` if given."""
        count = len(self.tables[0])
        rows = [[table[i][i] for table in self.tables] for i in range(count)]

        def test(items: list[int], a: int, b: int | None, bits: int) -> list[str]:
            values = self._values((0, 0), [rows[i] for i in items], a, b, bits)
            if values is None or b is None:
                return [OPEN] * len(items)
            with ctx.workprec(bits):
                allowed = _ball(bound.low).union(_ball(bound.high)) * self._scale
                t = arb(a).union(arb(b))
                slack = [allowed - t * v for v in self._sums([rows[i] for i in items], values, bits)]
            return [CLEAR if v >= 0 else HIT if a == b and v < 0 else OPEN for v in slack]

        return self._first(list(range(count)), test, decide, until)

    def _leading(self, row: list[fmpz]) -> tuple[int, int]:
        """The product that fades most slowly among those that occur."""
        return next(pair for pair, x in zip(self.products, row, strict=True) if x)

    def _values(
        self, lead: tuple[int, int], rows: list[list[fmpz]], a: int, b: int | None, bits: int
    ) -> list[arb] | None:
        """Products of basis functions over the leading one; None if one that occurs has no finite enclosure."""
        clock = self.clock(bits)
        values = []
        with ctx.workprec(bits):
            first, second = ([clock.ratio(x, y, a, b) for x in range(self._size)] for y in lead)
            for n, (x, y) in enumerate(self.products):
                one, other = first[x], second[y]
                if not any(row[n] for row in rows):
                    values.append(arb(0))
                elif one is None or other is None:
                    return None
                else:
                    values.append(one * other)
        return values

    @staticmethod
    def _sums(rows: list[list[fmpz]], values: list[arb], bits: int) -> list[arb]:
        with ctx.workprec(bits):
            return [row[0] for row in (arb_mat(rows) * arb_mat([[v] for v in values])).tolist()]

    def _first(self, items: list[int], test: Test, decide: Callable[[int], bool], until: int | None) -> int | None:
        """Least t at which an item is hit. Intervals double, each after a try to clear what is left for ever."""
        budget = [WORK]
        a = self.piece.start.t + 1
        while items and (until is None or a <= until):
            if a > self.piece.start.t + self.piece.h:
                items = [i for i, said in zip(items, test(items, a, None, BITS), strict=True) if said != CLEAR]
            b = a if a <= self.piece.start.t + 8 else 2 * a
            found = self._within(items, a, b if until is None else min(b, until), test, decide, budget)
            if found is not None:
                return found
            a = b + 1
        return None

    def _within(
        self, items: list[int], a: int, b: int, test: Test, decide: Callable[[int], bool], budget: list[int]
    ) -> int | None:
        budget[0] -= 1
        if budget[0] < 0:
            raise Undecided(f"no end of the search near t = {a} after {WORK} intervals")
        items = [i for i, said in zip(items, test(items, a, b, BITS), strict=True) if said != CLEAR] if items else []
        if not items:
            return None
        if a == b:
            return a if self._hit(items, a, test, decide) else None
        middle = (a + b) // 2
        found = self._within(items, a, middle, test, decide, budget)
        return self._within(items, middle + 1, b, test, decide, budget) if found is None else found

    def _hit(self, items: Sequence[int], t: int, test: Test, decide: Callable[[int], bool]) -> bool:
        """Whether an item is hit at t: at more and more bits, then exactly."""
        left, bits = list(items), BITS
        while left and bits <= BITS_MAX:
            said = test(left, t, t, bits)
            if HIT in said:
                return True
            left = [i for i, word in zip(left, said, strict=True) if word == OPEN]
            bits *= 2
        return decide(t) if left else False


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))
