"""The attention claim as a target: tokens that break J(x^{t+1}) <= 2 L D^2/(t+1), as early as may be or later than T.

Tokens are pairwise different and span their space (those in a hyperplane are an instance of fewer dimensions), so
d + 1 are the fewest. A find does not hang on the tie rule: all three give the same first violation.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import Any

import numpy as np

import exact
from exact import certificates
from sweeps.hunting import kernels
from sweeps.hunting.model import Certificate, Target
from sweeps.simulators.attention import SIMULATOR
from sweeps.simulators.attention.simulate import simulate

Points = tuple[tuple[int, ...], ...]
STEPS = 1_000  # of the scout where no --after asks for more
LATER = 30  # the scout looks so many times further than --after
MOST = 200_000  # steps of the scout; what lies later is asked exactly
BOX = 60  # local moves keep coordinates within this
ANEW = 500
NOT_AN_INSTANCE = -1e3
LEAST_WORK = 20
WARM = ((-9, 4), (1, 0), (-2, -7))


def frank_wolfe(*, after: int = 0, d: int = 2) -> Target:
    """The published theorem, with B* = I, ties to the lowest index; ``after``: first violation at a label t > after."""
    late = f", with its first violation later than t = {after}" if after else ""
    return Target(
        name=SIMULATOR.claim.id,
        statement=SIMULATOR.claim.statement + late,
        instances=lambda: instances(d),
        gap=lambda points: gap(points, after),
        fast_gap=lambda points: fast_gap(points, after),
        move=move,
        certify=lambda points, _gap: certify(points),
        smaller=lambda points: smaller(points, after),
        size=lambda points: size(points, after),
        describe=describe,
        example=lambda points: f"@example(tokens={points})",
        test=source_of_test,
        pack=lambda points: [[str(x) for x in row] for row in points],
        scale=len,
        scale_name="tokens",
        work=lambda points: work(points, after),
        warm=warm,
    )


def instances(d: int) -> Any:
    """Token configurations in d dimensions, from Hypothesis."""
    from sweeps.strategies import token_configurations

    return token_configurations(d=d, max_tokens=d + 5).map(lambda tokens: tokens.points)


@lru_cache(maxsize=4096)
def is_instance(points: Points) -> bool:
    """Whether the tokens differ pairwise, span their space and have the origin in their hull."""
    if len(set(points)) < len(points) or len(points) <= len(points[0]) or not _spans(points):
        return False
    return exact.hull([tuple(map(Fraction, row)) for row in points]).weights is not None


def _spans(points: Points) -> bool:
    """Whether the differences to the first have full rank: by elimination in integers."""
    rows = [[x - y for x, y in zip(row, points[0], strict=True)] for row in points[1:]]
    for c in range(len(points[0])):
        pivot = next((r for r in rows if r[c]), None)
        if pivot is None:
            return False
        rows = [[x * pivot[c] - p * r[c] for x, p in zip(r, pivot, strict=True)] for r in rows if r is not pivot]
    return True


@lru_cache(maxsize=4096)
def first_violation(points: Points) -> int | None:
    """The first state above the bound, exactly; None if there is none, or if the tie rules do not agree on it."""
    first = simulate(points, tie="low").first_violation
    agree = first is not None and all(simulate(points, tie=tie).first_violation == first for tie in ("stay", "avg"))
    return first if agree else None


def gap(points: Points, after: int) -> Fraction:
    """How far the claim is violated at its first violation, relative to the bound; not positive if that is too early.

    Positive iff there is a first violation, at a label later than ``after``.
    """
    if not is_instance(points):
        return Fraction(-1000)
    k = first_violation(points)
    if k is None:
        return Fraction(-1)
    return Fraction(k - 1 - after, k - 1)


def fast_gap(points: Points, after: int) -> float:
    """The scout: nearness of the energy to its bound, or lateness on a logarithmic scale."""
    if not is_instance(points):
        return NOT_AN_INSTANCE
    first, near = scouted(points, steps_for(after))
    if not after:
        return near - 1 if first < 0 else 1 / first
    if first < 0:
        return math.log(LATER)  # perhaps never: the exact answer knows
    return math.log(max(first - 1, 1) / after)


def steps_for(after: int) -> int:
    """How far the scout looks."""
    return min(LATER * after, MOST) if after else STEPS


def work(points: Points, after: int) -> int:
    """What the scout's steps cost, up to the violation where it sees one; 10^4 products are a unit."""
    if not is_instance(points):
        return LEAST_WORK
    first = scouted(points, steps_for(after))[0]
    steps = first if first >= 0 else steps_for(after)
    return LEAST_WORK + steps * len(points) ** 2 * len(points[0]) // 10_000


def warm() -> None:
    """Call the scout and the exact simulator once."""
    scouted(WARM, STEPS)
    first_violation(WARM)


