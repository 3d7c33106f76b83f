"""What decide says on known curves, what it keeps under a change of units, what it refuses."""

import json
import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fits
from fits.deciding import panel_of
from fits.dictionary import TIERS
from fits.formulas import law
from fits.rules import Rule, growth_laws, judge

K9 = 2.0 ** np.arange(2, 11)
K17 = 4 * 2.0 ** (np.arange(17) / 2)


def noisy(curve, k=K17, s=0.02, seed=0, reps=200):
    rng = np.random.default_rng(seed)
    return fits.Series(k, curve(k) + s * rng.standard_normal(k.size), np.full(k.size, s), reps=reps)


def bounded(**kwargs):
    return fits.Bounded("ln", **{"c_star": 0.38, **kwargs})


def test_growth_of_0_38_ln_k_to_1024_is_falsified_next_to_any_pair_of_transients():
    v = fits.decide(noisy(lambda k: 3 + 0.38 * np.log(k)), bounded())
    assert (v.verdict, v.reason, v.reported) == ("falsified", "growth", "falsified")
    assert v.sigma["T0"] > v.sigma["T1"] > v.sigma["T2"] >= 3
    assert v.c["T2"][1] < 0.38 < v.c["T2"][2]


def test_a_flat_sweep_to_1024_verifies_the_bounded_statement_and_is_reported_as_toy():
    v = fits.decide(noisy(lambda k: 3 + 0 * k), bounded())
    assert (v.verdict, v.reported, v.reason) == ("verified", "toy", "bounded-on-range")
    assert v.c_upper < 0.38


def test_a_flat_sweep_is_toy_when_the_claim_declared_a_longer_one():
    v = fits.decide(noisy(lambda k: 3 + 0 * k), bounded(k_full=4096))
    assert (v.verdict, v.reason) == ("toy", "range-too-short")


def test_a_flat_sweep_that_is_too_noisy_is_toy_with_the_slope_that_could_hide():
    v = fits.decide(noisy(lambda k: 3 + 0 * k, k=K9[:5], s=0.1), bounded())
    assert (v.verdict, v.reason) == ("toy", "flat-too-short")
    assert v.c_upper > 0.38
    assert v.kmax_needed(0.38) > 64


def test_nothing_is_verified_without_a_smallest_slope_that_matters():
    v = fits.decide(noisy(lambda k: 3 + 0 * k), fits.Bounded("ln"))
    assert (v.verdict, v.reason) == ("toy", "flat-too-short")


@pytest.mark.parametrize(
    "curve",
    [
        lambda k: 3 - 3 / np.sqrt(k),
        lambda k: 3 - 3 / np.log(k),
        lambda k: np.log(np.log(k)),
        lambda k: 3 - 3 / k**0.35,
    ],
    ids=["a - b/sqrt k", "a - b/ln k", "ln ln k", "a - b/k^0.35"],
)
def test_a_rise_that_a_transient_explains_is_inconclusive_where_a_plain_slope_shouts(curve):
    data = noisy(curve)
    v = fits.decide(data, bounded(c_star=0.1))
    assert (v.verdict, v.reason) == ("inconclusive", "growth-or-transient")
    assert fits.fit_law(data.k, data.mean, data.se).sigma > 9


def test_a_jump_that_no_model_describes_is_a_misfit():
    v = fits.decide(noisy(lambda k: np.where(k > 60, 9.0, 3.0) + np.where(k > 500, -5.0, 0)), bounded())
    assert (v.verdict, v.reason) == ("inconclusive", "misfit")
    assert v.c_upper is None


def test_power_growth_is_falsified_and_named():
    v = fits.decide(noisy(lambda k: 0.1 * np.sqrt(k)), bounded())
    assert (v.verdict, v.growth) == ("falsified", "k^0.5")
    assert [row["law"] for row in v.laws if row["kept"]] == ["k^0.5"]


def test_a_falling_curve_is_never_growth():
    v = fits.decide(noisy(lambda k: 9 - 0.5 * np.log(k)), bounded())
    assert v.verdict != "falsified"
    assert v.sigma["T0"] < -3


def test_a_curve_that_falls_without_end_is_not_called_bounded():
    v = fits.decide(noisy(lambda k: 9 - 0.5 * np.log(k), s=0.002), bounded())
    assert v.c_upper < 0
    assert (v.verdict, v.reason) == ("inconclusive", "underpowered")


