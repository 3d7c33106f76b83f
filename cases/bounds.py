"""Judge "expected cost <= c(k) OPT on every request sequence" by all sequences of any length over a few pages."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from cases.certificates import cost_exceeds
from cases.claim import Finding
from cases.games import expected_cost
from cases.worst import Worst, graph, nearest, opt_cost, worst
from sweeps.simulators.paging import enumeration

Bound = Callable[[int], Fraction]
Scales = Sequence[tuple[int, int]]  # (k, pages)

NEAREST_LENGTH = 12


def judge_bound(policy: str, bound: Bound, scales: Scales, *, holds: str = "toy") -> Finding:
    """Falsified with a shortest witness if some sequence exceeds the bound at some (k, pages) of ``scales``.

    Otherwise ``holds``, with the largest cost / OPT of at most 12 requests. The games are first compared with the
    slow reference on every sequence of 4 requests (k = 2, 4 pages): ArithmeticError if they differ.
    """
    compared = compare(policy)
    rows = []
    for k, pages in scales:
        within = graph(policy, k, pages)
        found = worst(within, bound(k))
        if found.excess > 0:
            return _falsified(policy, bound, (k, pages), found)
        ratio, requests = nearest(within, policy, length=NEAREST_LENGTH)
        rows.append({"k": k, "pages": pages, "states": len(within.edges), "bound": bound(k)})
        rows[-1] |= {"nearest": ratio, "requests": requests}
    return _holds(rows, holds, compared)


def compare(policy: str, *, k: int = 2, pages: int = 4, length: int = 4) -> int:
    """Compare game and slow reference on all sequences of ``length`` requests; how many."""
    count = 0
    for requests in product(range(pages), repeat=length):
        slow = enumeration.expected_cost(policy, requests, k, cache=range(k))
        if slow != expected_cost(policy, requests, k):
            raise ArithmeticError(f"{policy} on {requests}, k = {k}: the reference says {slow}, the game otherwise")
        count += 1
    return count


def _falsified(policy: str, bound: Bound, scale: tuple[int, int], found: Worst) -> Finding:
    k, pages = scale
    cost, opt = expected_cost(policy, found.requests, k), opt_cost(found.requests, k)
    shown = " ".join(map(str, found.requests))
    return Finding(
        "falsified",
        "exact",
        f"k = {k}: requests {shown} from the cache 0 .. {k - 1} cost {cost} in expectation, above {bound(k)} * {opt}. "
        f"No shorter sequence over {pages} pages does.",
        reached=f"k = {k}, {len(found.requests)} requests",
        certificates=(cost_exceeds(policy, found.requests, k, bound(k)),),
        details={"k": k, "requests": found.requests, "cost": cost, "opt": opt, "bound": bound(k)},
    )


def _pairs(rows: Sequence[dict[str, Any]]) -> str:
    """Sizes and numbers of pages: k = 2-5, 6 pages where the pages are the same for all of a range."""
    pages = sorted({row["pages"] for row in rows})
    groups = [[row["k"] for row in rows if row["pages"] == n] for n in pages]
    return "; ".join(
        f"k = {min(ks)}{f'-{max(ks)}' if len(ks) > 1 else ''}, {n} pages" for ks, n in zip(groups, pages, strict=True)
    )


def _holds(rows: Sequence[dict[str, Any]], verdict: str, compared: int) -> Finding:
    close = max(rows, key=lambda row: row["nearest"] / row["bound"])
    shown = " ".join(map(str, close["requests"]))
    scales = ", ".join(f"k = {row['k']} ({row['pages']} pages)" for row in rows)
    return Finding(
        verdict,
        "exact",
        f"no request sequence of any length exceeds the bound for {scales}; any excess there, however small, would "
        f"have been seen. Nearest of {NEAREST_LENGTH} requests or fewer: {close['nearest']} of {close['bound']} OPT "
        f"(k = {close['k']}: {shown}). Not excluded: larger k, more pages.",
        reached=f"{_pairs(rows)}, any length",
        details={"scales": rows, "compared_with_reference": compared},
    )
