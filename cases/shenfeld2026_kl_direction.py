"""SDFT: equation 1 is the reverse KL, the released default alpha = 0 computes the forward one."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from cases.claim import Case, Claim, Finding
from cases.logs import LogSum, log, total

CLAIM = Claim(
    id="shenfeld2026",
    statement="the released loss is equation 1's reverse KL",
    quantifiers="every position's student and teacher distributions; released default alpha = 0",
    relation="loss(alpha = 0) = KL(student || teacher), in value and in gradient",
    refuted_by="one pair of rational distributions where values and gradients differ, exactly",
    source="Shenfeld, Damani, Hubotter, Agrawal: arXiv 2601.19897 (v1), equation 1; released code as read in a fork "
    "(distil_trainer.py, DistilConfig.alpha = 0, commit 1825ef3); found in issue 5 of the repository, where the author "
    "answered that all results used the forward KL",
    link="https://github.com/idanshen/Self-Distillation/issues/5",
)
Distribution = Sequence[Fraction]
COUNTS = (((6, 3, 1), (2, 3, 5)), ((1, 2, 3, 4), (7, 5, 3, 1)), ((8, 1, 1, 4, 2), (3, 3, 3, 3, 4)))


def shares(counts: Sequence[int]) -> Distribution:
    """The distribution in proportion to ``counts``."""
    return tuple(Fraction(n, sum(counts)) for n in counts)


PAIRS = tuple((shares(student), shares(teacher)) for student, teacher in COUNTS)


def kl(p: Distribution, q: Distribution) -> LogSum:
    """KL(p || q), exactly."""
    return total([a * log(a / b) for a, b in zip(p, q, strict=True)])


def released(student: Distribution, teacher: Distribution, alpha: Fraction) -> LogSum:
    """The released loss of one position: alpha 0 forward, 1 reverse, between them through the mixture m."""
    if alpha == 0:
        return kl(teacher, student)
    if alpha == 1:
        return kl(student, teacher)
    m = [(1 - alpha) * s + alpha * t for s, t in zip(student, teacher, strict=True)]
    return alpha * kl(teacher, m) + (1 - alpha) * kl(student, m)


def released_gradient(student: Distribution, teacher: Distribution, alpha: Fraction) -> list[LogSum]:
    """Its gradient in the student's logits, teacher fixed: p_j (d_j - sum p_i d_i) with d = dloss/dp."""
    if alpha == 0:
        slopes = [LogSum(-t / s) for s, t in zip(student, teacher, strict=True)]
    else:  # for 0 < alpha < 1 the derivatives through m add up to a constant
        weight = 1 if alpha == 1 else 1 - alpha
        m = [(1 - alpha) * s + alpha * t for s, t in zip(student, teacher, strict=True)]
        slopes = [weight * log(s / x) for s, x in zip(student, m, strict=True)]
    mean = total([s * d for s, d in zip(student, slopes, strict=True)])
    return [s * (d - mean) for s, d in zip(student, slopes, strict=True)]


def equation_1(student: Distribution, teacher: Distribution) -> tuple[LogSum, list[LogSum]]:
    """KL(student || teacher) as the paper writes it, mean of log p - log q, and its gradient p (log p/q - KL)."""
    ratios = [log(s) - log(t) for s, t in zip(student, teacher, strict=True)]
    value = total([s * ratio for s, ratio in zip(student, ratios, strict=True)])
    return value, [s * (ratio - value) for s, ratio in zip(student, ratios, strict=True)]


def judge(alpha: Fraction) -> Finding:
    """Whether the released loss with ``alpha`` equals the reverse KL on all pairs, by exact value and gradient."""
    compared = [_compare(student, teacher, alpha) for student, teacher in PAIRS]
    same = all(row["values"] and row["gradients"] for row in compared)
    apart = all(not row["values"] and not row["gradients"] for row in compared)
    verdict = "verified" if same else "falsified" if apart else "inconclusive"
    fitted = identified(alpha)
    return Finding(
        verdict,
        "exact",
        f"alpha = {alpha}: on {len(PAIRS)} rational pairs value and gradient {'equal' if same else 'differ from'} "
        f"those of KL(student || teacher) exactly (sums of logarithms of primes); at the first pair the loss is "
        f"{compared[0]['loss']} nats, the reverse KL {compared[0]['reverse']}. By its gradient the loss is: "
        f"{fitted['verdict']} (fit on 6 random pairs, beside the exact algebra).",
        reached=f"{len(PAIRS)} exact pairs",
        details={"alpha": alpha, "pairs": compared, "identified": fitted},
    )


def _compare(student: Distribution, teacher: Distribution, alpha: Fraction) -> dict[str, Any]:
    loss, (reverse, gradient) = released(student, teacher, alpha), equation_1(student, teacher)
    released_one = released_gradient(student, teacher, alpha)
    return {
        "student": student,
        "teacher": teacher,
        "loss": round(float(loss), 5),
        "reverse": round(float(reverse), 5),
        "difference": str(loss - reverse),
        "values": loss == reverse,
        "gradients": released_one == gradient,
        "gradient": [str(entry) for entry in released_one],
    }


def identified(alpha: Fraction) -> dict[str, Any]:
    """What `kl_direction` says of the loss as code computes it."""
    from cases.direction import kl_direction
    from cases.losses import released as in_floats

    return kl_direction(in_floats(float(alpha))).to_dict()


CASE = Case(
    claim=CLAIM,
    check=lambda _quick: judge(Fraction(0)),
    control=lambda _quick: judge(Fraction(1)),
    expected="falsified",
    expected_control="verified",
)
