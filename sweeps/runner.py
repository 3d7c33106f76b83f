"""``run``: a sweep from its parameters to rows, growth and finding, in memory or in a run directory."""

import platform
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps import engine, simulators
from sweeps.decision import decide_rows
from sweeps.plan import Block, Plan, check_jobs, make_plan, versions
from sweeps.shown import html, markdown
from sweeps.spec import Sums, Words
from sweeps.store import Store
from sweeps.totals import Totals

if TYPE_CHECKING:
    from fits import LookLog

NO_ADDRESS = ("threads:", "serial:", "loky:")
WRONG_BY, ENOUGH = 6.0, 30  # so many standard errors (from so many replicates) no chance explains

Progress = Callable[[Plan, Collection[Block]], None]


@dataclass(frozen=True)
class Options:
    """How a sweep is run; none of it changes a result of a sweep that is run to its end.

    ``backend``: threads, serial, loky, dask (a local cluster) or dask:ADDRESS (of a scheduler). ``time_limit``:
    seconds after which no further block is started. ``force_new``: move another run's directory out of the way.
    ``retry_failed``: run failed blocks again.
    """

    jobs: int = 1
    backend: str = "threads"
    time_limit: float | None = None
    force_new: bool = False
    retry_failed: bool = False

    def check(self) -> None:
        """ValueError if something is out of range."""
        check_jobs(self.jobs)
        if self.backend.partition(":")[0] not in engine.BACKENDS or self.backend.startswith(NO_ADDRESS):
            raise ValueError(f"backend must be one of {', '.join(engine.BACKENDS)}, dask:ADDRESS; got {self.backend!r}")
        if self.time_limit is not None and not 0 < self.time_limit < float("inf"):
            raise ValueError(f"time_limit must be a positive number of seconds; got {self.time_limit}")


