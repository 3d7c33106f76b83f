"""The command line: one file a subcommand; every simulator's name is a subcommand too, and so is a simulator's path."""

import argparse
import importlib
from collections.abc import Sequence

from sweeps import simulators
from sweeps.commands import sweep
from sweeps.commands.reading import dashed
from sweeps.failing import Parser, guarded
from sweeps.spec import Simulator

PROG = "python -m sweeps"
SUBCOMMANDS = ("show", "runs", "report", "reproduce", "export", "hunt", "schema", "mcp")
EPILOG = """exit codes: 0 finished, 1 a point failed, a check or --expect failed, 2 usage or input error,
            3 time limit reached undecided, 130 interrupted (finished blocks are kept)
example: python -m sweeps paging --k-max 1024
your own simulator: python -m sweeps ./mine.py --k-max 4096 (README has a template)"""


def main(argv: Sequence[str]) -> int:
    """Run one command line; return its exit code. Usage errors raise SystemExit(2) once they are printed."""
    options = argparse.Namespace()

    def command() -> int:
        nonlocal options
        options = _parser(argv).parse_args(argv)
        return int(options.run(options))

    return guarded(command, argv, prog=PROG, word=lambda message: dashed(message, getattr(options, "names", [])))


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = Parser(
        prog=PROG,
        description="Re-check published scaling claims by sweeps that go where they break.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for name in simulators.names():
        model = simulators.find(name)
        if isinstance(model, Simulator):
            sweep.add_parser(subparsers, model)
        else:
            importlib.import_module(f"sweeps.commands.{name}").add_parser(subparsers, model)
    for name in SUBCOMMANDS:
        importlib.import_module(f"sweeps.commands.{name}").add_parser(subparsers)
    if argv and argv[0].endswith(".py"):
        sweep.add_parser(subparsers, simulators.find_swept(argv[0]), argv[0])
    return parser
