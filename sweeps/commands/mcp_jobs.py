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
        own = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}  # not beside a user's file
        environment = {**os.environ, **own}
        self._printed = self._said = ""
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
        """Whether it still runs; once it does not, what it printed is read and its files are let go."""
        if self._process.poll() is None:
            return True
        if not self._out.closed:
            with self._out, self._err:
                self._printed, self._said = _whole(self._out), _whole(self._err)
        return False

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
            while self.running:
                await anyio.sleep(TICK)

    def document(self) -> Any:
        """What it printed; a ToolError with error and remedy if that is what it printed, or none."""
        assert not self.running
        try:
            document = json.loads(self._printed)
        except ValueError:
            lines = [line for line in self._said.splitlines() if line.strip()] or ["it printed nothing"]
            raise ToolError(f"the command ended with code {self._process.returncode}: {lines[-1]}") from None
        if isinstance(document, dict) and document.keys() == {"error", "code", "remedy"}:
            raise ToolError(f"{document['error']}. Remedy: {document['remedy']}")
        return document


def _scratch(folder: Path) -> IO[bytes]:
    return tempfile.TemporaryFile(dir=folder)


def _whole(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
