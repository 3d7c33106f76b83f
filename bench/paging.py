"""Requests per second and peak memory of each paging policy: python bench/paging.py [--quick]

Each row is a process of its own: the best of three runs after one that compiles. Zipf(s): page i of a random order
is requested with probability ~ i^-s, independently. ``relative`` is the speed relative to OnlineMin's, same row group.
"""

import argparse
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from sweeps.simulators.paging import kernels
from sweeps.simulators.paging.adversaries import ADVERSARIES
from sweeps.simulators.paging.options import POLICIES
from sweeps.simulators.paging.simulate import Instance, serve

ZIPF = [(k, 1.0, 100_000, 1_000_000) for k in (16, 256, 1024)]
LARGE = [(1 << 16, 0.8, 1 << 22, 4_000_000), (1 << 20, 0.8, 1 << 22, 8_000_000)]
ORDER = ["onlinemin", *(p for p in POLICIES if p != "onlinemin")]


def zipf(k: int, s: float, pages: int, requests: int) -> Instance:
    rng = np.random.default_rng(0)
    cumulative = np.cumsum(np.arange(1, pages + 1) ** -s)
    ids = np.searchsorted(cumulative, rng.random(requests) * cumulative[-1])
    return instance(k, k + pages, (rng.permutation(pages)[ids] + k).astype(np.int32))


def lazy(k: int, requests: int) -> Instance:
    sequence, _, pages = ADVERSARIES["lazy"](k, max(2, requests // k), np.random.SeedSequence(0))
    return instance(k, pages, sequence)


def instance(k: int, pages: int, sequence: np.ndarray) -> Instance:
    reversed_times = -kernels.next_arrivals(k, pages, sequence).astype(np.float64)
    draws = np.random.default_rng(1).random(k + sequence.size)
    return Instance(k, pages, sequence, draws, reversed_times)


def measure(policy: str, workload: tuple) -> tuple[float, float, float]:
    """Million requests a second, share of faults, MiB at the peak above the instance's own."""
    made = zipf(*workload) if len(workload) == 4 else lazy(*workload)
    serve(policy, lazy(16, 64), tau=0, budget="on-fault")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best, faults = np.inf, 0
    for _ in range(3):
        start = time.perf_counter()
        fault, *_ = serve(policy, made, tau=0, budget="on-fault")
        best = min(best, time.perf_counter() - start)
        faults = int(fault.sum())
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return made.requests.size / best / 1e6, faults / made.requests.size, memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave out k = 2^16 and 2^20")
    quick = parser.parse_args().quick
    workloads = [*ZIPF, *((k, 1_000_000) for k in (16, 256, 1024)), *([] if quick else LARGE)]
    print(
        f"{'workload':>10} {'k':>8} {'policy':>10} {'M requests/s':>13} {'relative':>9} {'faults':>7} {'MiB more':>9}"
    )
    for workload in workloads:
        name = f"zipf({workload[1]})" if len(workload) == 4 else "lazy"
        reference = 0.0
        for policy in ORDER:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                speed, faults, memory = pool.submit(measure, policy, workload).result()
            reference = reference or speed
            print(
                f"{name:>10} {workload[0]:>8} {policy:>10} {speed:>13.2f} {speed / reference:>9.2f} "
                f"{faults:>7.3f} {memory:>9.0f}"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
