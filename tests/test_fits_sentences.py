"""What a verdict says must be true: narrow ranges, falling data, laws that misfit, figures as rounded."""

import re

import numpy as np
import pytest

import fits
from fits.deciding import panel_of
from fits.formulas import law
from fits.rules import Rule, judge

K9 = 2.0 ** np.arange(2, 11)
NARROW = {
    "a hundred thousand by tens": 100_000 + 10.0 * np.arange(9),
    "a million by ones": 1e6 + np.arange(9),
    "five sizes": 1e6 + np.arange(5),
    "10^12": 1e12 + np.arange(9),
}
narrow = pytest.mark.parametrize("k", NARROW.values(), ids=NARROW)


def exact(k, y, s=0.02, c_star=None, **kwargs):
    se = np.broadcast_to(s, k.shape)
    return fits.decide(fits.Series(k, y, se, exact=True), fits.Bounded("ln", c_star=c_star), **kwargs)


def unsound(text):
    """Parts of a sentence that say nothing or cannot be."""
    return re.findall(r"beyond reach|\binf\b|\bnan\b|\b1 times", text)


@narrow
@pytest.mark.parametrize("noise", [0, 0.02])
def test_a_constant_on_a_narrow_range_is_described_and_the_range_is_said_to_be_too_narrow(k, noise):
    y = 3 + noise * np.random.default_rng(0).standard_normal(k.size)
    v = exact(k, y, c_star=0.18)
    assert (v.verdict, v.reason, v.c_upper) == ("inconclusive", "underpowered", None)
    assert v.misfit.p > 0.001
    text = v.sentence()
    assert text.startswith("A constant describes the data (p = ")
    assert "is too narrow: growth could hide behind a bounded approach in T2." in text
    assert "saturation at any k of this range or later" in text
    assert unsound(text) == []


@narrow
def test_a_narrow_range_without_c_star_is_toy_at_most_and_any_slope_could_hide(k):
    v = exact(k, 3 + 0.001 * np.sin(k))
    text = v.sentence()
    assert v.verdict in ("toy", "inconclusive")
    assert "too narrow" in text
    assert v.verdict == "inconclusive" or "(or anywhere on this range)" in text
    assert "last factor 8" not in text
    assert unsound(text) == []


def test_a_rise_on_a_narrow_range_may_be_a_bounded_approach():
    k = NARROW["a hundred thousand by tens"]
    v = exact(k, 3 + 0.01 * (k - k[0]), c_star=0.18)
    assert (v.verdict, v.reason) == ("inconclusive", "growth-or-transient")


def test_a_jump_on_a_narrow_range_is_still_a_misfit():
    k = NARROW["a hundred thousand by tens"]
    v = exact(k, np.array([0.0, 1, 0, 1, 0, 1, 0, 1, 0]), c_star=0.18)
    assert (v.verdict, v.reason) == ("inconclusive", "misfit")
    assert v.sentence().startswith("No model of the dictionary describes the data")


def test_one_error_that_outweighs_all_others_is_named_and_not_called_a_misfit():
    s = np.where(K9 == 64, 1e-13, 0.02)
    v = exact(K9, 3 + 0 * K9, s, c_star=0.18)
    assert (v.verdict, v.reason) == ("inconclusive", "underpowered")
    text = v.sentence()
    assert "the errors, 1e-13 to 0.02, are too uneven for these sizes" in text
    assert "narrow" not in text
    assert unsound(text) == []


def test_every_surviving_model_may_be_singular_and_only_none_surviving_is_misfit():
    rng = np.random.default_rng(2)
    for k in NARROW.values():
        y = 3 + np.outer([0, 5e-5, 1e-3], k - k[0]) + 0.02 * rng.standard_normal((3, k.size))
        out = judge(panel_of(fits.Series(k, y[0], np.full(k.size, 0.02), exact=True)), Rule(law("ln"), 0.18))
        assert (out.reason == 5).tolist() == [not out.survives.any()]


@pytest.mark.parametrize("c_star", [None, 0.18])
def test_a_logarithm_that_falls_keeps_its_own_sigma_and_is_said_to_fall(c_star):
    v = exact(K9, 5 - 0.38 * np.log(K9), c_star=c_star)
    line = fits.fit_law(K9, v.series.mean, v.series.se)
    assert v.sigma["T0"] == pytest.approx(line.sigma, rel=1e-9)
    assert line.sigma == pytest.approx(-102, abs=0.5)
    assert v.sigma["T0"] >= v.sigma["T1"] >= v.sigma["T2"]
    assert v.verdict == "inconclusive"
    assert v.sentence().startswith("Falls on this range (-102 sigma, T0), and goes on falling")


