"""JSON Schema of what `python -m exact verify --json` prints: an outcome a file.

Errors of the command line are {"error", "code", "remedy"}, as everywhere.
"""

from typing import Any

VERSION = 1
TEXT = {"type": "string"}
OUTCOME: dict[str, Any] = {
    "type": "object",
    "properties": {"file": TEXT, "outcome": {"enum": ["accepted", "rejected", "unreadable"]}, "says": TEXT},
    "required": ["file", "outcome", "says"],
    "additionalProperties": False,
}
OUTCOMES: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": f"urn:claimsweep:exact-verify:{VERSION}",
    "description": "accepted: the checker recomputed what the certificate states; says is what it establishes",
    "type": "array",
    "items": OUTCOME,
}
