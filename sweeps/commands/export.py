"""``python -m sweeps export RUN FILE``: the rows of a run as CSV, JSON Lines or (with pyarrow) Parquet."""

import argparse
import csv
import importlib
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FORMATS = (".csv", ".jsonl", ".parquet")


def add_parser(subparsers: Any) -> None:
    """The options of ``export``."""
    parser = subparsers.add_parser(
        "export", help="rows of a run as CSV, JSON Lines or Parquet", description=__doc__, allow_abbrev=False
    )
    parser.add_argument("directory", metavar="RUN", help="run directory or its run.json")
    parser.add_argument("file", metavar="FILE", help="ends in .csv, .jsonl or .parquet")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the file; exit code 1 if the run contradicts itself."""
    from sweeps.recorded import contradictions, find_run, other_code, read_run
    from sweeps.spec import Simulator

    path = Path(options.file)
    if path.suffix not in FORMATS:
        raise ValueError(f"file must end in {', '.join(FORMATS)}; got {options.file!r}")
    folder, record, model = find_run(options.directory)
    if isinstance(model, Simulator):
        read = read_run(folder, record, model)
        rows, doubts = read.result.rows, read.doubts
    else:
        rows = importlib.import_module(f"sweeps.commands.{model.name}_recorded").export(folder, record)
        doubts = contradictions(folder, record)
    for line in filter(None, [other_code(record, model), *doubts]):
        print(line, file=sys.stderr)
    if path.suffix == ".parquet":
        _write_parquet(path, rows)
    else:
        from sweeps.store import write_whole

        write_whole(path, _csv(rows) if path.suffix == ".csv" else "".join(json.dumps(row) + "\n" for row in rows))
    said = json.dumps({"file": str(path), "rows": len(rows)})
    print(said if options.json else f"{len(rows)} row{'s' * (len(rows) != 1)} written to {path}")
    return int(bool(doubts))


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["k"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Lists and objects as JSON text."""
    return json.dumps(value) if isinstance(value, list | dict) else value


def _write_parquet(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ValueError("file can end in .parquet only where pyarrow is installed; take .csv or .jsonl") from None
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path)
