"""The ICML 2026 reproduction challenge's own totals: a partition that adds up, and a share that does not."""

from collections.abc import Mapping
from fractions import Fraction

from cases.claim import Case, Claim, Finding

CLAIM = Claim(
    id="icml2026",
    statement="2,176 papers fall into 7 classes; 2,226 are 34 %",
    quantifiers="the published totals",
    relation="266 + 632 + 205 + 49 + 242 + 502 + 280 = 2176, and 2226/N rounds to 34 %, N = 6341 or 6352 papers",
    refuted_by="a sum that differs, or a share that rounds to another percentage for both counts of papers",
    source="report on the ICML 2026 reproductions (6,816 logbooks, 2,226 papers attempted, 2,176 with final ones); "
    "figures as the report prints them, the two counts of the conference's papers from its lists",
    link="https://huggingface.co/datasets/ICML-2026-agent-repro/verdicts",
)

CLASSES: Mapping[str, int] = {
    "fully verified": 266,
    "partly verified": 632,
    "contested": 205,
    "verified and falsified": 49,
    "falsified": 242,
    "toy": 502,
    "nothing": 280,
}
CONFERENCE = (6341, 6352)  # papers of the conference, by two counts


def percent(part: int, whole: int) -> int:
    """A share in percent, rounded half up: exact in integers."""
    return (200 * part + whole) // (2 * whole)


def judge(papers: int, *, share: int = 34, total: int = 2176, classes: Mapping[str, int] = CLASSES) -> Finding:
    """Whether the ``classes`` add up to ``total`` and ``papers`` are ``share`` percent by one of the two counts."""
    added = sum(classes.values())
    shares = [percent(papers, whole) for whole in CONFERENCE]
    parts = {"partition": "verified" if added == total else "falsified"}
    parts["share"] = "verified" if share in shares else "falsified"
    said = f"as stated ({share} %)" if share in shares else f"not {share} %"
    return Finding(
        "falsified" if "falsified" in parts.values() else "verified",
        "exact",
        f"the classes add up to {added:,} ({'as' if added == total else 'not as'} published); {papers:,} papers are "
        f"{' or '.join(sorted({str(s) for s in shares}))} % of the conference, {said}.",
        reached="all totals",
        details={"parts": parts, "sum": added, "shares": [Fraction(papers, whole) for whole in CONFERENCE]},
    )


CASE = Case(
    claim=CLAIM,
    check=lambda _quick: judge(2226),
    control=lambda _quick: judge(2176),
    expected="falsified",
    expected_control="verified",
)
