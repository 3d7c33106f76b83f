#!/usr/bin/env python3
"""The checker of certificates: one file, Python's standard library (3.11 or newer). Mail it with a certificate.

    python verify.py FILE...       exit 0 all accepted, 1 any rejected, 2 unreadable; one line a file

A certificate is a JSON object of strings, lists and objects: no JSON numbers, no null, true or false. It holds a
claim, its statement and a witness. The checker recomputes everything from the witness; a conclusion that is
stored is compared, never believed, and what can't be established within the limits is rejected.

Kinds, with what is established (k: index of the state x^k; L: largest eigenvalue of B; D: diameter at k = 0):

  attention first violation   no state before k1 has a token with J(x) k > 2 L D^2, and state k1 has one
  attention violated from     every token violates so at every k >= from_k. Farkas' vector h: <h, B x> >= 1 for the
                              tokens of one state, so for every later one (hulls are nested), so by Cauchy-Schwarz
                              <B x, x> >= 1 / <B h, h> for ever
  attention never violated    a point z with B z = 0 stays in the hull for ever. Then <B x, y> <= 0 for a leader y
                              of x, J' <= (1 - 2g) J + g^2 L D^2 / 2, and J(x^k) <= (2/3) L D^2 / k by induction
  paging exact value          a value of the recursion for RPB-OM against the lazy adversary, in rationals
  paging cost exceeds         E[cost] > c * (cost of the offline schedule) >= c * OPT on this request sequence; the
                              expectation runs over all priority orders, or all victims. OnlineMin and RPB-OM in
                              phases that cost OPT one: over the page that is missing from the cache

The attention model: x_i' = x_i + 2/(t+2) (y_i - x_i), y_i the token of least <B x_i, y>; of tied ones the first
("low"), their mean, each token counted ("avg"), or x_i itself if it is among them, else the first ("stay").
From t = 3 on, while no leader changes and every leader is on a cycle (a token or a pair), positions are
quotients of polynomials in t: the next change and the next violation are first integer roots, found by Taylor
shifts and Descartes' rule in integers, so a horizon of 10^60 costs milliseconds. Otherwise states are stepped
exactly, then in integers rounded outward, to state 20,000.

Limits, beyond which a certificate is rejected: 1,000,000 bytes; nesting 8; 64 tokens of 16 coordinates of 200
digits (common denominator 8,192 bits); k of 100 digits; 20,000 steps and as many leader changes; paging: k 2,048
for the recursion, 10,000 requests, a cache of 1,000 pages (64 for random, marker, onlinemin and rpb-om; for the last
two 7 where two requests to L_0 share a phase), 200,000 transitions between random states, hits among them, each
counted once more for every 1,000 different pages. So every kind ends within a minute (operations are counted, no
clock is read) and in 200 MB.

>>> check({"kind": "attention first violation"})
Traceback (most recent call last):
...
exact.verify.Rejected: certificate must have exactly the fields b, claim, ...; it lacks b, claim, ...
"""

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any, NoReturn

BYTES = 1_000_000
NESTING = 8
TOKENS, COORDINATES, DIGITS = 64, 16, 200
WITNESS_DIGITS = 2_000  # of hull weights and Farkas' vector
K_DIGITS = 100
TOKEN_BITS, WITNESS_BITS = 8_192, 16_384  # of common denominators
STEPS = EVENTS = 20_000
EXACT_BITS = 2_000  # how far exact stepping may lengthen the denominator
ROUNDED_BITS = (256, 1_024)
RECURSION_K, REQUESTS, CACHE, TRANSITIONS = 2_048, 10_000, 1_000, 200_000
WORK = 400_000_000

Vector = tuple[int, ...]
Polynomial = list[int]  # coefficients, constant first


class Rejected(ValueError):  # noqa: N818 - an answer, not a fault
    """The certificate is false, malformed, or beyond what this checker establishes; the message says which."""


class Unreadable(ValueError):  # noqa: N818
    """The file can't be read as JSON text."""


