"""The checker of certificates against known values and against plain stepping in Fractions."""

import time
from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stepping import first_violation, states

import exact
from exact import certificates, verify

PERTURBED = 3240000000000000000021600000000000000000036
ABOVE_TWO = "200000000000000000001/100000000000000000000"  # 2 + 1e-20

KNOWN = [  # tokens, b, k1; spec: sections 1, 3 and 6
    ([[4], [-1]], None, 225),
    ([[410], [-371]], None, 6417),
    ([[3], [-1]], None, 576),
    ([[3], [-2]], None, 401),
    ([[5], [-1]], None, 144),
    ([[320], [-281]], None, 3800),
    ([[-3, -1], [-2, -3], [0, 5], [6, 0]], [[1, 0], [0, 2]], 3801),
    ([[-3, -3], [0, -1], [0, 1]], [[1, 0], [0, 3]], 225),
    ([[-3, -3], [-1, 1], [0, -1], [3, 0]], None, 224),
    ([[-9, 0], [0, -1], [9, 5]], None, 224),
    ([[-6, -5], [-3, 5], [1, 0]], None, 22),
    ([["0.9"], ["-0.6"]], None, 401),
    ([[-4, 1], [6, -2], [1, -4], [0, 8], [-3, 1]], None, 1663),
    ([[50, 90], [-99, -12], [-36, 61], [-66, -86], [40, -72], [-1, -25]], None, 3404574),
    ([[-9, -74], [-67, 31], [73, -39], [42, 55]], None, 128587863),
    ([[ABOVE_TWO], [-1]], None, PERTURBED),
]


def rejection(certificate):
    with pytest.raises(verify.Rejected) as caught:
        exact.check(certificate)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(("tokens", "b", "k1"), KNOWN)
def test_known_first_violations_are_accepted_and_their_neighbours_are_not(tokens, b, k1):
    for index, label in (("update", k1 - 1), ("state", k1)):
        line = exact.check(certificates.first_violation(tokens, b=b, k1=k1, index=index))
        assert line.startswith(f"first violation at state {k1}, label {label} ")
    early, late = (certificates.first_violation(tokens, b=b, k1=k) for k in (k1 - 1, k1 + 1))
    assert rejection(early) == f"k1 = {k1 - 1} is false: no token violates at that state or before"
    assert rejection(late) == f"k1 = {k1 + 1} is false: state {k1} violates already"


def test_the_tie_rule_decides_when_a_zero_token_appears():
    assert exact.check(certificates.first_violation([[2], [-1]], k1=145))
    assert exact.check(certificates.first_violation([[2], [-1]], k1=576, tie="avg"))
    assert exact.check(certificates.never_violated([[2], [-1]], reason="kept token", state=2, tie="stay"))
    assert "no token" in rejection(certificates.first_violation([[2], [-1]], k1=10**60, tie="stay"))


def test_a_violation_beyond_ten_to_the_sixty_takes_no_time():
    tiny = Fraction(1, 10**30)
    tokens, r = [[2 + tiny], [-1]], (3 + tiny) / tiny
    k1 = (36 * r * r).__ceil__()
    begun = time.perf_counter()
    assert k1 > 10**60
    assert exact.check(certificates.first_violation(tokens, k1=k1))
    assert time.perf_counter() - begun < 5


def closed_form(a, b):
    """k1 for the two tokens a > b > 0 at a and -b, a != 2b; spec: section 1."""
    if a < 2 * b:
        return int(16 * ((a + b) / (a - b)) ** 2) + 1
    c = (a - 2 * b) / 3

    def holds(k):
        return k * (c + 2 * (a + b) / (k * (k + 1))) ** 2 > 4 * (a + b) ** 2

    k = int(36 * ((a + b) / (a - 2 * b)) ** 2) + 1  # the lower token violates there, the upper one no later
    while k > 2 and holds(k - 1):
        k -= 1
    return k


positive = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)


@given(positive, positive, st.booleans())
@settings(max_examples=200, deadline=None)
def test_two_tokens_on_a_line_violate_when_the_closed_form_says(p, q, mirrored):
    a, b = max(p, q), min(p, q)
    assume(a not in (b, 2 * b))
    sign = -1 if mirrored else 1
    certificate = certificates.first_violation([[sign * a], [-sign * b]], k1=closed_form(a, b))
    assert exact.check(certificate)


@st.composite
def instances(draw, most=6, largest=3):
    """Tokens with the origin in their hull, B positive semidefinite, a tie rule; small integers: many exact ties."""
    d = draw(st.integers(1, 3))
    point = st.lists(st.integers(-largest, largest), min_size=d, max_size=d)
    tokens = draw(st.lists(point, min_size=2, max_size=most))
    if draw(st.booleans()):  # balanced by one more token, so that the origin is inside
        tokens.append([-sum(column) for column in zip(*tokens, strict=True)])
    factor = draw(st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=1, max_size=d))
    identity = [[int(i == j) for j in range(d)] for i in range(d)]
    gram = [[sum(row[i] * row[j] for row in factor) for j in range(d)] for i in range(d)]
    b = draw(st.sampled_from([identity, gram]))
    assume(exact.hull([tuple(map(Fraction, x)) for x in tokens]).weights is not None)
    return tokens, b, draw(st.sampled_from(verify.TIES))


