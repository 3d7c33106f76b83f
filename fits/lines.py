"""A plain weighted line in one growth law: the T0 figure, without transients and without a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fits.formulas import law as read_law
from fits.leastsquares import fit_growth
from fits.series import numbers


@dataclass(frozen=True)
class Line:
    """y = intercept + slope * law(k); errors from the measured ones; ``sigma`` = slope / slope_se."""

    law: str
    intercept: float
    slope: float
    slope_se: float
    sigma: float
    chi2: float
    nu: int


def fit_law(x: Any, y: Any, se: Any, *, law: str = "ln") -> Line:
    """Weighted least squares of y = a + c law(x), n >= 3 points, errors ``se`` > 0 in the unit of y.

    No transient is allowed for: sigma over a constant is wrong on nearly every bounded transient (spec 0.2).
    Raises ValueError. Source: spec 2.2, tier T0 with known errors.

    >>> line = fit_law([4, 8, 16, 32, 64], [1, 2, 3, 4, 5], [0.1] * 5, law="ln")
    >>> round(line.slope, 4), round(line.sigma, 1)
    (1.4427, 31.6)
    """
    k, mean, error = numbers("x", x), numbers("y", y), numbers("se", se)
    if not k.size == mean.size == error.size or k.size < 3:
        raise ValueError(f"x, y, se must be at least 3 each; got {k.size}, {mean.size}, {error.size}")
    if (error <= 0).any() or k.min() <= 0:
        raise ValueError(f"x and se must be positive; got {k.min():g} and {error.min():g}")
    values, w = read_law(law)(k), error[None]
    fit = fit_growth(mean[None], values[None], np.ones((1, 1, k.size)), w, w, None)
    c, slope_se = fit.c.item(), fit.se.item()
    if not np.isfinite(slope_se):
        raise ValueError(f"law={law!r} must vary over x")
    weights = error**-2.0
    intercept = float(np.average(mean, weights=weights) - c * np.average(values, weights=weights))
    return Line(law, intercept, c, slope_se, c / slope_se, fit.chi2.item(), k.size - 2)
