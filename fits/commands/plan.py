"""``python -m fits plan --c 0.38 --sd 0.3``."""

from __future__ import annotations

import argparse
import json
from typing import Any


def options(sub: argparse.ArgumentParser) -> None:
    """Add the options of ``plan``."""
    add = sub.add_argument
    add("--sd", type=float, required=True, metavar="SD", help="standard deviation of one replicate")
    add("--c", type=float, metavar="C", help="slope per ln k to be seen with 95 %% power")
    add("--budget", type=float, metavar="COST", help="what may be spent; alone: the most that it can see")
    add(
        "--cost",
        default="k",
        metavar="LAW",
        help='cost of one replicate at k: "1", "k" (default), "k**2" ...',
    )
    add("--k-min", type=float, default=4.0, metavar="K", help="smallest k, at least 3 (default 4)")
    add("--k-limit", type=float, default=2.0**20, metavar="K", help="largest k that can be run (default 2^20)")
    add("--step", type=float, default=0.5, metavar="DOUBLINGS", help="grid step in doublings (default 0.5)")
    add("--tier", type=int, choices=(0, 1, 2), default=2, help="bounded transients to allow for (default 2)")
    add("--json", action="store_true", help="one JSON document on stdout")


def run(args: argparse.Namespace) -> int:
    """Plan and print."""
    from fits.planning import plan

    p = plan(
        sd=args.sd,
        c=args.c,
        k_min=args.k_min,
        step=args.step,
        tier=args.tier,
        cost=args.cost,
        budget=args.budget,
        k_limit=args.k_limit,
    )
    print(json.dumps(p.to_dict(), indent=1) if args.json else _text(p, args.cost))
    return 0


def _text(p: Any, cost: str) -> str:
    from fits.printed import number

    lines = [
        f"{p.k.size} points, k = {number(p.k[0])} .. {number(p.k_max)}, "
        f"cost {number(p.cost)} (unit: {cost} a replicate).",
        f"Sees c >= {number(p.mde)} per ln k with 95 % power (T{p.tier}).",
    ]
    if p.power is not None:
        lines.append(
            f"Power at c = {number(p.c)}: {p.power:.0%}" + ("." if p.mde <= p.c else ": the budget is too small.")
        )
    lines += ["", f"{'k':>12}{'replicates':>14}{'error':>12}"]
    lines += [f"{number(k):>12}{number(r):>14}{e:>12.3g}" for k, r, e in zip(p.k, p.reps, p.se, strict=True)]
    if p.options:
        lines += ["", "cheapest for this slope, by k_max:"]
        lines += [f"{number(k_max):>12}{number(total):>20}" for k_max, total in p.options[::2]]
    return "\n".join(lines)
