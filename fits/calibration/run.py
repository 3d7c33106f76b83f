"""Running the benchmark: blocks of sweeps over all cores, the same counts for any number of jobs."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fits.calibration.bank import BANK, Truth
from fits.calibration.cases import Case, Check, Counts, count
from fits.dictionary import Array
from fits.rules import Panel, Rule, judge
from fits.series import Bounded

BLOCK = 500
CELLS = ("F1", "F2", "P1", "P2", "V1", "V2", "Q1", "L1", "U1", "C1", "R1")
POOLED_LIMIT = 0.0005
Row = dict[str, Any]
Progress = Callable[[int, int], None]


@lru_cache(maxsize=len(CELLS))
def cases(cell: str) -> tuple[Case, ...]:
    """The cases of one cell."""
    if cell not in CELLS:
        raise ValueError(f"cell={cell!r} must be one of {', '.join(CELLS)}")
    from fits.calibration import errors, sight

    home = errors if hasattr(errors, cell.lower()) else sight
    return tuple(getattr(home, cell.lower())())


def benchmark(
    cells: Sequence[str] = CELLS,
    *,
    n: int = 500,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Row]:
    """Section 4 of the specification: one row a check, with its rate, its pass figure and whether it holds.

    ``n`` sweeps a case (strict limits from 10,000 on, binomial slack below). Bit-identical for any ``jobs``.
    """
    if n < 1:
        raise ValueError(f"n={n} must be at least 1")
    tasks = [
        (cell, i, block, min(BLOCK, n - block * BLOCK))
        for cell in cells
        for i in range(len(cases(cell)))
        for block in range(-(-n // BLOCK))
    ]
    totals: dict[tuple[str, int], Counts] = {}
    for done, (key, counts) in enumerate(_parallel(tasks, seed, jobs), 1):
        total = totals.setdefault(key, {})
        for name, hits in counts.items():
            total[name] = total.get(name, 0) + hits
        if progress is not None:
            progress(done, len(tasks))
    rows = [_row(case, check, totals[cell, i][check.measure], n) for cell in cells for i, case, check in _checks(cell)]
    return rows + _pooled(rows)


def _checks(cell: str) -> Iterable[tuple[int, Case, Check]]:
    return ((i, case, check) for i, case in enumerate(cases(cell)) for check in case.checks)


def _parallel(tasks: list[tuple[str, int, int, int]], seed: int, jobs: int) -> Iterable[tuple[tuple[str, int], Counts]]:
    if jobs == 1:
        return (_block(*task, seed) for task in tasks)
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=8)
    results: Iterable[tuple[tuple[str, int], Counts]] = pool(delayed(_block)(*task, seed) for task in tasks)
    return results


def _block(cell: str, i: int, block: int, sweeps: int, seed: int) -> tuple[tuple[str, int], Counts]:
    case = cases(cell)[i]
    key = zlib.crc32(f"{cell} {case.name}".encode())
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key, block)))
    return (cell, i), case.run(rng, sweeps)


def _row(case: Case, check: Check, hits: int, n: int) -> Row:
    return {
        "cell": case.cell,
        "case": case.name,
        "measure": check.measure,
        "hits": hits,
        "sweeps": n,
        "rate": hits / n,
        "pass": check.limit(),
        "ok": check.holds(hits, n),
    }


def _pooled(rows: list[Row]) -> list[Row]:
    """F1 also limits the rate over all its cases together."""
    members = [row for row in rows if row["cell"] == "F1"]
    if not members:
        return []
    hits, sweeps = sum(row["hits"] for row in members), sum(row["sweeps"] for row in members)
    pooled = Case("F1", "pooled", lambda _rng, _size: {})
    return [_row(pooled, Check("falsified", high=POOLED_LIMIT), hits, sweeps)]


def calibrate(
    design: Any,
    truths: Sequence[Truth] = BANK,
    *,
    claim: Bounded | None = None,
    tier: int = 2,
    n: int = 500,
    seed: int = 0,
) -> list[Row]:
    """How ``decide`` would fare on your own design: rates of each verdict on known curves.

    ``design``: anything with ``k``, ``se`` and ``reps``, a Series or a Plan. ``truths``: curves, by default
    the bank of the specification (made for errors near 0.02; bring your own with ``fits.BANK`` as a model).
    Gaussian replicates; ``n`` sweeps a curve; repeatable by ``seed``.

    >>> import fits
    >>> design = fits.Series([4, 8, 16, 32, 64], [0] * 5, [0.02] * 5, reps=200)
    >>> [row["falsified"] for row in calibrate(design, fits.BANK[:2], n=100)]
    [0.0, 0.0]
    """
    if n < 1:
        raise ValueError(f"n={n} must be at least 1")
    claim = claim or Bounded("ln")
    rule = Rule(claim.law, claim.c_star, claim.k_full, tier)
    k, se = np.asarray(design.k, dtype=float), np.asarray(design.se, dtype=float)
    return [_rates(one, k, se, design.reps, rule, n, seed) for one in truths]


def _rates(one: Truth, k: Array, se: Array, reps: Array | None, rule: Rule, n: int, seed: int) -> Row:
    key = zlib.crc32(one.name.encode())
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key,)))
    mean = one.curve(k) + se * rng.standard_normal((n, k.size))
    error = np.broadcast_to(se, mean.shape)
    if reps is not None:
        error = se * np.sqrt(rng.chisquare(reps - 1, mean.shape) / (reps - 1))
    counts = count(judge(Panel(k, mean, error, reps), rule))
    return {"truth": one.name, "bounded": one.bounded, **{name: hits / n for name, hits in counts.items()}}
