"""The authors' released RPB-OM compares U with its value one request before: it never earns budget."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

from cases.certificates import additive_value
from cases.claim import Case, Claim, Finding
from cases.games import first_layers, next_layers
from exact import additive_term, floor_div_e
from sweeps.simulators.paging.enumeration import lazy_phase
from sweeps.simulators.paging.reference import Layers, run

CLAIM = Claim(
    id="chen2026",
    statement="the released RPB-OM ever earns budget",
    quantifiers="some k, request sequence, predictions and priorities",
    relation="a fault outside L_0 with U <= (Y + 2)/e - 2, Y set after every request (hits too)",
    refuted_by="Y <= U + 1 at every request outside L_0, for then (U + 2) e <= U + 3, so U + 2 <= 1/(e - 1) < 1",
    source="Chen, Zhao, Tang, Wang, Deng: Towards Optimal Robustness in Learning-Augmented Paging, arXiv 2606.01342 "
    "(ICML 2026); the paper could not be read here: its pseudo-code (Y set at faults) and its released code (Y set at "
    "every request) are known from public notes",
    link="https://arxiv.org/abs/2606.01342",
)


def judge(budget: str, *, quick: bool) -> Finding:
    """Whether RPB-OM with this ``budget`` rule ever earns, tau = 0."""
    searched = search(budget, quick=quick)
    if searched["witness"] is not None:
        return _earns(budget, searched)
    steps = proof_steps(4 if quick else 5, 1 << 16 if quick else 1 << 20)
    if budget != "on-request" or not steps["holds"]:
        return Finding("inconclusive", "exact", "no phase earns budget in the search; there is no proof", "k <= 6")
    return Finding(
        "falsified",
        "exact",
        "never earned. Proof: Y is U one request before and a request outside L_0 lowers U by one or not at all, so "
        "earning needs (U + 2) e <= U + 3, that is U + 2 <= 1/(e - 1) < 1: impossible. Its first step checked on all "
        f"{steps['moves']:,} moves of the layers for k <= {steps['k']}, its second in integers to U = {steps['u']:,}; "
        f"none of {searched['phases']:,} lazy phases earns.",
        reached="all k (proof)",
        details={**steps, "phases": searched["phases"], "a(9)": additive_term(9, budget=budget)},
    )


def _earns(budget: str, searched: dict[str, Any]) -> Finding:
    k, a = 9, additive_term(9, budget=budget)
    costly = phase([8, 4, 7, 2, 3, 5, 0, 6], budget)
    return Finding(
        "verified",
        "exact",
        f"earned first at k = {searched['k']} in a lazy phase, where it costs nothing (all pages are revealed then); "
        f"it first costs at k = {k}: one phase {costly['faults']} faults instead of "
        f"{phase([8, 4, 7, 2, 3, 5, 0, 6], 'on-request')['faults']}, and a({k}) = {a} instead of {1 - Fraction(1, k)}.",
        reached=f"k = {k}, a witness",
        certificates=(additive_value(k, a, budget=budget),),
        details={"first_k": searched["k"], "witness": searched["witness"], "costly": costly, "a(9)": a},
    )


def phase(order: list[int], budget: str) -> dict[str, Any]:
    """One lazy phase by the slow reference: order of the requests, budget earned, faults."""
    k = len(order) + 1
    requests, predictions = lazy_phase(order, k)
    draws = range(2 * k)
    out = run("rpb-om", requests, k=k, cache=range(k), predictions=predictions, draws=draws, budget=budget)
    return {"k": k, "order": order, "earned": out.earned, "faults": sum(out.faults)}


def search(budget: str, *, quick: bool) -> dict[str, Any]:
    """All lazy phases for k = 2..6 (7), and the one that costs at k = 9; stops at the first that earns."""
    phases = 0
    for k in range(2, 7 if quick else 8):
        for order in permutations(range(k), k - 1):
            phases += 1
            if phase(list(order), budget)["earned"]:
                return {"k": k, "witness": list(order), "phases": phases}
    return {"k": None, "witness": None, "phases": phases}


def proof_steps(k_max: int, u_max: int) -> dict[str, Any]:
    """The proof's two steps: U falls by at most one outside L_0, and (u + 2) e <= u + 3 for no u >= 0.

    The first on every layering that k + 2 pages reach, k <= ``k_max``; the second as floor((u + 3)/e) < u + 2.
    """
    floors = floor_div_e(u_max + 3)
    impossible = all(floors[u + 3] < u + 2 for u in range(u_max + 1))
    falls = [fall for k in range(1, k_max + 1) for fall in _falls(k)]
    return {"holds": impossible and max(falls) <= 1, "moves": len(falls), "k": k_max, "u": u_max}


def _falls(k: int) -> list[int]:
    """By how much U falls, for each layering over k + 2 pages and each request outside L_0."""
    start = first_layers(k)
    seen, queue, falls = {start}, [start], []
    for layers, page in ((layers, page) for layers, page in _moves(queue, k + 2)):
        after, paid = next_layers(layers, page)
        if not paid:
            falls.append(_unrevealed(layers) - _unrevealed(after))
        if after not in seen:
            seen.add(after)
            queue.append(after)
    return falls


def _moves(queue: list[Any], pages: int) -> Any:
    for layers in queue:  # grows while it is walked
        yield from product([layers], range(pages))


def _unrevealed(layers: tuple[frozenset[int], ...]) -> int:
    mutable = Layers(())
    mutable.sets = [set(layer) for layer in layers]
    return mutable.unrevealed()


CASE = Case(
    claim=CLAIM,
    check=lambda quick: judge("on-request", quick=quick),
    control=lambda quick: judge("on-fault", quick=quick),
    expected="falsified",
    expected_control="verified",
)
