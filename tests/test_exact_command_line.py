"""The checker as a command: exit codes, one line a file, and what it loads."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from exact import certificates

ROOT = Path(__file__).parents[1]


def run(*files, script=("-m", "exact", "verify")):
    command = [sys.executable, *script, *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)


@pytest.fixture
def files(tmp_path):
    good = certificates.first_violation([[4], [-1]], k1=225)
    certificates.write(good, tmp_path / "good.json")
    certificates.write({**good, "k1": "226", "label": "225"}, tmp_path / "bad.json")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "latin.json").write_bytes(b'{"kind": "\xff"}')
    return tmp_path


@pytest.mark.parametrize("script", [("-m", "exact", "verify"), ("exact/verify.py",)])
def test_the_exit_code_and_one_line_a_file_say_what_was_established(files, script):
    good, bad = files / "good.json", files / "bad.json"
    accepted = run(good, script=script)
    assert (accepted.returncode, accepted.stderr) == (0, "")
    assert accepted.stdout == f"accepted {good}: first violation at state 225, label 224 (index update, tie low)\n"
    rejected = run(good, bad, files / "broken.json", script=script)
    assert rejected.returncode == 1
    assert rejected.stdout.splitlines()[1] == f"rejected {bad}: k1 = 226 is false: state 225 violates already"
    for name in ("broken.json", "latin.json", "missing.json", ""):
        unreadable = run(files / name, script=script)
        assert (unreadable.returncode, unreadable.stdout) == (2, "")
        assert unreadable.stderr.startswith(f"unreadable {files / name}")
        assert unreadable.stderr.count("\n") == 1


def test_the_outcomes_come_as_json_too(files):
    ended = run("--json", files / "good.json", files / "bad.json")
    assert [one["outcome"] for one in json.loads(ended.stdout)] == ["accepted", "rejected"]


@pytest.mark.parametrize("arguments", [(), ("prove",), ("verify",)])
def test_a_wrong_call_of_the_package_exits_with_two(arguments):
    ended = run(*arguments, script=("-m", "exact"))
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr


def test_the_checker_imports_the_standard_library_only():
    code = (
        "import runpy, sys; runpy.run_path('exact/verify.py'); print(*sorted({m.split('.')[0] for m in sys.modules}))"
    )
    ended = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    names = set(ended.stdout.split())
    assert not names & {"exact", "sweeps", "fits", "cases", "gmpy2", "flint", "numpy"}


@pytest.mark.parametrize(("names", "code"), [(["good"] * 900, 0), (["good"] * 900 + ["bad"], 1), (["good"], 0)])
def test_a_reader_that_stops_reading_changes_no_exit_code(files, names, code):
    command = [sys.executable, "-m", "exact", "verify", *(str(files / f"{name}.json") for name in names)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == code
    process.stderr.close()