def compare(instance, last):
    tokens, b, tie = instance
    k1 = first_violation(tokens, b, tie, last)
    if k1 is None:
        assert "no token violates" in rejection(certificates.first_violation(tokens, b=b, tie=tie, k1=last))
        return
    assert exact.check(certificates.first_violation(tokens, b=b, tie=tie, k1=k1))
    assert "violates already" in rejection(certificates.first_violation(tokens, b=b, tie=tie, k1=k1 + 1))
    if k1 > 1:
        assert "no token violates" in rejection(certificates.first_violation(tokens, b=b, tie=tie, k1=k1 - 1))


@given(instances())
@settings(max_examples=60, deadline=None)
def test_the_checker_finds_the_first_violation_that_stepping_finds(instance):
    compare(instance, 60)


@pytest.mark.slow
@given(instances(most=7, largest=9))
@settings(max_examples=250, deadline=None)
def test_the_checker_finds_later_first_violations_that_stepping_finds(instance):
    compare(instance, 300)


def model_of(tokens, b, tie):
    return verify._Model(certificates.first_violation(tokens, b=b, tie=tie, k1=1), verify._Work())


@given(instances(), st.integers(0, 70))
@settings(max_examples=100, deadline=None)
def test_the_checker_reaches_the_states_that_stepping_reaches(instance, last):
    tokens, b, tie = instance
    state, _ = verify._replay(model_of(tokens, b, tie), last, False)
    *_, stepped = states(tokens, b, tie, last)
    assert {tuple(Fraction(c, state.den) for c in x) for x in state.xs} == set(stepped)
    assert sum(state.sizes) == len(tokens)


@given(instances(), st.integers(4, 60))
@settings(max_examples=100, deadline=None)
def test_rounded_states_enclose_the_exact_ones(instance, last):
    tokens, b, tie = instance
    model = model_of(tokens, b, tie)
    start, _ = verify._replay(model, 3, False)
    try:
        rounded, _ = verify._rounded_replay(model, start, last, False, 64)
    except verify._Undecided:  # an exact tie
        return
    *_, stepped = states(tokens, b, tie, last)
    off = Fraction(rounded.radius, rounded.den)
    for x in rounded.xs:
        assert any(all(abs(Fraction(c, rounded.den) - e) <= off for c, e in zip(x, y, strict=True)) for y in stepped)


@given(instances(), st.integers(8, 60))
@settings(max_examples=80, deadline=None)
def test_rounded_stepping_finds_the_same_first_violation(instance, last):
    tokens, b, tie = instance
    k1 = first_violation(tokens, b, tie, last)
    assume(k1 is None or k1 > 3)
    model = model_of(tokens, b, tie)
    start, _ = verify._replay(model, 3, False)
    try:
        state, violates = verify._rounded_replay(model, start, last, True, 256)
    except verify._Undecided:  # an exact tie, or J k = 2 L D^2
        return
    assert (state.t if violates else None) == k1


def test_a_rounded_run_to_the_last_step_allowed_is_still_decided():
    tokens = [[-9, -74], [-67, 31], [73, -39], [42, 55]]  # 52 leader changes, the last at t = 75
    model = model_of(tokens, None, "low")
    start, _ = verify._replay(model, 3, False)
    state, violates = verify._rounded_replay(model, start, 3000, True, 256)
    assert (state.t, violates, state.radius) == (3000, False, 2998)
    with pytest.raises(verify.Rejected, match="steps, to state 20000 at most"):
        verify._rounded(model, start, verify.STEPS + 1, True)


def value_at(p, t):
    return sum(c * t**i for i, c in enumerate(p))


@given(
    st.lists(st.integers(-12, 60), max_size=7),
    st.integers(-3, 3),
    st.integers(1, 40),
    st.integers(0, 60),
    st.booleans(),
)
@settings(max_examples=500, deadline=None)
def test_the_first_integer_root_is_the_one_that_trying_all_integers_finds(roots, lead, start, width, zero):
    p = [lead]
    for root in roots:
        p = verify._times(p, [-root, 1])
    if len(roots) > 3:
        p[0] += 1  # roots that aren't whole, or none
    bad = [t for t in range(start, start + width + 1) if value_at(p, t) < 0 or (zero and value_at(p, t) == 0)]
    assert verify._first_bad(p, start, start + width, zero, verify._Work()) == (bad[0] if bad else None)
    beyond = [t for t in range(start, 4000) if value_at(p, t) < 0 or (zero and value_at(p, t) == 0)]
    assert verify._first_bad(p, start, None, zero, verify._Work()) == (beyond[0] if beyond else None)


