"""Small frozen instances that Hypothesis can draw by their type, `st.from_type(Tokens)`; numpy and numba unneeded."""

from dataclasses import dataclass
from fractions import Fraction

Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Tokens:
    """n tokens of d integers with the origin in their hull; ``b``: B*, d x d (None: I); ``tie``: low, avg or stay."""

    points: Matrix
    b: Matrix | None = None
    tie: str = "low"


@dataclass(frozen=True)
class Paging:
    """Requests to a cache of ``k`` pages 0..k-1, oldest first; ``predictions``: next arrivals, k + len(requests)."""

    k: int
    requests: tuple[int, ...]
    predictions: tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """Sizes of a sweep, rising, and a horizon: how far each is run."""

    ks: tuple[int, ...]
    horizon: int


@dataclass(frozen=True)
class Growth:
    """Means ``ys`` at sizes ``ks`` with standard errors ``ses``; ``slope``: what they grow by a unit of ln k, or 0."""

    ks: tuple[int, ...]
    ys: tuple[Fraction, ...]
    ses: tuple[Fraction, ...]
    slope: Fraction
