"""A logbook's "the method is 2x slower": seconds a batch of 50 were divided by seconds a trajectory."""

from fractions import Fraction

from cases.claim import Case, Claim, Finding
from cases.timings import Timing, slowdown

CLAIM = Claim(
    id="icml2026",
    statement="the method is 2x slower than the baseline",
    quantifiers="one comparison of two timings",
    relation="seconds(method) / seconds(baseline) = 2 for the same work",
    refuted_by="timings of unlike units of work whose ratio per trajectory is not 2",
    source="report on the ICML 2026 reproductions, which says that a baseline timed per trajectory was compared with a "
    "method timed per batch of 50; neither paper nor logbook nor timings could be identified, so only the arithmetic "
    "is re-checked, on seconds 2 and 1",
    link="https://huggingface.co/datasets/ICML-2026-agent-repro/verdicts",
)


def judge(claimed: Fraction, *, apparent: Fraction = Fraction(2), unit: str = "batch", batch: int = 50) -> Finding:
    """Whether the method is ``claimed`` times slower, when its seconds a ``unit`` are ``apparent`` times the
    baseline's seconds a trajectory and a batch holds ``batch`` trajectories."""
    baseline, method = Timing(Fraction(1), "trajectory", 1), Timing(apparent, unit, 1)
    try:
        true = slowdown(method, baseline)
        units = "like units"
    except ValueError:
        true = slowdown(method.counted_as("trajectory", batch), baseline)
        units = f"unlike units (a {unit} is {batch} trajectories)"
    return Finding(
        "verified" if true == claimed else "falsified",
        "exact",
        f"{units}: per trajectory the method is {_in_words(true)}, where {_in_words(claimed)} was claimed. "
        f"The timings themselves could not be read.",
        reached="one comparison",
        details={"apparent": apparent, "slowdown": true, "claimed": claimed},
    )


def _in_words(factor: Fraction) -> str:
    if factor == 1:
        return "as fast"
    return f"{factor}x slower" if factor > 1 else f"{1 / factor}x faster"


CASE = Case(
    claim=CLAIM,
    check=lambda _quick: judge(Fraction(2)),
    control=lambda _quick: judge(Fraction(1, 25)),
    expected="falsified",
    expected_control="verified",
)
