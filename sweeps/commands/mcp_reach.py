"""The words of scale, power and what is not excluded, out of the documents of the command lines."""

from collections.abc import Mapping
from typing import Any

Document = Mapping[str, Any]
NOTHING_RUN: dict[str, Any] = {
    "scale": "nothing was run",
    "power": "none: nothing was run",
    "not_excluded": "everything: this says what could be checked, not how it came out",
}


def of_sweep(document: Document, *, ended: bool) -> dict[str, Any]:
    """Of a sweep or a part of one."""
    rows = document["rows"]
    requests = sum(row["requests"] for row in rows)
    scale = f"k = {rows[0]['k']} .. {rows[-1]['k']}, {len(rows)} points, {requests:.1e} requests" if rows else "none"
    growth = document["growth"]
    seen = None if growth is None else growth["mde"]
    verdict = document["finding"]["verdict"] if ended else "inconclusive"
    last = rows[-1]["k"] if rows else 0
    return {"scale": scale, "power": _power(seen), "not_excluded": not_excluded(verdict, seen, last)}


def of_growth(decision: Document) -> dict[str, Any]:
    """Of a decision on given data."""
    k, seen = decision["data"]["k"], decision["mde"]
    rule = decision["rule"]
    power = _power(seen, rule["rival"], rule["tier"])
    scale = f"k = {k[0]:g} .. {k[-1]:g}, {len(k)} points"
    return {"scale": scale, "power": power, "not_excluded": not_excluded(decision["reported"], seen, k[-1])}


def of_attention(document: Document) -> dict[str, Any]:
    """Of one start."""
    others = "other starts: this one alone settles a claim on all of them if it breaks it, not if it keeps it"
    rest = {"falsified": "nothing about this start, its tie rule and index", "verified": others}
    return {
        "scale": f"{len(document['tokens'])} tokens, ties {document['tie']}, every t",
        "power": "complete: exact arithmetic, no horizon",
        "not_excluded": rest.get(document["finding"]["verdict"], "both: a violation and none"),
    }


def of_design(document: Document) -> dict[str, Any]:
    """Of a plan of measurements."""
    k = document["k"]
    return {
        "scale": f"planned: k = {k[0]:g} .. {k[-1]:g}, {len(k)} points; not run",
        "power": _power(document["mde"], tier=document["tier"]),
        "not_excluded": f"by such a sweep: smaller slopes, ln ln k, an onset beyond k = {k[-1] / 8:,.4g}",
    }


def of_hunt(document: Document) -> dict[str, Any]:
    """Of a search."""
    tried = document["instances_tried"]
    rest = "nothing: one counterexample settles a claim on every instance"
    rest += "; check it by verify_certificate" if document.get("certified") else ", if the file's gap is right"
    missed = f"that the claim fails: {tried} instances do not show that it holds, and no power is known"
    return {
        "scale": f"{tried} instances in {document['seconds']:.3g} s, seed {document['seed']}",
        "power": "none: a search has no known chance of finding what is there",
        "not_excluded": rest if document["found"] else missed,
    }


def not_excluded(verdict: str, seen: float | None, last: float) -> str:
    """What a sweep's verdict leaves open."""
    if verdict == "falsified":
        return f"a saturation slower than the allowed transients, or one that sets in beyond k = {last / 8:,.4g}"
    if verdict == "toy":
        slope = "any slope" if seen is None else f"a slope below {seen:.2g}"
        return f"growth: {slope}, ln ln k, or an onset beyond k = {last / 8:,.4g}; toy is not verified"
    return "neither growth nor boundedness: nothing is decided"


def _power(seen: float | None, unit: str = "ln", tier: str = "T2") -> str:
    if seen is None:
        return "none known: too few points with errors, or out of reach"
    per = "ln k" if unit == "ln" else unit
    return f"a slope of {seen:.2g} per {per} would have been seen with 95 % power, allowing for transients in {tier}"
