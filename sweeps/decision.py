"""From a sweep's rows to its growth and its finding, by the calibrated decision of fits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sweeps.spec import Claim, Thresholds

if TYPE_CHECKING:
    from fits import LookLog, Verdict

MIN_ROWS = 5  # fewer points decide no growth law
MIN_K = 3  # 1/ln k and ln ln k

Row = dict[str, Any]


def decide_rows(
    rows: Sequence[Row], claim: Claim, thresholds: Thresholds, *, log: "LookLog | None" = None, work: str = "requests"
) -> tuple[dict[str, Any] | None, dict[str, str]]:
    """(growth, finding) for "the additive term is O(1)"; growth is None with fewer than 5 rows that have variance.

    ``sigma`` is the plain figure: slope over its error, no transient allowed for. ``sigmas`` are the decision's, by
    tier of transients. A sweep never verifies an asymptotic claim: "verified" by fits is reported as toy. ``log``
    counts the looks at a sweep that may end early; ``work`` is what the rows' requests are called.
    """
    used = [row for row in rows if row["additive_se"] > 0 and row["k"] >= MIN_K]
    scale = _scale(rows, work)
    if len(used) < MIN_ROWS:
        said = f"it takes {MIN_ROWS} points with variance and k >= {MIN_K} to decide growth; there are {len(used)}."
        return None, _finding(claim, "inconclusive", f"{said}{_without_variance(rows)} {scale}")
    import numpy as np

    from fits import Bounded, Series, decide, fit_law

    columns = ("k", "additive", "additive_se", "phases")
    k, y, se, reps = (np.array([row[name] for row in used], float) for name in columns)
    bounded = Bounded(thresholds.rival, c_star=thresholds.c_star, k_full=thresholds.k_full)
    levels = {name: getattr(thresholds, name) for name in ("tier", "z_false", "z_verify")}
    verdict = decide(Series(k, y, se, reps=reps), bounded, looks=log, **levels)
    line = fit_law(k, y, se, law=thresholds.rival)
    growth = {"law": "log" if line.law == "ln" else line.law} | {
        name: getattr(line, name) for name in ("slope", "slope_se", "sigma", "intercept", "chi2", "nu")
    }
    return growth | _decision(verdict), _finding(claim, verdict.reported, f"{verdict.sentence()} {scale}")


def _without_variance(rows: Sequence[Row]) -> str:
    flat = [row for row in rows if row["additive_se"] == 0]
    if not flat:
        return ""
    ends = [f"{row['additive']:.4g} at k = {row['k']}" for row in (flat[0], flat[-1])]
    return f" {len(flat)} points have no scatter, so no statistics apply to them; they go from {' to '.join(ends)}."


def _decision(verdict: "Verdict") -> dict[str, Any]:
    said = verdict.to_dict()
    names = ("reason", "c", "c_upper", "mde", "binding_model", "if_bounded", "misfit", "rule")
    return {"sigmas": said["sigma"]} | {name: said[name] for name in names}


def _scale(rows: Sequence[Row], work: str) -> str:
    if not rows:
        return "No point was finished."
    done = sum(row["requests"] for row in rows)
    return f"Swept: k = {rows[0]['k']} .. {rows[-1]['k']}, {len(rows)} points, {done:.1e} {work}."


def _finding(claim: Claim, verdict: str, sentence: str) -> dict[str, str]:
    said = f"{verdict} (statistical): {sentence}"
    return {"claim": claim.id, "verdict": verdict, "evidence": "statistical", "sentence": said}


def smallest_slope(ks: Sequence[float], variances: Sequence[float], replicates: Sequence[int]) -> float | None:
    """The slope per ln k that a sweep sees with 95 % power (T2); None: too few points, or a variance is 0.

    ``variances`` of one replicate and number of ``replicates`` at each of the ``ks``.
    """
    import numpy as np

    from fits.formulas import law
    from fits.power import Design

    points = [(k, variance / count) for k, variance, count in zip(ks, variances, replicates, strict=True) if k >= MIN_K]
    if len(points) < MIN_ROWS or not all(square > 0 for _, square in points):
        return None
    k, squares = np.array(points, dtype=float).T
    seen = float(Design(k, np.sqrt(squares), law("ln")).mde)
    return seen if np.isfinite(seen) else None
