"""The command line: one file a subcommand; every simulator's name is a subcommand too, and so is a simulator's path."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from sweeps import simulators
from sweeps.commands import sweep
from sweeps.commands.reading import dashed
from sweeps.spec import Simulator

SUBCOMMANDS = ("show", "runs", "report", "reproduce", "export", "hunt")
EPILOG = """exit codes: 0 finished, 1 a point failed, a check or --expect failed, 2 usage or input error,
            3 time limit reached undecided, 130 interrupted (finished blocks are kept)
example: python -m sweeps paging --k-max 1024
your own simulator: python -m sweeps ./mine.py --k-max 4096 (README has a template)"""


class _Parser(argparse.ArgumentParser):
    """Errors take one line, with no usage before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message}; see {self.prog} --help\n")


def main(argv: Sequence[str]) -> int:
    """Run one command line; return its exit code."""
    options = argparse.Namespace()
    try:
        options = _parser(argv).parse_args(argv)
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except (ValueError, TypeError) as error:
        return _fail(dashed(str(error), getattr(options, "names", [])))
    except BrokenPipeError:  # the reader of stdout, say head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"{error.filename or 'file'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m sweeps",
        description="Re-check published scaling claims by sweeps that go where they break.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
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


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 2
