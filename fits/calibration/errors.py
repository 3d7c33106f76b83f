"""Cells of false verdicts: F1, F2 (falsified), V1 (verified), U1 (undecidable), Q1 (looks)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import fits
from fits.calibration.bank import BOUNDED, LNLN, truth
from fits.calibration.cases import C_STAR, K_MAX, Case, Check, Counts, count, doubling, on_curve, rule, sweep
from fits.calibration.families import draw, log_uniform
from fits.calibration.noises import GAUSS, HARD, Noise
from fits.dictionary import Array
from fits.rules import Panel, judge

Rng = np.random.Generator
FALSE_FALSIFIED = Check("falsified", high=0.002)
LOOKS, FIRST_REPS = 8, 20
TEXTS = 5
CLASS_LINES = ("not excluded", "Not decidable")


def f1() -> Iterator[Case]:
    """Bounded curves, fixed and adversarial."""
    for one in BOUNDED:
        for k_max in K_MAX:
            yield on_curve("F1", one.name, one.curve, doubling(k_max), GAUSS, FALSE_FALSIFIED)
    for family in "ABCDE":
        for k_max in K_MAX:
            for step in (1.0, 0.5):
                yield _family("F1", family, k_max, step, FALSE_FALSIFIED)


def _family(cell: str, family: str, k_max: int, step: float, *checks: Check) -> Case:
    k = doubling(k_max, step)

    def run(rng: Rng, size: int) -> Counts:
        mean, se = GAUSS.draw(k, rng, size)
        scale = log_uniform(rng, 0.003, 0.1, size) / GAUSS.s
        curve = draw(family, k, rng, size)
        return count(judge(Panel(k, curve + scale * mean, scale * se, GAUSS.counts(k)), rule()))

    return Case(cell, f"family {family}, k_max {k_max}, {k.size} points", run, checks)


def f2() -> Iterator[Case]:
    """Noise that is heavy-tailed, scarce, uneven or understated; one draw serves every curve."""
    for noise in HARD:
        truths = (*BOUNDED, LNLN, truth("0.1 ln k"), truth("0.2 ln k"), truth("0.38 ln k"))
        checks = [Check(f"{one.name}: falsified", high=0.002) for one in (*BOUNDED, LNLN)]
        checks += [Check(f"{one.name}: verified", high=0.012) for one in truths[-3:]]
        checks.append(Check("0.38 ln k: falsified"))
        yield Case("F2", noise.name, _under(noise, truths), tuple(checks))


def _under(noise: Noise, truths: tuple[fits.calibration.bank.Truth, ...]) -> Callable[[Rng, int], Counts]:
    k = doubling(1024)

    def run(rng: Rng, size: int) -> Counts:
        mean, se = noise.draw(k, rng, size)
        counts: Counts = {}
        for one in truths:
            out = count(judge(Panel(k, one.curve(k) + mean, se, noise.counts(k)), rule()))
            counts |= {f"{one.name}: {verdict}": hits for verdict, hits in out.items()}
        return counts

    return run


def v1() -> Iterator[Case]:
    """Growth that must not be called bounded, bare and masked by a transient."""
    check = Check("verified", high=0.002)
    masks: dict[str, Callable[[Array], Array]] = {
        "k": lambda k: 1 / k,
        "sqrt k": lambda k: k**-0.5,
        "ln k": lambda k: 1 / np.log(k),
    }
    for s in (0.02, 0.005):
        for k_max in K_MAX[1:]:
            for name, mask in masks.items():
                for b in (-6, -3, 3, 6):
                    curve = _masked(b, mask)
                    label = f".38 ln k{b:+d}/{name}, s {s:g}"
                    yield on_curve("V1", label, curve, doubling(k_max), Noise("gauss", s=s), check)
    for one in (truth("0.1 ln k"), truth("0.2 ln k"), truth("0.38 ln k"), LNLN):
        for k_max in K_MAX:
            yield on_curve("V1", one.name, one.curve, doubling(k_max), GAUSS, check)


def _masked(b: float, mask: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda k: C_STAR * np.log(k) + b * mask(k)


def u1() -> Iterator[Case]:
    """Undecidable curves: 3 - 3/ln k must stay undecided; every text must say what is not excluded."""
    slow = truth("3-3/ln k")
    for k_max in K_MAX:
        checks = (FALSE_FALSIFIED, Check("verified", high=0.05))
        yield on_curve("U1", slow.name, slow.curve, doubling(k_max), GAUSS, *checks)
    yield on_curve("U1", LNLN.name, LNLN.curve, doubling(1024), GAUSS, Check("falsified"), Check("verified"))
    for k_max in K_MAX:
        yield _family("U1", "G", k_max, 1.0, Check("falsified"))
    onset = doubling(1024)
    yield on_curve("U1", ".38 ln(k/512)+", _late, onset, GAUSS, Check("verified"))
    for name, curve in ((slow.name, slow.curve), (LNLN.name, LNLN.curve), (".38 ln(k/512)+", _late)):
        yield Case("U1", f"text of {name}", _texts(curve), (Check("no class line", high=0.0),))
    yield Case("U1", "text of family G", _texts(None), (Check("no class line", high=0.0),))


def _late(k: Array) -> Array:
    return 3 + C_STAR * np.log(np.maximum(k / 512, 1))


def _texts(curve: Callable[[Array], Array] | None) -> Callable[[Rng, int], Counts]:
    k = doubling(1024)

    def run(rng: Rng, size: int) -> Counts:
        shown = min(size, TEXTS)
        values = draw("G", k, rng, shown) if curve is None else curve(k)
        panel = sweep(values, k, GAUSS, rng, shown)
        missing = 0
        for mean, se in zip(panel.mean, panel.se, strict=True):
            v = fits.decide(fits.Series(k, mean, se, panel.reps), fits.Bounded("ln", C_STAR), holdout=None)
            missing += not any(line in v.sentence() for line in CLASS_LINES)
        return {"no class line": missing}

    return run


def q1() -> Iterator[Case]:
    """Eight looks at a constant whose replicates double."""
    for tier in (0, 2):
        yield Case("Q1", f"8 looks, constant, T{tier}", _looks(tier), (Check("ever falsified", high=0.01),))


def _looks(tier: int) -> Callable[[Rng, int], Counts]:
    k = doubling(1024)

    def run(rng: Rng, size: int) -> Counts:
        ever = np.zeros(size, dtype=bool)
        total, squares, R = np.zeros((size, k.size)), np.zeros((size, k.size)), 0
        for look in range(LOOKS):
            new = FIRST_REPS * 2 ** max(look - 1, 0)
            mean = rng.standard_normal(total.shape) / np.sqrt(new)
            squares = squares + rng.chisquare(new - 1, total.shape) + new * mean**2
            total, R = total + new * mean, R + new
            se = np.sqrt((squares - total**2 / R) / (R - 1) / R)
            out = judge(Panel(k, total / R, se, np.full(k.size, float(R))), rule(tier))
            ever |= out.sigma[tier] >= 3
        return {"ever falsified": int(ever.sum())}

    return run
