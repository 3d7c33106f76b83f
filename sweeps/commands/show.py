"""``python -m sweeps show RUN``: table and verdict so far of a run in progress or ended."""

import argparse
import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.recorded import Recorded


def add_parser(subparsers: Any) -> None:
    """The options of ``show``."""
    parser = subparsers.add_parser(
        "show", help="table and verdict so far of a run", description=__doc__, allow_abbrev=False
    )
    parser.add_argument("directory", metavar="RUN", help="run directory or its run.json")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what is there; exit code 1 if it contradicts itself."""
    from sweeps.commands import printed
    from sweeps.recorded import contradictions, find_run, other_code, read_run
    from sweeps.spec import Simulator

    folder, record, model = find_run(options.directory)
    read = read_run(folder, record, model) if isinstance(model, Simulator) else None
    doubts = contradictions(folder, record) if read is None else read.doubts
    failures = printed.failures(read.result) if read is not None and read.result.failures else ""
    for line in filter(None, [other_code(record, model), failures, *doubts]):
        print(line, file=sys.stderr)
    if read is None:
        command = importlib.import_module(f"sweeps.commands.{model.name}_recorded")
        command.show(folder, record, doubts, as_json=options.json)
    else:
        _show(read, as_json=options.json)
    return int(bool(doubts))


def _show(read: "Recorded", *, as_json: bool) -> None:
    from sweeps.commands import printed

    result, total = read.result, sum(layout.count for layout in read.plan.layouts.values())
    if as_json:
        more = {"blocks": read.done, "blocks_planned": total, "doubts": read.doubts}
        print(json.dumps(result.to_dict() | more, allow_nan=False))
        return
    print(printed.header(read.plan, 1, read.claim).rpartition(",")[0] + "\n")
    print(printed.table(result))
    print(f"{result.ended}: {read.done} of {total} blocks")
    print(printed.wrapped(result.finding["sentence"]))
    figure = read.folder / "additive.svg"
    if figure.exists():
        print(f"figure: {figure}")