class _Work:
    """Counts units of arithmetic, about 60 ns each, so that no certificate can keep the checker busy."""

    def __init__(self) -> None:
        self.left = WORK

    def spend(self, operations: int, bits: int = 64, other: int | None = None) -> None:
        """So many products of numbers of so many bits (and of `other` bits)."""
        self.left -= operations * (1 + bits * (bits if other is None else other) // 150_000)
        if self.left < 0:
            raise Rejected("the certificate needs more arithmetic than the checker's limit; nothing was established")


# ---------------------------------------------------------------------------------------------- reading fields

_INTEGER = re.compile(r"0|[1-9][0-9]*")
# a string, closed or not, always matches: one pass over the text, whatever it holds
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
_FRACTION = re.compile(r"(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?")


def _short(value: object) -> str:
    text = ascii(value) if isinstance(value, str) else type(value).__name__
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"


def _show(number: int | Fraction) -> str:
    if max(abs(number.numerator), number.denominator) < 10**120:
        return str(number)
    return f"a rational of {number.numerator.bit_length()} / {number.denominator.bit_length()} bits"


def _fields(value: object, names: Iterable[str], what: str) -> dict[str, Any]:
    wanted = sorted(names)
    if type(value) is not dict:
        raise Rejected(f"{what} must be an object with the fields {', '.join(wanted)}; got {_short(value)}")
    missing = [name for name in wanted if name not in value]
    unknown = [name for name in value if name not in wanted]
    if missing or unknown:
        lacks = f"lacks {', '.join(missing)}" if missing else f"has {_short(unknown[0])} too"
        raise Rejected(f"{what} must have exactly the fields {', '.join(wanted)}; it {lacks}")
    return value


def _choice(value: object, allowed: Iterable[str], name: str) -> str:
    if type(value) is not str or value not in allowed:
        raise Rejected(f"{name} must be one of {', '.join(allowed)}; got {_short(value)}")
    return value


def _same(value: object, expected: str, name: str) -> None:
    if type(value) is not str or value != expected:
        raise Rejected(f"{name} must be {expected!r}; got {_short(value)}")


def _integer(value: object, name: str, most: int | None = None) -> int:
    if type(value) is not str or len(value) > K_DIGITS or not _INTEGER.fullmatch(value):
        raise Rejected(f"{name} must be text of an integer >= 0, at most {K_DIGITS} digits; got {_short(value)}")
    number = int(value)
    if most is not None and number > most:
        raise Rejected(f"{name} must be at most {most} for this checker; got {_short(value)}")
    return number


def _rational(value: object, name: str, digits: int = DIGITS) -> Fraction:
    match = _FRACTION.fullmatch(value) if type(value) is str and len(value) <= 2 * digits + 2 else None
    if match is None or max(len(part or "") for part in match.groups()) > digits + 1:
        raise Rejected(f'{name} must be text "p" or "p/q", at most {digits} digits each; got {_short(value)}')
    number = Fraction(int(match[1]), int(match[2] or 1))
    if str(number) != value:
        raise Rejected(f"{name} must be in lowest terms; got {_short(value)}")
    return number


def _listed(value: object, name: str, least: int, most: int) -> list[Any]:
    if type(value) is not list or not least <= len(value) <= most:
        got = f"{len(value)}" if type(value) is list else _short(value)
        wanted = most if least == most else f"{least} to {most}"
        raise Rejected(f"{name} must be a list of {wanted} entries; got {got}")
    return value


def _rationals(value: object, name: str, length: int, digits: int = WITNESS_DIGITS) -> list[Fraction]:
    return [_rational(x, name, digits) for x in _listed(value, name, length, length)]


def _common(numbers: Iterable[Fraction], name: str, bits: int) -> tuple[list[int], int]:
    """The numbers over a common denominator."""
    fractions, denominator = list(numbers), 1
    for number in fractions:
        denominator = math.lcm(denominator, number.denominator)
        if denominator.bit_length() > bits:
            raise Rejected(f"{name} must have a common denominator of at most {bits} bits; it is longer")
    return [int(number * denominator) for number in fractions], denominator


# ------------------------------------------------------------------------------------- polynomials in integers


def _shift(p: Polynomial, a: int) -> Polynomial:
    """p(a + x)."""
    q = list(p)
    for i in range(len(q) - 1):
        for j in range(len(q) - 2, i - 1, -1):
            q[j] += a * q[j + 1]
    return q


def _times(p: Polynomial, q: Polynomial) -> Polynomial:
    product = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return product


def _bits(p: Iterable[int]) -> int:
    return max((abs(c).bit_length() for c in p), default=0)


def _first_bad(p: Polynomial, start: int, stop: int | None, zero: bool, work: _Work) -> int | None:
    """The least integer t, start <= t <= stop, with p(t) < 0, or = 0 if `zero`; stop None: infinity; start >= 1."""
    while p and p[-1] == 0:
        p = p[:-1]
    if not p:
        return start if zero else None
    if stop is None:  # beyond Cauchy's bound on the roots p keeps the sign that it has there
        stop = max(start, 2 + max(map(abs, p)) // abs(p[-1]))
    while start <= stop:
        q = _shift(p, start)
        work.spend(2 * len(p) ** 2 + 100, _bits(q), start.bit_length())
        if min(q) >= 0:  # no sign change: p > 0 for every t > start
            return start if zero and q[0] == 0 else None
        width = min(stop, 2 * start + 1) - start
        bad = _bad_within(q, width, zero, work)
        if bad is not None:
            return start + bad
        start += width + 1
    return None


def _bad_within(p: Polynomial, width: int, zero: bool, work: _Work) -> int | None:
    """The least integer x, 0 <= x <= width, with p(x) < 0 (or = 0), by Descartes' rule and halving."""
    stack = [(p, 0, width)]
    while stack:
        q, low, w = stack.pop()
        if q[0] < 0 or (zero and q[0] == 0):
            return low
        if w == 0:
            continue
        # x = w y / (1 + y) maps y > 0 onto the open interval; the constant of m is q(w)
        m = _shift([c * w**i for i, c in enumerate(q)][::-1], 1)
        work.spend(3 * len(q) ** 2 + 100, _bits(m), w.bit_length())
        end_is_bad = m[0] < 0 or (zero and m[0] == 0)
        if w == 1 or min(m) >= 0:
            if end_is_bad:
                return low + w
        elif max(m) <= 0:
            return low + 1
        else:
            half = w // 2
            stack.append((_shift(q, half), low + half, w - half))
            stack.append((q, low, half))
    return None


# ------------------------------------------------------------------------------- symmetric matrices in integers


def _dot(x: Sequence[int], y: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(x, y, strict=True))


def _apply(matrix: Sequence[Vector], x: Sequence[int]) -> Vector:
    return tuple(_dot(row, x) for row in matrix)


def _characteristic(matrix: Sequence[Vector], work: _Work) -> Polynomial:
    """det(x I - matrix), by Faddeev and LeVerrier: all divisions are exact."""
    d = len(matrix)
    bits = _bits(x for row in matrix for x in row) + d.bit_length()
    work.spend(2 * d**4, d * bits, bits)
    coefficients, power = [1], [[0] * d for _ in range(d)]
    for k in range(1, d + 1):
        power = [[x + coefficients[-1] * (i == j) for j, x in enumerate(row)] for i, row in enumerate(power)]
        columns = list(zip(*power, strict=True))
        power = [[_dot(row, column) for column in columns] for row in matrix]
        coefficients.append(-sum(power[i][i] for i in range(d)) // k)
    return coefficients[::-1]


class _Top:
    """The largest eigenvalue of a symmetric integer matrix, as a question and as a lower bound.

    Every root of the characteristic polynomial is real, so Descartes' rule is exact: x is at least the largest
    root if and only if the Taylor shift at x has no negative coefficient. A rational root is an integer.
    """

    def __init__(self, polynomial: Polynomial, work: _Work) -> None:
        self.polynomial, self.work = polynomial, work
        low, high = -1, 1
        while not self._covers(high, 1):
            high *= 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._covers(middle, 1) else (middle, high)
        self.scale, self.high = 0, high  # high / 2^scale is the least of its kind that covers
        self.is_integer = not self.exceeded(high, 1)

    def _shifted(self, numerator: int, denominator: int) -> Polynomial:
        d = len(self.polynomial) - 1
        scaled = [c * denominator ** (d - i) for i, c in enumerate(self.polynomial)]
        self.work.spend(2 * d * d + 50, _bits(scaled) + d * numerator.bit_length(), numerator.bit_length())
        return _shift(scaled, numerator)

    def _covers(self, numerator: int, denominator: int) -> bool:
        return min(self._shifted(numerator, denominator)) >= 0

    def exceeded(self, numerator: int, denominator: int) -> bool:
        """Whether numerator/denominator is strictly above the largest eigenvalue."""
        shifted = self._shifted(numerator, denominator)
        return min(shifted) >= 0 and shifted[0] > 0

    def low(self, bits: int) -> tuple[int, int]:
        """(p, s): p / 2^s is the eigenvalue itself, or below it by at most 2^-s with s >= bits."""
        if self.is_integer:
            return self.high, 0
        while self.scale < bits:
            self.scale, self.high = self.scale + 1, 2 * self.high
            if self._covers(self.high - 1, 1 << self.scale):
                self.high -= 1
        return self.high - 1, self.scale


# ------------------------------------------------------------------------------------------ the attention model


class _State:
    """Tokens at step t: equal ones together, in the order of their first index; coordinates are x / den.

    With a `radius` above zero each numerator is off by at most that much; otherwise it is exact.
    """

    def __init__(self, t: int, xs: Sequence[Vector], den: int, sizes: Sequence[int], radius: int = 0) -> None:
        divisor = 1 if radius else math.gcd(den, *(c for x in xs for c in x))
        merged: dict[Vector, int] = {}
        for x, size in zip(xs, sizes, strict=True):
            key = tuple(c // divisor for c in x)
            merged[key] = merged.get(key, 0) + size
        if radius:  # rounded tokens that look equal needn't be
            self.xs, self.sizes = list(xs), list(sizes)
        else:
            self.xs, self.sizes = list(merged), list(merged.values())
        self.t, self.den, self.radius = t, den // divisor, radius

    def bits(self) -> int:
        return max(self.den.bit_length(), _bits(c for x in self.xs for c in x))


class _Model:
    """An instance: integer B (B itself is this over `scale`), the first state, D^2, the largest eigenvalue."""

    def __init__(self, certificate: dict[str, Any], work: _Work) -> None:
        rows = _listed(certificate["tokens"], "tokens", 1, TOKENS)
        d = len(_listed(rows[0], "tokens[0]", 1, COORDINATES))
        tokens = [_rationals(row, f"tokens[{i}]", d, DIGITS) for i, row in enumerate(rows)]
        flat, den = _common((x for token in tokens for x in token), "tokens", TOKEN_BITS)
        self.n, self.d, self.work = len(tokens), d, work
        xs = [tuple(flat[i * d : i * d + d]) for i in range(self.n)]
        self.start = _State(0, xs, den, [1] * self.n)
        self.tie = _choice(certificate["tie"], TIES, "tie")
        self._read_matrix(certificate["b"])
        _check_origin(certificate["weights"], xs, work)
        pairs = ((x, y) for i, x in enumerate(xs) for y in xs[:i])
        work.spend(self.n**2 * d, 2 * self.start.bits())
        longest = max((sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for x, y in pairs), default=0)
        self.diameter2 = Fraction(longest, den * den)

    def _read_matrix(self, value: object) -> None:
        d = self.d
        rows = [_rationals(row, f"b[{i}]", d, DIGITS) for i, row in enumerate(_listed(value, "b", d, d))]
        if any(rows[i][j] != rows[j][i] for i in range(d) for j in range(i)):
            raise Rejected("b must be symmetric; it isn't")
        flat, self.scale = _common((x for row in rows for x in row), "b", TOKEN_BITS)
        self.b = [tuple(flat[i * d : i * d + d]) for i in range(d)]
        polynomial = _characteristic(self.b, self.work)
        # all roots are real: none is negative if and only if the signs alternate
        if any(c * (-1) ** (d - i) < 0 for i, c in enumerate(polynomial)):
            raise Rejected("b must be positive semidefinite; it has a negative eigenvalue")
        self.top = _Top(polynomial, self.work)

    def violators(self, state: _State) -> list[int]:
        """The classes with J k > 2 L D^2 at this exact state."""
        bx = [_apply(self.b, x) for x in state.xs]
        self.work.spend(2 * (self.d + 10) * (self.d + 1) * len(bx), state.bits())
        if not self.diameter2:
            return []
        over = 4 * state.den**2 * self.diameter2.numerator
        p, s = self.top.low(64)
        found = []
        for i, (x, image) in enumerate(zip(state.xs, bx, strict=True)):
            energy = _dot(x, image) * state.t * self.diameter2.denominator
            if energy << s > p * over and self.top.exceeded(energy, over):
                found.append(i)
        return found


def _check_origin(value: object, xs: list[Vector], work: _Work) -> None:
    """That the weights show the origin in the hull of the tokens: the claim's hypothesis."""
    weights, total = _common(_rationals(value, "weights", len(xs)), "weights", WITNESS_BITS)
    work.spend(len(xs) * len(xs[0]), WITNESS_BITS // 2)
    if min(weights) < 0 or sum(weights) != total:
        raise Rejected("weights must be >= 0 with sum 1; they aren't")
    if any(_dot(weights, column) for column in zip(*xs, strict=True)):
        raise Rejected("weights must average the tokens to the origin; they don't")


def _tied(model: _Model, state: _State) -> list[list[int]]:
    """For each class the classes of least score, in order."""
    n = len(state.xs)
    images = [_apply(model.b, x) for x in state.xs]
    model.work.spend(n * (n + model.d) * (model.d + 15), state.bits())
    tied = []
    for image in images:
        scores = [_dot(image, x) for x in state.xs]
        least = min(scores)
        tied.append([j for j in range(n) if scores[j] == least])
    return tied


def _leaders(tie: str, tied: list[list[int]]) -> list[int] | None:
    """The leader of each class; None when the mean of several leads."""
    if tie == "avg" and any(len(group) > 1 for group in tied):
        return None
    return [i if tie == "stay" and i in group else group[0] for i, group in enumerate(tied)]


def _step(model: _Model, state: _State, tied: list[list[int]]) -> _State:
    """One exact step: x' = (t x + 2 y) / (t + 2)."""
    leaders = _leaders(model.tie, tied)
    groups = tied if leaders is None else [[leader] for leader in leaders]
    counts = [sum(state.sizes[j] for j in group) if len(group) > 1 else 1 for group in groups]
    common, t = math.lcm(*counts), state.t
    model.work.spend(10 * model.d * sum(map(len, groups)), state.bits() + common.bit_length())
    xs = []
    for x, group, count in zip(state.xs, groups, counts, strict=True):
        weights = [state.sizes[j] for j in group] if len(group) > 1 else [1]
        y = [_dot(weights, [state.xs[j][c] for j in group]) for c in range(model.d)]
        xs.append(tuple(t * common * a + 2 * (common // count) * b for a, b in zip(x, y, strict=True)))
    return _State(t + 1, xs, state.den * common * (t + 2), state.sizes)


# --------------------------------------------------------------- closed forms while no leader changes, depth <= 1

_W = [0, 2, -1, -2, 1]  # t (t+1) (t-1) (t-2)
_V = [2, -3, 1]  # (t-1) (t-2)
_PRODUCTS = [_times(_W, _W), _W, _times(_W, _V), [1], _V, _times(_V, _V)]


class _Segment:
    """x_i(t) = (W alpha_i + beta_i + V gamma_i) / (2 den W) from state s on, W and V as above.

    Let a be the leader of i and p that of a, so that a leads p. The pair's mean (x_p + x_a)/2 is fixed, its
    difference shrinks by (t-2)/(t+2) a step, that of i and p by t/(t+2).
    """

    def __init__(self, model: _Model, state: _State, leaders: list[int]) -> None:
        self.model, self.state, self.leaders = model, state, leaders
        s, xs = state.t, state.xs
        w, v = (s - 2) * (s - 1) * s * (s + 1), 2 * s * (s + 1)
        self.parts = []
        for i, a in enumerate(leaders):
            x, y, z = xs[i], xs[leaders[a]], xs[a]
            alpha = tuple(b + c for b, c in zip(y, z, strict=True))
            beta = tuple(w * (b - c) for b, c in zip(y, z, strict=True))
            self.parts.append((alpha, beta, tuple(v * (b - c) for b, c in zip(x, y, strict=True))))
        self.images = [tuple(_apply(model.b, part) for part in parts) for parts in self.parts]
        self.bits = state.bits() + 4 * s.bit_length() + _bits(c for row in model.b for c in row)
        model.work.spend(3 * len(xs) * model.d * (model.d + 15), self.bits)
        self.known: dict[tuple[int, int], Vector] = {}

    def form(self, i: int, j: int) -> Vector:
        """<B N_i, N_j> by its coefficients at W^2, W, W V, 1, V, V^2; N is the numerator of x."""
        if i > j:
            return self.form(j, i)
        if (i, j) not in self.known:
            (a, b, c), (x, y, z) = self.images[i], self.parts[j]
            self.model.work.spend(9 * (self.model.d + 15), self.bits)
            crossed = (_dot(a, y) + _dot(b, x), _dot(a, z) + _dot(c, x), _dot(b, z) + _dot(c, y))
            square = (_dot(a, x), _dot(b, y), _dot(c, z))
            self.known[i, j] = (square[0], crossed[0], crossed[1], square[1], crossed[2], square[2])
        return self.known[i, j]

    def first_change(self, stop: int | None) -> int | None:
        """The least t > s, t <= stop (None: infinity), at which some leader differs from that at s."""
        first = None
        for i, leader in enumerate(self.leaders):
            for j in range(len(self.leaders)):
                if j == leader or stop == self.state.t:
                    continue
                gap = [x - y for x, y in zip(self.form(i, j), self.form(i, leader), strict=True)]
                zero = self._wins_ties(i, j, leader)
                found = _first_bad(_combined(gap), self.state.t + 1, stop, zero, self.model.work)
                if found is not None:
                    first, stop = found, found - 1
        return first

    def _wins_ties(self, i: int, j: int, leader: int) -> bool:
        """Whether j replaces the leader of i when their scores are equal."""
        if self.model.tie == "stay":
            return leader != i and (j == i or j < leader)
        return self.model.tie == "avg" or j < leader

    def first_violation(self, stop: int) -> int | None:
        """The least k, s < k <= stop, with a violation at state k."""
        bits = 64 + 2 * stop.bit_length()
        while self.model.diameter2 and bits < 1 << 16:
            k = self._candidate(stop, bits)
            if k is None or self.model.violators(self.at(k)):
                return k
            bits *= 2  # only L's lower bound is exceeded there: L is irrational, a closer bound will tell
        if self.model.diameter2:
            raise Rejected("the largest eigenvalue is too close to a token's energy to be told apart")
        return None

    def _candidate(self, stop: int, bits: int) -> int | None:
        """The least k with J k > 2 L' D^2 for some token, L' the lower bound of L."""
        p, s = self.model.top.low(bits)
        square = self.model.diameter2
        allowed = [16 * p * square.numerator * self.state.den**2 * c for c in _PRODUCTS[0]]
        first = None
        for i in range(len(self.leaders)):
            energy = [0] + [square.denominator * c << s for c in _combined(self.form(i, i))]
            margin = [a - e for a, e in zip([*allowed, 0], energy, strict=True)]
            found = _first_bad(margin, self.state.t + 1, stop, False, self.model.work)
            if found is not None:
                first, stop = found, found - 1
        return first

    def at(self, t: int) -> _State:
        """The state at t >= s."""
        w, v = _value(_W, t), _value(_V, t)
        xs = [tuple(w * a + b + v * c for a, b, c in zip(*parts, strict=True)) for parts in self.parts]
        return _State(t, xs, 2 * self.state.den * w, self.state.sizes)


def _combined(form: Sequence[int]) -> Polynomial:
    total = [0] * 9
    for coefficient, product in zip(form, _PRODUCTS, strict=True):
        for i, c in enumerate(product):
            total[i] += coefficient * c
    return total


def _value(p: Polynomial, t: int) -> int:
    value = 0
    for c in reversed(p):
        value = value * t + c
    return value


def _is_shallow(leaders: list[int]) -> bool:
    """Whether every leader is on a cycle of one or two."""
    return all(leaders[leaders[a]] == a for a in leaders)


# ----------------------------------------------------------------------------------------------- replaying a run


class _Undecided(Exception):  # noqa: N818 - an answer, not a fault
    """Rounded tokens are too close to tell; more bits are needed."""


def _replay(model: _Model, target: int, watch: bool) -> tuple[_State, bool]:
    """The state at `target`, or the first one that violates if that is watched for; and whether it violates."""
    state, events, steps = model.start, 0, 0
    while state.t < target:
        tied = _tied(model, state)
        leaders = _leaders(model.tie, tied)
        if state.t >= 3 and leaders is not None and _is_shallow(leaders) and (events < 200 or target > STEPS):
            segment = _Segment(model, state, leaders)
            stop = segment.first_change(target) or target
            k = segment.first_violation(stop) if watch else None
            if k is not None:
                return segment.at(k), True
            state, events = segment.at(stop), events + 1
            if events > EVENTS:
                raise Rejected(f"the leaders change more than {EVENTS} times; the checker stops there")
        elif state.t >= 3 and state.bits() > model.start.bits() + EXACT_BITS + 8 * state.t.bit_length():
            return _rounded(model, state, target, watch)
        elif steps == STEPS:
            raise Rejected(f"chains of leaders or ties at state {_show(state.t)}: {STEPS} single steps are allowed")
        else:
            state, steps = _step(model, state, tied), steps + 1
            if watch and model.violators(state):
                return state, True
    return state, False


def _rounded(model: _Model, state: _State, target: int, watch: bool) -> tuple[_State, bool]:
    t = _show(state.t)
    if target > STEPS:
        raise Rejected(f"chains of leaders or ties at state {t}: the checker steps, to state {STEPS} at most")
    for bits in ROUNDED_BITS:
        try:
            return _rounded_replay(model, state, target, watch, bits)
        except _Undecided:
            continue
    raise Rejected(f"a comparison after state {t} is undecided at {ROUNDED_BITS[-1]} bits: an exact tie, it seems")


def _rounded_replay(model: _Model, state: _State, target: int, watch: bool, bits: int) -> tuple[_State, bool]:
    bits += max(0, state.den.bit_length() - _bits(c for x in state.xs for c in x))
    rounded = [tuple((c << bits) // state.den for c in x) for x in state.xs]
    state = _State(state.t, rounded, 1 << bits, state.sizes, radius=1)
    spread = sum(abs(c) for row in model.b for c in row)
    while state.t < target:
        leaders, t = _rounded_leaders(model, state, spread), state.t
        # a mean of numbers that are off by at most the radius, rounded down
        moved = [
            tuple((t * a + 2 * b) // (t + 2) for a, b in zip(x, state.xs[leader], strict=True))
            for x, leader in zip(state.xs, leaders, strict=True)
        ]
        state = _State(t + 1, moved, state.den, state.sizes, state.radius + 1)
        if watch and _rounded_violation(model, state, spread):
            return state, True
    return state, False


def _rounded_leaders(model: _Model, state: _State, spread: int) -> list[int]:
    n, radius = len(state.xs), state.radius
    images = [_apply(model.b, x) for x in state.xs]
    model.work.spend(n * (n + model.d) * (model.d + 15), state.bits())
    # |<B(x+a), y+b> - <Bx, y>| <= radius (|Bx| + |By|) + radius^2 |B|, all norms sums of absolute values
    error = 2 * radius * max(sum(map(abs, image)) for image in images) + radius * radius * spread
    leaders = []
    for image in images:
        scores = [_dot(image, x) for x in state.xs]
        leader = min(range(n), key=scores.__getitem__)
        if any(score <= scores[leader] + 2 * error for j, score in enumerate(scores) if j != leader):
            raise _Undecided
        leaders.append(leader)
    return leaders


def _rounded_violation(model: _Model, state: _State, spread: int) -> bool:
    """Whether some token surely violates; raises _Undecided unless the others surely don't."""
    p, s = model.top.low(64)
    over = 4 * state.den**2 * model.diameter2.numerator
    scale, found = state.t * model.diameter2.denominator, False
    model.work.spend(2 * len(state.xs) * (model.d + 15) * (model.d + 1), state.bits())
    for x in state.xs:
        image = _apply(model.b, x)
        energy = _dot(image, x)
        error = 2 * state.radius * sum(map(abs, image)) + state.radius**2 * spread
        if (energy + error) * scale << s > p * over:
            if not model.top.exceeded((energy - error) * scale, over):
                raise _Undecided
            found = True
    return found


# ------------------------------------------------------------------------------------ certificates on attention

_MODEL = (
    "Tokens x_1..x_n with the origin in their hull at t = 0, x_i^{t+1} = x_i^t + (2/(t+2)) (y_i - x_i^t), "
    "y_i a token of least <B x_i^t, y>: for all i "
)
TIES, INDEXINGS = ("low", "avg", "stay"), ("update", "state")
ATTENTION_CLAIM = "alcalde2025_frank_wolfe"
STATEMENTS = {
    "update": _MODEL + "and t >= 0, (1/2) <B x_i^{t+1}, x_i^{t+1}> <= 2 lambda_max(B) diam^2 / (t+1)",
    "state": _MODEL + "and k >= 1, (1/2) <B x_i^k, x_i^k> <= 2 lambda_max(B) diam^2 / k",
}


def _attention(certificate: dict[str, Any], work: _Work, index: str = "update") -> _Model:
    _same(certificate["claim"], ATTENTION_CLAIM, "claim")
    _same(certificate["statement"], STATEMENTS[index], "statement")
    return _Model(certificate, work)


def _first_violation(certificate: dict[str, Any], work: _Work) -> str:
    index = _choice(certificate["index"], INDEXINGS, "index")
    k1, label = (_integer(certificate[name], name) for name in ("k1", "label"))
    if k1 < 1:
        raise Rejected("k1 must be at least 1, where the claim starts; got 0")
    if label != k1 - (index == "update"):
        raise Rejected(f"label must be k1 - 1 under index update, k1 under index state; got {_show(label)}")
    model = _attention(certificate, work, index)
    state, violates = _replay(model, k1, True)
    if not violates:
        raise Rejected(f"k1 = {_show(k1)} is false: no token violates at that state or before")
    if state.t != k1:
        raise Rejected(f"k1 = {_show(k1)} is false: state {_show(state.t)} violates already")
    return f"first violation at state {_show(k1)}, label {_show(label)} (index {index}, tie {model.tie})"


def _violated_from(certificate: dict[str, Any], work: _Work) -> str:
    s, from_k = (_integer(certificate[name], name) for name in ("state", "from_k"))
    if from_k < max(s, 1):
        raise Rejected(f"from_k must be at least 1 and at least state = {_show(s)}; got {_show(from_k)}")
    model = _attention(certificate, work)
    h, unit = _common(_rationals(certificate["separator"], "separator", model.d), "separator", WITNESS_BITS)
    state, _ = _replay(model, s, False)
    image = _apply(model.b, h)
    work.spend(model.d * (model.d + len(state.xs)), state.bits() + _bits(image))
    slack = state.radius * sum(map(abs, image))
    if any(_dot(image, x) - slack < unit * model.scale * state.den for x in state.xs):
        raise Rejected(f"separator must have <h, B x> >= 1 for every token at state {_show(s)}; it hasn't")
    square = model.diameter2
    ours = from_k * model.scale**2 * unit**2 * square.denominator
    if not model.top.exceeded(ours, 4 * square.numerator * _dot(image, h)):
        raise Rejected(f"from_k = {_show(from_k)} isn't shown: it must exceed 4 L D^2 <B h, h>")
    return f"every token violates at every state k >= {_show(from_k)} (tie {model.tie})"


def _never_violated(certificate: dict[str, Any], work: _Work) -> str:
    reason = _fields(certificate["reason"], ("name", "state"), "reason")
    name = _choice(reason["name"], tuple(REASONS), "reason name")
    s = _integer(reason["state"], "reason state")
    model = _attention(certificate, work)
    state, _ = _replay(model, s, False)
    if state.radius:
        raise Rejected(f"state {_show(s)} is known only rounded; a token exactly in ker B can't be shown")
    if not REASONS[name](model, state):
        raise Rejected(f"reason {name} doesn't hold at state {_show(s)} (tie {model.tie})")
    return f"never violated: {name} at state {_show(s)}, the hull meets ker B for ever (tie {model.tie})"


def _in_kernel(model: _Model, x: Sequence[int]) -> bool:
    return not any(_apply(model.b, x))


def _collapse(model: _Model, state: _State) -> bool:
    """Every token is in ker B, so every later one is."""
    return all(_in_kernel(model, x) for x in state.xs)


def _kept_token(model: _Model, state: _State) -> bool:
    """A token with B x = 0 ties with all; it stays if the rule says so, or if it is the first of all."""
    if model.tie == "avg":
        return False
    return any(_in_kernel(model, x) for x in (state.xs if model.tie == "stay" else state.xs[:1]))


def _antipodal(model: _Model, state: _State) -> bool:
    """Under avg a point reflection in c, B c = 0, that keeps the tokens, keeps them for ever."""
    n, twice = len(state.xs), tuple(2 * sum(column) for column in zip(*state.xs, strict=True))
    sizes = {tuple(n * c for c in x): size for x, size in zip(state.xs, state.sizes, strict=True)}
    mirrored = {tuple(a - c for a, c in zip(twice, x, strict=True)): size for x, size in sizes.items()}
    return model.tie == "avg" and sizes == mirrored and _in_kernel(model, twice)


def _closed_form(model: _Model, state: _State) -> bool:
    """No leader changes any more, and the fixed mean of a pair of tokens that lead each other is in ker B."""
    leaders = _leaders(model.tie, _tied(model, state))
    if state.t < 3 or leaders is None or not _is_shallow(leaders):
        return False
    segment = _Segment(model, state, leaders)
    return any(_in_kernel(model, parts[0]) for parts in segment.parts) and segment.first_change(None) is None


REASONS: dict[str, Callable[[_Model, _State], bool]] = {
    "collapse": _collapse,
    "kept token": _kept_token,
    "antipodal": _antipodal,
    "closed form": _closed_form,
}


# --------------------------------------------------------------------------------- certificates on paging: values

_E_SCALE = math.factorial(40)
_E_BELOW = sum(_E_SCALE // math.factorial(n) for n in range(41))  # the rest of the series is below 1/(40 * 40!)
RPB_OM_CLAIM = "chen2026_rpb_om"
BUDGETS = ("on-fault", "on-request")
QUANTITIES = {"additive term": "E[cost of a phase] - H_k", "phase cost": "E[cost of a phase]"}
RECURSION = "RPB-OM on the lazy adversary with reversed predictions, k = {}, tau = {}, budget {}: {} = {}"


def _earns(u: int, y: int) -> bool:
    """Whether (u + 2) e <= y + 2."""
    certainly = (u + 2) * (_E_BELOW + 1) <= (y + 2) * _E_SCALE
    if certainly == ((u + 2) * _E_BELOW <= (y + 2) * _E_SCALE):
        return certainly
    raise Rejected(f"the comparison of {u + 2} e with {y + 2} is undecided")


def _further_faults(n: int, budget: str, work: _Work) -> Fraction:
    """f(n): (u+1) f(u) = sum over v < u of 1 + (1 + f(v-1) if 1 <= v and (v+2) e <= u+2, else f(v))."""
    f, sums, last = [Fraction(0)], [Fraction(0)], 0  # sums[v] = f(0) + ... + f(v-1)
    for u in range(1, n + 1):
        sums.append(sums[-1] + f[-1])
        while budget == "on-fault" and last + 1 < u and _earns(last + 1, u):
            last += 1
        earned = last + sums[last]  # of v = 1..last: 1 + f(v-1) each
        natural = sums[u] - (sums[last + 1] - f[0])
        work.spend(200, 2 * u)
        f.append((u + earned + natural) / (u + 1))
    return f[n]


def _exact_value(certificate: dict[str, Any], work: _Work) -> str:
    k, tau = (_integer(certificate[name], name, RECURSION_K) for name in ("k", "tau"))
    if k < 1:
        raise Rejected("k must be at least 1; got 0")
    budget = _choice(certificate["budget"], BUDGETS, "budget")
    quantity = _choice(certificate["quantity"], tuple(QUANTITIES), "quantity")
    claimed = _rational(certificate["value"], "value", WITNESS_DIGITS)
    _same(certificate["claim"], RPB_OM_CLAIM, "claim")
    stated = RECURSION.format(k, tau, budget, QUANTITIES[quantity], certificate["value"])
    _same(certificate["statement"], stated, "statement")
    value = Fraction(k) if k <= tau + 2 else tau + 2 + _further_faults(k - 2 - tau, budget, work)
    if quantity == "additive term":
        value -= sum((Fraction(1, i) for i in range(1, k + 1)), Fraction(0))
    if value != claimed:
        raise Rejected(f"value = {_short(certificate['value'])} is false: it is {_show(value)}")
    return f"{QUANTITIES[quantity]} = {_show(value)} (RPB-OM, lazy adversary, k = {k}, tau = {tau}, {budget})"


# ---------------------------------------------------------------------------------- certificates on paging: costs

BOUND = "{} on a cache of {} pages costs at most {} OPT in expectation on every request sequence"
BOUND_CLAIMS = {
    "fifo": "sleator1985_fifo",
    "lru": "sleator1985_lru",
    "marker": "fiat1991_marker",
    "onlinemin": "onlinemin2015_optimal",
    "random": "raghavan1989_random",
    "rpb-om": RPB_OM_CLAIM,
}
_LAYERED = ("onlinemin", "rpb-om")
_LARGEST = {"onlinemin": 64, "rpb-om": 64, "random": 64, "marker": 64}
_LARGEST_ORDERED = 7  # pages whose orders of priorities are followed


class _Instance:
    """Requests, start cache (oldest first), the policy, and the layers, which are the same for all coin flips.

    Pages are numbered as they appear; a set of pages is an integer with a bit a page.
    """

    def __init__(self, certificate: dict[str, Any], work: _Work) -> None:
        cache = [_integer(page, "cache") for page in _listed(certificate["cache"], "cache", 1, CACHE)]
        requests = [_integer(page, "requests") for page in _listed(certificate["requests"], "requests", 1, REQUESTS)]
        self.k, self.work = len(cache), work
        if len(set(cache)) != self.k:
            raise Rejected("cache must hold different pages; it doesn't")
        self.number = {page: i for i, page in enumerate(dict.fromkeys([*cache, *requests]))}
        self.cache = tuple(range(self.k))
        self.requests = [self.number[page] for page in requests]
        work.spend(2 * self.k * len(requests))
        self._read_policy(certificate["policy"])
        self.last = {page: i for i, page in enumerate(self.cache)}  # place of a page's last request, as time goes on
        self.walk = _layer_walk(self.k, self.requests) if self.policy in _LAYERED else []
        self.lone = self.policy in _LAYERED and _one_is_missing(self.walk)
        if self.policy in _LAYERED and self.k > _LARGEST_ORDERED and not self.lone:
            most = f"at most {_LARGEST_ORDERED} pages for {self.policy} when requests to L_0 share a phase"
            raise Rejected(f"cache must hold {most}; got {self.k}")

    def _read_policy(self, rule: object) -> None:
        name = rule.get("name") if type(rule) is dict else None
        self.policy = _choice(name, tuple(BOUND_CLAIMS), "policy name")
        learning = self.policy == "rpb-om"
        fields = _fields(rule, ("name", "tau", "budget", "predictions") if learning else ("name",), "policy")
        most = _LARGEST.get(self.policy, CACHE)
        if self.k > most:
            raise Rejected(f"cache must hold at most {most} pages for {self.policy} in this checker; got {self.k}")
        if learning:
            self.tau = _integer(fields["tau"], "tau", CACHE)
            self.budget = _choice(fields["budget"], BUDGETS, "budget")
            length = self.k + len(self.requests)
            self.predictions = _rationals(fields["predictions"], "predictions", length, K_DIGITS)

    def furthest(self, pages: int) -> int:
        """The page predicted furthest, as a set of one; of equal ones the least recently requested."""
        singles = {single.bit_length() - 1: single for single in _singles(pages)}
        return singles[max(singles, key=lambda page: (self.predictions[self.last[page]], -self.last[page]))]


Moment = tuple[int, list[int], int, int]


def _singles(pages: int) -> list[int]:
    """The pages of a set, each as a set of one."""
    found = []
    while pages:
        found.append(pages & -pages)
        pages &= pages - 1
    return found


def _layer_walk(k: int, requests: Sequence[int]) -> list[Moment]:
    """For each request: its layer's index, the layers before their update; support and number unrevealed after it."""
    layers, walk = [1 << page for page in range(k)], []
    for page in requests:
        one, before = 1 << page, layers
        i = next((i for i, layer in enumerate(layers, start=1) if layer & one), 0)
        if i == 0:
            layers = [*layers[: k - 2], layers[-2] | layers[-1], one] if k > 1 else [one]
        else:
            lower = [*layers[: i - 2], layers[i - 2] | layers[i - 1] ^ one] if i > 1 else []
            layers = [*lower, *layers[i:], one]
        revealed = next((n for n, layer in enumerate(reversed(layers)) if layer & (layer - 1)), k)
        walk.append((i, before, sum(layers), k - revealed))  # layers are disjoint: their sum is their union
    return walk


def _one_is_missing(walk: list[Moment]) -> bool:
    """Each request to L_0 comes when all pages of the support are revealed, and so cached."""
    return all(moment[0] or not before[3] for before, moment in pairwise(walk))


Outcomes = list[tuple[Any, bool]]


def _lru(instance: _Instance, t: int, order: tuple[int, ...]) -> Outcomes:
    page = instance.requests[t]
    kept = tuple(p for p in order if p != page) if page in order else order[1:]
    return [((*kept, page), page not in order)]


def _fifo(instance: _Instance, t: int, queue: tuple[int, ...]) -> Outcomes:
    page = instance.requests[t]
    return [(queue, False)] if page in queue else [((*queue[1:], page), True)]


def _random(instance: _Instance, t: int, cache: int) -> Outcomes:
    one = 1 << instance.requests[t]
    return [(cache, False)] if cache & one else [(cache ^ victim | one, True) for victim in _singles(cache)]


def _marker(instance: _Instance, t: int, state: tuple[int, int]) -> Outcomes:
    (cache, unmarked), one = state, 1 << instance.requests[t]
    if cache & one:
        return [((cache, unmarked & ~one), False)]
    pool = unmarked or cache  # none unmarked: a new phase, all lose their marks
    return [((cache ^ victim | one, pool ^ victim), True) for victim in _singles(pool)]


def _layered(instance: _Instance, t: int, state: tuple[int, tuple[int, ...], int, int]) -> Outcomes:
    """OnlineMin and RPB-OM: cache, pages by rising priority (each a set of one), budget, comparison value."""
    (cache, order, budget, y), one = state, 1 << instance.requests[t]
    i, layers, support, u = instance.walk[t]
    fault, learning = not cache & one, instance.policy == "rpb-om"
    if fault:
        pool, by_prediction = _pool(cache, layers, i), False
        if learning:
            by_prediction, budget = _spends(instance.tau, budget, i, u, y)
            y = u
        victim = instance.furthest(pool) if by_prediction else next(p for p in order if p & pool)
        cache = cache ^ victim | one
    if learning and instance.budget == "on-request":
        y = u
    # pages that left the support get a new priority if they come back
    order = tuple(p for p in order if p & (support | cache) and (i or p != one))
    if i:
        return [((cache, order, budget, y), fault)]
    # a new page's priority falls between any two others with the same probability
    ranks = range(len(order) + 1)
    return [((cache, (*order[:rank], one, *order[rank:]), budget, y), fault) for rank in ranks]


def _lone(instance: _Instance, t: int, state: tuple[int, int, int]) -> Outcomes:
    """OnlineMin and RPB-OM where one unrevealed page of the support is missing: it, budget, comparison value.

    The least priority is any candidate's with equal probability: each earlier victim of least priority has been
    requested since, and its being below the others' tells nothing of their order.
    """
    (missing, budget, y), one = state, 1 << instance.requests[t]
    i, layers, _, u = instance.walk[t]
    fault, learning = i == 0 or missing == one, instance.policy == "rpb-om"
    victims = [missing]
    if fault:
        unrevealed = instance.walk[t - 1][3] if t else 0
        pool = sum(layers[: unrevealed or instance.k]) & ~one
        victims = _singles(pool)
        if learning:
            by_prediction, budget = _spends(instance.tau, budget, i, u, y)
            y, victims = u, [instance.furthest(pool)] if by_prediction else victims
    if learning and instance.budget == "on-request":
        y = u
    return [((victim if u else 0, budget, y), fault) for victim in victims]


def _pool(cache: int, layers: list[int], i: int) -> int:
    """The cached pages that may be evicted for a fault on layer i."""
    if i == 0:
        return cache
    within = 0
    for j, layer in enumerate(layers, start=1):
        within |= cache & layer
        if j >= i and within.bit_count() == j:
            return within
    raise Rejected("the cache isn't one that the layers allow; this instance can't be checked")


def _spends(tau: int, budget: int, i: int, u: int, y: int) -> tuple[bool, int]:
    """Whether RPB-OM evicts by prediction, and its budget afterwards."""
    if i == 0:
        return True, tau
    budget += _earns(u, y)
    return budget > 0, max(budget - 1, 0)


_SERVE: dict[str, Callable[[_Instance, int, Any], Outcomes]] = {
    "fifo": _fifo,
    "lru": _lru,
    "marker": _marker,
    "onlinemin": _layered,
    "random": _random,
    "rpb-om": _layered,
}


def _start(instance: _Instance) -> list[Any]:
    """The start states, each as likely as any other."""
    cache = (1 << instance.k) - 1
    if instance.lone:
        return [(0, 0, 0)]
    if instance.policy in _LAYERED:
        return [(cache, order, 0, 0) for order in permutations(_singles(cache))]
    if instance.policy in ("lru", "fifo"):
        return [instance.cache]
    return [cache] if instance.policy == "random" else [(cache, 0)]


def _expected_cost(instance: _Instance) -> Fraction:
    """The mean number of faults: weights of states over a common total, equal states put together."""
    states = dict.fromkeys(_start(instance), 1)
    total, cost, left = len(states), 0, TRANSITIONS
    serve, price = _lone if instance.lone else _SERVE[instance.policy], 1 + len(instance.number) // 1000
    for t, page in enumerate(instance.requests):
        served = []
        for state, weight in states.items():
            served.append((weight, serve(instance, t, state)))
            left -= price * len(served[-1][1])
            instance.work.spend(100 + (2 * instance.k + total.bit_length() // 30) * len(served[-1][1]))
            if left < 0:
                most = f"{TRANSITIONS} transitions between random states"
                most += f" (here {TRANSITIONS // price}: there are {len(instance.number)} pages)" * (price > 1)
                raise Rejected(f"the sequence must need at most {most} in this checker; it needs more")
        common = math.lcm(*(len(outcomes) for _, outcomes in served))
        total, cost, states = total * common, cost * common, {}
        for weight, outcomes in served:
            share = weight * common // len(outcomes)
            for state, fault in outcomes:
                states[state] = states.get(state, 0) + share
                cost += share * fault
        instance.last[page] = instance.k + t
    return Fraction(cost, total)


def _offline_cost(instance: _Instance, schedule: list[object]) -> int:
    """Faults of the schedule: an entry a request, the page to evict or "-" at a hit."""
    cache, cost = set(instance.cache), 0
    for t, (page, entry) in enumerate(zip(instance.requests, schedule, strict=True)):
        if page in cache:
            _same(entry, "-", f"offline[{t}], a hit,")
            continue
        victim = instance.number.get(_integer(entry, f"offline[{t}]"), -1)
        if victim not in cache:
            raise Rejected(f"offline[{t}] must be a page cached then; got {_short(entry)}")
        cache.remove(victim)
        cache.add(page)
        cost += 1
    return cost


def _cost_exceeds(certificate: dict[str, Any], work: _Work) -> str:
    instance = _Instance(certificate, work)
    c = _rational(certificate["c"], "c")
    claimed = _rational(certificate["cost"], "cost", WITNESS_DIGITS)
    most = _integer(certificate["offline_cost"], "offline_cost")
    _same(certificate["claim"], BOUND_CLAIMS[instance.policy], "claim")
    _same(certificate["statement"], BOUND.format(instance.policy, instance.k, c), "statement")
    length = len(instance.requests)
    offline = _offline_cost(instance, _listed(certificate["offline"], "offline", length, length))
    if offline != most:
        raise Rejected(f"offline_cost = {_show(most)} is false: the schedule costs {offline}")
    if c < 0:
        raise Rejected("c must be at least 0; a negative one bounds nothing")
    cost = _expected_cost(instance)
    if cost != claimed:
        raise Rejected(f"cost = {_short(certificate['cost'])} is false: it is {_show(cost)}")
    if cost <= c * offline:
        raise Rejected(f"the inequality is false: cost {_show(cost)} <= c * {offline} = {_show(c * offline)}")
    return (
        f"{instance.policy} costs {_show(cost)} > {_show(c)} * {offline} >= c * OPT on this sequence (k = {instance.k})"
    )


# ------------------------------------------------------------------------------------------------------ the doors

_COMMON = ("kind", "claim", "statement")
_ATTENTION = (*_COMMON, "tokens", "b", "tie", "weights")
_KINDS: dict[str, tuple[tuple[str, ...], Callable[[dict[str, Any], _Work], str]]] = {
    "attention first violation": ((*_ATTENTION, "index", "k1", "label"), _first_violation),
    "attention violated from": ((*_ATTENTION, "state", "separator", "from_k"), _violated_from),
    "attention never violated": ((*_ATTENTION, "reason"), _never_violated),
    "paging exact value": ((*_COMMON, "k", "tau", "budget", "quantity", "value"), _exact_value),
    "paging cost exceeds": (
        (*_COMMON, "policy", "cache", "requests", "c", "cost", "offline", "offline_cost"),
        _cost_exceeds,
    ),
}


def check(certificate: object) -> str:
    """What the certificate (a parsed JSON object) establishes, as a line; raises Rejected with the reason if none.

    >>> try:
    ...     check({"kind": "paging exact value", "value": True})
    ... except Rejected as error:
    ...     print(str(error)[:60])
    certificate must have exactly the fields budget, claim, k, k
    """
    kind = certificate.get("kind") if type(certificate) is dict else None
    names, checker = _KINDS[_choice(kind, tuple(_KINDS), "kind")]
    return checker(_fields(certificate, names, "certificate"), _Work())


def check_text(text: str) -> str:
    """As `check`, of JSON text: no numbers, no null, true or false, no key twice, nesting up to 8.

    Raises Unreadable if it isn't JSON.
    """
    if len(text) > BYTES:
        raise Rejected(f"the certificate must have at most {BYTES} bytes; it has more")
    depth = 0
    for bracket in _BRACKETS.findall(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(bracket, 0)
        if depth > NESTING:
            raise Rejected(f"the certificate must be nested at most {NESTING} deep; it is deeper")
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_int=_refuse, parse_float=_refuse, parse_constant=_refuse
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error.msg} at line {error.lineno}") from None
    return check(value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise Rejected("the certificate must not have a key twice; it has")
    return fields


def _refuse(number: str) -> Any:
    raise Rejected(f'the certificate must have no JSON numbers; write {_short(number)} as text "p/q"')


def check_file(path: "str | Path") -> str:
    """As `check_text`, of a regular file. Raises Unreadable if it can't be read or isn't UTF-8."""
    try:
        if not Path(path).is_file():
            raise Unreadable("no such file, or not a regular one")
        with open(path, "rb") as file:
            return check_text(file.read(BYTES + 1).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        what = "not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror or type(error).__name__
        raise Unreadable(what) from None


def _outcome(path: str) -> tuple[int, str]:
    try:
        return 0, check_file(path)
    except Rejected as error:
        return 1, str(error)
    except Unreadable as error:
        return 2, str(error)
    except Exception as error:  # whatever went wrong, nothing was shown: the other files are still to be checked
        return 1, f"the check failed ({type(error).__name__}); nothing was established"


def main(arguments: "Sequence[str] | None" = None, *, prog: str = "python verify.py") -> int:
    """Check files and print a line for each; 0 all accepted, 1 any rejected, else 2 if any is unreadable."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given, prog)
    except KeyboardInterrupt:
        return fail("interrupted", 130, given, "check fewer or smaller files")


class _Parser(argparse.ArgumentParser):
    """Errors take one line, and with --json one document: error, code, remedy."""

    given: "Sequence[str]" = ()

    def error(self, message: str) -> NoReturn:
        raise SystemExit(fail(f"{self.prog}: {message}", 2, self.given, f"see {self.prog} --help"))


def fail(error: str, code: int, given: "Sequence[str]", remedy: str) -> int:
    """Print a line on stderr, with --json a document on stdout too; the exit code."""
    if "--json" in given:
        print(json.dumps({"error": " ".join(error.split()), "code": code, "remedy": remedy}), flush=True)
    print(" ".join(error.split()), file=sys.stderr)
    return code


def _run(given: "Sequence[str]", prog: str) -> int:
    parser = _Parser(prog=prog, description="Check certificates: recompute what they state.", allow_abbrev=False)
    parser.given = given
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate, JSON")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    options = parser.parse_args(given)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    outcomes = [(path, *_outcome(path)) for path in options.files]
    try:
        _print(outcomes, options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of stdout, say head, has seen enough; the exit code stands
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    codes = {code for _, code, _ in outcomes}
    return 1 if 1 in codes else max(codes)


def _print(outcomes: "Sequence[tuple[str, int, str]]", options: argparse.Namespace) -> None:
    words = ("accepted", "rejected", "unreadable")
    if options.json:
        print(json.dumps([{"file": path, "outcome": words[code], "says": says} for path, code, says in outcomes]))
    for path, code, says in [] if options.json else outcomes:
        if code or not options.quiet:
            print(f"{words[code]} {path}: {says}", file=sys.stderr if code == 2 else sys.stdout)


if __name__ == "__main__":
    sys.exit(main())
