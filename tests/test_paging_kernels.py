"""Kernels against the reference, against independent implementations, and against laws that are known."""

from collections import Counter
from pathlib import Path

import cachetools
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import paging_instances

import sweeps
from sweeps.simulators.paging import kernels, layers, reference
from sweeps.simulators.paging.adversaries import ADVERSARIES
from sweeps.simulators.paging.layers import LAST, NEXT_PLACE
from sweeps.simulators.paging.options import POLICIES
from sweeps.simulators.paging.simulate import Instance, count_l0, serve
from sweeps.simulators.paging.state import start
from sweeps.simulators.paging.traces import read_trace

TRACES = sorted((Path(__file__).parents[2] / "shared" / "traces").glob("*.gz"))
needs_traces = pytest.mark.skipif(not TRACES, reason="the folder of real traces is not beside the project")


def both(policy, k, requests, predictions, draws, **rule):
    """(kernel, reference) as (fault vector, L_0 requests, earned, spent) with pages 0..k-1 cached."""
    pages = max(k - 1, *requests) + 1
    instance = Instance(k, pages, np.array(requests, np.int32), np.array(draws), np.array(predictions, float))
    fault, l0, earned, spent = serve(policy, instance, tau=rule.get("tau", 0), budget=rule.get("budget", "on-fault"))
    slow = reference.run(policy, requests, k=k, cache=range(k), predictions=predictions, draws=draws, **rule)
    assert l0 in (None, count_l0(instance))
    return (tuple(fault.tolist()), count_l0(instance), earned, spent), (slow.faults, slow.l0, slow.earned, slow.spent)


@pytest.mark.parametrize("policy", POLICIES)
@given(instance=paging_instances())
def test_kernel_equals_reference(policy, instance):
    fast, slow = both(policy, *instance)
    assert fast == slow


@pytest.mark.parametrize("budget", ["on-fault", "on-request"])
@given(instance=paging_instances(max_k=12, max_requests=60), tau=st.integers(0, 3))
def test_rpb_om_kernel_equals_reference_with_any_budget(budget, instance, tau):
    fast, slow = both("rpb-om", *instance, tau=tau, budget=budget)
    assert fast == slow


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("k", [1, 2, 9, 33])
def test_kernel_equals_reference_over_long_lazy_and_random_sequences(policy, k):
    """Long enough for many compactions of the trees and for budgets to be earned."""
    rng = np.random.default_rng(k)
    lazy = ADVERSARIES["lazy"](k, 12, np.random.SeedSequence(k))[0]
    for requests in (lazy, rng.integers(0, 3 * k + 2, 400).astype(np.int32), rng.zipf(1.3, 400) % (5 * k)):
        requests = requests.astype(np.int32)
        arrival = kernels.next_arrivals(k, max(k - 1, *requests) + 1, requests)
        for times in (-arrival, arrival, rng.random(arrival.size)):
            fast, slow = both(policy, k, requests.tolist(), times.tolist(), rng.random(k + requests.size).tolist())
            assert fast == slow


@pytest.mark.parametrize(("budget", "earned"), [("on-fault", 6), ("on-request", 0)])
def test_the_two_budget_rules_differ_on_long_lazy_sequences_as_the_reference_says(budget, earned):
    lazy = ADVERSARIES["lazy"](33, 12, np.random.SeedSequence(33))[0]
    times = (-kernels.next_arrivals(33, 33 + 12, lazy)).tolist()
    draws = np.random.default_rng(0).random(33 + lazy.size).tolist()
    fast, slow = both("rpb-om", 33, lazy.tolist(), times, draws, budget=budget)
    assert fast == slow
    assert (fast[2] >= earned) if earned else fast[2] == 0


@given(instance=paging_instances(max_k=6))
def test_trees_hold_what_the_definition_says_at_every_step(instance):
    """Cache, layers, validity and s_j of the kernel's state after each request of OnlineMin."""
    k, requests, _, draws = instance
    slow = reference.Layers(range(k))
    caches = []
    reference.run(
        "onlinemin",
        requests,
        k=k,
        cache=range(k),
        draws=draws,
        observe=lambda _t, _p, cache, _layers: caches.append(cache),
    )
    for t, page in enumerate(requests):
        state = _state_after(k, requests[: t + 1], draws)
        slow.request(page)
        cached = {int(p) for p in state.page if p >= 0}
        assert cached == caches[t]
        assert slow.is_valid(cached)
        assert _layers_of(state, k + 5) == slow.sets
        assert _slacks(state) == [len(cached & set.union(*slow.sets[: j + 1])) - j - 1 for j in range(k)]


def _state_after(k, requests, draws):
    """OnlineMin's kernel, step by step, by its own pieces."""
    s = start(k + 5, len(requests), np.array(draws[:k]), np.array(draws[:k]))
    layers._compact(s)
    for t, p in enumerate(requests):
        r = layers._block(s, p)
        if r < 0:
            r = s.at[LAST]
            s.priority[p] = draws[k + t]
        x = s.place[p]
        if x >= 0:
            layers._clear(s.low, x)
            s.page[x] = -1
        else:
            layers._evict(s, layers._least(s.low, layers._first_tight(s.most, s.add, s.end[r])), s.end[r])
        layers._merge_down(s, r)
        layers._append(s, p)
        if s.at[NEXT_PLACE] == s.page.size:
            layers._compact(s)
    return s


