"""``python -m sweeps show RUN``: table and verdict so far of a run in progress or ended."""

import argparse
import json
import sys
from dataclasses import replace
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
    from sweeps.recorded import other_code, read_run, state_of
    from sweeps.runner import assemble

    folder, record, plan, totals = read_run(options.directory)
    result = replace(assemble(plan, totals, {}), ended=state_of(folder, record))
    done, total = (sum(totals.count(k) for k in plan.ks), sum(layout.count for layout in plan.layouts.values()))
    for warning in filter(None, [other_code(record, plan)]):
        print(warning, file=sys.stderr)
    if options.json:
        print(json.dumps(result.to_dict() | {"blocks": done, "blocks_planned": total}, allow_nan=False))
        return 0
    print(printed.header(plan, 1).rpartition(",")[0] + "\n")
    print(printed.table(result))
    ended = result.ended == "finished" or result.ended.startswith("decided")
    note = "" if ended else "So far, and deciding nothing: "
    print(f"{result.ended}: {done} of {total} blocks")
    print(printed.wrapped(note + result.finding["sentence"]))
    figure = folder / "additive.svg"
    if figure.exists():
        print(f"figure: {figure}")
    return 0
