"""With one job a seed tries the same instances in the same order, whatever the clock, the cache and the imports."""

import json
import os
import subprocess
import sys
import time
from fractions import Fraction

import pytest

from sweeps.hunting import hunt, search, target, watching
from sweeps.hunting.repaired import frank_wolfe as repaired
from sweeps.hunting.requests import rpb_om


class Crawling:
    """A clock by which every look takes seconds, as on a machine that compiles, swaps or sleeps meanwhile."""

    def __init__(self, step):
        self.now, self.step = time.monotonic(), step

    def monotonic(self):
        self.now += self.step
        return self.now


CLAIMS = {
    "attention": lambda: target("alcalde2025_frank_wolfe"),
    "attention, late": lambda: target("alcalde2025_frank_wolfe", after=1000),
    "repaired": lambda: repaired(constant=Fraction(2, 5)),
    "paging": lambda: rpb_om(k=3, beyond=Fraction(-1, 20)),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_slow_clock_changes_nothing_but_the_seconds(name, monkeypatch):
    usual = hunt(CLAIMS[name](), seconds=60, seed=6)
    monkeypatch.setattr(watching, "time", Crawling(10.0))
    slow = hunt(CLAIMS[name](), seconds=9e8, seed=6)
    assert usual.found
    assert (slow.first_find, slow.instance) == (usual.first_find, usual.instance)
    assert slow.seconds > 100 * usual.seconds


def test_order_of_instances_does_not_hang_on_the_clock_where_nothing_is_found(monkeypatch):
    """Climbs near the bound end by the work done: each of them was cut by the clock before."""

    def tried():
        instances, claim = [], target("chen2026_rpb_om", k=5)
        monkeypatch.setattr(search, "consider", lambda *given: instances.append(given[1]) or consider(*given))
        watch = watching.Watch(1e9)
        watch.on_tick = lambda watch: setattr(watch, "seconds", 0 if len(instances) >= 600 else 1e9)
        search.search(claim, 3, watch)
        return instances[:600]

    consider = search.consider
    usual = tried()
    monkeypatch.setattr(watching, "time", Crawling(10.0))
    assert tried() == usual


def test_a_climb_ends_by_the_work_of_its_moves():
    import numpy as np
    from hypothesis import strategies as st

    from sweeps.hunting import Target

    claim = Target(
        name="rising", statement="", instances=st.integers, gap=lambda x: x - 10**9, move=lambda x, _rng: x + 1
    )
    watch = watching.Watch(1e9)
    search.climb(claim, 0, -1e9, watch, np.random.default_rng(0))
    assert watch.tried == search.CLIMB_WORK // claim.work(0)


ASK = (
    "import json\nfrom sweeps.hunting import hunt\n"
    "found = [hunt('alcalde2025_frank_wolfe', seconds=60, seed=seed) for seed in (0, 7)]\n"
    "print(json.dumps([(one.first_find, one.instances_tried, one.instance) for one in found]))"
)


def asked(folder, **environment):
    variables = {**os.environ, **environment}
    ended = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, cwd=folder, env=variables)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


DRAWN = (
    "import sys, types\n{before}\nfrom hypothesis import strategies as st\nfrom sweeps.hunting import hunt\n"
    "drawn = []\nclaim = types.SimpleNamespace(instances=st.integers(0, 10**9), gap=lambda x: drawn.append(x) or -1)\n"
    "hunt(claim, seconds=1)\nprint(drawn[:300])"
)


def test_what_is_imported_does_not_change_the_draws(tmp_path):
    """Hypothesis draws constants of the modules it finds loaded, and no setting stops it."""
    (tmp_path / "neighbour.py").write_text(f"NUMBERS = {list(range(10**6, 10**9, 10**6))}\n")
    scripts = (DRAWN.format(before=before) for before in ("", "sys.path.insert(0, '.'); import neighbour"))
    ended = [
        subprocess.run([sys.executable, "-c", one], capture_output=True, text=True, cwd=tmp_path) for one in scripts
    ]
    assert ended[0].stdout.count(",") == 299, ended[0].stderr
    assert ended[0].stdout == ended[1].stdout
    assert not (tmp_path / ".hypothesis").exists()


@pytest.mark.slow
def test_kernels_that_are_still_to_be_compiled_change_nothing(tmp_path):
    cold = [asked(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / name)) for name in ("one", "two")]
    assert cold[0] == cold[1] == asked(tmp_path)


@pytest.mark.parametrize("name", ["alcalde2025_frank_wolfe", "onlinemin2015_optimal", "chen2026_rpb_om"])
def test_a_claim_s_kernels_are_compiled_by_its_warm(name):
    """In a process of its own: what was compiled before the first look at the clock is all there is to compile."""
    script = (
        "import sys\nfrom numba.core.dispatcher import Dispatcher\n"
        "from sweeps.hunting import target, watching, search\n"
        f"claim = target({name!r}); claim.warm()\n"
        "def forms(): return {id(d): len(d.signatures) for m in list(sys.modules.values()) if m\n"
        "    for d in vars(m).values() if isinstance(d, Dispatcher)}\n"
        "before = forms(); search.search(claim, 0, watching.Watch(3))\n"
        "after = forms(); assert sum(before.values()); assert before == after, (before, after)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_work_of_a_near_miss_counts_the_orders_that_its_exact_cost_takes():
    from sweeps.hunting.requests import SAMPLED_WORK, onlinemin
    from sweeps.strategies.instances import Paging

    claim = onlinemin(k=6, bound=lambda _k: Fraction(1))  # so that whatever OPT pays for is near
    shared, lone, free = (Paging(6, requests, (0,) * 9) for requests in ((6, 7, 0), (6, 0, 1), (0, 1, 2)))
    assert claim.work(shared) == SAMPLED_WORK + 720 * 3 // 5
    assert claim.work(lone) == claim.work(free) == SAMPLED_WORK
