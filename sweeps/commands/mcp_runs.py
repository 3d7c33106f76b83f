"""Sweeps by run id: started, watched, stopped, read back; the run directory is what all servers share."""

import contextlib
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from mcp.server.mcpserver.exceptions import ToolError

from sweeps import simulators
from sweeps.commands import mcp_reach
from sweeps.commands.mcp_answers import OWN_UNITS, UNITS, State, SweepAnswer
from sweeps.commands.mcp_jobs import Job
from sweeps.store import LOCK, RECORD, ROWS

MAX_SECONDS = 86_400.0  # of a sweep
MAX_CALL = 600.0  # of a blocking call
MAX_REQUESTS = 1e11
MAX_RUNNING = 4
RUN_ID = re.compile(r"[0-9a-f]{12}")


class Runs:
    """The runs below ``folder``; ``start`` is the folder that user files are read from."""

    def __init__(self, folder: Path, start: Path, jobs: int) -> None:
        self.folder, self.start, self.jobs = folder, start, jobs
        self._live: dict[str, Job] = {}

    async def call(self, arguments: list[str], *, limit: float = 60.0, stdin: str = "") -> Any:
        """A short command line's document."""
        job = Job(arguments, folder=self.folder, cwd=self.start, stdin=stdin)
        await job.ended(limit)
        return job.document()

    def launch(self, plan: Mapping[str, Any], arguments: list[str], seconds: float) -> Job:
        """Start a planned sweep, or take the one that this server already runs."""
        run_id = plan["run_id"]
        known = self._live.get(run_id)
        if known is not None and known.running:
            return known
        if sum(job.running for job in self._live.values()) >= MAX_RUNNING:
            raise ToolError(f"{MAX_RUNNING} sweeps are running; wait, or stop one by run_status(run_id, stop=true)")
        out = self.folder / f"{plan['simulator']}-{run_id}"
        how = [f"--out={out}", f"--time-limit={seconds:.0f}", f"--jobs={self.jobs}", "--json", "--quiet"]
        self._live[run_id] = Job([*arguments, *how], folder=self.folder, cwd=self.start)
        return self._live[run_id]

    def job(self, run_id: str) -> Job | None:
        """The process of a run, if this server started it."""
        return self._live.get(run_id)

    def where(self, run_id: str) -> Path | None:
        """The directory of a run, once it is there."""
        if not RUN_ID.fullmatch(run_id):
            raise ToolError(f"run_id must be twelve hex digits, as run_sweep gives them; got {run_id[:40]!r}")
        found = [path for path in self.folder.glob(f"*-{run_id}") if (path / RECORD).is_file()]
        if not found and run_id not in self._live:
            raise ToolError(f"run_id must be one of a run in {self.folder}; there is no {run_id}")
        return found[0] if found else None

    async def answer(self, run_id: str) -> SweepAnswer:
        """What is known of a run now."""
        where, job = self.where(run_id), self.job(run_id)
        if where is None:
            if job is not None and not job.running:
                job.document()  # raises what went wrong
            return _starting(run_id)
        document = await self.call(["sweeps", "show", str(where.resolve()), "--json"])
        return _answer(document, self.is_running(where, job))

    def is_running(self, where: Path, job: Job | None) -> bool:
        """Whether some process holds the run directory."""
        if job is not None and job.running:
            return True
        try:
            with FileLock(where / LOCK, timeout=0):
                return False
        except Timeout:
            return True

    async def close(self) -> None:
        """Stop all sweeps that this server started; finished blocks are kept."""
        for job in self._live.values():
            job.stop()
        for job in self._live.values():
            await job.end()


def blocks_done(folder: Path) -> int:
    """Blocks in a run directory, at little cost; 0 where there are none yet."""
    with contextlib.suppress(sqlite3.Error, OSError):
        uri = f"{(folder / ROWS).resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as db:
            return int(db.execute("SELECT COUNT(*) FROM blocks").fetchone()[0])
    return 0


def _answer(document: Mapping[str, Any], running: bool) -> SweepAnswer:
    decided = not running and (document["ended"] in ("finished", "failed points") or "decided" in document["ended"])
    return SweepAnswer(
        run_id=document["run_id"],
        state=_state(document["ended"], running),
        blocks=document["blocks"],
        blocks_planned=document["blocks_planned"],
        verdict=document["finding"]["verdict"] if decided else None,
        sentence=document["finding"]["sentence"],
        growth=document["growth"],
        rows=document["rows"],
        units=UNITS if document["simulator"] in simulators.names() else OWN_UNITS,
        **mcp_reach.of_sweep(document, ended=decided),
    )


def _state(recorded: str, running: bool) -> State:
    """``running`` in a record that no process holds: it was stopped, or killed."""
    if running:
        return "running"
    if recorded == "failed points" or recorded == "time limit reached":
        return "failed points" if recorded == "failed points" else "time limit reached"
    return "stopped" if recorded in ("running", "interrupted", "stopped") else "finished"


def _starting(run_id: str) -> SweepAnswer:
    reach = {"scale": "none yet", "power": "none yet", "not_excluded": "everything"}
    state = {"state": "running", "blocks": 0, "blocks_planned": 0, "verdict": None, "sentence": "starting"}
    return SweepAnswer.model_validate({"run_id": run_id, **state, **reach})
