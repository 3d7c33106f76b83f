"""Progress on stderr: a bar with ETA on a terminal, one plain line per ten seconds elsewhere."""

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sweeps.engine import Block, Plan
from sweeps.spec import Sums

EVERY = 10.0


class Progress:
    """Called with the plan and the blocks done; a context manager that leaves the terminal as it was."""

    def __init__(self, plan: Plan, header: str, *, quiet: bool) -> None:
        self._header = header  # printed once the run directory is known to be good
        self._size = plan.sizes
        self._total = sum(self._size.values())
        self._blocks = (0, len(self._size))
        self._quiet = quiet
        self._bar: Any = None
        self._started = self._said = time.monotonic()
        self._first: float | None = None

    def __enter__(self) -> "Progress":
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            console = Console(stderr=True, no_color="NO_COLOR" in os.environ)
            columns = (
                BarColumn(),
                TextColumn("{task.description}"),
                TimeRemainingColumn(),
                TextColumn("left"),
            )
            self._bar = Bar(*columns, console=console, transient=True)
            self._task = self._bar.add_task("compiling", total=self._total)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, plan: Plan, done: Mapping[Block, Sums]) -> None:  # noqa: ARG002 - the callback's form
        """The sweep starts, or one more block is done."""
        if self._header:
            print(self._header, flush=True)
            self._header = ""
        if self._bar is None and not self._quiet and sys.stderr.isatty():
            self._show_bar()
        self._blocks = (len(done), len(self._size))
        ran = sum(self._size[block] for block in done)
        if not done:
            return
        if self._first is None:
            self._first, self._started = ran, time.monotonic()
        what = f"k = {list(done)[-1][0]}   {ran / 1e6:.0f} M of {self._total / 1e6:.0f} M requests"
        if self._bar:
            self._bar.update(self._task, completed=ran, description=what)
        elif not self._quiet and time.monotonic() - self._said >= EVERY:
            self._said = time.monotonic()
            speed = (ran - self._first) / max(time.monotonic() - self._started, 1e-9)
            left = f"{(self._total - ran) / speed:.0f} s left" if speed else ""
            print(f"{what}   {left}", file=sys.stderr, flush=True)

    def interrupted(self, folder: Path) -> None:
        """Say what is kept."""
        done, total = self._blocks
        print(
            f"interrupted: {done} of {total} blocks are kept in {folder}; the same command goes on",
            file=sys.stderr,
        )
