"""A published claim, the finding on it, and the case that ties the two: plain frozen data.

>>> Finding("toy", "exact", "holds on every sequence of 3 requests", reached="3 requests").to_dict()["verdict"]
'toy'
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from sweeps.shown import html, markdown

VERDICTS = ("verified", "falsified", "toy", "inconclusive")  # the words of the ICML 2026 reproduction challenge
EVIDENCE = ("exact", "statistical")


@dataclass(frozen=True)
class Claim:
    """What was published, in words that can be true or false.

    ``id``: author and year (several cases may share it). ``statement``: one line, as short as it can be.
    ``quantifiers``: for which instances. ``relation``: the inequality or equality asserted. ``refuted_by``: what
    would settle it as false. ``source``: authors, title, version, theorem or equation number, and what this rests on
    where the paper itself could not be read. ``link``: where to find it.
    """

    id: str
    statement: str
    quantifiers: str
    relation: str
    refuted_by: str
    source: str
    link: str

    def __post_init__(self) -> None:
        for name, text in vars(self).items():
            if not isinstance(text, str) or not text.strip():
                raise ValueError(f"{name} must be text that says something; got {text!r}")


@dataclass(frozen=True)
class Finding:
    """A verdict with its evidence.

    ``verdict``: verified, falsified, toy or inconclusive; ``evidence``: exact or statistical. ``sentence``: the
    verdict in words, for a toy with what was not excluded. ``reached``: the scale, short enough for a table.
    ``certificates``: plain JSON objects for the independent checker. ``details``: numbers behind the sentence;
    Fractions are written as "p/q". ``figures``: by file name, functions that draw into the path they are given.
    """

    verdict: str
    evidence: str
    sentence: str
    reached: str
    certificates: tuple[Mapping[str, Any], ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, Callable[[Path], None]] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        _one_of("verdict", self.verdict, VERDICTS)
        _one_of("evidence", self.evidence, EVIDENCE)
        if not self.sentence.strip() or not self.reached.strip():
            raise ValueError("sentence and reached must say something; got an empty one")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, figures left out. TypeError for what JSON can't hold, ValueError for infinities, NaN."""
        return {name: jsonable(value) for name, value in vars(self).items() if name != "figures"}

    def _repr_html_(self) -> str:
        return html(f"{self.verdict} ({self.evidence})", f"{self.sentence} Reached: {self.reached}.")

    def _repr_markdown_(self) -> str:
        return markdown(f"{self.verdict} ({self.evidence})", f"{self.sentence} Reached: {self.reached}.")


@dataclass(frozen=True)
class Case:
    """A claim with the functions that check it.

    ``check(quick)`` re-checks the claim; ``control(quick)`` does the same where the answer is known to be another: a
    variant of the claim that is true, or an input on which the flaw is absent. A check that cannot tell the two
    apart shows nothing. ``expected`` and ``expected_control`` are their verdicts. ``quick``: within ten seconds.
    """

    claim: Claim
    check: Callable[[bool], Finding]
    control: Callable[[bool], Finding]
    expected: str
    expected_control: str

    def __post_init__(self) -> None:
        _one_of("expected", self.expected, VERDICTS)
        _one_of("expected_control", self.expected_control, VERDICTS)


def jsonable(value: Any) -> Any:
    """The value as JSON holds it: Fractions as "p/q", tuples as lists, keys as text.

    >>> jsonable({"ratio": Fraction(3, 2), "k": (2, 3)})
    {'ratio': '3/2', 'k': [2, 3]}
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"a number in a finding must be finite; got {value}")
        return value
    if isinstance(value, Mapping):
        return {str(key): jsonable(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [jsonable(entry) for entry in value]
    raise TypeError(f"a finding must hold numbers, text, lists and mappings; got {type(value).__name__}")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")
