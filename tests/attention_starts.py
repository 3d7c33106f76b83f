"""Attention starts for Hypothesis: small integer tokens (exact ties are common) with the origin in their hull."""

from fractions import Fraction

from hypothesis import strategies as st


@st.composite
def starts(draw, max_n=8, max_d=3, ties=("low", "avg", "stay")):
    """(tokens, b, tie): one token makes a positive combination of all of them vanish; b = A^T A, often singular."""
    d = draw(st.integers(1, max_d))
    size = draw(st.sampled_from([1, 3, 9, 40]))
    rows = draw(st.lists(st.tuples(*[st.integers(-size, size)] * d), min_size=1, max_size=max_n - 1))
    weights = draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    last = tuple(-sum(w * row[c] for w, row in zip(weights, rows, strict=True)) for c in range(d))
    place = draw(st.integers(0, len(rows)))
    tokens = [*rows[:place], last, *rows[place:]]
    factors = draw(st.none() | st.lists(st.tuples(*[st.integers(-2, 2)] * d), min_size=1, max_size=d))
    b = None if factors is None else [[sum(r[i] * r[j] for r in factors) for j in range(d)] for i in range(d)]
    scale = draw(st.sampled_from([1, 10]))
    return [[Fraction(x, scale) for x in row] for row in tokens], b, draw(st.sampled_from(ties))