@pytest.mark.parametrize("rival", ["ln", "ln^2", "k^0.5", "k"])
def test_the_sigma_of_falling_data_is_that_of_the_rival_whichever_it_is(rival):
    y = 5 - 1e-3 * law(rival)(K9)
    v = fits.decide(fits.Series(K9, y, [1e-4] * 9, exact=True), fits.Bounded(rival))
    assert v.sigma["T0"] == pytest.approx(fits.fit_law(K9, y, [1e-4] * 9, law=rival).sigma, rel=1e-9)


def test_a_fall_that_a_transient_explains_leaves_growth_behind_it_open():
    text = exact(K9, 3 + 2 / K9).sentence()
    assert text.startswith("Falls on this range (-")
    assert "; growth behind the fall is not excluded." in text


def test_a_rise_that_a_transient_explains_wholly_leaves_no_growth_and_no_negative_sigma():
    v = exact(K9, 3 - 3 / np.sqrt(K9))
    assert v.sigma["T2"] < 0
    assert "explains it (no growth left, T2)" in v.sentence()


def test_a_hump_that_neither_falls_nor_rises_is_not_said_to_fall():
    v = exact(K9, 3 - 0.02 * (np.log(K9) - np.log(64)) ** 2 - 1e-3 * np.log(K9), c_star=0.18)
    assert -3 < v.sigma["T0"] < 0
    assert not v.sentence().startswith("Falls")


BEYOND = {
    "k/100": (lambda k: 0.01 * k, "k", 0.01),
    "k": (lambda k: k, "k", 1),
    "sqrt k": (np.sqrt, "k^0.5", 1),
    "k ln k": (lambda k: k * np.log(k), "k.ln", 1),
}


@pytest.mark.parametrize(("curve", "name", "slope"), BEYOND.values(), ids=BEYOND)
def test_growth_by_another_law_is_given_per_unit_of_that_law_and_not_of_the_rival(curve, name, slope):
    v = exact(K9, curve(K9))
    assert v.verdict == "falsified"
    assert not any(v.described.values())
    said = re.match(r"Growth, not as ln k, which misfits: as (\S+), c = (\S+) \((\S+) to (\S+)\)", v.sentence())
    assert said[1] == (f"{name}(k)" if "k" not in name else name)
    assert [float(x) for x in said.groups()[1:]] == pytest.approx([slope] * 3, rel=0.02)


def test_growth_by_the_rival_is_given_per_unit_of_it_and_both_readings_agree_with_the_table():
    v = exact(K9, 3 + 0.38 * np.log(K9))
    assert v.described == {"T0": True, "T1": True, "T2": True}
    assert v.sentence().startswith("Growth: c = 0.38 (0.24 to 0.52) per ln k (T2), 5.3 sigma")


@pytest.mark.parametrize(
    ("curve", "s", "seed"),
    [(lambda k: 0.01 * k, 0.02, 0), (lambda k: 0.1 * np.sqrt(k), 0.02, 0), (lambda k: 0.1 * np.log(k) ** 2, 0.08, 32)],
    ids=["k", "sqrt k", "ln^2 k, which ln k describes too"],
)
def test_growth_is_never_given_a_slope_whose_interval_includes_none(curve, s, seed):
    v = exact(K9, curve(K9) + s * np.random.default_rng(seed).standard_normal(9), s)
    assert v.verdict == "falsified"
    assert v.c["T2"][1] <= 0
    (low,) = re.findall(r"c = \S+ \((\S+) to", v.sentence())
    assert float(low) > 0


def test_a_law_that_the_data_exclude_is_not_named_as_what_they_follow():
    """The largest sigma beside the binding transient may be that of a law that does not describe the data."""
    k = 4 * 2.0 ** (np.arange(17) / 2)
    v = exact(k, 3 + 0.38 * np.log(k) + 3 / np.log(k), 0.005)
    assert (v.verdict, v.growth) == ("falsified", "k^0.5")
    assert "k^0.5" not in [row["law"] for row in v.laws if row["kept"]]
    assert v.sentence().startswith("Growth: c = 0.38 (")


