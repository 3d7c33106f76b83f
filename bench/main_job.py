"""How often the main job decides what: python bench/main_job.py [--seeds 20] [--tenths 200]

RPB-OM to k = 1024 and stopped at k = 64 on ``--seeds`` seeds; OnlineMin and the on-request rule (both bounded) on
``--tenths`` seeds at a tenth of the requests. Prints a row a setting: verdicts, slope, sigma under T2, seconds.
"""

import argparse
import os
import statistics
import time
from collections import Counter

import sweeps

TENTH = 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--tenths", type=int, default=200)
    options = parser.parse_args()
    settings = [
        ("rpb-om, k <= 1024", options.seeds, {"k_max": 1024}),
        ("rpb-om, k <= 64", options.seeds, {"k_max": 64}),
        ("onlinemin, a tenth", options.tenths, {"k_max": 1024, "policy": "onlinemin", "requests": TENTH}),
        ("on-request, a tenth", options.tenths, {"k_max": 1024, "budget": "on-request", "requests": TENTH}),
    ]
    print(f"{'setting':>20} {'seeds':>5} {'slope':>15} {'T2 sigma':>13} {'s a run':>8}  verdicts")
    for name, seeds, parameters in settings:
        start = time.perf_counter()
        runs = [sweeps.run("paging", seed=seed, jobs=os.cpu_count() or 1, **parameters) for seed in range(seeds)]
        seconds = (time.perf_counter() - start) / seeds
        slopes = [run.growth["slope"] for run in runs]
        sigmas = [run.growth["sigmas"]["T2"] for run in runs]
        verdicts = dict(Counter(run.finding["verdict"] for run in runs))
        print(
            f"{name:>20} {seeds:>5} {min(slopes):>6.3f} .. {max(slopes):.3f} "
            f"{statistics.median(sigmas):>5.1f} ({min(sigmas):.1f}) {seconds:>8.2f}  {verdicts}",
            flush=True,
        )


if __name__ == "__main__":
    main()
