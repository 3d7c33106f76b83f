"""``python -m sweeps reproduce RUN/run.json``: run it again from its record in a new directory, and compare."""

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps.spec import TOLERANCE, Claim, Model, Simulator

if TYPE_CHECKING:
    from sweeps.plan import Plan


def add_parser(subparsers: Any) -> None:
    """The options of ``reproduce``."""
    floats = f"floats too with the same numpy and numba, else within {TOLERANCE:g} of their size"
    about = f"{__doc__} Counts and exact values must be equal; {floats}."
    parser = subparsers.add_parser(
        "reproduce", help="run a run again and compare", description=about, allow_abbrev=False
    )
    parser.add_argument("directory", metavar="RUN", help="run directory or its run.json")
    parser.add_argument("--out", metavar="DIR", help="new run directory (default RUN-again)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="workers (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Exit code 0: the same; 1: not, with the first difference on stdout."""
    from sweeps.plan import check_jobs
    from sweeps.recorded import ENDED, contradictions, find_run, other_code, plan_of

    check_jobs(options.jobs)
    folder, record, model = find_run(options.directory)
    for warning in filter(None, [other_code(record, model)]):
        print(warning, file=sys.stderr)
    if not str(record.get("state")).startswith(ENDED):
        raise ValueError(f"run must be finished to be compared; {folder} is {record.get('state')}: its command goes on")
    plan = plan_of(record, model) if isinstance(model, Simulator) else None
    claim = model.claim if plan is None else plan.claim
    difference = next(iter([*contradictions(folder, record, plan), *_other_claim(record, claim)]), "")
    if not difference:
        out = Path(options.out) if options.out else _free(folder)
        difference = _difference(record, _made_again(model, plan, record, out, options.jobs))
    count = len(record["rows"]) if isinstance(record.get("rows"), list) else 0
    if options.json:
        print(json.dumps({"same": not difference, "difference": difference or None, "rows": count}))
    else:
        print(
            f"different: {difference}" if difference else f"the same: {count} row{'s' * (count != 1)} and the verdict"
        )
    return 1 if difference else 0


def _free(folder: Path) -> Path:
    """RUN-again, or RUN-again2, ... if that is taken."""
    numbers = ("", *range(2, 10**6))
    return next(path for n in numbers if not (path := folder.with_name(f"{folder.name}-again{n}")).exists())


def _other_claim(record: dict[str, Any], claim: Claim) -> list[str]:
    recorded = record["claim"].get("statement") if isinstance(record.get("claim"), dict) else None
    return [] if recorded == claim.statement else [f"claim: recorded {recorded}, now {claim.statement}"]


def _made_again(model: Model, plan: "Plan | None", record: dict[str, Any], out: Path, jobs: int) -> dict[str, Any]:
    """Rows, finding and (of a sweep) growth, made anew."""
    from sweeps.runner import repeat

    if plan is None:
        command = importlib.import_module(f"sweeps.commands.{model.name}_recorded")
        rows, finding = command.again(model, record, out, jobs=jobs)
        return {"rows": rows, "finding": finding}
    counts = {int(k): int(count) for k, count in record["blocks"].items()}
    made = repeat(plan, counts, out=out, jobs=jobs)
    return {"rows": made.rows, "finding": made.finding, "growth": made.growth}


def _difference(record: dict[str, Any], made: dict[str, Any]) -> str:
    """The first difference between what was recorded and what was made now."""
    from sweeps.plan import versions
    from sweeps.recorded import first_difference

    same = all(record.get("versions", {}).get(name) == versions()[name] for name in ("numpy", "numba"))
    difference = first_difference(record["rows"], made["rows"], 0.0 if same else TOLERANCE)
    if difference:
        return difference
    recorded = {**record["finding"], "growth": record.get("growth")}
    now = {**made["finding"], "growth": json.loads(json.dumps(made.get("growth")))}
    # of a sweep with looks, sentence and figures depend on the look
    for name in ("verdict", "sentence", "growth") if same and record.get("looks", 1) == 1 else ("verdict",):
        if recorded.get(name) != now[name]:
            return f"{name}: recorded {recorded.get(name)}, now {now[name]}"
    return ""
