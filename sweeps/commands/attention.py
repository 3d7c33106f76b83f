"""``python -m sweeps attention``: one start decided exactly, a float64 scout, or a survey of random starts."""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps.commands.reading import points
from sweeps.spec import Model

if TYPE_CHECKING:
    from sweeps.simulators.attention.problem import Problem
    from sweeps.simulators.attention.simulate import Answer

VERDICTS = ("falsified", "verified", "toy", "inconclusive")
FLOAT_HORIZON = 1_000_000
QUICK = 300_000  # products that plain Python does in less time than numba takes to load
EPILOG = """model: at step t each token x moves by 2/(t+2) of the way to the token y of least <B* x, y>; the hull
holds the origin at the start

examples:
  python -m sweeps attention --tokens "4;-1" --certificate four.json
  python -m sweeps attention --tokens "-3,-1;-2,-3;0,5;6,0" --b "1,0;0,2" --out paths
  python -m sweeps attention --random 3,2 --count 1000
exit codes: 0 finished, 1 --expect failed, 2 usage or input error, 3 undecided, 130 interrupted"""


def add_parser(subparsers: Any, model: Model) -> None:
    """Options of the attention command."""
    parser = subparsers.add_parser(
        model.name, help=model.summary, description=f"{model.summary}. Claim: {model.claim.statement}.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
    # argparse takes "-4;1" for an option: anything that starts like a negative number is a value here
    parser._negative_number_matcher = re.compile(r"-[.\d]")
    parser.set_defaults(run=lambda options: run(model, options))
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument(
        "--tokens", metavar="X;Y;..", help="points separated by ';', coordinates by ',': 1, -1/10, 1e-20"
    )
    start.add_argument(
        "--random",
        metavar="N,D",
        help="survey Gaussian starts of N tokens in D dimensions, drawn until the hull holds the origin",
    )
    parser.add_argument("--b", metavar="ROW;..", help="B*, symmetric positive semidefinite (default: the identity)")
    parser.add_argument("--horizon", metavar="T", help="violated by T? (default 1e12; with --float 1e6)")
    parser.add_argument("--tie", default="low", metavar="RULE", help="low, avg or stay (default low)")
    parser.add_argument("--index", default="update", metavar="NAME", help="label of a violation: update, J(x^{t+1}), "
                        "or state, J(x^k) (default update)")  # fmt: skip
    parser.add_argument("--float", action="store_true", help="step in float64: a scout, nothing is confirmed")
    parser.add_argument("--certificate", metavar="FILE", help="write a certificate for python -m exact verify")
    parser.add_argument("--count", metavar="N", help="starts of a survey (default 1000)")
    parser.add_argument("--seed", metavar="N", help="seed of a survey (default 0)")
    parser.add_argument(
        "--jobs", metavar="N", help=f"workers of a survey; results do not depend on it (default {jobs})"
    )
    parser.add_argument("--out", metavar="DIR", help="run directory with figure (survey: default runs/attention-RUNID)")
    parser.add_argument("--force-new", action="store_true", help="move another run out of DIR instead of refusing")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quiet", action="store_true", help="print the finding only, no progress")
    parser.add_argument("--expect", choices=VERDICTS, metavar="VERDICT", help="exit 1 unless this is the verdict")
    parser.set_defaults(default_jobs=jobs)


def run(model: Model, options: argparse.Namespace) -> int:
    """Carry out the command line; exit code 3 where an exact answer is undecided."""
    if options.random is None:
        for name in ("count", "seed", "jobs"):
            if getattr(options, name) is not None:
                raise ValueError(f"{name} goes with --random; --tokens is one start")
    verdict = _route(options)(model, options)
    if options.expect is not None and options.expect != verdict:
        print(f"expected {options.expect}; the verdict is {verdict}", file=sys.stderr)
        return 1
    if options.expect is not None:
        return 0
    return 3 if verdict == "inconclusive" and not options.float else 0


def _route(options: argparse.Namespace) -> Callable[[Model, argparse.Namespace], str]:
    """What carries out these options and returns the verdict."""
    if options.random is not None:
        from sweeps.commands import attention_survey

        return attention_survey.run
    return _scout if options.float else _exact


def read(options: argparse.Namespace, default_horizon: int) -> "Problem":
    """The instance that the options describe."""
    from sweeps.simulators.attention.problem import read_problem

    return read_problem(
        points(options.tokens, "tokens"),
        b=None if options.b is None else points(options.b, "b"),
        tie=options.tie,
        index=options.index,
        horizon=default_horizon if options.horizon is None else options.horizon,
    )


def _exact(model: Model, options: argparse.Namespace) -> str:
    from sweeps.commands import attention_certificate, attention_run
    from sweeps.simulators.attention.simulate import answer

    found = answer(read(options, 10**12))
    accepted = attention_certificate.accepted(found) if options.certificate or options.out else ""
    checked = attention_certificate.write(accepted, Path(options.certificate)) if options.certificate else ""
    folder = None
    if options.out:
        folder = attention_run.keep(model, found, accepted, Path(options.out), force_new=options.force_new)
    if options.json:
        print(json.dumps(found.to_dict(), allow_nan=False))
    elif options.quiet:
        print(found.finding["sentence"])
    else:
        print("\n  ".join([*_said(found), *_next(found, checked, folder)]))
    return found.finding["verdict"]


def _said(found: "Answer") -> list[str]:
    from sweeps.simulators.attention import sentences

    return [*sentences.lines(found.outcome, found.lost_at), _beside_float(found)]


def _beside_float(found: "Answer") -> str:
    """What float64 stepping says of the same start."""
    problem, k = found.problem, found.first_violation
    n, d = len(problem.tokens), len(problem.tokens[0])
    reach = min(100_000, 2 * k if k else 100_000, max(100, 10**9 // (n * n * d)))
    seen = float_run(problem, reach)
    if seen is None and (k is None or k > reach):
        return f"float64 stepping sees no violation in {reach} steps."
    if seen == k:
        return "float64 stepping agrees here."
    said = "no violation" if seen is None else f"a first violation at state {seen}"
    return f"float64 stepping is wrong here: it sees {said} in {reach} steps."


def float_run(problem: "Problem", steps: int) -> int | None:
    """First state that float64 stepping sees above the bound; a short run does without waiting for numba."""
    from sweeps.simulators.attention import reference
    from sweeps.simulators.attention.spectrum import largest_eigenvalue

    tokens, b = ([[float(x) for x in row] for row in rows] for rows in (problem.tokens, problem.b))
    if len(tokens) ** 2 * len(b) * steps <= QUICK:
        top = float(largest_eigenvalue(problem.b)[0])
        return reference.replay(tokens, b, top, problem.tie, steps, float)[1]
    from sweeps.simulators.attention.scout import scout

    return scout(tokens, b=b, tie=problem.tie, horizon=steps).first


def _next(found: "Answer", checked: str, folder: Path | None) -> list[str]:
    lines = [checked] if checked else []
    if folder is not None:
        from sweeps.store import run_files

        lines.append(f"run: {run_files(folder)}      repeat: python -m sweeps reproduce {folder / 'run.json'}")
    if not lines and found.finding["verdict"] != "inconclusive":
        lines.append("to have it checked elsewhere: --certificate FILE, then python -m exact verify FILE")
    return lines


def _scout(model: Model, options: argparse.Namespace) -> str:
    if options.certificate or options.out:
        raise ValueError("certificate and out go with the exact route; --float confirms nothing")
    from sweeps.simulators.attention.scout import STEPS

    problem = read(options, FLOAT_HORIZON)
    if problem.horizon >= STEPS:
        raise ValueError(
            f"horizon must be below {STEPS:.0e} with --float, which takes every step; got {problem.horizon}"
        )
    k = float_run(problem, problem.horizon + (problem.index == "update"))
    document = scouted(model, problem, k)
    print(json.dumps(document, allow_nan=False) if options.json else document["finding"]["sentence"])
    if not (options.json or options.quiet):
        print("  a float64 run confirms nothing; for an exact answer at any horizon leave out --float")
    return "inconclusive"


def scouted(model: Model, problem: "Problem", k: int | None) -> dict[str, Any]:
    """The JSON document of a float64 run: the exact one's keys, nothing confirmed."""
    from sweeps.simulators.attention.sentences import BOUND, labelled

    seen = f"first seen broken at {labelled(problem, k)}" if k else f"not seen broken up to {problem.horizon}"
    sentence = f"inconclusive (float64, unconfirmed): {BOUND[problem.index]} is {seen}; ties {problem.tie}."
    finding = {"claim": model.claim.id, "verdict": "inconclusive", "evidence": "float64", "sentence": sentence}
    return {
        "tokens": [[str(x) for x in row] for row in problem.tokens],
        "b": [[str(x) for x in row] for row in problem.b],
        "tie": problem.tie,
        "index": problem.index,
        "horizon": str(problem.horizon),
        "first_violation": None if k is None else {"k": str(k), "t": str(k - 1)},
        "violated_by_horizon": k is not None,
        "eventual": "undecided",
        "from_k": None,
        "events": [],
        "evidence": "float64",
        "finding": finding,
    }
