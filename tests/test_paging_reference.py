"""The slow paging simulator: layers, policies, and the laws that each must keep, all exact."""

from fractions import Fraction
from itertools import cycle, islice
from types import SimpleNamespace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exact import harmonic
from sweeps.simulators.paging.enumeration import expected_cost
from sweeps.simulators.paging.reference import POLICIES, Layers, run

budgets = st.sampled_from(["on-fault", "on-request"])


@st.composite
def instances(draw, k_max=4, length=14):
    """A cache 0..k-1 in some order, requests to a few pages more, predictions (ties likely), priorities."""
    k = draw(st.integers(1, k_max))
    requests = draw(st.lists(st.integers(0, k + 2), max_size=length))
    n = k + len(requests)
    return SimpleNamespace(
        k=k,
        requests=requests,
        cache=draw(st.permutations(range(k))),
        predictions=draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)),
        draws=draw(st.permutations(range(n))),
    )


def start(case):
    return {"k": case.k, "cache": case.cache}


def perfect(case):
    """The true next arrivals of the start pages and of each request's page; n when there is none."""
    n = len(case.requests)
    places = [(page, 0) for page in case.cache] + [(page, t + 1) for t, page in enumerate(case.requests)]
    return [next((t for t in range(after, n) if case.requests[t] == page), n) for page, after in places]


def cheapest(case):
    """OPT by dynamic programming over all caches: nothing of layers or of Belady in it."""
    costs = {frozenset(case.cache): 0}
    for page in case.requests:
        after = {}
        for cache, cost in costs.items():
            nexts = [cache] if page in cache else [cache - {victim} | {page} for victim in cache]
            for new in nexts:
                after[new] = min(after.get(new, cost + 1), cost + (page not in cache))
        costs = after
    return min(costs.values())


def caches(policy, case, **options):
    """What observe saw: (page, cache, layers' sets, validity), a request each."""
    seen = []

    def observe(_t, page, cache, layers):
        seen.append((page, cache, [set(s) for s in layers.sets], layers.is_valid(cache)))

    run(policy, case.requests, **start(case), observe=observe, **options)
    return seen


# Layers


@given(instances())
def test_u_jumps_to_k_less_one_and_falls_by_one_at_unrevealed_pages_only(case):
    layers = Layers(case.cache)
    for page in case.requests:
        before, index = layers.unrevealed(), layers.index(page)
        layers.request(page)
        expected = case.k - 1 if index == 0 else before - (index <= before)
        assert layers.unrevealed() == expected


@given(instances())
def test_layers_stay_disjoint_and_filled_and_end_with_the_requested_page(case):
    layers = Layers(case.cache)
    for page in case.requests:
        layers.request(page)
        assert len(layers.sets) == case.k
        assert all(layers.sets)
        assert sum(map(len, layers.sets)) == len(set().union(*layers.sets))
        assert layers.sets[-1] == {page}


@given(instances())
def test_opt_faults_once_for_each_request_outside_the_support_and_no_schedule_does_better(case):
    out = run("opt", case.requests, **start(case))
    assert sum(out.faults) == out.l0 == cheapest(case)


@given(instances())
def test_opt_keeps_a_valid_cache_at_every_step(case):
    assert all(valid for *_, valid in caches("opt", case))


def test_a_cache_is_invalid_with_two_pages_in_the_first_layer_or_one_outside_the_support():
    layers = Layers([0, 1])
    layers.request(2)  # {0, 1}, {2}
    assert layers.is_valid({0, 2})
    assert not layers.is_valid({0, 1})
    assert not layers.is_valid({2, 7})


# Policies, worked by hand


def test_fifo_evicts_in_order_of_entry_and_lru_in_order_of_use():
    assert run("fifo", [0, 2, 0], k=2, cache=[0, 1]).faults == (False, True, True)
    assert run("lru", [0, 2, 0], k=2, cache=[0, 1]).faults == (False, True, False)


