"""Certificates of paging findings, in the form that the independent checker of `exact` reads: text only.

They say what the checker recomputes: the requests, the expected cost, an offline schedule and its cost.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from cases.games import expected_cost

CLAIMS = {"lru": "sleator1985_lru", "marker": "fiat1991_marker", "onlinemin": "onlinemin2015_optimal"}


def cost_exceeds(policy: str, requests: Sequence[int], k: int, c: Fraction) -> dict[str, Any]:
    """That the policy's expected cost on ``requests``, from the cache 0..k-1, is above c times an offline cost.

    >>> certificate = cost_exceeds("lru", [2, 0, 1], 2, Fraction(2))
    >>> certificate["cost"], certificate["offline"], certificate["offline_cost"]
    ('3', ['1', '-', '0'], '2')
    """
    schedule = belady(requests, k)
    return {
        "kind": "paging cost exceeds",
        "claim": CLAIMS[policy],
        "statement": f"{policy} on a cache of {k} pages costs at most {c} OPT in expectation on every request sequence",
        "policy": {"name": policy},
        "cache": [str(page) for page in range(k)],
        "requests": [str(page) for page in requests],
        "c": str(c),
        "cost": str(expected_cost(policy, requests, k)),
        "offline": schedule,
        "offline_cost": str(sum(entry != "-" for entry in schedule)),
    }


def belady(requests: Sequence[int], k: int) -> list[str]:
    """The page that a furthest-in-future cache evicts at each request, "-" at a hit."""
    cached, schedule = list(range(k)), []
    for t, page in enumerate(requests):
        if page in cached:
            schedule.append("-")
            continue
        after = list(requests[t + 1 :])
        victim = max(cached, key=lambda p: after.index(p) if p in after else len(after))
        cached[cached.index(victim)] = page
        schedule.append(str(victim))
    return schedule


def additive_value(k: int, value: Fraction, *, budget: str = "on-fault") -> dict[str, Any]:
    """That the exact recursion's additive term of RPB-OM (tau 0) at k is ``value``."""
    said = f"RPB-OM on the lazy adversary with reversed predictions, k = {k}, tau = 0, budget {budget}"
    return {
        "kind": "paging exact value",
        "claim": "chen2026_rpb_om",
        "statement": f"{said}: E[cost of a phase] - H_k = {value}",
        "k": str(k),
        "tau": "0",
        "budget": budget,
        "quantity": "additive term",
        "value": str(value),
    }