def test_a_curve_that_falls_to_a_constant_is_said_to_fall():
    v = fits.decide(noisy(lambda k: 3 + 2 / k), fits.Bounded("ln"))
    assert v.sentence().startswith("Falls on this range (-")


def test_at_its_smallest_detectable_slope_a_sweep_has_95_percent_power():
    v = fits.decide(noisy(lambda k: 3 + 0 * k), bounded())
    assert v.would_have_seen(v.mde) == pytest.approx(0.95, abs=0.001)
    assert v.reps_factor(v.mde) == pytest.approx(1)
    assert v.reps_factor(v.mde / 2) == pytest.approx(4)
    assert v.kmax_needed(2 * v.mde) <= K17[-1]
    assert v.kmax_needed(1e-9) is None


def test_k_max_needed_for_the_published_slope_is_1024_on_a_doubling_grid_of_error_0_02():
    """Spec table 3f."""
    v = fits.decide(noisy(lambda k: 3 + 0 * k, k=K9[:6]), bounded())
    assert v.kmax_needed(0.38) == 1024


def test_if_bounded_then_the_limit_is_far_above_the_last_value_of_a_logarithm():
    """Spec 2.11 gives q <= 0.035 and limit >= 13.4 on a coarser grid of q; here polyfit fits every q."""
    y = 1 + 0.38 * np.log(K9)
    v = fits.decide(fits.Series(K9, y, [0.02] * 9, reps=200), bounded())
    q, limit, describes = v.if_bounded
    assert describes

    def chi2(q):
        return float((((y - np.polyval(np.polyfit(K9**-q, y, 1), K9**-q)) / 0.02) ** 2).sum())

    assert chi2(q) < chi2(0.002) + 9 < chi2(1.03 * q)
    assert 12 < limit < np.polyfit(K9**-q, y, 1)[1]


def test_common_random_numbers_give_back_the_power_that_separate_errors_lose():
    rng = np.random.default_rng(3)
    shared = rng.normal(0, 1, (100, 1))
    samples = 3 + 0.1 * np.log(K17) + shared + rng.normal(0, 0.1, (100, 17))
    together = fits.decide(fits.Series.from_samples(K17, samples, shared_seeds=True), bounded())
    apart = fits.decide(fits.Series.from_samples(K17, samples), bounded())
    width = {v: v.c["T0"][2] - v.c["T0"][1] for v in (together, apart)}
    assert width[together] < width[apart] / 5
    assert together.sigma["T0"] > apart.sigma["T0"]


def test_under_common_random_numbers_the_sigma_of_no_growth_is_standard_normal():
    rng = np.random.default_rng(4)
    z = []
    for _ in range(300):
        samples = rng.normal(0, 1, (40, 1)) + rng.normal(0, 0.5, (40, 9))
        series = fits.Series.from_samples(K9, samples, shared_seeds=True)
        z.append(fits.decide(series, bounded(), tier=0, holdout=None).sigma["T0"])
    assert np.std(z) == pytest.approx(1.0, abs=0.13)


def sweeps():
    """Random small sweeps: a grid, means, errors, replicates."""

    @st.composite
    def build(draw):
        n = draw(st.integers(5, 12))
        k = np.array(sorted(draw(st.sets(st.integers(3, 4000), min_size=n, max_size=n))), dtype=float)
        rng = np.random.default_rng(draw(st.integers(0, 2**32)))
        y = 3 + draw(st.floats(-1, 1)) * np.log(k) + draw(st.floats(-3, 3)) / np.sqrt(k)
        s = rng.uniform(0.02, 0.04, n)
        return k, y + s * rng.standard_normal(n), s, draw(st.sampled_from([5, 30, 200]))

    return build()


def slopes(v):
    return np.array([v.c[t] for t in TIERS])


def sigmas(v):
    return np.array([v.sigma[t] for t in TIERS])


@given(sweeps(), st.floats(1e-6, 1e6))
@settings(max_examples=40, deadline=None)
def test_a_change_of_unit_scales_slopes_and_leaves_every_sigma(sweep, a):
    k, y, s, reps = sweep
    v = fits.decide(fits.Series(k, y, s, reps), fits.Bounded("ln"))
    w = fits.decide(fits.Series(k, a * y, a * s, reps), fits.Bounded("ln"))
    assert sigmas(w) == pytest.approx(sigmas(v), rel=1e-6, abs=1e-6)
    assert slopes(w) / a == pytest.approx(slopes(v), rel=1e-6, abs=1e-8)
    assert (w.verdict, w.reason) == (v.verdict, v.reason)


