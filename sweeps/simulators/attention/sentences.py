"""What an outcome says in words: the verdict, why, how far it reaches."""

from sweeps.simulators.attention import SIMULATOR
from sweeps.simulators.attention.outcome import Outcome, kernel_name
from sweeps.simulators.attention.problem import Problem

BOUND = {"update": "J(x^{t+1}) <= 2 L D^2/(t+1)", "state": "J(x^k) <= 2 L D^2/k"}


def finding(found: Outcome, lost_at: int | None) -> dict[str, str]:
    """Claim, verdict, evidence and one sentence that can be read alone."""
    verdict = _verdict(found)
    first, *_ = lines(found, lost_at)
    return {"claim": SIMULATOR.claim.id, "verdict": verdict, "evidence": "exact", "sentence": first}


def _verdict(found: Outcome) -> str:
    if found.first is not None or found.eventual == "violated":
        return "falsified"
    return "verified" if found.eventual == "never" else "inconclusive"


def lines(found: Outcome, lost_at: int | None) -> list[str]:
    """The answer, then why, then how far it reaches."""
    said = [f"{_verdict(found)} (exact): {_answer(found)}"]
    if found.separation is not None:
        said.append(_why(found, lost_at))
    said.append(_reach(found))
    return said


def labelled(problem: Problem, k: int) -> str:
    """A state in the claim's own numbering, the other in brackets."""
    return f"t = {k - 1} (state {k})" if problem.index == "update" else f"state k = {k} (t = {k - 1})"


def _answer(found: Outcome) -> str:
    problem = found.problem
    bound = BOUND[problem.index]
    if found.first is not None:
        late = "" if found.violated_by_horizon else f", after the horizon {problem.horizon}"
        return f"{bound} first fails at {labelled(problem, found.first)}{late}{_excess(found.course.excess)}."
    if found.separation is not None:
        return f"{bound} fails for every token from {labelled(problem, found.separation.from_k)} on."
    if found.eventual == "never":
        return f"{bound} holds for this instance at every t: {found.reason}, so J(x^k) <= (2/3) L D^2/k."
    held = f"the hull still meets {kernel_name(problem)} there"
    return f"no violation up to state {found.course.reached}, and {held}: {found.reason}."


def _excess(over: float) -> str:
    if over > 1e-5:
        return f"; energy is {1 + over:.6g} times the bound there"
    return f"; energy is above the bound by a factor 1 + {over:.2g} there" if over else ""


def _why(found: Outcome, lost_at: int | None) -> str:
    assert found.separation is not None
    where = f"{'is without' if lost_at is None else 'loses'} {kernel_name(found.problem)}"
    state = found.separation.t if lost_at is None else lost_at
    return f"The hull {where} at state {state}: every token violates from state {found.separation.from_k} on, for ever."


def _reach(found: Outcome) -> str:
    events = found.course.events
    count = f"{len(events)} leader change{'s' * (len(events) > 1)}, the last at t = {events[-1]}"
    if found.course.settled:
        return f"{count}; none follows, ever (ties: {found.problem.tie})."
    return f"{count} up to t = {found.course.reached}, where the search ended: {found.course.doubt}"
