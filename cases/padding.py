"""Padded labels in a language model's evaluation: their share, and what loss and perplexity are without them.

One document a row: tokens, then padding up to ``seq_len`` inputs; labels are the inputs shifted by one, so a row
has seq_len - 1 of them. A document of n tokens has min(n, seq_len) - 1 real labels, one more (while there is room)
where the first padding token counts as its end mark. Source: the mechanism read in the code of arXiv 2606.04032.

With a share f of padded labels of the same loss in two models, the log of their perplexity ratio is (1 - f) times
the real one. Equal padding losses are needed for that; for the level of the perplexity their value is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cases.claim import jsonable
from cases.powers import Figure, figure, outward, power_bounds

Losses = Sequence[Sequence[Any]]  # [rows][seq_len - 1], nats


@dataclass(frozen=True)
class Model:
    """Mean losses of one model, in nats a label, exact where the losses given are.

    ``measured``: over all labels; ``real``: over real ones (weighted by valid labels); ``padded``: over padded
    ones; ``by_size``: masked batch means weighted by the batches' sizes, the wrong fix. None: not known.
    """

    measured: Fraction | float
    real: Fraction | float | None = None
    padded: Fraction | float | None = None
    by_size: Fraction | None = None

    @property
    def perplexities(self) -> tuple[float, float | None]:
        """exp of the measured and of the real loss."""
        return math.exp(self.measured), None if self.real is None else math.exp(self.real)


@dataclass(frozen=True)
class PaddingReport:
    """``share`` of padded labels; the models; the ratio variant / baseline of perplexities as measured and on real
    labels, each with its range (None without a variant). ``rests_on``: what the corrected figures assume.
    ``empty_batches``: batches without a real label, whose masked mean is 0/0."""

    share: Figure
    models: tuple[Model, ...]
    ratio: Figure | None
    corrected_ratio: Figure | None
    rests_on: str
    empty_batches: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; rationals as "p/q"."""
        models = [vars(model) | {"perplexities": model.perplexities} for model in self.models]
        return {name: jsonable(value) for name, value in (vars(self) | {"models": models}).items()}


def real_labels(length: int, *, seq_len: int = 2048, first_eos: bool = False) -> int:
    """Real labels in the row of a document of ``length`` tokens.

    >>> real_labels(100), real_labels(100, first_eos=True), real_labels(5000, first_eos=True), real_labels(0)
    (99, 100, 2047, 0)
    """
    if length < 0 or seq_len < 2:
        raise ValueError(f"length={length}, seq_len={seq_len} must be at least 0 and at least 2")
    return max(0, min(length + first_eos, seq_len) - 1)


def padding_report(
    baseline: object,
    variant: object = None,
    *,
    share: object = None,
    lengths: Sequence[int] | None = None,
    seq_len: int = 2048,
    first_eos: bool = False,
    batch_size: int = 1,
    pad_loss: object = None,
) -> PaddingReport:
    """What evaluation loses by counting padded labels, for one model or a variant against its baseline.

    ``baseline``, ``variant``: published perplexities (text, "5.11", stands for all that rounds to it; Fractions are
    exact), or losses of each label, [rows][seq_len - 1] in nats. Give ``share`` (of padded labels, text or
    Fraction) or document ``lengths`` in tokens; losses need the lengths. ``first_eos``: the first padding token
    after a document is a real label. ``batch_size``: rows a batch, for the two ways to weight batches.
    ``pad_loss``: published perplexities only, the loss on padding in nats, 0 when not given.

    Raises ValueError or TypeError for input that doesn't fit together.

    >>> report = padding_report("5.11", "5.27", share="0.66")
    >>> [round(float(x), 3) for x in report.corrected_ratio]  # 3.1 % are really 9.5 %, between 8.7 and 10.3
    [1.095, 1.087, 1.103]
    """
    if seq_len < 2 or batch_size < 1:
        raise ValueError(f"seq_len={seq_len}, batch_size={batch_size} must be at least 2 and at least 1")
    if (share is None) == (lengths is None):
        raise ValueError("give either share or lengths; got both or neither")
    real = None if lengths is None else [real_labels(n, seq_len=seq_len, first_eos=first_eos) for n in lengths]
    padded = figure("share", share) if real is None else _share(real, seq_len - 1)
    given = [x for x in (baseline, variant) if x is not None]
    if all(isinstance(x, str | int | Fraction) for x in given):
        return _published([figure("perplexity", x) for x in given], padded, figure("pad_loss", pad_loss or 0))
    if real is None or pad_loss is not None:
        raise ValueError("losses of each label go with lengths, and without pad_loss; got otherwise")
    return _measured([_table(x, len(real), seq_len - 1) for x in given], real, padded, batch_size)


