"""The three answers about an instance, kept apart: violated by the horizon, violated eventually, or never.

Dichotomy (constant B*). If the hull K^t meets ker B* for every t, J(x^k) <= (2/3) L D^2/k for all k: the claim holds.
If it misses ker B* at one t, take h with <h, B* x_j> >= 1 for all j: <B* x, x> >= 1/<B* h, h> on K^t, and K^t only
shrinks, so every token violates at every k >= t with k > 4 L D^2 <B* h, h>.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from flint import fmpq, fmpz, fmpz_mat

import exact
from exact.matrix import is_positive_definite
from sweeps.simulators.attention import rational
from sweeps.simulators.attention import state as states
from sweeps.simulators.attention.course import Course, Walk, follow
from sweeps.simulators.attention.problem import Problem
from sweeps.simulators.attention.spectrum import bound
from sweeps.simulators.attention.state import Form, State

Vector = tuple[Fraction, ...]
DOUBLINGS = 256  # how far past the last event a separating time is looked for
NEAR = 256  # the same where states are reached by single steps


@dataclass(frozen=True)
class Separation:
    """At state ``t`` <separator, B* x_j> >= 1 for all tokens: every token violates at every state k >= ``from_k``."""

    t: int
    separator: Vector
    from_k: int


@dataclass(frozen=True)
class Rest:
    """Why the hull meets ker B* for ever, as seen at ``state``; ``name`` is the checker's word for it, or empty."""

    name: str
    state: int
    sentence: str


@dataclass(frozen=True)
class Outcome:
    """What is known of an instance. ``eventual``: violated (then ``separation``), never (``rest``) or undecided."""

    problem: Problem
    course: Course
    eventual: str
    separation: Separation | None
    rest: Rest | None

    @property
    def first(self) -> int | None:
        """k1, the first state that breaks the claim."""
        return self.course.first

    @property
    def reason(self) -> str:
        """Why ``eventual`` is what it is."""
        if self.separation is not None:
            return f"the hull misses {kernel_name(self.problem)} at state {self.separation.t}"
        if self.rest is not None:
            return self.rest.sentence
        return self.course.doubt or f"the limit is away from {kernel_name(self.problem)}, no separating state is known"

    @property
    def violated_by_horizon(self) -> bool | None:
        """Whether a violation is labelled at most the horizon; None: not known."""
        label = self.problem.label
        if self.first is not None:
            return label(self.first) <= self.problem.horizon
        if self.eventual == "never" or label(self.course.reached) >= self.problem.horizon:
            return False
        if self.separation is not None and label(self.separation.from_k) <= self.problem.horizon:
            return True
        return None

    @cached_property
    def lost_at(self) -> int | None:
        """The first state whose hull misses ker B*, if it was passed by single steps; found by the exact hull test."""
        passed = self.course.passed
        inside, outside = -1, len(passed)  # hulls are nested: bisect
        while outside - inside > 1:
            middle = (inside + outside) // 2
            if _meets_kernel(self.problem, passed[middle]):
                inside = middle
            else:
                outside = middle
        if outside == len(passed) or (outside and passed[outside].t != passed[inside].t + 1):
            return None
        return passed[outside].t


def outcome(problem: Problem) -> Outcome:
    """Decide an instance, exactly; ``eventual`` is "undecided" where a search ended without an answer."""
    course = follow(problem)
    assert course.state is not None
    separation = _separation(problem, course)
    if separation is not None:
        return Outcome(problem, course, "violated", separation, None)
    rest = _never(problem, course)
    return Outcome(problem, course, "never" if rest else "undecided", None, rest)


def kernel_name(problem: Problem) -> str:
    """ker B* in words."""
    return "the origin" if is_positive_definite(problem.b) else "the kernel of B*"


def _never(problem: Problem, course: Course) -> Rest | None:
    """Why the hull meets ker B* for ever, if it is known to."""
    assert course.state is not None
    for state in course.passed:
        found = _resting(problem, state)
        if found is not None:
            return found
    if not course.settled or course.limit is None or _least(states.form_of(problem), course.limit, 1)[1]:
        return None
    t = course.state.t
    name = "closed form" if all(len(target) == 1 for target in course.moves) else ""
    return Rest(name, t, f"the tokens tend to {kernel_name(problem)}, and no leader changes after t = {t}")


