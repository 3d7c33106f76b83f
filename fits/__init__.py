"""Growth laws from finite sweeps: fits, significance after transients, power, and when to abstain.

>>> import fits
>>> data = fits.Series([4, 8, 16, 32, 64, 128], [1.0, 1.4, 1.8, 2.2, 2.6, 3.0], [0.01] * 6, exact=True)
>>> fits.fit_law(data.k, data.mean, data.se).sigma > 100
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fits.calibration.bank import BANK
    from fits.calibration.run import calibrate
    from fits.deciding import decide
    from fits.lines import Line, fit_law
    from fits.looks import LookLog
    from fits.planning import Plan, plan
    from fits.series import Bounded, Series
    from fits.verdict import Verdict

_HOMES = {
    "BANK": "fits.calibration.bank",
    "Bounded": "fits.series",
    "Line": "fits.lines",
    "LookLog": "fits.looks",
    "Plan": "fits.planning",
    "Series": "fits.series",
    "Verdict": "fits.verdict",
    "calibrate": "fits.calibration.run",
    "decide": "fits.deciding",
    "fit_law": "fits.lines",
    "plan": "fits.planning",
}

__all__ = [
    "BANK",
    "Bounded",
    "Line",
    "LookLog",
    "Plan",
    "Series",
    "Verdict",
    "calibrate",
    "decide",
    "fit_law",
    "plan",
]


def __getattr__(name: str) -> Any:
    """Import a public name on its first use, so that ``python -m fits --help`` needs no numpy."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fits' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
