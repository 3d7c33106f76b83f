"""What the engine costs: python bench/engine.py [--kills N]

Overhead of 10,000 blocks of 1 ms of work, throughput on two jobs beside two independent processes, memory of the
parent with 1,000,000 stored blocks, resume of a finished run of 100,000; and --kills runs that are killed by SIGKILL,
interrupted by SIGINT and resumed.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from sweeps import simulators
from sweeps.plan import make_plan
from sweeps.runner import Options, _Session
from sweeps.spec import Layout
from sweeps.store import Store

WORK = 0.001


def spin(_values, _k, count, _seed):
    """One millisecond of a processor."""
    end = time.perf_counter() + WORK
    while time.perf_counter() < end:
        pass
    return {"phases": count, "cost": count, "square": count}


def nothing(_values, _k, count, _seed):
    return {"phases": count, "cost": count, "square": count}


def row(_values, k, sums):
    n = sums["phases"]
    return {
        "k": k,
        "phases": n,
        "requests": n,
        "cost": 1.0,
        "cost_se": 0.0,
        "opt": 1.0,
        "additive": 1.0,
        "additive_se": 0.0,
    }


def exact(_values, _k_max):
    return lambda _k: None


def plan_of(blocks: int, run_block) -> object:
    """Ten points that share the blocks."""
    paging = simulators.find_swept("paging")
    simulator = replace(
        paging, run_block=run_block, row=row, exact=exact, layout=lambda _values, _k: Layout(blocks // 10, 1)
    )
    return make_plan(simulator, {"k_max": 91}, seed=0)


def session(blocks: int, run_block, folder: Path, options: Options) -> float:
    plan = plan_of(blocks, run_block)
    store = Store(folder, plan.identity, source=plan.source)
    start = time.perf_counter()
    _Session(plan, options, None, store).run()
    store.close()
    return time.perf_counter() - start


def overhead(folder: Path) -> None:
    seconds = session(10_000, spin, folder / "serial", Options(1, "serial"))
    print(f"serial, 10,000 blocks of 1 ms: {seconds:.2f} s, overhead {(seconds - 10) / 10:.3f} ms a block")


def alone(folder: str) -> float:
    return session(5_000, spin, Path(folder), Options(1, "serial"))


def throughput(folder: Path) -> None:
    start = time.perf_counter()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(abs, [1, 2]))
        start = time.perf_counter()
        list(pool.map(alone, [str(folder / "left"), str(folder / "right")]))
        apart = time.perf_counter() - start
    together = session(10_000, spin, folder / "two", Options(2, "loky"))
    rate = f"{apart / together:.0%} of their rate"
    print(f"10,000 blocks: two processes {apart:.2f} s, loky with 2 jobs {together:.2f} s, {rate}")


def memory_of(folder: str, blocks: int) -> tuple[float, float]:
    """(seconds, MiB) of taking up a finished run."""
    seconds = session(blocks, nothing, Path(folder), Options(1, "serial"))
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resume(folder: Path, blocks: int) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        first, _ = pool.submit(memory_of, str(folder / f"n{blocks}"), blocks).result()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        again, memory = pool.submit(memory_of, str(folder / f"n{blocks}"), blocks).result()
    print(f"{blocks:,} stored blocks: first run {first:.1f} s, resume {again:.2f} s, parent {memory:.0f} MiB")


def kills(folder: Path, runs: int) -> None:
    """Each run is killed at a random moment after its first block, interrupted after its next, then run to its end."""
    arguments = ["paging", "--k-max", "64", "--replicates", "6000", "--jobs", "2", "--json", "--quiet", "--out"]
    command = [sys.executable, "-m", "sweeps", *arguments]
    fresh = subprocess.run([*command, str(folder / "fresh")], capture_output=True, check=True).stdout
    rng, lost, different = random.Random(0), 0, 0
    ends = {signal.SIGKILL: Counter(), signal.SIGINT: Counter()}
    for number in range(runs):
        out = folder / f"killed{number}"
        for sent, codes in ends.items():
            before = stored(out)
            codes[stopped(command, out, sent, rng.random() * 0.3, len(before))] += 1
            lost += not before.items() <= stored(out).items()
        before = stored(out)
        ended = subprocess.run([*command, str(out)], capture_output=True, check=True).stdout
        lost += not before.items() <= stored(out).items()
        different += json.loads(ended) != json.loads(fresh)
        shutil.rmtree(out)
    codes = ", ".join(f"{sent.name} exits {dict(codes)}" for sent, codes in ends.items())
    print(f"{runs} runs stopped twice and resumed: {codes}")
    print(f"  {lost} lost or recomputed a block, {different} differ from the whole run")


def stopped(command: list[str], out: Path, sent: signal.Signals, after: float, blocks: int) -> int:
    """Exit code of a run that is sent a signal some seconds after it stored more blocks; 0: it was faster."""
    process = subprocess.Popen([*command, str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(stored(out)) <= blocks:
        time.sleep(0.005)
    time.sleep(after)
    process.send_signal(sent)
    return process.wait()


def stored(out: Path) -> dict:
    """The blocks as (place in the store, sums): a block that is computed again gets another place."""
    if not (out / "rows.sqlite").exists():
        return {}
    db = sqlite3.connect(out / "rows.sqlite")
    try:
        return {(k, i): (place, text) for place, k, i, text in db.execute("SELECT rowid, k, block, sums FROM blocks")}
    except sqlite3.OperationalError:
        return {}
    finally:
        db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs, and their children, ignore it
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{os.cpu_count()} processors")
        overhead(folder)
        throughput(folder)
        resume(folder, 100_000)
        resume(folder, 1_000_000)
        kills(folder, options.kills)


if __name__ == "__main__":
    main()
