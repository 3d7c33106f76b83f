"""``python -m sweeps reproduce RUN/run.json``: run it again from its record in a new directory, and compare."""

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.spec import Model

Rows = list[dict[str, Any]]
IDENTITY = ("simulator", "claim", "parameters", "seed", "looks", "code")  # of a run, as its id is a hash of them
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
    from sweeps.recorded import ENDED, find_run, other_code

    check_jobs(options.jobs)
    folder, record, model = find_run(options.directory)
    for warning in filter(None, [other_code(record, model)]):
        print(warning, file=sys.stderr)
    if not str(record.get("state")).startswith(ENDED):
        raise ValueError(f"run must be finished to be compared; {folder} is {record.get('state')}: its command goes on")
    difference = _record_difference(record)
    if not difference:
        again = _run_again(model, record, Path(options.out) if options.out else _free(folder), options.jobs)
        same = all(record.get("versions", {}).get(name) == versions()[name] for name in ("numpy", "numba"))
        difference = _difference(record, *again, 0.0 if same else TOLERANCE)
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


def _record_difference(record: dict[str, Any]) -> str:
    """What in the record contradicts itself."""
    from sweeps.plan import run_id_of
    from sweeps.store import rows_hash

    claim = record.get("claim")
    identity = {name: record[name] for name in IDENTITY if name in record}
    if run_id_of(identity | {"claim": claim["id"] if isinstance(claim, dict) else claim}) != record["run_id"]:
        return f"run_id {record['run_id']} does not belong to the record's claim, parameters, seed and looks"
    if not isinstance(record.get("rows"), list):
        return f"the record has no rows: the run is {record.get('state')}"
    if rows_hash(record["rows"]) != record.get("sha256", {}).get("rows"):
        return "the record's rows are not those that its sha256 names"
    return ""


def _run_again(model: "Model", record: dict[str, Any], out: Path, jobs: int) -> tuple[Rows, dict[str, str]]:
    """Rows and finding, made anew."""
    from sweeps.recorded import plan_of
    from sweeps.runner import repeat
    from sweeps.spec import Simulator

    if not isinstance(model, Simulator):
        command = importlib.import_module(f"sweeps.commands.{model.name}_recorded")
        rows, finding = command.again(model, record, out, jobs=jobs)
        return rows, finding
    if not isinstance(record.get("blocks"), dict):
        raise ValueError("run.json must have blocks, the number done of each point; it has none")
    made = repeat(plan_of(record), {int(k): int(count) for k, count in record["blocks"].items()}, out=out, jobs=jobs)
    return made.rows, made.finding


def _difference(record: dict[str, Any], rows: Rows, finding: dict[str, str], tolerance: float) -> str:
    if len(record["rows"]) != len(rows):
        return f"{len(record['rows'])} rows recorded, {len(rows)} now"
    for before, now in zip(record["rows"], rows, strict=True):
        for name in {**before, **now}:
            if not _same(before.get(name), now.get(name), tolerance):
                return f"k = {now['k']}, {name}: recorded {before.get(name)!r}, now {now.get(name)!r}"
    recorded, verdict = record["finding"]["verdict"], finding["verdict"]
    return "" if recorded == verdict else f"verdict: recorded {recorded}, now {verdict}"


def _same(before: Any, now: Any, tolerance: float) -> bool:
    if isinstance(before, float) and isinstance(now, float):
        return before == now or abs(before - now) <= tolerance * max(abs(before), abs(now))
    return bool(before == now)
