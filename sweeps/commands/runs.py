"""``python -m sweeps runs``: the runs of a folder with claim, state, verdict and time."""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def add_parser(subparsers: Any) -> None:
    """The options of ``runs``."""
    parser = subparsers.add_parser("runs", help="list runs", description=__doc__, allow_abbrev=False)
    parser.add_argument("directory", metavar="DIR", nargs="?", default="runs", help="folder of runs (default runs)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print a line a run, the newest last."""
    from sweeps.store import RECORD, read_record

    folder = Path(options.directory)
    if not folder.is_dir():
        raise ValueError(f"directory must be a folder of runs; there is no {folder}")
    found = sorted(folder.glob(f"*/{RECORD}"), key=lambda path: path.stat().st_mtime)
    rows = []
    for path in found:
        try:
            rows.append(_row(path, read_record(path.parent)))
        except ValueError as error:  # the others are listed all the same
            print(error, file=sys.stderr)
    if options.json:
        print(json.dumps({"runs": rows}))
        return 0
    names = ("run", "claim", "state", "verdict", "written")
    table = [dict(zip(names, (*names[:4], "last written (UTC)"), strict=True)), *rows]
    widths = {name: max(len(row[name]) for row in table) for name in names}
    for row in table:
        print("  ".join(f"{row[name]:<{widths[name]}}" for name in names).rstrip())
    return 0


def _row(path: Path, record: dict[str, Any]) -> dict[str, str]:
    from sweeps.recorded import state_of

    claim = record.get("claim", "")
    return {
        "run": str(path.parent),
        "claim": str(claim["id"] if isinstance(claim, dict) else claim),
        "state": state_of(path.parent, record),
        "verdict": str((record.get("finding") or {}).get("verdict", "-")),
        "written": datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M:%S"),
    }
