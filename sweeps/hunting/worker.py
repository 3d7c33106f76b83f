"""The process that runs one hunt: ``python -m sweeps.hunting.worker REQUEST``; it talks to its parent in JSON lines.

It prints {"tick": ...} twice a second, from a thread of its own, then {"hunt": ...} or {"error": "one line"}. A line
on its standard input ends it, as Ctrl-C would. What the claim's own code prints goes to standard error.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from sweeps.hunting import claims
from sweeps.hunting.model import BadClaim, Target
from sweeps.hunting.running import hunt_here, snapshot
from sweeps.hunting.watching import Watch

TICK = 0.25


class Reporter(threading.Thread):
    """Tells the parent where the hunt stands, and when a call of the claim's own code takes too long."""

    def __init__(self, out: Any, limit: float, what: str) -> None:
        super().__init__(daemon=True)
        self.out, self.limit, self.what = out, limit, what
        self.target: Target | None = None
        self.watch = Watch(0)

    def run(self) -> None:
        """Until the process ends."""
        while True:
            time.sleep(TICK)
            tick = snapshot(self.target, self.watch) if self.target else {}
            late = time.monotonic() - self.watch.touched > self.limit
            self.say({"error": self.complaint()} if late else {"tick": tick})

    def complaint(self) -> str:
        """What takes too long."""
        if self.target is None:
            return f"{self.what} must be run within {self.limit:g} s; it was not"
        if self.watch.call is None:
            return f"instances must give an instance within {self.limit:g} s; it did not"
        name, instance = self.watch.call
        return f"{name} must return within {self.limit:g} s; it did not for {repr(instance)[:120]}"

    def say(self, message: dict[str, Any]) -> None:
        """A line to the parent."""
        self.out.write(json.dumps(message) + "\n")
        self.out.flush()


def main(request: dict[str, Any]) -> None:
    """Run the request: claim, options, seconds, call_seconds, seed."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    mine = claims.is_file(request["claim"])
    if mine:  # as `python mine.py` does: a file may import its neighbours
        sys.path.insert(0, str(Path(request["claim"]).resolve().parent))
    reporter = Reporter(out, request["call_seconds"] if mine else 1e9, request["claim"])
    reporter.start()
    threading.Thread(target=_listen, args=(reporter,), daemon=True).start()
    try:
        target = claims.read(request["claim"], **request["options"])
        target.warm()
        reporter.watch = watch = Watch(request["seconds"])
        reporter.target = target
        reporter.say({"hunt": vars(hunt_here(target, watch, request["seed"]))})
    except (BadClaim, TypeError, ValueError) as error:
        reporter.say({"error": " ".join(str(error).split())})
    os._exit(0)  # a claim's own threads and handlers hold nothing up


def _listen(reporter: Reporter) -> None:
    if sys.stdin.readline():
        reporter.watch.stopped = True


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
