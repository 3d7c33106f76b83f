"""Simulators, one model a folder: found by name, declared without importing numba."""

import importlib
import pkgutil

from sweeps.spec import Simulator


def names() -> list[str]:
    """Names of all simulators."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def find(name: str) -> Simulator:
    """The simulator called ``name``; ValueError lists those there are."""
    if name not in names():
        raise ValueError(f"simulator must be one of {', '.join(names())}; got {name!r}")
    simulator: Simulator = importlib.import_module(f"{__name__}.{name}").SIMULATOR
    return simulator
