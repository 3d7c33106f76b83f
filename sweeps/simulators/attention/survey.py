"""Random starts: Gaussian tokens with the origin in their hull, each followed to its eventual verdict."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, sqrt
from typing import Any

import exact
from sweeps.simulators.attention.outcome import outcome
from sweeps.simulators.attention.problem import Problem, Rows

DECIMALS = 6
HORIZONS = tuple(10**e for e in range(2, 7))
RAREST = Fraction(1, 4096)
EVENTUAL = ("undecided", "violated", "never")


def check_shape(n: int, d: int) -> None:
    """ValueError unless n Gaussian tokens in d dimensions often enough have the origin in their hull.

    The probability is 1 - 2^{1-n} sum_{i<d} C(n-1, i) (Wendel 1962).
    """
    if not (1 <= d <= 16 and 2 <= n <= 256):
        raise ValueError(f"random must be N,D with 2 <= N <= 256 and 1 <= D <= 16; got {n},{d}")
    chance = 1 - Fraction(sum(comb(n - 1, i) for i in range(d)), 2 ** (n - 1))
    if chance < RAREST:
        raise ValueError(
            f"random must have the origin in the hull in one start of {1 / RAREST}; for {n},{d} it is rarer"
        )


def start(n: int, d: int, seed: int, number: int) -> Rows:
    """Tokens of start ``number``: standard normal, rounded to six decimals, redrawn until the hull holds the origin."""
    import numpy as np

    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(n, d, number)))
    scale = 10**DECIMALS
    while True:
        drawn = np.rint(rng.standard_normal((n, d)) * scale).astype(np.int64).tolist()
        tokens = tuple(tuple(Fraction(x, scale) for x in row) for row in drawn)
        if exact.hull(tokens).weights is not None:
            return tokens


def follow(shape: tuple[int, int], b: Rows, tie: str, seed: int, number: int) -> dict[str, int]:
    """One start's result in integers: k1, from_k (0: none), code of ``eventual``, leader changes and the last one."""
    tokens = start(*shape, seed, number)
    found = outcome(Problem(tokens, b, tie, "state", 10**12))
    return {
        "k1": found.first or 0,
        "from_k": 0 if found.separation is None else found.separation.from_k,
        "eventual": EVENTUAL.index(found.eventual),
        "events": len(found.course.events),
        "last_event": found.course.events[-1],
        "complete": int(found.course.settled),
    }


def summary(results: Sequence[Mapping[str, int]], index: str) -> dict[str, Any]:
    """Shares of starts with a violation labelled at most 10^2..10^6, or ever; quantiles of the first label."""
    count = len(results)
    shift = int(index == "update")
    labels = sorted(r["k1"] - shift for r in results if r["k1"])
    shares = [_share(str(t), sum(x <= t for x in labels), count) for t in HORIZONS]
    ever = sum(r["eventual"] == 1 or r["k1"] > 0 for r in results)
    return {
        "count": count,
        "shares": [*shares, _share("ever", ever, count)],
        "never": sum(r["eventual"] == 2 for r in results),
        "undecided": sum(r["eventual"] == 0 and not r["k1"] for r in results),
        "quantiles": {f"{p} %": _quantile(labels, count, p) for p in (10, 50, 90)},
    }


def _share(by: str, hits: int, count: int) -> dict[str, Any]:
    p = hits / count
    return {"by": by, "share": p, "se": sqrt(p * (1 - p) / count)}


def _quantile(labels: Sequence[int], count: int, percent: int) -> str | None:
    """Of all starts, those without a violation counted as later than any."""
    position = (count - 1) * percent // 100
    return str(labels[position]) if position < len(labels) else None
