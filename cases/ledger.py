"""``python -m cases ledger FILE``: what independent teams' claim verdicts make of each paper.

Classes in order of precedence: contested (some claim both verified and falsified), verified and falsified (on
different claims), falsified, fully verified (every claim), partly verified, toy, nothing. The challenge has not
published its rule; this precedence reproduces its sums (inferred).
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cases.claim import VERDICTS
from sweeps.failing import Parser, ShowSchema

CLASSES = (
    "contested",
    "verified and falsified",
    "falsified",
    "fully verified",
    "partly verified",
    "toy",
    "nothing",
)
EXAMPLE = """FILE, with one record (orid: the paper; the team is the part of the key before the slash):
  {"ann/logbook": {"orid": "p7", "judged_at": "2026-08-01T00:00:00Z",
                  "claims": [{"claim": "theorem 1", "verdict": "toy"}, {"claim": "table 2", "verdict": "verified"}]}}"""
POINTS = {"verified": 2, "falsified": 2, "toy": 1, "inconclusive": 0}


@dataclass(frozen=True)
class Record:
    """One team's judged logbook on one paper: (claim, verdict) pairs, judged at a time."""

    team: str
    paper: str
    judged_at: str
    claims: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Ledger:
    """``papers``: class by paper id; ``verdicts``: claims by verdict; ``teams``; ``records`` counted and
    ``later``: records left out because the same team had one of the same paper judged earlier."""

    papers: Mapping[str, str]
    verdicts: Mapping[str, int]
    teams: int
    records: int
    later: int

    @property
    def classes(self) -> dict[str, int]:
        """Papers in each class, in the order of precedence."""
        counted = Counter(self.papers.values())
        return {name: counted[name] for name in CLASSES}

    @property
    def points(self) -> int:
        """Verified and falsified claims count 2, toys 1."""
        return sum(POINTS[verdict] * n for verdict, n in self.verdicts.items())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**vars(self), "classes": self.classes, "points": self.points}


def paper_classes(entries: Mapping[str, Any] | Iterable[Any]) -> Ledger:
    """Classes of papers from verdict records: an object keyed by Space id, or a list of records with a space_id.

    A record has orid (the paper), judged_at (ISO time) and claims, each with a verdict; the team is the part of the
    Space id before the slash. Of a team's records on one paper the earliest counts (the challenge's rule). A claim
    is known by its ``claim_id``, ``id`` or ``claim``, else by its place in the list. Time linear in the claims.
    Raises ValueError, one line, for records that lack a field or hold an unknown verdict.

    >>> teams = {t + "/log": {"orid": "p", "judged_at": "2026-08-01T00:00:00Z", "claims": [{"verdict": v}]}
    ...          for t, v in (("ann", "verified"), ("bob", "falsified"))}
    >>> paper_classes(teams).papers
    {'p': 'contested'}
    """
    first: dict[tuple[str, str], Record] = {}
    count = 0
    for count, (space, entry) in enumerate(_pairs(entries), start=1):  # noqa: B007 - used after the loop
        record = _record(space, entry)
        key = (record.team, record.paper)
        if key not in first or record.judged_at < first[key].judged_at:
            first[key] = record
    papers: dict[str, dict[str, set[str]]] = {}
    for record in first.values():
        claims = papers.setdefault(record.paper, {})
        for claim, verdict in record.claims:
            claims.setdefault(claim, set()).add(verdict)
    verdicts = Counter(verdict for record in first.values() for _, verdict in record.claims)
    return Ledger(
        papers={paper: paper_class(claims.values()) for paper, claims in papers.items()},
        verdicts={name: verdicts[name] for name in VERDICTS},
        teams=len({team for team, _ in first}),
        records=len(first),
        later=count - len(first),
    )


def paper_class(claims: Iterable[set[str]]) -> str:
    """The class of a paper from the verdicts that each of its claims has got.

    >>> paper_class([{"verified"}, {"verified", "toy"}]), paper_class([{"verified"}, {"toy"}]), paper_class([])
    ('fully verified', 'partly verified', 'nothing')
    """
    sets = list(claims)
    seen = set().union(*sets)
    if any({"verified", "falsified"} <= verdicts for verdicts in sets):
        return "contested"
    if "falsified" in seen:
        return "verified and falsified" if "verified" in seen else "falsified"
    if "verified" in seen:
        return "fully verified" if all("verified" in verdicts for verdicts in sets) else "partly verified"
    return "toy" if "toy" in seen else "nothing"


