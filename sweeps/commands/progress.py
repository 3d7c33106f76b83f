"""Progress on stderr: a bar with ETA on a terminal, one plain line per ten seconds elsewhere."""

import os
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

from sweeps.plan import Block, Plan

EVERY = 10.0


class Progress:
    """Called with the plan and the blocks just done; a context manager that leaves the terminal as it was."""

    def __init__(self, plan: Plan, header: str, *, quiet: bool) -> None:
        self._header = header  # printed once the run directory is known to be good
        self._total = plan.total
        self._blocks = sum(layout.count for layout in plan.layouts.values())
        self._done = 0
        self._ran = 0.0
        self._quiet = quiet
        self._bar: Any = None
        self._said = time.monotonic()
        self._first: tuple[float, float] | None = None

    def __enter__(self) -> "Progress":
        return self

    def _show_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        console = Console(stderr=True, no_color="NO_COLOR" in os.environ)
        columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn(), TextColumn("left"))
        self._bar = Bar(*columns, console=console, transient=True, redirect_stdout=False)
        self._task = self._bar.add_task("compiling", total=self._total)
        self._bar.start()

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, plan: Plan, new: Collection[Block]) -> None:
        """Blocks are done: at the start those that were, then each as it comes."""
        if self._header:
            print(self._header, flush=True)
            self._header = ""
        if self._bar is None and not self._quiet and sys.stderr.isatty():
            self._show_bar()
        self._done += len(new)
        self._ran += sum(plan.requests(block) for block in new)
        for k, _ in list(new)[-1:]:
            self._say(f"k = {k}   {self._ran / 1e6:.0f} M of {self._total / 1e6:.0f} M requests")

    def _say(self, what: str) -> None:
        now = time.monotonic()
        if self._first is None:  # the first block compiled the kernels: its time tells nothing about the rest
            self._first = (now, self._ran)
        if self._bar:
            self._bar.update(self._task, completed=self._ran, description=what)
        elif not self._quiet and now - self._said >= EVERY:
            self._said = now
            speed = (self._ran - self._first[1]) / max(now - self._first[0], 1e-9)
            left = f"   {(self._total - self._ran) / speed:.0f} s left" if speed else ""
            print(what + left, file=sys.stderr, flush=True)

    def interrupted(self, folder: Path) -> None:
        """Say what is kept."""
        kept = f"{self._done} of {self._blocks} blocks are kept in {folder}"
        print(f"interrupted: {kept}; the same command goes on", file=sys.stderr)
