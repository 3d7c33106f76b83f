"""The exact hull test: known answers, many of them far closer to the boundary than floats can tell."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exact

coordinate = st.fractions(min_value=-5, max_value=5, max_denominator=6)
clouds = st.integers(1, 4).flatmap(
    lambda d: st.lists(st.tuples(*[coordinate] * d), min_size=1, max_size=9),
)


def inner(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def right(points, answer):
    """Whether exactly one certificate is set and holds."""
    if answer.weights is not None:
        sums = [inner(answer.weights, column) for column in zip(*points, strict=True)]
        return (
            answer.separator is None
            and min(answer.weights) >= 0
            and sum(answer.weights) == 1
            and not any(sums)
            and len(answer.weights) == len(points)
        )
    return all(inner(answer.separator, x) >= 1 for x in points)


@given(clouds)
def test_exactly_one_certificate_is_given_and_it_holds(points):
    assert right(points, exact.hull(points))


@given(st.lists(coordinate, min_size=1, max_size=8))
def test_on_a_line_the_signs_decide(xs):
    inside = min(xs) <= 0 <= max(xs)
    assert (exact.hull([(x,) for x in xs]).weights is not None) == inside


def known(rng, inside, gap):
    """Points of a random simplex, corner or cloud whose hull holds the origin or misses it by about `gap`."""
    d = rng.randrange(1, 5)
    points = [
        [Fraction(rng.randrange(-50, 51), rng.randrange(1, 9)) for _ in range(d)] for _ in range(d + rng.randrange(4))
    ]
    points.append([Fraction(rng.randrange(1, 20)) for _ in range(d)])
    weights = [Fraction(rng.randrange(1, 20)) for _ in points]
    # one more point: the weighted sum of all is the origin; its weight is 1
    points.append([-inner(weights, column) for column in zip(*points, strict=True)])
    if inside:
        return points
    normal = [Fraction(rng.randrange(-9, 10)) for _ in range(d)]
    normal[rng.randrange(d)] = Fraction(1)
    # reflected into the half-space <normal, x> >= 0, then moved off the plane by the gap
    points = [x if inner(normal, x) >= 0 else [-c for c in x] for x in points]
    return [[c + gap * a for c, a in zip(x, normal, strict=True)] for x in points]


def test_twelve_hundred_known_answers_are_found():
    rng = random.Random(1)
    for case in range(1200):
        inside = case % 2 == 0
        answer = exact.hull(points := known(rng, inside, Fraction(rng.randrange(1, 30), rng.randrange(1, 30))))
        assert (answer.weights is not None) == inside
        assert right(points, answer)


def test_three_hundred_answers_within_a_hair_of_the_boundary_are_found():
    rng = random.Random(2)
    for case in range(300):
        d, gap = rng.randrange(1, 5), Fraction(rng.choice([-1, 1]), 10 ** rng.randrange(8, 15))
        face = [[Fraction(rng.randrange(-30, 31), 7) for _ in range(d - 1)] for _ in range(d + 2)]
        weights = [Fraction(rng.randrange(1, 9)) for _ in face]
        face.append([-inner(weights, column) for column in zip(*face, strict=True)])  # the origin is in this face
        slope = [Fraction(rng.randrange(-9, 10), 5) for _ in range(d - 1)]
        points = [[*x, inner(slope, x) + gap] for x in face]  # a tilted face just off the origin
        apex = [*[Fraction(0)] * (d - 1), Fraction(rng.choice([-1, 1]))]
        answer = exact.hull([*points, apex])
        assert right([*points, apex], answer)
        assert (answer.weights is not None) == ((apex[-1] > 0) != (gap > 0)), case


@pytest.mark.parametrize(
    ("points", "error", "message"),
    [
        ([], ValueError, "points must be one or more"),
        ([()], ValueError, "points must be one or more"),
        ([(1, 2), (1,)], ValueError, "points must be one or more of one length"),
        ([(0.5,)], TypeError, "points must have rational entries"),
    ],
)
def test_bad_points_are_refused(points, error, message):
    with pytest.raises(error, match=f"^{message}"):
        exact.hull(points)