@given(sweeps(), st.floats(-1e4, 1e4))
@settings(max_examples=40, deadline=None)
def test_adding_a_constant_changes_no_slope_and_no_sigma(sweep, shift):
    k, y, s, reps = sweep
    v = fits.decide(fits.Series(k, y, s, reps), fits.Bounded("ln"))
    w = fits.decide(fits.Series(k, y + shift, s, reps), fits.Bounded("ln"))
    assert sigmas(w) == pytest.approx(sigmas(v), rel=1e-5, abs=1e-5)
    assert slopes(w) == pytest.approx(slopes(v), rel=1e-5, abs=1e-6)


@given(sweeps(), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_order_of_the_rows_does_not_matter(sweep, random):
    k, y, s, reps = sweep
    order = list(range(k.size))
    random.shuffle(order)
    v = fits.decide(fits.Series(k, y, s, reps), bounded())
    w = fits.decide(fits.Series(k[order], y[order], s[order], reps), bounded())
    assert w.to_dict() == v.to_dict()


@given(sweeps())
@settings(max_examples=30, deadline=None)
def test_a_verdict_survives_json_unchanged(sweep):
    k, y, s, reps = sweep
    plain = fits.decide(fits.Series(k, y, s, reps), bounded()).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


@given(sweeps())
@settings(max_examples=30, deadline=None)
def test_allowing_more_transients_never_raises_sigma(sweep):
    k, y, s, reps = sweep
    v = fits.decide(fits.Series(k, y, s, reps), bounded())
    assert v.sigma["T0"] >= v.sigma["T1"] >= v.sigma["T2"]


GOOD = {"k": [4, 8, 16, 32, 64], "mean": [1.0] * 5, "se": [0.1] * 5, "reps": 50}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": [4, 8], "mean": [1, 1], "se": [1, 1]}, "points must be at least 5; got 2 sizes"),
        ({"se": [0.1, 0.1, 0, 0.1, 0.1]}, "se must be positive; got 0 at k = 16"),
        ({"se": [0.1, 0.1, -1, 0.1, 0.1]}, "se must be positive"),
        ({"se": [0.1, 0.1, float("nan"), 0.1, 0.1]}, "se must be finite; got nan at position 2"),
        ({"mean": [1, 1, float("inf"), 1, 1]}, "mean must be finite"),
        ({"mean": ["a"] * 5}, "mean must be numbers"),
        ({"mean": [1, 1]}, "mean must have as many entries as k; got 2 and 5"),
        ({"reps": 1}, "reps must be at least 3"),
        ({"reps": None}, "reps must be given"),
        ({"reps": 3.5}, "reps must be whole numbers up to 2\\^53; got 3.5 at k = 4"),
        ({"reps": [50, 50, 1e9 + 0.5, 50, 50]}, "reps must be whole numbers up to 2\\^53; got 1000000000.5 at k = 16"),
        ({"reps": 1e300}, "reps must be whole numbers up to 2\\^53; got 1e\\+300 at k = 4"),
        ({"reps": [50, 50]}, "reps must be one number or as many as k"),
        ({"k": [4, 8, 8, 32, 64]}, "k must be distinct; got k = 8 twice"),
        ({"k": [2, 8, 16, 32, 64]}, "k must be at least 3 .*; got 2: leave smaller sizes out"),
        ({"shared_seeds": True}, "shared_seeds must come with samples"),
        ({"samples": [[1, 2]]}, "samples must have shape"),
        ({"samples": [[2.0] * 5] * 4}, "mean must be the mean of samples"),
        ({"samples": [[1.0] * 5] * 4, "shared_seeds": True, "exact": True}, "exact must be False"),
        ({"se": [1e-200] * 5}, "se must be between"),
        ({"se": [1e-17] * 5}, "se must exceed the rounding of the mean, 9e-16; got 1e-17 at k = 4"),
    ],
)
def test_bad_series_are_refused_with_the_reason(change, message):
    with pytest.raises(ValueError, match=message):
        fits.Series(**{**GOOD, **change})


