"""A simulator of a user's own, given by its file's path."""

import json
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
    "body", ["return [1.0]", "return rng.random(count) * float('nan')", "raise KeyError(k)", "raise SystemExit(3)"]
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
