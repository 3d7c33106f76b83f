"""``python -m sweeps schema [NAME]``: the JSON Schema of a command's ``--json`` document, or the names there are."""

import argparse
import json
from typing import Any


def add_parser(subparsers: Any) -> None:
    """The options of ``schema``."""
    parser = subparsers.add_parser("schema", help="schemas of --json", description=__doc__, allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", nargs="?", help="sweep, plan, show, ...; left out: list them")
    parser.add_argument("--json", action="store_true", help="as it is: a schema is JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print it."""
    from sweeps import schemas

    names = {"version": schemas.VERSION, "schemas": schemas.names()}
    print(json.dumps(names if options.name is None else schemas.schema(options.name), indent=1))
    return 0
