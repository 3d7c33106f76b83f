"""The two tables under a verdict."""

from __future__ import annotations

from math import isfinite
from typing import Any

from fits.dictionary import model_name
from fits.printed import upward

ALLOWS = {"T0": "no transient", "T1": "one bounded transient", "T2": "up to two"}


def tiers(v: Any, unit: str) -> list[str]:
    """One line a tier: what it allows, sigma of growth, slope with its 95 % interval."""
    rows = [f"  {'tier':<5}{'allows':<24}{'sigma':>8}   {unit} (95 %)"]
    for name, allows in ALLOWS.items():
        c, lo, hi = v.c[name]
        misfits = "" if v.described[name] else f"; {v.rule.rival.name} misfits"
        rows.append(f"  {name:<5}{allows:<24}{v.sigma[name]:>8.1f}   {_slope(c, lo, hi)}{misfits}")
    seen = f"c >= {upward(v.mde)}" if isfinite(v.mde) else "no slope"
    rows.append(f"  binding: {model_name(v.binding_model)}; seen with 95 % power: {seen}")
    return rows


def _slope(c: float, lo: float, hi: float) -> str:
    """Estimate and interval; an interval that is not finite bounds nothing."""
    return f"{c:.3g} ({lo:.3g} to {hi:.3g})" if isfinite(hi - lo) else f"{c:.3g} (no bound)"


def laws(v: Any) -> list[str]:
    """One line a law: whether it is possible, its best member and slope; z is the slope over its error."""
    rows = [f"  {'law':<12}{'':<10}{'with':<12}{'slope (95 %)':<32}{'z':>8}{'chi2/nu':>14}"]
    for row in v.laws:
        state = "possible" if row["kept"] else "no rise" if row.get("fitting") else "excluded"
        if "c" not in row:
            rows.append(f"  {row['law']:<12}{state:<10}(bounded)")
            continue
        slope = _slope(row["c"], row["lo"], row["hi"])
        fit = f"{row['chi2']:.1f}" if row["chi2"] < 1e6 else f"{row['chi2']:.1e}"
        fit = f"{fit}/{row['nu']}"
        rows.append(f"  {row['law']:<12}{state:<10}{row['transient']:<12}{slope:<32}{row['z']:>8.1f}{fit:>14}")
    return [*rows, f"  {_standing(v)}"]


def _standing(v: Any) -> str:
    kept = [row["law"] for row in v.laws if row["kept"]]
    falling = [row["law"] for row in v.laws if row.get("fitting")]
    if not kept and falling:
        return f"no law describes the data with a rise; with a fall: {', '.join(falling)}"
    if not kept:
        return "no law of the list describes the data"
    if "1" in kept:
        return (
            "a constant is not excluded; the slope of a possible law is at most the top of its interval\n"
            "  no rise: describes the data with a best slope of 0 or less; up to the top of its interval (T1) is open"
        )
    return f"only {kept[0]} is left" if len(kept) == 1 else f"not told apart: {', '.join(kept)}"
