"""Horizons, grids of sizes, and growth data: means over k with errors, bounded or growing."""

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from sweeps.strategies.instances import Grid, Growth

SHAPES = ("constant", "1/k", "1/sqrt k", "ln k")


def horizons(*, most: int = 10**12) -> Any:
    """Horizons from 1 to ``most``: powers of two and of ten and their neighbours as often as small ones."""
    powers = [2**i for i in range(most.bit_length())] + [10**i for i in range(len(str(most)))]
    near = st.tuples(st.sampled_from(sorted(powers)), st.integers(-1, 1)).map(sum)
    return st.one_of(st.integers(1, min(most, 100)), near.filter(lambda t: 1 <= t <= most))


@st.composite
def grids(draw: Any, *, k_min: int = 2, k_max: int = 1 << 12, max_points: int = 12) -> Grid:
    """Rising sizes in ``k_min``..``k_max``, geometric or anyhow, with a horizon."""
    if draw(st.booleans()):
        first, ratio = draw(st.integers(k_min, max(k_min, k_max // 2))), draw(st.integers(2, 4))
        count = draw(st.integers(1, max_points))
        ks = [first * ratio**i for i in range(count) if first * ratio**i <= k_max]
    else:
        ks = sorted(draw(st.sets(st.integers(k_min, k_max), min_size=1, max_size=max_points)))
    return Grid(tuple(ks), draw(horizons(most=10**6)))


@st.composite
def growth_data(draw: Any, *, max_points: int = 12) -> Growth:
    """Means at k = 2^2, 2^3, ...: a constant, a transient and a slope in ln k (0 for bounded data), plus noise.

    All numbers are hundredths, drawn as integers; the noise is within two standard errors.
    """
    n = draw(st.integers(5, max_points))
    ks = tuple(2 ** (i + 2) for i in range(n))
    level, bend, slope = draw(st.integers(-300, 300)), draw(st.integers(-300, 300)), draw(st.integers(0, 100))
    shape, se = draw(st.sampled_from(SHAPES)), draw(st.integers(1, 20))
    noise = draw(st.lists(st.integers(-2, 2), min_size=n, max_size=n))
    growing = slope if shape == "ln k" else 0
    ys = [
        Fraction(level, 100) + _bend(shape, bend, k) + Fraction(growing, 100) * _ln(k) + Fraction(e * se, 100)
        for k, e in zip(ks, noise, strict=True)
    ]
    return Growth(ks, tuple(ys), (Fraction(se, 100),) * n, Fraction(growing, 100))


def _bend(shape: str, bend: int, k: int) -> Fraction:
    """A bounded transient of the given shape at k, a power of two."""
    if shape == "1/k":
        return Fraction(bend, 100 * k)
    return Fraction(bend, 100 * 2 ** (k.bit_length() // 2)) if shape == "1/sqrt k" else Fraction(0)


def _ln(k: int) -> Fraction:
    """ln k for a power of two, to 6 decimals."""
    return (k.bit_length() - 1) * Fraction(693147, 1_000_000)
