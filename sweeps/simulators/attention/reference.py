"""Plain stepping in Fractions, written from the definition: slow, exact, sharing no code with the rest.

``number`` may be another type (gmpy2.mpq is five times faster; float shows what rounding does); no code depends on it.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

Point = list[Fraction]
LeaderMap = tuple[tuple[int, ...], ...]


def _inner(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    return sum(a * b for a, b in zip(x, y, strict=True))  # type: ignore[return-value]


def image(b: Sequence[Sequence[Fraction]], x: Sequence[Fraction]) -> Point:
    """B x."""
    return [_inner(row, x) for row in b]


def leaders(tokens: Sequence[Point], b: Sequence[Sequence[Fraction]], tie: str) -> LeaderMap:
    """For each token the indices it moves towards (their mean): one, or all that tie under the rule avg."""
    found = []
    known: dict[tuple[Fraction, ...], list[Fraction]] = {}  # tokens at one place have the same scores
    for i, x in enumerate(tokens):
        if tuple(x) not in known:
            field = image(b, x)
            known[tuple(x)] = [_inner(field, y) for y in tokens]
        scores = known[tuple(x)]
        least = min(scores)
        tied = [j for j, score in enumerate(scores) if score == least]
        if tie == "avg":
            found.append(tuple(tied))
        elif tie == "stay" and i in tied:
            found.append((i,))
        else:
            found.append((tied[0],))
    return tuple(found)


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values) / len(values)  # type: ignore[return-value]


def step(tokens: Sequence[Point], targets: LeaderMap, gamma: Fraction) -> list[Point]:
    """x_i + gamma (y_i - x_i), y_i the mean of the tokens that i moves towards."""
    moved = []
    for x, target in zip(tokens, targets, strict=True):
        mean = [_mean([tokens[j][c] for j in target]) for c in range(len(x))]
        moved.append([a + gamma * (y - a) for a, y in zip(x, mean, strict=True)])
    return moved


def states(
    tokens: Sequence[Sequence[Fraction]], b: Sequence[Sequence[Fraction]], tie: str, number: Any = Fraction
) -> Iterator[tuple[int, list[Point], LeaderMap]]:
    """(t, x^t, leader map at t) for t = 0, 1, 2, ... with gamma_t = 2/(t+2)."""
    current = [[number(a) for a in x] for x in tokens]
    matrix = [[number(a) for a in row] for row in b]
    t = 0
    while True:
        targets = leaders(current, matrix, tie)
        yield t, current, targets
        current = step(current, targets, number(2) / (t + 2))
        t += 1


def energy(tokens: Sequence[Point], b: Sequence[Sequence[Fraction]]) -> Fraction:
    """The largest <B x, x>/2 of a token."""
    return max(_inner(image(b, x), x) for x in tokens) / 2


def replay(
    tokens: Sequence[Sequence[Any]],
    b: Sequence[Sequence[Any]],
    largest_eigenvalue: Any,
    tie: str,
    horizon: int,
    number: Any = Fraction,
) -> tuple[list[int], int | None, list[Point]]:
    """Events up to t = horizon, the first k <= horizon whose state breaks 2 L D^2/k (or None), and x^horizon.

    An event is a t at which the leader map differs from that of t - 1; t = 0 is one.
    """
    diameter = max(_inner(*[[p - q for p, q in zip(x, y, strict=True)]] * 2) for x in tokens for y in tokens)
    matrix = [[number(a) for a in row] for row in b]
    limit = number(2 * largest_eigenvalue * diameter)
    events: list[int] = []
    first = None
    before: LeaderMap | None = None
    for t, current, targets in states(tokens, b, tie, number):
        if targets != before:
            events.append(t)
        before = targets
        if first is None and t >= 1 and energy(current, matrix) * t > limit:
            first = t
        if t == horizon:
            return events, first, current
    raise AssertionError("states never ends")
