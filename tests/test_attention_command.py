"""python -m sweeps attention as its user meets it: answers, JSON, certificates, surveys, errors."""

import json
import random
import subprocess
import sys

import pytest

import sweeps
from exact import verify
from sweeps.commands import main

FOUR = ["attention", "--tokens", "4;-1"]
KEYS = {"tokens", "tie", "index", "horizon", "first_violation", "violated_by_horizon", "eventual", "from_k", "events",
        "evidence", "finding"}  # fmt: skip


def run(capsys, *arguments):
    try:
        code = main(["attention", *arguments])
    except SystemExit as end:
        code = end.code
    return code, *capsys.readouterr()


def document(capsys, *arguments):
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_the_answer_comes_first_then_why_then_how_far_it_reaches(capsys):
    code, out, err = run(capsys, "--tokens", "4;-1")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("falsified (exact): J(x^{t+1}) <= 2 L D^2/(t+1) first fails at t = 224 (state 225)")
    assert "loses the origin at state 2: every token violates from state 226 on, for ever" in lines[1]
    assert "2 leader changes, the last at t = 2; none follows, ever" in lines[2]
    assert "float64 stepping agrees here" in lines[3]


def test_the_json_document_is_the_function_s_and_has_the_agreed_keys(capsys):
    found = document(capsys, "--tokens", "4;-1", "--horizon", "1e12")
    assert found == sweeps.simulate("attention", [4, -1], horizon=10**12).to_dict()
    assert found.keys() >= KEYS
    assert found["first_violation"] == {"k": "225", "t": "224"}
    assert (found["from_k"], found["horizon"], found["events"]) == ("226", "1000000000000", ["0", "2"])
    assert (found["violated_by_horizon"], found["eventual"], found["evidence"]) == (True, "violated", "exact")
    assert found["finding"].keys() == {"claim", "verdict", "evidence", "sentence"}


@pytest.mark.parametrize("arguments", [["--tokens", "-1;4"], ["--tokens=-1;4"], ["--tokens", "-.1e1;4"]])
def test_a_value_may_start_with_a_minus(arguments, capsys):
    assert document(capsys, *arguments)["first_violation"]["k"] == "225"


def test_a_matrix_may_start_with_a_minus_too(capsys):
    code, _, err = run(capsys, "--tokens", "1;-1", "--b", "-1")
    assert (code, err) == (2, "b must be positive semidefinite; it has a negative eigenvalue\n")


def test_float_stepping_is_reported_as_unconfirmed_and_contradicted(capsys):
    tokens = f"2.{'0' * 19}1;-1"
    scouted = document(capsys, "--tokens", tokens, "--float")
    assert scouted.keys() >= KEYS
    assert scouted["first_violation"] == {"k": "145", "t": "144"}
    assert (scouted["evidence"], scouted["eventual"]) == ("float64", "undecided")
    assert scouted["finding"]["verdict"] == "inconclusive"
    assert "unconfirmed" in scouted["finding"]["sentence"]
    _, out, _ = run(capsys, "--tokens", tokens)
    assert "state 3240000000000000000021600000000000000000036" in out
    assert "float64 stepping is wrong here: it sees a first violation at state 145" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--tokens", "4;-1"], "first violation at state 225, label 224"),
        (["--tokens", "4;-1", "--index", "state"], "first violation at state 225, label 225"),
        (["--tokens", "2;-1", "--tie", "stay"], "never violated: kept token at state 2"),
        (["--tokens", "1;-1"], "never violated: collapse"),
        (["--tokens", "4,2;-4,1;-1,-4;1,3;4,0"], "never violated: closed form at state"),
        (["--tokens", "2,2;-3,-2;-3,3;1,-4;0,1"], "first violation at state 2080"),
        (["--tokens", "1,0;-1,0;2,0;-2,0;0,1;0,-1", "--tie", "avg"], "never violated: "),
        (["--tokens", "-3,-1;-2,-3;0,5;6,0", "--b", "1,0;0,2"], "label 3800"),
        (["--tokens", "-9,-74;-67,31;73,-39;42,55"], "first violation at state 128587863"),
        (["--tokens", f"2.{'0' * 19}1;-1"], "first violation at state 3240000000000000000021600000000000000000036"),
    ],
)
def test_a_certificate_is_accepted_by_the_independent_checker(arguments, says, tmp_path, capsys):
    path = tmp_path / "certificate.json"
    code, out, _ = run(capsys, *arguments, "--certificate", str(path))
    assert code == 0
    assert f"certificate {path}: " in out
    assert says in verify.check_file(path)


