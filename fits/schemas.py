"""JSON Schemas of what ``python -m fits ... --json`` prints. A change that breaks a reader raises VERSION.

>>> schema("plan")["$id"]
'urn:claimsweep:fits-plan:1'
"""

from __future__ import annotations

from typing import Any

Shape = dict[str, Any]

VERSION = 1
NAMES = ("decide", "plan", "calibrate", "error")
TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
FLAG: Shape = {"type": "boolean"}
NUMBER: Shape = {"type": "number"}
MAYBE: Shape = {"type": ["number", "null"]}  # null: infinite, or not known
NUMBERS: Shape = {"type": "array", "items": NUMBER}
TRIPLE: Shape = {"type": "array", "items": MAYBE, "minItems": 3, "maxItems": 3}
VERDICT: Shape = {"enum": ["falsified", "toy", "inconclusive"]}  # of an asymptotic claim: never verified


def record(fields: Shape, optional: Shape | None = None, *, about: str = "") -> Shape:
    """An object with exactly these fields."""
    shape = {"type": "object", "properties": fields | (optional or {}), "required": sorted(fields)}
    return shape | {"additionalProperties": False} | ({"description": about} if about else {})


def nullable(shape: Shape) -> Shape:
    """The shape, or null."""
    return {"anyOf": [shape, {"type": "null"}]}


def schema(name: str) -> Shape:
    """The schema of that name; ValueError lists those there are."""
    if name not in NAMES:
        raise ValueError(f"name must be one of {', '.join(NAMES)}; got {name!r}")
    shape = {"decide": _decide, "plan": _plan, "calibrate": _calibrate, "error": _error}[name]()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:claimsweep:fits-{name}:{VERSION}"}
    return head | shape


def _error() -> Shape:
    fields = {"error": TEXT, "code": {"enum": [1, 2, 3, 130]}, "remedy": TEXT}
    return record(fields, about="what went wrong, the exit code, and what to do")


def _decide() -> Shape:
    source = record({"file": TEXT, "x": TEXT, "y": TEXT, "k_min": MAYBE})
    fields = {
        "verdict": VERDICT,
        "reason": TEXT,
        "evidence": {"const": "statistical"},
        "sentence": TEXT,
        "claim": TEXT,
        "source": source,
        "figure": {"type": ["string", "null"]},
        "decision": _decision(),
    }
    about = "verdict: on f = O(1) (toy is not verified); slopes c in the unit of y per unit of the rival, ln k if ln"
    return record(fields, about=about)


def _decision() -> Shape:
    tiers = dict.fromkeys(("T0", "T1", "T2"), MAYBE)
    hold = nullable(record({"Q": MAYBE, "m": WHOLE, "p": MAYBE}))
    return record(
        {
            "verdict": {"enum": ["verified", "falsified", "toy", "inconclusive"]},
            "reported": VERDICT,
            "reason": TEXT,
            "evidence": {"const": "statistical"},
            "sigma": record(tiers),
            "c": record(dict.fromkeys(tiers, TRIPLE), about="estimate, low, high (95 %), by tier of transients"),
            "c_upper": MAYBE,
            "binding_model": {"type": "array", "items": TEXT},
            "growth": TEXT,
            "mde": {**MAYBE, "description": "smallest slope seen with 95 % power"},
            "if_bounded": nullable({"type": "array", "items": MAYBE, "minItems": 2, "maxItems": 2}),
            "if_bounded_describes": FLAG,
            "described": record(dict.fromkeys(tiers, FLAG), about="by tier: the rival describes the data"),
            "laws": {"type": "array", "items": _law(hold)},
            "misfit": record({"model": TEXT, "growth": TEXT, "chi2": MAYBE, "nu": WHOLE, "p": MAYBE, "S_best": MAYBE}),
            "holdout": hold,
            "rule": _rule(),
            "look": nullable({"type": "object"}),
            "seed": {"type": ["integer", "string", "null"]},
            "data": _data(),
            "dictionary": {"type": ["integer", "string"]},
            "sentence": TEXT,
        }
    )


def _law(hold: Shape) -> Shape:
    numbers = dict.fromkeys(("c", "lo", "hi", "z", "chi2"), MAYBE)
    known = {"transient": TEXT, "nu": WHOLE, "members": WHOLE, "fitting": WHOLE, "holdout": hold, **numbers}
    return record({"law": TEXT, "kept": FLAG}, known)


def _rule() -> Shape:
    numbers = {"c_star": MAYBE, "k_full": NUMBER, "z_false": NUMBER, "z_verify": NUMBER}
    return record({"rival": TEXT, "tier": {"enum": ["T0", "T1", "T2"]}, **numbers})


def _data() -> Shape:
    fields = {
        "k": NUMBERS,
        "mean": NUMBERS,
        "se": NUMBERS,
        "reps": nullable(NUMBERS),
        "shared_seeds": FLAG,
        "weighted_with": {"type": "array", "items": MAYBE},
    }
    return record(fields)


def _plan() -> Shape:
    fields = {
        "k_max": NUMBER,
        "k": NUMBERS,
        "reps": {"type": "array", "items": WHOLE},
        "se": NUMBERS,
        "cost": NUMBER,
        "mde": MAYBE,
        "tier": {"enum": ["T0", "T1", "T2"]},
        "c": MAYBE,
        "power": MAYBE,
        "options": {"type": "array", "items": NUMBERS},
    }
    return record(fields, about="slopes c per ln k; cost in the unit of --cost; options: pairs of k_max and cost")


def _calibrate() -> Shape:
    texts = dict.fromkeys(("cell", "case", "measure", "pass"), TEXT)
    row = record({**texts, "rate": MAYBE, "ok": FLAG, "sweeps": WHOLE, "hits": WHOLE})
    versions = {"type": "object", "additionalProperties": TEXT}
    fields = {"n": WHOLE, "seed": WHOLE, "dictionary": {"type": ["integer", "string"]}, "versions": versions}
    return record({**fields, "ok": FLAG, "rows": {"type": "array", "items": row}})
