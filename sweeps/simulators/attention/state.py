"""Exact states: distinct positions over one common denominator, leaders with ties, single steps.

Tokens at the same place stay together for ever, so a state holds each place once ("class"), ordered by its lowest
token. Integer matrices of python-flint do the arithmetic.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import lcm

from flint import fmpz, fmpz_mat

from sweeps.simulators.attention.problem import Problem, Rows

Targets = tuple[tuple[int, ...], ...]  # for each class (or token) those it moves towards the mean of


@dataclass(frozen=True)
class Form:
    """B* = matrix / scale in integers."""

    matrix: fmpz_mat
    scale: int


@dataclass(frozen=True)
class State:
    """x^t: row c of ``places`` over ``scale`` is the position of class c; ``owner[i]`` is the class of token i."""

    t: int
    places: fmpz_mat
    scale: fmpz
    owner: tuple[int, ...]

    def members(self) -> list[list[int]]:
        """Tokens of each class, in order."""
        found: list[list[int]] = [[] for _ in range(self.places.nrows())]
        for token, c in enumerate(self.owner):
            found[c].append(token)
        return found

    def rows(self) -> list[list[Fraction]]:
        """Positions of the tokens."""
        scale = int(self.scale)
        table = [[Fraction(int(x), scale) for x in row] for row in self.places.tolist()]
        return [table[c] for c in self.owner]


def form_of(problem: Problem) -> Form:
    """B* in integers."""
    return Form(*_integers(problem.b))


def start(problem: Problem) -> State:
    """x^0."""
    places, scale = _integers(problem.tokens)
    return merged(State(0, places, fmpz(scale), tuple(range(len(problem.tokens)))))


def _integers(rows: Rows) -> tuple[fmpz_mat, int]:
    scale = lcm(*(x.denominator for row in rows for x in row))
    return fmpz_mat([[int(x * scale) for x in row] for row in rows]), scale


def merged(state: State) -> State:
    """The same state with equal places made one and the common factor taken out."""
    table = state.places.tolist()
    classes: dict[tuple[fmpz, ...], int] = {}
    new = [classes.setdefault(tuple(table[c]), len(classes)) for c in state.owner]
    return reduced(State(state.t, fmpz_mat([list(row) for row in classes]), state.scale, tuple(new)))


def products(state: State, form: Form) -> fmpz_mat:
    """<B* x_i, x_j> of all classes, times form.scale and the square of state.scale."""
    return state.places * form.matrix * state.places.transpose()


def targets(gram: fmpz_mat, tie: str) -> Targets:
    """Where each class moves: the classes that minimise <B* x_c, .>, by the tie rule (see Problem)."""
    return tuple(RULES[tie](c, row, min(row)) for c, row in enumerate(gram.tolist()))


def _low(_: int, row: list[fmpz], least: fmpz) -> tuple[int, ...]:
    return (row.index(least),)


def _avg(_: int, row: list[fmpz], least: fmpz) -> tuple[int, ...]:
    return tuple(j for j, score in enumerate(row) if score == least)


def _stay(c: int, row: list[fmpz], least: fmpz) -> tuple[int, ...]:
    return (c,) if row[c] == least else (row.index(least),)


RULES: dict[str, Callable[[int, list[fmpz], fmpz], tuple[int, ...]]] = {"low": _low, "avg": _avg, "stay": _stay}


def leader_map(state: State, moves: Targets, tie: str) -> Targets:
    """The leader map in terms of tokens, whose changes are the events."""
    members = state.members()
    if tie == "avg":
        sets = [tuple(sorted(i for c in target for i in members[c])) for target in moves]
        return tuple(sets[c] for c in state.owner)
    first = [group[0] for group in members]
    own = tie == "stay"
    return tuple((i if own and moves[c] == (c,) else first[moves[c][0]],) for i, c in enumerate(state.owner))


@dataclass(frozen=True)
class Averaging:
    """The stochastic matrix P = matrix / scale that sends each class to its target."""

    matrix: fmpz_mat
    scale: int


def averaging(state: State, moves: Targets) -> Averaging:
    """P of a leader map; tied classes weigh as many as they hold tokens."""
    size = [len(group) for group in state.members()]
    totals = [sum(size[c] for c in target) if len(target) > 1 else 1 for target in moves]
    scale = lcm(*totals)
    rows = [[0] * len(size) for _ in size]
    for c, (target, total) in enumerate(zip(moves, totals, strict=True)):
        for j in target:
            rows[c][j] = scale // total * (size[j] if len(target) > 1 else 1)
    return Averaging(fmpz_mat(rows), scale)


def step(state: State, p: Averaging) -> State:
    """The state at t + 1, equal places merged."""
    return merged(advanced(state, p))


def advanced(state: State, p: Averaging) -> State:
    """x^{t+1} = (t x^t + 2 P x^t)/(t + 2), each class kept, the common factor taken out."""
    places = state.places * (state.t * p.scale) + p.matrix * state.places * 2
    return reduced(State(state.t + 1, places, state.scale * p.scale * (state.t + 2), state.owner))


def reduced(state: State) -> State:
    """The same state with the common factor of places and scale taken out."""
    common = reduce(lambda g, x: g.gcd(x), state.places.entries(), state.scale)
    places = fmpz_mat([[x // common for x in row] for row in state.places.tolist()])
    return State(state.t, places, state.scale // common, state.owner)
