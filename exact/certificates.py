"""Certificates as plain dicts: an instance, a witness and what they decide, for `exact/verify.py` to check.

Everything is text: rationals "p/q" in lowest terms, k's as decimal integers. A certificate carries only what the
checker recomputes and compares. These functions check the form, not the truth: `exact.check(certificate)` does.

>>> import exact
>>> exact.check(first_violation([[4], [-1]], k1=225))
'first violation at state 225, label 224 (index update, tie low)'
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from exact import verify
from exact.hull import hull
from exact.matrix import exceeds_lambda_max
from exact.rational import rational

Certificate = dict[str, Any]
Points = Sequence[Sequence[Any]]


def first_violation(
    tokens: Points, *, k1: int, b: Points | None = None, tie: str = "low", index: str = "update"
) -> Certificate:
    """The energy first exceeds the claimed bound at state k1 (no token at an earlier state, one or more at k1).

    `tokens`: n points of d rationals each (read by `exact.rational`) with the origin in their hull; `b`: d rows of
    d rationals, symmetric and positive semidefinite (None: the identity); `tie`: "low", "avg" or "stay"; `index`:
    "update" (the bound at t is on x^{t+1}: label k1 - 1) or "state" (label k1).

    Raises ValueError for ragged or empty tokens, the origin outside their hull, `b` of another shape, another tie
    or index, k1 < 1; TypeError for floats.

    >>> certificate = first_violation([["4.1"], ["-3.71"]], k1=6417, index="state")
    >>> certificate["tokens"], certificate["weights"], certificate["label"]
    ([['41/10'], ['-371/100']], ['371/781', '410/781'], '6417')
    """
    _one_of(index, verify.INDEXINGS, "index")
    k1 = _at_least(k1, 1, "k1")
    about = _attention("attention first violation", tokens, b, tie, index)
    return {**about, "index": index, "k1": str(k1), "label": str(k1 - (index == "update"))}


def violated_from(
    tokens: Points,
    *,
    state: int,
    separator: Sequence[Any],
    from_k: int | None = None,
    b: Points | None = None,
    tie: str = "low",
) -> Certificate:
    """Every token violates the bound at every state k >= from_k: the hull has lost ker B by the given state.

    `separator`: h, d rationals with <h, B x_j> >= 1 for the tokens x_j of that state (`exact.hull` of the B x_j
    gives one). `from_k` None: the least that h shows, max(state, floor(4 L D^2 <B h, h>) + 1). The other
    arguments and errors are those of `first_violation`.

    >>> violated_from([[3], [-1]], state=2, separator=[3])["from_k"]
    '577'
    """
    about = _attention("attention violated from", tokens, b, tie)
    h = [rational(x, name="separator") for x in separator]
    if len(h) != len(about["b"]):
        raise ValueError(f"separator must have {len(about['b'])} coordinates, as the tokens; got {len(h)}")
    state = _at_least(state, 0, "state")
    least = max(state, 1, _least_k(about, h) if from_k is None else _at_least(from_k, 1, "from_k"))
    return {**about, "state": str(state), "separator": _texts(h), "from_k": str(least)}


def never_violated(
    tokens: Points, *, reason: str, state: int, b: Points | None = None, tie: str = "low"
) -> Certificate:
    """The bound holds for ever, since the hull meets ker B at every step; J(x^k) <= (2/3) L D^2 / k then.

    `reason`, seen at the given state:
    "collapse": every token is in ker B;
    "kept token": one with B x = 0 stays for ever: any under tie "stay", the first of all under "low";
    "antipodal": under "avg", a point reflection in a point of ker B keeps the tokens, so it always will;
    "closed form": no leader changes any more, and the mean of two tokens that lead each other is in ker B.
    The other arguments and errors are those of `first_violation`.

    >>> never_violated([[1], [-1]], reason="collapse", state=3)["reason"]
    {'name': 'collapse', 'state': '3'}
    """
    _one_of(reason, tuple(verify.REASONS), "reason")
    about = _attention("attention never violated", tokens, b, tie)
    return {**about, "reason": {"name": reason, "state": str(_at_least(state, 0, "state"))}}


def exact_value(
    value: Any, *, k: int, tau: int = 0, budget: str = "on-fault", quantity: str = "additive term"
) -> Certificate:
    """RPB-OM against the lazy adversary: a phase's expected cost less H_k ("additive term"), or itself ("phase cost").

    Raises ValueError for k < 1, tau < 0, another budget or quantity; TypeError for a float value.

    >>> exact_value("137/144", k=9)["statement"][-44:]
    'on-fault: E[cost of a phase] - H_k = 137/144'
    """
    _one_of(budget, verify.BUDGETS, "budget")
    _one_of(quantity, tuple(verify.QUANTITIES), "quantity")
    k, tau, text = _at_least(k, 1, "k"), _at_least(tau, 0, "tau"), str(rational(value))
    statement = verify.RECURSION.format(k, tau, budget, verify.QUANTITIES[quantity], text)
    about = {"kind": "paging exact value", "claim": verify.RPB_OM_CLAIM, "statement": statement}
    return {**about, "k": str(k), "tau": str(tau), "budget": budget, "quantity": quantity, "value": text}


def exceeds(
    requests: Sequence[int],
    *,
    cache: Sequence[int],
    policy: str,
    c: Any,
    cost: Any,
    offline: Sequence[int | None],
    rule: Mapping[str, Any] | None = None,
) -> Certificate:
    """A policy's expected cost on these requests exceeds c times OPT's.

    `requests`, `cache`: pages, integers >= 0, the cache oldest first; `policy`: fifo, lru, marker, onlinemin, random
    or rpb-om; `cost`: the expected cost, rational; `offline`: what some schedule evicts at each request, None at a
    hit, so that its cost bounds OPT; `rule` for rpb-om: "tau", "budget", "predictions" (of the cache's pages, then one
    a request).

    Raises ValueError for an unknown policy, lists of the wrong length, a schedule that isn't one; TypeError for floats.

    >>> one = exceeds([3, 1, 2], cache=[1, 2], policy="lru", c=1, cost=3, offline=[1, 3, None])
    >>> one["offline"], one["offline_cost"]
    (['1', '3', '-'], '2')
    """
    _one_of(policy, tuple(verify.BOUND_CLAIMS), "policy")
    if len(offline) != len(requests):
        raise ValueError(f"offline must have an entry a request, {len(requests)}; got {len(offline)}")
    factor = str(rational(c, name="c"))
    return {
        "kind": "paging cost exceeds",
        "claim": verify.BOUND_CLAIMS[policy],
        "statement": verify.BOUND.format(policy, len(cache), factor),
        "policy": {"name": policy, **_rule(policy, rule, len(cache) + len(requests))},
        "cache": [str(_at_least(page, 0, "cache")) for page in cache],
        "requests": [str(_at_least(page, 0, "requests")) for page in requests],
        "c": factor,
        "cost": str(rational(cost, name="cost")),
        "offline": ["-" if page is None else str(_at_least(page, 0, "offline")) for page in offline],
        "offline_cost": str(sum(page is not None for page in offline)),
    }


def write(certificate: Certificate, path: "str | Path") -> None:
    """Write the certificate as JSON, all of it or nothing: a file of that name is replaced in one step.

    >>> import exact, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(first_violation([[4], [-1]], k1=225), folder + "/four.json")
    ...     exact.verify.check_file(folder + "/four.json")
    'first violation at state 225, label 224 (index update, tie low)'
    """
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            json.dump(certificate, file, indent=1)
            file.write("\n")
        os.chmod(name, 0o644)  # mkstemp makes files for their owner only
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _attention(kind: str, tokens: Points, b: Points | None, tie: str, index: str = "update") -> Certificate:
    _one_of(tie, verify.TIES, "tie")
    points = [[rational(x, name="tokens") for x in token] for token in tokens]
    d = len(points[0]) if points else 0
    if d == 0 or any(len(point) != d for point in points):
        raise ValueError(f"tokens must be one or more points of one length; got lengths {[len(p) for p in points]}")
    weights = hull(points).weights
    if weights is None:
        raise ValueError("tokens must have the origin in their hull, as the claim supposes; it is outside")
    rows = [[int(i == j) for j in range(d)] for i in range(d)] if b is None else b
    matrix = [[rational(x, name="b") for x in row] for row in rows]
    if len(matrix) != d or any(len(row) != d for row in matrix):
        raise ValueError(f"b must have {d} rows of {d} entries, as the tokens; got rows of {[len(r) for r in matrix]}")
    return {
        "kind": kind,
        "claim": verify.ATTENTION_CLAIM,
        "statement": verify.STATEMENTS[index],
        "tokens": [_texts(point) for point in points],
        "b": [_texts(row) for row in matrix],
        "tie": tie,
        "weights": _texts(weights),
    }


def _least_k(about: Certificate, h: Sequence[Fraction]) -> int:
    """The least integer K above 4 L D^2 <B h, h>."""
    points = [[Fraction(x) for x in token] for token in about["tokens"]]
    b = [[Fraction(x) for x in row] for row in about["b"]]
    square = max(sum((x - y) ** 2 for x, y in zip(p, q, strict=True)) for p in points for q in points)
    form = sum(x * c * y for x, row in zip(h, b, strict=True) for c, y in zip(row, h, strict=True))
    scale = Fraction(4 * square * form)
    if scale <= 0:
        raise ValueError("separator must have <B h, h> > 0 and the tokens must differ; they don't")
    high = 1
    while not exceeds_lambda_max(high / scale, b):
        high *= 2
    low = high // 2  # not above the bound, or 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if exceeds_lambda_max(middle / scale, b) else (middle, high)
    return high


def _rule(policy: str, rule: Mapping[str, Any] | None, length: int) -> Certificate:
    given = dict(rule or {})
    if set(given) != ({"tau", "budget", "predictions"} if policy == "rpb-om" else set()):
        raise ValueError(f"rule must hold tau, budget, predictions for rpb-om, nothing else; got {sorted(given)}")
    if not given:
        return {}
    _one_of(given["budget"], verify.BUDGETS, "budget")
    if len(given["predictions"]) != length:
        raise ValueError(f"predictions must be k + requests = {length}; got {len(given['predictions'])}")
    predictions = _texts(rational(x, name="predictions") for x in given["predictions"])
    return {"tau": str(_at_least(given["tau"], 0, "tau")), "budget": given["budget"], "predictions": predictions}


def _texts(numbers: Iterable[Fraction]) -> list[str]:
    return [str(number) for number in numbers]


def _at_least(value: Any, least: int, name: str) -> int:
    number = rational(value, name=name)
    if number.denominator != 1 or number < least:
        raise ValueError(f"{name} must be an integer, at least {least}; got {number}")
    return number.numerator


def _one_of(value: str, allowed: Sequence[str], name: str) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")
