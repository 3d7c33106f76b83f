"""Progress on stderr: a bar with ETA on a terminal, one plain line per ten seconds elsewhere."""

import os
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

from sweeps.plan import Block, Plan

EVERY = 10.0
LEAST = 0.01


class Bar:
    """Work done out of ``total``; a context manager that leaves the terminal as it was."""

    def __init__(self, total: float, *, quiet: bool) -> None:
        self._total, self._quiet = total, quiet
        self._ran = 0.0
        self._bar: Any = None
        self._said = time.monotonic()
        self._first: tuple[float, float] | None = None

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def advance(self, by: float, what: str) -> None:
        """So much more is done; ``what`` says where it stands."""
        now = time.monotonic()
        self._ran += by
        if self._first is None:  # the first share compiled the kernels: its time tells nothing about the rest
            self._first = (now, self._ran)
        if self._quiet:
            return
        if sys.stderr.isatty():
            self._show(what)
        elif now - self._said >= EVERY:
            self._said = now
            speed = (self._ran - self._first[1]) / max(now - self._first[0], 1e-9)
            told = self._ran - self._first[1] >= LEAST * self._total  # a speed of less tells nothing
            left = f"   {(self._total - self._ran) / speed:.0f} s left" if told else ""
            print(what + left, file=sys.stderr, flush=True)

    def _show(self, what: str) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            console = Console(stderr=True, no_color="NO_COLOR" in os.environ)
            columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn(), TextColumn("left"))
            self._bar = Progress(*columns, console=console, transient=True, redirect_stdout=False)
            self._task = self._bar.add_task(what, total=self._total)
            self._bar.start()
        self._bar.update(self._task, completed=self._ran, description=what)


class SweepProgress:
    """A sweep's callback: prints the header once the run directory is known to be good, then feeds the bar."""

    def __init__(self, plan: Plan, header: str, bar: Bar) -> None:
        self._header, self._out, self._bar = header, sys.stdout, bar
        self._total = plan.total
        self._blocks = sum(layout.count for layout in plan.layouts.values())
        self._done, self._ran = 0, 0.0

    def __call__(self, plan: Plan, new: Collection[Block]) -> None:
        """Blocks are done: at the start those that were, then each as it comes."""
        if self._header:
            print(self._header, file=self._out, flush=True)
            self._header = ""
        requests = sum(plan.requests(block) for block in new)
        self._done += len(new)
        self._ran += requests
        k = next(iter(new))[0] if new else plan.ks[0]
        self._bar.advance(requests, f"k = {k}   {self._ran / 1e6:.0f} M of {self._total / 1e6:.0f} M requests")

    def interrupted(self, folder: Path) -> str:
        """What is kept."""
        kept = f"{self._done} of {self._blocks} blocks are kept in {folder}"
        return f"interrupted: {kept}; the same command goes on"
