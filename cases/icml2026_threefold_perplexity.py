"""Two thirds padding at a loss near zero deflate the loss threefold; the perplexity they deflate 24-fold."""

from fractions import Fraction

from cases.claim import Case, Claim, Finding
from cases.powers import Figure, figure, power_bounds

CLAIM = Claim(
    id="icml2026",
    statement="66 % padding deflates perplexity threefold",
    quantifiers="some share that rounds to 66 %, some padding perplexity up to 1.1, measured perplexity 5.11",
    relation="real PPL / measured PPL rounds to 3",
    refuted_by="the least deflation of perplexity over these ranges is 3.5 or more, or the largest below 2.5",
    source="report on the ICML 2026 reproductions, about arXiv 2606.04032: 66 % padded, near-zero loss on it, "
    "perplexity deflated threefold; the validation perplexity 5.11 is the authors' own (slides, 300M QKV)",
    link="https://github.com/Brainchip-Inc/Do-Transformers-Need-3-Projections",
)
THREEFOLD = (Fraction(5, 2), Fraction(7, 2))  # what rounds to three


def perplexity_deflation(share: Figure, measured: Figure, padding: Figure) -> tuple[Fraction, Fraction]:
    """Bounds of real / measured perplexity: (measured / padding)^(share / (1 - share)), monotone in each."""
    low = power_bounds(measured.low / padding.high, share.low / (1 - share.low))[0]
    high = power_bounds(measured.high / padding.low, share.high / (1 - share.high))[1]
    return low, high


def loss_deflation(share: Figure) -> tuple[Fraction, Fraction]:
    """Bounds of real / measured loss with nothing lost on padding: 1/(1 - share)."""
    return 1 / (1 - share.low), 1 / (1 - share.high)


def judge(quantity: str, *, share: str = "0.66", padding: Figure | None = None) -> Finding:
    """Whether the ``quantity`` ("perplexity" or "loss") can be deflated threefold by a ``share`` of padding."""
    padded, measured = figure("share", share), figure("perplexity", "5.11")
    near_zero = padding or Figure(Fraction(1), Fraction(1), Fraction(11, 10))
    low, high = loss_deflation(padded) if quantity == "loss" else perplexity_deflation(padded, measured, near_zero)
    apart = low >= THREEFOLD[1] or high < THREEFOLD[0]
    inside = THREEFOLD[0] <= low and high < THREEFOLD[1]
    assumed = "" if quantity == "loss" else f" (padding predicted at a perplexity of {float(near_zero.high):g} or less)"
    return Finding(
        "falsified" if apart else "verified" if inside else "inconclusive",
        "exact",
        f"at {share} padding the {quantity} is deflated {float(low):.3g} to {float(high):.3g} times{assumed}, "
        f"{'not' if apart else 'that is'} threefold. {'The loss is: 1/(1 - share) = 2.94.' if apart else ''}".strip(),
        reached="published figures",
        details={"quantity": quantity, "low": low, "high": high, "padding_perplexity": near_zero},
    )


CASE = Case(
    claim=CLAIM,
    check=lambda _quick: judge("perplexity"),
    control=lambda _quick: judge("loss"),
    expected="falsified",
    expected_control="verified",
)
