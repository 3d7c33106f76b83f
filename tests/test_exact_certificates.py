"""Makers of certificates, and the paging costs that the checker computes on its own."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exact
from exact import certificates, verify
from sweeps.simulators.paging.enumeration import expected_cost


@st.composite
def sequences(draw):
    k = draw(st.integers(1, 3))
    page = st.integers(0, k + 2)
    requests = draw(st.lists(page, min_size=1, max_size=5))
    policy = draw(st.sampled_from(tuple(verify.BOUND_CLAIMS)))
    rule = {}
    if policy == "rpb-om":
        times = st.lists(st.integers(0, 3), min_size=k + len(requests), max_size=k + len(requests))
        rule = {
            "tau": draw(st.integers(0, 2)),
            "budget": draw(st.sampled_from(verify.BUDGETS)),
            "predictions": draw(times),
        }
    return policy, requests, list(range(k)), rule


@given(sequences())
@settings(max_examples=250, deadline=None)
def test_the_checker_expects_the_costs_that_the_reference_simulator_enumerates(sequence):
    policy, requests, cache, rule = sequence
    cached, offline = list(cache), []
    for page in requests:  # any schedule will do: the oldest page goes
        offline.append(None if page in cached else cached.pop(0))
        cached = [*(p for p in cached if p != page), page]
    made = certificates.exceeds(requests, cache=cache, policy=policy, c=0, cost=1, offline=offline, rule=rule or None)
    instance = verify._Instance(made, verify._Work())
    assert verify._expected_cost(instance) == expected_cost(policy, requests, len(cache), cache=cache, **rule)


@pytest.mark.parametrize("budget", verify.BUDGETS)
@pytest.mark.parametrize("tau", [0, 1, 3])
def test_values_of_the_recursion_are_those_of_the_exact_package(tau, budget):
    for k in [*range(1, 14), 16, 32, 64, 200]:
        value = exact.additive_term(k, tau=tau, budget=budget)
        assert exact.check(certificates.exact_value(value, k=k, tau=tau, budget=budget))
        cost = value + exact.harmonic(k)
        assert exact.check(certificates.exact_value(cost, k=k, tau=tau, budget=budget, quantity="phase cost"))
        with pytest.raises(verify.Rejected, match="is false: it is"):
            exact.check(certificates.exact_value(value + 1, k=k, tau=tau, budget=budget))


def test_lru_costs_k_times_opt_on_cyclic_requests():
    requests, cache = [3, 0, 1, 2] * 6, [0, 1, 2]
    offline, cached = [], list(cache)
    for t, page in enumerate(requests):
        after = requests[t + 1 :]
        if page in cached:
            offline.append(None)
        else:
            offline.append(max(cached, key=lambda p: after.index(p) if p in after else 99))
            cached[cached.index(offline[-1])] = page
    made = certificates.exceeds(requests, cache=cache, policy="lru", c="29/10", cost=24, offline=offline)
    assert exact.check(made) == "lru costs 24 > 29/10 * 8 >= c * OPT on this sequence (k = 3)"
    more = {**made, "c": "3", "statement": made["statement"].replace("29/10", "3")}
    with pytest.raises(verify.Rejected, match=r"the inequality is false: cost 24 <= c \* 8 = 24"):
        exact.check(more)
    with pytest.raises(verify.Rejected, match="must be a page cached then"):
        exact.check({**made, "offline": ["3", *made["offline"][1:]]})


def test_a_long_sequence_of_coin_flips_is_refused_before_it_fills_the_memory():
    requests = [t * t % 61 for t in range(3000)]
    made = certificates.exceeds(requests, cache=range(50), policy="random", c=1, cost=1, offline=[None] * 3000)
    with pytest.raises(verify.Rejected):
        exact.check(made)
    instance = verify._Instance(made, verify._Work())
    with pytest.raises(
        verify.Rejected, match="at most 200000 transitions between random states in this checker; it needs more"
    ):
        verify._expected_cost(instance)


def test_certificates_hold_text_lists_and_objects_only():
    def plain(value):
        if isinstance(value, dict):
            return all(isinstance(key, str) and plain(part) for key, part in value.items())
        return all(map(plain, value)) if isinstance(value, list) else isinstance(value, str)

    assert plain(certificates.first_violation([["1/2"], [Fraction(-1, 8)]], k1=144))
    assert plain(certificates.exact_value(Fraction(1, 2), k=2))


def test_the_least_k_is_the_least_that_the_separator_shows():
    for b in ([[1, 0], [0, 1]], [[2, 1], [1, 3]], [["1/7", 0], [0, 0]]):
        made = certificates.violated_from([[4, 0], [-1, 0]], b=b, state=2, separator=[40, -3])
        assert exact.check(made)
        with pytest.raises(verify.Rejected, match="isn't shown"):
            exact.check({**made, "from_k": str(int(made["from_k"]) - 1)})


def test_writing_replaces_a_file_in_one_step_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "one.json"
    path.write_text("old", encoding="utf-8")
    made = certificates.first_violation([[4], [-1]], k1=225)
    certificates.write(made, path)
    assert json.loads(path.read_text(encoding="utf-8")) == made
    with pytest.raises(TypeError):
        certificates.write({"kind": {1, 2}}, path)
    assert [p.name for p in tmp_path.iterdir()] == ["one.json"]
    assert json.loads(path.read_text(encoding="utf-8")) == made


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: certificates.first_violation([[1, 2], [3]], k1=1), "tokens must be one or more points"),
        (lambda: certificates.first_violation([], k1=1), "tokens must be one or more points"),
        (lambda: certificates.first_violation([[1], [2]], k1=1), "tokens must have the origin in their hull"),
        (lambda: certificates.first_violation([[1], [-1]], k1=0), "k1 must be an integer, at least 1; got 0"),
        (lambda: certificates.first_violation([[1], [-1]], k1=1, tie="high"), "tie must be one of low, avg, stay"),
        (lambda: certificates.first_violation([[1], [-1]], k1=1, index="t"), "index must be one of update, state"),
        (lambda: certificates.first_violation([[1], [-1]], k1=1, b=[[1, 0]]), "b must have 1 rows of 1 entries"),
        (lambda: certificates.violated_from([[1], [-1]], state=1, separator=[1, 2]), "separator must have 1 coord"),
        (lambda: certificates.never_violated([[1], [-1]], state=1, reason="luck"), "reason must be one of collapse"),
        (lambda: certificates.exact_value(1, k=0), "k must be an integer, at least 1"),
        (lambda: certificates.exceeds([1], cache=[0], policy="opt", c=1, cost=1, offline=[0]), "policy must be one"),
        (lambda: certificates.exceeds([1], cache=[0], policy="lru", c=1, cost=1, offline=[]), "offline must have"),
        (lambda: certificates.exceeds([1], cache=[0], policy="rpb-om", c=1, cost=1, offline=[0]), "rule must hold"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


def test_floats_make_no_certificate():
    with pytest.raises(TypeError, match=r"^tokens must .* write it as text"):
        certificates.first_violation([[0.5], [-1]], k1=1)


def test_the_limit_on_transitions_says_what_many_pages_leave_of_it():
    requests = list(range(5, 4005))
    one = certificates.exceeds(
        requests, cache=range(5), policy="marker", c=0, cost=4000, offline=[page - 5 for page in requests]
    )
    with pytest.raises(verify.Rejected, match=r"at most 200000 transitions .* \(here 40000: there are 4005 pages\)"):
        verify.check(one)
