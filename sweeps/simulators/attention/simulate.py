"""The door for programs: one instance of the claim, decided exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sweeps.shown import html, markdown
from sweeps.simulators.attention import sentences
from sweeps.simulators.attention.outcome import Outcome, outcome
from sweeps.simulators.attention.problem import Problem, read_problem


@dataclass(frozen=True)
class Answer:
    """What is known of an instance; the three answers are kept apart.

    ``first_violation``: k1, the first state that breaks the claim (at any distance), or None. ``violated_by_horizon``:
    whether its label is at most the horizon (None: undecided). ``eventual``: violated, never or undecided; ``from_k``:
    every token violates in every state from this one on. ``events``: each t at which the leader map changes, 0 among
    them; ``complete``: no other follows, ever. ``lost_at``: the first state whose hull misses the origin (ker B*),
    where known. ``finding``: claim, verdict, evidence, sentence. ``outcome`` holds the course behind it.
    """

    first_violation: int | None
    violated_by_horizon: bool | None
    eventual: str
    from_k: int | None
    events: tuple[int, ...]
    complete: bool
    lost_at: int | None
    evidence: str
    finding: dict[str, str]
    outcome: Outcome

    @property
    def problem(self) -> Problem:
        """The instance as it was read."""
        return self.outcome.problem

    def _repr_html_(self) -> str:
        return html("attention", self.finding["sentence"], self._shown())

    def _repr_markdown_(self) -> str:
        return markdown("attention", self.finding["sentence"], self._shown())

    def _shown(self) -> list[tuple[str, ...]]:
        names = ("first_violation", "violated_by_horizon", "eventual", "from_k", "evidence")
        return [names, tuple(str(getattr(self, name)) for name in names)]

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``--json``: rationals, states, times and the horizon as strings."""
        problem, k = self.problem, self.first_violation
        separation = self.outcome.separation
        return {
            "tokens": [[str(x) for x in row] for row in problem.tokens],
            "b": [[str(x) for x in row] for row in problem.b],
            "tie": problem.tie,
            "index": problem.index,
            "horizon": str(problem.horizon),
            "first_violation": None if k is None else {"k": str(k), "t": str(k - 1)},
            "violated_by_horizon": self.violated_by_horizon,
            "eventual": self.eventual,
            "from_k": None if self.from_k is None else str(self.from_k),
            "separator": None if separation is None else [str(x) for x in separation.separator],
            "separated_at": None if separation is None else str(separation.t),
            "hull_lost_at": None if self.lost_at is None else str(self.lost_at),
            "events": [str(t) for t in self.events],
            "events_complete": self.complete,
            "reason": self.outcome.reason,
            "evidence": self.evidence,
            "finding": self.finding,
        }


def simulate(
    tokens: Sequence[Any],
    *,
    b: Sequence[Sequence[Any]] | None = None,
    tie: str = "low",
    index: str = "update",
    horizon: Any = 10**12,
) -> Answer:
    """Decide the claim for ``tokens`` (n rows of d coordinates, or n numbers where d = 1) exactly and for every t.

    Coordinates are integers, Fractions or text ("1/10", "1e-20"), never floats. ``b``: B*, d x d, symmetric positive
    semidefinite (default: the identity). ``tie``: low, avg or stay; ``index``: update or state (see Problem).
    ``horizon`` (at least 1) only asks whether the violation comes by then: the search itself goes on for ever.

    Raises ValueError or TypeError for input out of range, or an origin outside the hull. Never raises for an instance
    it can't decide: then ``eventual`` or ``violated_by_horizon`` says so. Source: arXiv 2508.09628v1, fw.cluster.

    >>> import sweeps
    >>> answer = sweeps.simulate("attention", [4, -1])
    >>> answer.first_violation, answer.eventual, answer.from_k, answer.events
    (225, 'violated', 226, (0, 2))
    >>> sweeps.simulate("attention", [2, -1], tie="stay").eventual
    'never'
    """
    return answer(read_problem(tokens, b=b, tie=tie, index=index, horizon=horizon))


def answer(problem: Problem) -> Answer:
    """The same for an instance already read."""
    found = outcome(problem)
    lost = found.lost_at
    return Answer(
        first_violation=found.first,
        violated_by_horizon=found.violated_by_horizon,
        eventual=found.eventual,
        from_k=None if found.separation is None else found.separation.from_k,
        events=tuple(found.course.events),
        complete=found.course.settled,
        lost_at=lost,
        evidence="exact",
        finding=sentences.finding(found, lost),
        outcome=found,
    )
