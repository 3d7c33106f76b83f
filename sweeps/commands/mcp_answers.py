"""What the tools answer. Each answer says how far it reaches, so that none can be taken for more than it is."""

from typing import Any, Literal

from pydantic import BaseModel, Field

Verdict = Literal["verified", "falsified", "toy", "inconclusive"]
State = Literal["running", "finished", "stopped", "failed points", "time limit reached"]
UNITS = {
    "k": "cache size",
    "cost": "faults a phase (OPT pays 1 a phase)",
    "additive": "cost/OPT - H_k, in faults a phase",
    "slope": "additive term per ln k (natural logarithm), not per doubling",
    "_se": "one standard error of the column before it",
    "seconds": "wall clock",
}
OWN_UNITS = UNITS | {"k": "the file's own size", "cost": "unit of the file's sample", "additive": "the same as cost"}


class Answer(BaseModel):
    """The three things without which a verdict is over-read."""

    scale: str = Field(description="how far was looked: k, t, points, requests")
    power: str = Field(description="the smallest effect that would have been seen, or that there is no such figure")
    not_excluded: str = Field(description="what remains possible after this answer")


class ClaimLine(BaseModel):
    """One claim in a list."""

    name: str
    kind: Literal["case", "simulator"]
    statement: str


class Claims(Answer):
    """Claims that can be checked here."""

    claims: list[ClaimLine]


class ClaimDetail(Answer):
    """A claim in full; ``parameters`` are those of a simulator's sweep."""

    name: str
    kind: Literal["case", "simulator"]
    claim: dict[str, str]
    parameters: list[dict[str, Any]]
    how: str = Field(description="what to call to check it")


class PlanAnswer(Answer):
    """What a sweep would run. Nothing was run."""

    run_id: str
    requests: float = Field(description="simulated requests in all: about 1e7 a second and worker")
    points: list[dict[str, float]]
    smallest_slope_seen: float | None = Field(description="per ln k, with 95 % power, transients of T2 allowed for")
    parameters: dict[str, Any]


class SweepAnswer(Answer):
    """A sweep: its state, and once it has ended its verdict and rows. A sweep never verifies an asymptotic claim."""

    run_id: str
    state: State
    blocks: int = Field(description="blocks of replicates that are done")
    blocks_planned: int
    verdict: Verdict | None = Field(description="None while it runs: what is there so far decides nothing")
    evidence: Literal["statistical"] = "statistical"
    sentence: str
    growth: dict[str, Any] | None = None
    rows: list[dict[str, Any]] = []
    units: dict[str, str] = {}


class GrowthAnswer(Answer):
    """Whether measured data grow: ``verdict`` on f = O(1), ``decision`` with every figure behind it."""

    verdict: Verdict
    reason: str
    evidence: Literal["statistical"] = "statistical"
    sentence: str
    decision: dict[str, Any]


class AttentionAnswer(Answer):
    """One start of the attention model, decided exactly; ``certificate`` is for verify_certificate."""

    verdict: Verdict
    evidence: Literal["exact"] = "exact"
    sentence: str
    first_violation: dict[str, str] | None = Field(description="state k and its label t, as text; None: none")
    violated_by_horizon: bool | None
    eventual: Literal["violated", "never", "undecided"]
    from_k: str | None = Field(description="every token violates from this state on, for ever")
    certificate: dict[str, Any] | None = Field(description="None where the checker accepts none")


class DesignAnswer(Answer):
    """A sweep that sees a slope of ``c``: sizes, replicates at each, errors of the means, cost in all."""

    c: float | None = Field(description="slope per ln k that is seen with 95 % power")
    k: list[float]
    reps: list[int]
    se: list[float]
    cost: float = Field(description="replicates at k cost k each")


class HuntAnswer(Answer):
    """A search for a counterexample; ``certificate`` is for verify_certificate, None for a claim of a user's file."""

    found: bool
    certified: bool = Field(description="the independent checker accepts the certificate")
    instance: Any
    certificate: Any
    instances_tried: int
    closest_gap: Any
    seconds: float
    seed: Any


class CertificateAnswer(Answer):
    """Whether the independent checker accepts a certificate, and what it then establishes."""

    outcome: Literal["accepted", "rejected"]
    says: str
    evidence: Literal["exact"] = "exact"
