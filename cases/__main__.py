"""``python -m cases``: re-check published claims; ``python -m cases ledger``: classes of papers from verdicts."""

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from cases.discovery import names
from cases.running import Checked, check
from sweeps.failing import Parser, ShowSchema, guarded

EPILOG = """ledger FILE    classes of papers from the verdicts of independent teams: see python -m cases ledger --help
exit codes: 0 as expected, 1 a verdict or a control is not as expected, 2 usage or input error, 130 interrupted
example: python -m cases --quick"""


def parser() -> Parser:
    """The parser; it imports no case."""
    root = Parser(
        prog="python -m cases",
        description="Re-check published claims: each with its verdict, its evidence, how far it reached.",
        epilog=f"cases: {', '.join(names())}\n{EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    root.add_argument("cases", nargs="*", metavar="NAME", help="a case, or a file of yours (default: all cases)")
    root.add_argument("--quick", action="store_true", help="smaller scales, each case within ten seconds")
    root.add_argument("--json", action="store_true", help="print one JSON document")
    root.add_argument("--out", metavar="DIR", help="write findings and certificates (JSON) and figures (SVG) there")
    named: dict[str, Any] = {"action": ShowSchema, "nargs": 0, "const": "cases.schemas:findings"}
    root.add_argument("--schema", **named, help="print the JSON Schema of --json, and end")
    root.add_argument("--quiet", action="store_true", help="no progress on stderr")
    return root


def run(argv: Sequence[str]) -> int:
    """Check the cases asked for, print what was found; the exit code."""
    options = parser().parse_args(argv)
    chosen = list(options.cases) or names()
    if options.out and Path(options.out).exists() and not Path(options.out).is_dir():
        raise ValueError(f"out must be a directory; got {options.out}")
    for name in chosen:  # before anything runs
        import_module("cases.discovery").find(name)
    printed = import_module("cases.printed")
    results = []
    for i, name in enumerate(chosen, start=1):
        if not options.quiet:
            print(f"{i} of {len(chosen)}: {name}", file=sys.stderr, flush=True)
        results.append(check(name, quick=options.quick))
        if options.out:
            results[-1].write(Path(options.out))
    if options.json:
        print(json.dumps({"findings": [result.to_dict() for result in results]}, allow_nan=False))
    else:
        print(printed.in_full(results[0]) if len(options.cases) == 1 else printed.table(results))
    return _code(results)


def _code(results: Sequence[Checked]) -> int:
    for result in (result for result in results if not result.as_expected):
        expected = f"{result.case.expected} and {result.case.expected_control}"
        got = f"{result.finding.verdict} and {result.control.verdict}"
        print(f"{result.name}: claim and control must be {expected}; got {got}", file=sys.stderr)
    return 0 if all(result.as_expected for result in results) else 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; return its exit code. Usage errors raise SystemExit(2) once they are printed."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["ledger"]:
        ledger = import_module("cases.ledger")
        return guarded(lambda: ledger.main(arguments[1:]), arguments, prog="python -m cases ledger")
    return guarded(lambda: run(arguments), arguments, prog="python -m cases")


if __name__ == "__main__":
    raise SystemExit(main())
