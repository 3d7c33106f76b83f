"""What the sweep commands print for a reader."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sweeps.plan import Plan
from sweeps.runner import Run
from sweeps.spec import Claim
from sweeps.store import run_files

WIDTH = 116
TRACE_COLUMNS = (
    f"{'k':>8} {'policy':>10} {'faults':>9} {'OPT':>9} {'L_0':>9} "
    f"{'faults/OPT':>11} {'H_k':>8} {'earned':>7} {'spent':>7}"
)
TIERS = """T0: sigma of growth with no transient allowed for. T2: beside the worst of 14 bounded approaches to a
  constant (a - b/k, a - b/sqrt k, a - b/ln k, ...): a rise that one of them explains is no growth (README)."""
TRACE_NOTE = """L_0: requests that every offline algorithm pays for, which is OPT's cost. The cache starts full of pages
  never requested. random, marker, onlinemin, rpb-om: one run each, with the seed given. earned, spent: budget."""


def header(plan: Plan, jobs: int, claim: Claim | None = None) -> str:
    """What is swept, which claim it tests (or tested), how far it goes."""
    ks, claim = plan.ks, claim or plan.claim
    return (
        f"{plan.simulator.name}: {plan.simulator.describe(plan.values)}\n"
        f"claim {claim.id}: {claim.statement}\n"
        f"sweep k = {ks[0]} .. {ks[-1]}, {len(ks)} points, {plan.total:.1e} {plan.simulator.words.work}, "
        f"seed {plan.seed}, {jobs} job{'s' * (jobs > 1)}\n"
    )


def plan_document(plan: Plan) -> dict[str, Any]:
    """The plan as data: requests are means."""
    points = [
        {"k": k, "replicates": layout.replicates, "blocks": layout.count, "requests": layout.replicates * plan.sizes[k]}
        for k, layout in plan.layouts.items()
    ]
    about = {"run_id": plan.run_id, **plan.identity, "points": points, "requests": plan.total}
    return {**about, "smallest_slope_seen": _smallest_slope(plan)}


def _smallest_slope(plan: Plan) -> float | None:
    """Of the plan, where the spread of a replicate is known before it runs."""
    from sweeps.decision import smallest_slope

    variance, replicates = plan.simulator.variance, [layout.replicates for layout in plan.layouts.values()]
    return variance and smallest_slope(plan.ks, [variance(plan.values, k) for k in plan.ks], replicates)


def plan_table(plan: Plan) -> str:
    """The plan for a reader: what would run, and what it costs."""
    lines, document = [f"{'k':>8} {'replicates':>11} {'blocks':>7} {'requests':>12}"], plan_document(plan)
    lines += [
        f"{point['k']:>8} {point['replicates']:>11} {point['blocks']:>7} {point['requests']:>12.3g}"
        for point in document["points"]
    ]
    seen, none = (
        document["smallest_slope_seen"],
        "what it would see is not known before it runs: see python -m fits plan",
    )
    power = none if seen is None else f"it would see a slope of {seen:.2g} per ln k with 95 % power (T2)"
    end = f"{plan.total:.2e} requests in all; {power}; run id {plan.run_id}; nothing was run"
    return "\n".join([header(plan, 1).rpartition(",")[0], "", *lines, "", end])


def table(run: Run) -> str:
    """A line a point; in paging cost, H_k and additive term are in faults a phase, OPT's cost a phase being 1."""
    words = run.words
    h_k = f" {words.cost:>15} {'H_k':>9}" if words.less_h_k else ""
    head = f"{'k':>8} {words.replicates:>10}{h_k} {words.value:>15} {'exact':>9} {'off by':>9}"
    return "\n".join([head, *(_line(row, words.less_h_k) for row in run.rows), ""])


def _line(row: Mapping[str, Any], less_h_k: bool) -> str:
    exact = row["additive_exact"]
    cost = f" {measured(row['cost'], row['cost_se']):>15} {row['cost'] - row['additive']:>9.4f}" if less_h_k else ""
    return (
        f"{row['k']:>8} {row['phases']:>10}{cost} {measured(row['additive'], row['additive_se']):>15} "
        f"{'-' if exact is None else f'{exact:.4f}':>9} {_off(row):>9}"
    )


def _off(row: Mapping[str, Any]) -> str:
    if row["additive_exact"] is None:
        return "-"
    off = row["additive"] - row["additive_exact"]
    if row["additive_se"] == 0:
        return "0" if abs(off) < 1e-9 else "no scatter"
    return f"{off / row['additive_se']:+.1f} se"


def measured(value: float, se: float) -> str:
    """Value with its standard error in units of the last digit: 0.7579(150)."""
    return f"{value:.4f}({round(se * 1e4)})"


def ending(run: Run, folder: Path) -> str:
    """The finding and where everything is."""
    lines = [wrapped(run.finding["sentence"])]
    if run.growth:
        lines.append(TIERS)
    again = f"repeat: python -m sweeps reproduce {folder / 'run.json'}"
    if run.ended == "time limit reached":
        again = "continue: the same command"
    elif run.ended != "finished":
        lines.append(f"ended: {run.ended}")
    return "\n".join([*lines, f"run: {run_files(folder)}      {again}"])


def wrapped(text: str) -> str:
    """A paragraph."""
    return textwrap.fill(text, WIDTH, subsequent_indent="  ")


def trace_table(path: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """A line a cache size and policy."""
    lines = [
        f"{path}: {rows[0]['requests']} requests to {rows[0]['pages']} pages\n",
        TRACE_COLUMNS,
    ]
    lines += [
        f"{r['k']:>8} {r['policy']:>10} {r['faults']:>9} {r['opt']:>9} {r['l0']:>9} "
        f"{r['ratio']:>11.4f} {r['h_k']:>8.4f} {r['budget_earned']:>7} {r['budget_spent']:>7}"
        for r in rows
    ]
    return "\n".join([*lines, "", TRACE_NOTE])


def failures(result: "Run") -> str:
    """The first failure, where it happened, and how many there are."""
    (k, block), text = next(iter(sorted(result.failures.items())))
    where = re.findall(r'File "([^"]+)", line (\d+)', text)
    place = f" ({Path(where[-1][0]).name}, line {where[-1][1]})" if where else ""
    what = f"k = {k} failed" if block < 0 else f"k = {k}, block {block} failed"
    more = f"; {len(result.failures) - 1} more failed" if len(result.failures) > 1 else ""
    return f"{what}: {text.strip().splitlines()[-1]}{place}{more}"
