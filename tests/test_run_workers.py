"""Workers: the same bits for all of them, and what happens when they die."""

import random
import sys

import pytest
from runs import SMALL

import sweeps
from sweeps import engine
from sweeps.runner import Options
from sweeps.totals import Totals


@pytest.mark.parametrize("backend", ["threads", "serial", "loky"])
@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_rows_are_the_same_bits_for_any_workers(backend, jobs):
    assert sweeps.run("paging", **SMALL, options=Options(jobs, backend)).rows == sweeps.run("paging", **SMALL).rows


def test_dask_says_what_to_install_when_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"pip install 'claimsweep\[dask\]'"):
        sweeps.run("paging", **SMALL, options=Options(2, "dask"))


def test_dask_gives_the_same_bits():
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    assert sweeps.run("paging", **SMALL, options=Options(2, "dask")).rows == sweeps.run("paging", **SMALL).rows


def test_a_dask_scheduler_is_taken_by_its_address():
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        options = Options(2, f"dask:{cluster.scheduler_address}")
        assert sweeps.run("paging", **SMALL, options=options).rows == sweeps.run("paging", **SMALL).rows


@pytest.mark.parametrize("backend", ["ray", "loky:8", "Dask"])
def test_an_unknown_backend_is_refused_with_those_there_are(backend):
    with pytest.raises(ValueError, match="backend must be one of threads, serial, loky, dask"):
        sweeps.run("paging", **SMALL, options=Options(2, backend))


def test_a_dask_scheduler_that_does_not_answer_is_named(monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr(engine, "CONNECT", 1)
    with pytest.raises(ValueError, match=r"backend must name a scheduler that answers; tcp://127\.0\.0\.1:1: "):
        sweeps.run("paging", **SMALL, options=Options(2, "dask:tcp://127.0.0.1:1"))


def test_killed_workers_are_started_again(plan, monkeypatch):
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    calls = []
    whole = engine._results

    def dying(plan, todo, _jobs, _backend):
        calls.append(len(todo))
        results = whole(plan, todo, 1, "serial")
        yield next(results)
        if len(calls) < 3:
            raise TerminatedWorkerError("planted")
        yield from results

    monkeypatch.setattr(engine, "_results", dying)
    kept = {}
    assert engine.execute(plan, plan.blocks(), jobs=2, backend="loky", keep=kept.__setitem__) == {}
    assert set(kept) == set(plan.blocks())
    assert calls == [40, 39, 38]


def test_workers_that_are_always_killed_make_failures_not_an_endless_loop(plan, monkeypatch):
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    def dead(*_):
        raise TerminatedWorkerError("planted")
        yield

    monkeypatch.setattr(engine, "_results", dead)
    failed = engine.execute(plan, plan.blocks(), jobs=2, backend="loky", keep=lambda *_: None)
    assert set(failed) == set(plan.blocks())
    assert "killed 4 times" in failed[4, 0]


def test_totals_do_not_depend_on_the_order_of_the_blocks():
    blocks = [((4, i), {"phases": i, "cost": i * i}) for i in range(40)]
    random.Random(1).shuffle(blocks)
    totals = Totals(blocks)
    assert totals.sums == {4: {"phases": 780, "cost": 20540}}
    assert totals.count(4) == 40
    assert (4, 39) in totals
    assert (4, 40) not in totals
    assert (5, 0) not in totals
