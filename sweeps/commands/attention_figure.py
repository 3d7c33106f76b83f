"""Pictures of the attention command as SVG, the same bytes for the same numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps.figures import STYLE

if TYPE_CHECKING:
    from sweeps.simulators.attention.simulate import Answer

BLUE, RED, GREY = "#1f4e79", "#c0504d", "#777777"
POINTS = 400  # times drawn, in geometric steps
FURTHEST = 10**15


def start_figure(found: "Answer", path: Path) -> None:
    """Left (d <= 2): the tokens' paths, hulls at chosen times, the origin. Right: energy and bound, log-log."""
    from sweeps.simulators.attention.paths import energies, positions

    d = len(found.problem.tokens[0])
    k = found.first_violation
    last = max(min(10 * k if k else 10_000, FURTHEST), 4 * found.events[-1] + 10)
    known = positions(found.outcome, _times(last))
    with _Drawing(path, {1: 2, 2: 3}.get(d, 1)) as axes:
        if d == 1:
            _line_paths(axes[0], known, found)
        if d == 2:
            _plane_paths(axes[0], known, found)
            _near_origin(axes[1], known, found)
        _energy(axes[-1], energies(found.outcome, known), found)


def survey_figure(firsts: Sequence[int], summary: Mapping[str, Any], path: Path) -> None:
    """Share of starts whose first violation is at most k, against k."""
    found = sorted(k for k in firsts if k)
    with _Drawing(path, 1) as (axes,):
        shares = [(i + 1) / len(firsts) for i in range(len(found))]
        axes.step(found, shares, where="post", color=BLUE, lw=1.4)
        for share in summary["shares"][:-1]:
            axes.axvline(int(share["by"]), color=GREY, lw=0.7, ls=":")
            axes.annotate(f"{share['share']:.2f}", (int(share["by"]), share["share"]), fontsize=8,
                          xytext=(4, -10), textcoords="offset points")  # fmt: skip
        axes.set_xscale("log")
        axes.set_ylim(0, 1.03)
        axes.set_xlabel("state k")
        axes.set_ylabel("share of starts that broke the bound by k")
        axes.set_title("what a check that stops at k has seen", fontsize=10)


class _Drawing:
    """A figure with ``panels`` axes, saved on leaving."""

    def __init__(self, path: Path, panels: int) -> None:
        self._path, self._panels = path, panels

    def __enter__(self) -> list[Any]:
        import matplotlib as mpl
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure

        self._style = mpl.rc_context(STYLE)
        self._style.__enter__()
        self._figure = Figure(figsize=(4.9 * self._panels + 0.6, 4.2), layout="constrained")
        FigureCanvasSVG(self._figure)
        return list(self._figure.subplots(1, self._panels, squeeze=False)[0])

    def __exit__(self, kind: Any, *rest: Any) -> None:
        if kind is None:
            partial = self._path.with_suffix(".partial")
            self._figure.savefig(partial, format="svg", metadata={"Date": None, "Creator": None})
            partial.replace(self._path)
        self._style.__exit__(kind, *rest)


def _times(last: int) -> list[int]:
    ratio = max(last, 2) ** (1 / POINTS)
    return sorted({*range(min(last, 200) + 1), *(round(ratio**i) for i in range(POINTS + 1))})


def _line_paths(axes: Any, known: Mapping[int, list[list[float]]], found: "Answer") -> None:
    times = [t for t in known if t <= 100]
    for i in range(len(found.problem.tokens)):
        axes.plot([t + 1 for t in times], [known[t][i][0] for t in times], ".-", ms=3, lw=0.9, color=BLUE)
    low, high = ([end(x[0] for x in known[t]) for t in times] for end in (min, max))
    axes.fill_between([t + 1 for t in times], low, high, color=BLUE, alpha=0.12, label="hull")
    axes.axhline(0, color=RED, lw=1, label="origin")
    axes.set_xscale("log")
    axes.set_xlabel("t + 1")
    axes.set_ylabel("position")
    _title(axes, found)


