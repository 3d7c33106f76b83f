"""The figure of a verdict: data, surviving laws drawn 8-fold beyond the data, the region excluded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fits.curves import curve
from fits.dictionary import MODELS, TIERS, Array, model_name
from fits.formulas import law

if TYPE_CHECKING:
    from fits.verdict import Verdict

BEYOND = 8.0
_NAMES = {model_name(model): model for model in MODELS}


def draw(v: Verdict, path: Path, *, x: str = "k", y: str = "y") -> None:
    """Write the figure as SVG: same bytes for the same verdict, no date."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    k = v.series.k
    at = np.geomspace(k[0], k[-1] * BEYOND, 200)
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    _excluded(axes, v)
    _laws(axes, v, at)
    axes.errorbar(k, v.series.mean, 1.96 * v.series.se, fmt="o", ms=4, color="black", capsize=2, label="data, 95 %")
    axes.axvline(k[-1], color="grey", lw=0.8, ls=":")
    axes.set(xscale="log", xlabel=x, ylabel=y, title=f"{v.reported}: sigma {_sigmas(v)}")
    axes.legend(fontsize="x-small", ncols=2)
    with mpl.rc_context({"svg.hashsalt": "fits"}):
        figure.savefig(path, format="svg", metadata={"Date": None})


def _sigmas(v: Verdict) -> str:
    return ", ".join(f"{value:.1f} ({name})" for name, value in v.sigma.items())


def _laws(axes: Any, v: Verdict, at: Array) -> None:
    data = (v.series.k, v.series.mean, v.design.errors)
    bounded = curve(*data, v.binding_model, None, at)
    if v.laws[0]["kept"]:
        axes.plot(at, bounded, color="black", lw=1.2, label=f"bounded: {model_name(v.binding_model)}")
    for row in v.laws[1:]:
        if row["kept"]:
            label = row["law"] if row["transient"] == "constant" else f"{row['law']} with {row['transient']}"
            axes.plot(at, curve(*data, _NAMES[row["transient"]], row["law"], at), lw=1, label=label)


def _excluded(axes: Any, v: Verdict) -> None:
    """Beyond the data: what slopes outside the tier's 95 % interval would reach."""
    k, tier = v.series.k, TIERS[v.rule.tier]
    _, lo, hi = v.c[tier]
    if not np.isfinite(hi - lo):  # nothing is excluded
        return
    beyond = np.geomspace(k[-1], k[-1] * BEYOND, 50)
    g = law(v.rule.rival.name)(np.append(beyond, k[-1]))
    rise = g[:-1] - g[-1]
    start = float(v.series.mean[-1])
    low, high = start + lo * rise, start + hi * rise
    span = max(float(np.ptp(v.series.mean)) / 3, float(high[-1] - low[-1]) / 2, 1e-12)
    label = f"excluded at 95 % as {v.rule.rival.name} ({tier})"
    axes.fill_between(beyond, high, high[-1] + span, color="tab:red", alpha=0.12, lw=0, label=label)
    axes.fill_between(beyond, low[-1] - span, low, color="tab:red", alpha=0.12, lw=0)
