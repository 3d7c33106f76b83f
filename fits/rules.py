"""The decision itself, for many sweeps at once; ``decide`` is a batch of one (spec 2.2 - 2.7).

Falsified: growth is significant next to EVERY bounded transient of the tier (an intersection-union test: if
the truth is one of them, that model's z is standard normal, so no penalty for their number is due).
Verified: the upper bound of every surviving model is below c*, and none of them needs growth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fits.dictionary import GROWTHS, LAWS, TIER_SIZES, Array, null_columns, null_sizes
from fits.formulas import Law
from fits.leastsquares import Fits, fit_growth
from fits.significance import best_scale, inflation, misfit_p, to_sigma
from fits.weights import smoothed_errors

P_FIT = 0.001
DELTA = 12.0
Z_INTERVAL = 1.96
VERDICTS = ("verified", "falsified", "toy", "inconclusive")
REASONS = (
    "bounded-on-range",
    "growth",
    "flat-too-short",
    "range-too-short",
    "growth-or-transient",
    "misfit",
    "underpowered",
)
Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Panel:
    """Sweeps on one grid: ``k`` (n,), ``mean`` and ``se`` (B, n), ``reps`` (n,) or None for known errors.

    ``cov`` (B, n, n) is the covariance of the means under common random numbers; ``weights`` then are the
    errors that remain after the common part.
    """

    k: Array
    mean: Array
    se: Array
    reps: Array | None = None
    cov: Array | None = None
    weights: Array | None = None


@dataclass(frozen=True)
class Rule:
    """What was declared before the run: rival, c*, k_full, tier, and the two thresholds in sigma."""

    rival: Law
    c_star: float | None = None
    k_full: float = 0.0
    tier: int = 2
    z_false: float = 3.0
    z_verify: float = 2.33


@dataclass(frozen=True)
class Judged:
    """Outcome of B sweeps; arrays over tiers have shape (3, B), the rival is growth 0 of ``fits``.

    ``sigma``: the least over the tier's models; of the rival where no growth law rises, else of the law that
    rises most. ``binding``: the bounded model that leaves growth the least sigma; ``growth``: the growth law
    that this sigma belongs to. ``described`` (3, B): some model with the rival's growth describes the data,
    so that the tier's c means something.
    """

    verdict: Codes
    reason: Codes
    sigma: Array
    c: Array
    lo: Array
    hi: Array
    upper: Array
    described: Flags
    binding: Codes
    growth: Codes
    scale: Array
    p: Array
    null_p: Array
    survives: Flags
    error: Array
    fits: Fits


def growth_laws(rival: Law) -> list[Law]:
    """The rival first, then the other growths that may falsify."""
    return [rival, *(Law(name, LAWS[name]) for name in GROWTHS if name != rival.name)]


def judge(panel: Panel, rule: Rule) -> Judged:
    """Decide every sweep of the panel."""
    laws = growth_laws(rule.rival)
    growths = np.array([g(panel.k) for g in laws])
    weights = panel.weights
    if weights is None:
        weights = smoothed_errors(panel.k, panel.se, panel.reps)
    dof = None if panel.reps is None else panel.reps - 1
    fits = fit_growth(panel.mean, growths, null_columns(panel.k), weights, panel.se, dof, panel.cov)
    return _assess(fits, rule, panel.k, growths, np.inf if dof is None else float(dof.sum()))


def _assess(fits: Fits, rule: Rule, k: Array, growths: Array, pooled: float) -> Judged:
    nu_null = (k.size - null_sizes())[:, None]
    nu = nu_null - 1
    reduced = np.where(nu >= 1, fits.chi2 / np.maximum(nu, 1), np.inf)
    reduced_null = fits.null_chi2 / np.maximum(nu_null, 1)
    p, null_p = misfit_p(fits.chi2, nu, pooled), misfit_p(fits.null_chi2, nu_null, pooled)
    scale = best_scale(np.concatenate([reduced, reduced_null[None]]), axis=(0, 1))
    error = fits.se * inflation(np.where(nu >= 1, reduced, 1.0), p, scale)
    z = np.where(nu >= 1, to_sigma(fits.c / error, fits.dof), 0.0)
    # other growths count one sigma less: z >= 3 for the rival, z >= 4 for them
    score = np.maximum(z[0], z[1:].max(axis=0) - 1) if len(z) > 1 else z[0]
    survives = _survivors(fits, p, misfit_p(fits.chi2 / scale**2, nu, pooled), scale)
    steps = (growths[:, -1] - growths[:, 0]) / (growths[0, -1] - growths[0, 0])
    # a falling rival keeps its own sigma: a law that fits worse has a larger error and falls at fewer
    shown = np.where(score < 0, z[0], score)
    tiers = [_tier(size, fits, error, z, shown, survives[t], steps, rule) for t, size in enumerate(TIER_SIZES)]
    sigma, c, lo, hi, upper, needs = (np.array(rows) for rows in zip(*tiers, strict=True))
    plain = (z[0, 0], (fits.c + rule.z_verify * error)[0, 0])
    nothing = np.asarray(~survives[rule.tier].any(axis=(0, 1)))
    verdict, reason = _verdicts(rule, k, sigma, plain, upper, needs, null_p, nothing)
    binding, driver = _binding(score, z, fits.null_chi2, rule)
    return Judged(
        verdict=verdict,
        reason=reason,
        sigma=sigma,
        c=c,
        lo=lo,
        hi=hi,
        upper=upper[rule.tier],
        described=np.array([alive[0].any(axis=0) for alive in survives]),
        binding=binding,
        growth=driver,
        scale=scale,
        p=p,
        null_p=null_p,
        survives=survives[rule.tier],
        error=error,
        fits=fits,
    )


def _binding(score: Array, z: Array, null_chi2: Array, rule: Rule) -> tuple[Codes, Codes]:
    """The bounded model that stands most in the way of growth, and the growth law its sigma belongs to.

    Falsified: the model that leaves the least sigma. Otherwise: the one that explains the data best alone.
    """
    size = TIER_SIZES[rule.tier]
    least = score[:size].argmin(axis=0)
    explains = np.where(score[:size] < rule.z_false, null_chi2[:size] + 2 * null_sizes()[:size, None], np.inf)
    binding = np.where(score[:size].min(axis=0) >= rule.z_false, least, explains.argmin(axis=0))
    handicap = np.arange(len(z)).clip(max=1)[:, None, None]
    driver = np.take_along_axis(z - handicap, binding[None, None], axis=1)[:, 0].argmax(axis=0)
    return binding, driver


def _survivors(fits: Fits, p: Array, scaled_p: Array, scale: Array) -> list[Flags]:
    """Per tier: which (growth, model) fits are still in the race, shape (G, M, B).

    Their misfit is judged in units of what even the best model leaves (``scaled_p``): understated errors
    would else kill all but one lucky model, whose bound means nothing. With p <= 0.001 in all none survives.
    """
    flags = []
    for size in TIER_SIZES:
        least = np.minimum(fits.chi2[:, :size].min(axis=(0, 1)), fits.null_chi2[:size].min(axis=0))
        alive = (scaled_p > P_FIT) & (p[:, :size] > P_FIT).any(axis=(0, 1)) & (fits.chi2 - least < DELTA * scale**2)
        alive[:, size:] = False
        flags.append(alive)
    return flags


def _tier(
    size: int, fits: Fits, error: Array, z: Array, shown: Array, alive: Flags, steps: Array, rule: Rule
) -> tuple[Array, ...]:
    """Sigma, estimate, interval, upper bound and the largest surviving z of one tier, each (B,)."""
    c, e = fits.c[0, :size], error[0, :size]
    # an interval needs members: where nothing survives it spans the whole tier
    members = alive[0, :size] | ~alive[0, :size].any(axis=0)
    best = np.where(members, fits.chi2[0, :size] + 2 * null_sizes()[:size, None], np.inf).argmin(axis=0)
    estimate = np.take_along_axis(c, best[None], axis=0)[0]
    lo = np.where(members, c - Z_INTERVAL * e, np.inf).min(axis=0)
    hi = np.where(members, c + Z_INTERVAL * e, -np.inf).max(axis=0)
    bounds = (fits.c + rule.z_verify * error) * steps[:, None, None]
    upper = np.where(alive, bounds, -np.inf).max(axis=(0, 1))
    upper = np.where(np.isneginf(upper), np.inf, upper)
    needs = np.where(alive, z, -np.inf).max(axis=(0, 1))
    return shown[:size].min(axis=0), estimate, lo, hi, upper, needs


def _verdicts(
    rule: Rule,
    k: Array,
    sigma: Array,
    plain: tuple[Array, Array],
    upper: Array,
    needs: Array,
    null_p: Array,
    nothing: Flags,
) -> tuple[Codes, Codes]:
    """Verdict and reason codes; ``plain`` is T0's z and upper bound, the only place where "flat" is asked.

    ``nothing``: no model survives. An infinite bound does not say so: on a narrow range the columns of a model
    that describes the data may be collinear.
    """
    t, (z0, upper0) = rule.tier, plain
    falsified = sigma[t] >= rule.z_false
    fits_null = (null_p[: TIER_SIZES[t]] > P_FIT).any(axis=0)
    below = upper[t] < (rule.c_star or 0.0)
    bounded = below & (needs[t] < rule.z_false) & fits_null & ~falsified
    verified = bounded & bool(k[-1] >= rule.k_full)
    flat = (null_p[0] > P_FIT) & (z0 < rule.z_false) & (upper0 < (rule.c_star or np.inf))
    cases = [verified, falsified, bounded, flat, nothing, z0 >= rule.z_false]
    reason = np.select(cases, [0, 1, 3, 2, 5, 4], 6)
    verdict = np.select(cases[:4], [0, 1, 2, 2], 3)
    return verdict, reason
