"""The main job: the additive terms of RPB-OM, OnlineMin and the on-request budget, with simulated noise."""

from fractions import Fraction

import numpy as np
import pytest

import fits

K = np.round(4 * 2.0 ** (np.arange(17) / 2))
REQUESTS = 3.5e6
FLOOR = 0.015


def faults_after(n):
    """f(0), ..., f(n): further faults of a phase after an eviction that leaves U = u (paging recursion).

    A v earns budget iff v + 2 <= (u + 2)/e; floats decide it here, no such v is within 1e-4 of the edge.
    """
    f, plain = np.zeros(n + 1), np.zeros(n + 2)
    bonus = np.zeros(n + 2)
    for u in range(1, n + 1):
        last = int(np.floor((u + 2) / np.e - 2))
        f[u] = (u + plain[u] + (bonus[last + 1] if last >= 1 else 0.0)) / (u + 1)
        plain[u + 1] = plain[u] + f[u]
        bonus[u + 1] = bonus[u] + (1 + f[u - 1] - f[u])
    return f


F = faults_after(1024)


def additive(k):
    k = int(k)
    return 2 + F[k - 2] - sum(1 / i for i in range(1, k + 1))


RPB_OM = np.array([additive(k) for k in K])
ON_REQUEST = 1 - 1 / K


def measured(curve, seed, share=1.0, k=K):
    """One sweep: equal requests a point, standard deviation of a phase 1 to 2.2, no error below the floor."""
    rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(seed,)))
    sd = 1 + 1.2 * np.log(k / 4) / np.log(256)
    s = np.maximum(FLOOR, sd * np.sqrt(k / (REQUESTS * share)))
    return fits.Series(k, curve + s * rng.standard_normal(k.size), s, reps=np.floor(REQUESTS * share / k))


def decide(series):
    return fits.decide(series, fits.Bounded("ln", c_star=0.18), holdout=None)


@pytest.mark.parametrize(
    ("k", "value"),
    [(4, Fraction(3, 4)), (8, Fraction(7, 8)), (9, Fraction(137, 144)), (16, Fraction(877, 780))],
)
def test_the_curve_has_its_published_exact_values(k, value):
    assert additive(k) == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize(("k", "value"), [(32, 1.38580), (64, 1.64538), (256, 2.15513), (1024, 2.66313)])
def test_the_curve_has_its_published_decimals(k, value):
    assert additive(k) == pytest.approx(value, abs=6e-6)


def test_rpb_om_to_1024_is_falsified_at_t2_in_at_least_19_of_20_seeds():
    verdicts = [decide(measured(RPB_OM, seed)) for seed in range(20)]
    assert sum(v.verdict == "falsified" for v in verdicts) >= 19
    assert all(v.c["T2"][1] < 1 / np.e < v.c["T2"][2] for v in verdicts)


def test_rpb_om_stopped_at_64_is_never_called_verified():
    short = K <= 64
    verdicts = [decide(measured(RPB_OM[short], seed, k=K[short])).verdict for seed in range(200)]
    assert "verified" not in verdicts


def test_online_min_is_not_falsified_in_200_seeds_at_a_tenth_of_the_replicates():
    verdicts = [decide(measured(0 * K, seed, share=0.1)).verdict for seed in range(200)]
    assert "falsified" not in verdicts
    assert verdicts.count("verified") > 100


def test_the_on_request_budget_is_not_falsified_in_200_seeds_at_a_tenth_of_the_replicates():
    verdicts = [decide(measured(ON_REQUEST, seed, share=0.1)).verdict for seed in range(200)]
    assert "falsified" not in verdicts