@given(st.lists(st.lists(st.integers(-4, 4), min_size=3, max_size=3), min_size=3, max_size=3), st.integers(-30, 30))
@settings(max_examples=200, deadline=None)
def test_the_largest_eigenvalue_is_compared_as_definiteness_says(rows, numerator):
    matrix = [tuple(rows[min(i, j)][max(i, j)] for j in range(3)) for i in range(3)]
    gram = [tuple(sum(x * y for x, y in zip(p, q, strict=True)) for q in matrix) for p in matrix]
    top = verify._Top(verify._characteristic(gram, verify._Work()), verify._Work())
    theta = Fraction(abs(numerator) * 7, 5)
    assert top.exceeded(theta.numerator, theta.denominator) == exact.exceeds_lambda_max(theta, gram)
    p, s = top.low(40)
    assert not exact.exceeds_lambda_max(Fraction(p, 2**s), gram)
    assert exact.exceeds_lambda_max(Fraction(p, 2**s) + Fraction(1, 2**40) * (s > 0) + Fraction(1, 10**15), gram)


def test_every_token_violates_from_where_the_separator_says():
    one = certificates.violated_from([[3], [-1]], state=2, separator=[3])
    assert exact.check(one) == "every token violates at every state k >= 577 (tie low)"
    assert "isn't shown" in rejection({**one, "from_k": "576"})
    assert exact.check({**one, "from_k": str(10**90)})
    assert "hasn't" in rejection({**one, "separator": ["-3"]})
    assert "hasn't" in rejection({**one, "separator": ["299/100"]})
    assert "hasn't" in rejection({**one, "state": "1"})
    assert "hasn't" in rejection({**one, "state": "0"})


@given(instances(largest=9), st.integers(2, 6))
@settings(max_examples=80, deadline=None)
def test_a_separator_from_the_hull_test_gives_a_certificate_that_later_states_bear_out(instance, s):
    tokens, b, tie = instance
    *_, xs = states(tokens, b, tie, s)
    images = [tuple(sum(Fraction(c) * y for c, y in zip(row, x, strict=True)) for row in b) for x in xs]
    h = exact.hull(images).separator
    assume(h is not None)
    certificate = certificates.violated_from(tokens, b=b, tie=tie, state=s, separator=h)
    assert exact.check(certificate)
    k = int(certificate["from_k"])
    state, _ = verify._replay(model_of(tokens, b, tie), k, False) if k < 300 else (None, None)
    if state is not None and not state.radius:
        assert len(model_of(tokens, b, tie).violators(state)) == len(state.xs)


NEVER = [
    ([[1], [-1]], None, "collapse", 3, "low"),
    ([[0, 0], [0, 0]], None, "collapse", 0, "avg"),
    ([[1, 5], [-1, 5], [0, -9]], [[1, 0], [0, 0]], "collapse", 3, "avg"),
    ([[2], [-1]], None, "kept token", 2, "stay"),
    ([[0], [2], [-1]], None, "kept token", 0, "low"),
    ([[1, 0], [-1, 0], [0, 1], [0, -1], [2, 2], [-2, -2]], None, "antipodal", 0, "avg"),
    ([[1, 0], [-1, 0], [0, 1], [0, -1]], [[2, 1], [1, 1]], "closed form", 3, "low"),
]


@pytest.mark.parametrize(("tokens", "b", "reason", "state", "tie"), NEVER)
def test_the_bound_is_never_violated_for_each_of_the_four_reasons(tokens, b, reason, state, tie):
    certificate = certificates.never_violated(tokens, b=b, reason=reason, state=state, tie=tie)
    assert exact.check(certificate).startswith(f"never violated: {reason} at state {state}")
    b = b or [[int(i == j) for j in range(len(tokens[0]))] for i in range(len(tokens[0]))]
    assert first_violation(tokens, b, tie, 40) is None


@given(instances(), st.sampled_from(tuple(verify.REASONS)), st.integers(0, 8))
@settings(max_examples=300, deadline=None)
def test_no_instance_that_loses_the_kernel_is_certified_never_violated(instance, reason, s):
    tokens, b, tie = instance
    try:
        exact.check(certificates.never_violated(tokens, b=b, tie=tie, reason=reason, state=s))
    except verify.Rejected:
        return
    for xs in states(tokens, b, tie, 25):
        images = [tuple(sum(Fraction(c) * y for c, y in zip(row, x, strict=True)) for row in b) for x in xs]
        assert exact.hull(images).weights is not None


def test_square_roots_of_twenty_digits_are_compared_exactly():
    b = [[2, 1], [1, 3]]  # L = (5 + sqrt 5) / 2 is irrational
    top = verify._Top(verify._characteristic([tuple(row) for row in b], verify._Work()), verify._Work())
    root = isqrt(5 * 10**40)
    for numerator, above in ((root, False), (root + 1, True)):
        assert top.exceeded(5 * 10**20 + numerator, 2 * 10**20) is above
