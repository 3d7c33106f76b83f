"""Valid certificates of every kind, and the truth of certificates, found without the checker."""

from fractions import Fraction

from stepping import above_lambda_max, diameter2, first_violation, product, states

import exact
from exact import certificates
from sweeps.simulators.paging.enumeration import expected_cost
from sweeps.simulators.paging.reference import run

PERTURBED = 3240000000000000000021600000000000000000036


def belady(requests, cache):
    """What an optimal schedule evicts at each request; None at a hit."""
    cached, evicted = list(cache), []
    for t, page in enumerate(requests):
        after = requests[t + 1 :]
        if page in cached:
            evicted.append(None)
            continue
        victim = max(cached, key=lambda p: after.index(p) if p in after else len(after))
        cached[cached.index(victim)] = page
        evicted.append(victim)
    return evicted


def excess(policy, requests, cache, c, **rule):
    cost = expected_cost(policy, requests, len(cache), cache=cache, **rule)
    schedule = belady(requests, cache)
    return certificates.exceeds(
        requests, cache=cache, policy=policy, c=c, cost=cost, offline=schedule, rule=rule or None
    )


def valid():
    first, never, value = certificates.first_violation, certificates.never_violated, certificates.exact_value
    fixture = [[-9, -74], [-67, 31], [73, -39], [42, 55]]
    learning = {"tau": 0, "budget": "on-fault", "predictions": [9, 1, 0, 4, 8, 2, 3, 1]}
    return [
        first([[4], [-1]], k1=225),
        first([["4"], [-1]], k1=225, index="state"),
        first([[410], [-371]], k1=6417),
        first([["200000000000000000001/100000000000000000000"], [-1]], k1=PERTURBED),
        first([[-3, -1], [-2, -3], [0, 5], [6, 0]], b=[[1, 0], [0, 2]], k1=3801),
        first([[-6, -5], [-3, 5], [1, 0]], k1=22),
        first([[-3, -3], [0, -1], [0, 1]], b=[[1, 0], [0, 3]], k1=225),
        first([[2], [-1]], tie="avg", k1=576),
        first(fixture, k1=128587863),
        certificates.violated_from([[3], [-1]], state=2, separator=[3]),
        certificates.violated_from([[-6, -5], [-3, 5], [1, 0]], state=2, separator=separator_of_three()),
        never([[1], [-1]], reason="collapse", state=3),
        never([[2], [-1]], reason="kept token", state=2, tie="stay"),
        never([[1, 0], [-1, 0], [0, 1], [0, -1], [2, 2], [-2, -2]], reason="antipodal", state=0, tie="avg"),
        never([[1, 0], [-1, 0], [0, 1], [0, -1]], b=[[2, 1], [1, 1]], reason="closed form", state=3),
        value("137/144", k=9),
        value(exact.additive_term(32, tau=1), k=32, tau=1),
        value(exact.additive_term(20) + exact.harmonic(20), k=20, quantity="phase cost"),
        excess("lru", [3, 1, 2, 3, 1, 2, 3], [1, 2], "7/5"),
        excess("fifo", [3, 1, 2, 3, 1, 2], [1, 2], 1),
        excess("marker", [3, 1, 2, 3], [1, 2], "7/5"),
        excess("random", [3, 1, 3, 2], [1, 2], "5/4"),
        excess("onlinemin", [3, 1, 2, 4, 1], [1, 2], "1"),
        excess("rpb-om", [4, 2, 1, 3, 2], [1, 2, 3], "1", **learning),
    ]


def separator_of_three():
    *_, xs = states([[-6, -5], [-3, 5], [1, 0]], [[1, 0], [0, 1]], "low", 2)
    return exact.hull(xs).separator


VALID = valid()


def is_true(certificate):
    return TRUTH[certificate["kind"]](certificate)


def instance(certificate):
    tokens = [tuple(map(Fraction, x)) for x in certificate["tokens"]]
    b = [list(map(Fraction, row)) for row in certificate["b"]]
    weights = list(map(Fraction, certificate["weights"]))
    assert sum(weights) == 1
    assert min(weights) >= 0
    assert all(sum(w * x for w, x in zip(weights, column, strict=True)) == 0 for column in zip(*tokens, strict=True))
    assert b == [list(column) for column in zip(*b, strict=True)]
    assert any(certificate["statement"] == one["statement"] for one in VALID)
    return tokens, b, certificate["tie"]


