"""The paging sweep: how many phases for each k, one block of them, and a row out of the blocks."""

import functools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import exact as exact_values
from sweeps.simulators.paging.options import ADVERSARIES, BUDGETS, POLICIES, named, parse_predictions
from sweeps.spec import Layout, Sums, Values, resolve_grid

SE_FLOOR = 0.015  # below it the kinks of the curve at small k turn into misfit (spec/fits.md, section 6)
MARGIN = 1.04  # so that the measured error too stays above the floor
MIN_PHASES = 30
MIN_BLOCKS = 8  # so that a sweep can be looked at before its end
BLOCK_REQUESTS = 1 << 18
# Policies whose cache is the support at the start of every phase: their phases are independent and alike.
# FIFO's and Random's are not; for them the block is the replicate, and there are at least MIN_PHASES blocks.
REGENERATING = {"lru", "marker", "opt", "onlinemin", "rpb-om"}


def resolve(values: Values) -> dict[str, Any]:
    """All parameters of a sweep, checked."""
    values = resolve_grid(values)
    policy = named("policy", values["policy"] or "rpb-om", POLICIES)
    predictions = values["predictions"] or "reversed"
    parse_predictions(predictions)
    if values["replicates"] is not None and values["target_se"] is not None:
        raise ValueError("target_se must not be given with replicates: each says how many phases there are")
    return {
        **values,
        "policy": policy,
        "budget": named("budget", values["budget"], BUDGETS),
        "adversary": named("adversary", values["adversary"], ADVERSARIES),
        "predictions": predictions,
    }


def describe(values: Values) -> str:
    """What is swept, in words."""
    policy = values["policy"]
    learning = policy == "rpb-om"
    detail = f" (budget {values['budget']}, tau {values['tau']})" if learning else ""
    reads = f" with {values['predictions']} predictions" if learning else ""
    return f"{POLICIES[policy]}{detail} against the {values['adversary']} adversary{reads}"


def size(values: Values, k: int) -> float:
    """Requests of a phase in the mean (uniform: coupon collector over k + 1 pages)."""
    return (k + 1) * harmonic(k) if values["adversary"] == "uniform" else float(k)


@functools.cache
def harmonic(k: int) -> float:
    """H_k in float64, correct to a few units in the last place."""
    return math.fsum(1 / i for i in range(1, k + 1))


def planned_variance(values: Values, k: int) -> float:
    """Variance of a phase's cost: RPB-OM's exact one under lazy, else OnlineMin's (faults with chances 1/j)."""
    if _exact_curve(values):
        return _variances(values["k_max"], values["tau"], values["budget"])[k]
    return math.fsum((1 - 1 / j) / j for j in range(1, k + 1))


@functools.cache
def _variances(k_max: int, tau: int, budget: str) -> list[float]:
    return exact_values.phase_variance(k_max, tau=tau, budget=budget)


def _exact_curve(values: Values) -> bool:
    """Whether exact/paging.py has the curve."""
    setting = (values["policy"], values["adversary"], values["predictions"])
    return setting == ("rpb-om", "lazy", "reversed")


