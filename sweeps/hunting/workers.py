"""Hunts in processes of their own: the first find counts, and code that hangs is ended."""

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sweeps.hunting.model import BadClaim, Hunt

SILENCE = 20.0  # seconds after which a worker that says nothing counts as hung, beside the limit of a call
GRACE = 3.0  # seconds that workers get to end when they are interrupted
JOB_SEED = 1_000_003  # job j has the seed ``seed + JOB_SEED j``: job 0 hunts as a single one does

Tick = Callable[[dict[str, Any]], None]
Lines = "queue.Queue[tuple[int, dict[str, Any]]]"


def hunt_in_processes(request: dict[str, Any], *, seed: int, jobs: int, on_tick: Tick | None) -> Hunt:
    """Run the request in ``jobs`` processes; the first find, or the closest miss of all. Raises BadClaim."""
    lines: queue.Queue[tuple[int, dict[str, Any]]] = queue.Queue()
    workers = [_start(request | {"seed": seed + JOB_SEED * job}, job, lines) for job in range(jobs)]
    hunts: dict[int, Hunt] = {}
    try:
        _collect(lines, jobs, request, hunts, on_tick)
    except KeyboardInterrupt:
        _interrupt(workers, lines, jobs, hunts)
    finally:
        for worker in workers:
            _end(worker)
    if not hunts:
        raise KeyboardInterrupt
    return replace(_merged(list(hunts.values())), seed=seed)


def _start(request: dict[str, Any], job: int, lines: Any) -> "subprocess.Popen[str]":
    worker = subprocess.Popen(
        [sys.executable, "-m", "sweeps.hunting.worker", json.dumps(request)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C is for the parent, which asks them to end
    )
    threading.Thread(target=_read, args=(worker, job, lines), daemon=True).start()
    return worker


def _end(worker: "subprocess.Popen[str]") -> None:
    worker.kill()
    worker.wait()
    with contextlib.suppress(OSError):
        assert worker.stdin is not None
        worker.stdin.close()


def _read(worker: "subprocess.Popen[str]", job: int, lines: Any) -> None:
    assert worker.stdout is not None
    with worker.stdout:
        for line in worker.stdout:
            lines.put((job, json.loads(line)))
    lines.put((job, {"ended": worker.wait()}))


def _collect(lines: Any, jobs: int, request: dict[str, Any], hunts: dict[int, Hunt], on_tick: Tick | None) -> None:
    """Read the workers' lines until one has found, or all have ended."""
    heard, ticks = dict.fromkeys(range(jobs), time.monotonic()), dict[int, dict[str, Any]]()
    while len(hunts) < jobs:
        try:
            job, line = lines.get(timeout=0.2)
        except queue.Empty:
            job, line = -1, {}
        heard[job] = time.monotonic()
        _refuse(line, job, hunts)
        if "hunt" in line:
            hunts[job] = Hunt(**line["hunt"])
            if hunts[job].found:
                return
        if line.get("tick"):
            ticks[job] = line["tick"]
            if on_tick is not None:
                on_tick(_summed(list(ticks.values())))
        quiet = min(heard[j] for j in range(jobs) if j not in hunts) if len(hunts) < jobs else time.monotonic()
        if time.monotonic() - quiet > SILENCE + request["call_seconds"]:
            raise BadClaim(f"{request['claim']} must let Python run; it held the interpreter and was ended")


def _refuse(line: dict[str, Any], job: int, hunts: dict[int, Hunt]) -> None:
    if "error" in line:
        raise BadClaim(line["error"])
    if "ended" in line and job not in hunts:
        raise BadClaim(f"the claim must not end Python; its process ended with code {line['ended']}")


def _interrupt(workers: list["subprocess.Popen[str]"], lines: Any, jobs: int, hunts: dict[int, Hunt]) -> None:
    """Ask the workers for what they have, and wait a little for it."""
    for worker in workers:
        assert worker.stdin is not None
        try:
            worker.stdin.write("stop\n")
            worker.stdin.flush()
        except OSError:  # it has ended
            continue
    until = time.monotonic() + GRACE
    while len(hunts) < jobs and time.monotonic() < until:
        try:
            job, line = lines.get(timeout=0.2)
        except queue.Empty:
            continue
        if "hunt" in line:
            hunts[job] = replace(Hunt(**line["hunt"]), interrupted=True)


def _merged(hunts: list[Hunt]) -> Hunt:
    """The find, or the closest miss; counts added up."""
    best = max(hunts, key=lambda one: (one.found, _number(one.closest_gap)))
    return replace(
        best,
        instances_tried=sum(one.instances_tried for one in hunts),
        largest_scale=max(one.largest_scale for one in hunts),
        seconds=max(one.seconds for one in hunts),
        undecided=sum(one.undecided for one in hunts),
        refused=sum(one.refused for one in hunts),
        interrupted=any(one.interrupted for one in hunts),
    )


def _summed(ticks: list[dict[str, Any]]) -> dict[str, Any]:
    best = max(ticks, key=lambda one: (one["found"], _number(one["closest_gap"])))
    return best | {"instances_tried": sum(one["instances_tried"] for one in ticks)}


def _number(text: str | None) -> float:
    from fractions import Fraction

    return float("-inf") if text is None else float(Fraction(text))
