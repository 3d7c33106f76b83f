"""What a design can see: smallest slope with 95 % power, k_max and replicates needed (spec 2.10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fits.dictionary import TIER_SIZES, Array, null_columns
from fits.formulas import Law
from fits.leastsquares import fit_growth

# Measured cost of the trip-wire, of t against normal and of smoothing, in sigma (spec 2.10).
LOSS = 0.36
Z_POWER = 1.645
MAX_DOUBLINGS = 40


@dataclass(frozen=True, eq=False)
class Design:
    """A grid ``k`` (n,) with errors (n,): enough to know what it can see, before any data."""

    k: Array
    errors: Array
    rival: Law
    tier: int = 2
    z_false: float = 3.0

    @cached_property
    def slope_error(self) -> float:
        """Largest standard error of the rival's coefficient over the tier, in y per unit of the rival."""
        columns = null_columns(self.k)[: TIER_SIZES[self.tier]]
        w = self.errors[None]
        fit = fit_growth(np.zeros_like(w), self.rival(self.k)[None], columns, w, w, None)
        return float(fit.unit_se.max())

    @property
    def mde(self) -> float:
        """Smallest slope seen with 95 % power (for 3 sigma: 5.0 times the slope's error)."""
        return (self.z_false + Z_POWER + LOSS) * self.slope_error

    def power(self, c: float) -> float:
        """Probability that growth c is called, for c >= 0.

        >>> design = Design(2.0 ** np.arange(2, 11), np.full(9, 0.02), Law("ln", np.log))
        >>> round(design.power(design.mde), 2)
        0.95
        """
        from scipy.special import ndtr

        return float(ndtr(slope(c) / self.slope_error - self.z_false - LOSS))

    def reps_factor(self, c: float) -> float:
        """How many times the replicates until c is seen with 95 % power on the same grid."""
        ratio = self.mde / slope(c)
        return ratio * ratio  # infinite where ratio**2 would overflow

    def extended(self, points: int) -> Design:
        """The same grid continued by ``points`` at its median ratio and its last error."""
        ratio = float(np.median(self.k[1:] / self.k[:-1]))
        more = self.k[-1] * ratio ** np.arange(1, points + 1)
        errors = np.concatenate([self.errors, np.full(points, self.errors[-1])])
        return Design(np.concatenate([self.k, more]), errors, self.rival, self.tier, self.z_false)

    def kmax_needed(self, c: float) -> float | None:
        """Smallest k_max, at the last point's error, that sees c with 95 % power; None beyond 2^40 k_max.

        >>> Design(2.0 ** np.arange(2, 7), np.full(5, 0.02), Law("ln", np.log)).kmax_needed(0.38)
        1024.0
        """
        slope(c)
        ratio = float(np.median(self.k[1:] / self.k[:-1]))
        low, high = -1, max(1, int(MAX_DOUBLINGS * np.log(2) / np.log(ratio)))
        try:
            if high > 1000 or self.extended(high).mde > c:
                return None
        except ValueError:  # the rival is not finite that far out
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.extended(middle).mde <= c else (middle, high)
        return float(self.extended(high).k[-1])


def slope(c: float) -> float:
    """Check a slope given by the user: positive and finite."""
    value = float(c)
    if not 0 < value < float("inf"):
        raise ValueError(f"c={c} must be positive and finite")
    return value
