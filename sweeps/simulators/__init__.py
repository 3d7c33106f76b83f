"""Simulators, one model a folder: found by name, declared without importing numba; a user's own by its file's path."""

import importlib
import pkgutil

from sweeps.spec import Model, Simulator


def names() -> list[str]:
    """Names of all simulators."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def find(name: str) -> Model:
    """The simulator called ``name``; ValueError lists those there are."""
    if name not in names():
        raise ValueError(f"simulator must be one of {', '.join(names())}, or the path of a .py file; got {name!r}")
    model: Model = importlib.import_module(f"{__name__}.{name}").SIMULATOR
    return model


def find_swept(name: str) -> Simulator:
    """A simulator that can be swept over k, by its name or by the path of its file."""
    if name.endswith(".py"):
        from sweeps.simulators.by_path import simulator_at

        return simulator_at(name)
    simulator = find(name)
    if not isinstance(simulator, Simulator):
        raise ValueError(
            f"simulator must be one that is swept over k; {name} is not, see python -m sweeps {name} --help"
        )
    return simulator
