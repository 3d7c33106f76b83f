"""JSON Schemas of what ``python -m sweeps ... --json`` prints. A change that breaks a reader raises VERSION.

>>> schema("runs")["$id"], "hunt" in names()
('urn:claimsweep:runs:1', True)
"""

from collections.abc import Callable
from typing import Any

Shape = dict[str, Any]

VERSION = 1
DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
NUMBER: Shape = {"type": "number"}
TRUTH: Shape = {"type": "boolean"}
MAYBE: Shape = {"type": ["number", "null"]}  # null: infinite, or not known
MAYBE_TEXT: Shape = {"type": ["string", "null"]}
DIGITS: Shape = {"type": "string", "pattern": "^-?[0-9]+$"}  # integers of any size: states, times, horizons
RATIONAL: Shape = {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}
PLAIN: Shape = {"type": ["number", "string", "boolean", "null"]}
PARAMETERS: Shape = {"type": "object", "additionalProperties": PLAIN}


def record(fields: Shape, optional: Shape | None = None, *, about: str = "") -> Shape:
    """An object with exactly these fields."""
    shape = {"type": "object", "properties": fields | (optional or {}), "required": sorted(fields)}
    return shape | {"additionalProperties": False} | ({"description": about} if about else {})


def items(shape: Shape, size: int | None = None) -> Shape:
    """A list of the shape, of a fixed size if given."""
    return {"type": "array", "items": shape} | ({} if size is None else {"minItems": size, "maxItems": size})


def nullable(shape: Shape) -> Shape:
    """The shape, or null."""
    return {"anyOf": [shape, {"type": "null"}]}


ERROR = record(
    {"error": TEXT, "code": {"enum": [1, 2, 3, 130]}, "remedy": TEXT},
    about="what went wrong, the exit code, and what to do; the exit code is the same",
)


def names() -> list[str]:
    """Names of the schemas."""
    return sorted(_SHAPES)


def schema(name: str) -> Shape:
    """The schema called ``name``; ValueError lists those there are."""
    if name not in _SHAPES:
        raise ValueError(f"name must be one of {', '.join(names())}; got {name!r}")
    return {"$schema": DIALECT, "$id": f"urn:claimsweep:{name}:{VERSION}"} | _SHAPES[name]()


def _finding(evidence: list[str], verdicts: tuple[str, ...] = ("falsified", "toy", "inconclusive")) -> Shape:
    """What a sweep says of an asymptotic claim: never verified."""
    verdict = {"enum": list(verdicts)}
    return record({"claim": TEXT, "verdict": verdict, "evidence": {"enum": evidence}, "sentence": TEXT})


def _sweep_fields() -> Shape:
    return {
        "simulator": TEXT,
        "description": TEXT,
        "run_id": {"type": "string", "pattern": "^[0-9a-f]{12}$"},
        "seed": WHOLE,
        "parameters": PARAMETERS,
        "rows": items(_row()),
        "growth": nullable(_growth()),
        "finding": _finding(["statistical"]),
        "ended": TEXT,
        "failures": items(record({"k": WHOLE, "block": WHOLE, "traceback": TEXT})),
    }


def _row() -> Shape:
    numbers = ("cost", "cost_se", "opt", "additive", "additive_se")
    fields = {"k": WHOLE, "phases": WHOLE, "requests": WHOLE, **dict.fromkeys(numbers, NUMBER)}
    fields |= {"additive_exact": MAYBE, "additive_exact_fraction": nullable(RATIONAL)}
    about = "cost, opt and additive = cost/opt - H_k in faults a phase (OPT pays 1); _se: one standard error"
    return record(fields, {"budget_earned": NUMBER, "budget_spent": NUMBER}, about=about)


def _growth() -> Shape:
    numbers = ("slope", "slope_se", "sigma", "intercept", "chi2")
    tiers = ("T0", "T1", "T2")
    fields = {
        "law": TEXT,
        **dict.fromkeys(numbers, NUMBER),
        "nu": WHOLE,
        "sigmas": record(dict.fromkeys(tiers, MAYBE)),
        "reason": TEXT,
        "c": record({tier: items(MAYBE, 3) for tier in tiers}, about="slope per ln k: estimate, low, high (95 %)"),
        "c_upper": MAYBE,
        "mde": {**MAYBE, "description": "smallest slope per ln k that this sweep sees with 95 % power"},
        "binding_model": items(TEXT),
        "if_bounded": nullable(items(MAYBE, 2)),
        "misfit": {"type": "object"},
        "rule": {"type": "object"},
    }
    return record(fields, about="sigma allows for no transient; sigmas do, by tier")


