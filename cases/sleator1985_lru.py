"""LRU costs at most k OPT on every request sequence, and no smaller factor will do."""

from dataclasses import replace
from fractions import Fraction

from cases.bounds import Bound, judge_bound
from cases.claim import Case, Claim, Finding
from cases.games import expected_cost
from cases.worst import opt_cost

CLAIM = Claim(
    id="sleator1985",
    statement="LRU is k-competitive, and not better",
    quantifiers="published for every k and sequence; judged for k <= 5 and sequences of any length over <= 6 pages",
    relation="LRU <= k OPT from a common start cache; on cyclic requests to k + 1 pages LRU = k OPT",
    refuted_by="a request sequence with LRU > k OPT, or a factor below k that holds on the cyclic sequence",
    source="Sleator, Tarjan: Amortized efficiency of list update and paging rules, CACM 28(2), 1985, theorem 6 (quoted "
    "from the literature; the start is this toolkit's: k pages cached, the oldest first)",
    link="https://doi.org/10.1145/2786.2793",
)
SCALES = ((2, 6), (3, 6), (4, 6), (5, 6), (1, 6))  # (k, pages), also of the quick check: the claim is judged on these
ROUNDS = 20


def judge(bound: Bound) -> Finding:
    """LRU against ``bound`` on all sequences; if it holds, whether the cyclic sequence attains it."""
    finding = judge_bound("lru", bound, SCALES, holds="verified")
    if finding.verdict == "falsified":
        return finding
    loose = [k for k, _ in SCALES if cyclic_ratio(k) < bound(k)]
    if loose:
        said = f"the bound holds but is not tight: cyclic requests cost {cyclic_ratio(loose[0])} OPT at k = {loose[0]}"
        return replace(finding, verdict="inconclusive", sentence=f"{said}, not {bound(loose[0])}.")
    said = f"{finding.sentence} Tight: cyclic requests to k + 1 pages cost k OPT over {ROUNDS} rounds."
    return replace(finding, sentence=said)


def cyclic_ratio(k: int, rounds: int = ROUNDS) -> Fraction:
    """LRU / OPT over ``rounds`` of k requests of the cycle k, 0, 1, ..., k - 1."""
    requests = [(k + t) % (k + 1) for t in range(k * rounds)]
    return expected_cost("lru", requests, k) / opt_cost(requests, k)


CASE = Case(
    claim=CLAIM,
    check=lambda _quick: judge(Fraction),
    control=lambda _quick: judge(lambda k: Fraction(k - 1)),
    expected="verified",
    expected_control="falsified",
)
