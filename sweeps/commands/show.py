"""``python -m sweeps show RUN``: table and verdict so far of a run in progress or ended."""

import argparse
import importlib
import json
import sys
from typing import Any


def add_parser(subparsers: Any) -> None:
    """The options of ``show``."""
    parser = subparsers.add_parser(
        "show", help="table and verdict so far of a run", description=__doc__, allow_abbrev=False
    )
    parser.add_argument("directory", metavar="RUN", help="run directory or its run.json")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what is there."""
    from sweeps.commands import printed
    from sweeps.recorded import ENDED, find_run, other_code, read_run
    from sweeps.spec import Simulator

    folder, record, model = find_run(options.directory)
    if not isinstance(model, Simulator):
        importlib.import_module(f"sweeps.commands.{model.name}_recorded").show(folder, record, as_json=options.json)
        return 0
    read = read_run(options.directory)
    result, plan, total = read.result, read.plan, sum(layout.count for layout in read.plan.layouts.values())
    failures = printed.failures(result) if result.failures else ""
    for warning in filter(None, [other_code(read.record, model), failures]):
        print(warning, file=sys.stderr)
    if options.json:
        print(json.dumps(result.to_dict() | {"blocks": read.done, "blocks_planned": total}, allow_nan=False))
        return 0
    print(printed.header(plan, 1).rpartition(",")[0] + "\n")
    print(printed.table(result))
    note = "" if result.ended.startswith(ENDED) else "So far, and deciding nothing: "
    print(f"{result.ended}: {read.done} of {total} blocks")
    print(printed.wrapped(note + result.finding["sentence"]))
    figure = read.folder / "additive.svg"
    if figure.exists():
        print(f"figure: {figure}")
    return 0
