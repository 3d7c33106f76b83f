"""``python -m fits decide FILE --x k --y cost``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from textwrap import fill
from typing import Any

WIDTH = 118
EXPECTED = ("falsified", "toy", "inconclusive")


def options(sub: argparse.ArgumentParser) -> None:
    """Add the options of ``decide``."""
    add = sub.add_argument
    add("file", metavar="FILE", help="CSV, TSV, JSON Lines or Parquet; - reads stdin")
    add("--x", default="k", metavar="COLUMN", help="the size that is swept (default k)")
    add("--y", default="mean", metavar="COLUMN", help="what may grow (default mean)")
    add("--k-min", type=float, metavar="K", help="leave out the rows with a smaller x (sizes below 3 cannot be used)")
    source = sub.add_mutually_exclusive_group()
    source.add_argument("--se", metavar="COLUMN", help="standard errors: each row is a mean")
    source.add_argument(
        "--group", metavar="COLUMN", help="each row is one replicate; rows with equal COLUMN are a point"
    )
    add(
        "--reps",
        metavar="COLUMN|N",
        help="with --se: replicates behind each mean (default: errors are exact)",
    )
    add(
        "--shared-seeds",
        metavar="COLUMN",
        help="replicates with equal COLUMN used the same random numbers at every x",
    )
    add(
        "--rival",
        default="ln",
        metavar="LAW",
        help='growth to test for: a name or a formula like "log(k)**2"',
    )
    add("--c-star", type=float, metavar="C", help="smallest slope that matters, at most half the rival's")
    add(
        "--k-full",
        type=float,
        default=0.0,
        metavar="K",
        help="k_max declared before the run; shorter is at most toy",
    )
    add("--tier", type=int, choices=(0, 1, 2), default=2, help="bounded transients allowed for (default 2)")
    add(
        "--law",
        action="append",
        default=[],
        metavar="LAW",
        help="a further law for the table; may be repeated",
    )
    add("--looks", metavar="FILE", help="log of looks (JSON Lines) for a sweep that is extended")
    add("--figure", metavar="FILE", help="where the SVG goes (default FILE-fits.svg here; none: no figure)")
    add("--json", action="store_true", help="one JSON document on stdout")
    add("--quiet", action="store_true", help="nothing on stderr but errors")
    add("--expect", metavar="VERDICT", help="exit 1 unless the verdict is this; also VERDICT:REASON")


def run(args: argparse.Namespace) -> int:
    """Read, decide, print, draw."""
    expected = _expected(args.expect)
    from fits.commands.reading import series
    from fits.deciding import decide
    from fits.looks import LookLog
    from fits.series import Bounded

    claim = Bounded(args.rival, args.c_star, args.k_full)
    figure = _figure_path(args)
    data = series(args)
    v = decide(data, claim, tier=args.tier, laws=args.law, looks=LookLog(args.looks) if args.looks else None)
    if figure is not None:
        from fits.figures import draw

        draw(v, figure, x=args.x, y=args.y)
    print(_document(v, args, figure) if args.json else _text(v, args))
    if figure is not None and not args.quiet:
        sys.stderr.write(f"figure: {figure}\n")
    return _compare(v, expected)


def _expected(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    verdict, _, reason = text.partition(":")
    if verdict == "verified":
        raise ValueError(
            "expect='verified' can never hold: no sweep verifies an asymptotic claim; "
            "its bounded statement is reported as toy:bounded-on-range"
        )
    from fits.rules import REASONS

    if verdict not in EXPECTED or (reason and reason not in REASONS):
        raise ValueError(f"expect={text!r} must be one of {', '.join(EXPECTED)}, or with :{' :'.join(REASONS)}")
    return verdict, reason


def _compare(v: Any, expected: tuple[str, str] | None) -> int:
    if expected is None:
        return 0
    verdict, reason = expected
    if v.reported == verdict and reason in ("", v.reason):
        return 0
    sys.stderr.write(f"expected {':'.join(filter(None, expected))}; got {v.reported}:{v.reason}\n")
    return 1


def _figure_path(args: argparse.Namespace) -> Path | None:
    if args.figure == "none" or (args.json and args.figure is None):
        return None
    if args.figure is not None and Path(args.figure).suffix.lower() != ".svg":
        raise ValueError(f"figure={args.figure!r} must end in .svg, or be none for no figure; it is written as SVG")
    stem = "stdin" if args.file == "-" else Path(args.file).stem
    return Path(args.figure or f"{stem}-fits.svg")


def _document(v: Any, args: argparse.Namespace, figure: Path | None) -> str:
    """The finding: ``verdict`` is on the asymptotic claim, ``decision.verdict`` on the bounded statement."""
    document = {
        "verdict": v.reported,
        "reason": v.reason,
        "evidence": "statistical",
        "sentence": v.sentence(),
        "claim": f"{args.y} = O(1) in {args.x}",
        "source": {"file": str(args.file), "x": args.x, "y": args.y, "k_min": args.k_min},
        "figure": None if figure is None else str(figure),
        "decision": v.to_dict(),
    }
    return json.dumps(document, indent=1, allow_nan=False)


def _text(v: Any, args: argparse.Namespace) -> str:
    from fits.commands.tables import laws, tiers
    from fits.printed import span

    kind = {"verified": " (bounded statement verified)", "toy": ""}.get(v.verdict, " (statistical)")
    head = fill(f"{v.reported}{kind}: {v.sentence()}", WIDTH, subsequent_indent="  ", break_long_words=False)
    points = f"{v.series.n} points, k = {span(v.series.k).replace(',', '')}"
    points += f" (k is column {args.x})" if args.x != "k" else ""
    points += "" if args.k_min is None else f"; rows with {args.x} < {args.k_min:g} are left out"
    return "\n".join([head, "", points, *tiers(v, f"c per {v.rule.rival.name}"), "", *laws(v)])
