"""Command lines run as processes of their own: bounded in time, stopped gently, their output kept off stdout."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import IO, Any

import anyio
from mcp.server.mcpserver.exceptions import ToolError

import sweeps

GENTLE = 5.0  # seconds between the interrupt, after which finished blocks are kept, and the kill
TICK = 0.05
PACKAGES = Path(sweeps.__file__).parents[1]

Beat = Callable[[float], Awaitable[None]]  # seconds since the start


class Job:
    """One command line ``python -m ...`` that prints one JSON document; its files are unnamed ones in ``folder``."""

    def __init__(self, arguments: Sequence[str], *, folder: Path, cwd: Path, stdin: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._out, self._err, given = (_scratch(folder) for _ in range(3))
        given.write(stdin.encode())
        given.seek(0)
        paths = filter(None, [str(PACKAGES), os.environ.get("PYTHONPATH")])
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        self.started = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            stdin=given,
            stdout=self._out,
            stderr=self._err,
            cwd=cwd,
            env=environment,
        )
        given.close()

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Ask it to end; what it has finished is kept."""
        if self.running:
            self._process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)

    async def ended(self, limit: float, beat: Beat | None = None) -> int:
        """Wait for the exit code; past the limit, or when the waiting is cancelled, stop it."""
        try:
            while self.running:
                spent = time.monotonic() - self.started
                if spent > limit:
                    raise ToolError(f"stopped: the limit of {limit:g} s was reached; ask for less")
                if beat is not None:
                    await beat(spent)
                await anyio.sleep(TICK)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self.end()
            raise
        return int(self._process.returncode)

    async def end(self) -> None:
        """Stop it, kill it if it does not end soon."""
        self.stop()
        with anyio.move_on_after(GENTLE):
            while self.running:
                await anyio.sleep(TICK)
        if self.running:
            self._process.kill()
            self._process.wait()

    def document(self) -> Any:
        """What it printed; a ToolError with error and remedy if that is what it printed, or none."""
        try:
            self._out.seek(0)
            document = json.loads(self._out.read())
        except ValueError:
            raise ToolError(f"the command ended with code {self._process.returncode}: {self._last_line()}") from None
        if isinstance(document, dict) and document.keys() == {"error", "code", "remedy"}:
            raise ToolError(f"{document['error']}. Remedy: {document['remedy']}")
        return document

    def _last_line(self) -> str:
        self._err.seek(0)
        lines = self._err.read().decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "it printed nothing")


def _scratch(folder: Path) -> IO[bytes]:
    return tempfile.TemporaryFile(dir=folder)
