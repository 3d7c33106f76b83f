"""Before running anything: how far, and how often at each size (spec 2.10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fits.dictionary import TIERS, Array
from fits.formulas import law
from fits.power import Design, slope

MIN_REPS = 10
MOST_REPS = 2.0**53
SMALLEST = 1e-100  # squares of what is smaller, or of its inverse, leave the floats
MIN_GRID = 7
# Replicates fall like cost^-a: a = 0 equal replicates, a = 1 equal cost a point.
_SPLITS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, eq=False)
class Plan:
    """A sweep to run: ``k`` (n,), ``reps`` (n,), the ``se`` they give, total ``cost``, and what it sees.

    ``mde``: smallest slope per ln k seen with 95 % power at the tier; ``power``: at the slope ``c`` asked
    for; ``options``: cost by k_max of the cheapest such sweep, when a slope was asked for.
    """

    k: Array
    reps: Array
    se: Array
    cost: float
    mde: float
    tier: int
    c: float | None = None
    power: float | None = None
    options: tuple[tuple[float, float], ...] = field(default=())

    @property
    def k_max(self) -> float:
        """Largest k to run."""
        return float(self.k[-1])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "k_max": self.k_max,
            "k": self.k.tolist(),
            "reps": self.reps.astype(int).tolist(),
            "se": self.se.tolist(),
            "cost": self.cost,
            "mde": self.mde,
            "tier": TIERS[self.tier],
            "c": self.c,
            "power": self.power,
            "options": [list(option) for option in self.options],
        }


def plan(
    *,
    sd: float,
    c: float | None = None,
    k_min: float = 4,
    step: float = 0.5,
    tier: int = 2,
    cost: str = "k",
    budget: float | None = None,
    k_limit: float = 2**20,
) -> Plan:
    """The cheapest sweep that sees growth c ln k with 95 % power, or the most that a budget can see.

    ``sd``: standard deviation of one replicate, in the unit of y; ``step``: the grid's ratio is 2^step;
    ``cost`` of one replicate at k, as a law or formula ("1", "k", "k**2"); ``budget`` in the same unit;
    ``k_limit``: largest k that can be run. With ``c`` and a ``budget`` too small for it, the budget's best.
    At least 7 points and 10 replicates each. Where the curve is uneven at small k (lattice effects),
    replicates beyond an error that resolves it buy misfit, not power: cap them there. Raises ValueError.
    Source: spec 2.10.

    >>> p = plan(c=0.38, sd=0.28)
    >>> p.k_max, p.mde <= 0.38, bool(p.reps[0] > p.reps[-1])
    (512.0, True, True)
    """
    _check(sd, c, k_min, step, tier, budget, k_limit)
    grid = _grid(k_min, step, k_limit)
    price = law(cost)(grid)
    if (price <= 0).any():
        raise ValueError(f"cost={cost!r} must be positive on k = {grid[0]:g} .. {grid[-1]:g}")
    shapes = [(grid[:n], price[:n], price[:n] ** -a) for n in range(MIN_GRID, grid.size + 1) for a in _SPLITS]
    best = None if c is None else _cheapest(shapes, sd, slope(c), tier)
    if budget is None or (best is not None and best.cost <= budget):
        assert best is not None
        return best
    return _within(shapes, sd, budget, tier, c)


def _check(
    sd: float, c: float | None, k_min: float, step: float, tier: int, budget: float | None, k_limit: float
) -> None:
    if c is None and budget is None:
        raise ValueError("c or budget must be given")
    for name, value in (("sd", sd), ("step", step), ("budget", 1.0 if budget is None else budget)):
        if not 0 < value < float("inf"):
            raise ValueError(f"{name}={value} must be positive and finite")
    if not SMALLEST <= sd <= 1 / SMALLEST:
        raise ValueError(f"sd={sd} must be between {SMALLEST:g} and {1 / SMALLEST:g}: change the unit of y")
    if not 3 <= k_min < k_limit <= 2**60:
        raise ValueError(f"k_min={k_min} must be at least 3 and below k_limit={k_limit} <= 2^60")
    if tier not in (0, 1, 2):
        raise ValueError(f"tier={tier} must be 0, 1 or 2")
    if step < 0.05:
        raise ValueError(f"step={step} must be at least 0.05 doublings")


def _grid(k_min: float, step: float, k_limit: float) -> Array:
    count = int(np.log2(k_limit / k_min) / step + 1e-9) + 1
    grid = np.unique(np.round(k_min * 2.0 ** (step * np.arange(count))))
    if grid.size < MIN_GRID:
        raise ValueError(f"k_limit={k_limit} must leave at least {MIN_GRID} points from k_min={k_min}; got {grid.size}")
    return grid


def _design(k: Array, reps: Array, sd: float, tier: int) -> Design:
    return Design(k, sd / np.sqrt(reps), law("ln"), tier)


def _cheapest(shapes: list[tuple[Array, Array, Array]], sd: float, c: float, tier: int) -> Plan:
    plans: dict[float, tuple[float, Array, Array]] = {}
    for k, price, share in shapes:
        ratio = _design(k, share, sd, tier).mde / c
        with np.errstate(over="ignore"):  # what becomes infinite is refused in the end
            reps = np.maximum(MIN_REPS, np.ceil(ratio * ratio * share * (1 - 1e-12)))
            total = float(reps @ price)
        if k[-1] not in plans or total < plans[k[-1]][0]:
            plans[float(k[-1])] = (total, k, reps)
    total, k, reps = min(plans.values(), key=lambda found: found[0])
    options = tuple((k_max, found[0]) for k_max, found in plans.items())
    return _plan(k, reps, sd, tier, total, c, options)


def _within(shapes: list[tuple[Array, Array, Array]], sd: float, budget: float, tier: int, c: float | None) -> Plan:
    best: Plan | None = None
    for k, price, share in shapes:
        reps = np.floor(budget / float(share @ price) * share)
        if reps.min() < MIN_REPS:
            continue
        found = _plan(k, reps, sd, tier, float(reps @ price), c, ())
        best = found if best is None or found.mde < best.mde else best
    if best is None:
        k, price, _ = shapes[0]
        raise ValueError(
            f"budget={budget:g} must pay {MIN_REPS} replicates at {MIN_GRID} points: "
            f"{MIN_REPS * price.sum():g} at least"
        )
    return best


def _plan(
    k: Array,
    reps: Array,
    sd: float,
    tier: int,
    cost: float,
    c: float | None,
    options: tuple[tuple[float, float], ...],
) -> Plan:
    if not reps.max() <= MOST_REPS:
        raise ValueError(f"replicates must be at most 2^53 at each k; this plan takes {reps.max():.2g}")
    design = _design(k, reps, sd, tier)
    power = None if c is None else design.power(c)
    return Plan(k, reps, design.errors, cost, design.mde, tier, c, power, options)
