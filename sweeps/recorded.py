"""Runs read back from their directories, in progress or ended."""

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

from sweeps import simulators
from sweeps.plan import Plan, code_version, make_plan
from sweeps.spec import Simulator
from sweeps.store import RECORD, ROWS, is_held, read_blocks, read_record
from sweeps.totals import Totals


def folder_of(run: str) -> Path:
    """The run directory that a path names: itself or its run.json."""
    path = Path(run)
    return path.parent if path.name == RECORD else path


def plan_of(record: dict[str, Any]) -> Plan:
    """The plan that a run.json describes; ValueError if it does not."""
    source = str(record.get("source", record.get("simulator")))
    if source in simulators.names() and not isinstance(simulators.find(source), Simulator):
        raise ValueError(
            f"run must be of a sweep over k; this one is of {source}: repeat it by the argv in its run.json"
        )
    simulator = simulators.find_swept(source)
    try:
        parameters, seed, looks = record["parameters"], int(record["seed"]), record["looks"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"run.json must have parameters, seed and looks; {error} is wrong or missing") from None
    return make_plan(simulator, parameters, seed=seed, looks=looks)


def read_run(run: str) -> tuple[Path, dict[str, Any], Plan, Totals]:
    """Folder, record, plan and what is done of it."""
    folder = folder_of(run)
    record = read_record(folder)
    try:
        with contextlib.closing(sqlite3.connect(f"{(folder / ROWS).resolve().as_uri()}?mode=ro", uri=True)) as db:
            totals = Totals(read_blocks(db))
    except sqlite3.Error as error:
        raise ValueError(f"run must hold a readable {ROWS}; {folder}: {error}") from None
    return folder, record, plan_of(record), totals


def state_of(folder: Path, record: dict[str, Any]) -> str:
    """The recorded state; a run that says it is running and is held by nobody was stopped."""
    state = str(record.get("state"))
    return "stopped" if state == "running" and not is_held(folder) else state


def other_code(record: dict[str, Any], plan: Plan) -> str:
    """What to say if the simulator's code is not what the run was made with; else nothing."""
    now = code_version(plan.simulator)
    return "" if record.get("code") == now else f"code: the run was made with {record.get('code')}, this is {now}"
