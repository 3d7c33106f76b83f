"""Command lines as nobody would type them: an exit code of the list, never a traceback, with --json one document."""

import functools
import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from commandlines import CASE, command_lines, files, sources
from documents import ALL, ERROR, holds, run
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import ValidationError

from exact import certificates

CODES = (0, 1, 2, 3, 130)
JUNK = ("junk", "junk.csv", "junk.json", "junk.jsonl", "junk.parquet", "junk.gz")
TABLE = "k,mean,se,n\n4,1,.1,1\n8,1.2,.1,2\n16,1.1,.1,3\n32,1,.1,4\n64,1.1,.1,5\n128,1,.1,6\n"
TEAMS = {"a/x": {"orid": "p", "judged_at": "2026-08-01T00:00:00Z", "claims": [{"verdict": "toy"}]}}


@functools.cache
def template():
    """A folder with one of each: run, table, trace, verdicts, certificate."""
    folder = Path(tempfile.mkdtemp())
    (folder / "table.csv").write_text(TABLE)
    (folder / "trace").write_text("a\nb\nc\na\n")
    (folder / "verdicts.json").write_text(json.dumps(TEAMS))
    certificates.write(certificates.first_violation([[4], [-1]], k1=225), folder / "four.json")
    assert run(["sweeps", "paging", "--k-max=8", "--replicates=9", "--jobs=1", "--out", str(folder / "run")])[0] == 0
    return folder


def tried(argv, junk, source, *, broken_run):
    """Run one command line in a fresh folder and judge what came of it."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "here"
        shutil.copytree(template(), folder)
        for name in JUNK:
            (folder / name).write_bytes(junk)
        (folder / "mine.py").write_text(source, encoding="utf-8")
        if broken_run:
            (folder / "run" / "run.json").write_bytes(junk)
        os.chdir(folder)
        try:
            judge(argv, *run(argv))
        finally:
            os.chdir(before)


def judge(argv, code, out, err):
    assert code in CODES, (argv, code)
    assert "Traceback" not in err, err
    if code == 2 and "verify" not in argv:
        assert err.strip(), argv
        assert err.count("\n") <= 2, err
    options = argv[: argv.index("--")] if "--" in argv else argv
    if "--json" in options and not {"--help", "--schema"} & set(options):
        found = json.loads(out)  # one document, and nothing beside it
        assert any(keeps(found, schema) for schema in (allowed(argv, code))), (argv, out[:300])


def keeps(found, schema):
    try:
        holds(found, schema)
    except ValidationError:
        return False
    return True


def allowed(argv, code):
    """Schemas of the package; an error where the code says so."""
    shapes = [schema for name, schema in ALL.items() if name.startswith(argv[0]) and not name.endswith(" error")]
    if argv[:2] == ["sweeps", "schema"]:
        shapes.append({"required": ["$schema", "$id"]})
    if code == 2:
        return [ERROR, ALL["exact verify"]] if argv[0] == "exact" else [ERROR]
    return [ERROR] if code == 130 else shapes


def fuzzed(examples):
    """The same property for a number of examples."""

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize="FUZZ" not in os.environ,
        database=None,
        phases=[Phase.generate],  # a case is short enough to be read as it is, and shrinking takes minutes
        suppress_health_check=list(HealthCheck),
    )
    @given(command_lines(), files, sources, st.booleans())
    def property_(argv, junk, source, broken_run):
        tried(argv, junk, source, broken_run=broken_run)

    return property_


MINE = ["sweeps", "mine.py", "--k-max=16", "--replicates=9", "--jobs=1", "--json"]
GOOD = ("return good", "return [0] * count", "return 0", "None")
FOUND = [
    (["cases", "mine.py", "--quick", "--json"], CASE.format("return 1 / 0", *GOOD[1:])),
    (["cases", "mine.py", "--quick", "--json"], "raise SystemExit(5)"),
    (MINE, CASE.format(GOOD[0], "raise SystemExit(7)", *GOOD[2:])),
    (MINE, CASE.format(*GOOD[:2], "return 1 / 0", "None")),
    (MINE, CASE.format(*GOOD[:3], "'x'")),
    (["fits", "decide", "table.csv", "--se=se", "--c-star=1e-300", "--json"], ""),
    (["fits", "plan", "--sd=0.3", "--c=1e-300", "--json"], ""),
    (["fits", "plan", "--sd=1e-300", "--c=1", "--json"], ""),
    (["fits", "plan", "--sd=0.3", "--budget=1e300", "--json"], ""),
    (["fits", "decide", "junk.jsonl", "--json"], ""),
    (["sweeps", "show", "run", "--json"], ""),
]


@pytest.mark.parametrize(("argv", "source"), FOUND, ids=range(len(FOUND)))
def test_what_was_found_once_stays_fixed(argv, source):
    tried(argv, b"[" * 50_000, source, broken_run=True)


def test_no_command_line_ends_in_a_traceback_or_in_half_a_document():
    fuzzed(150)()


@pytest.mark.slow
def test_no_command_line_of_a_thousand_does():
    fuzzed(1000)()
