"""Figures as SVG, the same bytes for the same numbers (fixed hash salt, no dates)."""

import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps.store import write_whole

if TYPE_CHECKING:
    from sweeps.runner import Run

STYLE: Any = {
    "svg.hashsalt": "claimsweep",
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def additive_figure(run: "Run", path: Path) -> None:
    """Write ``additive_svg``."""
    write_whole(path, additive_svg(run))


def additive_svg(run: "Run") -> str:
    """Additive term against k (log scale) with error bars of one standard error, exact curve and fitted line."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        FigureCanvasSVG(figure)
        _draw(figure.add_subplot(), run)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


def _draw(axes: Any, run: "Run") -> None:
    rows = run.rows
    k = [row["k"] for row in rows]
    y, se = ([row[name] for row in rows] for name in ("additive", "additive_se"))
    axes.errorbar(k, y, yerr=se, fmt="o", ms=4, lw=1, capsize=2, color="#1f4e79", label="sweep, ± 1 standard error")
    known = [(row["k"], row["additive_exact"]) for row in rows if row["additive_exact"] is not None]
    if known:
        axes.plot(*zip(*known, strict=True), color="#c0504d", lw=1.2, label="exact")
    if run.growth:
        line = [run.growth["intercept"] + run.growth["slope"] * math.log(x) for x in k]
        label = f"plain line, no transient allowed: slope {run.growth['slope']:.3f} per ln k"
        axes.plot(k, line, "--", color="#555555", lw=1, label=label)
    axes.set_xscale("log", base=2)
    axes.set_xlabel(run.words.size)
    axes.set_ylabel(f"{run.words.value}  {run.words.formula}" if run.words.less_h_k else run.words.value)
    axes.set_title(run.description, fontsize=9, wrap=True)
    axes.grid(alpha=0.25)
    axes.legend(frameon=False)