def _sweep() -> Shape:
    return record(_sweep_fields(), about="a verdict reaches as far as the rows' largest k; toy is not verified")


def _show() -> Shape:
    return record({**_sweep_fields(), "blocks": WHOLE, "blocks_planned": WHOLE, "doubts": items(TEXT)})


def _plan() -> Shape:
    point = record({"k": WHOLE, "replicates": WHOLE, "blocks": WHOLE, "requests": NUMBER})
    texts = dict.fromkeys(("run_id", "simulator", "claim", "code"), TEXT)
    rest = {"parameters": PARAMETERS, "seed": DIGITS, "looks": WHOLE, "points": items(point), "requests": NUMBER}
    rest["smallest_slope_seen"] = MAYBE
    return record({**texts, **rest}, about="nothing was run; requests are means")


def _trace() -> Shape:
    counts = ("k", "requests", "pages", "faults", "opt", "l0", "budget_earned", "budget_spent")
    row = record({"policy": TEXT, **dict.fromkeys(counts, WHOLE), "ratio": NUMBER, "h_k": NUMBER})
    return record({"simulator": TEXT, "trace": TEXT, "seed": WHOLE, "parameters": PARAMETERS, "rows": items(row)})


def _runs() -> Shape:
    return record({"runs": items(record(dict.fromkeys(("run", "claim", "state", "verdict", "written"), TEXT)))})


def _attention() -> Shape:
    fields = {
        "tokens": items(items(RATIONAL)),
        "b": items(items(RATIONAL)),
        "tie": {"enum": ["low", "avg", "stay"]},
        "index": {"enum": ["update", "state"]},
        "horizon": DIGITS,
        "first_violation": nullable(record({"k": DIGITS, "t": DIGITS})),
        "violated_by_horizon": {"type": ["boolean", "null"]},
        "eventual": {"enum": ["violated", "never", "undecided"]},
        "from_k": nullable(DIGITS),
        "events": items(DIGITS),
        "evidence": {"enum": ["exact", "float64"]},
        "finding": _finding(["exact", "float64"], ("verified", "falsified", "toy", "inconclusive")),
    }
    exact_only = {
        "separator": nullable(items(RATIONAL)),
        "separated_at": nullable(DIGITS),
        "hull_lost_at": nullable(DIGITS),
        "events_complete": TRUTH,
        "reason": TEXT,
    }
    return record(fields, exact_only, about="evidence float64 (--float) confirms nothing")


def _attention_show() -> Shape:
    texts = dict.fromkeys(("simulator", "run_id", "seed", "state"), TEXT)
    finding = nullable(_finding(["exact"], ("verified", "falsified", "inconclusive")))
    return record(
        {**texts, "parameters": {"type": "object"}, "finding": finding, "said": items(TEXT), "doubts": items(TEXT)}
    )


def _survey() -> Shape:
    texts = {"tie": TEXT, "index": TEXT, "b": items(items(RATIONAL))}
    counts = dict.fromkeys(("n", "d", "count", "seed", "never", "undecided"), WHOLE)
    share = record({"by": TEXT, "share": NUMBER, "se": NUMBER})
    quantiles = record({f"{p} %": nullable(DIGITS) for p in (10, 50, 90)})
    finding = _finding(["exact"], ("verified", "falsified", "inconclusive"))
    return record({**texts, **counts, "shares": items(share), "quantiles": quantiles, "finding": finding})


def _hunt() -> Shape:
    """Open: a claim's own file may add to what it tells."""
    fields = {
        "found": TRUTH,
        "instance": {},
        "certificate": {"type": ["object", "string", "null"]},
        "instances_tried": WHOLE,
        "closest_gap": {"type": ["number", "string", "null"]},
        "seconds": NUMBER,
        "seed": {"type": ["integer", "string"]},
    }
    about = "found false says only that instances_tried of them do not break the claim"
    return {**record(fields, about=about), "additionalProperties": True}


def _reproduce() -> Shape:
    return record({"same": TRUTH, "difference": MAYBE_TEXT, "rows": WHOLE})


_SHAPES: dict[str, Callable[[], Shape]] = {
    "sweep": _sweep,
    "trace": _trace,
    "plan": _plan,
    "show": _show,
    "runs": _runs,
    "attention": _attention,
    "attention-survey": _survey,
    "attention-show": _attention_show,
    "hunt": _hunt,
    "report": lambda: record({"file": TEXT}),
    "reproduce": _reproduce,
    "export": lambda: record({"file": TEXT, "rows": WHOLE}),
    "schema": lambda: record({"version": WHOLE, "schemas": items(TEXT)}),
    "error": lambda: ERROR,
}
