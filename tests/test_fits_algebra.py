"""Coefficients, errors and tails against independent computation: statsmodels, exact fractions, scipy."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
import statsmodels.api as sm

from fits.curves import curve
from fits.dictionary import MODELS, TIER_SIZES, TRANSIENTS, null_columns
from fits.formulas import law
from fits.holdout import hold_outs
from fits.leastsquares import fit_growth
from fits.lines import fit_law
from fits.significance import misfit_p, to_sigma
from fits.weights import PRIOR, smoothed_errors

NARROW = 1e-8  # the condition number is near 1e8 here: the columns' own rounding shows


def random_sweep(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 18))
    k = np.sort(rng.choice(np.arange(3, 5000), n, replace=False)).astype(float)
    return k, rng.normal(3, 2, n), rng.uniform(0.01, 0.3, n), rng.integers(5, 300, n).astype(float)


def design(k, model, growth):
    return np.stack([np.ones_like(k), *(TRANSIENTS[name](k) for name in model), growth], axis=1)


def exact_solve(A, b):
    """Gauss elimination in fractions."""
    n = len(b)
    rows = [[*A[i], b[i]] for i in range(n)]
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(n):
            if r != i:
                rows[r] = [a - rows[r][i] * p for a, p in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


def exact_growth(X, y, w, s):
    """Last row of (X'WX)^-1 X'W as fractions of the given floats: coefficient and variance, chi2."""
    X = [[Fraction(v) for v in row] for row in X]
    y, weight = [Fraction(v) for v in y], [1 / Fraction(v) ** 2 for v in w]
    p = len(X[0])
    gram = [[sum(wt * row[i] * row[j] for row, wt in zip(X, weight, strict=True)) for j in range(p)] for i in range(p)]
    last = exact_solve(gram, [Fraction(int(i == p - 1)) for i in range(p)])
    h = [wt * sum(a * b for a, b in zip(row, last, strict=True)) for row, wt in zip(X, weight, strict=True)]
    c = sum(a * b for a, b in zip(h, y, strict=True))
    var = sum((a * Fraction(b)) ** 2 for a, b in zip(h, s, strict=True))
    moment = [sum(wt * row[i] * v for row, wt, v in zip(X, weight, y, strict=True)) for i in range(p)]
    beta = exact_solve(gram, moment)
    chi2 = sum(
        wt * (v - sum(a * b for a, b in zip(row, beta, strict=True))) ** 2
        for row, wt, v in zip(X, weight, y, strict=True)
    )
    return float(c), float(var) ** 0.5, float(chi2)


@pytest.mark.parametrize("seed", range(12))
def test_coefficients_errors_and_chi2_equal_an_exact_fraction_solve_to_1e_10(seed):
    k, y, s, reps = random_sweep(seed)
    w = smoothed_errors(k, s[None], reps)
    fits = fit_growth(y[None], np.log(k)[None], null_columns(k), w, s[None], reps - 1)
    for m in (0, 1 + seed % 7, 8 + seed % 6):
        c, se, chi2 = exact_growth(design(k, MODELS[m], np.log(k)), y, w[0], s)
        assert fits.c[0, m, 0] == pytest.approx(c, rel=1e-10)
        assert fits.se[0, m, 0] == pytest.approx(se, rel=1e-10)
        assert fits.chi2[0, m, 0] == pytest.approx(chi2, rel=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_known_errors_give_the_coefficients_and_fixed_scale_errors_of_statsmodels_wls(seed):
    k, y, s, _ = random_sweep(seed)
    fits = fit_growth(y[None], np.array([np.log(k), k**0.5]), null_columns(k), s[None], s[None], None)
    for g, growth in enumerate((np.log(k), k**0.5)):
        for m in range(TIER_SIZES[1]):
            X = design(k, MODELS[m], growth)
            X = X / np.linalg.norm(X, axis=0)
            other = sm.WLS(y, X, weights=s**-2.0).fit(cov_type="fixed scale")
            size = np.linalg.norm(growth)
            assert fits.c[g, m, 0] == pytest.approx(other.params[-1] / size, rel=1e-9, abs=1e-10)
            assert fits.se[g, m, 0] == pytest.approx(other.bse[-1] / size, rel=1e-9)
            assert fits.chi2[g, m, 0] == pytest.approx(float((other.wresid**2).sum()), rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_the_plain_line_equals_statsmodels_to_1e_10(seed):
    k, y, s, _ = random_sweep(seed)
    line = fit_law(k, y, s, law="log")
    other = sm.WLS(y, sm.add_constant(np.log(k)), weights=s**-2.0).fit(cov_type="fixed scale")
    assert line.slope == pytest.approx(other.params[1], rel=1e-10)
    assert line.intercept == pytest.approx(other.params[0], rel=1e-10)
    assert line.slope_se == pytest.approx(other.bse[1], rel=1e-10)
    assert line.sigma == pytest.approx(other.params[1] / other.bse[1], rel=1e-10)


def test_degrees_of_freedom_follow_satterthwaite_point_by_point():
    k, y, s, reps = random_sweep(3)
    fits = fit_growth(y[None], np.log(k)[None], np.ones((1, 1, k.size)), s[None], s[None], reps - 1)
    w, u = s**-2.0, np.log(k)
    h = w * (u - np.average(u, weights=w))
    h /= h @ u
    parts = (h * s) ** 2
    assert fits.dof[0, 0, 0] == pytest.approx(parts.sum() ** 2 / (parts**2 / (reps - 1)).sum(), rel=1e-10)
    assert fits.dof[0, 0, 0] < (reps - 1).sum()


def test_nearly_collinear_columns_on_a_narrow_grid_still_agree_with_fractions():
    k = np.arange(500.0, 620.0, 10)
    y, s = np.sin(k), np.full(12, 0.1)
    fits = fit_growth(y[None], np.log(k)[None], null_columns(k), s[None], s[None], None)
    for m in (8, 13):
        c, se, chi2 = exact_growth(design(k, MODELS[m], np.log(k)), y, s, s)
        assert fits.c[0, m, 0] == pytest.approx(c, rel=NARROW)
        assert fits.se[0, m, 0] == pytest.approx(se, rel=NARROW)
        assert fits.chi2[0, m, 0] == pytest.approx(chi2, rel=NARROW)


def test_fifty_sweeps_at_once_equal_the_same_sweeps_one_by_one():
    rng = np.random.default_rng(5)
    k, reps = 2.0 ** np.arange(2, 11), np.full(9, 30.0)
    y, s = rng.normal(size=(50, 9)), rng.uniform(0.1, 0.2, (50, 9))
    growths = np.array([np.log(k), k])
    w = smoothed_errors(k, s, reps)
    together = fit_growth(y, growths, null_columns(k), w, s, reps - 1)
    for b in range(50):
        alone = fit_growth(y[b : b + 1], growths, null_columns(k), w[b : b + 1], s[b : b + 1], reps - 1)
        for name in ("c", "se", "dof", "chi2"):
            assert getattr(together, name)[..., b] == pytest.approx(getattr(alone, name)[..., 0], rel=1e-12)


@pytest.mark.parametrize("nu", [1, 3, 8, 15])
def test_misfit_tails_equal_scipy(nu):
    chi2 = np.array([0.1, 1.0, 5.0, 20.0, 60.0])
    assert misfit_p(chi2, np.array(nu), np.inf) == pytest.approx(scipy.stats.chi2.sf(chi2, nu), rel=1e-12)
    assert misfit_p(chi2, np.array(nu), 400.0) == pytest.approx(scipy.stats.f.sf(chi2 / nu, nu, 400), rel=1e-12)


@pytest.mark.parametrize("dof", [5.0, 9.0, 30.0, 300.0])
def test_t_to_sigma_keeps_the_tail_of_student_t_within_1_percent(dof):
    t = np.array([-6.0, -1.0, 0.0, 0.5, 2.0, 3.0, 5.0])
    exact = np.sign(t) * scipy.stats.norm.isf(scipy.stats.t.sf(np.abs(t), dof))
    z = to_sigma(t, np.full(t.shape, dof))
    assert z == pytest.approx(exact, rel=1e-2, abs=1e-12)


def test_a_model_without_spare_degrees_of_freedom_has_misfit_p_one():
    assert misfit_p(np.array([5.0]), np.array([0]), np.inf) == pytest.approx([1.0])


def test_smoothed_errors_recover_a_power_law_of_the_variance_and_yield_to_many_replicates():
    k, rng = 2.0 ** np.arange(2, 11), np.random.default_rng(2)
    truth = 0.3 * k**0.2 / np.sqrt(20)
    s = truth * np.sqrt(rng.chisquare(19, (2000, 9)) / 19)
    smooth = smoothed_errors(k, s, np.full(9, 20.0))
    assert np.abs(np.log(smooth / truth)).std() < 0.55 * np.abs(np.log(s / truth)).std()
    jagged = np.array([[1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0]])
    many = smoothed_errors(k, jagged, np.full(9, 1e3 * PRIOR))
    assert many == pytest.approx(jagged, rel=2e-3)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["1", "ln", "k^0.5"])
def test_the_hold_out_term_is_the_prediction_error_in_its_own_covariance(seed, name):
    k, y, s, _ = random_sweep(seed)
    split = min(max(3, int(k.size * 2 / 3)), k.size - 1)
    X = np.stack([np.ones_like(k), law(name)(k) / law(name)(k).max()], axis=1)[:, : 1 if name == "1" else 2]
    part = sm.WLS(y[:split], X[:split], weights=s[:split] ** -2.0).fit(cov_type="fixed scale")
    d = y[split:] - X[split:] @ part.params
    Q = d @ np.linalg.solve(np.diag(s[split:] ** 2) + X[split:] @ part.cov_params() @ X[split:].T, d)
    out = hold_outs(k, y, s, [law(name)])[0]
    assert out.m == k.size - split
    assert pytest.approx(Q, rel=1e-8) == out.Q
    assert out.p == pytest.approx(scipy.stats.chi2.sf(Q, out.m), rel=1e-6, abs=1e-300)


def test_a_drawn_curve_passes_through_noise_free_data_beyond_its_range():
    k = 2.0 ** np.arange(2, 9)
    y = 2 - 3 / k + 0.4 * np.log(k)
    assert curve(k, y, np.ones(7), ("1/k",), "ln", np.array([4096.0])) == pytest.approx(
        [2 - 3 / 4096 + 0.4 * np.log(4096)]
    )
