"""``python -m cases`` as its user meets it: table, one case in full, JSON, files, exit codes, a case of one's own."""

import json
import subprocess
import sys

import pytest

import cases
from cases.__main__ import main

EXACT = ["icml2026_units_slip", "icml2026_verdicts", "kayyam2026_padding"]

MINE = '''
"""A random permutation of n has H_n records in the mean."""

from fractions import Fraction
from itertools import permutations

from cases import Case, Claim, Finding
from exact import harmonic


def judge(mean, *, quick):
    for n in range(1, 6 if quick else 8):
        counts = [sum(x == max(order[: i + 1]) for i, x in enumerate(order)) for order in permutations(range(n))]
        found = Fraction(sum(counts), len(counts))
        if found != mean(n):
            return Finding("falsified", "exact", f"n = {n}: the mean is {found}, not {mean(n)}.", f"n = {n}")
    return Finding("verified", "exact", f"equal for every n up to {n}, all permutations.", f"n <= {n}")


CASE = Case(
    claim=Claim(
        id="mine2026",
        statement="a random permutation has H_n records",
        quantifiers="every n; re-checked to n = 7",
        relation="E[records] = H_n",
        refuted_by="an n where the mean over all permutations differs",
        source="folklore, no paper was read",
        link="https://example.org",
    ),
    check=lambda quick: judge(harmonic, quick=quick),
    control=lambda quick: judge(lambda n: harmonic(n - 1), quick=quick),
    expected="verified",
    expected_control="falsified",
)
'''


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine2026_records.py"
    path.write_text(MINE)
    return path


