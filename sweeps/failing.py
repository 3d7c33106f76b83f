"""Errors of a command line, for readers and for programs: one line on stderr; with ``--json`` one document too.

The same shape stands in ``fits/failing.py`` and ``exact/verify.py``, which import nothing of ours.
"""

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

INTERRUPTED = "run the same command again: what was finished and kept is taken up"


class Refused(SystemExit):
    """A command line that its parser refuses: exit code 2."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(2)
        self.message, self.remedy = message, remedy


class Parser(argparse.ArgumentParser):
    """Errors take one line, with no usage before it; ``guarded`` prints them."""

    def error(self, message: str) -> NoReturn:
        """Raise Refused."""
        raise Refused(message, f"see {self.prog} --help")


class ShowSchema(argparse.Action):
    """``--schema``: print the schema that ``const`` names (module:name), and end."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: Any) -> None:
        """Print and exit 0."""
        module, _, name = str(self.const).partition(":")
        print(json.dumps(importlib.import_module(module).schema(name), indent=1))
        parser.exit(0)


def guarded(command: Callable[[], int], argv: Sequence[str], *, prog: str, word: Callable[[str], str] = str) -> int:
    """Run a command; its exit code, whatever happens. ``word`` puts a message in the words of the command line."""
    try:
        return _caught(command, argv, prog, word)
    except BrokenPipeError:  # the reader of stdout, say head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _caught(command: Callable[[], int], argv: Sequence[str], prog: str, word: Callable[[str], str]) -> int:
    try:
        code = command()
        sys.stdout.flush()
        return code
    except Refused as refused:
        fail(f"{refused.message}; {refused.remedy}", 2, argv, remedy=refused.remedy, error=refused.message)
        raise
    except BrokenPipeError:
        raise
    except OSError as error:
        said = f"{error.filename or 'file'}: {error.strerror or error}"
        return fail(said, 2, argv, remedy="give a path that exists and that may be read or written")
    except (ValueError, TypeError) as error:
        return fail(word(str(error)), 2, argv, remedy=f"change what the message names; see {prog} --help")
    except (ArithmeticError, RecursionError) as error:
        said = f"input must be of a size and depth that can be computed with; {type(error).__name__}: {error}"
        return fail(said, 2, argv, remedy="give numbers nearer to 1, or a file that is less deeply nested")
    except KeyboardInterrupt as interrupt:
        return fail(str(interrupt) or "interrupted", 130, argv, remedy=INTERRUPTED)


def fail(line: str, code: int, argv: Sequence[str], *, remedy: str, error: str | None = None) -> int:
    """Print the line on stderr, and the document on stdout where ``--json`` is among ``argv``; the exit code."""
    said = " ".join((line if error is None else error).split())
    if "--json" in argv:
        print(json.dumps({"error": said, "code": code, "remedy": remedy}), flush=True)
    print(" ".join(line.split()), file=sys.stderr)
    return code
