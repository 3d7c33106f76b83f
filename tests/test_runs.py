"""Run directories over their life: kill, resume, refusal, looks, time limit, failures, full disk."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from runs import SMALL, stored

import sweeps
from sweeps import engine, simulators
from sweeps.commands import main
from sweeps.plan import make_plan
from sweeps.runner import Options
from sweeps.store import Store, is_held


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_run_killed_at_any_moment_and_resumed_is_bit_identical_and_recomputes_nothing(tmp_path, seed):
    arguments = ["paging", "--k-max", "128", "--replicates", "6000", "--jobs", "2", "--out", "run", "--json"]
    command = [sys.executable, "-m", "sweeps", *arguments]
    rng = random.Random(seed)
    while True:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        before = stored(tmp_path / "run") if (tmp_path / "run" / "rows.sqlite").exists() else []
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline and _count(tmp_path / "run") <= len(before):
            time.sleep(0.01)
        time.sleep(rng.random() * 0.4)
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
        kept = stored(tmp_path / "run")
        assert kept[: len(before)] == before or set(before) <= set(kept)
        if process.returncode == 0:
            break
    fresh = sweeps.run("paging", k_max=128, replicates=6000, jobs=2)
    assert json.loads(out) == json.loads(json.dumps(fresh.to_dict()))


def _count(folder: Path) -> int:
    try:
        return len(stored(folder))
    except sqlite3.OperationalError:
        return 0


def test_finished_blocks_are_not_run_again(finished, monkeypatch):
    def boom(*_):
        raise AssertionError("a finished block was run again")

    monkeypatch.setattr(engine, "run_block", boom)
    assert sweeps.run("paging", **SMALL, out=finished).rows == sweeps.run("paging", **SMALL, out=finished).rows


def test_a_second_process_on_a_run_directory_is_refused_with_the_holders_name(tmp_path, plan):
    holder = Store(tmp_path / "run", plan.identity, source="paging")
    try:
        with pytest.raises(ValueError, match=rf"out must be free; .* is held by process {os.getpid()} on "):
            Store(tmp_path / "run", plan.identity, source="paging")
    finally:
        holder.close()
    Store(tmp_path / "run", plan.identity, source="paging").close()


def test_a_dead_process_is_no_obstacle(tmp_path):
    script = (
        "import os, pathlib; from sweeps import simulators\n"
        "from sweeps.plan import make_plan; from sweeps.store import Store\n"
        f"plan = make_plan(simulators.find_swept('paging'), {SMALL}, seed=0)\n"
        "Store(pathlib.Path('run'), plan.identity, source='paging'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False)
    assert (tmp_path / "run" / "run.lock").exists()
    assert sweeps.run("paging", **SMALL, out=tmp_path / "run").ended == "finished"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 1}, "seed is 0, not 1"),
        ({"tau": 2}, "parameters.tau is 0, not 2"),
        ({"looks": 2}, "looks is 1, not 2"),
    ],
)
def test_a_directory_of_another_run_is_refused_by_the_field_that_differs(finished, change, says):
    with pytest.raises(ValueError, match=says):
        sweeps.run("paging", **(SMALL | change), out=finished)


def test_other_code_is_refused_too(finished):
    record = json.loads((finished / "run.json").read_text())
    (finished / "run.json").write_text(json.dumps(record | {"code": "0" * 16}))
    with pytest.raises(ValueError, match="code is 0000000000000000, not "):
        sweeps.run("paging", **SMALL, out=finished)


def test_force_new_moves_the_other_run_aside(finished):
    before = stored(finished)
    sweeps.run("paging", **SMALL, seed=1, out=finished, options=Options(force_new=True))
    assert stored(finished.with_name("run.1")) == before
    assert json.loads((finished / "run.json").read_text())["seed"] == "1"


def test_force_new_leaves_a_run_alone_that_is_held(tmp_path, plan):
    holder = Store(tmp_path / "run", plan.identity, source="paging")
    try:
        with pytest.raises(ValueError, match=rf"out must be free; .* is held by process {os.getpid()} on "):
            sweeps.run("paging", **SMALL, seed=1, out=tmp_path / "run", options=Options(force_new=True))
    finally:
        holder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize("damage", ["UPDATE blocks SET sums = '{' WHERE k = 8", "DROP TABLE failures"])
def test_what_cannot_be_read_is_said_in_one_line(finished, damage, capsys):
    with sqlite3.connect(finished / "rows.sqlite") as db:
        db.execute(damage)
    db.close()
    assert main(["show", str(finished)]) == 2
    assert capsys.readouterr().err.startswith("run must hold a readable rows.sqlite; ")
    if damage.startswith("UPDATE"):
        with pytest.raises(ValueError, match=r"out must be another directory: rows.sqlite of .* can't be read: "):
            sweeps.run("paging", **SMALL, out=finished)


def test_failed_blocks_are_shown_and_stay_failed_until_they_are_retried(tmp_path, monkeypatch, capsys):
    simulator = simulators.find_swept("paging")

    def run_block(values, k, replicates, seed):
        if k == 6 and seed.spawn_key[1] == 3:
            raise ZeroDivisionError("planted")
        return simulator.run_block(values, k, replicates, seed)

    broken = type(simulator)(**{**vars(simulator), "run_block": run_block})
    monkeypatch.setattr(simulators, "find_swept", lambda _: broken)
    run = sweeps.run("paging", **SMALL, out=tmp_path / "run")
    failures = run.failures
    assert set(failures) == {(6, 3)}
    assert [row["k"] for row in run.rows] == [4, 8, 11, 16]  # no row out of the other blocks
    assert len(stored(tmp_path / "run", "SELECT * FROM failures")) == len(failures)
    monkeypatch.undo()
    assert main(["show", str(tmp_path / "run")]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith("k = 6, block 3 failed: ZeroDivisionError: planted (test_runs.py, line ")
    assert shown.err.count("\n") == 1
    assert "failed points: 39 of 40 blocks" in shown.out
    assert "\n       6 " not in shown.out
    assert sweeps.run("paging", **SMALL, out=tmp_path / "run").failures == failures
    healed = sweeps.run("paging", **SMALL, out=tmp_path / "run", options=Options(retry_failed=True))
    assert healed.failures == {}
    assert healed.rows == sweeps.run("paging", **SMALL).rows


@pytest.mark.slow
def test_a_falsified_claim_is_decided_at_an_early_look_and_the_blocks_are_those_of_the_fixed_design(tmp_path, capsys):
    run = sweeps.run("paging", k_max=1024, looks=4, jobs=2, out=tmp_path / "run")
    assert run.finding["verdict"] == "falsified"
    assert run.ended.startswith("decided at look")
    plan = make_plan(simulators.find_swept("paging"), {"k_max": 1024}, seed=0)
    assert sum(row["requests"] for row in run.rows) < plan.total / 2
    looks = [json.loads(line) for line in (tmp_path / "run" / "looks.jsonl").read_text().splitlines()]
    assert [look["number"] for look in looks] == list(range(1, len(looks) + 1))
    assert main(["reproduce", str(tmp_path / "run"), "--jobs", "2"]) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path / "run"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["finding"], shown["growth"]) == (run.finding, json.loads(json.dumps(run.growth)))
    again = sweeps.run("paging", k_max=1024, looks=4, jobs=2, out=tmp_path / "run")
    assert (again.rows, again.ended) == (run.rows, run.ended)


@pytest.mark.parametrize("looks", [0, 9, True, 2.0])
def test_looks_are_between_one_and_eight(looks):
    with pytest.raises(ValueError, match=f"looks must be between 1 and 8; got {looks}"):
        sweeps.run("paging", **SMALL, looks=looks)


def test_blocks_up_to_the_last_look_are_all_blocks(plan):
    looked = make_plan(plan.simulator, SMALL, seed=0, looks=3)
    shares = [set(looked.blocks(look)) for look in (1, 2, 3)]
    assert shares[0] < shares[1] < shares[2] == set(plan.blocks())
    assert all(abs(len(share) / 40 - look / 3) < 0.1 for look, share in enumerate(shares, 1))


def test_a_look_is_taken_once_whenever_the_run_is_stopped(tmp_path):
    arguments, seen = SMALL | {"looks": 2}, []

    def stop(_plan, blocks):
        seen.extend(blocks)
        if len(seen) == 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweeps.run("paging", **arguments, out=tmp_path / "run", progress=stop)
    sweeps.run("paging", **arguments, out=tmp_path / "run")
    sweeps.run("paging", **arguments, out=tmp_path / "whole")
    looks = (tmp_path / "run" / "looks.jsonl").read_text()
    assert looks.count("\n") == 2
    assert looks == (tmp_path / "whole" / "looks.jsonl").read_text()


def test_a_time_limit_ends_a_sweep_with_looks_too_and_takes_no_look(tmp_path):
    """A look at 19 of the 20 blocks that belong to it would be another look."""
    seen = []

    def stop(_plan, blocks):
        seen.extend(blocks)
        if len(seen) == 18:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweeps.run("paging", **SMALL, looks=2, out=tmp_path / "run", progress=stop)
    run = sweeps.run("paging", **SMALL, looks=2, out=tmp_path / "run", options=Options(time_limit=1e-9))
    assert not (tmp_path / "run" / "looks.jsonl").exists()
    assert (run.ended, run.finding["verdict"], len(run.rows)) == ("time limit reached", "inconclusive", 5)
    assert run.finding["sentence"].startswith("inconclusive: the time limit of 1e-09 s is reached")


@pytest.mark.parametrize("limit", [0, -1.0, float("inf"), float("nan")])
def test_a_time_limit_must_be_positive_and_finite(limit):
    with pytest.raises(ValueError, match="time_limit must be a positive number of seconds; got "):
        sweeps.run("paging", **SMALL, options=Options(time_limit=limit))


def test_a_time_limit_decides_nothing_exits_3_and_the_same_command_goes_on(tmp_path, capsys):
    arguments = ["paging", "--k-max", "16", "--replicates", "64", "--jobs", "1", "--out", str(tmp_path / "run")]
    assert main([*arguments, "--time-limit", "0.000000001s", "--quiet"]) == 3
    assert capsys.readouterr().out.startswith("inconclusive: the time limit of 1e-09 s is reached")
    assert 0 < len(stored(tmp_path / "run")) < 40
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == sweeps.run("paging", **SMALL).rows


def test_dry_run_lists_the_points_and_writes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["paging", "--k-max", "16", "--dry-run", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [point["k"] for point in document["points"]] == [4, 6, 8, 11, 16]
    assert document["requests"] == sum(point["requests"] for point in document["points"])
    assert document["smallest_slope_seen"] > 0.5
    assert main(["paging", "--k-max", "16", "--dry-run"]) == 0
    assert "nothing was run" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_gets_one_clear_line(tmp_path, plan):
    store = Store(tmp_path / "run", plan.identity, source="paging")
    store._db.execute("PRAGMA max_page_count = 5")
    with pytest.raises(ValueError, match=r"out must have room to write; .* full"):
        _fill(store)
    kept = list(store.blocks())
    store.close()
    assert 0 < len(kept) < 1000


def test_a_disk_that_is_full_at_the_end_gets_the_same_line_and_keeps_the_blocks(tmp_path, plan):
    store = Store(tmp_path / "run", plan.identity, source="paging")
    store.keep((4, 0), {"phases": 1, "cost": 2})
    store._db.execute("PRAGMA max_page_count = 5")
    with pytest.raises(ValueError, match=r"out must have room to write; .* Finished blocks are kept"):
        store.finish([{"k": k, "cost": "9" * 10_000} for k in range(9)], {}, {})
    store.close()
    assert stored(tmp_path / "run") == [(4, 0, '{"phases": 1, "cost": 2}')]


def test_a_holder_without_a_name_is_another_process(tmp_path, plan):
    holder = Store(tmp_path / "run", plan.identity, source="paging")
    try:
        record = json.loads((tmp_path / "run" / "run.json").read_text())
        del record["process"]
        (tmp_path / "run" / "run.json").write_text(json.dumps(record))
        with pytest.raises(ValueError, match="is held by another process"):
            Store(tmp_path / "run", plan.identity, source="paging")
    finally:
        holder.close()


def test_what_cannot_be_locked_is_held_by_nobody(tmp_path):
    (tmp_path / "file").write_text("")
    assert not is_held(tmp_path / "file")


def _fill(store):
    for i in range(1000):
        store.keep((4, i), {"phases": i, "cost": 10**300})
