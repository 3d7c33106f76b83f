"""``run``: a sweep from its parameters to rows, growth and finding, in memory or in a run directory."""

import platform
import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from sweeps import engine, simulators
from sweeps.decision import decide_rows
from sweeps.spec import Sums
from sweeps.store import Store


@dataclass(frozen=True)
class Run:
    """A sweep's result. ``rows``: one dict a cache size; ``growth``: the weighted fit of the additive term against
    ln k, or None; ``finding``: claim, verdict, evidence, sentence; ``failures``: traceback by (k, block)."""

    simulator: str
    description: str
    run_id: str
    seed: int
    parameters: dict[str, Any]
    rows: list[dict[str, Any]]
    growth: dict[str, Any] | None
    finding: dict[str, str]
    failures: dict[tuple[int, int], str]

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``--json``."""
        failures = [{"k": k, "block": block, "traceback": text} for (k, block), text in self.failures.items()]
        return {**vars(self), "failures": failures}


def run(
    simulator: str,
    *,
    seed: int = 0,
    jobs: int = 1,
    out: str | Path | None = None,
    progress: Callable[[engine.Plan, Collection[engine.Block]], None] | None = None,
    **parameters: Any,
) -> Run:
    """Sweep ``simulator`` over cache sizes; parameters are the simulator's own (``k_max``, ``policy``, ...).

    Seeded and repeatable: the same for any ``jobs``. With ``out`` (a directory) finished blocks are kept there as
    they come, and the same call takes them up again; without it nothing is written. ``progress(plan, blocks)`` is
    called at the start with the blocks that were there, then with each as it is done. Raises ValueError or TypeError
    for parameters out of range.

    >>> import sweeps
    >>> sweep = sweeps.run("paging", k_max=8, replicates=200, policy="onlinemin")
    >>> [row["k"] for row in sweep.rows], sweep.growth
    ([4, 6, 8], None)
    """
    plan = engine.make_plan(simulators.find_swept(simulator), parameters, seed)
    engine.check_jobs(jobs)
    store = Store(Path(out), plan.identity, plan.run_id) if out is not None else None
    done = store.blocks() if store else {}
    if progress:
        progress(plan, done)

    def keep(block: engine.Block, sums: Sums) -> None:
        done[block] = sums
        if store:
            store.keep(block, sums)
        if progress:
            progress(plan, [block])

    try:
        failures = engine.execute(plan, jobs=jobs, done=dict(done), keep=keep)
        result = _result(plan, done, failures)
        if store:
            if result.rows:
                from sweeps.figures import additive_figure

                additive_figure(result, store.folder / "additive.svg")
            store.finish(result.rows, failures, _record(plan, result))
    finally:
        if store:
            store.close()
    return result


def _result(plan: engine.Plan, done: Mapping[engine.Block, Sums], failures: dict[engine.Block, str]) -> Run:
    exact = plan.simulator.exact(plan.values, max(plan.ks))
    broken = {k for k, _ in failures}
    counts = Counter(k for k, _ in plan.blocks)
    rows = [
        {**plan.simulator.row(plan.values, k, [done[k, i] for i in range(counts[k])]), **_exact(exact(k))}
        for k in plan.ks
        if k not in broken
    ]
    for row in rows:
        if row["additive_se"] == 0 and abs(row["additive"] - (row["additive_exact"] or row["additive"])) > 1e-9:
            failures[row["k"], -1] = f"no variance, yet {row['additive']} is not the exact {row['additive_exact']}"
    growth, finding = decide_rows(rows, plan.simulator.claim, plan.simulator.thresholds)
    return Run(
        simulator=plan.simulator.name,
        description=plan.simulator.describe(plan.values),
        run_id=plan.run_id,
        seed=plan.seed,
        parameters=dict(plan.values),
        rows=rows,
        growth=growth,
        finding=finding,
        failures=failures,
    )


def _exact(value: Fraction | float | None) -> dict[str, Any]:
    fraction = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
    return {"additive_exact": None if value is None else float(value), "additive_exact_fraction": fraction}


def _record(plan: engine.Plan, result: Run) -> dict[str, Any]:
    claim = plan.simulator.claim
    return {
        "run_id": result.run_id,
        **plan.identity,
        "claim": {"id": claim.id, "statement": claim.statement, "source": claim.source},
        "thresholds": vars(plan.simulator.thresholds),
        "argv": sys.argv,
        "versions": engine.versions(),
        "host": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "system": platform.system(),
        },
        "growth": result.growth,
        "finding": result.finding,
    }
