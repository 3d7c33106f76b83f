"""Cells of a table as numbers: what Python's ``float`` takes but no table means is refused.

>>> column([{"k": "4"}, {"k": 8}, {"k": " 1e3 "}], "k")
[4.0, 8.0, 1000.0]
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

Row = dict[str, Any]

# float() also reads 1_000 and digits of other scripts, which in a file are slips more often than numbers
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def distinct(names: Iterable[Any], where: str) -> None:
    """Refuse a column name that occurs twice; unnamed columns, which nobody can ask for, may."""
    twice = [name for name, count in Counter(names).items() if count > 1 and name]
    if twice:
        raise ValueError(f"{where} must name each column once; {twice[0]!r} occurs twice")


def present(rows: list[Row], name: str) -> None:
    """Refuse a column that the table has not."""
    if not name or name not in rows[0]:
        raise ValueError(f"column {name!r} is missing; the file has {', '.join(map(str, rows[0]))}")


def column(rows: list[Row], name: str) -> list[float]:
    """A column of numbers; says which row holds something else."""
    present(rows, name)
    return [_number(row.get(name), name, i) for i, row in enumerate(rows, 1)]


def is_number(text: str) -> bool:
    """Whether the text is a finite decimal number.

    >>> is_number("-1.5e3"), is_number("1_000"), is_number("inf")
    (True, False, False)
    """
    return _NUMBER.fullmatch(text.strip()) is not None


def _number(value: Any, name: str, row: int) -> float:
    try:
        number = float("" if isinstance(value, bool) else value)
    except (TypeError, ValueError):
        number = None
    except OverflowError:
        number = math.inf
    if number is not None and not math.isfinite(number):
        raise ValueError(f"column {name!r} must hold finite numbers; got {value!r:.40} in row {row}")
    if number is None or (isinstance(value, str) and not is_number(value)):
        raise ValueError(f"column {name!r} must hold numbers; got {value!r:.40} in row {row}")
    return number
