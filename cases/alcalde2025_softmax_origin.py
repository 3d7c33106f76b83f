"""Softmax attention tokens collapse to the origin: they collapse, but not there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

from cases.claim import Case, Claim, Finding

CLAIM = Claim(
    id="alcalde2025",
    statement="softmax tokens collapse to the origin",
    quantifiers="every beta, step gamma in (0, 1] and start with the origin in the tokens' hull",
    relation="x_i' = x_i + gamma (sum_j w_ij x_j - x_i), w_ij ~ exp(beta <x_i, x_j>): x_i^t -> 0",
    refuted_by="a start and a t at which the hull no longer holds the origin: averages stay in it for ever",
    source="arXiv 2508.09628v1 (the softmax claim of that version, as in the toolkit's notes: attracting sign, B = +I; "
    "only the abstract and second-hand statements could be read)",
    link="https://arxiv.org/abs/2508.09628v1",
)
BITS, LIMIT_BITS = 128, 512
ATTRACT, REPEL = 1, -1


def judge(
    tokens: Sequence[int], *, quick: bool, beta: str = "1/10", gamma: str = "1/2", sign: int = ATTRACT
) -> Finding:
    """Tokens on a line, enclosed rigorously step by step until the origin is certainly outside their hull."""
    start, b, g = [Fraction(x) for x in tokens], Fraction(beta) * sign, Fraction(gamma)
    setting = f"{{{', '.join(map(str, tokens))}}}, beta = {beta}, gamma = {gamma}, {'attract' if sign > 0 else 'repel'}"
    if sorted(start) == sorted(-x for x in start) and len(start) == 2 and b > 0:
        return _symmetric(setting)
    for t, low, high in _hulls(start, b, g, 10 if quick else 40):
        if low > 0 or high < 0:
            said = f"{setting}: after {t} steps the hull lies in [{low:.6f}, {high:.6f}], and it only shrinks"
            details = {"steps": t, "hull": [low, high], "limit": None if quick else _limit(start, b, g)}
            return Finding(
                "falsified", "exact", f"{said}: the origin is out of reach for ever.", f"t = {t}", (), details
            )
    said = f"{setting}: the enclosures still meet the origin at the last step; nothing follows."
    return Finding("inconclusive", "exact", said, "no step decides")


def _symmetric(setting: str) -> Finding:
    said = (
        f"{setting}: tokens stay {{a, -a}} by symmetry, a' = a (1 - gamma (1 - tanh(beta a^2))); the factor is at most "
        "its first value, which is below 1: a falls to 0 geometrically."
    )
    return Finding("verified", "exact", said, "all t")


@contextmanager
def _precision(bits: int) -> Iterator[None]:
    from flint import ctx

    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def _hulls(start: list[Fraction], b: Fraction, g: Fraction, steps: int) -> Iterator[tuple[int, float, float]]:
    """(t, bounds of the hull rounded outward): below min and above max of the enclosures."""
    for t, tokens in _enclosed(start, b, g, steps, BITS):
        yield t, _below(min(float(x.lower()) for x in tokens)), -_below(-max(float(x.upper()) for x in tokens))


def _below(value: float) -> float:
    import math

    return math.nextafter(math.nextafter(value, -math.inf), -math.inf)  # float() rounds to nearest


def _enclosed(
    start: list[Fraction], b: Fraction, g: Fraction, steps: int, bits: int
) -> Iterator[tuple[int, list[Any]]]:
    from flint import arb, fmpq

    with _precision(bits):
        beta, gamma, *tokens = (arb(fmpq(x.numerator, x.denominator)) for x in (b, g, *start))
        for t in range(steps + 1):
            yield t, tokens
            tokens = [x + gamma * (_average(x, tokens, beta) - x) for x in tokens]


def _average(x: Any, tokens: list[Any], beta: Any) -> Any:
    weights = [(beta * x * y).exp() for y in tokens]
    return sum(w * y for w, y in zip(weights, tokens, strict=True)) / sum(weights)


def _limit(start: list[Fraction], b: Fraction, g: Fraction) -> str:
    """The common limit to 20 digits, from enclosures of all tokens."""
    with _precision(LIMIT_BITS):
        for _, tokens in _enclosed(start, b, g, 400, LIMIT_BITS):
            hull = tokens[0]
            for x in tokens[1:]:
                hull = hull.union(x)
            if hull.rad() < 1e-28:
                return str(hull.mid().str(20, radius=False))
    return "not enclosed"


def check(quick: bool) -> Finding:
    """The attracting sign of the claim; the repelling one beside it, for whoever reads the sign the other way."""
    repelling = judge((2, -1), quick=quick, sign=REPEL)
    attracting = judge((2, -1), quick=quick)
    return replace(attracting, details={**attracting.details, "repelling": repelling.sentence})


CASE = Case(
    claim=CLAIM,
    check=check,
    control=lambda quick: judge((1, -1), quick=quick),
    expected="falsified",
    expected_control="verified",
)
