"""Results as they show themselves in a notebook: a sentence and a small table, escaped; nothing is needed for it.

The same stands in ``sweeps/shown.py``: this package imports nothing of ours.

>>> markdown("falsified", "a < b", [("k", "cost"), ("4", "1|2")]).splitlines()
['**falsified**: a \\\\< b', '', '| k | cost |', '|---|---|', '| 4 | 1\\\\|2 |']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

MOST = 12  # rows of a table; of a longer one the first and the last are shown

Row = Sequence[str]


def html(head: str, said: str, rows: Sequence[Row] = ()) -> str:
    """A paragraph and a table; ``rows[0]`` are the column names."""
    lines = [f"<p><strong>{escape(head)}</strong>: {escape(said)}</p>"]
    if rows:
        names, *body = _short(rows)
        lines += ["<table><thead>", _html_row(names, "th"), "</thead><tbody>"]
        lines += [*(_html_row(row, "td") for row in body), "</tbody></table>"]
    return "\n".join(lines)


def markdown(head: str, said: str, rows: Sequence[Row] = ()) -> str:
    """The same in Markdown."""
    lines = [f"**{_plain(head)}**: {_plain(said)}"]
    if rows:
        names, *body = _short(rows)
        lines += ["", _markdown_row(names), "|" + "---|" * len(names), *map(_markdown_row, body)]
    return "\n".join(lines)


def _short(rows: Sequence[Row]) -> list[Row]:
    if len(rows) <= MOST + 1:
        return list(rows)
    return [*rows[: MOST // 2 + 1], ["..."] * len(rows[0]), *rows[-(MOST // 2) :]]


def _html_row(row: Row, tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"


def _markdown_row(row: Row) -> str:
    return "| " + " | ".join(map(_plain, row)) + " |"


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_{}\[\]<>|#$~&])", r"\\\1", " ".join(text.split()))
