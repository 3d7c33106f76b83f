"""QKV variants: the 3.1 % quality cost was measured on labels of which about 66 % are padding."""

from fractions import Fraction

from cases.claim import Case, Claim, Finding
from cases.padding import corrected, padding_report
from cases.powers import figure

CLAIM = Claim(
    id="kayyam2026",
    statement="Q-K=V costs 3.1 % perplexity on real labels",
    quantifiers="the 300M models, validation perplexities 5.27 and 5.11",
    relation="PPL(Q-K=V) / PPL(QKV) rounds to 1.031 on unpadded labels",
    refuted_by="a padded share for which every ratio that the rounding of the figures allows is above 1.0315",
    source="Kayyam, Madan Gopal, Lewis: arXiv 2606.04032 (v1, ICML 2026, PMLR 306), slides of the code repository; "
    "padding counted as labels read in the code (transformer_KQV_300_M.py), the share 66 % from the report on the "
    "reproductions; assumes the same loss on padding in both models. The authors re-ran with masking, Q-K=V alone",
    link="https://github.com/Brainchip-Inc/Do-Transformers-Need-3-Projections",
)
PUBLISHED = (Fraction(10305, 10000), Fraction(10315, 10000))  # what rounds to 3.1 %


def judge(share: object, *, baseline: str = "5.11", variant: str = "5.27") -> Finding:
    """Whether the published ratio can hold on real labels when a ``share`` of the labels is padding."""
    report = padding_report(baseline, variant, share=share)
    assert report.ratio is not None and report.corrected_ratio is not None  # noqa: PT018
    value, low, high = report.corrected_ratio
    apart = low > PUBLISHED[1] or high < PUBLISHED[0]
    within = PUBLISHED[0] <= value <= PUBLISHED[1]
    rounded = corrected(figure("ratio", "1.031"), report.share).value
    return Finding(
        "falsified" if apart else "verified" if within else "inconclusive",
        "exact",
        f"with {100 * float(report.share.value):g} % of the labels padding 3.1 % become {_cost(rounded)}; from 5.27 "
        f"and 5.11 {_cost(value)}, between {_cost(low)} and {_cost(high)} whatever was rounded. Assumes equal losses "
        f"on padding in both models.",
        reached="published figures",
        details={
            "share": report.share,
            "measured_ratio": report.ratio,
            "ratio": report.corrected_ratio,
            "from_3.1": rounded,
            "exponent": 1 / (1 - report.share.value),
        },
    )


def _cost(ratio: Fraction) -> str:
    return f"{100 * float(ratio - 1):.1f} %"


CASE = Case(
    claim=CLAIM,
    check=lambda _quick: judge("0.66"),
    control=lambda _quick: judge(Fraction(0)),
    expected="falsified",
    expected_control="verified",
)