def layout(values: Values, k: int) -> Layout:
    """Phases of a point and of a block, by a formula of the parameters alone."""
    phases, affordable = _phases(values, k)
    least = MIN_BLOCKS if values["policy"] in REGENERATING else MIN_PHASES
    return Layout(phases, max(1, min(int(BLOCK_REQUESTS / size(values, k)), phases // least)), affordable)


def _phases(values: Values, k: int) -> tuple[int, int]:
    """Phases to run, and those that the requests for each k would buy."""
    if values["replicates"]:
        return int(values["replicates"]), int(values["replicates"])
    target = values["target_se"]
    enough = max(MIN_PHASES, math.floor(planned_variance(values, k) / (target or SE_FLOOR * MARGIN) ** 2))
    if target:
        return enough, enough
    affordable = max(MIN_PHASES, math.ceil(values["requests"] / size(values, k)))
    return min(enough, affordable), affordable


def run_block(values: Values, k: int, phases: int, seed: Any) -> Sums:
    """Simulate ``phases`` phases from the start; sums over phases of the cost and its square, and OPT's cost."""
    import numpy as np

    from sweeps.simulators.paging import kernels
    from sweeps.simulators.paging.adversaries import ADVERSARIES as WRITERS
    from sweeps.simulators.paging.options import LEARNING
    from sweeps.simulators.paging.predictions import predict
    from sweeps.simulators.paging.simulate import Instance, count_l0, serve

    order, draws, noise = seed.spawn(3)
    requests, starts, pages = WRITERS[values["adversary"]](k, phases, order)
    times = None
    if values["policy"] in LEARNING:
        times = predict(values["predictions"], kernels.next_arrivals(k, pages, requests), requests.size, noise)
    instance = Instance(k, pages, requests, np.random.default_rng(draws).random(k + requests.size), times)
    fault, l0, earned, spent = serve(values["policy"], instance, tau=values["tau"], budget=values["budget"])
    l0 = count_l0(instance) if l0 is None else l0
    if l0 != phases:
        raise RuntimeError(f"the adversary's {phases} phases have {l0} L_0 requests")
    cost = np.add.reduceat(fault, starts, dtype=np.int64)
    total = int(cost.sum())
    return {
        "phases": phases,
        "requests": int(requests.size),
        "cost": total,
        "square": int((cost * cost).sum()),
        "opt": int(l0),
        "earned": int(earned),
        "spent": int(spent),
        "blocks": 1,
        "block_square": total * total,
        "block_product": total * phases,
        "block_phases": phases * phases,
    }


def row(values: Values, k: int, sums: Sums) -> dict[str, Any]:
    """One point: cost and OPT are per phase; every phase has OPT 1, so the delta method for (cost - H_k opt)/opt
    gives the cost's own standard error."""  # fmt: skip
    n, cost = sums["phases"], sums["cost"]
    se = math.sqrt(_variance_of_mean(values, sums))
    return {
        "k": k,
        "phases": n,
        "requests": sums["requests"],
        "cost": cost / n,
        "cost_se": se,
        "opt": sums["opt"] / n,
        "additive": cost / sums["opt"] - harmonic(k),
        "additive_se": se,
        "budget_earned": sums["earned"] / n,
        "budget_spent": sums["spent"] / n,
    }


def _variance_of_mean(values: Values, sums: Sums) -> Fraction:
    """Of the cost of a phase: between phases where they are independent, else between blocks (ratio estimator)."""
    n: int = sums["phases"]
    mean = Fraction(sums["cost"], n)
    if values["policy"] in REGENERATING:
        return Fraction(sums["square"] - n * mean * mean) / (n * max(1, n - 1))
    squares = sums["block_square"] - 2 * mean * sums["block_product"] + mean * mean * sums["block_phases"]
    blocks: int = sums["blocks"]
    return Fraction(squares) * Fraction(blocks, max(1, blocks - 1) * n * n)


def exact(values: Values, k_max: int) -> Callable[[int], Fraction | float | None]:
    """The exact additive term as a function of k: a Fraction for k <= 64, a float beyond; None where not known."""
    policy, adversary = values["policy"], values["adversary"]
    if _exact_curve(values):
        rule = {"tau": values["tau"], "budget": values["budget"]}
        curve = exact_values.additive_terms(k_max, **rule)
        return lambda k: exact_values.additive_term(k, **rule) if k <= 64 else curve[k]
    if policy == "opt" or (policy == "rpb-om" and values["predictions"] == "perfect"):
        return lambda k: 1 - exact_values.harmonic(k) if k <= 64 else 1 - harmonic(k)
    if policy in ("lru", "fifo") and adversary == "cyclic":
        return lambda k: k - exact_values.harmonic(k) if k <= 64 else k - harmonic(k)
    # these start every phase with the support in the cache and evict pages not yet requested in it; neither they nor
    # the order of an oblivious adversary's requests know of each other, so the missing page is uniform: H_k a phase
    if policy in ("onlinemin", "marker") or (policy == "lru" and adversary != "cyclic"):
        return lambda _: Fraction(0)
    return lambda _: None


def trace(path: str, ks: Sequence[int], values: Values, seed: int) -> list[dict[str, Any]]:
    """Policies over a real trace: a row for each k and policy."""
    from sweeps.simulators.paging.simulate import simulate
    from sweeps.simulators.paging.traces import read_trace

    policies = [named("policy", p, POLICIES) for p in (values["policy"] or ",".join(POLICIES)).split(",")]
    predictions = values["predictions"] or "perfect"
    parse_predictions(predictions)
    budget = named("budget", values["budget"], BUDGETS)
    requests = read_trace(path)
    rows = []
    for k in ks:
        for policy in policies:
            costs = simulate(
                requests,
                k=k,
                policy=policy,
                predictions=predictions,
                seed=seed,
                tau=values["tau"],
                budget=budget,
            )
            rows.append({**costs.to_dict(), "ratio": costs.faults / costs.opt, "h_k": harmonic(k)})
    return rows
