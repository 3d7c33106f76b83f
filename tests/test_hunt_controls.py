"""Hunts that must find nothing, and files that can't be hunted: one clear line, no hang."""

import json
import signal
import subprocess
import sys
import time

import pytest
from planted import claim_file

from sweeps.hunting import BadClaim, assert_claim, hunt, names

CONTROLS = ("achlioptas2000_marker", "alcalde2025_repaired", "onlinemin2015_optimal")


@pytest.mark.parametrize("name", CONTROLS)
def test_control_finds_nothing_and_says_what_it_tried(name):
    missed = hunt(name, seconds=2, seed=1)
    assert (missed.found, missed.certificate) == (False, None)
    assert missed.instances_tried > 50
    assert missed.largest_scale > 3
    assert missed.closest_gap is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTROLS)
def test_control_finds_nothing_in_ten_seconds(name):
    assert not hunt(name, seconds=10, seed=2).found


def test_nothing_is_worse_than_the_lazy_adversary_in_a_short_hunt():
    missed = hunt("chen2026_rpb_om", k=3, seconds=4)
    assert not missed.found
    assert missed.closest_gap == "0"  # the lazy adversary itself


def test_hunt_where_orders_of_priorities_are_too_many_to_follow_ends_in_time():
    missed = hunt("chen2026_rpb_om", k=12, seconds=2)
    assert not missed.found
    assert missed.seconds < 10
    assert "/" in missed.closest_gap or missed.closest_gap == "0"  # phases that OPT pays once are exact at any k


@pytest.mark.parametrize("name", ["paging-l0", "paging-onlinemin", "attention-dense"])
def test_kernel_that_is_right_equals_its_reference(name, tmp_path):
    assert not hunt(claim_file(name, tmp_path, planted=False), seconds=3, call_seconds=25).found