def _share(real: Sequence[int], labels: int) -> Figure:
    if not real:
        raise ValueError("lengths must hold at least one document; got none")
    return Figure(*[1 - Fraction(sum(real), labels * len(real))] * 3)


def _published(perplexities: Sequence[Figure], share: Figure, pad_loss: Figure) -> PaddingReport:
    if share.high > Fraction(9999, 10000) or any(p.low < 1 for p in perplexities):
        raise ValueError("share must be between 0 and 0.9999, perplexities at least 1; got otherwise")
    models = tuple(_level(float(p.value), float(share.value), float(pad_loss.value)) for p in perplexities)
    rests_on = f"zero spread of the padding loss between models for the ratio; padding loss {pad_loss.value} for levels"
    if len(perplexities) < 2:
        return PaddingReport(share, models, None, None, rests_on)
    base, other = perplexities
    ratio = Figure(other.value / base.value, other.low / base.high, other.high / base.low)
    return PaddingReport(share, models, ratio, corrected(ratio, share), rests_on)


def _level(perplexity: float, share: float, pad_loss: float) -> Model:
    loss = math.log(perplexity)
    return Model(loss, (loss - share * pad_loss) / (1 - share), pad_loss)


def corrected(ratio: Figure, share: Figure) -> Figure:
    """ratio^(1/(1 - share)), bounded rationally: for equal padding losses the ratio on real labels.

    It is monotone in both, so its extremes are at the corners. The value is the middle of its own bounds.
    """
    low, high = outward(share.low, share.high)
    corners = [power_bounds(r, 1 / (1 - f)) for r in (ratio.low, ratio.high) for f in (low, high)]
    inner = [x for f in outward(share.value, share.value) for x in power_bounds(ratio.value, 1 / (1 - f))]
    value = (min(inner) + max(inner)) / 2
    return Figure(value, min(c[0] for c in corners), max(c[1] for c in corners))


def _table(losses: object, rows: int, labels: int) -> list[list[Fraction]]:
    if isinstance(losses, str) or not hasattr(losses, "__iter__"):
        raise TypeError(f"losses must be rows of numbers; got {type(losses).__name__}")
    table = [[Fraction(x if isinstance(x, int | Fraction) else float(x)) for x in row] for row in losses]
    if len(table) != rows or any(len(row) != labels for row in table):
        raise ValueError(f"losses must be {rows} rows of seq_len - 1 = {labels}; got {len(table)} rows")
    return table


def _measured(tables: list[list[list[Fraction]]], real: list[int], share: Figure, batch_size: int) -> PaddingReport:
    if sum(real) == 0:
        raise ValueError("lengths must leave at least one real label; they leave none")
    models = tuple(_means(table, real, batch_size) for table in tables)
    starts = range(0, len(real), batch_size)
    empty = sum(1 for i in starts if sum(real[i : i + batch_size]) == 0)
    ratio = real_ratio = None
    if len(models) == 2:
        base, other = models
        ratio = _exp(other.measured - base.measured)
        real_ratio = _exp((other.real or 0) - (base.real or 0))
    return PaddingReport(share, models, ratio, real_ratio, "the losses of each label as given", empty)


def _exp(gap: Fraction | float) -> Figure:
    return Figure(*[Fraction(math.exp(gap))] * 3)


def _means(table: list[list[Fraction]], real: list[int], batch_size: int) -> Model:
    kept = [sum(row[:n], start=Fraction(0)) for row, n in zip(table, real, strict=True)]
    everything = sum((sum(row, start=Fraction(0)) for row in table), start=Fraction(0))
    labels, valid = len(table) * len(table[0]), sum(real)
    padded = (everything - sum(kept)) / (labels - valid) if labels > valid else None
    by_size = batch_weighted(kept, real, batch_size)
    return Model(everything / labels, sum(kept, start=Fraction(0)) / valid, padded, by_size)


def batch_weighted(kept: Sequence[Fraction], real: Sequence[int], batch_size: int) -> Fraction:
    """Masked batch means averaged by batch size, as code that weights by ``input_ids.numel()`` does; batches without
    a real label are left out. ``kept``: sums of real losses, ``real``: numbers of real labels, by row.

    >>> batch_weighted([Fraction(20), Fraction(4000)], [10, 1000], 1)  # by valid labels: 402/101
    Fraction(3, 1)
    """
    total, rows = Fraction(0), 0
    for i in range(0, len(real), batch_size):
        size, valid = len(real[i : i + batch_size]), sum(real[i : i + batch_size])
        if valid:
            total += size * sum(kept[i : i + batch_size], start=Fraction(0)) / valid
            rows += size
    return total / rows
