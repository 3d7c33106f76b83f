"""Run a case and its control, and compare with what is expected."""

import json
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cases.claim import Case, Finding
from cases.discovery import find
from sweeps.shown import html, markdown


@dataclass(frozen=True)
class Checked:
    """A case's name, the case, its finding, the control's finding, and the seconds both took."""

    name: str
    case: Case
    finding: Finding
    control: Finding
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Whether verdict and control's verdict are those the case expects."""
        got = (self.finding.verdict, self.control.verdict)
        return got == (self.case.expected, self.case.expected_control)

    def to_dict(self) -> dict[str, Any]:
        """One entry of the findings of ``--json``."""
        finding = self.finding.to_dict()
        return {
            "case": self.name,
            "claim": self.case.claim.statement,
            **finding,
            "control_verdict": self.control.verdict,
            "seconds": round(self.seconds, 3),
            "expected": self.case.expected,
            "expected_control": self.case.expected_control,
            "as_expected": self.as_expected,
            "control": self.control.to_dict(),
            "published": dict(vars(self.case.claim)),
        }

    def _repr_html_(self) -> str:
        return html(self.name, self.finding.sentence, self._shown())

    def _repr_markdown_(self) -> str:
        return markdown(self.name, self.finding.sentence, self._shown())

    def _shown(self) -> list[tuple[str, ...]]:
        claim = self.case.claim
        rows = [(claim.statement, self.finding, self.case.expected)]
        rows.append(("control", self.control, self.case.expected_control))
        said = [(what, f"{f.verdict} ({f.evidence})", f.reached, expected) for what, f, expected in rows]
        return [("claim", "verdict", "reached", "expected"), *said]

    def write(self, folder: Path) -> list[Path]:
        """Write the finding, its certificates (JSON) and its figures (SVG) into ``folder``; the paths written."""
        folder.mkdir(parents=True, exist_ok=True)
        documents = {f"{self.name}.json": self.to_dict()}
        for whose, finding in (("", self.finding), ("-control", self.control)):
            for i, certificate in enumerate(finding.certificates, start=1):
                documents[f"{self.name}{whose}-certificate-{i}.json"] = dict(certificate)
        for file, document in documents.items():
            (folder / file).write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        figures = {folder / f"{self.name}-{file}": draw for file, draw in self.finding.figures.items()}
        for path, draw in figures.items():
            draw(path)
        return [*(folder / file for file in documents), *figures]


def check(name: str, *, quick: bool = False) -> Checked:
    """Run the case called ``name`` (or a file, by its path) and its control.

    ``quick``: smaller scales, within ten seconds once numba has compiled. Raises ValueError for an unknown case.

    >>> check("icml2026_units_slip", quick=True).finding.verdict
    'falsified'
    """
    case = find(name)
    started = time.perf_counter()
    finding, control = _found(name, case.check, quick), _found(name, case.control, quick)
    return Checked(Path(name).stem, case, finding, control, time.perf_counter() - started)


def _found(name: str, function: Callable[[bool], Finding], quick: bool) -> Finding:
    try:
        finding = function(quick)
    except (Exception, SystemExit) as error:  # whatever a case's file raises: the file is the input
        place = traceback.extract_tb(error.__traceback__)[-1]
        said = (
            f"{type(error).__name__}: {' '.join(str(error).split())} ({Path(place.filename).name}, line {place.lineno})"
        )
        raise ValueError(f"case {name} failed: {said}") from error
    if not isinstance(finding, Finding):
        raise TypeError(f"case {name} must return a Finding; got {type(finding).__name__}")
    return finding
