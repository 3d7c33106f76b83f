"""Padding reports: shares from lengths, losses with and without padding, published figures with their rounding."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cases
from cases.padding import padding_report, real_labels
from cases.powers import Figure, figure, outward, power_bounds


@pytest.mark.parametrize(
    ("length", "plain", "with_end"),
    [(0, 0, 0), (1, 0, 1), (2, 1, 2), (2047, 2046, 2047), (2048, 2047, 2047), (2049, 2047, 2047), (9999, 2047, 2047)],
)
def test_a_row_has_2047_labels_and_the_end_mark_counts_where_there_is_room(length, plain, with_end):
    assert real_labels(length) == plain
    assert real_labels(length, first_eos=True) == with_end


def test_the_share_is_that_of_label_positions():
    zeros = np.zeros((2, 4))
    assert padding_report(zeros, lengths=[3, 9], seq_len=5).share.value == Fraction(2, 8)
    assert padding_report(zeros, lengths=[3, 9], seq_len=5, first_eos=True).share.value == Fraction(1, 8)


def test_losses_of_each_label_give_levels_with_and_without_padding():
    losses = [[2, 2, 0, 0], [4, 4, 4, 4]]
    model = padding_report(losses, lengths=[3, 5], seq_len=5).models[0]
    assert (model.measured, model.real, model.padded) == (Fraction(20, 8), Fraction(20, 6), 0)
    assert model.by_size == 3
    assert model.perplexities == (math.exp(2.5), math.exp(20 / 6))


def test_batches_weighted_by_size_agree_only_when_they_hold_the_same_number_of_real_labels():
    losses = [[2, 2, 9, 9], [4, 4, 9, 9]]
    even = padding_report(losses, lengths=[3, 3], seq_len=5).models[0]
    assert even.by_size == even.real == 3
    whole = padding_report([[2, 2, 9, 9], [4, 4, 4, 4]], lengths=[3, 5], seq_len=5, batch_size=2).models[0]
    assert whole.by_size == whole.real == Fraction(10, 3)


def test_a_batch_without_a_real_label_is_counted_and_left_out():
    report = padding_report([[1, 1], [5, 5], [2, 2]], lengths=[3, 0, 3], seq_len=3)
    assert report.empty_batches == 1
    assert report.models[0].by_size == Fraction(3, 2)


rows = st.lists(
    st.tuples(st.integers(0, 6), st.lists(st.integers(0, 9), min_size=4, max_size=4)), min_size=1, max_size=6
)


@given(rows, st.integers(1, 3))
def test_real_and_padded_means_make_up_the_measured_one(table, batch_size):
    lengths, losses = [n for n, _ in table], [row for _, row in table]
    if not any(real_labels(n, seq_len=5) for n in lengths):
        return
    report = padding_report(losses, lengths=lengths, seq_len=5, batch_size=batch_size)
    model, f = report.models[0], report.share.value
    assert model.measured == (1 - f) * model.real + f * (model.padded or 0)


@given(rows, st.integers(0, 3))
def test_the_correction_of_published_figures_is_what_masking_finds_when_padding_losses_are_equal(table, pad):
    lengths = [*(n for n, _ in table), 5]
    base = [row for _, row in table] + [[1, 2, 3, 4]]
    for row, n in zip(base, lengths, strict=True):
        row[real_labels(n, seq_len=5) :] = [pad] * (4 - real_labels(n, seq_len=5))
    other = [
        [x + (i < real_labels(n, seq_len=5)) for i, x in enumerate(row)] for row, n in zip(base, lengths, strict=True)
    ]
    report = padding_report(base, other, lengths=lengths, seq_len=5)
    assert float(report.corrected_ratio.value) == pytest.approx(math.e)
    corrected = float(report.ratio.value) ** (1 / (1 - float(report.share.value)))
    assert corrected == pytest.approx(math.e)


def test_published_figures_carry_their_rounding_into_the_range():
    report = cases.padding_report("5.11", "5.27", share="0.66")
    assert report.share == (Fraction(66, 100), Fraction(655, 1000), Fraction(665, 1000))
    low, high = (5.265 / 5.115) ** (1 / 0.345), (5.275 / 5.105) ** (1 / 0.335)
    assert float(report.corrected_ratio.low) == pytest.approx(low, abs=2e-6)
    assert float(report.corrected_ratio.high) == pytest.approx(high, abs=2e-6)
    exact = cases.padding_report(Fraction(511, 100), Fraction(527, 100), share=Fraction(33, 50)).corrected_ratio
    assert exact.high - exact.low <= Fraction(1, 10**6)


def test_a_variant_that_is_better_than_the_baseline_has_its_range_turned_round():
    report = padding_report("5.27", "5.11", share="0.66")
    assert report.corrected_ratio.low < report.corrected_ratio.value < report.corrected_ratio.high < 1


def test_published_figures_take_lengths_for_the_share_too():
    report = padding_report("5.11", "5.27", lengths=[100, 2048, 700])
    assert report.share.value == 1 - Fraction(99 + 2047 + 699, 3 * 2047)
    assert report.share.low == report.share.high


def test_no_padding_leaves_everything_as_it_is():
    report = padding_report("5.11", "5.27", share=Fraction(0))
    ends = report.ratio.low, report.ratio.high
    assert all(abs(a - b) <= Fraction(1, 10**6) for a, b in zip(ends, report.corrected_ratio[1:], strict=True))


def test_a_report_is_plain_data():
    for report in (padding_report("5.11", "5.27", share="0.66"), padding_report([[1, 2]], lengths=[3], seq_len=3)):
        document = report.to_dict()
        assert json.loads(json.dumps(document)) == document


@pytest.mark.parametrize(
    ("arguments", "kind", "says"),
    [
        ({"baseline": "5.11"}, ValueError, "give either share or lengths"),
        ({"baseline": "5.11", "share": "0.5", "lengths": [3]}, ValueError, "give either share or lengths"),
        ({"baseline": 5.11, "share": "0.5"}, TypeError, None),
        ({"baseline": "5.11", "share": 0.5}, TypeError, "share must be text such as"),
        ({"baseline": "5,11", "share": "0.5"}, ValueError, "perplexity must be a decimal"),
        ({"baseline": "5.11", "share": "1"}, ValueError, "share must be between 0 and 0.9999"),
        ({"baseline": "0.5", "share": "0.5"}, ValueError, "perplexities at least 1"),
        ({"baseline": [[1, 2]], "share": "0.5"}, ValueError, "losses of each label go with lengths"),
        ({"baseline": [[1, 2]], "lengths": [3], "seq_len": 4}, ValueError, "losses must be 1 rows of seq_len - 1 = 3"),
        ({"baseline": [[1, 2]], "lengths": [1], "seq_len": 3}, ValueError, "at least one real label"),
        ({"baseline": [[1, 2]], "lengths": [], "seq_len": 3}, ValueError, "at least one document"),
        ({"baseline": [[1, 2]], "lengths": [-1], "seq_len": 3}, ValueError, "length=-1"),
        ({"baseline": [[1, 2]], "variant": "5", "lengths": [3], "seq_len": 3}, TypeError, "losses must be rows"),
        ({"baseline": "5", "share": "0.5", "batch_size": 0}, ValueError, "batch_size=0"),
    ],
)
def test_input_that_does_not_fit_is_refused_in_a_line(arguments, kind, says):
    with pytest.raises((kind, ValueError) if says is None else kind, match=says) as refused:
        padding_report(arguments.pop("baseline"), **arguments)
    assert "\n" not in str(refused.value)


fractions = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=99)


@given(fractions, st.fractions(min_value=0, max_value=9, max_denominator=40))
def test_power_bounds_enclose_the_power_in_integers(base, exponent):
    low, high = power_bounds(base, exponent)
    p, q = exponent.numerator, exponent.denominator
    assert low**q <= base**p <= high**q
    assert high - low in (0, Fraction(1, 10**6))


@given(st.fractions(min_value=0, max_value=1), st.integers(1, 5))
def test_outward_rounding_encloses(x, digits):
    low, high = outward(x, x, digits)
    assert low <= x <= high
    assert high - low <= Fraction(1, 10**digits)


def test_a_figure_is_all_that_rounds_to_its_text():
    assert figure("x", "5.10") == Figure(Fraction(51, 10), Fraction("5.095"), Fraction("5.105"))
    assert figure("x", "0") == Figure(Fraction(0), Fraction(0), Fraction(1, 2))
    with pytest.raises(TypeError, match="x must be text such as"):
        figure("x", True)
    with pytest.raises(ValueError, match="base=0"):
        power_bounds(Fraction(0), Fraction(1))