HEAD = "from hypothesis import strategies as st\ninstances = st.integers(0, 99)\n"
BAD = {
    "raises": (HEAD + "def gap(x): return 1 // (x - x)", "gap must not raise; got ZeroDivisionError"),
    "exits": (HEAD + "def gap(x): raise SystemExit(3)", "gap must not raise; got SystemExit"),
    "dies": (HEAD + "import os\ndef gap(x): os._exit(7)", "its process ended with code 7"),
    "loops": (HEAD + "def gap(x):\n    while True: pass", "gap must return within 1 s"),
    "loops when imported": ("while True: pass", "must be run within 1 s"),
    "loops when drawing": (
        HEAD + "def f(x):\n    while True: pass\ninstances = instances.map(f)\ndef gap(x): return 0",
        "instances must give an instance within 1 s",
    ),
    "nan": (HEAD + "def gap(x): return float('nan')", "gap must return an int or a Fraction; got float nan"),
    "float": (HEAD + "def gap(x): return 0.5", "gap must return an int or a Fraction; got float 0.5"),
    "bool": (HEAD + "def gap(x): return True", "gap must return an int or a Fraction; got bool True"),
    "scout is nan": (
        HEAD + "def gap(x): return 0\ndef fast_gap(x): return float('nan')",
        "fast_gap must return a finite",
    ),
    "unsteady": (HEAD + "import itertools\nc = itertools.count()\ndef gap(x): return next(c)", "gap must depend on"),
    "unsteady below the bound": (
        HEAD + "import itertools\nc = itertools.count()\ndef gap(x): return next(c) - 10**9",
        "gap must depend on the instance alone; got",
    ),
    "unsteady after the first call": (
        HEAD + "import itertools\nc = itertools.count()\ndef gap(x): return 1 - next(c)",
        "gap must depend on the instance alone; got 1, then 0",
    ),
    "unsteady beside a scout": (
        HEAD + "import itertools\nc = itertools.count()\ndef gap(x): return -next(c)\ndef fast_gap(x): return 0.0",
        "gap must depend on the instance alone; got 0, then -1",
    ),
    "unsteady while it is shrunk": (
        HEAD + "calls = []\ndef gap(x):\n    calls.append(x)\n    return 1 if len(calls) < 3 else -1",
        "gap must depend on the instance alone",
    ),
    "numpy's integer": (
        HEAD + "import numpy as np\ndef gap(n): return -(np.int64(n) * np.int64(n) * np.int64(16))",
        "gap must return an int or a Fraction; got int64 ",
    ),
    "Fraction of numpy's integer": (
        HEAD + "import numpy as np\nfrom fractions import Fraction\ndef gap(n): return Fraction(np.int64(n - 100))",
        "(numpy's integers wrap around: compute with int(x))",
    ),
    "numpy's bool": (HEAD + "import numpy as np\ndef gap(n): return np.bool_(True)", "gap must return an int or a Fr"),
    "array": (HEAD + "import numpy as np\ndef gap(n): return np.array([1, 2])", "gap must return an int or a Fraction"),
    "scout is a text": (HEAD + "def gap(x): return 0\ndef fast_gap(x): return '1'", "fast_gap must return a finite"),
    "instances that can't be copied": (
        HEAD + "instances = instances.map(lambda x: (i for i in range(x)))\ndef gap(x): return -1",
        "instances must give what copy.deepcopy copies; got TypeError",
    ),
    "empty strategy": (HEAD + "instances = instances.filter(lambda x: False)\ndef gap(x): return 0", "instances must"),
    "no gap": (HEAD, "must define gap"),
    "no instances": ("def gap(x): return 0", "must define instances"),
    "syntax": ("def gap(x: return 0", "must be a file that runs; got SyntaxError"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_file_gives_one_clear_line_and_no_hang(name, tmp_path):
    text, said = BAD[name]
    path = tmp_path / "mine.py"
    path.write_text(text)
    started = time.monotonic()
    with pytest.raises(BadClaim) as raised:
        hunt(path, seconds=20, call_seconds=1)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert time.monotonic() - started < 12


GOOD = {
    "mpz": "import gmpy2\ndef gap(x): return gmpy2.mpz(x) - 100",
    "mpq": "import gmpy2\ndef gap(x): return gmpy2.mpq(2 * (x - 100), 2)",
    "Fraction": "from fractions import Fraction\ndef gap(x): return Fraction(x - 100)",
    "sympy": "import sympy\ndef gap(x): return sympy.Integer(x) - 100",
    "beside a huge scout": "def gap(x): return -1\ndef fast_gap(x): return -(10**400) * (100 - x)",
    "beside numpy's scout": "import numpy as np\ndef gap(x): return -1\ndef fast_gap(x): return np.int64(x - 100)",
}


@pytest.mark.parametrize("name", GOOD)
def test_true_rationals_are_exact_gaps_and_any_number_is_a_scout(name, tmp_path):
    (tmp_path / "mine.py").write_text(HEAD + GOOD[name])
    assert hunt(tmp_path / "mine.py", seconds=1).closest_gap.startswith("-")


def test_command_on_a_bad_file_exits_2_and_writes_nothing(tmp_path):
    (tmp_path / "mine.py").write_text(BAD["raises"][0])
    ended = run(["./mine.py", "--seconds", "5"], tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".pyc"] == ["mine.py"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonesuch"], "claim must be one of"),
        (["./none.py"], "there is no ./none.py"),
        (["onlinemin2015_optimal", "--after", "5"], "after must not be given"),
        (["chen2026_rpb_om", "--k", "1"], "k must be between 2 and 12"),
        (["alcalde2025_frank_wolfe", "--jobs", "0"], "jobs must be between 1 and 256"),
        (["alcalde2025_frank_wolfe", "--d", "0"], "d must be between 1 and 6"),
        (["alcalde2025_frank_wolfe", "--seconds", "never"], "seconds must be a time"),
    ],
)
def test_bad_arguments_exit_2_with_one_line(arguments, said, tmp_path):
    ended = run(arguments, tmp_path)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_directory_that_cannot_be_written_is_refused_before_the_hunt(tmp_path):
    (tmp_path / "file").write_text("")
    ended = run(["alcalde2025_frank_wolfe", "--seconds", "50", "--out", "file/there"], tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "out must be a directory that can be written; got file/there\n"


def test_a_find_is_printed_even_if_it_cannot_be_written(tmp_path, monkeypatch, capsys):
    from sweeps.commands import main
    from sweeps.hunting import writing

    def full(path, _text):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(writing, "write_whole", full)
    assert main(["hunt", "alcalde2025_frank_wolfe", "--seconds", "30", "--seed", "1", "--quiet"]) == 2
    printed = capsys.readouterr()
    assert "add to your test: @example(tokens=((" in printed.out
    assert printed.err == "hunt-alcalde2025_frank_wolfe-seed1/best.json: No space left on device\n"


def test_true_claim_of_a_file_exits_3_with_the_closest_miss(tmp_path):
    (tmp_path / "mine.py").write_text(HEAD + "def gap(x): return x - 100")
    ended = run(["./mine.py", "--seconds", "3", "--json", "--quiet"], tmp_path)
    document = json.loads(ended.stdout)
    assert ended.returncode == 3
    assert (document["found"], document["instance"], document["closest_gap"]) == (False, "99", "-1")


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_hunt_exits_130_and_keeps_the_best(jobs, tmp_path):
    command = [
        sys.executable,
        "-m",
        "sweeps",
        "hunt",
        "onlinemin2015_optimal",
        "--quiet",
        "--jobs",
        jobs,
        "--out",
        "kept",
    ]
    process = subprocess.Popen([*command, "--seconds", "60"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    until = time.monotonic() + 30
    while not (tmp_path / "kept" / "best.json").exists() and time.monotonic() < until:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    best = json.loads((tmp_path / "kept" / "best.json").read_text())
    assert best["interrupted"]
    assert best["instance"] is not None


def test_assert_claim_returns_the_closest_miss_of_an_object():
    from types import SimpleNamespace

    from hypothesis import strategies as st

    claim = SimpleNamespace(gap=lambda x: x - 10, instances=st.integers(0, 9))
    assert assert_claim(claim, seconds=1).instance == "9"


def test_assert_claim_does_not_pass_when_nothing_was_tried_or_it_was_interrupted(monkeypatch):
    from dataclasses import replace

    from sweeps.hunting import asserting

    with pytest.raises(BadClaim, match="none was tried in 1e-09 s"):
        assert_claim("onlinemin2015_optimal", seconds=1e-9)
    stopped = replace(hunt("onlinemin2015_optimal", seconds=0.2), interrupted=True)
    monkeypatch.setattr(asserting, "hunt", lambda *_given, **_options: stopped)
    with pytest.raises(KeyboardInterrupt):
        assert_claim("onlinemin2015_optimal")


def test_instances_that_could_not_be_decided_are_counted_and_told():
    from sweeps.commands.hunt import _told

    missed = hunt("onlinemin2015_optimal", k=12, seconds=5)
    assert 0 < missed.undecided < missed.instances_tried
    assert f"Not decided: {missed.undecided} of them near the bound" in _told(missed, [])


def test_a_violation_that_the_checker_refuses_is_counted_and_told():
    from hypothesis import strategies as st

    from sweeps.commands.hunt import _told
    from sweeps.hunting import Target

    claim = Target("t", "", lambda: st.integers(0, 9), gap=lambda x: x - 8, certify=lambda _one, _gap: None)
    missed = hunt(claim, seconds=0.5)
    assert (missed.found, missed.closest_gap) == (False, "1")
    assert "Not certified: " in _told(missed, [])


def test_names_are_listed_without_loading_anything():
    assert {"alcalde2025_frank_wolfe", "chen2026_rpb_om", *CONTROLS} <= set(names())


def run(arguments, folder):
    command = [sys.executable, "-m", "sweeps", "hunt", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=60)


def test_help_loads_nothing_heavy():
    script = (
        "import sys\nfrom sweeps.commands import main\n"
        "try: main(['hunt', '--help'])\nexcept SystemExit as end: assert not end.code\n"
        "heavy = {'numba', 'numpy', 'hypothesis', 'rich', 'gmpy2'} & set(sys.modules)\nassert not heavy, heavy"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "alcalde2025_frank_wolfe" in ended.stdout
