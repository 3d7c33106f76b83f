"""A hunt as a test: `assert_claim`."""

from typing import Any

from sweeps.hunting.model import BadClaim, Hunt
from sweeps.hunting.running import hunt


def assert_claim(claim: Any, *, seconds: float = 10.0, seed: int = 0, jobs: int = 1, **options: Any) -> Hunt:
    """Hunt ``claim`` for ``seconds``; AssertionError with the find as a person reads it, else the closest miss.

    The arguments are those of `sweeps.hunting.hunt`.

    >>> assert_claim("alcalde2025_frank_wolfe", seconds=20)
    Traceback (most recent call last):
    ...
    AssertionError: alcalde2025_frank_wolfe is violated: tokens ...: first violation at state ...
    """
    __tracebackhide__ = True
    found = hunt(claim, seconds=seconds, seed=seed, jobs=jobs, **options)
    if found.found:
        raise AssertionError(message(found))
    if found.interrupted:
        raise KeyboardInterrupt  # or the test would pass
    if not found.instances_tried:
        raise BadClaim(f"seconds must be enough for an instance; none was tried in {seconds:g} s")
    return found


def message(found: Hunt) -> str:
    """The find in words: what is violated, where, by how much, and the line to add to a test."""
    confirmed = "certified exactly" if found.certified else "computed twice by the claim's own gap"
    lines = [
        f"{found.claim} is violated: {found.sentence}",
        f"  claim: {found.statement}",
        f"  gap {found.closest_gap}, {confirmed}; found after {found.first_find} instances",
        f"  add to your test: {found.example}",
    ]
    return "\n".join(lines)
