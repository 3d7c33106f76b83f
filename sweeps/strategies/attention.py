"""Token configurations where the attention claim is delicate: boundary, near ties, near antipodes, singular B*."""

from typing import Any

from hypothesis import strategies as st

from sweeps.strategies.instances import Matrix, Tokens

KINDS = ("inside", "boundary", "near-tie", "near-antipodal", "singular")
TIES = ("low", "avg", "stay")


@st.composite
def token_configurations(
    draw: Any,
    *,
    d: int = 2,
    max_tokens: int = 7,
    size: int = 9,
    kinds: tuple[str, ...] = KINDS[:4],
    ties: tuple[str, ...] = TIES[:1],
) -> Tokens:
    """Integer tokens in d dimensions with the origin in their hull, at most ``max_tokens`` >= d + 1 of them.

    A positive combination of the tokens vanishes, by construction. ``kinds``: "inside"; "boundary" (the origin on a
    face, or a unit from it); "near-tie" (two tokens a unit apart, ten times as far out); "near-antipodal" (pairs
    x, -x + a unit); "singular" (B* = A^T A with fewer rows than columns). The others have B* = I.
    """
    _check(d, max_tokens, kinds, ties)
    kind = draw(st.sampled_from(kinds))
    rows = draw(st.lists(st.tuples(*[st.integers(-size, size)] * d), min_size=d, max_size=max_tokens - 1))
    if kind == "near-antipodal":
        rows = _antipodal(draw, rows[: max(1, (max_tokens - 1) // 2)], d)
    elif kind == "near-tie":
        rows = _doubled(draw, rows[: max(1, max_tokens - 2)], d)
    weights = _weights(draw, len(rows), least=0 if kind == "boundary" else 1)
    last = tuple(-sum(w * row[c] for w, row in zip(weights, rows, strict=True)) for c in range(d))
    b = _singular(draw, d) if kind == "singular" else None
    return Tokens((*rows, last), b, draw(st.sampled_from(ties)))


def _check(d: int, max_tokens: int, kinds: tuple[str, ...], ties: tuple[str, ...]) -> None:
    if d < 1:
        raise ValueError(f"d must be at least 1; got {d}")
    if max_tokens < d + 1:
        raise ValueError(f"max_tokens must be at least d + 1 = {d + 1}; got {max_tokens}")
    for name, given, known in (("kinds", kinds, KINDS), ("ties", ties, TIES)):
        if not given or not set(given) <= set(known):
            raise ValueError(f"{name} must be some of {', '.join(known)}; got {given!r}")


def _weights(draw: Any, count: int, least: int) -> list[int]:
    """Weights of a combination; one of them is positive."""
    weights: list[int] = draw(st.lists(st.integers(least, 2), min_size=count, max_size=count))
    return weights if any(weights) else [1, *weights[1:]]


def _unit(draw: Any, d: int) -> list[int]:
    """A step of at most a unit in each coordinate."""
    return list(draw(st.tuples(*[st.integers(-1, 1)] * d)))


def _antipodal(draw: Any, rows: list[tuple[int, ...]], d: int) -> list[tuple[int, ...]]:
    near = [tuple(e - 10 * x for x, e in zip(row, _unit(draw, d), strict=True)) for row in rows]
    return [tuple(10 * x for x in row) for row in rows] + near


def _doubled(draw: Any, rows: list[tuple[int, ...]], d: int) -> list[tuple[int, ...]]:
    scaled = [tuple(10 * x for x in row) for row in rows]
    return [*scaled, tuple(x + e for x, e in zip(scaled[0], _unit(draw, d), strict=True))]


def _singular(draw: Any, d: int) -> Matrix:
    """A^T A of rank below d; not zero."""
    factors = draw(st.lists(st.tuples(*[st.integers(-2, 2)] * d), min_size=1, max_size=max(1, d - 1)))
    if not any(map(any, factors)):
        factors = [(1,) + (0,) * (d - 1)]
    return tuple(tuple(sum(a[i] * a[j] for a in factors) for j in range(d)) for i in range(d))
