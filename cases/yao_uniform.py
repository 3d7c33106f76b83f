"""Uniformly random requests to k + 1 pages cost every online policy H_k OPT: Yao's lower bound at work."""

import math
from typing import Any

from cases.claim import Case, Claim, Finding

CLAIM = Claim(
    id="yao",
    statement="uniform requests to k + 1 pages cost H_k OPT",
    quantifiers="every k and every online policy (here LRU, FIFO, Random, Marker, OnlineMin)",
    relation="E[cost] / E[OPT] = H_k in the long run",
    refuted_by="a policy and k whose measured ratio differs from H_k by more than 4 standard errors",
    source="folklore by Yao's principle and the coupon collector (Fiat et al. 1991, section 3; Motwani, Raghavan, "
    "Randomized Algorithms, 13.3), quoted from the literature",
    link="https://doi.org/10.1016/0196-6774(91)90041-V",
)
POLICIES = ("lru", "fifo", "random", "marker", "onlinemin")
Z = 4.0  # fixed before the run: 45 comparisons pass it by chance once in 350 runs
POWER = 1.645  # 95 %


def judge(pages_beyond_k: int, *, quick: bool, shift: float = 0.0) -> Finding:
    """Whether all policies cost H_k + ``shift`` OPT on uniform requests to k + ``pages_beyond_k`` pages."""
    k_max, phases = (64, 1500) if quick else (128, 10_000)
    measure = whole_phases if pages_beyond_k == 1 else requests_to_more_pages
    rows = [row for policy in POLICIES for row in measure(policy, pages_beyond_k, k_max, phases)]
    for row in rows:
        row["z"] = (row["ratio"] - row["h_k"] - shift) / row["error"]
    far = max(rows, key=lambda row: abs(row["z"]))
    seen = max((Z + POWER) * row["error"] / row["h_k"] for row in rows)
    where = f"{far['policy']} at k = {far['k']}: {far['ratio']:.4f}, where {far['h_k'] + shift:.4f} was claimed"
    if abs(far["z"]) > Z:
        said = f"{where}, {far['z']:+.1f} standard errors off"
        return Finding("falsified", "statistical", said, f"k = {k_max}", details={"rows": rows})
    return Finding(
        "toy",
        "statistical",
        f"equal within errors: of {len(rows)} comparisons the farthest is {where} ({far['z']:+.1f} standard errors). A "
        f"ratio off by {100 * seen:.1f} % would have been seen with 95 % power at each; to see 1 % takes "
        f"{(100 * seen) ** 2:.0f} times the phases. Not excluded: smaller differences, k > {k_max}, other policies.",
        reached=f"k <= {k_max}, {len(POLICIES)} policies",
        details={"rows": rows, "smallest_seen": seen},
    )


def whole_phases(policy: str, _beyond: int, k_max: int, phases: int) -> list[dict[str, Any]]:
    """Ratios over whole phases, which are alike: unbiased."""
    from sweeps.runner import run

    swept = run("paging", k_max=k_max, adversary="uniform", policy=policy, replicates=phases)
    rows = [(row["k"], row["additive"] + harmonic(row["k"]), row["additive_se"]) for row in swept.rows]
    return [_row(policy, *row) for row in rows]


def requests_to_more_pages(policy: str, beyond: int, k_max: int, phases: int) -> list[dict[str, Any]]:
    """Ratios over 24 sequences of as many requests as ``phases`` phases over k + 1 pages take, for three k."""
    import numpy as np

    from sweeps import simulate

    rows = []
    for k in (8, k_max // 4, k_max):
        length = math.ceil(phases / 24 * (k + 1) * harmonic(k))
        pairs = []
        for seed in range(24):
            requests = np.random.default_rng([seed, k]).integers(k + beyond, size=length)
            costs = simulate("paging", requests, k=k, policy=policy, cache=range(k), seed=seed)
            pairs.append((costs.faults, costs.opt))
        rows.append(_row(policy, k, *_ratio(pairs)))
    return rows


def _ratio(pairs: list[tuple[int, int]]) -> tuple[float, float]:
    """Ratio of sums and its standard error by the delta method."""
    faults, opt = map(sum, zip(*pairs, strict=True))
    squares = sum((f - faults / opt * o) ** 2 for f, o in pairs)
    return faults / opt, math.sqrt(squares * len(pairs) / (len(pairs) - 1)) / opt


def _row(policy: str, k: int, ratio: float, error: float) -> dict[str, Any]:
    return {"policy": policy, "k": k, "ratio": ratio, "error": error, "h_k": harmonic(k)}


def harmonic(k: int) -> float:
    """H_k as a float."""
    return math.fsum(1 / i for i in range(1, k + 1))


CASE = Case(
    claim=CLAIM,
    check=lambda quick: judge(1, quick=quick),
    control=lambda quick: judge(2, quick=quick),
    expected="toy",
    expected_control="falsified",
)
