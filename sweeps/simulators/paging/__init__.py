"""Paging with and without predictions: policies against adversaries, and the claim H_k + O(1) for RPB-OM."""

from sweeps.simulators.paging import sweep
from sweeps.simulators.paging.options import ADVERSARIES, BUDGETS, POLICIES
from sweeps.spec import GRID, Claim, Parameter, Simulator, Thresholds, Values

CLAIM = Claim(
    id="chen2026",
    statement="cost <= (H_k + O(1)) OPT for every cache size k, request sequence and prediction",
    source="Chen, Zhao, Tang, Wang, Deng: Towards Optimal Robustness in Learning-Augmented Paging, "
    "arXiv 2606.01342 (ICML 2026)",
)


def question(values: Values) -> Claim:
    """The published claim for RPB-OM, the same question for any other policy."""
    name = POLICIES[values["policy"]]
    if values["policy"] == "rpb-om":
        return CLAIM
    return Claim(
        id=f"h_k_{values['policy']}",
        statement=f"{name} costs <= (H_k + O(1)) OPT for every cache size k",
        source=f"a question, not a published claim: what chen2026 says of RPB-OM, asked of {name}",
    )


SIMULATOR = Simulator(
    name="paging",
    summary="additive term (cost - H_k OPT)/OPT of a paging policy against an adversary, over cache sizes k",
    claim=CLAIM,
    question=question,
    parameters=(
        *GRID,
        Parameter("policy", None, f"{', '.join(POLICIES)} (default rpb-om; with --trace a list, default all)"),
        Parameter("budget", "on-fault", f"when RPB-OM's comparison value is set: {', '.join(BUDGETS)}"),
        Parameter("tau", 0, "RPB-OM's starting budget", int, 0, 1 << 20),
        Parameter("adversary", "lazy", ", ".join(ADVERSARIES)),
        Parameter(
            "predictions",
            None,
            "perfect, reversed, random, lognormal:S, normal:S (default reversed; with --trace perfect)",
        ),
        Parameter(
            "requests",
            10_000_000,
            "requests for each k, unless a standard error of 0.015 needs fewer",
            int,
            1,
            10**12,
        ),
        Parameter("target_se", None, "as many requests as this standard error takes at every k", float, 1e-6, 10),
        Parameter("replicates", None, "phases for each k, whatever their standard error", int, 2, 10**10),
    ),
    resolve=sweep.resolve,
    describe=sweep.describe,
    layout=sweep.layout,
    size=sweep.size,
    run_block=sweep.run_block,
    row=sweep.row,
    exact=sweep.exact,
    source_files=("adversaries.py", "kernels.py", "layers.py", "predictions.py", "simulate.py", "state.py", "sweep.py"),
    thresholds=Thresholds(rival="ln", c_star=0.18, k_full=1024),  # the exact curve's slope tends to 1/e = 0.368
    variance=sweep.planned_variance,
    trace=sweep.trace,
)
