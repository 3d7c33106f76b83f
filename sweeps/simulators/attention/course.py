"""The whole motion from leader change to leader change: events, the first violation, the segment that lasts for ever.

A few steps are taken one by one after each event; then the rest of the segment is passed in one jump, by polynomials
(rational.py) where they suffice, by balls (balls.py) where tails are deeper. Where neither applies, steps go on one by
one, up to a limit.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

from flint import fmpq, fmpz_mat

from exact import Undecided
from sweeps.simulators.attention import balls, rational, rounded
from sweeps.simulators.attention import state as states
from sweeps.simulators.attention.problem import Problem
from sweeps.simulators.attention.spectrum import bound
from sweeps.simulators.attention.state import Averaging, Form, State, Targets

QUIET = 2  # steps without an event before a jump is tried
KEPT = 1_000  # states up to this t are kept
# some starts chatter for ever: single steps that are taken if the first violation is known, if it is not, then rounded
PATIENCE, MORE_PATIENCE, ROUNDED = 2_000, 5_000, 100_000
STEPS = 20_000  # the furthest t of an exact state behind deep tails; it grows by about 2 bits a step


@dataclass
class Course:
    """What is known of a motion.

    ``events``: each t at which the leader map changes, 0 among them. ``first``: the first state that breaks the claim,
    or None; ``excess``: by what factor less one, in about 15 digits. ``settled``: no event follows the last, ever;
    ``reached``: where single steps ended. ``state`` and ``moves`` are those of the last segment, ``limit`` the classes'
    limits (over ``limit_scale``) if settled. ``passed``: the states up to t = 1000 that were not jumped over.
    ``doubt``: why the search ended undecided.
    """

    events: list[int] = field(default_factory=list)
    first: int | None = None
    settled: bool = False
    reached: int = 0
    state: State | None = None
    moves: Targets = ()
    limit: fmpz_mat | None = None
    limit_scale: int = 1
    excess: float = 0.0
    passed: list[State] = field(default_factory=list)
    doubt: str = ""

    def base(self, t: int) -> State | None:
        """The last kept state up to t, if no leader changes between it and t: what x^t is known from."""
        kept = [state for state in self.passed if state.t <= t]
        if not kept or (not self.settled and t > self.reached):
            return None
        return None if any(kept[-1].t < event <= t for event in self.events) else kept[-1]


class _Violation:
    """Compares with 4 L D^2, narrowing its enclosure as often as it takes."""

    def __init__(self, problem: Problem) -> None:
        self._problem, self._bits = problem, 192
        self.bound = bound(problem, self._bits)

    def agreed(self, find: Callable[[Fraction], int | None]) -> int | None:
        """What ``find`` says of 4 L D^2, once both ends of an enclosure give the same."""
        while True:
            low, high = find(self.bound.low), find(self.bound.high)
            if low == high:
                return low
            self._bits *= 2
            self.bound = bound(self._problem, self._bits)

    def over(self, energy: fmpq, t: int) -> float:
        """<B* x, x> t over 4 L D^2, less one, in about 15 digits: for the reader, nothing is decided by it."""
        ratio = energy * t / fmpq(self.bound.low.numerator, self.bound.low.denominator) - 1
        return float(Fraction(int(ratio.p), int(ratio.q)))

    def excess(self, state: State, gram: fmpz_mat, form: Form) -> float:
        """The same for the token of largest energy in a state."""
        return self.over(_top_energy(state, gram, form), state.t)

    def in_state(self, state: State, gram: fmpz_mat, form: Form) -> bool:
        """Whether state t >= 1 breaks the claim."""
        energy = _top_energy(state, gram, form) * state.t
        return self.agreed(lambda limit: int(energy > fmpq(limit.numerator, limit.denominator))) == 1


def _top_energy(state: State, gram: fmpz_mat, form: Form) -> fmpq:
    return fmpq(max(gram[c, c] for c in range(gram.nrows())), state.scale**2 * form.scale)


def follow(problem: Problem) -> Course:
    """Follow an instance until no event can follow, or as far as it can be decided (then ``doubt`` says why)."""
    course = Course()
    try:
        _follow(problem, course)
    except Undecided as error:
        course.doubt = str(error)
    return course


def _follow(problem: Problem, course: Course) -> None:
    form, claim = states.form_of(problem), _Violation(problem)
    state, before, quiet, single = states.start(problem), None, 0, 0
    while not course.settled:
        gram = states.products(state, form)
        moves = states.targets(gram, problem.tie)
        leaders = states.leader_map(state, moves, problem.tie)
        quiet = quiet + 1 if leaders == before else 0
        if leaders != before:
            course.events.append(state.t)
        if course.first is None and state.t and claim.in_state(state, gram, form):
            course.first, course.excess = state.t, claim.excess(state, gram, form)
        before, course.state, course.moves, course.reached = leaders, state, moves, state.t
        if state.t <= KEPT:
            course.passed.append(state)
        p = states.averaging(state, moves)
        landed = _jump(problem, course, claim, form, p) if quiet >= QUIET else None
        single += landed is None
        if not course.settled and single > (MORE_PATIENCE if course.first is None else PATIENCE):
            if course.first is None:
                _step_rounded(problem, course, claim, form, leaders)
            raise Undecided(f"leaders still change at t = {course.reached}, after {single} single steps")
        state = landed or states.step(state, p)


def _step_rounded(problem: Problem, course: Course, claim: _Violation, form: Form, leaders: Targets) -> None:
    """Go on from the last exact state to the first violation, in rounded integers."""
    assert course.state is not None
    for seen in islice(rounded.steps(course.state, form, claim.bound), ROUNDED):
        before, leaders = leaders, states.leader_map(course.state, seen.moves, problem.tie)
        course.reached = seen.t
        if leaders != before:
            course.events.append(seen.t)
        if seen.breaks:
            course.first = seen.t
            return


def _jump(problem: Problem, course: Course, claim: _Violation, form: Form, p: Averaging) -> State | None:
    """The state at the next event, or None: settled (``course`` says so) or no closed form."""
    assert course.state is not None
    piece = rational.segment(course.state, p)
    if piece is not None:
        return _pass_rational(problem, course, claim, form, piece)
    links = balls.chain(course.state, course.moves)
    if links is not None:
        return _pass_chain(problem, course, claim, form, links)
    return None


def _pass_rational(
    problem: Problem, course: Course, claim: _Violation, form: Form, piece: rational.Segment
) -> State | None:
    table = rational.gram(piece, form)
    event = rational.next_event(piece, table, course.moves, problem.tie)
    if course.first is None:
        first = claim.agreed(lambda limit: rational.first_violation(piece, table, form, limit, event))
        if first is not None:
            state = piece.at(first)
            course.first, course.excess = first, claim.excess(state, states.products(state, form), form)
    if event is not None:
        return piece.at(event)
    course.settled, course.limit, course.limit_scale = True, piece.parts[4], int(piece.scale)
    return None


def _pass_chain(problem: Problem, course: Course, claim: _Violation, form: Form, links: balls.Chain) -> State | None:
    search = balls.Search(links, form)
    walk = Walk(links.start, course.moves)

    def departs(t: int) -> bool:
        return states.targets(states.products(walk.at(t), form), problem.tie) != course.moves

    def breaks(t: int) -> bool:
        return claim.in_state(walk.at(t), states.products(walk.at(t), form), form)

    def wins(i: int, j: int, leader: int) -> bool:
        return rational.wins_ties(i, j, leader, problem.tie)

    event = search.next_event(course.moves, wins, departs)
    rises = any(search.limit_energy(c) > 0 for c in range(len(course.moves)))
    if course.first is None and (event is not None or rises):
        course.first = search.first_violation(claim.bound, breaks, None if event is None else event - 1)
        if course.first is not None:
            course.excess = claim.over(search.energy(course.first), course.first)
    if event is not None:
        return walk.at(event)
    course.settled, course.limit, course.limit_scale = True, links.parts[0], int(2 * links.start.scale)
    return None


def state_at(problem: Problem, course: Course, t: int) -> State:
    """x^t exactly, where ``course`` knows it; ValueError elsewhere, Undecided beyond exact steps."""
    base = course.base(t)
    if base is None:
        raise ValueError(f"t must be at most {KEPT} or after the last leader change; got {t}")
    moves = states.targets(states.products(base, states.form_of(problem)), problem.tie)
    piece = rational.segment(base, states.averaging(base, moves)) if base.t < t else None
    return piece.at(t) if piece is not None else Walk(base, moves).at(t)


class Walk:
    """Exact states of a segment with a fixed leader map, by single steps."""

    def __init__(self, state: State, moves: Targets) -> None:
        self._start, self._moves = state, moves
        self._last = state

    def at(self, t: int) -> State:
        """The state at t, if it is not too far for exact steps."""
        if t > STEPS:
            raise Undecided(f"t = {t} is decided by exact steps only, which end at t = {STEPS}")
        state = self._last if self._last.t <= t else self._start
        p = states.averaging(state, self._moves)
        while state.t < t:
            state = states.advanced(state, p)
        self._last = state
        return states.merged(state)
