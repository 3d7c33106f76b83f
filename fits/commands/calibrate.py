"""``python -m fits calibrate``: the benchmark of the decision, as a table with pass figures."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any


def options(sub: argparse.ArgumentParser) -> None:
    """Add the options of ``calibrate``."""
    add = sub.add_argument
    add(
        "--n",
        type=int,
        default=500,
        metavar="N",
        help="sweeps a case (default 500; 10000 for the strict limits)",
    )
    add(
        "--cell",
        action="append",
        metavar="NAME",
        help="only this cell (F1 F2 P1 P2 V1 V2 Q1 L1 U1 C1 R1); repeatable",
    )
    add("--seed", type=int, default=0, help="same seed, same counts, for any number of jobs")
    add("--jobs", type=int, default=-1, metavar="J", help="processes (default: all cores)")
    add("--all", action="store_true", help="every case, not only each check's worst")
    add("--json", action="store_true", help="one JSON document on stdout")
    add("--quiet", action="store_true", help="no progress on stderr")


def run(args: argparse.Namespace) -> int:
    """Run the cells and print; exit 1 if any check fails."""
    from fits.calibration.run import CELLS, benchmark

    cells = tuple(dict.fromkeys(args.cell)) if args.cell else CELLS
    if args.jobs == 0 or args.seed < 0:
        raise ValueError(f"jobs must not be 0 and seed must not be negative; got {args.jobs}, {args.seed}")
    progress = None if args.quiet else Progress()
    rows = benchmark(cells, n=args.n, seed=args.seed, jobs=args.jobs, progress=progress)
    if progress is not None:
        progress.close()
    print(document(rows, args) if args.json else table(rows, every=args.all))
    return int(not all(row["ok"] for row in rows))


def document(rows: list[dict[str, Any]], args: argparse.Namespace) -> str:
    """The benchmark as JSON, with what it depends on."""
    from fits.dictionary import VERSION

    head = {"n": args.n, "seed": args.seed, "dictionary": VERSION, "versions": versions()}
    return json.dumps({**head, "ok": all(row["ok"] for row in rows), "rows": rows}, indent=1)


def versions() -> dict[str, str]:
    """Versions that the counts depend on."""
    import platform

    import numpy
    import scipy

    return {"python": platform.python_version(), "numpy": numpy.__version__, "scipy": scipy.__version__}


def table(rows: list[dict[str, Any]], *, every: bool = False) -> str:
    """One line a check; of many cases with the same pass figure only the one nearest to failing."""
    shown = rows if every else _nearest(rows)
    lines = [f"{'cell':<5}{'measure':<34}{'rate':>9}  {'pass':<18}{'':<6}case"]
    for row in shown:
        mark = "ok" if row["ok"] else "FAILS"
        cases = f"  (worst of {row['cases']})" if row.get("cases", 1) > 1 else ""
        figure = f"{row['cell']:<5}{row['measure']:<34}{row['rate']:>9.2%}"
        lines.append(f"{figure}  {row['pass']:<18}{mark:<6}{row['case']}{cases}")
    failed = sum(not row["ok"] for row in rows)
    return "\n".join([*lines, f"{len(rows) - failed} of {len(rows)} checks hold, {rows[0]['sweeps']} sweeps a case"])


def _nearest(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, str, str, bool], list[dict[str, Any]]] = {}
    for row in rows:
        measure = row["measure"].rpartition(": ")[2]
        groups.setdefault((row["cell"], measure, row["pass"], row["case"] == "pooled"), []).append(row)
    return [_worst(group) | {"cases": len(group)} for group in groups.values()]


def _worst(group: list[dict[str, Any]]) -> dict[str, Any]:
    limit = group[0]["pass"]
    if " - " in limit:
        return max(group, key=lambda row: abs(row["rate"] - 0.95))
    return min(group, key=lambda row: row["rate"]) if limit.startswith(">") else max(group, key=lambda row: row["rate"])


class Progress:
    """Blocks done and time left on stderr: a bar on a terminal, one line per 10 s elsewhere."""

    def __init__(self) -> None:
        self.start = self.last = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show ``done`` of ``total`` blocks, now and then."""
        now = time.monotonic()
        if now - self.last < (0.2 if self.terminal else 10) and done < total:
            return
        self.last = now
        left = (now - self.start) / done * (total - done)
        if self.terminal:
            filled = 40 * done // total
            bar = "#" * filled + "-" * (40 - filled)
            sys.stderr.write(f"\r  [{bar}] {done}/{total} blocks, {left:.0f} s left  ")
        elif done < total:
            sys.stderr.write(f"{done}/{total} blocks, {left:.0f} s left\n")
        sys.stderr.flush()

    def close(self) -> None:
        """End the bar's line."""
        if self.terminal:
            sys.stderr.write("\n")
