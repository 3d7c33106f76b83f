"""``python -m sweeps hunt CLAIM``: a counterexample, certified and shrunk, or what was searched in vain."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps.commands.reading import integer, seconds

if TYPE_CHECKING:
    from sweeps.hunting.model import Hunt

EPILOG = """CLAIM: a name of the list below, or a Python file with gap(instance) -> Fraction (positive: violated) and
instances (a Hypothesis strategy); optional fast_gap (a float) and CLAIM (a text).
exit codes: 0 found (certified, or by the gap of your own file, computed twice), 2 bad input, 3 time spent without a
            find, 130 interrupted (the best is kept)
claims by name: """


UNREADABLE = "  no test file: the instance's text (instance.txt) is not Python that gives it back; call your gap on it"


def add_parser(subparsers: Any) -> None:
    """The options of ``hunt``."""
    from sweeps.hunting.claims import names

    parser = subparsers.add_parser(
        "hunt",
        help="hunt a counterexample of a claim",
        description=__doc__,
        epilog=EPILOG + ", ".join(names()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("claim", metavar="CLAIM", help="name of a claim, or the path of a Python file")
    add("--seconds", type=_time("seconds"), default=60.0, metavar="TIME", help="time budget: 60, 90s, 10m (default 60)")
    add("--seed", type=integer("seed"), default=0, metavar="N", help="seed (default 0)")
    add("--jobs", type=integer("jobs"), default=1, metavar="N", help="processes; the first find counts (default 1)")
    add("--out", metavar="DIR", help="where the find goes (default hunt-CLAIM-OPTIONS-seedN)")
    add("--after", type=integer("after"), metavar="T", help="attention: first violation later than t = T (default 0)")
    add("--d", type=integer("d"), metavar="N", help="attention: dimensions of the tokens (default 2)")
    add("--k", type=integer("k"), metavar="N", help="paging: cache size (default 4 for rpb-om, else 2 to 4)")
    add("--tau", type=integer("tau"), metavar="N", help="rpb-om: its parameter tau (default 0)")
    add("--budget", metavar="RULE", help="rpb-om: on-fault or on-request (default on-fault)")
    add(
        "--call-seconds",
        type=_time("call-seconds"),
        metavar="TIME",
        help="limit of a file's one call (default 10)",
    )
    add("--json", action="store_true", help="print one JSON document")
    add("--quiet", action="store_true", help="print the result only, no progress")
    parser.set_defaults(run=run, names=["call_seconds"])


def _time(name: str) -> Callable[[str], float]:
    """A reader of times that names the option."""

    def read(text: str) -> float:
        try:
            return seconds(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(str(error).replace("time-limit", name)) from None

    return read


def run(options: argparse.Namespace) -> int:
    """Hunt; print and write what came of it."""
    from sweeps.hunting import claims, hunt, writing

    given = {name: getattr(options, name) for name in ("after", "d", "k", "tau", "budget")}
    identity = claims.identity(options.claim, seed=options.seed, options=given)
    folder = Path(options.out or writing.folder_name(identity))
    keeper = writing.Keeper(folder, identity)
    how = {"seconds": options.seconds, "call_seconds": options.call_seconds, "jobs": options.jobs}
    with _bar(options) as bar:

        def tick(known: dict[str, Any]) -> None:
            keeper.keep(known)
            bar.advance(known["seconds"] - tick_at[0], _standing(known))
            tick_at[0] = known["seconds"]

        tick_at = [0.0]
        found = hunt(options.claim, seed=options.seed, on_tick=tick, **how, **given)
    try:
        files = keeper.write(found)
    except OSError:
        _print(found, [], options)  # nothing lost
        raise
    _print(found, files or [], options)
    if files is None:
        print(f"{folder} keeps what an earlier run of this hunt came to, which is better", file=sys.stderr)
    return 130 if found.interrupted else 0 if found.found else 3


def _bar(options: argparse.Namespace) -> Any:
    from sweeps.commands.progress import Bar

    return Bar(options.seconds, quiet=options.quiet)


def _standing(known: dict[str, Any]) -> str:
    state = "shrinking" if known["found"] else f"closest {known['closest_gap']}"
    return f"{known['instances_tried']} instances, {state}"


def _print(found: "Hunt", files: list[Path], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(found.to_dict(), allow_nan=False))
    else:
        print(_told(found, files))
    if found.interrupted:
        print("interrupted: the best so far is kept", file=sys.stderr)


def _told(found: "Hunt", files: list[Path]) -> str:
    """The result for a reader, with what can check it."""
    if not found.found:
        near = f"Closest miss: {found.sentence}; gap {found.closest_gap}" if found.sentence else "None was tried"
        searched = f"{found.instances_tried} instances of up to {found.largest_scale} {found.scale_name}"
        return "\n  ".join([f"nothing found in {found.seconds:.1f} s: {searched}.", near, *_open(found)])
    sure = "Certified" if found.certified else f"Gap {found.closest_gap}, computed twice (no certificate)"
    after = f"found after {found.first_find_seconds:.1f} s ({found.first_find} instances): {found.sentence}. {sure}"
    lines = [f"{after}; shrunk by {found.seconds:.1f} s."]
    lines += [f"  {file}" for file in files]
    lines += [f"  check it: {command}" for command in _checks(found, files)]
    lines.append(f"  add to your test: {found.example}" if found.test else UNREADABLE)
    return "\n".join(lines)


def _open(found: "Hunt") -> list[str]:
    """What a miss leaves open beyond the instances not tried."""
    lines = []
    if found.undecided:
        lines.append(f"Not decided: {found.undecided} of them near the bound, whose exact gap is out of reach")
    if found.refused:
        lines.append(
            f"Not certified: {found.refused} of them have a positive gap, but the checker refused the certificate"
        )
    return lines


def _checks(found: "Hunt", files: list[Path]) -> list[str]:
    """The command that checks the find: the independent checker where it knows the claim, else the test."""
    how = {".json": "python -m exact verify", ".py": "python -m pytest"}
    wanted = ".json" if found.certified else ".py"
    return [f"{how[wanted]} {file}" for file in files if file.suffix == wanted]
