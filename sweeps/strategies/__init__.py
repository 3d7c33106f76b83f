"""Hypothesis strategies that reach the places where claims break; built from integers, so that they shrink small."""

from importlib import import_module
from typing import Any

_HOMES = {
    "Growth": "instances",
    "Grid": "instances",
    "Paging": "instances",
    "Tokens": "instances",
    "paging_instances": "paging",
    "predictions": "paging",
    "request_sequences": "paging",
    "token_configurations": "attention",
}

__all__ = ["Grid", "Growth", "Paging", "Tokens", "paging_instances", "predictions", "request_sequences", "token_configurations"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sweeps.strategies' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"sweeps.strategies.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