def _plane_paths(axes: Any, known: Mapping[int, list[list[float]]], found: "Answer") -> None:
    _paths(axes, known)
    for t in (0, 1, 2):
        _draw_hull(axes, known[t], BLUE, f"hull at t = {t}", 0.25 + 0.25 * t)
    axes.plot(0, 0, "+", ms=11, mew=1.8, color="black", label="origin")
    axes.set_aspect("equal", adjustable="datalim")
    _title(axes, found)


def _near_origin(axes: Any, known: Mapping[int, list[list[float]]], found: "Answer") -> None:
    """The hull just before and when it loses the origin, and the last one with a leader change."""
    _paths(axes, {t: rows for t, rows in known.items() if t >= 1})
    lost = found.lost_at
    shown = {found.events[-1]: GREY} if not lost else {lost - 1: BLUE, lost: RED}
    for t, color in shown.items():
        if t in known:
            _draw_hull(axes, known[t], color, f"hull at t = {t}", 0.9)
    axes.plot(0, 0, "+", ms=11, mew=1.8, color="black", label="origin")
    corners = [point for t in shown for point in known.get(t, [])] + [[0.0, 0.0]]
    for limits, values in zip((axes.set_xlim, axes.set_ylim), zip(*corners, strict=True), strict=True):
        margin = 0.15 * (max(values) - min(values)) or 1.0
        limits(min(values) - margin, max(values) + margin)
    axes.set_title("near the origin", fontsize=10)
    axes.legend(frameon=False, fontsize=8)
    axes.grid(alpha=0.2)


def _paths(axes: Any, known: Mapping[int, list[list[float]]]) -> None:
    first = min(known)
    for i in range(len(known[first])):
        path = [known[t][i] for t in known]
        axes.plot(*zip(*path, strict=True), "-", lw=0.8, color=BLUE, alpha=0.7)
        axes.plot(*path[0], "o", ms=3.5, color=BLUE)


def _draw_hull(axes: Any, points: Sequence[Sequence[float]], color: str, label: str, alpha: float) -> None:
    corners = _hull(points)
    axes.fill(*zip(*corners, strict=True), alpha=0.12 * alpha, color=color, lw=0)
    axes.plot(*zip(*corners, corners[0], strict=True), "-", lw=1.2, alpha=alpha, color=color, label=label)


def _title(axes: Any, found: "Answer") -> None:
    lost = found.lost_at
    axes.set_title("tokens" if lost is None else f"tokens; the hull loses the origin at t = {lost}", fontsize=10)
    axes.legend(frameon=False, fontsize=8)
    axes.grid(alpha=0.2)


def _energy(axes: Any, energy: Mapping[int, float], found: "Answer") -> None:
    from sweeps.simulators.attention.spectrum import bound

    times = [k for k in energy if k >= 1]
    top = float(bound(found.problem).low) / 2
    axes.plot(times, [energy[k] or None for k in times], color=BLUE, lw=1.4, label="largest energy J of a token")
    axes.plot(times, [top / k for k in times], "--", color=GREY, lw=1.1, label="claimed bound $2LD^2/k$")
    first = found.first_violation
    if first is not None and first <= times[-1]:
        axes.plot(first, top / first, "o", ms=6, mfc="none", mew=1.6, color=RED, label=f"first violation, k = {first}")
    axes.set_xscale("log")
    if top > 0:  # all tokens at the origin otherwise
        axes.set_yscale("log")
    axes.set_xlabel("state k")
    axes.set_ylabel("energy")
    axes.set_title(f"verdict: {found.finding['verdict']}", fontsize=10)
    axes.grid(alpha=0.2)
    axes.legend(frameon=False, fontsize=8)


def _hull(points: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Corners of the convex hull (Andrew's monotone chain), for drawing only."""
    rest = sorted({(x, y) for x, y in points})
    if len(rest) <= 2:
        return rest
    chains = []
    for ordered in (rest, rest[::-1]):
        chain: list[tuple[float, float]] = []
        for p in ordered:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _turn(o: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
