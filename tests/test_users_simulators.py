"""A simulator of a user's own, given by its file's path."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from runs import MINE

import sweeps
from sweeps.commands import main


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


@pytest.mark.parametrize(
    "body",
    [
        "return [1.0]",
        "return rng.random(count) * float('nan')",
        "raise KeyError(k)",
        "raise SystemExit(3)",
        "return [1e308] * count",
        "return rng.random(count) * 1e-200",
    ],
)
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


def test_a_growing_sweep_that_has_failed_so_is_inconclusive_all_the_same(tmp_path, capsys):
    growing = "import math\n" + MINE.replace("- sum(1 / i for i in range(1, k + 1))", "+ math.log(k)")
    (tmp_path / "mine.py").write_text(growing)
    assert main([str(tmp_path / "mine.py"), "--k-max", "256", "--out", str(tmp_path / "run"), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["finding"]["verdict"], document["growth"]) == ("inconclusive", None)


def test_a_users_table_speaks_of_replicates_and_means(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(MINE)
    assert main([str(tmp_path / "mine.py"), "--k-max", "8", "--out", str(tmp_path / "run")]) == 0
    printed = capsys.readouterr().out
    assert "replicates            mean     exact    off by" in printed
    assert not {"phases", "H_k", "requests"} & set(printed.replace("H_k,", "").split("\n\n")[1].split())


def test_an_edited_file_is_another_simulator_in_the_same_process(tmp_path):
    path, values = tmp_path / "mine.py", {"k_max": 8, "replicates": 40}
    path.write_text("def sample(k, count, rng):\n    return [1] * count\n")
    assert sweeps.run(str(path), **values).rows[0]["cost"] == 1
    path.write_text("def sample(k, count, rng):\n    return [2] * count\n")  # as long, and perhaps in the same second
    assert sweeps.run(str(path), **values).rows[0]["cost"] == 2


def test_a_file_that_changes_while_it_runs_fails_what_is_left(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def sample(k, count, rng):\n    return [1] * count\n")

    def edit(_plan, _blocks):
        path.write_text("def sample(k, count, rng):\n    return [2] * count\n")

    run = sweeps.run(str(path), k_max=8, replicates=40, progress=edit)
    assert run.rows == []
    assert all("has changed while it ran: run it again" in text for text in run.failures.values())


WRONG_AT_THE_END = """
import math
def sample(k, count, rng):
    return math.log(k) + 0.1 * rng.random(count)
def exact(k):
    return math.log(k) + 0.05 + (k == 256)
"""


def test_a_run_that_disagrees_with_exact_says_so_however_it_is_read_back(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(WRONG_AT_THE_END)
    run = str(tmp_path / "run")
    arguments = [str(tmp_path / "mine.py"), "--k-max", "256", "--out", run, "--json"]
    assert main(arguments) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["finding"]["sentence"].startswith("inconclusive: sweep and exact values disagree")
    assert main(["show", run, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["finding"], shown["rows"], shown["doubts"]) == (document["finding"], document["rows"], [])
    assert main(["report", run]) == 0
    assert "sweep and exact values disagree" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert main(["export", run, str(tmp_path / "rows.jsonl")]) == 0
    assert [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()] == document["rows"]
    capsys.readouterr()
    assert main(arguments) == 1  # and when it is taken up again
    assert json.loads(capsys.readouterr().out) == document


def test_equal_replicates_contradict_nothing(tmp_path, capsys):
    """All 200 replicates are 0 with probability 0.9 at each point: a rare event shows no spread."""
    text = "def sample(k, count, rng):\n    return (rng.random(count) < 0.0005) * 1\ndef exact(k):\n    return 0.0005\n"
    (tmp_path / "mine.py").write_text(text)
    assert (
        main([str(tmp_path / "mine.py"), "--k-max", "64", "--replicates", "200", "--out", str(tmp_path / "run")]) == 0
    )
    assert " no scatter\n" in capsys.readouterr().out


def test_a_run_can_be_passed_on_without_the_file_that_made_it(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "mine.py").write_text(
        "from scale_of_mine import SCALE\n" + MINE.replace("return records", "return SCALE * records")
    )
    (tmp_path / "here" / "scale_of_mine.py").write_text("SCALE = 1\n")
    run = str(tmp_path / "run")
    command = [sys.executable, "-m", "sweeps", "here/mine.py", "--k-max", "16", "--out", "run", "--quiet"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    shutil.rmtree(tmp_path / "here")
    for command in (["show"], ["report"], ["reproduce"]):
        ended = subprocess.run(
            [sys.executable, "-m", "sweeps", *command, run], cwd=tmp_path, capture_output=True, text=True
        )
        assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "the same: 5 rows and the verdict\n"


def test_a_neighbour_that_is_edited_makes_it_another_run(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import level_of_mine\ndef sample(k, count, rng):\n    return level_of_mine.LEVEL + rng.random(count)\n"
    )
    (tmp_path / "level_of_mine.py").write_text("LEVEL = 1\n")
    values = {"k_max": 8, "replicates": 40}
    first = sweeps.run(str(tmp_path / "mine.py"), **values, out=tmp_path / "run")
    assert 1 < first.rows[0]["cost"] < 2
    (tmp_path / "level_of_mine.py").write_text("LEVEL = 5\n")
    with pytest.raises(ValueError, match=r"out must be a new directory or one of this run, but in .* code is "):
        sweeps.run(str(tmp_path / "mine.py"), **values, out=tmp_path / "run")
    assert 5 < sweeps.run(str(tmp_path / "mine.py"), **values).rows[0]["cost"] < 6


def test_a_report_of_a_users_run_speaks_of_replicates_and_means(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    assert main([str(tmp_path / "mine.py"), "--k-max", "64", "--out", str(tmp_path / "run"), "--quiet"]) == 0
    assert main(["report", str(tmp_path / "run")]) == 0
    text = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Mean against size k: " in text
    assert '<th scope="col">replicates</th><th scope="col">mean</th>' in text
    assert not [word for word in ("cache", "phases", "additive") if word in text.split("</svg>")[1]]


def test_what_a_users_file_prints_is_not_among_the_data(tmp_path, capsys):
    (tmp_path / "mine.py").write_text("def sample(k, count, rng):\n    print('hello')\n    return rng.random(count)\n")
    arguments = [str(tmp_path / "mine.py"), "--k-max", "8", "--jobs", "2", "--out", str(tmp_path / "run")]
    assert main([*arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["ended"] == "finished"
    assert "hello" in printed.err
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith("mine: ")