@given(instances(), st.sampled_from(["LRU", "FIFO"]))
def test_lru_and_fifo_agree_with_cachetools(case, name):
    cachetools = pytest.importorskip("cachetools")
    cache, faults = getattr(cachetools, f"{name}Cache")(case.k), []
    for page in case.cache:
        cache[page] = True
    for page in case.requests:
        faults.append(cache.get(page) is None)
        if faults[-1]:
            cache[page] = True
    assert run(name.lower(), case.requests, **start(case)).faults == tuple(faults)


@pytest.mark.parametrize("policy", ["lru", "fifo"])
@pytest.mark.parametrize("k", [1, 3, 6])
def test_cyclic_requests_cost_lru_and_fifo_k_times_what_opt_pays(policy, k):  # Sleator & Tarjan 1985
    requests = list(islice(cycle([k, *range(k)]), 4 * k))
    out = run(policy, requests, k=k, cache=range(k))
    assert all(out.faults)
    assert sum(run("opt", requests, k=k, cache=range(k)).faults) == out.l0 == 4


def test_random_evicts_the_slot_that_its_draw_names_and_the_new_page_takes_the_slot():
    draws = [0, 0, 0, Fraction(1, 3), Fraction(2, 3), Fraction(1, 3)]  # slots 1, 2, 1 of 0 1 2
    seen = caches("random", SimpleNamespace(k=3, cache=[0, 1, 2], requests=[3, 4, 1]), draws=draws)
    assert [sorted(cache) for _, cache, *_ in seen] == [[0, 2, 3], [0, 3, 4], [0, 1, 4]]


def test_markers_list_moves_its_last_page_into_the_place_of_one_that_leaves():
    # phase: list 0 1 2 3; victim 0 (list 3 1 2); hit on 3 (list 2 1); victim 2 (list 1); victim 1 (empty);
    # then a new phase lists the slots 4 6 5 3 and draw 0.3 takes the second
    case = SimpleNamespace(k=4, cache=[0, 1, 2, 3], requests=[4, 3, 5, 6, 7])
    draws = [0, 0, 0, 0, 0, 0.9, 0, 0.99, 0.3]
    seen = caches("marker", case, draws=draws)
    assert [sorted(c) for _, c, *_ in seen] == [
        [1, 2, 3, 4],
        [1, 2, 3, 4],
        [1, 3, 4, 5],
        [3, 4, 5, 6],
        [3, 4, 5, 7],
    ]


def test_marker_starts_marked_so_that_this_sequence_keeps_its_bound():  # from an unmarked start it costs 5/2
    assert expected_cost("marker", [0, 2, 1, 2], 2, cache=[0, 1]) == Fraction(3, 2)


def test_of_equal_predictions_the_least_recently_requested_page_is_furthest():
    case = SimpleNamespace(k=3, cache=[2, 0, 1], requests=[2, 3])
    assert caches("rpb-om", case, draws=[0] * 5)[-1][1] == {1, 2, 3}  # 0 is the oldest once 2 was requested


def test_rpb_om_evicts_by_prediction_at_l0_and_by_priority_after_it():
    case = SimpleNamespace(k=3, cache=[0, 1, 2], requests=[3, 1])
    seen = caches("rpb-om", case, predictions=[0, 9, 0, 0, 0], draws=[5, 0, 1, 2, 0])
    assert [sorted(cache) for _, cache, *_ in seen] == [[0, 2, 3], [0, 1, 3]]


def test_rpb_om_with_tau_evicts_by_prediction_once_more_and_counts_it_as_spent():
    case = SimpleNamespace(k=3, cache=[0, 1, 2], requests=[3, 1])
    options = {"predictions": [8, 9, 0, 0, 0], "draws": [5, 0, 1, 2, 0], "tau": 1}
    assert caches("rpb-om", case, **options)[-1][1] == {1, 2, 3}
    out = run("rpb-om", case.requests, **start(case), **options)
    assert (out.earned, out.spent) == (0, 1)


def test_a_request_to_l0_sets_the_budget_to_tau_rather_than_adding_tau():
    options = {"predictions": [9, 8, 0, 0, 0, 0, 0, 0], "draws": [0] * 8, "tau": 1}
    out = run("rpb-om", [4, 5, 0, 1], k=4, cache=[0, 1, 2, 3], **options)  # 0, then 1 evicted: all four fault
    assert (sum(out.faults), out.l0, out.spent) == (4, 2, 1)