def test_the_table_has_a_line_a_case_and_progress_goes_to_stderr(capsys):
    assert main([*EXACT, "--quick"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0].split() == ["case", "claim", "verdict", "evidence", "reached", "s"]
    assert [line.split()[0] for line in lines[1:]] == EXACT
    assert all("falsified  exact" in line for line in lines[1:])
    assert printed.err.splitlines() == [f"{i} of 3: {name}" for i, name in enumerate(EXACT, start=1)]


def test_one_case_is_printed_in_full_with_the_verdict_first(capsys):
    assert main(["kayyam2026_padding", "--quiet"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("falsified (exact): with 66 % of the labels padding 3.1 % become 9.4 %")
    for word in ("claim", "relation", "refuted by", "source", "reached", "control"):
        assert f"\n{word} " in printed.out
    assert printed.err == ""


def test_the_json_document_holds_a_finding_a_case_and_stdout_nothing_else(capsys):
    assert main([*EXACT, "--json", "--quick"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["case"] for finding in findings] == EXACT
    wanted = {"case", "claim", "verdict", "evidence", "sentence", "control_verdict", "seconds"}
    assert all(finding.keys() >= wanted for finding in findings)
    assert all(finding["control_verdict"] == "verified" for finding in findings)


def test_out_gets_a_finding_a_case_and_a_file_a_certificate(tmp_path, capsys):
    assert main(["sleator1985_lru", "--quick", "--out", str(tmp_path / "new" / "out")]) == 0
    capsys.readouterr()
    files = sorted(path.name for path in (tmp_path / "new" / "out").iterdir())
    assert files == ["sleator1985_lru-control-certificate-1.json", "sleator1985_lru.json"]
    certificate = json.loads((tmp_path / "new" / "out" / files[0]).read_text())
    assert certificate["kind"] == "paging cost exceeds"


def test_a_case_of_ones_own_is_given_by_its_path(mine, capsys):
    assert main([str(mine)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("verified (exact): equal for every n up to 7")
    assert out.splitlines()[-1].startswith("mine2026_records: ")


def test_a_verdict_that_is_not_as_expected_is_exit_code_1_and_named(mine, capsys):
    mine.write_text(MINE.replace('expected="verified"', 'expected="toy"'))
    assert main([str(mine), EXACT[0], "--quick"]) == 1
    printed = capsys.readouterr()
    assert "mine2026_records: claim and control must be toy and falsified; got verified and falsified" in printed.err
    assert "not as expected" in printed.out


def test_a_control_that_is_not_as_expected_is_exit_code_1_too(mine, capsys):
    mine.write_text(MINE.replace("harmonic(n - 1)", "harmonic(n)"))
    assert main([str(mine), "--quick"]) == 1
    assert "got verified and verified" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("CASE = 3", "must define CASE = Case(...); got int"),
        ("", "must define CASE = Case(...); got NoneType"),
        ("1/0", "must be a file that imports; got ZeroDivisionError: division by zero"),
        ("def", "must be a file that imports; got SyntaxError"),
    ],
)
def test_a_file_that_holds_no_case_gets_one_clear_line_and_exit_code_2(text, says, tmp_path, capsys):
    path = tmp_path / "bad.py"
    path.write_text(text)
    assert main([str(path)]) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nothing_here"], "case must be one of achlioptas2000_marker, "),
        (["claim"], "case must be one of "),
        (["./missing.py"], "case must be a Python file that exists; got missing.py"),
        (["--nonsense"], "unrecognized arguments: --nonsense; see python -m cases --help"),
        (["ledger"], "the following arguments are required: FILE; see python -m cases ledger --help"),
        (["icml2026_verdicts", "--out", "file"], "out must be a directory; got file"),
        (["icml2026_verdicts", "--out", "file/below"], "file/below: Not a directory"),
    ],
)
def test_bad_usage_gets_one_clear_line_and_exit_code_2(arguments, says, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    try:
        code = main([*arguments, "--quiet"] if arguments[0] != "ledger" else arguments)
    except SystemExit as end:
        code = end.code
    printed = capsys.readouterr()
    assert code == 2
    assert says in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")


def test_an_interrupt_exits_130_without_a_traceback(monkeypatch, capsys):
    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("cases.__main__.check", interrupt)
    assert main([EXACT[0]]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "interrupted"


@pytest.mark.parametrize("arguments", [["--help"], ["ledger", "--help"]], ids=" ".join)
def test_help_loads_nothing_heavy(arguments):
    script = (
        "import sys\nfrom cases.__main__ import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit as end: assert not end.code\n"
        "heavy = {'numba', 'numpy', 'scipy', 'matplotlib', 'joblib', 'gmpy2', 'sympy'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    ended = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "usage: python -m cases" in ended.stdout
    assert "exit codes" in ended.stdout or arguments[0] == "ledger"


def test_helpers_are_not_taken_for_cases_and_every_module_is_one_or_the_other():
    assert not {"claim", "discovery", "padding", "ledger", "losses"} & set(cases.names())
    assert all("_" in name for name in cases.names())


def test_the_package_has_at_most_twelve_public_names_and_each_is_there():
    assert len(cases.__all__) <= 12
    assert all(getattr(cases, name) for name in cases.__all__)
    with pytest.raises(AttributeError, match="module 'cases' has no attribute 'nonsense'; it has Case, Claim"):
        cases.nonsense  # noqa: B018
    assert dir(cases) == sorted(cases.__all__)


@pytest.mark.parametrize(
    ("change", "kind", "says"),
    [
        ({"verdict": "true"}, ValueError, "verdict must be one of verified, falsified, toy, inconclusive; got 'true'"),
        ({"evidence": "strong"}, ValueError, "evidence must be one of exact, statistical; got 'strong'"),
        ({"reached": " "}, ValueError, "sentence and reached must say something"),
        ({"details": {"x": float("nan")}}, ValueError, "must be finite; got nan"),
        ({"details": {"x": {1, 2}}}, TypeError, "must hold numbers, text, lists and mappings; got set"),
    ],
)
def test_a_finding_that_says_nothing_sound_is_refused(change, kind, says):
    whole = {"verdict": "toy", "evidence": "exact", "sentence": "s", "reached": "r"}
    with pytest.raises(kind, match=says):
        cases.Finding(**(whole | change)).to_dict()


def test_a_claim_must_say_all_it_is_asked():
    fields = ("id", "statement", "quantifiers", "relation", "refuted_by", "source", "link")
    with pytest.raises(ValueError, match="source must be text that says something; got ''"):
        cases.Claim(**{name: "" if name == "source" else "x" for name in fields})
