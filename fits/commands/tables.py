"""The two tables under a verdict."""

from __future__ import annotations

from typing import Any

from fits.dictionary import model_name
from fits.wording import number

ALLOWS = {"T0": "no transient", "T1": "one bounded transient", "T2": "up to two"}


def tiers(v: Any, unit: str) -> list[str]:
    """One line a tier: what it allows, sigma of growth, slope with its 95 % interval."""
    rows = [f"  {'tier':<5}{'allows':<24}{'sigma':>8}   {unit} (95 %)"]
    for name, allows in ALLOWS.items():
        c, lo, hi = v.c[name]
        rows.append(f"  {name:<5}{allows:<24}{v.sigma[name]:>8.1f}   {c:.3g} ({lo:.3g} to {hi:.3g})")
    rows.append(f"  binding: {model_name(v.binding_model)}; seen with 95 % power: c >= {number(v.mde)}")
    return rows


def laws(v: Any) -> list[str]:
    """One line a law: whether it is possible, its best member and slope; z is the slope over its error."""
    rows = [f"  {'law':<12}{'':<10}{'with':<12}{'slope (95 %)':<32}{'z':>8}{'chi2/nu':>14}"]
    for row in v.laws:
        state = "possible" if row["kept"] else "no rise" if row.get("fitting") else "excluded"
        if "c" not in row:
            rows.append(f"  {row['law']:<12}{state:<10}(bounded)")
            continue
        slope = f"{row['c']:.3g} ({row['lo']:.3g} to {row['hi']:.3g})"
        fit = f"{row['chi2']:.1f}/{row['nu']}"
        rows.append(f"  {row['law']:<12}{state:<10}{row['transient']:<12}{slope:<32}{row['z']:>8.1f}{fit:>14}")
    return [*rows, f"  {_standing(v)}"]


def _standing(v: Any) -> str:
    kept = [row["law"] for row in v.laws if row["kept"]]
    if not kept:
        return "no law of the list describes the data"
    if "1" in kept:
        return (
            "a constant is not excluded; the slope of a possible law is at most the top of its interval\n"
            "  no rise: describes the data with a best slope of 0 or less; up to the top of its interval (T1) is open"
        )
    return f"only {kept[0]} is left" if len(kept) == 1 else f"not told apart: {', '.join(kept)}"
