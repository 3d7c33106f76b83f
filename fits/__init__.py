"""Growth laws from finite sweeps."""

from fits.lines import Line, fit_law

__all__ = ["Line", "fit_law"]