@pytest.mark.parametrize("value", [0.0, 0.1, 1 / 3])
def test_samples_that_are_all_equal_at_a_size_are_refused_whatever_their_rounding(value):
    samples = np.random.default_rng(0).normal(3, 1, (10, 5))
    samples[:, 2] = value
    with pytest.raises(ValueError, match=r"replicates at k = 16 are all equal .*: no scatter was seen"):
        fits.Series.from_samples([4, 8, 16, 32, 64], samples)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"c_star": 0}, "c_star=0 must be positive"),
        ({"k_full": -1}, "k_full=-1 must be at least 0"),
        ({"rival": "1"}, "must be a growing law"),
        ({"rival": "log(k"}, "formula in k"),
    ],
)
def test_bad_claims_are_refused_with_the_reason(change, message):
    with pytest.raises(ValueError, match=message):
        fits.Bounded(**{"rival": "ln", "c_star": 0.1, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tier": 3}, "tier=3 must be 0, 1 or 2"),
        ({"z_false": 0}, "z_false=0 must be between"),
        ({"holdout": 1.5}, "holdout=1.5 must be between 0 and 1"),
        ({"laws": ["k**"]}, "formula in k"),
    ],
)
def test_bad_options_are_refused_with_the_reason(change, message):
    with pytest.raises(ValueError, match=message):
        fits.decide(fits.Series(**GOOD), bounded(), **change)


def test_what_is_no_series_is_refused_by_type():
    with pytest.raises(TypeError, match="must be a Series and a Bounded; got list, Bounded"):
        fits.decide([1, 2], bounded())


def test_one_decision_on_17_points_takes_less_than_10_milliseconds():
    data = noisy(lambda k: 3 + 0.38 * np.log(k))
    fits.decide(data, bounded())
    times = []
    for _ in range(15):
        start = time.process_time()
        fits.decide(data, bounded())
        times.append(time.process_time() - start)
    assert min(times) < 0.010


def test_the_hold_out_rejects_bare_laws_on_a_transient_and_none_on_the_truth():
    """Spec 2.9: split 6 + 3 at 1024, error 0.02."""
    v = fits.decide(noisy(lambda k: 3 - 3 / np.sqrt(k), k=K9), bounded())
    p = {row["law"]: row["holdout"]["p"] for row in v.laws}
    assert max(p["1"], p["ln"], p["lnln"]) < 1e-3
    assert v.holdout == tuple(v.laws[0]["holdout"].values())
    w = fits.decide(noisy(lambda k: 3 + 0.38 * np.log(k), k=K9), bounded())
    assert {row["law"]: row["holdout"]["p"] for row in w.laws}["ln"] > 0.01


def test_without_a_hold_out_fraction_there_is_none():
    v = fits.decide(noisy(lambda k: 3 + 0 * k), bounded(), holdout=None)
    assert v.holdout is None
    assert v.to_dict()["holdout"] is None


def test_sizes_up_to_10_to_the_200_are_decided_without_overflow():
    k = 10.0 ** np.arange(1, 200, 20)
    rng = np.random.default_rng(0)
    grows = fits.Series(k, 0.1 * np.log(k) + 0.02 * rng.standard_normal(10), [0.02] * 10, reps=100)
    flat = fits.Series(k, 1 + 0.02 * rng.standard_normal(10), [0.02] * 10, reps=100)
    assert fits.decide(grows, bounded(c_star=0.05)).verdict == "falsified"
    assert fits.decide(flat, bounded(c_star=0.05)).verdict == "verified"


def test_a_rival_that_overflows_far_out_has_no_k_max_that_sees_more():
    k = 10.0 ** np.arange(100, 106)
    v = fits.decide(fits.Series(k, [1.0] * 6, [0.1] * 6, reps=50), fits.Bounded("k**2.92"))
    assert v.kmax_needed(1e-308) is None


def test_a_verdict_prints_short():
    v = fits.decide(noisy(lambda k: 3 + 0 * k), bounded())
    assert repr(v).startswith("<Verdict verified, bounded-on-range; sigma T0: ")


def test_a_narrow_range_is_not_refused_but_sees_nothing():
    v = fits.decide(fits.Series([1000, 1001, 1002, 1003, 1004], [1.0, 1.1, 1, 1.1, 1], [0.1] * 5, reps=9), bounded())
    assert v.verdict == "toy" or v.verdict == "inconclusive"
    assert v.mde > 1000


