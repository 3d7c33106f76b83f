"""The command line as its user meets it: outputs, exit codes, one clear line for each error, interruption."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sweeps
from sweeps.commands import main
from sweeps.failing import guarded

SMALL = ["--k-max", "16", "--replicates", "60", "--jobs", "1"]


def command(*arguments, cwd, **options):
    return subprocess.run(
        [sys.executable, "-m", "sweeps", *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, **options
    )


def test_the_json_document_equals_the_function_and_stdout_holds_nothing_else(tmp_path):
    ended = command("paging", *SMALL, "--json", cwd=tmp_path)
    assert ended.returncode == 0
    document = json.loads(ended.stdout)
    assert document == sweeps.run("paging", k_max=16, replicates=60).to_dict()
    wanted = {"k", "phases", "cost", "cost_se", "opt", "additive", "additive_se", "additive_exact"}
    assert all(wanted | {"additive_exact_fraction"} <= row.keys() for row in document["rows"])
    assert document.keys() >= {"simulator", "run_id", "seed", "parameters", "rows", "growth", "finding"}
    assert document["finding"].keys() >= {"claim", "verdict", "evidence", "sentence"}
    assert document["growth"].keys() >= {"law", "slope", "slope_se", "sigma"}
    assert document["growth"]["law"] == "log"
    assert document["growth"]["sigmas"].keys() == {"T0", "T1", "T2"}


def test_the_table_has_a_line_a_point_and_the_last_line_names_the_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["paging", *SMALL]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("claim chen2026: cost <= (H_k + O(1)) OPT")
    assert [line.split()[0] for line in lines if line.endswith(" se")] == ["4", "6", "8", "11", "16"]
    folder = next((tmp_path / "runs").iterdir())
    assert lines[-1].startswith(f"run: runs/{folder.name} (additive.svg, rows.sqlite, run.json)")
    assert lines[-1].endswith(f"repeat: python -m sweeps reproduce runs/{folder.name}/run.json")


def test_expect_turns_the_verdict_into_the_exit_code(capsys, tmp_path):
    arguments = ["paging", *SMALL, "--quiet", "--out", str(tmp_path / "run"), "--expect"]
    assert main([*arguments, "inconclusive"]) == 0
    assert main([*arguments, "falsified"]) == 1
    assert "expected falsified; the verdict is inconclusive" in capsys.readouterr().err


def test_quiet_prints_the_finding_only(capsys, tmp_path):
    assert main(["paging", *SMALL, "--quiet", "--out", str(tmp_path / "run")]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1
    assert printed.err == ""


@pytest.fixture
def traces(tmp_path):
    """Trace files, each wrong in its own way."""
    (tmp_path / "empty").write_text("")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "bad").write_text("1\n2\nx7\n3\n")
    (tmp_path / "words").write_text("a\nb c\n")
    (tmp_path / "columns.csv").write_text("0x1,0x40\n0x1,zz\n")
    (tmp_path / "cut.gz").write_bytes(b"\x1f\x8b\x08\x00")
    (tmp_path / "file").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--k-max", "1"], "k-max must be between 2 and 1048576; got 1"),
        (["--k-max", "1e30"], "k-max must be between 2 and 1048576; got 1000"),
        (["--k-max", "many"], "k-max must be an integer; got 'many'"),
        (["--k-max", "8", "--k-min", "9"], "k-min must be at most k-max = 8; got 9"),
        (["--tau", "-1"], "tau must be between 0 and 1048576; got -1"),
        (["--policy", "clock"], "policy must be one of lru, fifo,"),
        (["--adversary", "friend"], "adversary must be one of lazy, cyclic, uniform; got 'friend'"),
        (["--budget", "none"], "budget must be one of on-fault, on-request (a time is --time-limit); got 'none'"),
        (["--predictions", "good"], "predictions must be one of"),
        (["--target-se", "0"], "target-se must be between"),
        (["--jobs", "0"], "jobs must be at least 1; got 0"),
        (["--replicates", "9", "--target-se", "0.1"], "target-se must not be given with replicates"),
        (["--seed", "-1"], "seed must be an integer of at least 0; got -1"),
        (["--k-max", "8", "--out", "file/run"], "out must be a directory that can be written; got file/run"),
        (["--k-max", "8", "--out", "."], "out must be a new directory or one of this run"),
        (["--k", "4"], "--k goes with --trace"),
        (["--trace", "empty"], "trace empty must hold at least one request"),
        (["--trace", "binary"], "trace binary must be text"),
        (["--trace", "bad"], "trace bad, line 3, must be an integer"),
        (["--trace", "words"], "trace words, line 2, must be one page id; got 'b c'"),
        (["--trace", "columns.csv"], "trace columns.csv, line 2, must be pc,address in hex"),
        (["--trace", "cut.gz"], "trace cut.gz must be a whole gzip file"),
        (["--trace", "missing"], "missing: No such file or directory"),
        (["--trace", "bad", "--k", "0"], "k must be integers between 1 and 1048576"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(arguments, says, traces, monkeypatch, capsys):
    monkeypatch.chdir(traces)
    before = sorted(traces.rglob("*"))
    try:
        code = main(["paging", *arguments])
    except SystemExit as end:
        code = end.code
    printed = capsys.readouterr()
    assert code == 2
    assert says in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert sorted(traces.rglob("*")) == before


@pytest.mark.parametrize("option", [["--out", "x"], ["--dry-run"], ["--k-max", "9"], ["--looks", "2"], ["--quiet"]])
def test_options_of_a_sweep_are_refused_with_a_trace(option, tmp_path, capsys):
    (tmp_path / "trace").write_text("1\n2\n")
    assert main(["paging", "--trace", str(tmp_path / "trace"), *option]) == 2
    assert capsys.readouterr().err == f"{option[0][2:]} goes with a sweep, not with --trace\n"


def test_a_reader_that_stops_reading_is_no_error(tmp_path):
    shell = f"{sys.executable} -m sweeps paging --dry-run | head -1"
    ended = subprocess.run(shell, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.stdout.startswith("paging:")
    assert ended.stderr == ""


def test_other_policies_are_asked_the_question_not_charged_with_the_claim(tmp_path, capsys):
    assert main(["paging", *SMALL, "--policy", "lru", "--adversary", "cyclic", "--out", str(tmp_path / "run")]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "claim h_k_lru: LRU costs <= (H_k + O(1)) OPT" in printed
    assert "5 points have no scatter" in printed
    assert "from 1.917 at k = 4 to 12.62 at k = 16" in printed


def test_an_unknown_simulator_is_refused_with_those_there_are(capsys):
    with pytest.raises(SystemExit) as end:
        main(["pageing"])
    assert end.value.code == 2
    assert "'paging'" in capsys.readouterr().err


def test_a_trace_is_served_by_every_policy_at_every_k(tmp_path, capsys):
    (tmp_path / "trace").write_text("a\nb\n*\nc\na\nd\nb\na\n")
    assert main(["paging", "--trace", str(tmp_path / "trace"), "--k", "2,3", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 14
    assert {(row["k"], row["faults"]) for row in rows if row["policy"] == "lru"} == {(2, 7), (3, 5)}
    assert all(row["requests"] == 7 and row["pages"] == 4 and row["opt"] == row["l0"] for row in rows)
    assert main(["paging", "--trace", str(tmp_path / "trace"), "--k", "2", "--policy", "lru,opt"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 8


def test_addresses_of_one_cache_line_are_one_page(tmp_path, capsys):
    (tmp_path / "trace.csv").write_text("0x1,0x1000\n0x1,0x103f\n0x2,0x1040\n")
    assert main(["paging", "--trace", str(tmp_path / "trace.csv"), "--k", "1", "--policy", "lru", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["faults"] == 2


@pytest.mark.slow
def test_ctrl_c_keeps_finished_blocks_exits_130_and_the_same_command_goes_on(tmp_path):
    arguments = ["paging", "--k-max", "256", "--replicates", "20000", "--jobs", "2", "--out", "run", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "sweeps", *arguments], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    while _blocks(tmp_path / "run") < 5:
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["code"] == 130
    assert err.decode().splitlines()[-1].startswith("interrupted: ")
    assert "Traceback" not in err.decode()
    assert not list((tmp_path / "run").glob("*.partial"))
    assert json.loads((tmp_path / "run" / "run.json").read_text())["state"] == "interrupted"
    assert _blocks(tmp_path / "run") >= 5
    resumed = command(*arguments, cwd=tmp_path)
    fresh = sweeps.run("paging", k_max=256, replicates=20000, jobs=2).to_dict()
    assert json.loads(resumed.stdout) == fresh


def _blocks(folder: Path) -> int:
    if not (folder / "rows.sqlite").exists():
        return 0
    db = sqlite3.connect(folder / "rows.sqlite")
    try:
        return int(db.execute("SELECT COUNT(*) FROM blocks").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()


def test_a_pipe_gets_plain_text(tmp_path):
    ended = command("paging", *SMALL, cwd=tmp_path, env={**os.environ, "NO_COLOR": "1"})
    assert "\x1b" not in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "error", [OverflowError("too large"), ZeroDivisionError("by zero"), RecursionError("too deep")]
)
def test_numbers_that_cannot_be_computed_with_get_one_line(error, capsys):
    def command():
        raise error

    assert guarded(command, ["--json"], prog="python -m sweeps") == 2
    printed = capsys.readouterr()
    said = f"input must be of a size and depth that can be computed with; {type(error).__name__}: {error}"
    assert printed.err == f"{said}\n"
    assert json.loads(printed.out) == {"error": said, "code": 2, "remedy": json.loads(printed.out)["remedy"]}
