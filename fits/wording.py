"""A verdict in words (spec 5): never "confirms O(1)", never sigma without its tier, never without power."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fits.dictionary import TIERS

if TYPE_CHECKING:
    from fits.verdict import Verdict


def sentence(v: Verdict) -> str:
    """The verdict of a sweep in a few sentences.

    >>> import fits
    >>> flat = fits.Series([4, 8, 16, 32, 64], [1.0, 1.01, 0.99, 1.0, 1.0], [0.01] * 5, exact=True)
    >>> fits.decide(flat, fits.Bounded("ln")).sentence()[:58]
    'Flat within errors on k = 4 .. 64. Not evidence for O(1): '
    """
    parts = {"falsified": _falsified, "verified": _verified, "toy": _toy, "inconclusive": _inconclusive}
    return " ".join(part for part in (*parts[v.verdict](v), _look(v)) if part)


def number(value: float | None, digits: int = 2) -> str:
    """Print a figure with few digits and no exponent where it can be helped.

    >>> number(0.38123), number(16384.0), number(None), number(41.3)
    ('0.38', '16,384', 'beyond reach', '41')
    """
    if value is None or value != value or abs(value) == float("inf"):
        return "beyond reach"
    if abs(value) >= 1e9:
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.{digits}g}"


def class_line(v: Verdict) -> str:
    """What no sweep of this length can exclude, as it concerns this verdict."""
    later = number(v.series.k[-1] / 8)
    if v.verdict == "falsified":
        return f"Saturation slower than {_tier(v)} allows, or later than k = {later}, is not excluded."
    if v.verdict == "inconclusive":
        return (
            f"Not decidable at any such length: ln ln k against a bounded k^(-1/4), a - b/ln k against "
            f"a small slope, saturation later than k = {later}."
        )
    return (
        f"Growth below that, ln ln k, and onset beyond k = {number(v.series.k[-1])} "
        f"(or in its last factor 8) are not excluded."
    )


def _tier(v: Verdict) -> str:
    return TIERS[v.rule.tier]


def _unit(v: Verdict) -> str:
    name = v.rule.rival.name
    return f"{name} k" if name == "ln" else name if "k" in name else f"{name}(k)"


def _range(v: Verdict) -> str:
    return f"k = {number(v.series.k[0])} .. {number(v.series.k[-1])}"


def _seen(v: Verdict) -> str:
    return f"This sweep would have seen c >= {number(v.mde)} with 95 % power ({_tier(v)})."


def _falsified(v: Verdict) -> list[str]:
    c, lo, hi = v.c[_tier(v)]
    rival = v.growth == v.rule.rival.name
    slope = f"c = {number(c)} ({number(lo)} to {number(hi)}) per {_unit(v)} ({_tier(v)})"
    what = f"Growth: {slope}" if rival else f"Growth, best described by {v.growth}: {slope} if it were {_unit(v)}"
    return [
        f"{what}, {number(v.sigma[_tier(v)])} sigma after allowing any bounded approach in {_tier(v)} "
        f"({number(v.sigma['T0'])} over a constant, T0).",
        _bounded_reading(v),
        _seen(v),
        class_line(v),
    ]


def _bounded_reading(v: Verdict) -> str:
    if v.if_bounded is None:
        return ""
    q, limit = v.if_bounded
    last = f"{number(float(v.series.mean[-1]), 3)} at k = {number(v.series.k[-1])}"
    reading = f"q <= {number(q)} and the limit is at least {number(limit)}"
    return f"If bounded as a - b/k^q, then {reading}, against {last}."


def _verified(v: Verdict) -> list[str]:
    return [
        f"No growth of c {_unit(v)} with c >= {number(v.rule.c_star)} over {_range(v)} "
        f"(99 %, allowing {_tier(v)}); c <= {number(v.c_upper, 3)} there.",
        _seen(v),
        _need(v),
        class_line(v),
    ]


def _toy(v: Verdict) -> list[str]:
    if v.reason == "range-too-short":
        start = (
            f"No growth of c {_unit(v)} with c >= {number(v.rule.c_star)} over {_range(v)}, but "
            f"k = {number(v.rule.k_full)} was declared before the run."
        )
        return [start, _seen(v), _need(v), class_line(v)]
    hidden = v.mde if v.c_upper is None else v.c_upper
    return [
        f"Flat within errors on {_range(v)}. Not evidence for O(1): c up to {number(hidden)} per {_unit(v)} "
        f"could hide behind a transient ({_tier(v)}).",
        _seen(v),
        _need(v),
        class_line(v),
    ]


def _inconclusive(v: Verdict) -> list[str]:
    tier = _tier(v)
    if v.reason == "misfit":
        start = (
            f"No model of the dictionary describes the data (best p = {v.misfit.p:.1g}): errors too small, "
            f"a jump, or another law."
        )
    elif v.reason == "growth-or-transient":
        start = (
            f"Rises at {number(v.sigma['T0'])} sigma over a constant (T0), but a bounded approach "
            f"({_approach(v)}) explains it ({number(v.sigma[tier])} sigma of growth left, {tier})."
        )
    elif v.sigma["T0"] < 0 and v.misfit.model != "constant":
        fall = f"Falls on this range ({number(v.sigma['T0'])} sigma, T0)"
        start = f"{fall}; growth behind the fall is not excluded."
    else:
        start = f"Neither flat nor rising at the precision of this sweep ({number(v.sigma['T0'])} sigma, T0)."
    bound = "" if v.c_upper is None else f"c <= {number(v.c_upper)} per {_unit(v)}."
    return [start, bound, _seen(v), _need(v), class_line(v)]


def _approach(v: Verdict) -> str:
    signs = [f"b{'' if i == 0 else i + 1} {name}" for i, name in enumerate(v.binding_model)]
    return " + ".join(["a", *signs])


def _need(v: Verdict) -> str:
    """Scale or replicates that would decide the slope in question."""
    c = v.rule.c_star
    if c is None or c >= v.mde:  # a round slope below what is seen already
        c = float(f"{v.mde / 3:.0e}")
    k = v.kmax_needed(c)
    how = f"k to {number(k)} at this precision" if k else "more than any reachable k at this precision"
    return f"To see c = {number(c)}: {how}, or {number(v.reps_factor(c))} times the replicates."


def _look(v: Verdict) -> str:
    if v.look is None:
        return ""
    return f"Look {v.look['number']}, at {v.look['z']:.2f} sigma."
