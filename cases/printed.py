"""Findings as text: the table of all cases, and one case in full."""

import textwrap
from collections.abc import Sequence
from typing import Any

from cases.claim import Finding
from cases.running import Checked

HEADER = ("case", "claim", "verdict", "evidence", "reached", "s")
WIDEST = 46  # of a claim's statement in the table


def table(results: Sequence[Checked]) -> str:
    """One line a case; what is not as expected is marked at the line's end."""
    rows = [HEADER, *(_row(result) for result in results)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    marks = ["", *("" if result.as_expected else "  not as expected" for result in results)]
    return "\n".join(_line(row, widths) + mark for row, mark in zip(rows, marks, strict=True))


def _row(result: Checked) -> tuple[str, ...]:
    finding = result.finding
    claim = textwrap.shorten(result.case.claim.statement, WIDEST, placeholder=" ...")
    return (result.name, claim, finding.verdict, finding.evidence, finding.reached, f"{result.seconds:.1f}")


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
    return "  ".join([*cells, row[-1].rjust(widths[-1])])


def in_full(result: Checked) -> str:
    """Verdict first, then the claim and its source, the control, and the numbers."""
    claim = result.case.claim
    facts = [
        ("claim", f"{claim.statement} ({claim.quantifiers})"),
        ("relation", claim.relation),
        ("refuted by", claim.refuted_by),
        ("source", f"{claim.source} {claim.link}"),
        ("reached", result.finding.reached),
        ("control", _headline(result.control)),
    ]
    details = [(name, _short(value)) for name, value in result.finding.to_dict()["details"].items()]
    width = max(len(name) for name, _ in facts + details)
    lines = [_wrap("", _headline(result.finding), 0), ""]
    lines += [_wrap(name, text, width) for name, text in facts + details]
    lines.append(f"{result.name}: {result.seconds:.1f} s, {'' if result.as_expected else 'NOT '}as expected")
    return "\n".join(lines)


def _headline(finding: Finding) -> str:
    return f"{finding.verdict} ({finding.evidence}): {finding.sentence}"


def _wrap(name: str, text: str, width: int) -> str:
    start = f"{name.ljust(width)}  " if name else ""
    return textwrap.fill(start + text, 116, subsequent_indent=" " * (len(start) or 2), break_long_words=False)


def _short(value: Any) -> str:
    if isinstance(value, list) and len(value) > 3 and isinstance(value[0], dict):
        return f"{len(value)} rows of {', '.join(value[0])} (printed by --json)"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 400 else f"{text[:380]} ... ({len(text)} characters)"
