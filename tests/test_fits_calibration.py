"""Section 4 of the specification at 500 sweeps a case, with binomial slack; and that it can fail."""

import numpy as np
import pytest
import scipy.stats

import fits
from fits.calibration import algorithms, bank, cases, families, noises, run
from fits.calibration.run import CELLS, benchmark

N = 500


@pytest.mark.parametrize("cell", CELLS)
def test_a_cell_of_section_4_holds_its_pass_figures_at_500_sweeps(cell):
    rows = benchmark([cell], n=N, seed=1)
    assert [f"{r['case']}: {r['measure']} {r['rate']:.1%}, {r['pass']}" for r in rows if not r["ok"]] == []
    assert {row["cell"] for row in rows} == {cell}


def test_the_benchmark_fails_a_decision_that_falsifies_too_lightly(monkeypatch):
    lenient = cases.rule

    monkeypatch.setattr(cases, "rule", lambda: lenient(0))
    rows = benchmark(["F1"], n=100)
    assert sum(not row["ok"] for row in rows) > 20


def test_the_benchmark_fails_a_decision_without_power(monkeypatch):
    strict = cases.rule
    monkeypatch.setattr("fits.calibration.sight.rule", lambda tier=2: strict(tier, z_false=5.0))
    assert not all(row["ok"] for row in benchmark(["P2"], n=N))


def test_counts_are_the_same_for_any_number_of_jobs():
    assert benchmark(["P1", "V2"], n=1100, jobs=2) == benchmark(["P1", "V2"], n=1100, jobs=1)


def test_another_seed_gives_other_counts():
    one, two = (benchmark(["P2"], n=N, seed=s) for s in (0, 1))
    assert [r["hits"] for r in one] != [r["hits"] for r in two]


def test_progress_counts_every_block():
    seen = []
    benchmark(["P1"], n=1001, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(i, 6) for i in range(1, 7)]


def test_the_full_limits_are_strict_and_the_small_ones_have_binomial_slack():
    check = cases.Check("falsified", high=0.002)
    assert check.holds(20, 10_000)
    assert not check.holds(21, 10_000)
    assert check.holds(int(scipy.stats.binom.isf(1e-4, 500, 0.002)), 500)
    assert not check.holds(10, 500)


def test_an_unknown_cell_and_an_empty_run_are_refused():
    with pytest.raises(ValueError, match="cell='Z9' must be one of F1"):
        benchmark(["Z9"])
    with pytest.raises(ValueError, match="n=0 must be at least 1"):
        benchmark(["P1"], n=0)
    with pytest.raises(ValueError, match="n=0 must be at least 1"):
        fits.calibrate(fits.plan(c=1, sd=0.1), n=0)
    with pytest.raises(ValueError, match="truth='nothing' must be one of"):
        bank.truth("nothing")


@pytest.mark.parametrize("family", "ABCDEFG")
def test_every_adversarial_family_is_bounded_far_out(family):
    rng = np.random.default_rng(0)
    k = np.array([4.0, 64.0, 1024.0])
    curve = families.draw(family, k, rng, 2000)
    assert np.isfinite(curve).all()
    assert np.abs(curve).max() <= 20


@pytest.mark.parametrize("shape", ["t3", "lognormal", "pareto"])
def test_noise_has_mean_zero_and_unit_variance(shape):
    x = noises.standard(shape, np.random.default_rng(0), (2_000_000,))
    assert abs(x.mean()) < 0.005
    assert np.median(x.reshape(200, -1).var(axis=1)) == pytest.approx(1, abs=0.25)


def test_unknown_noise_is_refused():
    with pytest.raises(ValueError, match="shape='cauchy' must be"):
        noises.standard("cauchy", np.random.default_rng(0), (2,))


def test_the_laws_of_records_and_quicksort_have_their_known_means():
    """Records: H_n and H_n - H_n^(2); quicksort: 2(n+1)H_n - 4n, variance near 0.42 n^2 (Knuth vol. 3)."""
    x = np.arange(60)
    for n in (4, 64, 1024):
        law = algorithms.record_law(n)
        i = np.arange(1, n + 1)
        assert law @ x == pytest.approx(algorithms.harmonic(n), rel=1e-10)
        assert law @ x**2 - (law @ x) ** 2 == pytest.approx((1 / i - 1 / i**2).sum(), rel=1e-9)
    pool = algorithms.quicksort_pool(1024)
    assert pool.mean() == pytest.approx(2 * 1025 * algorithms.harmonic(1024) - 4096, rel=1e-12)
    # 7 - 2 pi^2/3 = 0.4203; at n = 1024 the exact variance is 7n^2 - 4(n+1)^2 H_n^(2) - 2(n+1)H_n + 13n
    i = np.arange(1, 1025)
    exact = 7 * 1024**2 - 4 * 1025**2 * (1 / i**2).sum() - 2 * 1025 * (1 / i).sum() + 13 * 1024
    assert pool.var() == pytest.approx(exact, rel=0.06)


def test_calibrate_tells_growth_from_bounded_curves_on_the_users_own_design():
    design = fits.Series(2.0 ** np.arange(2, 11), np.zeros(9), [0.02] * 9, reps=200)
    rows = {row["truth"]: row for row in fits.calibrate(design, claim=fits.Bounded("ln", 0.38), n=300)}
    assert rows["0.38 ln k"]["falsified"] > 0.9
    assert rows["constant"]["verified"] > 0.9
    assert max(row["falsified"] for row in rows.values() if row["bounded"]) < 0.02
    assert rows == {row["truth"]: row for row in fits.calibrate(design, claim=fits.Bounded("ln", 0.38), n=300)}
    assert run.CELLS == CELLS
