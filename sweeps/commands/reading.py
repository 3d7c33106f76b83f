"""Reading values of options; errors in one line that names the option as it is typed."""

import argparse
import re
from collections.abc import Callable

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def flag(name: str) -> str:
    """``k_max`` as ``--k-max``."""
    return "--" + name.replace("_", "-")


def dashed(message: str, names: list[str]) -> str:
    """A message with parameters named as options are typed: k-max, not k_max."""
    for name in names:
        message = re.sub(rf"\b{name}\b", name.replace("_", "-"), message)
    return message


def integer(name: str) -> Callable[[str], int]:
    """A reader of integers, ``1e6`` among them."""

    def read(text: str) -> int:
        try:
            if len(text) > 40:
                raise ValueError
            value = float(text) if "e" in text.lower() else int(text)
            if value != int(value):
                raise ValueError
            return int(value)
        except (ValueError, OverflowError):
            raise argparse.ArgumentTypeError(f"{name} must be an integer; got {text[:40]!r}") from None

    return read


def number(name: str) -> Callable[[str], float]:
    """A reader of numbers."""

    def read(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{name} must be a number; got {text[:40]!r}") from None

    return read


def seconds(text: str) -> float:
    """A reader of times: 90s, 10m, 2h."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([smhd]?)", text)
    if not found or float(found[1]) == 0:
        raise argparse.ArgumentTypeError(f"time-limit must be a time such as 90s, 10m or 2h; got {text[:40]!r}")
    return float(found[1]) * UNITS[found[2]]


def points(text: str, name: str) -> list[list[str]]:
    """Points separated by ';', coordinates by ','."""
    rows = [[x.strip() for x in row.split(",")] for row in text.strip().removesuffix(";").split(";")]
    if any(not x for row in rows for x in row):
        raise ValueError(f"{name} must be points separated by ';', coordinates by ','; got {text[:60]!r}")
    return rows


def cache_sizes(text: str) -> list[int]:
    """Cache sizes separated by commas."""
    sizes = [int(part) if re.fullmatch(r"\d{1,7}", part.strip()) else 0 for part in text.split(",")]
    if not all(1 <= size <= 1 << 20 for size in sizes):
        raise ValueError(f"k must be integers between 1 and 1048576, separated by commas; got {text[:40]!r}")
    return sizes
