"""A plain weighted line in one growth law: no transients, no verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Line:
    """y = intercept + slope ln x, with the slope's error from the measured ones; ``sigma`` = slope / slope_se."""

    law: str
    intercept: float
    slope: float
    slope_se: float
    sigma: float
    chi2: float
    nu: int


def fit_law(x: Sequence[float], y: Sequence[float], se: Sequence[float]) -> Line:
    """Weighted least squares of y = a + c ln x; n >= 3 points, errors ``se`` > 0 in the unit of y.

    >>> line = fit_law([4, 8, 16, 32, 64], [1, 2, 3, 4, 5], [0.1] * 5)
    >>> round(line.slope, 4), round(line.sigma, 1)
    (1.4427, 31.6)
    """
    u, mean, weight = np.log(x), np.asarray(y, float), np.asarray(se, float) ** -2.0
    centre = np.average(u, weights=weight)
    information = (weight * (u - centre) ** 2).sum()
    slope = (weight * (u - centre) * mean).sum() / information
    slope_se = information**-0.5
    intercept = np.average(mean, weights=weight) - slope * centre
    chi2 = (weight * (mean - intercept - slope * u) ** 2).sum()
    return Line("ln", float(intercept), float(slope), float(slope_se), float(slope / slope_se), float(chi2), u.size - 2)
