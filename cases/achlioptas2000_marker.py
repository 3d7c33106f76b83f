"""Marker costs at most (2 H_k - 1) OPT on every request sequence."""

from cases.bounds import Bound, judge_bound
from cases.claim import Case, Claim, Finding
from exact import harmonic

CLAIM = Claim(
    id="achlioptas2000",
    statement="Marker <= (2 H_k - 1) OPT",
    quantifiers="every k and request sequence",
    relation="E[cost of Marker] <= (2 H_k - 1) OPT, all start pages cached and marked",
    refuted_by="one request sequence whose exact expected cost is above (2 H_k - 1) OPT",
    source="Achlioptas, Chrobak, Noga: Competitive analysis of randomized paging algorithms, TCS 234, 2000 (Marker: "
    "Fiat et al. 1991), quoted from the literature; started unmarked the bound fails (k = 2, requests 0 2 1 2: 5/2)",
    link="https://doi.org/10.1016/S0304-3975(98)00116-9",
)
QUICK, FULL = ((2, 5), (3, 5), (4, 5)), ((2, 6), (3, 6), (4, 6), (5, 6))


def judge(bound: Bound, *, quick: bool) -> Finding:
    """Marker against ``bound`` on all sequences over a few pages."""
    return judge_bound("marker", bound, QUICK if quick else FULL)


CASE = Case(
    claim=CLAIM,
    check=lambda quick: judge(lambda k: 2 * harmonic(k) - 1, quick=quick),
    control=lambda quick: judge(harmonic, quick=quick),
    expected="toy",
    expected_control="falsified",
)
