"""``python -m sweeps SIMULATOR``: a sweep over k, or policies over a trace."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from sweeps.spec import Parameter, Simulator

VERDICTS = ("falsified", "toy", "inconclusive")  # what a sweep can say of an asymptotic claim


def add_parser(subparsers: Any, simulator: Simulator) -> None:
    """Options of a simulator's sweep, from its own parameters."""
    parser = subparsers.add_parser(
        simulator.name, help=simulator.summary, description=f"{simulator.summary}. Claim: {simulator.claim.statement}.",
        allow_abbrev=False,
    )  # fmt: skip
    parser.set_defaults(run=lambda options: run(simulator, options))
    for parameter in simulator.parameters:
        parser.add_argument(
            _flag(parameter.name), dest=parameter.name, default=argparse.SUPPRESS, type=_reader(parameter),
            metavar=_metavar(parameter), help=_help(parameter),
        )  # fmt: skip
    if simulator.trace:
        parser.add_argument("--trace", metavar="FILE", help="run over this request sequence instead of an adversary's")
        parser.add_argument("--k", metavar="K,..", help="cache sizes for --trace, separated by commas")
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = f"workers; results do not depend on it (default {jobs})"
    parser.add_argument("--seed", type=_integer("seed"), default=0, metavar="N", help="seed (default 0)")
    parser.add_argument("--jobs", type=_integer("jobs"), default=jobs, metavar="N", help=workers)
    parser.add_argument("--out", metavar="DIR", help="run directory (default runs/NAME-RUNID)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--expect", choices=VERDICTS, metavar="VERDICT", help=f"exit 1 unless it is this: {', '.join(VERDICTS)}"
    )
    parser.add_argument("--quiet", action="store_true", help="print the finding only, no progress")


def run(simulator: Simulator, options: argparse.Namespace) -> int:
    """Carry out the command line."""
    values = {p.name: getattr(options, p.name) for p in simulator.parameters if hasattr(options, p.name)}
    if getattr(options, "trace", None) is not None:
        return _trace(simulator, options, values)
    if getattr(options, "k", None) is not None:
        raise ValueError("--k goes with --trace; a sweep takes --k-min and --k-max")
    return _sweep(simulator, options, values)


def _sweep(simulator: Simulator, options: argparse.Namespace, values: dict[str, Any]) -> int:
    from sweeps import engine
    from sweeps.commands import printed
    from sweeps.commands.progress import Progress

    with _dashes(simulator):
        plan = engine.make_plan(simulator, values, options.seed)
    folder = Path(options.out or f"runs/{simulator.name}-{plan.run_id}")
    header = "" if options.json or options.quiet else printed.header(plan, options.jobs)
    from sweeps.runner import run as sweep

    with Progress(plan, header, quiet=options.quiet) as progress:
        try:
            result = sweep(
                simulator.name, seed=options.seed, jobs=options.jobs, out=folder, progress=progress, **values
            )
        except KeyboardInterrupt:
            progress.interrupted(folder)
            return 130
    if options.json:
        print(json.dumps(result.to_dict(), allow_nan=False))
    elif options.quiet:
        print(result.finding["sentence"])
    else:
        print(printed.table(result), printed.ending(result, folder), sep="\n")
    for (k, block), text in result.failures.items():
        print(f"k = {k}, block {block} failed: {text.strip().splitlines()[-1]}", file=sys.stderr)
    verdict = result.finding["verdict"]
    if options.expect not in (None, verdict):
        print(f"expected {options.expect}; the verdict is {verdict}", file=sys.stderr)
        return 1
    return 1 if result.failures else 0


def _trace(simulator: Simulator, options: argparse.Namespace, values: dict[str, Any]) -> int:
    from sweeps.commands import printed

    ks = [_cache_size(text) for text in (options.k or "16,256,1024").split(",")]
    with _dashes(simulator):
        checked = {p.name: p.check(values.get(p.name, p.default)) for p in simulator.parameters}
        assert simulator.trace is not None
        rows = simulator.trace(options.trace, ks, checked, options.seed)
    document = {
        "simulator": simulator.name,
        "trace": options.trace,
        "seed": options.seed,
        "parameters": {name: checked[name] for name in ("policy", "budget", "tau", "predictions")},
        "rows": rows,
    }
    print(json.dumps(document, allow_nan=False) if options.json else printed.trace_table(options.trace, rows))
    return 0


class _dashes:  # noqa: N801 - used as a function
    """Within it, errors name options as they are typed: k-max, not k_max."""

    def __init__(self, simulator: Simulator) -> None:
        self._names = [p.name for p in simulator.parameters if "_" in p.name]

    def __enter__(self) -> None:
        """Nothing to set up."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, ValueError):
            message = str(error)
            for name in self._names:
                message = message.replace(name, name.replace("_", "-"))
            raise ValueError(message) from None


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _metavar(parameter: Parameter) -> str:
    return {int: "N", float: "X"}.get(parameter.kind, "NAME")


def _help(parameter: Parameter) -> str:
    text = parameter.help
    return text if parameter.default is None or "default" in text else f"{text} (default {parameter.default})"


def _reader(parameter: Parameter) -> Any:
    name = parameter.name.replace("_", "-")
    if parameter.kind is int:
        return _integer(name)
    return _number(name) if parameter.kind is float else str


def _integer(name: str) -> Any:
    def read(text: str) -> int:
        try:
            if len(text) > 40:
                raise ValueError
            value = float(text) if "e" in text.lower() else int(text)
            if value != int(value):
                raise ValueError
            return int(value)
        except (ValueError, OverflowError):
            raise argparse.ArgumentTypeError(f"{name} must be an integer; got {text[:40]!r}") from None

    return read


def _number(name: str) -> Any:
    def read(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{name} must be a number; got {text[:40]!r}") from None

    return read


def _cache_size(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if not 1 <= value <= 1 << 20:
        raise ValueError(f"k must be integers between 1 and 1048576, separated by commas; got {text[:40]!r}")
    return value
