"""Errors of a command line, for readers and for programs: one line on stderr; with ``--json`` one document too.

The same shape stands in ``sweeps/failing.py`` and ``exact/verify.py``: this package imports nothing of ours.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn


class Refused(SystemExit):
    """A command line that its parser refuses: exit code 2."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(2)
        self.message, self.remedy = message, remedy


class Parser(argparse.ArgumentParser):
    """argparse with errors of one line, which ``main`` prints."""

    def error(self, message: str) -> NoReturn:
        """Raise Refused."""
        raise Refused(f"{self.prog}: {message}", f"see {self.prog} --help")


class ShowSchema(argparse.Action):
    """``--schema``: print the JSON Schema of a command's ``--json`` document, and end."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print and exit 0."""
        from fits.schemas import schema

        print(json.dumps(schema(str(self.const)), indent=1))
        parser.exit(0)


def fail(error: str, code: int, argv: Sequence[str], *, remedy: str) -> int:
    """Print the line on stderr, and the document on stdout where ``--json`` is among ``argv``; the exit code."""
    said = " ".join(error.split())
    if "--json" in argv:
        print(json.dumps({"error": said, "code": code, "remedy": remedy}), flush=True)
    sys.stderr.write(f"{said}\n")
    return code