def _pairs(entries: Mapping[str, Any] | Iterable[Any]) -> Iterable[tuple[str | None, Any]]:
    if isinstance(entries, Mapping):
        return entries.items()
    if isinstance(entries, list | tuple):
        return ((None, entry) for entry in entries)
    raise ValueError(f"verdicts must be an object keyed by Space id, or a list; got {type(entries).__name__}")


def _record(space: str | None, entry: Any) -> Record:
    if not isinstance(entry, Mapping):
        raise ValueError(f"record {_shown(space)} must be an object; got {type(entry).__name__}")
    space = entry.get("space_id", space)
    where = f"record {_shown(space)}"
    for name in ("orid", "judged_at"):
        if not isinstance(entry.get(name), str) or not entry[name]:
            raise ValueError(f"{where} must have {name}, a text; got {_shown(entry.get(name))}")
    if not isinstance(space, str) or not space.partition("/")[0]:
        raise ValueError(f"{where} must have space_id, team/space; got {_shown(space)}")
    claims = entry.get("claims")
    if not isinstance(claims, list):
        raise ValueError(f"{where} must have claims, a list; got {_shown(claims)}")
    listed = tuple(_claim(where, i, claim) for i, claim in enumerate(claims))
    return Record(space.partition("/")[0], entry["orid"], _time(where, entry["judged_at"]), listed)


def _time(where: str, text: str) -> str:
    """A time that sorts as text: UTC where a zone is given, of fixed length."""
    try:
        moment = datetime.fromisoformat(text)
        utc = moment.replace(tzinfo=None) - (moment.utcoffset() or timedelta())
    except (ValueError, OverflowError):
        raise ValueError(f"{where} must have judged_at, an ISO time; got {_shown(text)}") from None
    return utc.isoformat("T", "microseconds")


def _claim(where: str, place: int, claim: Any) -> tuple[str, str]:
    if not isinstance(claim, Mapping):
        raise ValueError(f"{where}, claim {place + 1}, must be an object; got {type(claim).__name__}")
    verdict = claim.get("verdict")
    if verdict not in VERDICTS:
        allowed = ", ".join(VERDICTS)
        raise ValueError(f"{where}, claim {place + 1}, verdict must be one of {allowed}; got {_shown(verdict)}")
    named = (claim[name] for name in ("claim_id", "id", "claim") if isinstance(claim.get(name), str | int))
    return str(next(named, place)), str(verdict)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def read(path: str | Path) -> Ledger:
    """The ledger of a verdicts.json. Raises ValueError for what is no such file, OSError where it can't be read."""
    try:
        return paper_classes(json.loads(Path(path).read_text(encoding="utf-8-sig"), object_pairs_hook=_without_doubles))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} must be JSON; {error.msg} in line {error.lineno}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} must be JSON in UTF-8; it holds other bytes") from None
    except RecursionError:
        raise ValueError(f"{path} must be verdict records; it is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        double = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"key {_shown(double)} must be there once; it is there twice")
    return found


def main(argv: Sequence[str]) -> int:
    """Run ``python -m cases ledger``; errors are the caller's to print."""
    parser = Parser(
        prog="python -m cases ledger",
        description="Classes of papers from the claim verdicts of independent teams (a verdicts.json).",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="an object of records keyed by Space id, or a list of records")
    parser.add_argument("--json", action="store_true", help="print one JSON document, with the class of each paper")
    named: dict[str, Any] = {"action": ShowSchema, "nargs": 0, "const": "cases.schemas:ledger"}
    parser.add_argument("--schema", **named, help="print the JSON Schema of --json, and end")
    options = parser.parse_args(argv)
    ledger = read(options.file)
    print(json.dumps(ledger.to_dict()) if options.json else _table(ledger))
    if ledger.later:
        print(f"{ledger.later} records left out: the same team's earlier one on the paper counts", file=sys.stderr)
    return 0


def _table(ledger: Ledger) -> str:
    papers = len(ledger.papers)
    lines = [f"{papers} papers, {ledger.records} records of {ledger.teams} teams, {ledger.points} points"]
    lines += [f"{n:>8}  {100 * n / max(papers, 1):5.1f} %  {name}" for name, n in ledger.classes.items()]
    claims = ", ".join(f"{n} {verdict}" for verdict, n in ledger.verdicts.items())
    return "\n".join([*lines, f"claims: {claims}"])
