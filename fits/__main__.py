"""``python -m fits``: decide, plan, calibrate."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

COMMANDS = {
    "decide": "decide whether measured data grow, and say what they could have shown",
    "plan": "before running: the k_max and replicates that would see a slope, or what a budget can see",
    "calibrate": "measure the error rates and the power of the decision itself",
}


class Parser(argparse.ArgumentParser):
    """argparse with errors of one line."""

    def error(self, message: str) -> NoReturn:
        """Print one line and exit 2."""
        sys.stderr.write(f"{self.prog}: {message}\n")
        raise SystemExit(2)


def parser() -> Parser:
    """The parser of all subcommands; none of them imports numpy here."""
    root = Parser(prog="python -m fits", description="Does it grow? Growth laws, significance, and power.")
    subs = root.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        sub = subs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        import_module(f"fits.commands.{name}").options(sub)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; 0 finished, 1 a check failed, 2 bad input, 130 interrupted."""
    args = parser().parse_args(argv)
    try:
        code = int(import_module(f"fits.commands.{args.command}").run(args))
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader of stdout, say head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, TypeError, OSError) as error:
        sys.stderr.write(f"{' '.join(str(error).split())}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
