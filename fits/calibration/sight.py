"""Cells of what is seen: P1, P2 (power), V2 (verified), L1 (laws), C1 (intervals), R1 (real algorithms)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fits.calibration.algorithms import harmonic, quicksort, records
from fits.calibration.bank import BOUNDED, HIDDEN, MASKED, truth
from fits.calibration.cases import K_MAX, Case, Check, Counts, count, doubling, on_curve, rule, sweep
from fits.calibration.noises import GAUSS, Noise
from fits.dictionary import Array
from fits.formulas import law
from fits.laws import law_set, offered
from fits.power import Design
from fits.rules import Panel, judge

Rng = np.random.Generator
LAW_TRUTHS: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "constant": ("1", lambda k: 3 + 0 * k),
    "3-2/k": ("1", lambda k: 3 - 2 / k),
    "lnln k": ("lnln", lambda k: np.log(np.log(k))),
    "sqrt ln k": ("ln^0.5", lambda k: np.sqrt(np.log(k))),
    "ln k": ("ln", np.log),
    "ln k+2/k": ("ln", lambda k: np.log(k) + 2 / k),
    "ln^2 k": ("ln^2", lambda k: 0.1 * np.log(k) ** 2),
    "k^.1": ("k^0.1", lambda k: k**0.1),
    "sqrt k": ("k^0.5", lambda k: 0.1 * np.sqrt(k)),
}
LAW_DESIGNS = ((64, 0.02), (256, 0.02), (1024, 0.02), (1024, 0.005), (4096, 0.02))
# replicates that give errors of about 0.02 at k = 1024, as elsewhere in section 3
RECORD_RUNS, SORT_RUNS = 10_000, 1051


def p1() -> Iterator[Case]:
    """The published slope."""
    grows = truth("0.38 ln k")
    for k_max, low in ((1024, 0.95), (4096, 0.995)):
        yield on_curve("P1", grows.name, grows.curve, doubling(k_max), GAUSS, Check("falsified", low=low))


def p2() -> Iterator[Case]:
    """Power at the smallest slope that the design claims to see."""
    for tier in (0, 1, 2):
        for k_max in K_MAX:
            for step in (1.0, 0.5):
                k = doubling(k_max, step)
                design = Design(k, np.full(k.size, GAUSS.s), law("ln"), tier)
                name = f"T{tier}, k_max {k_max}, {k.size} points"
                yield Case("P2", name, _power(design), (Check("falsified", low=0.92, high=0.98),))


def _power(design: Design) -> Callable[[Rng, int], Counts]:
    def run(rng: Rng, size: int) -> Counts:
        curve = 3 + design.mde * np.log(design.k)
        return count(judge(sweep(curve, design.k, GAUSS, rng, size), rule(design.tier)))

    return run


def v2() -> Iterator[Case]:
    """A constant, swept far enough and not."""
    flat = BOUNDED[0]
    yield on_curve("V2", flat.name, flat.curve, doubling(1024), GAUSS, Check("verified", low=0.97))
    checks = (Check("verified", high=0.25), Check("toy", low=0.70))
    yield on_curve("V2", flat.name, flat.curve, doubling(64), GAUSS, *checks)


def l1() -> Iterator[Case]:
    """The law set: keeps the true law, never names a wrong one alone."""
    checks = (
        Check("true law kept", low=0.995),
        Check("single and wrong", high=0.002),
        Check("single and right"),
    )
    for name, (true, curve) in LAW_TRUTHS.items():
        for k_max, s in LAW_DESIGNS:
            yield Case("L1", f"{name}, k_max {k_max}, s {s:g}", _laws(true, curve, k_max, s), checks)


def _laws(true: str, curve: Callable[[Array], Array], k_max: int, s: float) -> Callable[[Rng, int], Counts]:
    k, noise, laws = doubling(k_max), Noise("gauss", s=s), offered()

    def run(rng: Rng, size: int) -> Counts:
        chosen = law_set(sweep(curve(k), k, noise, rng, size), laws)
        kept = chosen.kept[chosen.names.index(true)]
        single = chosen.kept.sum(axis=0) == 1
        counts = {
            "true law kept": kept,
            "single and wrong": single & ~kept,
            "single and right": single & kept,
        }
        return {name: int(flags.sum()) for name, flags in counts.items()}

    return run


def c1() -> Iterator[Case]:
    """The T2 interval holds the true slope, with and without growth."""
    for one in (*BOUNDED[:8], truth("0.1 ln k"), truth("0.38 ln k"), MASKED, HIDDEN):
        for k_max in K_MAX[1:]:
            run = _covered(one.curve, doubling(k_max), one.c or 0.0)
            yield Case("C1", f"{one.name}, k_max {k_max}", run, (Check("covered", low=0.98),))


def _covered(curve: Callable[[Array], Array], k: Array, c: float) -> Callable[[Rng, int], Counts]:
    def run(rng: Rng, size: int) -> Counts:
        out = judge(sweep(curve(k), k, GAUSS, rng, size), rule())
        return {"covered": int(((out.lo[2] <= c) & (c <= out.hi[2])).sum())}

    return run


def r1() -> Iterator[Case]:
    """Records (truth 0, and .38 ln n) and quicksort (.38 ln n masked by 2H_n/n)."""
    for k_max in K_MAX[1:3]:
        k = doubling(k_max)
        yield Case("R1", f"records-H_n, k_max {k_max}", _records(k, 0.0), (Check("verified", low=0.97),))
        yield Case("R1", f"records-.62H_n, k_max {k_max}", _records(k, 0.38), (Check("falsified", low=0.995),))
    for k_max, check in ((64, Check("inconclusive", low=0.995)), (1024, Check("falsified", low=0.97))):
        yield Case("R1", f"quicksort/n-1.62H_n, k_max {k_max}", _sorted(doubling(k_max)), (check,))


def _records(k: Array, share: float) -> Callable[[Rng, int], Counts]:
    rise = share * np.array([harmonic(int(n)) for n in k])

    def run(rng: Rng, size: int) -> Counts:
        mean, se = records(k, RECORD_RUNS, rng, size)
        return count(judge(Panel(k, mean + rise, se, np.full(k.size, float(RECORD_RUNS))), rule()))

    return run


def _sorted(k: Array) -> Callable[[Rng, int], Counts]:
    def run(rng: Rng, size: int) -> Counts:
        mean, se = quicksort(k, SORT_RUNS, rng, size)
        return count(judge(Panel(k, mean, se, np.full(k.size, float(SORT_RUNS))), rule()))

    return run
