"""OnlineMin costs at most H_k OPT on every request sequence: the least factor there is for any online algorithm."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from cases.bounds import Bound, judge_bound
from cases.claim import Case, Claim, Finding
from exact import harmonic

CLAIM = Claim(
    id="onlinemin2015",
    statement="OnlineMin <= H_k OPT",
    quantifiers="every k and request sequence",
    relation="E[cost of OnlineMin] <= H_k OPT",
    refuted_by="one request sequence whose exact expected cost is above H_k OPT",
    source="Brodal, Moruz, Negoescu: OnlineMin: a fast strongly competitive randomized paging algorithm, Theory of "
    "Computing Systems 2015 (quoted from the literature)",
    link="https://doi.org/10.1007/s00224-012-9427-y",
)
QUICK, FULL = ((2, 5), (3, 5), (4, 5)), ((2, 6), (3, 7), (4, 7), (5, 7))


def judge(bound: Bound, *, quick: bool) -> Finding:
    """OnlineMin against ``bound`` on all sequences over a few pages; if it holds, a sweep to larger k beside it."""
    finding = judge_bound("onlinemin", bound, QUICK if quick else FULL)
    if finding.verdict == "falsified":
        return finding
    far = flatness(64 if quick else 1024, 2_000 if quick else 20_000)
    said = (
        f"Beside it a sweep to k = {far['k_max']} against the lazy adversary: cost - H_k OPT is {far['mean']:+.4f} a "
        f"phase in the weighted mean, {far['sigma']:+.1f} standard errors from 0."
    )
    return replace(finding, sentence=f"{finding.sentence} {said}", details={**finding.details, "sweep": far})


def flatness(k_max: int, replicates: int) -> dict[str, Any]:
    """Weighted mean of OnlineMin's additive term over a sweep, its error and their quotient."""
    from sweeps.runner import run

    rows = run("paging", k_max=k_max, replicates=replicates, policy="onlinemin").rows
    weights = [row["additive_se"] ** -2 for row in rows]
    mean = sum(w * row["additive"] for w, row in zip(weights, rows, strict=True)) / sum(weights)
    error = sum(weights) ** -0.5
    return {"k_max": k_max, "points": len(rows), "mean": mean, "error": error, "sigma": mean / error}


CASE = Case(
    claim=CLAIM,
    check=lambda quick: judge(harmonic, quick=quick),
    control=lambda quick: judge(lambda k: harmonic(k) - Fraction(1, 10), quick=quick),
    expected="toy",
    expected_control="falsified",
)
