"""JSON Schemas of what ``python -m cases --json`` and ``python -m cases ledger FILE --json`` print.

>>> schema("findings")["$id"]
'urn:claimsweep:cases-findings:1'
"""

from collections.abc import Callable

from cases.claim import EVIDENCE, VERDICTS
from cases.ledger import CLASSES
from sweeps.schemas import DIALECT, ERROR, NUMBER, TEXT, WHOLE, Shape, items, record

VERSION = 1
VERDICT: Shape = {"enum": list(VERDICTS)}


def schema(name: str) -> Shape:
    """The schema called findings, ledger or error; ValueError for another name."""
    shapes: dict[str, Callable[[], Shape]] = {"findings": _findings, "ledger": _ledger, "error": lambda: ERROR}
    if name not in shapes:
        raise ValueError(f"name must be one of {', '.join(shapes)}; got {name!r}")
    return {"$schema": DIALECT, "$id": f"urn:claimsweep:cases-{name}:{VERSION}"} | shapes[name]()


def _finding() -> Shape:
    """``reached`` is the scale; ``certificates`` are for python -m exact verify; details hold rationals as "p/q"."""
    texts = {"sentence": TEXT, "reached": TEXT}
    more = {"certificates": items({"type": "object"}), "details": {"type": "object"}}
    return {"verdict": VERDICT, "evidence": {"enum": list(EVIDENCE)}, **texts, **more}


def _findings() -> Shape:
    names = ("id", "statement", "quantifiers", "relation", "refuted_by", "source", "link")
    fields = {
        "case": TEXT,
        "claim": TEXT,
        **_finding(),
        "control_verdict": VERDICT,
        "seconds": NUMBER,
        "expected": VERDICT,
        "expected_control": VERDICT,
        "as_expected": {"type": "boolean"},
        "control": record(_finding()),
        "published": record(dict.fromkeys(names, TEXT)),
    }
    return record({"findings": items(record(fields))}, about="toy: agrees at the scale reached; it is not verified")


def _ledger() -> Shape:
    counts = {
        "verdicts": record(dict.fromkeys(VERDICTS, WHOLE)),
        "classes": record(dict.fromkeys(CLASSES, WHOLE)),
    }
    papers = {"type": "object", "additionalProperties": {"enum": list(CLASSES)}}
    return record({"papers": papers, **counts, **dict.fromkeys(("teams", "records", "later", "points"), WHOLE)})