# Laws


@given(instances(), st.sampled_from(["onlinemin", "rpb-om"]), st.integers(0, 2), budgets)
def test_onlinemin_and_rpb_om_keep_a_valid_cache_at_every_step(case, policy, tau, budget):
    options = {"predictions": case.predictions, "draws": case.draws, "tau": tau, "budget": budget}
    assert all(valid and page in cache for page, cache, _, valid in caches(policy, case, **options))


@given(instances())
def test_onlinemin_keeps_the_highest_priorities_layer_by_layer(case):  # Brodal, Moruz, Negoescu 2015
    layers, priority = Layers(case.cache), dict(zip(case.cache, case.draws, strict=False))
    seen = caches("onlinemin", case, draws=case.draws)
    for t, page in enumerate(case.requests):
        if layers.request(page):
            priority[page] = case.draws[case.k + t]
        kept = set()
        for i, layer in enumerate(layers.sets, start=1):
            kept = set(sorted(kept | layer, key=priority.__getitem__)[-i:])
        assert seen[t][1] == kept


@given(instances(), st.integers(0, 3), budgets)
def test_rpb_om_with_perfect_predictions_costs_opt_for_every_tau_and_budget_rule(case, tau, budget):
    out = run(
        "rpb-om",
        case.requests,
        **start(case),
        predictions=perfect(case),
        draws=case.draws,
        tau=tau,
        budget=budget,
    )
    assert sum(out.faults) == out.l0


@settings(max_examples=200)
@given(instances(k_max=12, length=40), st.integers(0, 2))
def test_budget_on_request_is_never_earned(case, tau):
    out = run(
        "rpb-om",
        case.requests,
        **start(case),
        predictions=case.predictions,
        draws=case.draws,
        tau=tau,
        budget="on-request",
    )
    assert out.earned == 0
    assert out.spent <= tau * out.l0


@settings(max_examples=60, deadline=None)
@given(instances(k_max=3, length=9))
def test_onlinemin_costs_at_most_the_harmonic_number_times_opt(case):  # Brodal, Moruz, Negoescu 2015
    opt = cheapest(case)
    assume(case.k + opt <= 6)
    assert expected_cost("onlinemin", case.requests, case.k, cache=case.cache) <= harmonic(case.k) * opt


@settings(max_examples=100, deadline=None)
@given(instances(k_max=3, length=9))
def test_marker_costs_at_most_twice_the_harmonic_number_less_one_times_opt(case):  # Achlioptas et al. 2000
    cost = expected_cost("marker", case.requests, case.k, cache=case.cache)
    assert cost <= (2 * harmonic(case.k) - 1) * cheapest(case)


# Errors


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policy": "mru"}, "policy='mru' must be one of lru, fifo, "),
        ({"k": 0, "cache": []}, "k=0 must be at least 1"),
        ({"cache": [0, 0]}, r"cache=\[0, 0\] must hold k=2 different pages"),
        ({"k": 3}, r"cache=\[0, 1\] must hold k=3 different pages"),
        ({"tau": -1}, "tau=-1 must be at least 0"),
        ({"budget": "never"}, "budget='never' must be on-fault or on-request"),
        ({"predictions": [0]}, r"predictions must hold k \+ len\(requests\) = 3 numbers; got 1"),
        ({"draws": None}, r"draws must hold k \+ len\(requests\) = 3 numbers; got no list"),
        ({"policy": "random", "draws": [0, 0, 1]}, "draws must be at least 0 and below 1; got 0 to 1"),
    ],
)
def test_bad_arguments_are_named_in_the_message(changes, message):
    options = {"policy": "rpb-om", "k": 2, "cache": [0, 1], "draws": [0, 0, 0], **changes}
    with pytest.raises(ValueError, match=f"^{message}"):
        run(options.pop("policy"), [2], **options)


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_serves_a_cache_of_one_page_the_same_way(policy):
    out = run(policy, [0, 1, 1, 0], k=1, cache=[0], draws=[0] * 5)
    assert out.faults == (False, True, False, True)
    assert out.l0 == 2
