"""What a benchmark case is: a block of simulated sweeps in, counts out, each count with its pass figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from fits.calibration.noises import GAUSS, Noise
from fits.dictionary import Array
from fits.formulas import law
from fits.rules import VERDICTS, Judged, Panel, Rule, judge

Rng = np.random.Generator
Counts = dict[str, int]
C_STAR = 0.38  # spec 3 keeps the published slope as c*, with slopes of 0.38 and above as the false side
K_MAX = (64, 256, 1024, 4096)
STRICT = 10_000
_SLACK = 1e-4


@dataclass(frozen=True)
class Check:
    """A count over sweeps must stay at most ``high`` and at least ``low``, as a rate."""

    measure: str
    high: float = 1.0
    low: float = 0.0

    def limit(self) -> str:
        """The pass figure as text."""
        if self.low > 0 and self.high < 1:
            return f"{self.low:.2%} - {self.high:.2%}"
        return f">= {self.low:.2%}" if self.low > 0 else f"<= {self.high:.2%}" if self.high < 1 else "(shown)"

    def holds(self, hits: int, sweeps: int) -> bool:
        """Whether the rate passes: strictly from 10,000 sweeps on, with binomial slack (1e-4) below."""
        if sweeps >= STRICT:
            return self.low <= hits / sweeps <= self.high
        from scipy.stats import binom

        return bool(binom.ppf(_SLACK, sweeps, self.low) <= hits <= binom.ppf(1 - _SLACK, sweeps, self.high))


@dataclass(frozen=True)
class Case:
    """One simulated situation of a cell; ``run(rng, sweeps)`` counts events, ``checks`` judge them."""

    cell: str
    name: str
    run: Callable[[Rng, int], Counts]
    checks: tuple[Check, ...] = field(default=())


def doubling(k_max: float, step: float = 1.0) -> Array:
    """Grid from 4 to k_max with ratio 2^step.

    >>> doubling(64)
    array([ 4.,  8., 16., 32., 64.])
    """
    return 4 * 2.0 ** np.arange(0, np.log2(k_max / 4) + step / 2, step)


def rule(tier: int = 2, z_false: float = 3.0) -> Rule:
    """The rule of the benchmark: rival ln, c* = 0.38."""
    return Rule(law("ln"), C_STAR, tier=tier, z_false=z_false)


def sweep(curve: Array, k: Array, noise: Noise, rng: Rng, size: int) -> Panel:
    """Simulated sweeps of a curve, (n,) or (size, n)."""
    mean, se = noise.draw(k, rng, size)
    return Panel(k, curve + mean, se, noise.counts(k))


def count(out: Judged) -> Counts:
    """How many sweeps got each verdict."""
    return {name: int((out.verdict == i).sum()) for i, name in enumerate(VERDICTS)}


def on_curve(
    cell: str, name: str, curve: Callable[[Array], Array], k: Array, noise: Noise = GAUSS, *checks: Check
) -> Case:
    """A case of verdict counts on one fixed curve."""

    def run(rng: Rng, size: int) -> Counts:
        return count(judge(sweep(curve(k), k, noise, rng, size), rule()))

    return Case(cell, f"{name}, k_max {k[-1]:g}", run, checks)
