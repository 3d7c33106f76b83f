"""The certificate of an answer: the strongest that the independent checker establishes."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.simulators.attention.simulate import Answer


def write(found: "Answer", path: Path) -> str:
    """Write the certificate, checked; a line that says what it certifies. ValueError if there is none to write."""
    from exact import certificates, verify

    refused = ""
    for make in _candidates(found):
        certificate = make()
        started = time.perf_counter()
        try:
            said = verify.check(certificate)
        except verify.Rejected as error:
            refused = str(error)
            continue
        spent = time.perf_counter() - started
        certificates.write(certificate, path)
        return f"certificate {path}: {said}; checked in {spent:.2g} s by python -m exact verify {path}"
    raise ValueError(
        f"certificate must be one that the checker accepts; there is none: {refused or found.outcome.reason}"
    )


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
