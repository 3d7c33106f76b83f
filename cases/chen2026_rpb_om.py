"""RPB-OM's robustness is H_k + O(1): the additive term grows like ln k / e."""

import math
from typing import Any

from cases.certificates import additive_value
from cases.claim import Case, Claim, Finding
from exact import additive_term, additive_terms

CLAIM = Claim(
    id="chen2026",
    statement="robustness of RPB-OM is H_k + O(1)",
    quantifiers="every k, request sequence and prediction; budget rule as published (on-fault)",
    relation="E[cost] <= (H_k + O(1)) OPT",
    refuted_by="a sequence of instances whose cost - H_k OPT grows with k past every bounded transient",
    source="Chen, Zhao, Tang, Wang, Deng: Towards Optimal Robustness in Learning-Augmented Paging, arXiv 2606.01342 "
    "(ICML 2026). The paper could not be read here, only public notes on it; the error was confirmed by the authors",
    link="https://arxiv.org/abs/2606.01342",
)


def judge(*, policy: str = "rpb-om", budget: str = "on-fault", quick: bool) -> Finding:
    """The calibrated decision on a sweep to k = 1024 against the lazy adversary, and the exact curve beside it."""
    from sweeps.figures import additive_figure
    from sweeps.runner import run

    requests = 1_000_000 if quick else 10_000_000
    swept = run("paging", k_max=1024, policy=policy, budget=budget, requests=requests)
    sentence = swept.finding["sentence"].partition(": ")[2]
    details: dict[str, Any] = {"growth": swept.growth, "run_id": swept.run_id, "seed": swept.seed}
    certificates: tuple[dict[str, Any], ...] = ()
    if policy == "rpb-om":
        curve = exact_slope(17 if quick else 20, budget)
        sentence += f" {curve.pop('sentence')}"
        details |= curve
        k = 64 if quick else 1024
        certificates = (additive_value(k, additive_term(k, budget=budget), budget=budget),)
    figures = {"additive.svg": lambda path: additive_figure(swept, path)}
    return Finding(swept.finding["verdict"], "statistical", sentence, "k = 1024", certificates, details, figures)


def exact_slope(doublings: int, budget: str) -> dict[str, Any]:
    """The exact recursion's slope against ln k over the last doubling up to 2^doublings; 1/e is the limit on-fault."""
    k = 1 << doublings
    curve = additive_terms(k, budget=budget)
    slope = (curve[k] - curve[k // 2]) / math.log(2)
    limit = "1/e = 0.367879" if budget == "on-fault" else "0"
    sentence = f"The exact recursion goes on to k = 2^{doublings}: a(k) = {curve[k]:.5f}, slope {slope:.6f} per ln k; "
    return {
        "sentence": sentence + f"the limit is {limit}.",
        "exact_k": k,
        "exact_a": curve[k],
        "exact_slope": slope,
    }


CASE = Case(
    claim=CLAIM,
    check=lambda quick: judge(quick=quick),
    control=lambda quick: judge(policy="onlinemin", quick=quick),
    expected="falsified",
    expected_control="toy",
)
