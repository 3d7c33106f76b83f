"""What ``decide`` returns: the verdict, the figures behind it, and what the sweep could have seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fits.asymptote import Reading
from fits.dictionary import TIERS, VERSION
from fits.holdout import HoldOut
from fits.power import Design
from fits.rules import Rule
from fits.series import Series
from fits.shown import html, markdown
from fits.wording import sentence

Interval = tuple[float, float, float]


@dataclass(frozen=True)
class Misfit:
    """The best model of the tier: chi2 on ``nu`` degrees of freedom, its tail ``p``, and the scale S_best."""

    model: str
    growth: str
    chi2: float
    nu: int
    p: float
    S_best: float


@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """A decision on f = O(1), relative to the tier's class of bounded transients.

    ``verdict``: verified (the BOUNDED statement "no growth c * rival with c >= c_star on the range run",
    never O(1)), falsified, toy or inconclusive; ``reason`` in one word. ``sigma`` and ``c`` (estimate, low,
    high; 95 %) by tier; ``c_upper`` the upper bound that a verified rests on; ``binding_model`` the
    transients that stand most in the way; ``mde`` the slope seen with 95 % power; ``if_bounded`` (q at most,
    limit at least, whether such a curve describes the data), None where a - b/k^q says nothing; ``described``
    by tier: whether the rival does, beside some transient (else its c means little); ``holdout`` (Q, m, p) of the
    constant. Slopes are in the unit of y per unit of the rival.
    """

    verdict: str
    reason: str
    sigma: dict[str, float]
    c: dict[str, Interval]
    c_upper: float | None
    binding_model: tuple[str, ...]
    growth: str
    if_bounded: Reading | None
    described: dict[str, bool]
    laws: list[dict[str, Any]]
    misfit: Misfit
    holdout: HoldOut | None
    rule: Rule
    series: Series
    design: Design
    look: dict[str, Any] | None = field(default=None)

    def __repr__(self) -> str:
        sigma = ", ".join(f"{tier}: {value:.1f}" for tier, value in self.sigma.items())
        return f"<Verdict {self.verdict}, {self.reason}; sigma {sigma}>"

    def _repr_html_(self) -> str:
        return html(self.reported, self.sentence(), self._shown())

    def _repr_markdown_(self) -> str:
        return markdown(self.reported, self.sentence(), self._shown())

    def _shown(self) -> list[tuple[str, ...]]:
        rows = [(tier, f"{self.sigma[tier]:.1f}", *(f"{x:.3g}" for x in self.c[tier])) for tier in self.sigma]
        return [("tier", "sigma", f"c per {self.rule.rival.name}", "low (95 %)", "high"), *rows]

    @property
    def mde(self) -> float:
        """Smallest slope that this sweep sees with 95 % power."""
        return self.design.mde

    @property
    def reported(self) -> str:
        """The verdict on the asymptotic claim: no sweep verifies one: "verified" is reported toy."""
        return "toy" if self.verdict == "verified" else self.verdict

    def would_have_seen(self, c: float) -> float:
        """Probability that this sweep calls growth of slope c > 0."""
        return self.design.power(c)

    def kmax_needed(self, c: float) -> float | None:
        """Smallest k_max that sees slope c with 95 % power at the last point's error; None: out of reach."""
        return self.design.kmax_needed(c)

    def reps_factor(self, c: float) -> float:
        """How many times the replicates until slope c is seen with 95 % power on the same k."""
        return self.design.reps_factor(c)

    def sentence(self) -> str:
        """The verdict in words: what, how sure, what would have been seen, what is not excluded."""
        return sentence(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with everything that the verdict depends on."""
        rule = self.rule
        plain = {
            "verdict": self.verdict,
            "reported": self.reported,
            "reason": self.reason,
            "evidence": "statistical",
            "sigma": self.sigma,
            "c": self.c,
            "c_upper": self.c_upper,
            "binding_model": self.binding_model,
            "growth": self.growth,
            "mde": self.mde,
            "if_bounded": None if self.if_bounded is None else [self.if_bounded.q, self.if_bounded.limit],
            "if_bounded_describes": self.if_bounded is not None and self.if_bounded.describes,
            "described": self.described,
            "laws": self.laws,
            "misfit": vars(self.misfit),
            "holdout": None if self.holdout is None else self.holdout._asdict(),
            "rule": {
                "rival": rule.rival.name,
                "c_star": rule.c_star,
                "k_full": rule.k_full,
                "tier": TIERS[rule.tier],
                "z_false": rule.z_false,
                "z_verify": rule.z_verify,
            },
            "look": self.look,
            "seed": self.series.seed,
            "data": _data(self.series) | {"weighted_with": self.design.errors},
            "dictionary": VERSION,
            "sentence": self.sentence(),
        }
        return {name: jsonable(value) for name, value in plain.items()}


def _data(series: Series) -> dict[str, Any]:
    return {
        "k": series.k,
        "mean": series.mean,
        "se": series.se,
        "reps": series.reps,
        "shared_seeds": series.shared_seeds,
    }


def jsonable(value: Any) -> Any:
    """Lists, dicts, strings and finite numbers; what is infinite or missing becomes None.

    >>> jsonable({"a": (1.0, float("inf"))})
    {'a': [1.0, None]}
    """
    if isinstance(value, dict):
        return {str(name): jsonable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [jsonable(inner) for inner in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
