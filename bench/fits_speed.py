"""Prints how long a decision takes: one at a time, and 10,000 sweeps at once. Asserts nothing."""

import time

import numpy as np

import fits
from fits.calibration.bank import truth
from fits.calibration.cases import GAUSS, doubling, rule, sweep
from fits.rules import judge

REPEATS = 20


def best(function):
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def single(points):
    k = 4 * 2.0 ** (np.arange(points) / 2)
    y = 3 + 0.38 * np.log(k) + 0.02 * np.random.default_rng(0).standard_normal(points)
    data, claim = fits.Series(k, y, np.full(points, 0.02), reps=200), fits.Bounded("ln", c_star=0.18)
    return best(lambda: fits.decide(data, claim))


def batch(k_max, sweeps=10_000, block=500):
    k, rng = doubling(k_max), np.random.default_rng(0)
    start = time.perf_counter()
    for _ in range(sweeps // block):
        judge(sweep(truth("0.38 ln k").curve(k), k, GAUSS, rng, block), rule())
    return k.size, time.perf_counter() - start


if __name__ == "__main__":
    for points in (9, 17, 33):
        print(f"decide, {points:3d} points          {1e3 * single(points):8.2f} ms")
    for k_max in (64, 1024, 4096):
        n, seconds = batch(k_max)
        print(f"10,000 sweeps of {n:3d} points  {seconds:8.2f} s, one process")