@dataclass(frozen=True)
class Run:
    """A sweep's result. ``rows``: one dict a cache size; ``growth``: the decision's figures, or None; ``finding``:
    claim, verdict, evidence, sentence; ``ended``: why it stopped; ``failures``: traceback by (k, block)."""

    simulator: str
    description: str
    run_id: str
    seed: int
    parameters: dict[str, Any]
    rows: list[dict[str, Any]]
    growth: dict[str, Any] | None
    finding: dict[str, str]
    ended: str
    failures: dict[Block, str]
    words: Words

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``--json``."""
        failures = [{"k": k, "block": block, "traceback": text} for (k, block), text in self.failures.items()]
        plain = {name: value for name, value in vars(self).items() if name != "words"}
        return {**plain, "failures": failures}

    def _repr_html_(self) -> str:
        return html(self.simulator, self.finding["sentence"], self._shown())

    def _repr_markdown_(self) -> str:
        return markdown(self.simulator, self.finding["sentence"], self._shown())

    def _shown(self) -> list[tuple[str, ...]]:
        names = ("k", "phases", "additive", "additive_se", "additive_exact")
        rows = ([row[name] for name in names] for row in self.rows)
        return [names, *(tuple(f"{x:.6g}" if isinstance(x, float) else str(x) for x in row) for row in rows)]


def run(
    simulator: str,
    *,
    seed: int = 0,
    looks: int = 1,
    jobs: int = 1,
    out: str | Path | None = None,
    progress: Progress | None = None,
    options: Options | None = None,
    **parameters: Any,
) -> Run:
    """Sweep ``simulator`` over cache sizes; parameters are the simulator's own (``k_max``, ``policy``, ...).

    ``simulator``: a name, or the path of a Python file (see README). Seeded and repeatable: the same for any
    ``jobs``. With ``looks`` > 1 the verdict is looked at after each 1/looks of the replicates, and a falsified one
    ends the sweep (at most 8 looks, inside a 1 % error budget: fits.LookLog). With ``out`` (a directory) finished
    blocks are kept there as they come, and the same call takes them up again; without it nothing is written.
    ``progress(plan, blocks)`` is called at the start with the blocks that were there, then with each as it is done.
    Raises ValueError or TypeError for parameters out of range.

    >>> import sweeps
    >>> sweep = sweeps.run("paging", k_max=8, replicates=200, policy="onlinemin")
    >>> [row["k"] for row in sweep.rows], sweep.growth
    ([4, 6, 8], None)
    """
    options = options or Options(jobs=jobs)
    options.check()
    plan = make_plan(simulators.find_swept(simulator), parameters, seed=seed, looks=looks)
    if out is None:
        return _Session(plan, options, progress, None).run()
    store = Store(Path(out), plan.identity, source=plan.source, force_new=options.force_new)
    try:
        store.copy(plan.files)
        return _Session(plan, options, progress, store).run()
    except KeyboardInterrupt:
        store.interrupted()
        raise
    finally:
        store.close()


def repeat(plan: Plan, counts: Mapping[int, int], *, out: Path, jobs: int) -> Run:
    """Run the first ``counts[k]`` blocks of each point again, in a new directory, and decide once."""
    store = Store(out, plan.identity, source=plan.source)
    try:
        store.copy(plan.files)
        session = _Session(plan, Options(jobs=jobs), None, store)
        session.advance((k, i) for k in plan.ks for i in range(counts.get(k, 0)))
        result = replace(assemble(plan, session.totals, session.failed), ended="finished")
        session.write(result)
    finally:
        store.close()
    return result


class _Session:
    """One call of ``run``."""

    def __init__(self, plan: Plan, options: Options, progress: Progress | None, store: Store | None) -> None:
        self.plan, self.options, self.progress, self.store = plan, options, progress, store
        self.totals = Totals(store.blocks() if store else ())
        self.failed = store.failures() if store and not options.retry_failed else {}
        self.deadline = None if options.time_limit is None else time.monotonic() + options.time_limit

    def run(self) -> Run:
        """Look by look to the end."""
        if self.progress:
            self.progress(self.plan, [block for block in self.plan.blocks() if block in self.totals])
        with tempfile.TemporaryDirectory() as scratch:
            folder = self.store.folder if self.store else Path(scratch)
            result = self._looks(folder / "looks.jsonl")
        self.write(result)
        return result

    def _looks(self, path: Path) -> Run:
        """Run up to each look, decide there, stop if that settles it; between looks nothing is decided."""
        looks = self.plan.looks
        log = None
        if looks > 1:
            from fits import LookLog

            log = LookLog(path, planned=looks)
        for look in range(1, looks):
            if not self.advance(self.plan.blocks(look)):
                return self._undecided()
            if self._stands_at(look):
                result = assemble(self.plan, self.totals, self.failed, log=log)
                if result.finding["verdict"] == "falsified":
                    return replace(result, ended=f"decided at look {look} of {looks}")
        if not self.advance(self.plan.blocks()):
            return self._undecided()
        return replace(assemble(self.plan, self.totals, self.failed, log=log), ended="finished")

    def _stands_at(self, look: int) -> bool:
        """False if an earlier process went on beyond this look: it has decided here already."""
        layouts = self.plan.layouts
        return all(self.totals.count(k) <= layouts[k].count_up_to(look / self.plan.looks) for k in self.plan.ks)

    def _undecided(self) -> Run:
        result = assemble(self.plan, self.totals, self.failed)
        said = f"inconclusive: the time limit of {self.options.time_limit:g} s is reached; the same command goes on. "
        said += f"So far, and deciding nothing: {result.finding['sentence']}"
        finding = {**result.finding, "verdict": "inconclusive", "sentence": said}
        return replace(result, finding=finding, ended="time limit reached")

    def advance(self, blocks: Iterable[Block]) -> bool:
        """Run those that are not done; False if the time limit came first."""
        todo = [block for block in blocks if block not in self.totals and block not in self.failed]
        options = self.options
        try:
            self.failed |= engine.execute(self.plan, todo, jobs=options.jobs, backend=options.backend, keep=self._keep)
        except TimeoutError:
            return False
        return True

    def _keep(self, block: Block, sums: Sums) -> None:
        self.totals.add(block, sums)
        if self.store:
            self.store.keep(block, sums)
        if self.progress:
            self.progress(self.plan, [block])
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TimeoutError

    def write(self, result: Run) -> None:
        """Figure, rows and record, if there is a directory."""
        if self.store:
            if result.rows:
                from sweeps.figures import additive_figure

                additive_figure(result, self.store.folder / "additive.svg")
            self.store.finish(result.rows, result.failures, _record(self.plan, result, self.totals))


def assemble(plan: Plan, totals: Totals, failed: Mapping[Block, str], *, log: "LookLog | None" = None) -> Run:
    """Rows, growth and finding out of the blocks that are done; a point with a failed block has no row."""
    failures = dict(failed)
    exact = plan.simulator.exact(plan.values, max(plan.ks))
    broken = {k for k, block in failures if block >= 0}  # block -1: the row itself is wrong, and is shown
    rows = [
        {**plan.simulator.row(plan.values, k, totals.sums[k]), **_exact(exact(k))}
        for k in plan.ks
        if k in totals.sums and k not in broken
    ]
    wrong = {(row["k"], -1): said for row in rows if (said := _disagreement(plan, row))}
    failures |= wrong
    words = plan.simulator.words
    trusted = [] if wrong else rows  # rows that are not what they must be decide nothing
    growth, finding = decide_rows(trusted, plan.claim, plan.simulator.thresholds, log=log, work=words.work)
    if wrong:
        said = "inconclusive: sweep and exact values disagree, so one of the two is wrong and nothing is decided: k = "
        finding = {**finding, "sentence": said + "; k = ".join(f"{k}: {text}" for (k, _), text in wrong.items())}
    return Run(
        simulator=plan.simulator.name,
        description=plan.simulator.describe(plan.values),
        run_id=plan.run_id,
        seed=plan.seed,
        parameters=dict(plan.values),
        rows=rows,
        growth=growth,
        finding=finding,
        ended="running",
        failures=failures,
        words=words,
    )


def _disagreement(plan: Plan, row: Mapping[str, Any]) -> str:
    """What to say if a row can't be the exact value, by its errors or for want of any; else nothing."""
    exact, se = row["additive_exact"], row["additive_se"]
    if exact is None:
        return ""
    off = abs(row["additive"] - exact)
    if se == 0:  # a rare event may be behind the rest, unless there is no variance
        variance = plan.simulator.variance
        if off <= 1e-9 or variance is None or variance(plan.values, row["k"]):
            return ""
        return f"no variance, yet {row['additive']:.6g} is not the exact {exact:.6g}"
    far = off > WRONG_BY * se and row["phases"] >= ENOUGH
    return f"{row['additive']:.6g} is {off / se:.0f} standard errors from the exact {exact:.6g}" if far else ""


def _exact(value: Fraction | float | None) -> dict[str, Any]:
    fraction = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
    return {"additive_exact": None if value is None else float(value), "additive_exact_fraction": fraction}


def _record(plan: Plan, result: Run, totals: Totals) -> dict[str, Any]:
    claim = plan.claim
    return {
        "run_id": result.run_id,
        "state": "failed points" if result.failures else result.ended,
        **plan.identity,
        "claim": {"id": claim.id, "statement": claim.statement, "source": claim.source},
        "thresholds": vars(plan.simulator.thresholds),
        "blocks": {str(k): totals.count(k) for k in plan.ks},
        "source": plan.source,
        "argv": sys.argv,
        "versions": versions(),
        "host": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "system": platform.system(),
        },
        "growth": result.growth,
        "finding": result.finding,
        "rows": result.rows,
    }
