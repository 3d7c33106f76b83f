"""``python -m fits``: decide, plan, calibrate."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from fits.failing import Parser, Refused, ShowSchema, fail

COMMANDS = {
    "decide": "decide whether measured data grow, and say what they could have shown",
    "plan": "before running: the k_max and replicates that would see a slope, or what a budget can see",
    "calibrate": "measure the error rates and the power of the decision itself",
}


def parser() -> Parser:
    """The parser of all subcommands; none of them imports numpy here."""
    about = "Does it grow? Growth laws, significance, and power."
    root = Parser(prog="python -m fits", description=about, allow_abbrev=False)
    subs = root.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        sub = subs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False)
        said = "print the JSON Schema of --json, and end"
        sub.add_argument("--schema", action=ShowSchema, nargs=0, const=name, help=said)
        import_module(f"fits.commands.{name}").options(sub)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; 0 finished, 1 a check failed, 2 bad input, 130 interrupted."""
    try:
        return _caught(list(sys.argv[1:] if argv is None else argv))
    except BrokenPipeError:  # the reader of stdout, say head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _caught(argv: Sequence[str]) -> int:
    try:
        args = parser().parse_args(argv)
        code = int(import_module(f"fits.commands.{args.command}").run(args))
        sys.stdout.flush()
        return code
    except Refused as refused:
        fail(refused.message, 2, argv, remedy=refused.remedy)
        raise
    except BrokenPipeError:
        raise
    except (ValueError, TypeError, OSError) as error:
        return fail(str(error), 2, argv, remedy="change what the message names; see python -m fits --help")
    except (ArithmeticError, RecursionError) as error:
        said = f"input must be of a size and depth that can be computed with; {type(error).__name__}: {error}"
        return fail(said, 2, argv, remedy="give numbers nearer to 1, or a file that is less deeply nested")
    except KeyboardInterrupt:
        return fail("interrupted", 130, argv, remedy="run the same command again")


if __name__ == "__main__":
    raise SystemExit(main())
