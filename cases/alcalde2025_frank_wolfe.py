"""The energy of hardmax attention stays below 2 L D^2/(t+1) for ever once the origin is in the hull: it does not."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from cases.claim import Case, Claim, Finding

CLAIM = Claim(
    id="alcalde2025",
    statement="energy <= 2 L D^2/(t+1) for all t",
    quantifiers="every n, d, tokens with the origin in their hull, psd B*, every t >= 0 and token i",
    relation="J(x_i^{t+1}) <= 2 lambda_max(B*) diam(K^0)^2 / (t+1), J(x) = <B* x, x>/2, steps 2/(t+2)",
    refuted_by="one start and one t at which a token's energy is above the bound; ties broken by a stated rule",
    source="arXiv 2508.09628v1, theorem fw.cluster (taken as stated in the toolkit's notes: only the abstract and "
    "second-hand statements could be read; the later version claims another limit)",
    link="https://arxiv.org/abs/2508.09628v1",
)
LATE = "2.00000000000000000001"  # 2 + 10^-20
# start, and the label t of its first violation (state t + 1); B* is the identity unless given
FALSE = (
    {"tokens": ((-6, -5), (-3, 5), (1, 0)), "label": 21},  # the earliest of all untied triples in [-6, 6]^2
    {"tokens": ((4,), (-1,)), "label": 224},
    {"tokens": ((-3, -1), (-2, -3), (0, 5), (6, 0)), "b": ((1, 0), (0, 2)), "label": 3800},
    {"tokens": ((410,), (-371,)), "label": 6416},
    {"tokens": ((LATE,), (-1,)), "label": 3240000000000000000021600000000000000000035},
)
# starts whose hull meets ker B* at every t, each for a reason of its own
REPAIRED = (
    {"tokens": ((1,), (-1,))},
    {"tokens": ((2,), (-1,)), "tie": "stay"},
    {"tokens": ((1, 1), (-1, -1)), "b": ((1, 0), (0, 0))},
)
REPAIR = "J(x^k) <= (2/3) L D^2/k for all k where the hull meets ker B* at every t"


def judge(starts: Sequence[Mapping[str, Any]], *, quick: bool) -> Finding:
    """Decide every start for all t; each answer carries a certificate that the independent checker accepts."""
    answers = [_answer(start) for start in starts]
    certificates = tuple(_certificate(answer) for answer in answers)
    details = {"starts": [answer.to_dict() for answer in answers]}
    broken = [answer for answer in answers if answer.first_violation is not None]
    if broken:
        labels = ", ".join(f"{_shown(answer)}: t = {answer.first_violation - 1}" for answer in broken)
        said = f"first violations {labels}; each certified, with no violation before. Ties do not occur in them."
        return Finding("falsified", "exact", said, "all t", certificates, details, _figures(broken))
    undecided = [_shown(answer) for answer in answers if answer.eventual != "never"]
    if undecided:
        return Finding("inconclusive", "exact", f"undecided: {', '.join(undecided)}.", "all t", certificates, details)
    steps = 60 if quick else 400
    over = [_shown(answer) for answer in answers if not _within_two_thirds(answer, steps)]
    if over:
        return Finding("falsified", "exact", f"above (2/3) L D^2/k: {', '.join(over)}.", "all t", certificates, details)
    said = (
        f"never violated by {', '.join(map(_shown, answers))}, certified for all t; (2/3) L D^2/k holds to k = {steps}"
    )
    return Finding("verified", "exact", f"{said}, by stepping in Fractions.", "all t", certificates, details)


def _answer(start: Mapping[str, Any]) -> Any:
    """The toolkit's answer; a label that was published or derived must be met."""
    import sweeps

    tie = start.get("tie", "low")
    answer = sweeps.simulate("attention", start["tokens"], b=start.get("b"), tie=tie)
    if "label" in start and answer.first_violation != start["label"] + 1:
        raise ArithmeticError(f"{start['tokens']}: state {answer.first_violation}, not {start['label'] + 1}")
    return answer


def _certificate(answer: Any) -> Mapping[str, Any]:
    """First violation, or never violated, accepted by the checker."""
    import exact
    from exact import certificates

    problem, rest = answer.problem, answer.outcome.rest
    about: dict[str, Any] = {"b": problem.b, "tie": problem.tie}
    if answer.first_violation is not None:
        made = certificates.first_violation(problem.tokens, k1=answer.first_violation, index=problem.index, **about)
    else:
        made = certificates.never_violated(problem.tokens, reason=rest.name, state=rest.state, **about)
    exact.check(made)
    return made


def _figures(answers: Sequence[Any]) -> dict[str, Callable[[Path], None]]:
    """Token paths and energy against the bound, for the starts that a picture can hold."""
    from sweeps.commands.attention_figure import start_figure

    shown = [answer for answer in answers if answer.first_violation < 10**6]
    return {f"{i}.svg": partial(start_figure, answer) for i, answer in enumerate(shown, start=1)}


def _within_two_thirds(answer: Any, steps: int) -> bool:
    """Whether the energy stays at or below (2/3) L D^2/k up to k = ``steps``, by the reference's stepping."""
    from sweeps.simulators.attention.reference import energy, states
    from sweeps.simulators.attention.spectrum import bound

    problem = answer.problem
    limit = bound(problem).low / 6  # 4 L D^2 / 6
    for k, tokens, _ in states(problem.tokens, problem.b, problem.tie):
        if k > steps:
            return True
        if k and energy(tokens, problem.b) * k > limit:
            return False
    raise AssertionError("states never ends")


def _shown(answer: Any) -> str:
    points = (",".join(_short(x) for x in row) for row in answer.problem.tokens)
    return "{" + "; ".join(points) + "}"


def _short(x: Fraction) -> str:
    near = round(x)
    return str(x) if x.denominator < 10**6 else f"{near} + {float(x - near):.0e}"


CASE = Case(
    claim=CLAIM,
    check=lambda quick: judge(FALSE, quick=quick),
    control=lambda quick: judge(REPAIRED, quick=quick),
    expected="falsified",
    expected_control="verified",
)
