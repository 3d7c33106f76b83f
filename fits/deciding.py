"""``decide``: one sweep through the batched rules, with everything a reader needs next to the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fits.asymptote import Reading, if_bounded
from fits.dictionary import MODELS, TIER_SIZES, TIERS, Array, model_name
from fits.holdout import HoldOut
from fits.laws import check_laws, describe, offered
from fits.looks import Look, LookLog
from fits.power import Design
from fits.rules import REASONS, VERDICTS, Judged, Panel, Rule, growth_laws, judge
from fits.series import Bounded, Series
from fits.verdict import Misfit, Verdict
from fits.weights import smoothed_errors


def decide(
    data: Series,
    claim: Bounded,
    *,
    tier: int = 2,
    z_false: float = 3.0,
    z_verify: float = 2.33,
    looks: LookLog | None = None,
    holdout: float | None = 2 / 3,
    laws: Sequence[str] = (),
) -> Verdict:
    """Decide whether the data grow like the claim's rival, allowing the tier's bounded transients.

    ``tier`` 0 (none), 1 (one), 2 (up to two; the default). ``z_false``, ``z_verify``: sigma that a falsified
    and a verified need. ``looks``: a log for sweeps that are extended and looked at again. ``holdout``: share
    of points fitted to predict the rest. ``laws``: further laws or formulas in k for the law set. Raises
    ValueError, TypeError. Source: spec section 2.

    >>> import numpy as np
    >>> k = 2.0 ** np.arange(2, 11)
    >>> v = decide(Series(k, 3 + 0.38 * np.log(k), [0.01] * 9, exact=True), Bounded("ln", c_star=0.18))
    >>> v.verdict, round(v.c["T2"][0], 2), v.binding_model
    ('falsified', 0.38, ('1/k', '1/ln'))
    """
    rule = _rule(data, claim, tier, z_false, z_verify)
    look = _look(looks, data, rule, holdout)
    if look is not None:
        rule = Rule(rule.rival, rule.c_star, rule.k_full, rule.tier, look.z, rule.z_verify)
    panel = panel_of(data)
    offer = offered(laws)
    check_laws(offer, data.k)
    verdict = _verdict(data, panel, rule, judge(panel, rule), describe(panel, offer, holdout), look)
    if looks is not None and look is not None:
        looks.record(look, verdict.verdict, verdict.sigma[TIERS[tier]])
    return verdict


def panel_of(data: Series) -> Panel:
    """The sweep as a batch of one; common random numbers bring the covariance of their replicates."""
    reps = None if data.reps is None else data.reps
    if not data.shared_seeds:
        se = data.se[None]
        return Panel(data.k, data.mean[None], se, reps, weights=smoothed_errors(data.k, se, reps))
    R, n = data.samples.shape
    dof = np.full(n, float(R))
    # what all points of a replicate share moves the level only: weights and chi2 go by what remains
    rest = data.samples - data.samples.mean(axis=1, keepdims=True)
    spread = rest.std(axis=0, ddof=1) * np.sqrt(n / (n - 1) / R)
    cov = np.cov(data.samples, rowvar=False)[None] / R
    return Panel(data.k, data.mean[None], data.se[None], dof, cov, smoothed_errors(data.k, spread[None], dof))


def _rule(data: Series, claim: Bounded, tier: int, z_false: float, z_verify: float) -> Rule:
    if not isinstance(data, Series) or not isinstance(claim, Bounded):
        raise TypeError(
            f"data and claim must be a Series and a Bounded; got {type(data).__name__}, {type(claim).__name__}"
        )
    if tier not in (0, 1, 2):
        raise ValueError(f"tier={tier} must be 0, 1 or 2")
    for name, z in (("z_false", z_false), ("z_verify", z_verify)):
        if not 0 < z < 40:
            raise ValueError(f"{name}={z} must be between 0 and 40 sigma")
    check_laws([claim.law], data.k)
    return Rule(claim.law, claim.c_star, float(claim.k_full), int(tier), float(z_false), float(z_verify))


def _look(looks: LookLog | None, data: Series, rule: Rule, holdout: float | None) -> Look | None:
    if looks is None:
        return None
    declared: dict[str, Any] = {
        "rival": rule.rival.name,
        "c_star": rule.c_star,
        "k_full": rule.k_full,
        "tier": rule.tier,
        "z_false": rule.z_false,
        "z_verify": rule.z_verify,
        "holdout": holdout,
    }
    return looks.enter(data, declared, rule.z_false)


def _verdict(
    data: Series,
    panel: Panel,
    rule: Rule,
    out: Judged,
    laws: list[dict[str, Any]],
    look: Look | None,
) -> Verdict:
    errors = _errors(panel)
    upper = float(out.upper[0])
    tested = growth_laws(rule.rival)
    return Verdict(
        verdict=VERDICTS[out.verdict[0]],
        reason=REASONS[out.reason[0]],
        sigma={name: float(out.sigma[t, 0]) for t, name in enumerate(TIERS)},
        c={name: (float(out.c[t, 0]), float(out.lo[t, 0]), float(out.hi[t, 0])) for t, name in enumerate(TIERS)},
        c_upper=upper if np.isfinite(upper) else None,
        binding_model=MODELS[out.binding[0]],
        growth=tested[out.growth[0]].name,
        if_bounded=_if_bounded(data, panel, out),
        described={name: bool(out.described[t, 0]) for t, name in enumerate(TIERS)},
        laws=laws,
        misfit=_misfit(out, rule, data.n),
        holdout=HoldOut(**laws[0]["holdout"]) if "holdout" in laws[0] else None,
        rule=rule,
        series=data,
        design=Design(data.k, errors * float(out.scale[0]), rule.rival, rule.tier, rule.z_false),
        look=None if look is None else {"number": look.number, "z": look.z, "planned": look.declared["planned"]},
    )


def _if_bounded(data: Series, panel: Panel, out: Judged) -> Reading | None:
    """None where no curve describes the data and the limit of the nearest ones is no more than was measured."""
    if not out.survives.any():
        return None
    pooled = np.inf if panel.reps is None else float((panel.reps - 1).sum())
    found = if_bounded(data.k, data.mean, _errors(panel), scale=float(out.scale[0]), pooled=pooled)
    return found if found.describes or found.limit > data.mean.max() else None


def _errors(panel: Panel) -> Array:
    errors: Array = panel.se[0] if panel.weights is None else panel.weights[0]
    return errors


def _misfit(out: Judged, rule: Rule, n: int) -> Misfit:
    """The best model with or without growth: the least chi2 + 2 p."""
    size = TIER_SIZES[rule.tier]
    params = np.array([1 + len(model) for model in MODELS[:size]])
    null = out.fits.null_chi2[:size, 0] + 2 * params
    grown = out.fits.chi2[0, :size, 0] + 2 * params + 2
    scale = float(out.scale[0])
    if null.min() <= grown.min():
        i = int(null.argmin())
        chi2, p, nu, growth = out.fits.null_chi2[i, 0], out.null_p[i, 0], n - params[i], "1"
    else:
        i = int(grown.argmin())
        chi2, p, nu, growth = out.fits.chi2[0, i, 0], out.p[0, i, 0], n - params[i] - 1, rule.rival.name
    return Misfit(model_name(MODELS[i]), growth, float(chi2), int(nu), float(p), scale)