@lru_cache(maxsize=4096)
def scouted(points: Points, steps: int) -> tuple[int, float]:
    """First state seen above the bound, or -1; the largest quotient of energy and bound."""
    X, out = np.array(points, dtype=np.float64), np.zeros(1)
    spread = max(float(((X - x) ** 2).sum(axis=1).max()) for x in X)
    first = kernels.closeness(X, np.eye(X.shape[1]), steps, 0, 2.0 * spread, out)
    return int(first), float(out[0])


def move(points: Points, rng: Any) -> Points:
    """One coordinate a little different, a token anew, one dropped or one added."""
    rows = [list(row) for row in points]
    kind, i = rng.integers(8), rng.integers(len(rows))
    if kind == 0 and len(rows) > len(rows[0]) + 1:
        del rows[i]
    elif kind == 1 and len(rows) < len(rows[0]) + 6:
        rows.append([int(x) for x in rng.integers(-9, 10, len(rows[0]))])
    elif kind == 2:
        rows[i] = [int(x) for x in rng.integers(-9, 10, len(rows[0]))]
    else:
        c, by = rng.integers(len(rows[0])), int(rng.integers(1, 4)) * (1 if rng.random() < 0.5 else -1)
        rows[i][c] = max(-BOX, min(BOX, rows[i][c] + by))
    return tuple(tuple(row) for row in rows)


def certify(points: Points) -> Certificate | None:
    """The certificate of the first violation, if the independent checker accepts it."""
    k = first_violation(points)
    if k is None:
        return None
    made = certificates.first_violation(points, k1=k)
    try:
        exact.check(made)
    except exact.verify.Rejected:
        return None
    return made


def size(points: Points, after: int) -> tuple[Any, ...]:
    """Fewer tokens, then fewer digits, then an earlier violation (and smaller numbers)."""
    numbers = [abs(x) for row in points for x in row]
    k = first_violation(points) if is_instance(points) else None
    digits = max(len(str(x)) for x in numbers)
    return len(points), digits, k if k is not None else math.inf, sum(numbers), tuple(sorted(points)), after


def smaller(points: Points, after: int) -> Iterator[Points]:
    """A token less, half the numbers, other values of a coordinate, two coordinates a little different.

    Candidates whose scouted violation is no better than what is there are left out: the scout may err by a state.
    """
    most = first_violation(points) or STEPS
    for candidate in _candidates(points):
        if candidate == points or not is_instance(candidate):
            continue
        limit = most if len(candidate) == len(points) and _digits(candidate) == _digits(points) else 200 * most
        first = scouted(candidate, min(limit, MOST) + 1)[0]
        if first > after or (first < 0 and limit >= MOST):
            yield candidate


def _digits(points: Points) -> int:
    return max(len(str(abs(x))) for row in points for x in row)


def _candidates(points: Points) -> Iterator[Points]:
    for i in range(len(points)):
        yield points[:i] + points[i + 1 :]
    for divisor in (10, 5, 3, 2):
        yield tuple(tuple(round(Fraction(x, divisor)) for x in row) for row in points)
    places = [(i, c) for i in range(len(points)) for c in range(len(points[0]))]
    for place in places:
        for x in range(-9, 10):
            yield _with(points, {place: x})
    if len(points) > len(points[0]) + 1 or _digits(points) > 1:
        yield from _anew(len(points[0]))
    for one, two in combinations(places, 2):
        for by, also in product((-2, -1, 1, 2), repeat=2):
            yield _with(points, {one: points[one[0]][one[1]] + by, two: points[two[0]][two[1]] + also})


def _anew(d: int) -> Iterator[Points]:
    """d + 1 tokens of one digit, drawn anew (the same ones each time): where cutting down does not lead there."""
    for rows in np.random.default_rng(0).integers(-9, 10, (ANEW, d + 1, d)).tolist():
        yield tuple(map(tuple, rows))


def _with(points: Points, values: dict[tuple[int, int], int]) -> Points:
    return tuple(tuple(values.get((i, c), x) for c, x in enumerate(row)) for i, row in enumerate(points))


def describe(points: Points, certificate: Certificate | None) -> str:
    """One line: the tokens and the state that breaks the bound."""
    shown = ", ".join("(" + ",".join(map(str, row)) + ")" for row in points)
    return f"tokens {shown}" + (f": first violation at state {certificate['k1']}" if certificate else "")


def source_of_test(points: Points, certificate: Certificate) -> str:
    """A test that these tokens fail."""
    return (
        f'"""{describe(points, certificate)}."""\n\nimport sweeps\n\n\n'
        "def test_energy_stays_below_its_bound_for_ever():\n"
        f'    answer = sweeps.simulate("attention", {points})\n'
        "    assert answer.first_violation is None\n"
    )
