"""The certificate of an answer: the strongest that the independent checker establishes."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.simulators.attention.simulate import Answer


@dataclass(frozen=True)
class Accepted:
    """A certificate, what the checker says of it, and in how many seconds."""

    certificate: dict[str, Any]
    said: str
    seconds: float


def accepted(found: "Answer") -> Accepted | str:
    """The strongest certificate that the checker accepts, or why there is none."""
    from exact import verify

    refused = found.outcome.reason
    for make in _candidates(found):
        certificate = make()
        started = time.perf_counter()
        try:
            said = verify.check(certificate)
        except verify.Rejected as error:
            refused = str(error)
            continue
        return Accepted(certificate, said, time.perf_counter() - started)
    return refused


def write(found: Accepted | str, path: Path) -> str:
    """Write the certificate; a line that says what it certifies. ValueError if there is none to write."""
    from exact import certificates

    if not isinstance(found, Accepted):
        raise ValueError(f"certificate must be one that the checker accepts; there is none: {found}")
    certificates.write(found.certificate, path)
    return f"certificate {path}: {found.said}; checked in {found.seconds:.2g} s by python -m exact verify {path}"


def _candidates(found: "Answer") -> Iterator[Callable[[], dict[str, Any]]]:
    """First violation, else violated from some state on; or never violated."""
    from exact import certificates

    problem, separation, rest = found.problem, found.outcome.separation, found.outcome.rest
    about: dict[str, Any] = {"b": problem.b, "tie": problem.tie}
    k = found.first_violation
    if k is not None:
        yield lambda: certificates.first_violation(problem.tokens, k1=k, index=problem.index, **about)
    if separation is not None:
        yield lambda: certificates.violated_from(
            problem.tokens, state=separation.t, separator=separation.separator, from_k=separation.from_k, **about
        )
    if rest is not None and rest.name:
        yield lambda: certificates.never_violated(problem.tokens, reason=rest.name, state=rest.state, **about)
