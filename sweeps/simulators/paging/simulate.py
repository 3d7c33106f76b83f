"""Any policy on any request sequence: the door for programs, and the one place that calls the policies' kernels."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from exact import floor_div_e
from sweeps.simulators.paging import kernels, layers
from sweeps.simulators.paging.options import BUDGETS, LEARNING, POLICIES, named
from sweeps.simulators.paging.predictions import predict
from sweeps.simulators.paging.state import start

Faults = NDArray[np.bool_]
MAX_KEY = np.finfo(np.float64).max  # infinity marks an empty place of the trees


@dataclass(frozen=True)
class Costs:
    """What a policy paid on a request sequence, beside what OPT pays.

    ``faults``, ``opt`` and ``l0`` count requests; ``opt`` is Belady's cost, ``l0`` the number of L_0 requests of
    the work-function layers, counted independently (they are equal). ``budget_earned`` and ``budget_spent`` are
    RPB-OM's (the tau granted at an L_0 fault is spent, not earned); 0 for other policies. ``fault_vector[t]`` is
    True where request t faulted.
    """

    policy: str
    k: int
    requests: int
    pages: int
    faults: int
    opt: int
    l0: int
    budget_earned: int
    budget_spent: int
    fault_vector: Faults = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """All but the fault vector, as JSON-able values."""
        return {name: value for name, value in vars(self).items() if name != "fault_vector"}


@dataclass(frozen=True)
class Instance:
    """A request sequence with everything a policy may read; pages 0..k-1 are cached at the start, oldest first."""

    k: int
    pages: int
    requests: NDArray[np.int32]
    draws: NDArray[np.float64]  # [k + requests], see kernels.py and layers.py
    predictions: NDArray[np.float64] | None = None  # [k + requests]; None: all equal


def serve(policy: str, instance: Instance, *, tau: int, budget: str) -> tuple[Faults, int | None, int, int]:
    """Fault vector, L_0 requests (None: the policy has no layers), budget earned and spent of one policy."""
    k, pages, requests, draws = instance.k, instance.pages, instance.requests, instance.draws
    fault = np.zeros(requests.size, np.bool_)
    if policy == "rpb-om":
        predictions = np.zeros(draws.size) if instance.predictions is None else instance.predictions
        keys = np.clip(-predictions, -MAX_KEY, MAX_KEY)
        earns = (floor_div_e(k + 2)[2:] - 2).astype(np.int32)
        setting = (k, min(tau, requests.size), int(budget == "on-request"))
        state = start(pages, requests.size, draws[:k], keys[:k])
        return fault, *layers.rpb_om(state, setting, requests, draws[k:], keys[k:], earns, fault)
    if policy == "onlinemin":
        state = start(pages, requests.size, draws[:k], draws[:k])
        return fault, layers.onlinemin(state, requests, draws[k:], fault), 0, 0
    if policy in ("random", "marker"):
        getattr(kernels, policy)(k, pages, requests, draws, fault)
    elif policy == "opt":
        kernels.opt(k, pages, requests, kernels.next_arrivals(k, pages, requests), fault)
    else:
        getattr(kernels, policy)(k, pages, requests, fault)
    return fault, None, 0, 0


def count_l0(instance: Instance) -> int:
    """L_0 requests: what OPT pays."""
    first = np.zeros(instance.requests.size, np.bool_)
    return int(kernels.phases(instance.k, instance.pages, instance.requests, first))


def simulate(
    requests: Sequence[Hashable] | NDArray[Any],
    *,
    k: int,
    policy: str,
    predictions: str | ArrayLike | None = None,
    cache: Sequence[Hashable] | None = None,
    seed: int = 0,
    tau: int = 0,
    budget: str = "on-fault",
) -> Costs:
    """Serve ``requests`` (page ids, integers or strings) with a cache of ``k`` pages and count the faults.

    ``policy``: lru, fifo, random, marker, opt, onlinemin or rpb-om (with ``tau`` and ``budget``, on-fault or
    on-request). ``cache``: the k pages cached at the start, oldest first; without it they are pages that are never
    requested. ``predictions``: the predicted next arrival (a time; request t is at time t) of each start page and
    then of each request's page, k + len(requests) numbers, or len(requests) when ``cache`` is not given; or a
    model: perfect, reversed, random, lognormal:S, normal:S. Only rpb-om reads them; without them all are equal,
    and of equal predictions the least recently requested page counts as furthest.

    Raises ValueError or TypeError for anything out of range. Source: Chen et al., arXiv 2606.01342, and the
    papers named in the kernels.

    >>> import sweeps
    >>> costs = sweeps.simulate("paging", [0, 1, 2, 0, 3, 0, 1], k=2, policy="lru")
    >>> costs.faults, costs.opt, costs.l0
    (6, 5, 5)
    """
    policy = named("policy", policy, POLICIES)
    budget = named("budget", budget, BUDGETS)
    if not (isinstance(k, int | np.integer) and k >= 1):
        raise ValueError(f"k must be an integer of at least 1; got {k!r}")
    if not (isinstance(tau, int | np.integer) and tau >= 0):
        raise ValueError(f"tau must be an integer of at least 0; got {tau!r}")
    k = int(k)
    ids, pages = _dense(requests, k, cache)
    draw_seed, noise_seed = np.random.SeedSequence(seed).spawn(2)
    times = _predicted(predictions, k, pages, ids, cache is None, noise_seed) if policy in LEARNING else None
    draws = np.random.default_rng(draw_seed).random(k + ids.size)
    instance = Instance(k, pages, ids, draws, times)
    fault, l0, earned, spent = serve(policy, instance, tau=tau, budget=budget)
    opt = fault if policy == "opt" else serve("opt", instance, tau=0, budget=budget)[0]
    return Costs(
        policy=policy,
        k=k,
        requests=ids.size,
        pages=int(np.unique(ids).size),
        faults=int(fault.sum()),
        opt=int(opt.sum()),
        l0=count_l0(instance) if l0 is None else int(l0),
        budget_earned=int(earned),
        budget_spent=int(spent),
        fault_vector=fault,
    )


def _dense(
    requests: Sequence[Hashable] | NDArray[Any], k: int, cache: Sequence[Hashable] | None
) -> tuple[NDArray[np.int32], int]:
    """Page ids as 0..pages-1 with the start cache first."""
    if isinstance(requests, np.ndarray) and requests.dtype.kind in "iu" and cache is None:
        unique, inverse = np.unique(requests, return_inverse=True)
        return (inverse.ravel() + k).astype(np.int32), k + unique.size
    listed = requests.tolist() if isinstance(requests, np.ndarray) else list(requests)
    start = list(range(-k, 0)) if cache is None else list(cache)
    for page in (*listed, *start):
        if not isinstance(page, int | str | np.integer):
            raise TypeError(f"requests must be page ids, integers or strings; got {page!r}")
    if len(start) != k or len(set(start)) != k:
        raise ValueError(f"cache must hold k={k} different pages; got {len(start)}, {len(set(start))} different")
    index: dict[Hashable, int] = {} if cache is None else {page: i for i, page in enumerate(start)}
    offset = k if cache is None else 0
    ids = np.fromiter((index.setdefault(page, len(index)) for page in listed), np.int32, len(listed))
    return ids + np.int32(offset), len(index) + offset


def _predicted(
    predictions: str | ArrayLike | None,
    k: int,
    pages: int,
    ids: NDArray[np.int32],
    fresh: bool,
    seed: np.random.SeedSequence,
) -> NDArray[np.float64] | None:
    if predictions is None:
        return None
    if isinstance(predictions, str):
        return predict(predictions, kernels.next_arrivals(k, pages, ids), ids.size, seed)
    times = np.asarray(predictions, np.float64)
    if fresh and times.shape == ids.shape:
        times = np.concatenate([np.full(k, np.inf), times])
    if times.shape != (k + ids.size,):
        raise ValueError(
            f"predictions must be k + requests = {k + ids.size} times, the start pages' first; got {times.shape}"
        )
    if np.isnan(times).any():
        raise ValueError("predictions must not be NaN; got NaN at " + str(int(np.isnan(times).argmax())))
    return times