def test_growth_that_no_law_of_the_list_describes_has_no_slope():
    v = exact(K9, K9**2)
    assert v.verdict == "falsified"
    assert "neither ln k nor another law of the list describes the data: no slope is given, 8 sigma" in v.sentence()
    assert " c = " not in v.sentence()


@pytest.mark.parametrize("curve", [lambda k: 0.01 * k, np.sqrt, lambda k: k**2, lambda k: k**1.0, lambda k: k**0.3])
@pytest.mark.parametrize("s", [0.001, 0.02, 0.3])
def test_a_bounded_reading_is_given_only_with_a_limit_above_the_data_and_where_it_describes_them(curve, s):
    y = curve(K9) + s * np.random.default_rng(1).standard_normal(9)
    v = exact(K9, y, s)
    found = re.search(r"the limit is at least ([0-9,.e+]+),", v.sentence())
    if found:
        assert float(found[1].replace(",", "")) >= float(f"{y.max():.2g}")
        assert v.if_bounded is not None
    if v.if_bounded is None and v.verdict == "falsified":
        assert "No curve a - b/k^q describes the data (p <= 0.001)." in v.sentence()


def test_the_bounded_reading_of_a_straight_line_is_that_there_is_none():
    v = exact(K9, 0.01 * K9)
    assert v.if_bounded is None
    assert v.to_dict()["if_bounded"] is None
    assert "If bounded" not in v.sentence()


def test_a_slope_a_little_below_what_is_seen_takes_a_little_more_than_now():
    s = 0.0207
    seen = exact(K9, 3 + 0 * K9, s).mde
    text = exact(K9, 3 + 0 * K9, s, c_star=seen / 1.01).sentence()
    assert f"or {1.01**2:.3g}" not in text  # 1.0201 rounds down: not enough
    assert "or 1.03 times the replicates" in text


@pytest.mark.parametrize("ratio", [0.5, 0.9, 0.99, 0.999, 1, 1.001, 1.2])
def test_no_slope_is_both_seen_and_still_to_be_worked_for(ratio):
    v = exact(K9, 3 + 0 * K9)
    c = v.mde * ratio
    w = exact(K9, 3 + 0 * K9, c_star=c)
    text = w.sentence()
    seen = float(re.search(r"would have seen c >= ([0-9.]+)", text)[1])
    needed, factor = (float(x) for x in re.search(r"To see c = ([0-9.]+): .* or ([0-9.]+) times", text).groups())
    assert v.would_have_seen(seen) >= 0.95 - 1e-6
    assert needed < seen
    assert (needed == pytest.approx(c, rel=1e-5)) == (ratio < 1)
    assert factor >= w.reps_factor(needed) * (1 - 1e-5) > 1 - 1e-5


def test_a_slope_that_the_user_gave_is_printed_as_given():
    text = exact(K9, 3 + 0 * K9, c_star=0.1855).sentence()
    assert "with c >= 0.1855 over" in text


def test_bounds_are_rounded_to_the_side_on_which_they_hold():
    sweeps = [exact(K9, 3 + 0.02 * np.random.default_rng(seed).standard_normal(9), c_star=0.38) for seed in range(20)]
    verified = [v for v in sweeps if v.verdict == "verified"]
    assert len(verified) > 10
    for v in verified:
        upper = float(re.search(r"; c <= ([0-9.]+) there", v.sentence())[1])
        assert v.c_upper - 1e-9 <= upper <= v.c_upper + 0.001


@pytest.mark.parametrize("unit", [1e-140, 1e-60, 1e60, 1e140])
@pytest.mark.parametrize("reps", [5, 10**6])
def test_a_unit_that_is_far_from_1_changes_no_sigma_and_overflows_nowhere(unit, reps):
    y = 3 + 0.38 * np.log(K9) + 0.02 * np.random.default_rng(0).standard_normal(9)
    here, there = (fits.decide(fits.Series(K9, a * y, [a * 0.02] * 9, reps), fits.Bounded("ln")) for a in (1, unit))
    assert list(there.sigma.values()) == pytest.approx(list(here.sigma.values()), rel=1e-9)
    assert (there.verdict, there.reason) == (here.verdict, here.reason)
