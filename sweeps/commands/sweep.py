"""``python -m sweeps SIMULATOR``: a sweep over k, or policies over a trace."""

import argparse
import contextlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps.commands.reading import flag, integer, number, seconds
from sweeps.spec import Parameter, Simulator

if TYPE_CHECKING:
    from sweeps.runner import Run

VERDICTS = ("falsified", "toy", "inconclusive")  # what a sweep can say of an asymptotic claim


def add_parser(subparsers: Any, simulator: Simulator, name: str | None = None) -> None:
    """Options of a simulator's sweep, from its own parameters; ``name``: how it was called, if not by its name."""
    about = f"{simulator.summary}. Claim: {simulator.claim.statement}."
    parser = subparsers.add_parser(
        name or simulator.name, help=simulator.summary, description=about, allow_abbrev=False
    )
    names = [p.name for p in simulator.parameters if "_" in p.name]
    parser.set_defaults(run=lambda options: run(simulator, options), source=name or simulator.name, names=names)
    for parameter in simulator.parameters:
        options = {"type": _reader(parameter), "metavar": _metavar(parameter), "help": _help(parameter)}
        parser.add_argument(flag(parameter.name), dest=parameter.name, default=argparse.SUPPRESS, **options)
    if simulator.trace:
        parser.add_argument("--trace", metavar="FILE", help="run over this request sequence instead of an adversary's")
        parser.add_argument("--k", metavar="K,..", help="cache sizes for --trace (default 16,256,1024)")
    parser.add_argument("--seed", type=integer("seed"), default=0, metavar="N", help="seed (default 0)")
    _add_running(parser)
    _add_printing(parser)


def _add_running(parser: Any) -> None:
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    add = parser.add_argument
    add(
        "--jobs",
        type=integer("jobs"),
        default=jobs,
        metavar="N",
        help=f"workers; results do not depend on it (default {jobs})",
    )
    add(
        "--backend",
        default="threads",
        metavar="NAME",
        help="threads, serial, loky, dask or dask:ADDRESS; nor on this (default threads)",
    )
    add(
        "--looks",
        type=integer("looks"),
        default=1,
        metavar="N",
        help="look N times, at even shares of the replicates, and stop once it is falsified (default 1: at the end)",
    )
    add(
        "--time-limit",
        type=seconds,
        metavar="TIME",
        help="start no block after 90s, 10m or 2h; the same command goes on from there",
    )
    add("--out", metavar="DIR", help="run directory (default runs/NAME-RUNID)")
    add("--force-new", action="store_true", help="move another run out of DIR (to DIR.1) instead of refusing")
    add("--retry-failed", action="store_true", help="run blocks that failed before again")
    add("--dry-run", action="store_true", help="print the points, blocks and requests, and run nothing")


def _add_printing(parser: Any) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quiet", action="store_true", help="print the finding only, no progress")
    expect = f"exit 1 unless it is this: {', '.join(VERDICTS)}"
    parser.add_argument("--expect", choices=VERDICTS, metavar="VERDICT", help=expect)


def run(simulator: Simulator, options: argparse.Namespace) -> int:
    """Carry out the command line."""
    values = {p.name: getattr(options, p.name) for p in simulator.parameters if hasattr(options, p.name)}
    if getattr(options, "trace", None) is not None:
        from sweeps.commands.trace import run_trace

        return run_trace(simulator, options, values)
    if getattr(options, "k", None) is not None:
        raise ValueError("--k goes with --trace; a sweep takes --k-min and --k-max")
    return _sweep(simulator, options, values)


def _sweep(simulator: Simulator, options: argparse.Namespace, values: dict[str, Any]) -> int:
    from sweeps.commands import printed
    from sweeps.commands.progress import Bar, SweepProgress
    from sweeps.plan import make_plan
    from sweeps.runner import Options
    from sweeps.runner import run as sweep

    plan = make_plan(simulator, values, seed=options.seed, looks=options.looks)
    if options.dry_run:
        print(json.dumps(printed.plan_document(plan)) if options.json else printed.plan_table(plan))
        return 0
    folder = Path(options.out or f"runs/{simulator.name}-{plan.run_id}")
    header = "" if options.json or options.quiet else printed.header(plan, options.jobs)
    how = Options(options.jobs, options.backend, options.time_limit, options.force_new, options.retry_failed)
    fixed = {"seed": options.seed, "looks": options.looks, "out": folder, "options": how}
    with Bar(plan.total, quiet=options.quiet) as bar:
        progress = SweepProgress(plan, header, bar)
        try:
            with contextlib.redirect_stdout(sys.stderr):  # what a user's file prints is not data
                result = sweep(options.source, progress=progress, **fixed, **values)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(progress.interrupted(folder)) from None
    return _report(result, folder, options)


def _report(result: "Run", folder: Path, options: argparse.Namespace) -> int:
    """Print the result; the exit code."""
    from sweeps.commands import printed

    if options.json:
        print(json.dumps(result.to_dict(), allow_nan=False))
    elif options.quiet:
        print(result.finding["sentence"])
    else:
        print(printed.table(result), printed.ending(result, folder), sep="\n")
    if result.failures:
        print(printed.failures(result), file=sys.stderr)
    verdict = result.finding["verdict"]
    if options.expect not in (None, verdict):
        print(f"expected {options.expect}; the verdict is {verdict}", file=sys.stderr)
        return 1
    if result.failures:
        return 1
    return 3 if result.ended == "time limit reached" else 0


def _metavar(parameter: Parameter) -> str:
    return {int: "N", float: "X"}.get(parameter.kind, "NAME")


def _help(parameter: Parameter) -> str:
    text = parameter.help
    return text if parameter.default is None or "default" in text else f"{text} (default {parameter.default})"


def _reader(parameter: Parameter) -> Any:
    name = parameter.name.replace("_", "-")
    if parameter.kind is int:
        return integer(name)
    return number(name) if parameter.kind is float else str
