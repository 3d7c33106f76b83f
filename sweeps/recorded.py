"""Runs read back from their directories, in progress or ended."""

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sweeps import simulators
from sweeps.plan import Block, Plan, code_version, make_plan, run_id_of
from sweeps.runner import Run, assemble
from sweeps.spec import TOLERANCE, Claim, Model, Simulator, Sums
from sweeps.store import RECORD, ROWS, is_held, read_blocks, read_failures, read_record, rows_hash
from sweeps.totals import Totals

Rows = list[dict[str, Any]]
ENDED = ("finished", "decided")  # how the state of a run begins that has its verdict


IDENTITY = ("simulator", "claim", "parameters", "seed", "looks", "code")  # of a run: its id is a hash of them


@dataclass(frozen=True)
class Recorded:
    """A run as its directory has it.

    ``claim``: as it was when the run ended; ``done`` counts finished blocks; ``result.ended`` is the state;
    ``doubts``: what contradicts itself, a line each.
    """

    folder: Path
    record: dict[str, Any]
    plan: Plan
    claim: Claim
    done: int
    result: Run
    doubts: list[str]


def folder_of(run: str) -> Path:
    """The run directory that a path names: itself or its run.json."""
    path = Path(run)
    return path.parent if path.name == RECORD else path


def model_of(record: dict[str, Any], folder: Path) -> Model:
    """The model that a run.json names; of a user's file the copy in the run directory, or else the file itself."""
    source = str(record.get("source", record.get("simulator")))
    if source in simulators.names():
        return simulators.find(source)
    copy = folder / Path(source).name
    return simulators.find_swept(str(copy) if copy.is_file() else source)


def find_run(run: str) -> tuple[Path, dict[str, Any], Model]:
    """Folder, record and model of the run that a path names."""
    folder = folder_of(run)
    record = read_record(folder)
    return folder, record, model_of(record, folder)


def plan_of(record: dict[str, Any], simulator: Simulator) -> Plan:
    """The plan of a simulator that a run.json describes; ValueError if it does not."""
    try:
        parameters, seed, looks = record["parameters"], int(record["seed"]), record["looks"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"run.json must have parameters, seed and looks; {error} is wrong or missing") from None
    return make_plan(simulator, parameters, seed=seed, looks=looks)


def read_done(folder: Path) -> Iterator[tuple[Block, Sums]]:
    """What a run's store holds so far, in order."""
    try:
        with contextlib.closing(_open(folder)) as db:
            yield from read_blocks(db)
    except (sqlite3.Error, ValueError) as error:
        raise _unreadable(folder, error) from None


def _open(folder: Path) -> sqlite3.Connection:
    """The store, to be read. On a read-only medium SQLite has no place for the files that go with a write-ahead log:
    a store without such a log is read without them.
    """
    uri = f"{(folder / ROWS).resolve().as_uri()}?mode=ro"
    db = sqlite3.connect(uri, uri=True)
    try:
        db.execute("SELECT 1 FROM blocks LIMIT 1")
        return db
    except sqlite3.OperationalError:
        db.close()
        log = folder / f"{ROWS}-wal"
        if log.exists() and log.stat().st_size:
            raise
        return sqlite3.connect(f"{uri}&immutable=1", uri=True)


def _unreadable(folder: Path, error: Exception) -> ValueError:
    return ValueError(f"run must hold a readable {ROWS}; {folder}: {error}")


