"""Attention: ns a float64 step beside plain numpy, ms an exact verdict for all t, a survey: python bench/attention.py

Steps: the best of five runs. Exact verdicts: Gaussian starts of six decimals, followed until no leader can change,
ever (so to 10^12 and beyond), first violation and from_k included. Run it alone: two busy cores double the figures.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

from sweeps.simulators.attention import kernels
from sweeps.simulators.attention.problem import read_problem
from sweeps.simulators.attention.scout import DENSE
from sweeps.simulators.attention.simulate import answer
from sweeps.simulators.attention.survey import start

SIZES = [(2, 1), (3, 2), (8, 2), (16, 3), (32, 8), (64, 8), (128, 16)]
SHAPES = [(3, 1, 200), (3, 2, 200), (6, 2, 200), (10, 3, 200), (20, 4, 60), (32, 8, 40)]


def plain(X: np.ndarray, B: np.ndarray, tie: int, gammas: np.ndarray, t0: int, t1: int, limit: float) -> int:  # noqa: ARG001
    """The kernels' work in plain numpy (tie rule low, classical steps)."""
    for t in range(t0, t1 + 1):
        scores = X @ B @ X.T
        if t and 0.5 * np.diagonal(scores).max() * t > limit:
            return t
        X = X + 2.0 / (t + 2.0) * (X[scores.argmin(axis=1)] - X)
    return -1


def nanoseconds(kernel: Callable[..., int], n: int, d: int, steps: int) -> float:
    X = np.random.default_rng(0).standard_normal((n, d))
    kernel(X.copy(), np.eye(d), 0, np.empty(0), 0, 2, np.inf)
    best = np.inf
    for _ in range(5):
        begun = time.perf_counter()
        kernel(X.copy(), np.eye(d), 0, np.empty(0), 0, steps, np.inf)
        best = min(best, time.perf_counter() - begun)
    return best / steps * 1e9


def stepping() -> None:
    print(f"{'n, d':>10} {'loops':>10} {'BLAS':>10} {'numpy':>10}   ns a step ('*': the one that is used)")
    for n, d in SIZES:
        steps = max(100, 2_000_000 // (n * n * d))
        loops, blas = (nanoseconds(kernel, n, d, steps) for kernel in (kernels.walk, kernels.dense))
        numpy = nanoseconds(plain, n, d, max(100, steps // 50))
        marks = (" ", "*") if n >= DENSE else ("*", " ")
        print(f"{f'{n}, {d}':>10} {loops:>9.0f}{marks[0]} {blas:>9.0f}{marks[1]} {numpy:>10.0f}", flush=True)


def verdicts() -> None:
    print(f"\n{'n, d':>10} {'starts':>7} {'median':>8} {'worst':>8} {'events':>12} {'last event':>12}   ms a start")
    for n, d, count in SHAPES:
        spent, events, last = [], [], []
        for number in range(count):
            problem = read_problem(start(n, d, 0, number))
            begun = time.perf_counter()
            found = answer(problem)
            spent.append((time.perf_counter() - begun) * 1e3)
            assert found.complete
            events.append(len(found.events))
            last.append(found.events[-1])
        middle = [f"{statistics.median(x):.0f}/{max(x)}" for x in (events, last)]
        print(
            f"{f'{n}, {d}':>10} {count:>7} {statistics.median(spent):>8.1f} {max(spent):>8.1f} "
            f"{middle[0]:>12} {middle[1]:>12}",
            flush=True,
        )


def survey() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = ["attention", "--random", "3,2", "--count", "1000", "--jobs", "2", "--quiet", "--out", folder]
        begun = time.perf_counter()
        ended = subprocess.run([sys.executable, "-m", "sweeps", *command], capture_output=True, text=True, check=True)
        print(f"\nsurvey of 1,000 starts (3, 2), two jobs: {time.perf_counter() - begun:.1f} s\n{ended.stdout.strip()}")


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    stepping()
    verdicts()
    survey()


if __name__ == "__main__":
    main()