def _layers_of(state, pages):
    roots = [int(r) for r in state.block if r >= 0]
    members = {r: set() for r in roots}
    for p in range(pages):
        r = layers._block(state, p)
        if r >= 0:
            members[r].add(p)
    return [members[r] for r in roots]


def _slacks(state):
    size = state.page.size
    values = []
    for x in range(size):
        if state.block[x] >= 0:
            i = size + x
            value = int(state.most[i])
            while i > 1:
                i >>= 1
                value += int(state.add[i])
            values.append(value)
    return values


@given(instance=paging_instances())
def test_opt_cost_is_the_number_of_l0_requests(instance):
    k, requests, *_ = instance
    costs = sweeps.simulate("paging", requests, k=k, policy="opt", cache=list(range(k)))
    assert costs.faults == costs.opt == costs.l0 == sum(reference.run("opt", requests, k=k, cache=range(k)).faults)


@given(instance=paging_instances(max_k=12, max_requests=80), budget=st.sampled_from(["on-fault", "on-request"]))
def test_rpb_om_with_perfect_predictions_costs_opt(instance, budget):
    k, requests, *_ = instance
    cache = list(range(k))
    costs = sweeps.simulate("paging", requests, k=k, policy="rpb-om", predictions="perfect", cache=cache, budget=budget)
    assert costs.faults == costs.opt
    assert costs.budget_spent == 0


@given(instance=paging_instances(max_k=30, max_requests=120), tau=st.integers(0, 2))
def test_on_request_never_earns_budget(instance, tau):
    k, requests, predictions, draws = instance
    fast, _ = both("rpb-om", k, requests, predictions, draws, tau=tau, budget="on-request")
    assert fast[2] == 0


def test_cyclic_requests_cost_lru_and_fifo_k_times_opt_exactly():
    for k in (2, 5, 16, 100):
        requests, _, _ = ADVERSARIES["cyclic"](k, 7, np.random.SeedSequence(0))
        for policy in ("lru", "fifo"):
            costs = sweeps.simulate("paging", requests.tolist(), k=k, policy=policy, cache=list(range(k)))
            assert (costs.faults, costs.opt, costs.l0) == (7 * k, 7, 7)


@pytest.mark.parametrize("adversary", ["lazy", "cyclic", "uniform"])
@pytest.mark.parametrize("k", [1, 2, 3, 17])
def test_each_phase_of_an_adversary_starts_with_the_l0_request_and_has_no_other(adversary, k):
    requests, starts, pages = ADVERSARIES[adversary](k, 9, np.random.SeedSequence(4))
    first = np.zeros(requests.size, np.bool_)
    assert kernels.phases(k, pages, requests, first) == 9
    assert np.flatnonzero(first).tolist() == starts.tolist()


def test_lazy_adversary_orders_are_uniform():
    """k = 3: the two requests after the new page are each of the 6 ordered pairs of old pages equally often."""
    requests, _, _ = ADVERSARIES["lazy"](3, 6000, np.random.SeedSequence(1))
    rows = requests.reshape(-1, 3)
    previous = np.vstack([[0, 1, 2], rows[:-1]])
    pairs = Counter(
        tuple(before.tolist().index(p) for p in row[1:]) for before, row in zip(previous, rows, strict=True)
    )
    assert len(pairs) == 6
    assert all(abs(n - 1000) < 5 * 29 for n in pairs.values())  # sd of a count: 28.9


def naive_opt(requests, k):
    """Belady with a scan of the cache at every fault."""
    later, upcoming = [0] * len(requests), {}
    for t in range(len(requests) - 1, -1, -1):
        later[t] = upcoming.get(requests[t], len(requests))
        upcoming[requests[t]] = t
    cached, faults = {}, 0
    for t, p in enumerate(requests):
        if p not in cached:
            faults += 1
            if len(cached) == k:
                del cached[max(cached, key=cached.__getitem__)]
        cached[p] = later[t]
    return faults


@needs_traces
@pytest.mark.slow
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_counts_on_real_traces_equal_independent_ones(path):
    requests = list(read_trace(str(path)))
    for k in (10, 100):
        for policy, cache in (("lru", cachetools.LRUCache(k)), ("fifo", cachetools.FIFOCache(k))):
            misses = 0
            for page in requests:
                if cache.get(page) is None:
                    misses += 1
                    cache[page] = True
            assert sweeps.simulate("paging", requests, k=k, policy=policy).faults == misses
        costs = sweeps.simulate("paging", requests, k=k, policy="opt")
        assert costs.opt == costs.l0 == naive_opt(requests, k)


@needs_traces
@pytest.mark.slow
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
@pytest.mark.parametrize(("k", "most"), [(8, None), (40, 4000)])
def test_every_policy_equals_its_reference_on_real_traces(path, k, most):
    """The reference of OPT looks through all that is to come at every fault: it gets the first 4,000 requests."""
    index = {}
    requests = [k + index.setdefault(page, len(index)) for page in list(read_trace(str(path)))[:most]]
    arrival = kernels.next_arrivals(k, k + len(index), np.array(requests, np.int32))
    draws = np.random.default_rng(k).random(k + len(requests)).tolist()
    for policy in POLICIES:
        for times in (arrival, -arrival) if policy == "rpb-om" else (arrival,):
            n = 4000 if policy == "opt" else len(requests)
            fast, slow = both(policy, k, requests[:n], times.tolist()[: k + n], draws[: k + n])
            assert fast == slow, policy
