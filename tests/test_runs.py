"""Run directories over their life: kill, resume, refusal, looks, time limit, workers, repeat, report."""

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
from pages import Page

import sweeps
from sweeps import engine, simulators
from sweeps.commands import main
from sweeps.plan import make_plan
from sweeps.runner import Options
from sweeps.store import Store
from sweeps.totals import Totals

SMALL = {"k_max": 16, "replicates": 64}
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
MINE = README.split("```py\n")[1].split("```")[0]  # the template that README offers


@pytest.fixture
def plan():
    return make_plan(simulators.find_swept("paging"), SMALL, seed=0)


@pytest.fixture
def finished(tmp_path):
    """A finished run's directory."""
    sweeps.run("paging", **SMALL, out=tmp_path / "run")
    return tmp_path / "run"


def stored(folder, what="SELECT k, block, sums FROM blocks ORDER BY k, block"):
    db = sqlite3.connect(folder / "rows.sqlite")
    try:
        return db.execute(what).fetchall()
    finally:
        db.close()


@pytest.mark.parametrize("backend", ["threads", "serial", "loky"])
@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_rows_are_the_same_bits_for_any_workers(backend, jobs):
    if (backend, jobs) == ("loky", 4):
        pytest.skip("starting four processes shows nothing that two do not")
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
        if k == 6:
            raise ZeroDivisionError("planted")
        return simulator.run_block(values, k, replicates, seed)

    broken = type(simulator)(**{**vars(simulator), "run_block": run_block})
    monkeypatch.setattr(simulators, "find_swept", lambda _: broken)
    failures = sweeps.run("paging", **SMALL, out=tmp_path / "run").failures
    assert {k for k, _ in failures} == {6}
    assert len(stored(tmp_path / "run", "SELECT * FROM failures")) == len(failures)
    monkeypatch.undo()
    assert main(["show", str(tmp_path / "run")]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith("k = 6, block 0 failed: ZeroDivisionError: planted (test_runs.py, line ")
    assert shown.err.endswith("); 7 more failed\n")
    assert "failed points: 32 of 40 blocks" in shown.out
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


def test_blocks_up_to_the_last_look_are_all_blocks(plan):
    looked = make_plan(plan.simulator, SMALL, seed=0, looks=3)
    shares = [set(looked.blocks(look)) for look in (1, 2, 3)]
    assert shares[0] < shares[1] < shares[2] == set(plan.blocks())
    assert all(abs(len(share) / 40 - look / 3) < 0.1 for look, share in enumerate(shares, 1))


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
    assert main(["paging", "--k-max", "16", "--dry-run"]) == 0
    assert "nothing was run" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_show_prints_a_run_in_progress_without_deciding(finished, capsys):
    with sqlite3.connect(finished / "rows.sqlite") as db:
        db.execute("DELETE FROM blocks WHERE k = 16 OR block > 3")
    db.close()
    record = json.loads((finished / "run.json").read_text())
    (finished / "run.json").write_text(json.dumps(record | {"state": "running"}))
    assert main(["show", str(finished)]) == 0
    printed = capsys.readouterr().out
    assert "stopped: 16 of 40 blocks" in printed  # it says running, and nobody holds it
    assert "So far, and deciding nothing" in printed
    assert main(["show", str(finished / "run.json"), "--json"]) == 0
    assert [row["k"] for row in json.loads(capsys.readouterr().out)["rows"]] == [4, 6, 8, 11]


def test_runs_lists_state_and_verdict(finished, capsys):
    assert main(["runs", str(finished.parent), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["runs"]
    assert row["run"] == str(finished)
    assert (row["state"], row["verdict"], row["claim"]) == ("finished", "inconclusive", "chen2026")


def test_export_writes_the_rows(finished, tmp_path):
    rows = sweeps.run("paging", **SMALL).rows
    assert main(["export", str(finished), str(tmp_path / "rows.jsonl")]) == 0
    assert [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()] == rows
    assert main(["export", str(finished), str(tmp_path / "rows.csv")]) == 0
    lines = (tmp_path / "rows.csv").read_text().splitlines()
    assert lines[0].split(",") == list(rows[0])
    assert len(lines) == 6
    assert main(["export", str(finished), str(tmp_path / "rows.xls")]) == 2


def test_reproduce_repeats_a_run_bit_for_bit(finished, capsys):
    assert main(["reproduce", str(finished / "run.json")]) == 0
    assert capsys.readouterr().out == "the same: 5 rows and the verdict\n"
    assert stored(finished) == stored(finished.with_name("run-again"))


def _changed(record, *path, value):
    for name in path[:-1]:
        record = record[name]
    record[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("rows", 0, "cost"), 2.0, "the record's rows are not those"),
        (("parameters", "tau"), 1, "run_id"),
        (("seed",), "1", "run_id"),
        (("finding", "verdict"), "falsified", "verdict: recorded falsified, now inconclusive"),
    ],
)
def test_reproduce_reports_a_record_that_was_changed(finished, capsys, path, value, says):
    record = json.loads((finished / "run.json").read_text())
    _changed(record, *path, value=value)
    (finished / "run.json").write_text(json.dumps(record))
    assert main(["reproduce", str(finished)]) == 1
    assert says in capsys.readouterr().out


def test_reproduce_names_the_first_row_that_differs_even_if_its_hash_was_forged(finished, capsys):
    from sweeps.store import rows_hash

    record = json.loads((finished / "run.json").read_text())
    record["rows"][2]["phases"] += 1
    record["sha256"]["rows"] = rows_hash(record["rows"])
    (finished / "run.json").write_text(json.dumps(record))
    assert main(["reproduce", str(finished)]) == 1
    assert capsys.readouterr().out == "different: k = 8, phases: recorded 65, now 64\n"


def test_report_is_one_well_formed_page_that_fetches_nothing(finished):
    assert main(["report", str(finished)]) == 0
    text = (finished / "report.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.fetches == []
    tags = [tag for tag, _ in page.seen]
    assert "script" not in tags
    assert tags.count("h1") == 1
    assert tags.count("tr") == 6
    svg = next(attributes for tag, attributes in page.seen if tag == "svg")
    assert svg["role"] == "img"
    assert "k = 16" in svg["aria-label"]
    for said in ("Chen, Zhao, Tang", "would have seen", "inconclusive", "python -m sweeps reproduce"):
        assert said in text


@pytest.mark.parametrize("command", ["show", "report", "reproduce"])
def test_what_is_no_run_is_refused_in_one_line(command, tmp_path, capsys):
    (tmp_path / "run.json").write_text("[1]")
    assert main([command, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"run must be a run directory with a run.json; got {tmp_path}\n"


def test_a_users_file_is_a_simulator(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)
    arguments = ["./mine.py", "--k-max", "64", "--replicates", "300", "--json"]
    assert main([*arguments, "--out", "a"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["finding"]["verdict"] in ("toy", "inconclusive")
    assert all(abs(row["additive"]) < 4.5 * row["additive_se"] for row in document["rows"])
    assert main([*arguments, "--out", "b", "--jobs", "2", "--backend", "loky"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == document["rows"]
    assert main(["reproduce", "a"]) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\n", "must define sample(k, count, rng)"),
        ("import nonsense_module\n", "must be importable; ModuleNotFoundError"),
        ("def sample(:\n", "must be importable; SyntaxError"),
    ],
)
def test_a_users_file_that_is_no_simulator_is_refused_in_one_line(text, says, tmp_path, capsys):
    (tmp_path / "mine.py").write_text(text)
    assert main([str(tmp_path / "mine.py")]) == 2
    printed = capsys.readouterr().err
    assert says in printed
    assert printed.count("\n") == 1
    assert main([str(tmp_path / "none.py")]) == 2


@pytest.mark.parametrize("body", ["return [1.0]", "return rng.random(count) * float('nan')", "raise KeyError(k)"])
def test_a_users_sample_that_goes_wrong_is_a_failed_point(body, tmp_path, capsys):
    (tmp_path / "mine.py").write_text(f"def sample(k, count, rng):\n    {body}\n")
    assert main([str(tmp_path / "mine.py"), "--k-max", "8", "--out", str(tmp_path / "run"), "--quiet"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("k = 4, block 0 failed: ")
    assert "(by_path.py, line " in said or "(mine.py, line 2)" in said
    assert said.endswith("; 47 more failed\n")


def test_a_sweep_far_from_the_exact_values_has_failed_and_decides_nothing(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(MINE.replace("return 0", "return 0 if k < 16 else 5"))
    assert main([str(tmp_path / "mine.py"), "--k-max", "32", "--out", str(tmp_path / "run"), "--quiet"]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("inconclusive: sweep and exact values disagree")
    assert "standard errors from the exact 5; 2 more failed" in printed.err


def test_a_users_table_speaks_of_replicates_and_means(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(MINE)
    assert main([str(tmp_path / "mine.py"), "--k-max", "8", "--out", str(tmp_path / "run")]) == 0
    printed = capsys.readouterr().out
    assert "replicates            mean     exact    off by" in printed
    assert not {"phases", "H_k", "requests"} & set(printed.replace("H_k,", "").split("\n\n")[1].split())


def test_an_interrupted_run_says_so_and_is_not_compared(tmp_path, capsys):
    def stop(_plan, blocks):
        if len(blocks) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweeps.run("paging", **SMALL, out=tmp_path / "run", progress=stop)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["state"] == "interrupted"
    assert main(["reproduce", str(tmp_path / "run")]) == 2
    assert "run must be finished to be compared" in capsys.readouterr().err


def test_totals_do_not_depend_on_the_order_of_the_blocks():
    blocks = [((4, i), {"phases": i, "cost": i * i}) for i in range(40)]
    random.Random(1).shuffle(blocks)
    totals = Totals(blocks)
    assert totals.sums == {4: {"phases": 780, "cost": 20540}}
    assert totals.count(4) == 40
    assert (4, 39) in totals
    assert (4, 40) not in totals
    assert (5, 0) not in totals


def test_a_full_disk_gets_one_clear_line(tmp_path, plan):
    store = Store(tmp_path / "run", plan.identity, source="paging")
    store._db.execute("PRAGMA max_page_count = 5")
    with pytest.raises(ValueError, match=r"out must have room to write; .* full"):
        _fill(store)
    kept = list(store.blocks())
    store.close()
    assert 0 < len(kept) < 1000


def _fill(store):
    for i in range(1000):
        store.keep((4, i), {"phases": i, "cost": 10**300})
