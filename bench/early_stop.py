"""What stopping early saves and costs: python bench/early_stop.py [--seeds 20] [--constants 1000]

The main job with 8 looks on ``--seeds`` seeds: requests until decided, as a share of the fixed design's; and
``--constants`` sweeps of a constant truth with 8 looks: how many are ever called falsified (at most 1 %).
"""

import argparse
import os
import statistics
import tempfile
from collections import Counter
from pathlib import Path

import sweeps
from sweeps import simulators
from sweeps.plan import make_plan

LOOKS = 8
CONSTANT = "def sample(k, count, rng):\n    return 3 + rng.normal(0, 0.3, count)\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--constants", type=int, default=1000)
    options = parser.parse_args()
    fixed = make_plan(simulators.find_swept("paging"), {"k_max": 1024}, seed=0).total
    jobs = os.cpu_count() or 1
    runs = [sweeps.run("paging", k_max=1024, looks=LOOKS, seed=seed, jobs=jobs) for seed in range(options.seeds)]
    shares = sorted(sum(row["requests"] for row in run.rows) / fixed for run in runs)
    print(f"main job, {LOOKS} looks, {options.seeds} seeds: {dict(Counter(run.finding['verdict'] for run in runs))}")
    print(f"  requests / fixed design: median {statistics.median(shares):.2f}, {shares[0]:.2f} .. {shares[-1]:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "constant.py"
        path.write_text(CONSTANT)
        plain = {"k_max": 256, "replicates": 160, "looks": LOOKS}
        verdicts = Counter(sweeps.run(str(path), seed=s, **plain).finding["verdict"] for s in range(options.constants))
    print(f"constant truth, {LOOKS} looks, {options.constants} sweeps: {dict(verdicts)}")


if __name__ == "__main__":
    main()