SEEN = r"This sweep would have seen c >= [0-9.]+ with 95 % power"
NEED = r"To see c = [0-9.e-]+: (k to [0-9,.e+]+|more than any reachable k) at this precision, or [0-9.,]+ times"


@pytest.mark.parametrize(
    ("curve", "claim", "verdict"),
    [
        (lambda k: 3 + 0 * k, bounded(), "verified"),
        (lambda k: 3 + 0 * k, bounded(k_full=1e6), "toy"),
        (lambda k: 3 + 0 * k, fits.Bounded("ln"), "toy"),
        (lambda k: 3 - 3 / np.sqrt(k), bounded(), "inconclusive"),
        (lambda k: 3 + 0.38 * np.log(k), bounded(), "falsified"),
    ],
    ids=["verified", "toy by length", "toy without c*", "inconclusive", "falsified"],
)
def test_every_sentence_says_what_was_seen_what_is_needed_and_what_is_not_excluded(curve, claim, verdict):
    v = fits.decide(noisy(curve), claim)
    text = v.sentence()
    assert v.verdict == verdict
    assert re.search(SEEN, text)
    assert verdict == "falsified" or re.search(NEED, text)
    assert re.search("not excluded|Not decidable", text)
    assert "confirm" not in text
    assert "T2" in text


@pytest.mark.parametrize("seed", range(4))
def test_the_upper_bound_is_the_steepest_survivor_in_units_of_the_rival(seed):
    """Of ln^2 k only the law ln^2 itself survives without transients; its bound is counted in ln k."""
    data = noisy(lambda k: 3 + 0.1 * np.log(k) ** 2, seed=seed)
    out = judge(panel_of(data), Rule(law("ln"), 0.38, tier=0))
    (g,) = np.flatnonzero(out.survives[:, 0, 0])
    assert growth_laws(law("ln"))[g].name == "ln^2"
    rise = np.ptp(np.log(K17) ** 2) / np.ptp(np.log(K17))
    assert out.upper[0] == pytest.approx((out.fits.c[g, 0, 0] + 2.33 * out.error[g, 0, 0]) * rise, rel=1e-12)
    assert 0.1 * rise < out.upper[0] < 0.11 * rise


def test_scatter_beyond_the_errors_raises_the_smallest_slope_that_is_seen():
    rng = np.random.default_rng(0)
    calm = fits.decide(noisy(lambda k: 3 + 0 * k), bounded())
    wild = fits.decide(fits.Series(K17, 3 + 0.06 * rng.standard_normal(17), [0.02] * 17, reps=200), bounded())
    assert wild.misfit.S_best > 1.5
    assert wild.mde == pytest.approx(calm.mde * wild.misfit.S_best, rel=1e-9)


def test_a_flat_sweep_too_noisy_for_the_slope_that_matters_is_underpowered():
    v = fits.decide(noisy(lambda k: 3 + 0 * k, s=2.0), bounded(c_star=0.1))
    assert (v.verdict, v.reason) == ("inconclusive", "underpowered")


def test_no_growth_law_is_kept_with_a_negative_slope():
    v = fits.decide(noisy(lambda k: 9 - 0.5 * k**0.5), bounded())
    assert [row["law"] for row in v.laws if row["kept"]] == []
    assert all(row["c"] < 0 for row in v.laws[1:] if row["law"] in ("ln", "k^0.5", "k"))


def test_the_estimate_of_a_tier_comes_from_its_best_model_and_not_from_the_plain_slope():
    v = fits.decide(noisy(lambda k: 0.38 * np.log(k) - 3 / np.sqrt(k), s=0.003), bounded())
    assert abs(v.c["T0"][0] - 0.38) > 0.1
    assert v.c["T1"][0] == pytest.approx(0.38, abs=0.02)
    assert v.c["T2"][0] == pytest.approx(0.38, abs=0.05)


def test_under_common_random_numbers_misfit_is_judged_by_what_is_not_shared():
    rng = np.random.default_rng(3)
    samples = 3 + 0.1 * np.log(K17) + rng.normal(0, 1, (100, 1)) + rng.normal(0, 0.1, (100, 17))
    v = fits.decide(fits.Series.from_samples(K17, samples, shared_seeds=True), bounded())
    assert 0.3 < v.misfit.chi2 / v.misfit.nu < 2.5
