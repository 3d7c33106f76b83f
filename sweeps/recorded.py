"""Runs read back from their directories, in progress or ended."""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sweeps import simulators
from sweeps.plan import Block, Plan, code_version, make_plan
from sweeps.runner import Run, assemble
from sweeps.spec import Model, Simulator, Sums
from sweeps.store import RECORD, ROWS, is_held, read_blocks, read_failures, read_record
from sweeps.totals import Totals

ENDED = ("finished", "decided")  # how the state of a run begins that has its verdict


@dataclass(frozen=True)
class Recorded:
    """A run as its directory has it: ``done`` counts its finished blocks, ``result.ended`` is its state."""

    folder: Path
    record: dict[str, Any]
    plan: Plan
    done: int
    result: Run


def folder_of(run: str) -> Path:
    """The run directory that a path names: itself or its run.json."""
    path = Path(run)
    return path.parent if path.name == RECORD else path


def model_of(record: dict[str, Any]) -> Model:
    """The model that a run.json names, or the user's file; ValueError if there is no such thing."""
    source = str(record.get("source", record.get("simulator")))
    return simulators.find(source) if source in simulators.names() else simulators.find_swept(source)


def find_run(run: str) -> tuple[Path, dict[str, Any], Model]:
    """Folder, record and model of the run that a path names."""
    folder = folder_of(run)
    record = read_record(folder)
    return folder, record, model_of(record)


def plan_of(record: dict[str, Any]) -> Plan:
    """The plan that the run.json of a sweep describes; ValueError if it does not."""
    simulator = model_of(record)
    assert isinstance(simulator, Simulator)
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


def read_run(run: str) -> Recorded:
    """A run in progress or ended. The verdict of an ended one is the recorded one, of another what the blocks say."""
    folder = folder_of(run)
    record = read_record(folder)
    try:
        with contextlib.closing(_open(folder)) as db:
            totals, failures = Totals(read_blocks(db)), read_failures(db)
    except (sqlite3.Error, ValueError) as error:
        raise _unreadable(folder, error) from None
    plan, state = plan_of(record), state_of(folder, record)
    result = replace(assemble(plan, totals, failures), ended=state)
    if state.startswith(ENDED) and isinstance(record.get("finding"), dict):
        result = replace(result, finding=record["finding"], growth=record.get("growth"))
    return Recorded(folder, record, plan, sum(totals.count(k) for k in plan.ks), result)


def state_of(folder: Path, record: Mapping[str, Any]) -> str:
    """The recorded state; a run that says it is running and is held by nobody was stopped."""
    state = str(record.get("state"))
    return "stopped" if state == "running" and not is_held(folder) else state


def other_code(record: dict[str, Any], model: Model) -> str:
    """What to say if the model's code is not what the run was made with; else nothing."""
    now = code_version(model)
    return "" if record.get("code") == now else f"code: the run was made with {record.get('code')}, this is {now}"
