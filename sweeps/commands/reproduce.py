"""``python -m sweeps reproduce RUN/run.json``: run it again from its record in a new directory, and compare."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.plan import Plan
    from sweeps.runner import Run

TOLERANCE = 1e-9  # of floats, relative, where numba's or numpy's version differs; else they must be the same bits


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
    from sweeps.plan import check_jobs, versions
    from sweeps.recorded import ENDED, folder_of, other_code, plan_of
    from sweeps.store import read_record

    check_jobs(options.jobs)
    folder = folder_of(options.directory)
    record = read_record(folder)
    plan = plan_of(record)
    for warning in filter(None, [other_code(record, plan)]):
        print(warning, file=sys.stderr)
    if not str(record.get("state")).startswith(ENDED):
        raise ValueError(f"run must be finished to be compared; {folder} is {record.get('state')}: its command goes on")
    difference = _record_difference(record, plan)
    if not difference:
        again = _run_again(record, plan, Path(options.out) if options.out else _free(folder), options.jobs)
        same = all(record.get("versions", {}).get(name) == versions()[name] for name in ("numpy", "numba"))
        difference = _difference(record, again, 0.0 if same else TOLERANCE)
    count = len(record["rows"]) if isinstance(record.get("rows"), list) else 0
    if options.json:
        print(json.dumps({"same": not difference, "difference": difference or None, "rows": count}))
    else:
        print(f"different: {difference}" if difference else f"the same: {count} rows and the verdict")
    return 1 if difference else 0


def _free(folder: Path) -> Path:
    """RUN-again, or RUN-again2, ... if that is taken."""
    numbers = ("", *range(2, 10**6))
    return next(path for n in numbers if not (path := folder.with_name(f"{folder.name}-again{n}")).exists())


def _record_difference(record: dict[str, Any], plan: "Plan") -> str:
    """What in the record contradicts itself."""
    from sweeps.plan import run_id_of
    from sweeps.store import rows_hash

    claim = record.get("claim")
    identity = {**plan.identity, "code": record.get("code"), "claim": claim["id"] if isinstance(claim, dict) else claim}
    if run_id_of(identity) != record["run_id"]:
        return f"run_id {record['run_id']} does not belong to the record's claim, parameters, seed and looks"
    if not isinstance(record.get("rows"), list) or not isinstance(record.get("blocks"), dict):
        return f"the record has no rows: the run is {record.get('state')}"
    if rows_hash(record["rows"]) != record.get("sha256", {}).get("rows"):
        return "the record's rows are not those that its sha256 names"
    return ""


def _run_again(record: dict[str, Any], plan: "Plan", out: Path, jobs: int) -> "Run":
    from sweeps.runner import repeat

    return repeat(plan, {int(k): int(count) for k, count in record["blocks"].items()}, out=out, jobs=jobs)


def _difference(record: dict[str, Any], again: "Run", tolerance: float) -> str:
    if len(record["rows"]) != len(again.rows):
        return f"{len(record['rows'])} rows recorded, {len(again.rows)} now"
    for before, now in zip(record["rows"], again.rows, strict=True):
        for name in {**before, **now}:
            if not _same(before.get(name), now.get(name), tolerance):
                return f"k = {now['k']}, {name}: recorded {before.get(name)!r}, now {now.get(name)!r}"
    recorded, verdict = record["finding"]["verdict"], again.finding["verdict"]
    return "" if recorded == verdict else f"verdict: recorded {recorded}, now {verdict}"


def _same(before: Any, now: Any, tolerance: float) -> bool:
    if isinstance(before, float) and isinstance(now, float):
        return before == now or abs(before - now) <= tolerance * max(abs(before), abs(now))
    return bool(before == now)
