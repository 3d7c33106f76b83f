"""Segments whose motion is a ratio of polynomials in t: jump over any number of steps, find the next event exactly.

While the leader map stays P, X^t = f(P) X^s with f(z) = prod_{tau=s}^{t-1} (tau + 2z)/(tau + 2). For the eigenvalues
z = 1, 1/2, 0, -1/2, -1 this times N(t) = (t-2)(t-1)t(t+1) is a polynomial of degree at most 4, so wherever these five
suffice, P(P^2 - 1)(P^2 - 1/4) X = 0 (self-loops, mutual pairs, one level of followers, ties shared by two), X^t is
known for every t >= 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement

from flint import fmpz, fmpz_mat, fmpz_poly

from sweeps.simulators.attention.roots import first_negative
from sweeps.simulators.attention.state import Averaging, Form, State, Targets, merged

# 6 L_z(P), rows z = 1, 1/2, 0, -1/2, -1, columns P^0..P^4: Lagrange's polynomials, which pick the eigenvalue z
LAGRANGE = (
    (0, -1, -1, 4, 4),
    (0, 8, 16, -8, -16),
    (6, 0, -30, 0, 24),
    (0, -8, 16, 8, -16),
    (0, 1, -1, -4, 4),
)


@dataclass(frozen=True)
class Segment:
    """x^t = sum_a u^a parts[a] / (scale N(t)), u = t - origin >= 0, until the leader map changes."""

    origin: int
    parts: tuple[fmpz_mat, ...]
    scale: fmpz
    owner: tuple[int, ...]

    @property
    def denominator(self) -> fmpz_poly:
        """N as a polynomial in u."""
        return _product(self.origin, (-2, -1, 0, 1))

    def at(self, t: int) -> State:
        """The state at t >= origin."""
        u = t - self.origin
        places = reduce(lambda total, part: total * u + part, reversed(self.parts))
        return merged(State(t, places, self.scale * self.denominator(u), self.owner))


def segment(state: State, p: Averaging) -> Segment | None:
    """The segment that starts with the step from ``state``, or None where the five eigenvalues do not suffice."""
    if state.t < 3:
        return None
    powers = [state.places]  # P^k X times p.scale^k
    for _ in range(5):
        powers.append(p.matrix * powers[-1])
    m = p.scale
    if powers[5] * 4 - powers[3] * (5 * m**2) + powers[1] * m**4 != powers[0] * 0:
        return None
    modes = [_combined(row, [x * m ** (4 - k) for k, x in enumerate(powers[:5])]) for row in LAGRANGE]
    factors = _factors(state.t)
    parts = [_combined([f[a] for f in factors], modes) for a in range(5)]
    scale = 6 * m**4 * state.scale
    common = reduce(lambda g, x: g.gcd(x), (x for part in parts for x in part.entries()), fmpz(scale))
    return Segment(state.t + 1, tuple(_divided(part, common) for part in parts), scale // common, state.owner)


def _factors(s: int) -> list[fmpz_poly]:
    """N(t) f(z) for the five eigenvalues, in u = t - s - 1."""
    o = s + 1
    return [
        _product(o, (-2, -1, 0, 1)),
        _product(o, (-2, -1, 0)) * (s + 1),
        _product(o, (-2, -1)) * (s * (s + 1)),
        _product(o, (-2,)) * ((s - 1) * s * (s + 1)),
        _product(o, ()) * ((s - 2) * (s - 1) * s * (s + 1)),
    ]


def _product(origin: int, offsets: tuple[int, ...]) -> fmpz_poly:
    return reduce(lambda p, offset: p * fmpz_poly([origin + offset, 1]), offsets, fmpz_poly([1]))


def _combined(weights: Sequence[int | fmpz], matrices: list[fmpz_mat]) -> fmpz_mat:
    total = matrices[0] * 0
    for weight, matrix in zip(weights, matrices, strict=True):
        total = total + matrix * weight
    return total


def _divided(matrix: fmpz_mat, by: fmpz) -> fmpz_mat:
    return fmpz_mat([[x // by for x in row] for row in matrix.tolist()])


def gram(piece: Segment, form: Form) -> list[list[list[fmpz]]]:
    """Coefficients of u^0..u^8 in (scale N)^2 form.scale <B* x_i, x_j>, each a table over i and j."""
    sums = [piece.parts[0] * form.matrix * piece.parts[0].transpose() * 0] * 9
    images = [part * form.matrix for part in piece.parts]
    for a, b in combinations_with_replacement(range(5), 2):
        term = images[a] * piece.parts[b].transpose()
        sums[a + b] = sums[a + b] + (term if a == b else term + term.transpose())
    return [total.tolist() for total in sums]


def next_event(piece: Segment, table: list[list[list[fmpz]]], moves: Targets, tie: str) -> int | None:
    """The first t >= origin at which the leader map is another, or None: never."""
    first: int | None = None
    for i, target in enumerate(moves):
        for j in range(len(moves)):
            found = None if j == target[0] else _departure(i, j, target, table, tie, first)
            first = first if found is None else found
    return None if first is None else piece.origin + first


def _departure(
    i: int, j: int, target: tuple[int, ...], table: list[list[list[fmpz]]], tie: str, stop: int | None
) -> int | None:
    """When class j would change the target of class i, as u, if before ``stop``."""
    gap = [power[i][j] - power[i][target[0]] for power in table]
    if j in target:
        return _first_nonzero(fmpz_poly(gap), stop)
    if gap[0] > 0 and min(gap) >= 0:
        return None
    return first_negative(fmpz_poly(gap), or_zero=wins_ties(i, j, target[0], tie), stop=stop)


def wins_ties(i: int, j: int, leader: int, tie: str) -> bool:
    """Whether class i changes its leader when class j only ties with it."""
    if tie == "avg":
        return True
    if tie == "stay" and i in (j, leader):
        return j == i
    return j < leader


def _first_nonzero(p: fmpz_poly, stop: int | None) -> int | None:
    u = None if p.is_zero() else next(u for u in range(p.degree() + 1) if p(u) != 0)
    return u if u is None or stop is None or u < stop else None


def first_violation(
    piece: Segment, table: list[list[list[fmpz]]], form: Form, limit: Fraction, before: int | None = None
) -> int | None:
    """The first t >= origin with <B* x_i, x_i> t > limit for some i, or None: none in this segment (``before`` a t)."""
    n = piece.denominator
    allowed = n * n * (limit.numerator * form.scale * piece.scale**2)
    t = fmpz_poly([piece.origin, 1])
    first = None if before is None else before - piece.origin
    for i in range(len(table[0])):
        energy = fmpz_poly([power[i][i] for power in table])
        found = first_negative(allowed - energy * t * limit.denominator, stop=first)
        first = first if found is None else found
    return None if first is None or piece.origin + first == before else piece.origin + first
