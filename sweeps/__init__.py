"""Sweeps of simulators over scales where published claims break.

>>> import sweeps
>>> sweeps.simulate("paging", ["a", "b", "c", "a"], k=2, policy="fifo").faults
4
"""

from typing import Any

__all__ = ["Run", "run", "simulate"]


def simulate(simulator: str, instance: Any, **options: Any) -> Any:
    """Run one instance by a simulator's own ``simulate`` (paging: a request sequence; see there for the options)."""
    import importlib

    from sweeps import simulators

    simulators.find(simulator)
    return importlib.import_module(f"sweeps.simulators.{simulator}.simulate").simulate(instance, **options)


def __getattr__(name: str) -> Any:
    if name in ("Run", "run"):
        from sweeps import runner

        return getattr(runner, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