def first_violation_is_true(certificate):
    tokens, b, tie = instance(certificate)
    k1 = int(certificate["k1"])
    assert int(certificate["label"]) == k1 - (certificate["index"] == "update")
    assert ("x_i^{t+1}> <=" in certificate["statement"]) == (certificate["index"] == "update")
    if k1 > 600 and len(b) == 1 and len(tokens) == 2:
        return line_is_true(*sorted(x[0] for x in tokens), k1)
    if k1 < 5000:
        return first_violation(tokens, b, tie, k1) == k1
    # a late violation off the line: true for the tokens of a known one (no ties there), in any order
    return any(
        sorted(tokens) == sorted(tuple(map(Fraction, x)) for x in one["tokens"])
        and [b, k1] == [[list(map(Fraction, row)) for row in one["b"]], int(one["k1"])]
        for one in VALID
        if one["kind"] == certificate["kind"]
    )


def line_is_true(low, high, k1):
    """Section 1 of the theory: two tokens on a line, whatever B > 0."""
    a, b = max(high, -low), min(high, -low)
    if a < 2 * b:
        return k1 == int(16 * ((a + b) / (a - b)) ** 2) + 1
    upper = [(a - 2 * b) / 3 + 2 * (a + b) / (k * (k + 1)) for k in (k1 - 1, k1)]  # it decreases, k times it rises
    return a > 2 * b and (k1 - 1) * upper[0] ** 2 <= 4 * (a + b) ** 2 < k1 * upper[1] ** 2


def violated_from_is_true(certificate):
    tokens, b, tie = instance(certificate)
    h, s, k = (
        list(map(Fraction, certificate["separator"])),
        int(certificate["state"]),
        int(certificate["from_k"]),
    )
    *_, xs = states(tokens, b, tie, min(s, 60))  # hulls are nested: what holds there holds later
    bound = Fraction(k) / (4 * diameter2(tokens) * product(b, h, h))
    return k >= max(s, 1) and all(product(b, h, x) >= 1 for x in xs) and above_lambda_max(bound, b)


def never_violated_is_true(certificate):
    tokens, b, tie = instance(certificate)
    for xs in states(tokens, b, tie, 25):
        images = [tuple(sum(c * y for c, y in zip(row, x, strict=True)) for row in b) for x in xs]
        if exact.hull(images).weights is None:
            return False
    return True


def exact_value_is_true(certificate):
    k, tau, budget = int(certificate["k"]), int(certificate["tau"]), certificate["budget"]
    value = exact.additive_term(k, tau=tau, budget=budget)
    if certificate["quantity"] == "phase cost":
        value += exact.harmonic(k)
    assert certificate["statement"].startswith(f"RPB-OM on the lazy adversary with reversed predictions, k = {k}, tau")
    assert certificate["statement"].endswith(f"= {certificate['value']}")
    return Fraction(certificate["value"]) == value


def cost_exceeds_is_true(certificate):
    requests, cache = list(map(int, certificate["requests"])), list(map(int, certificate["cache"]))
    policy = dict(certificate["policy"])
    name = policy.pop("name")
    if policy:
        policy["predictions"] = list(map(Fraction, policy["predictions"]))
        policy["tau"] = int(policy["tau"])
    cost = expected_cost(name, requests, len(cache), cache=cache, **policy)
    opt = sum(run("opt", requests, k=len(cache), cache=cache).faults)
    c = Fraction(certificate["c"])
    paid = sum(entry != "-" for entry in certificate["offline"])
    assert certificate["statement"].startswith(f"{name} on a cache of {len(cache)} pages costs at most {c} OPT")
    assert opt <= paid == int(certificate["offline_cost"])
    return cost == Fraction(certificate["cost"]) > c * opt


TRUTH = {
    "attention first violation": first_violation_is_true,
    "attention violated from": violated_from_is_true,
    "attention never violated": never_violated_is_true,
    "paging exact value": exact_value_is_true,
    "paging cost exceeds": cost_exceeds_is_true,
}
