"""A verdict in words (spec 5): never "confirms O(1)", never sigma without its tier, never without power."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from fits.dictionary import TIERS
from fits.printed import ROUNDING, downward, given, number, span, upward

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


def class_line(v: Verdict) -> str:
    """What no sweep of this length can exclude, as it concerns this verdict."""
    k = v.series.k
    short = k[-1] <= 8 * k[0]
    later = "at any k of this range or later" if short else f"later than k = {number(k[-1] / 8)}"
    if v.verdict == "falsified":
        return f"Saturation slower than {_tier(v)} allows, or {later}, is not excluded."
    if v.verdict == "inconclusive":
        return (
            f"Not decidable at any such length: ln ln k against a bounded k^(-1/4), a - b/ln k against "
            f"a small slope, saturation {later}."
        )
    within = "anywhere on this range" if short else "in its last factor 8"
    return f"Growth below that, ln ln k, and onset beyond k = {given(k[-1])} (or {within}) are not excluded."


def _tier(v: Verdict) -> str:
    return TIERS[v.rule.tier]


def _unit(name: str) -> str:
    return f"{name} k" if name == "ln" else name if "k" in name else f"{name}(k)"


def _rival(v: Verdict) -> str:
    return _unit(v.rule.rival.name)


def _range(v: Verdict) -> str:
    return f"k = {span(v.series.k)}"


def _hides(v: Verdict) -> str:
    """Why no slope at all could have been seen: the range, or errors that leave the weight to one point."""
    if _narrow(v):
        return f"the range {_range(v)} is too narrow"
    se = v.series.se
    return f"the errors, {se.min():.1g} to {se.max():.1g}, are too uneven for these sizes"


def _narrow(v: Verdict) -> bool:
    """Less than one doubling, over which every law is nearly a straight line."""
    return bool(v.series.k[-1] < 2 * v.series.k[0])


def _seen(v: Verdict) -> str:
    if not isfinite(v.mde):
        return f"This sweep could have seen no slope, however large ({_tier(v)})."
    return f"This sweep would have seen c >= {upward(v.mde)} with 95 % power ({_tier(v)})."


def _falsified(v: Verdict) -> list[str]:
    return [
        f"Growth{_slope(v)}, {number(v.sigma[_tier(v)])} sigma after allowing any bounded approach in {_tier(v)} "
        f"({number(v.sigma['T0'])} over a constant, T0).",
        _bounded_reading(v),
        _seen(v),
        class_line(v),
    ]


def _slope(v: Verdict) -> str:
    """The slope per unit of the rival if it describes the data, else of the law of the list that does so best."""
    tier, rival = _tier(v), _rival(v)
    c, lo, hi = v.c[tier]
    kept = {row["law"]: row for row in v.laws if row["kept"] and "c" in row}
    if v.described[tier] and (lo > 0 or not kept):
        slope = f"c = {_interval(c, lo, hi)} per {rival} ({tier})"
        other = v.growth != v.rule.rival.name and v.growth in kept
        return f", most significant as {_unit(v.growth)}: {slope} if it were {rival}" if other else f": {slope}"
    if not kept:
        return f", but neither {rival} nor another law of the list describes the data: no slope is given"
    best = min(kept.values(), key=lambda row: float(row["chi2"]) - 2 * int(row["nu"]))
    slope = _interval(best["c"], best["lo"], best["hi"], digits=3)
    how = "best described by" if v.described[tier] else f"not as {rival}, which misfits: as"
    also = f" ({len(kept)} laws are possible)" if len(kept) > 1 else ""
    return f", {how} {_unit(best['law'])}{also}, c = {slope} per unit of it (T1)"


def _interval(c: float, lo: float, hi: float, digits: int = 2) -> str:
    return f"{number(c, digits)} ({number(lo, digits)} to {number(hi, digits)})"


def _bounded_reading(v: Verdict) -> str:
    """The slowest bounded power that fits; nothing where its limit is no more than what was measured."""
    if v.if_bounded is None:
        return "No curve a - b/k^q describes the data (p <= 0.001)."
    q, limit, describes = v.if_bounded
    if limit <= v.series.mean.max():
        return ""
    last = f"{number(float(v.series.mean[-1]), 3)} at k = {given(v.series.k[-1])}"
    reading = f"q <= {upward(q)} and the limit is at least {downward(limit)}"
    if not describes:
        return f"No curve a - b/k^q describes the data (p <= 0.001); of those nearest {reading}, against {last}."
    return f"If bounded as a - b/k^q, then {reading}, against {last}."


def _verified(v: Verdict) -> list[str]:
    return [
        f"No growth of c {_rival(v)} with c >= {given(v.rule.c_star or 0.0)} over {_range(v)} "
        f"(99 %, allowing {_tier(v)}); c <= {upward(v.c_upper, 3)} there.",
        _seen(v),
        _need(v),
        class_line(v),
    ]


def _toy(v: Verdict) -> list[str]:
    if v.reason == "range-too-short":
        start = (
            f"No growth of c {_rival(v)} with c >= {given(v.rule.c_star or 0.0)} over {_range(v)}, but "
            f"k = {given(v.rule.k_full)} was declared before the run."
        )
        return [start, _seen(v), _need(v), class_line(v)]
    hidden = v.mde if v.c_upper is None else v.c_upper
    up_to = f"c up to {upward(hidden)} per {_rival(v)}" if isfinite(hidden) else f"{_hides(v)}, and any slope"
    return [
        f"Flat within errors on {_range(v)}. Not evidence for O(1): {up_to} could hide behind a transient "
        f"({_tier(v)}).",
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
        left = f"{number(v.sigma[tier])} sigma of growth" if v.sigma[tier] > 0 else "no growth"
        start = (
            f"Rises at {number(v.sigma['T0'])} sigma over a constant (T0), but a bounded approach "
            f"({_approach(v)}) explains it ({left} left, {tier})."
        )
    elif v.sigma["T0"] <= -v.rule.z_false:
        start = _falls(v)
    else:
        start = _undecided(v)
    bound = "" if v.c_upper is None else f"c <= {upward(v.c_upper)} per {_rival(v)}."
    return [start, bound, _seen(v), _need(v), class_line(v)]


def _falls(v: Verdict) -> str:
    fall = f"Falls on this range ({number(v.sigma['T0'])} sigma, T0)"
    if v.c_upper is not None and v.c_upper < 0:
        return f"{fall}, and goes on falling beside any bounded approach in {_tier(v)}."
    return f"{fall}; growth behind the fall is not excluded."


def _undecided(v: Verdict) -> str:
    flat = v.misfit.model == "constant" and v.misfit.growth == "1"
    if v.c_upper is None or _narrow(v):
        start = f"A constant describes the data (p = {v.misfit.p:.1g}), but" if flat else "Undecided:"
        return f"{start} {_hides(v)}: growth could hide behind a bounded approach in {_tier(v)}."
    if flat:
        return (
            f"A constant describes the data (p = {v.misfit.p:.1g}), but so may growth at the precision of this sweep."
        )
    return f"Neither flat nor rising at the precision of this sweep ({number(v.sigma['T0'])} sigma, T0)."


def _approach(v: Verdict) -> str:
    signs = [f"b{'' if i == 0 else i + 1} {name}" for i, name in enumerate(v.binding_model)]
    return " + ".join(["a", *signs])


def _need(v: Verdict) -> str:
    """Scale or replicates that would decide the slope in question."""
    if not isfinite(v.mde):
        return f"To see any: {'sizes further apart' if _narrow(v) else 'errors that are more even'}."
    c = v.rule.c_star
    if c is None or c >= v.mde * (1 - ROUNDING):  # a round slope below what is seen already
        c = float(f"{v.mde / 3:.0e}")
    if not 0 < c < float("inf"):
        return ""
    k, factor = v.kmax_needed(c), v.reps_factor(c)
    how = f"k to {upward(k)}" if k else "sizes further apart" if _narrow(v) else "more than any reachable k"
    oftener = f", or {upward(factor, 3 if factor < 2 else 2)} times the replicates" if isfinite(factor) else ""
    return f"To see c = {given(c)}: {how} at this precision{oftener}."


def _look(v: Verdict) -> str:
    if v.look is None:
        return ""
    return f"Look {v.look['number']}, at {v.look['z']:.2f} sigma."