def _resting(problem: Problem, state: State) -> Rest | None:
    """A token in ker B*, which ties with all, that the rule keeps where it is: by 'stay', or as the lowest of all."""
    field = (state.places * states.form_of(problem).matrix).tolist()
    where = f"{kernel_name(problem)} from state {state.t} on"
    if not any(map(any, field)):
        return Rest("collapse", state.t, f"all tokens are at {where}")
    for c, group in enumerate(state.members()):
        if not any(field[c]) and (problem.tie == "stay" or (problem.tie == "low" and c == 0)):
            return Rest("kept token", state.t, f"x_{group[0] + 1} rests at {where}")
    if problem.tie == "avg" and _antipodal(problem, state):
        return Rest("antipodal", state.t, f"the tokens are symmetric about a point at {where}")
    return None


def _antipodal(problem: Problem, state: State) -> bool:
    """Whether the reflection in the classes' mean, a point of ker B*, keeps the tokens; under 'avg' it always will."""
    rows = state.places.tolist()
    twice = [2 * sum(column, fmpz(0)) for column in zip(*rows, strict=True)]
    if any((fmpz_mat([twice]) * states.form_of(problem).matrix).entries()):
        return False
    sizes = {tuple(x * len(rows) for x in row): len(group) for row, group in zip(rows, state.members(), strict=True)}
    return {tuple(c - x for c, x in zip(twice, row, strict=True)): size for row, size in sizes.items()} == sizes


def _separation(problem: Problem, course: Course) -> Separation | None:
    """A hull that misses ker B*, as sharp as the common limit (the point of least energy) makes it."""
    assert course.state is not None
    if not course.settled or course.limit is None:
        return _by_hull_test(problem, course.state)
    point, least = _least(states.form_of(problem), course.limit, course.limit_scale)
    return _sharpest(problem, point, least, _later(course)) if least else None


def _least(form: Form, places: fmpz_mat, scale: fmpz | int) -> tuple[list[fmpq], fmpq]:
    """The place of least energy <B* x, x> and that energy."""
    products = places * form.matrix * places.transpose()
    energies = [products[c, c] for c in range(places.nrows())]
    c = energies.index(min(energies))
    return [fmpq(x, scale) for x in places.tolist()[c]], fmpq(energies[c], form.scale) / scale**2


def _sharpest(problem: Problem, point: list[fmpq], least: fmpq, later: Iterable[State]) -> Separation | None:
    """With h in the direction of a point m of energy ``least``: the state that gives the smallest from_k.

    Where g = min_j <B* m, x_j> > 0, h = m/g separates, and 4 L D^2 <B* h, h> = 4 L D^2 <B* m, m>/g^2.
    """
    high, form = bound(problem).high, states.form_of(problem)
    theta = fmpq(high.numerator, high.denominator) * least
    common = lcm(*(int(x.q) for x in point))
    image = form.matrix * fmpz_mat([[x.p * (common // x.q)] for x in point])
    best: Separation | None = None
    for state in later:
        g = fmpq(min((state.places * image).entries()), state.scale * form.scale * common)
        if g > 0:
            k = max(state.t, int((theta / g**2).floor()) + 1)
            if best is None or k < best.from_k:
                best = Separation(state.t, tuple(_fraction(x / g) for x in point), k)
            if g == least or state.t >= best.from_k:
                break
    return best


def _later(course: Course) -> Iterator[State]:
    """States passed one by one, then those of the last segment at distances that double."""
    assert course.state is not None
    yield from course.passed
    p = states.averaging(course.state, course.moves)
    piece = rational.segment(course.state, p)
    walk = Walk(course.state, course.moves)
    for power in range(DOUBLINGS if piece else NEAR.bit_length()):
        t = course.state.t + 2**power
        yield piece.at(t) if piece else walk.at(t)


def _by_hull_test(problem: Problem, state: State) -> Separation | None:
    """By the token of least energy if it separates, else by the hull test's vector, if there is one."""
    point, least = _least(states.form_of(problem), state.places, state.scale)
    sharp = _sharpest(problem, point, least, [state]) if least else None
    found = exact.hull(_image(problem, state)).separator
    if sharp is not None or found is None:
        return sharp
    norm = sum(
        (a * x * b for a, row in zip(found, problem.b, strict=True) for x, b in zip(row, found, strict=True)),
        Fraction(0),
    )
    return Separation(state.t, found, max(state.t, int(bound(problem).high * norm) + 1))


def _meets_kernel(problem: Problem, state: State) -> bool:
    return exact.hull(_image(problem, state)).weights is not None


def _image(problem: Problem, state: State) -> list[Vector]:
    """B* x_j of the classes."""
    form = states.form_of(problem)
    scale = state.scale * form.scale
    return [tuple(_fraction(fmpq(x, scale)) for x in row) for row in (state.places * form.matrix).tolist()]


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
