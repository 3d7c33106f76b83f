"""Hunts: found in how many seeds, how soon, after how many instances; controls; RPB-OM's worst adversary.

    python bench/hunt.py [finds | compare | controls | planted | adversary]... [--seeds 20] [--seconds 30]

Instances to first find are also counted for plain random draws and for Hypothesis without target() and local moves.
"""

import argparse
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from planted import PLANTS, claim_file

import exact
from sweeps.hunting import files, hunt, search, target
from sweeps.hunting.requests import SAMPLES, cost, rpb_om, sampled
from sweeps.hunting.watching import Watch, consider
from sweeps.simulators.paging.enumeration import lazy_phase
from sweeps.strategies.instances import Paging

RARE = (
    "from hypothesis import strategies as st\ninstances = st.tuples(st.integers(0, 999), st.integers(0, 999))\n"
    "def gap(pair): return 1 - abs(pair[0] - 617) - abs(pair[1] - 383)\n"
)
TRUE = "from hypothesis import strategies as st\ninstances = st.integers(0, 99)\ndef gap(x): return x - 100\n"


def finds(seeds, seconds):
    hunt("alcalde2025_frank_wolfe", seconds=1)  # compiles the kernel
    for options in ({}, {"after": 1000}):
        hunts = [hunt("alcalde2025_frank_wolfe", seconds=seconds, seed=seed, **options) for seed in range(seeds)]
        found = [one for one in hunts if one.found]
        times, ks = [one.first_find_seconds for one in found], sorted(int(one.certificate["k1"]) for one in found)
        whole = statistics.median(one.seconds for one in found)
        say(f"alcalde2025_frank_wolfe {options or ''}: found {len(found)}/{seeds}")
        say(
            f"  first find {statistics.median(times):.2f} s median, {max(times):.2f} max; all done {whole:.2f} s median"
        )
        say(f"  3 tokens of one digit {sum(map(is_small, found))}/{seeds}; states {ks[0]}..{ks[-1]}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("rare", RARE), ("true", TRUE)):
            path = Path(folder) / f"{name}.py"
            path.write_text(text)
            hunts = [hunt(path, seconds=seconds if name == "rare" else 5, seed=seed) for seed in range(5)]
            firsts = [one.first_find for one in hunts]
            say(f"user's {name} claim: found {sum(one.found for one in hunts)}/5; instances to first find {firsts}")


def say(text):
    print(text, flush=True)


def is_small(found):
    return len(found.instance) == 3 and all(len(x.strip("-")) == 1 for row in found.instance for x in row)


def compare(seeds, seconds):
    for options in ({}, {"after": 1000}, {"after": 20_000}):
        claim = target("alcalde2025_frank_wolfe", **options)
        for method in (random_search, without_target, ours):
            counts = [method(claim, seed, seconds) for seed in range(seeds)]
            found = sorted(count for count in counts if count is not None)
            middle = f"{statistics.median(found):g}, at most {found[-1]}" if found else "-"
            say(f"alcalde2025_frank_wolfe {options or ''} {method.__name__}: {len(found)}/{seeds}, instances {middle}")

    rare = files.target_of(SimpleNamespace(gap=rare_gap, instances=st.tuples(*[st.integers(0, 999)] * 2)))
    for method in (random_pairs, without_target, ours):
        counts = [method(rare, seed, seconds) for seed in range(seeds)]
        say(f"one pair of 10^6 {method.__name__}: {sum(c is not None for c in counts)}/{seeds}, instances {counts}")


def rare_gap(pair):
    return 1 - abs(pair[0] - 617) - abs(pair[1] - 383)


def random_pairs(claim, seed, seconds):
    rng, until, tried = np.random.default_rng(seed), time.monotonic() + seconds, 0
    while time.monotonic() < until:
        for pair in rng.integers(0, 1000, (1000, 2)).tolist():
            tried += 1
            if claim.gap(pair) > 0:
                return tried
    return None


def ours(claim, seed, seconds):
    watch = Watch(seconds)
    search.search(claim, seed, watch)
    return watch.first_find


def without_target(claim, seed, seconds):
    plain, watch = replace(claim, move=lambda _one, _rng: None), Watch(seconds)

    def body(instance):
        consider(plain, instance, watch)

    while watch.violation is None and watch.spent < seconds:
        search.draw(plain, body, seed, 2_000)
        seed += 1_000
    return watch.first_find


def random_search(claim, seed, seconds):
    rng, until, tried = np.random.default_rng(seed), time.monotonic() + seconds, 0
    while time.monotonic() < until:
        points = tuple(map(tuple, rng.integers(-9, 10, (int(rng.integers(3, 8)), 2)).tolist()))
        tried += 1
        if claim.fast_gap(points) > -1e-6 and claim.gap(points) > 0:
            return tried
    return None


def controls(seeds, seconds):
    for name in ("achlioptas2000_marker", "alcalde2025_repaired", "onlinemin2015_optimal"):
        hunts = [hunt(name, seconds=seconds, seed=seed) for seed in range(seeds)]
        tried, near = sum(one.instances_tried for one in hunts), max(one.closest_gap for one in hunts)
        found = sum(one.found for one in hunts)
        say(f"{name}: found {found}/{seeds} in {seconds:g} s each, {tried} instances, closest {near}")


def planted(seeds, seconds):
    for name in PLANTS:
        with tempfile.TemporaryDirectory() as folder:
            path = claim_file(name, Path(folder))
            hunts = [hunt(path, seconds=seconds, seed=seed, call_seconds=25) for seed in range(seeds)]
        times = [one.first_find_seconds for one in hunts if one.found]
        say(f"planted in {name}: found {len(times)}/{seeds}, after {max(times, default=0):.1f} s at most")
        say(f"  {hunts[0].sentence}")


def adversary(seeds, seconds):
    """The largest cost/OPT - H_k - a(k) found (the lazy adversary: 0), also of phases with several L_0 requests."""
    rule = (0, "on-fault")
    for k in (3, 4, 5):
        hunts = [hunt("chen2026_rpb_om", k=k, seconds=seconds, seed=seed) for seed in range(seeds)]
        best = max(hunts, key=lambda one: Fraction(one.closest_gap))
        say(f"k = {k}: found {sum(one.found for one in hunts)}/{seeds}, closest {best.closest_gap}: {best.sentence}")
        near = hunt(rpb_om(k=k, beyond=Fraction(-1, 1000)), seconds=seconds)
        say(f"  the lazy one's own: {near.sentence}; {exact.check(near.certificate) if near.found else 'not found'}")
        for seed in range(seeds):
            _gap, one, opt = anneal(k, seconds, seed)
            exactly = cost("rpb-om", one, rule) / opt - exact.harmonic(k) - exact.additive_term(k)
            say(f"k = {k}, {opt} L_0 requests in one phase: {exactly} ({one})")
    for k in (9, 10):
        requests, predictions = lazy_phase(list(range(k - 1)), k)
        lazy = sampled(Paging(k, tuple(requests), tuple(predictions)), rule, 400_000)[0]
        for least in (1, 2):
            _gap, one, opt = anneal(k, seconds, 0, samples=1_000, least=least)
            again = sampled(one, rule, 400_000)[0] / opt
            say(f"k = {k}, {opt} L_0 in one phase: {again - lazy:+.4f} from the lazy one (se 0.002): {one}")


def anneal(k, seconds, seed, samples=SAMPLES, least=2):
    """(sampled gap, instance, OPT): annealing over phases with at least so many L_0 requests, U > 0 before the end."""
    rng, until = np.random.default_rng(seed), time.monotonic() + seconds
    factor, best = float(exact.harmonic(k) + exact.additive_term(k)), (-9.0, None, 1)
    while time.monotonic() < until:
        one, now, heat = start(k, rng, least), -9.0, 0.05
        while heat > 1e-3 and time.monotonic() < until:
            heat *= 0.999
            nearby = changed(one, rng)
            opt = phase_opt(nearby)
            if opt < least:
                continue
            found = sampled(nearby, (0, "on-fault"), samples)[0] / opt - factor
            if found >= now or rng.random() < np.exp((found - now) / heat):
                one, now = nearby, found
            if now > best[0]:
                best = (now, one, opt)
    return best


def start(k, rng, least):
    requests = (*range(k, k + least), *rng.permutation(k).tolist())
    while phase_opt(Paging(k, requests, (0,) * (k + len(requests)))) < least:
        requests = requests[:-1]
    return Paging(k, requests, tuple(rng.integers(0, 20, k + len(requests)).tolist()))


def changed(one, rng):
    from sweeps.hunting.requests import move

    for _ in range(int(rng.integers(1, 4))):
        one = move(one, rng)
    return one


def phase_opt(one):
    """OPT's cost if the sequence is one phase: it begins in L_0 and leaves U > 0 before its last request; else 0."""
    from sweeps.hunting.expected import moments

    walk = moments(one.k, one.requests)
    whole = walk[0].at == 0 and all(moment.unrevealed for moment in walk[:-1])
    return sum(moment.at == 0 for moment in walk) if whole else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = {f.__name__: f for f in (finds, compare, controls, planted, adversary)}
    parser.add_argument("parts", nargs="*", choices=[*parts, []], default=list(parts))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    for part in options.parts or parts:
        parts[part](options.seeds, options.seconds)


if __name__ == "__main__":
    main()
