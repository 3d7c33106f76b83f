"""Positions and energies at chosen times, as floats, for pictures: taken from exact states and balls."""

from collections.abc import Callable, Sequence

from flint import arb, arb_mat, ctx, fmpq

from sweeps.simulators.attention import balls, rational
from sweeps.simulators.attention import state as states
from sweeps.simulators.attention.outcome import Outcome
from sweeps.simulators.attention.state import State

Positions = list[list[float]]


def positions(found: Outcome, times: Sequence[int]) -> dict[int, Positions]:
    """The tokens' positions at those of ``times`` at which the course is known."""
    readers: dict[int, Callable[[int], Positions] | None] = {}
    known: dict[int, Positions] = {}
    for t in times:
        base = found.course.base(t)
        if base is None:
            continue
        if base.t == t:
            known[t] = _floats(base)
            continue
        if base.t not in readers:
            readers[base.t] = _reader(base, found)
        read = readers[base.t]
        if read is not None:
            known[t] = read(t)
    return known


def energies(found: Outcome, known: dict[int, Positions]) -> dict[int, float]:
    """The largest J(x) of a token at each time."""
    b = [[float(x) for x in row] for row in found.problem.b]

    def energy(x: list[float]) -> float:
        return sum(x[i] * b[i][j] * x[j] for i in range(len(x)) for j in range(len(x))) / 2

    return {t: max(energy(x) for x in rows) for t, rows in known.items()}


def _floats(state: State) -> Positions:
    return [[float(x) for x in row] for row in state.rows()]


def _reader(state: State, found: Outcome) -> Callable[[int], Positions] | None:
    form = states.form_of(found.problem)
    moves = states.targets(states.products(state, form), found.problem.tie)
    piece = rational.segment(state, states.averaging(state, moves))
    if piece is not None:
        return lambda t: _floats(piece.at(t))
    links = balls.chain(state, moves)
    if links is None:
        return None
    clock = balls.Search(links, form).clock(balls.BITS)

    def at(t: int) -> Positions:
        with ctx.workprec(balls.BITS):
            weights = [w / arb(fmpq(2 * state.scale)) for w in clock.at(t)]
            terms = [arb_mat(part) * w for part, w in zip(links.parts, weights, strict=True)]
            rows = [[float(x) for x in row] for row in sum(terms[1:], terms[0]).tolist()]
        return [rows[c] for c in state.owner]

    return at
