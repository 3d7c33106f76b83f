"""What a hunt leaves behind: which hunt it was, a find and what can check it; another hunt's directory is refused."""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

import exact
from sweeps.commands import main
from sweeps.hunting import claims, hunt, target, writing
from sweeps.hunting.repaired import frank_wolfe as repaired

HEAD = "from hypothesis import strategies as st\n"
FALSE = HEAD + "instances = st.lists(st.integers(0, 9))\ndef gap(x): return sum(x) - 20\n"
TRUE = HEAD + "instances = st.integers(0, 99)\ndef gap(x): return x - 100\n"
ARRAYS = (
    HEAD + "import numpy as np\ninstances = st.lists(st.integers(0, 9), min_size=2).map(np.array)\n"
    "def gap(x): return int(x.sum()) - 20\n"
)
THEOREM = "alcalde2025_frank_wolfe"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def printed(capsys, *arguments):
    code = main(["hunt", *arguments, "--quiet"])
    return code, *capsys.readouterr()


def best(folder):
    return json.loads((folder / "best.json").read_text())


def pytest_of(path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", path]
    return subprocess.run(command, capture_output=True, text=True)


# ------------------------------------------------------------------------------------- what is certified, what is not


def test_a_find_of_a_file_is_called_computed_twice_and_its_test_checks_it(tmp_path, capsys):
    (tmp_path / "neighbour.py").write_text("LEAST = 20\n")
    (tmp_path / "mine.py").write_text("import neighbour\n" + FALSE.replace("20", "neighbour.LEAST"))
    code, out, err = printed(capsys, "./mine.py", "--seconds=20", "--out=h")
    assert (code, err) == (0, "")
    assert ". Gap 1, computed twice (no certificate); shrunk by " in out
    assert "ertified" not in out
    assert "  check it: python -m pytest h/test_mine.py\n" in out
    assert "add to your test: @example(instance=[" in out
    assert sorted(p.name for p in (tmp_path / "h").iterdir()) == [
        "best.json",
        "example.txt",
        "instance.txt",
        "test_mine.py",
    ]
    assert (best(tmp_path / "h")["certificate"], best(tmp_path / "h")["certified"]) == (None, False)
    ended = pytest_of(tmp_path / "h")
    assert (ended.returncode, "AssertionError: [" in ended.stdout) == (1, True)


def test_a_find_of_the_theorem_is_certified_and_the_line_that_checks_it_works(tmp_path, capsys):
    code, out, _ = printed(capsys, THEOREM, "--seconds=30", "--out=h")
    assert code == 0
    assert ". Certified; shrunk by " in out
    assert "  check it: python -m exact verify h/certificate.json\n" in out
    assert best(tmp_path / "h")["certified"]
    exact.verify.check_file(tmp_path / "h" / "certificate.json")


def test_an_instance_without_readable_text_gets_no_test_and_a_line_that_says_so(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(ARRAYS)
    code, out, _ = printed(capsys, "./mine.py", "--seconds=20", "--out=h")
    assert code == 0
    assert "  no test file: the instance's text (instance.txt) is not Python that gives it back" in out
    assert "add to your test" not in out
    assert sorted(p.name for p in (tmp_path / "h").iterdir()) == ["best.json", "instance.txt"]


def test_a_find_against_the_repaired_theorem_would_not_be_called_certified_but_comes_with_a_test(tmp_path):
    found = hunt(repaired(constant=Fraction(2, 5)), seconds=20)
    assert (found.found, found.certified, found.certificate) == (True, False, None)
    (tmp_path / "test_it.py").write_text(found.test)
    ended = pytest_of(tmp_path / "test_it.py")
    assert (ended.returncode, "1 failed" in ended.stdout) == (1, True)


# ------------------------------------------------------------------------------------------------- whose directory


@pytest.mark.parametrize(
    ("claim", "options", "name"),
    [
        (THEOREM, {}, "hunt-alcalde2025_frank_wolfe-seed4"),
        (THEOREM, {"after": 1000, "d": 3}, "hunt-alcalde2025_frank_wolfe-after1000-d3-seed4"),
        (THEOREM, {"after": 0, "d": 2}, "hunt-alcalde2025_frank_wolfe-seed4"),
        (
            "chen2026_rpb_om",
            {"k": 9, "budget": "on-request", "tau": 1},
            "hunt-chen2026_rpb_om-k9-tau1-on-request-seed4",
        ),
        ("chen2026_rpb_om", {"k": 4, "budget": "on-fault", "tau": 0}, "hunt-chen2026_rpb_om-seed4"),
    ],
)
def test_the_directory_is_named_after_the_hunt(claim, options, name):
    assert writing.folder_name(claims.identity(claim, seed=4, options=options)) == name


def test_an_edited_file_gets_a_directory_of_its_own(tmp_path):
    def name(text):
        (tmp_path / "mine.py").write_text(text)
        return writing.folder_name(claims.identity("./mine.py", seed=0, options={}))

    assert name(TRUE) == name(TRUE) != name(FALSE)
    assert name(TRUE).startswith("hunt-mine-")


@pytest.mark.parametrize(
    ("arguments", "different"),
    [
        (["onlinemin2015_optimal", "--k=3"], "claim is alcalde2025_frank_wolfe, not onlinemin2015_optimal"),
        ([THEOREM, "--seed=2"], "seed is 1, not 2"),
        ([THEOREM, "--seed=1", "--after=1000"], "after is the default, not 1000"),
        ([THEOREM, "--seed=1", "--d=1"], "d is the default, not 1"),
    ],
    ids=str,
)
def test_another_hunt_s_directory_is_refused_before_the_hunt_with_the_field_that_differs(
    arguments, different, tmp_path, capsys
):
    assert printed(capsys, THEOREM, "--seconds=30", "--seed=1", "--out=h")[0] == 0
    before = {path: path.read_bytes() for path in (tmp_path / "h").iterdir()}
    code, out, err = printed(capsys, *arguments, "--seconds=1", "--out=h")
    said = f"out must be a new directory or one of this hunt, but in h {different}; take another directory\n"
    assert (code, out, err) == (2, "", said)
    assert {path: path.read_bytes() for path in (tmp_path / "h").iterdir()} == before


def test_an_edited_file_s_directory_is_refused(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(FALSE)
    assert printed(capsys, "./mine.py", "--seconds=20", "--out=h")[0] == 0
    (tmp_path / "mine.py").write_text(TRUE)
    code, _, err = printed(capsys, "./mine.py", "--seconds=1", "--out=h")
    assert (code, err.count("\n")) == (2, 1)
    assert "but in h file is sha256 " in err


@pytest.mark.parametrize("name", ["notes.txt", "best.json"])
def test_a_directory_of_other_files_is_refused(name, tmp_path, capsys):
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / name).write_text('{"found": true}')
    code, out, err = printed(capsys, THEOREM, "--seconds=1", "--out=h")
    assert (code, out) == (2, "")
    assert err == "out must be a new directory or one of this hunt; h holds other files\n"


def test_best_json_says_which_hunt_it_is(tmp_path, capsys):
    printed(capsys, "chen2026_rpb_om", "--k=3", "--tau=1", "--seconds=0.5", "--seed=8", "--out=h")
    known = best(tmp_path / "h")
    assert (known["claim"], known["seed"], known["options"]) == ("chen2026_rpb_om", 8, {"k": 3, "tau": 1})


# ------------------------------------------------------------------------------------------------- the same hunt again

FOUND = hunt(target("onlinemin2015_optimal"), seconds=1e-9)
FOUND = replace(FOUND, found=True, instance=[1, 2], closest_gap="1", sentence="it", example="@example()", test="pass")
MISS = replace(FOUND, found=False, instance=[0], closest_gap="-1/2", sentence="", example="", test="")
IDENTITY = {"claim": "onlinemin2015_optimal", "seed": 0, "options": {}}


def keeper(folder):
    return writing.Keeper(folder / "h", IDENTITY)


def test_a_miss_of_the_same_hunt_leaves_a_find_alone(tmp_path):
    keeper(tmp_path).write(FOUND)
    before = {path: path.read_bytes() for path in (tmp_path / "h").iterdir()}
    again = keeper(tmp_path)
    again.keep({"found": False, "instance": [5], "closest_gap": "-1"})
    again.keep({"found": True, "instance": [5, 5, 5], "closest_gap": "1"})  # a find that is still to be shrunk
    assert again.write(MISS) is None
    assert again.write(replace(FOUND, instance=[1, 2, 3], interrupted=True)) is None
    assert {path: path.read_bytes() for path in (tmp_path / "h").iterdir()} == before


def test_the_same_hunt_goes_on_to_what_is_better(tmp_path):
    keeper(tmp_path).write(MISS)
    assert keeper(tmp_path).write(replace(MISS, closest_gap="-3/4")) is None
    assert keeper(tmp_path).write(replace(MISS, closest_gap="-1/4")) == []
    assert best(tmp_path / "h")["closest_gap"] == "-1/4"
    assert len(keeper(tmp_path).write(FOUND)) == 3
    assert keeper(tmp_path).write(replace(FOUND, instance=[1])) is not None
    assert best(tmp_path / "h")["instance"] == [1]


def test_a_find_that_replaces_another_leaves_no_file_of_it(tmp_path):
    keeper(tmp_path).write(replace(FOUND, certified=True, certificate={"kind": "x"}))
    keeper(tmp_path).write(replace(FOUND, instance=[1], test=""))
    assert sorted(p.name for p in (tmp_path / "h").iterdir()) == ["best.json", "instance.txt"]


def test_the_command_says_when_an_earlier_find_stays(tmp_path, capsys):
    assert printed(capsys, THEOREM, "--seconds=30", "--seed=1", "--out=h")[0] == 0
    before = (tmp_path / "h" / "best.json").read_bytes()
    code, out, err = printed(capsys, THEOREM, "--seconds=0.000001", "--seed=1", "--out=h")
    assert (code, out.startswith("nothing found")) == (3, True)
    assert err == "h keeps what an earlier run of this hunt came to, which is better\n"
    assert (tmp_path / "h" / "best.json").read_bytes() == before