def read_run(folder: Path, record: dict[str, Any], simulator: Simulator) -> Recorded:
    """A run as it was recorded when it ended; of one that has not, what its blocks say, which decides nothing."""
    try:
        with contextlib.closing(_open(folder)) as db:
            totals, failures = Totals(read_blocks(db)), read_failures(db)
    except (sqlite3.Error, ValueError) as error:
        raise _unreadable(folder, error) from None
    plan, claim = plan_of(record, simulator), record.get("claim")
    try:
        now = assemble(plan, totals, failures)
    except (ArithmeticError, KeyError, ValueError) as error:
        raise ValueError(f"run must hold sums that make rows in its {ROWS}; {folder}: {error}") from None
    doubts = contradictions(folder, record, plan)
    if isinstance(record.get("finding"), dict):
        if _like(record.get("rows"), now.rows):
            difference = "" if other_code(record, simulator) else first_difference(record["rows"], now.rows, TOLERANCE)
            doubts += [f"{ROWS} makes other rows than run.json has: {difference}"] * bool(difference)
            now = replace(now, rows=record["rows"])
        result = replace(now, finding=record["finding"], growth=record.get("growth"), failures=failures)
    else:
        so_far = f"So far, and deciding nothing: {now.finding['sentence']}"
        result = replace(now, finding={**now.finding, "verdict": "inconclusive", "sentence": so_far})
    said = Claim(**claim) if isinstance(claim, dict) and claim.keys() == vars(plan.claim).keys() else plan.claim
    done = sum(totals.count(k) for k in plan.ks)
    return Recorded(folder, record, plan, said, done, replace(result, ended=state_of(folder, record)), doubts)


def _like(rows: Any, others: Rows) -> bool:
    """Whether recorded rows can be shown: a list of rows with the fields of those made now."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return False
    return all(row.keys() >= other.keys() for row in rows for other in others[:1])


def contradictions(folder: Path, record: Mapping[str, Any], plan: Plan | None = None) -> list[str]:
    """What in a record does not go together, or not with the files beside it or a sweep's plan; a line each."""
    claim, doubts = record.get("claim"), []
    identity = {name: record[name] for name in IDENTITY if name in record}
    if run_id_of(identity | {"claim": claim["id"] if isinstance(claim, dict) else claim}) != record["run_id"]:
        doubts.append(f"run_id {record['run_id']} does not belong to the record's claim, parameters, seed and looks")
    if str(record.get("state")).startswith(ENDED):
        named = record.get("sha256")
        named = named if isinstance(named, dict) else {}
        if not isinstance(record.get("rows"), list):
            doubts.append("the record has no rows")
        elif rows_hash(record["rows"]) != named.get("rows"):
            doubts.append("the record's rows are not those that its sha256 names")
        for name, digest in named.items():
            path = folder / str(name)
            if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                doubts.append(f"{name} is not the file that the record's sha256 names")
        doubts += _unplanned(record, plan) if plan is not None else []
    return doubts


def _unplanned(record: Mapping[str, Any], plan: Plan) -> list[str]:
    """Where an ended sweep's blocks fall short of its plan; one that was decided at a look may have fewer."""
    done = record.get("blocks")
    if not isinstance(done, dict) or not all(isinstance(count, int) for count in done.values()):
        return ["the record has no blocks, the number done of each point"]
    for k, layout in plan.layouts.items() if record["state"] == "finished" else ():
        if done.get(str(k)) != layout.count:
            return [f"finished, but k = {k} has {done.get(str(k), 0)} of {layout.count} blocks"]
    return []


def first_difference(before: Rows, now: Rows, tolerance: float) -> str:
    """The first difference of two lists of rows, or nothing; floats may differ by ``tolerance`` of their size."""
    if len(before) != len(now):
        return f"{len(before)} rows recorded, {len(now)} now"
    for old, new in zip(before, now, strict=True):
        for name in {**old, **new}:
            if not _same(old.get(name), new.get(name), tolerance):
                return f"k = {new['k']}, {name}: recorded {old.get(name)!r}, now {new.get(name)!r}"
    return ""


def _same(before: Any, now: Any, tolerance: float) -> bool:
    if isinstance(before, float) and isinstance(now, float):
        return before == now or abs(before - now) <= tolerance * max(abs(before), abs(now))
    return bool(before == now)


def state_of(folder: Path, record: Mapping[str, Any]) -> str:
    """The recorded state; a run that says it is running and is held by nobody was stopped."""
    state = str(record.get("state"))
    return "stopped" if state == "running" and not is_held(folder) else state


def other_code(record: dict[str, Any], model: Model) -> str:
    """What to say if the model's code is not what the run was made with; else nothing."""
    now = code_version(model)
    return "" if record.get("code") == now else f"code: the run was made with {record.get('code')}, this is {now}"
