"""Which growth laws the data leave standing, next to any one bounded transient (spec 2.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from fits.dictionary import LAWS, MODELS, TIER_SIZES, Array, model_name, null_columns, null_sizes
from fits.formulas import Law, law
from fits.holdout import hold_outs
from fits.leastsquares import Fits, fit_growth
from fits.rules import DELTA, P_FIT, Z_INTERVAL, Flags, Panel
from fits.significance import best_scale, inflation, misfit_p, to_sigma
from fits.weights import smoothed_errors

T1 = TIER_SIZES[1]
_COLLINEAR = 1e-7


@dataclass(frozen=True)
class LawSet:
    """``kept`` (L, B) for ``names``; of the growing laws' members (L - 1, 8, B) ``fitting``, ``alive``, ``error``."""

    names: tuple[str, ...]
    kept: Flags
    fitting: Flags
    alive: Flags
    error: Array
    fits: Fits


def offered(extra: Sequence[str] = ()) -> list[Law]:
    """The growing laws of the list and the user's own formulas, each once."""
    names = [name for name in LAWS if name != "1"]
    own = [law(text) for text in extra]
    return [law(name) for name in names] + [one for one in own if one.name not in LAWS]


def check_laws(laws: Sequence[Law], k: Array) -> None:
    """Refuse a law that does not grow on the data, or that a bounded model spans however far one sweeps."""
    for one in laws:
        if not (np.diff(one(k)) > 0).all():
            raise ValueError(f"law={one.name!r} must grow over k = {k[0]:g} .. {k[-1]:g}")
        if one.name not in LAWS:
            _check_span(one)


@lru_cache(maxsize=256)
def _check_span(one: Law) -> None:
    """On a grid to 2^40, because on a short one every law looks like some bounded model."""
    k: Array = np.exp2(np.arange(2.0, 41.0, 2.0))
    values, flat = one(k), np.ones((1, k.size))
    scaled = values / np.abs(values).max()
    fit = fit_growth(flat, scaled[None], null_columns(k), flat, flat, None)
    worst = int(fit.unit_se[0, :, 0].argmax())
    if fit.unit_se[0, worst, 0] * np.linalg.norm(scaled - scaled.mean()) * _COLLINEAR > 1:
        raise ValueError(f"law={one.name!r} is collinear with the bounded model {model_name(MODELS[worst])}")


def law_set(panel: Panel, laws: Sequence[Law]) -> LawSet:
    """Keep a law if one of its members [1, phi, law] with c > 0 survives; "1" if a bounded one of T2 does."""
    k = panel.k
    weights = smoothed_errors(k, panel.se, panel.reps) if panel.weights is None else panel.weights
    dof = None if panel.reps is None else panel.reps - 1
    pooled = np.inf if dof is None else float(dof.sum())
    columns, sizes = null_columns(k), null_sizes()[:, None]
    growths = np.array([one(k) for one in laws])
    fits = fit_growth(panel.mean, growths, columns[:T1], weights, panel.se, dof, panel.cov)
    null = fit_growth(panel.mean, growths[:1], columns, weights, panel.se, dof, panel.cov).null_chi2
    nu, nu_null = k.size - sizes[:T1] - 1, k.size - sizes
    p, null_p = misfit_p(fits.chi2, nu, pooled), misfit_p(null, nu_null, pooled)
    reduced = fits.chi2 / nu
    scale = np.minimum(best_scale(reduced, (0, 1)), best_scale(null / nu_null, 0))
    least = np.minimum(fits.chi2.min(axis=(0, 1)), null.min(axis=0)) + DELTA * scale**2
    described = (p > P_FIT).any(axis=(0, 1)) | (null_p > P_FIT).any(axis=0)
    scaled_p, scaled_null = (misfit_p(x / scale**2, v, pooled) for x, v in ((fits.chi2, nu), (null, nu_null)))
    fitting = (scaled_p > P_FIT) & (fits.chi2 < least) & described
    alive = fitting & (fits.c > 0)
    bounded = ((scaled_null > P_FIT) & (null < least)).any(axis=0) & described
    kept = np.concatenate([bounded[None], alive.any(axis=1)])
    names = ("1", *(one.name for one in laws))
    return LawSet(names, kept, fitting, alive, fits.se * inflation(reduced, p, scale), fits)


def describe(panel: Panel, laws: Sequence[Law], holdout: float | None = None) -> list[dict[str, Any]]:
    """One dict a law for the first sweep: kept, best member, c with interval, z, chi2; how many ``members`` describe
    the data with c > 0, and how many with any c (``fitting``).

    With ``holdout``, the fraction of points that the bare law is fitted to, also its prediction of the rest.
    """
    chosen = law_set(panel, laws)
    rows: list[dict[str, Any]] = [{"law": "1", "kept": bool(chosen.kept[0, 0])}]
    rows += [_row(panel, one, chosen, i) for i, one in enumerate(laws)]
    if holdout is not None:
        pooled = np.inf if panel.reps is None else float((panel.reps - 1).sum())
        errors = panel.se[0] if panel.weights is None else panel.weights[0]
        bare = [law("1"), *laws]
        outs = hold_outs(panel.k, panel.mean[0], errors, bare, fraction=holdout, pooled=pooled)
        for row, out in zip(rows, outs, strict=True):
            row["holdout"] = out._asdict()
    return rows


def _row(panel: Panel, one: Law, chosen: LawSet, i: int) -> dict[str, Any]:
    fits, alive, fitting = chosen.fits, chosen.alive[i, :, 0], chosen.fitting[i, :, 0]
    members = next(some for some in (alive, fitting, np.ones_like(alive)) if some.any())
    c, error = fits.c[i, :, 0], chosen.error[i, :, 0]
    best = int(np.where(members, fits.chi2[i, :, 0] + 2 * null_sizes()[:T1], np.inf).argmin())
    return {
        "law": one.name,
        "kept": bool(chosen.kept[i + 1, 0]),
        "transient": model_name(MODELS[best]),
        "c": float(c[best]),
        "lo": float((c - Z_INTERVAL * error)[members].min()),
        "hi": float((c + Z_INTERVAL * error)[members].max()),
        "z": float(to_sigma(c[best] / error[best], fits.dof[i, best, 0])),
        "chi2": float(fits.chi2[i, best, 0]),
        "nu": int(panel.k.size - null_sizes()[best] - 1),
        "members": int(alive.sum()),
        "fitting": int(chosen.fitting[i, :, 0].sum()),
    }