def test_expect_turns_the_verdict_into_an_exit_code(capsys):
    assert run(capsys, "--tokens", "4;-1", "--expect", "falsified", "--quiet")[0] == 0
    code, _, err = run(capsys, "--tokens", "4;-1", "--expect", "verified", "--quiet")
    assert (code, err) == (1, "expected verified; the verdict is falsified\n")
    assert run(capsys, "--tokens", "1;-1", "--expect", "verified", "--quiet")[0] == 0
    assert run(capsys, "--tokens", "4;-1", "--float", "--expect", "falsified", "--quiet")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--tokens", "1,2;3"], "tokens must all have the same number of coordinates; got [2, 1]"),
        (["--tokens", "1;;2"], "tokens must be points separated by ';', coordinates by ','; got '1;;2'"),
        (["--tokens", "1;x"], "tokens[1][0] must be an integer, a Fraction or text"),
        (["--tokens", "1/0;-1"], "tokens[0][0] must have a denominator other than zero"),
        (["--tokens", "1e3000000;-1"], "tokens[0][0] must be"),
        (["--tokens", "nan;-1"], "tokens[0][0] must be"),
        (["--tokens", "1;2"], "tokens must have the origin in their convex hull"),
        (["--tokens", "4;-1", "--horizon", "0"], "horizon must be an integer of at least 1; got 0"),
        (["--tokens", "4;-1", "--horizon", "1.5"], "horizon must be an integer of at least 1; got 1.5"),
        (["--tokens", "4;-1", "--b", "1,0;0,1"], "b must be 1 x 1 for tokens of 1 coordinates; got 2 x 2"),
        (["--tokens", "1,0;-1,0", "--b", "0,1;-1,0"], "b must be symmetric"),
        (["--tokens", "1,0;-1,0", "--b", "1,2;2,1"], "b must be positive semidefinite"),
        (["--tokens", "4;-1", "--tie", "first"], "tie must be one of low, avg, stay; got 'first'"),
        (["--tokens", "4;-1", "--index", "k"], "index must be one of update, state; got 'k'"),
        (["--tokens", "4;-1", "--float", "--horizon", "1e12"], "horizon must be below 1e+09 with --float"),
        (["--tokens", "4;-1", "--float", "--certificate", "x"], "--float confirms nothing"),
        (["--tokens", "4;-1", "--count", "3"], "count goes with --random"),
        (["--tokens", "4;-1", "--expect", "true"], "invalid choice: 'true'"),
        (["--random", "3"], "random must be N,D"),
        (["--random", "3,4"], "random must have the origin in the hull"),
        (["--random", "3,2", "--count", "0"], "count must be an integer between 1 and"),
        (["--random", "3,2", "--float"], "float goes with --tokens"),
        (["--random", "3,2", "--tokens", "4;-1"], "not allowed with argument"),
        ([], "one of the arguments --tokens --random is required"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(arguments, says, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
    assert list(tmp_path.iterdir()) == []


def test_help_loads_nothing_heavy():
    script = (
        "import sys\nfrom sweeps.commands import main\n"
        "try: main(['attention', '--help'])\n"
        "except SystemExit as end: assert not end.code\n"
        "heavy = {'numba', 'numpy', 'scipy', 'matplotlib', 'joblib', 'rich', 'flint', 'gmpy2'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "--tokens" in ended.stdout


@pytest.mark.parametrize("tie", ["low", "avg", "stay"])
def test_the_short_float_run_of_plain_python_sees_what_the_kernel_sees(tie, monkeypatch):
    from sweeps.commands import attention
    from sweeps.simulators.attention.problem import read_problem

    rng = random.Random(tie)
    for _ in range(20):
        rows = [[rng.randint(-99, 99) for _ in range(2)] for _ in range(4)]
        problem = read_problem([*rows, [-sum(column) for column in zip(*rows, strict=True)]], tie=tie)
        seen = []
        for quick in (0, 10**9):
            monkeypatch.setattr(attention, "QUICK", quick)
            seen.append(attention.float_run(problem, 300))
        assert seen[0] == seen[1]


UNDECIDED = ["--tokens", "1,0,0;-1,0,0;1,1,0;0,-1,-1;-1,-1,0", "--tie", "avg"]


def test_a_start_that_cannot_be_decided_says_so_and_exits_3(monkeypatch, capsys):
    """Leaders change without end while the hull keeps the origin: neither certificate applies."""
    from sweeps.simulators.attention import course

    monkeypatch.setattr(course, "MORE_PATIENCE", 200)
    monkeypatch.setattr(course, "ROUNDED", 200)
    code, out, _ = run(capsys, *UNDECIDED)
    assert code == 3
    assert out.startswith("inconclusive (exact): no violation up to state 399, and the hull still meets the origin")
    code, out, _ = run(capsys, *UNDECIDED, "--json", "--expect", "inconclusive")
    found = json.loads(out)
    assert code == 0
    assert (found["eventual"], found["violated_by_horizon"], found["first_violation"]) == ("undecided", None, None)
    code, out, _ = run(capsys, *UNDECIDED, "--json", "--horizon", "300")
    assert json.loads(out)["violated_by_horizon"] is False
    code, out, err = run(capsys, *UNDECIDED, "--certificate", "x.json")
    assert (code, out) == (2, "")
    assert err.startswith("certificate must be one that the checker accepts; there is none")


def test_integer_arrays_are_read_as_the_integers_they_hold():
    import numpy as np

    assert sweeps.simulate("attention", np.array([[4], [-1]])).first_violation == 225
    assert sweeps.simulate("attention", np.array([4, -1])).first_violation == 225
    with pytest.raises(TypeError, match=r"tokens\[0\]\[0\] must be"):
        sweeps.simulate("attention", np.array([4.0, -1.0]))


@pytest.mark.parametrize("tokens", [[4.0, -1.0], [[4.0], [-1]], [True, -1]])
def test_floats_are_refused_where_exact_is_asked(tokens):
    with pytest.raises(TypeError, match=r"tokens\[0\]\[0\] must be an integer, a Fraction or text"):
        sweeps.simulate("attention", tokens)


@pytest.mark.parametrize("tokens", ["4;-1", "-3,-1;-2,-3;0,5;6,0", "1,0,0;-1,0,1;0,0,-1", "0;0"])
def test_the_run_directory_holds_answer_record_and_the_same_picture_each_time(tokens, tmp_path, capsys):
    found = [tmp_path / "one", tmp_path / "two"]
    for folder in found:
        assert run(capsys, "--tokens", tokens, "--out", str(folder), "--quiet")[0] == 0
    pictures = [(folder / "tokens.svg").read_bytes() for folder in found]
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(b"<?xml")
    record = json.loads((found[0] / "run.json").read_text())
    assert record["state"] == "finished"
    assert record["finding"]["claim"] == record["claim"]["id"] == "alcalde2025_frank_wolfe"
    assert record["parameters"]["horizon"] == "1000000000000"
    code, _, err = run(capsys, "--tokens", "5;-1", "--out", str(found[0]))
    assert code == 2
    assert "out must be a new directory" in err
    assert run(capsys, "--tokens", "5;-1", "--out", str(found[0]), "--force-new", "--quiet")[0] == 0
    assert (tmp_path / "one.1" / "tokens.svg").read_bytes() == pictures[0]


def test_a_survey_is_the_same_for_any_jobs_and_goes_on_from_what_is_kept(tmp_path, capsys):
    survey = ["--random", "3,2", "--seed", "5"]
    one = document(capsys, *survey, "--count", "60", "--jobs", "1", "--out", str(tmp_path / "one"))
    two = document(capsys, *survey, "--count", "60", "--jobs", "2", "--out", str(tmp_path / "two"))
    again = document(capsys, *survey, "--count", "60", "--out", str(tmp_path / "one"))
    assert one == two == again
    assert [share["by"] for share in one["shares"]] == ["100", "1000", "10000", "100000", "1000000", "ever"]
    assert one["shares"][-1]["share"] == 1
    assert one["finding"]["verdict"] == "falsified"
    assert (tmp_path / "one" / "survey.svg").exists()


def test_the_shares_of_a_survey_are_those_of_its_starts(tmp_path, capsys):
    from sweeps.simulators.attention.survey import start

    found = document(capsys, "--random", "4,2", "--count", "30", "--out", str(tmp_path / "run"), "--index", "state")
    firsts = sorted(sweeps.simulate("attention", start(4, 2, 0, i)).first_violation for i in range(30))
    assert found["shares"][0]["share"] == sum(k <= 100 for k in firsts) / 30
    assert found["quantiles"]["50 %"] == str(firsts[14])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "by_hundred", "by_thousand"), [("3,2", 0.238, 0.888), ("10,3", 0.021, 0.584), ("3,1", 0.144, 0.664)]
)
def test_a_survey_finds_the_shares_of_an_independent_one(shape, by_hundred, by_thousand, tmp_path, capsys):
    """Within four standard errors of 800 to 3,000 starts that were stepped in float64."""
    found = document(capsys, "--random", shape, "--count", "600", "--out", str(tmp_path / "run"), "--index", "state")
    for share, expected in zip(found["shares"], (by_hundred, by_thousand), strict=False):
        assert abs(share["share"] - expected) < 4 * (share["se"] ** 2 + expected * (1 - expected) / 800) ** 0.5
