"""Hypothesis strategies that reach the places where claims break; built from integers, so that they shrink small.

Installed, they are known to Hypothesis by type, through its entry point: ``st.from_type(Tokens)``. A test that calls
kernels should load the profile without a deadline: ``settings.load_profile("claimsweep-jit")``. Names load on first
use: this imports no Hypothesis.

>>> from hypothesis import find
>>> from sweeps.strategies import token_configurations
>>> len(find(token_configurations(d=1), lambda tokens: len(set(tokens.points)) > 1).points)
2
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.strategies.attention import token_configurations
    from sweeps.strategies.instances import Grid, Growth, Paging, Tokens
    from sweeps.strategies.paging import paging_instances, predictions, request_sequences
    from sweeps.strategies.registering import register
    from sweeps.strategies.scales import grids, growth_data, horizons

_HOMES = {
    "Grid": "instances",
    "Growth": "instances",
    "Paging": "instances",
    "Tokens": "instances",
    "grids": "scales",
    "growth_data": "scales",
    "horizons": "scales",
    "paging_instances": "paging",
    "predictions": "paging",
    "register": "registering",
    "request_sequences": "paging",
    "token_configurations": "attention",
}

__all__ = [
    "Grid",
    "Growth",
    "Paging",
    "Tokens",
    "grids",
    "growth_data",
    "horizons",
    "paging_instances",
    "predictions",
    "register",
    "request_sequences",
    "token_configurations",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sweeps.strategies' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"sweeps.strategies.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
