"""What programs read: each document keeps its published schema, and each error says what, which code, what to do."""

import copy
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from documents import ALL, ERROR, document, holds, run
from jsonschema import Draft202012Validator, ValidationError

import fits.__main__
import sweeps.schemas
from exact import certificates
from sweeps.commands import SUBCOMMANDS

SMALL = ["--k-max", "16", "--replicates", "60", "--jobs", "1", "--quiet"]
TABLE = "k,mean,se\n4,1,.1\n8,1.2,.1\n16,1.1,.1\n32,1,.1\n64,1.1,.1\n128,1,.1\n"
TEAMS = {"a/x": {"orid": "p", "judged_at": "2026-08-01T00:00:00Z", "claims": [{"verdict": "toy"}]}}
SNAPSHOT = json.loads((Path(__file__).parent / "schemas.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory):
    """A folder with a run, a table, a trace, verdicts and a certificate; the working directory."""
    folder, before = tmp_path_factory.mktemp("documents"), os.getcwd()
    (folder / "table.csv").write_text(TABLE)
    (folder / "trace").write_text("a\nb\nc\na\n")
    (folder / "verdicts.json").write_text(json.dumps(TEAMS))
    certificates.write(certificates.first_violation([[4], [-1]], k1=225), folder / "four.json")
    os.chdir(folder)
    assert run(["sweeps", "paging", *SMALL, "--out", "run"])[0] == 0
    assert run(["sweeps", "attention", "--tokens", "4;-1", "--out", "four"])[0] == 0
    yield folder
    os.chdir(before)


PRINTED = [
    ("sweeps sweep", ["sweeps", "paging", *SMALL, "--out", "run"]),
    ("sweeps sweep", ["sweeps", "paging", "--k-max", "8", "--policy", "opt", "--replicates", "60", "--out", "opt"]),
    ("sweeps plan", ["sweeps", "paging", "--k-max", "8", "--dry-run"]),
    ("sweeps trace", ["sweeps", "paging", "--trace", "trace", "--k", "2"]),
    ("sweeps show", ["sweeps", "show", "run"]),
    ("sweeps runs", ["sweeps", "runs", "."]),
    ("sweeps report", ["sweeps", "report", "run"]),
    ("sweeps reproduce", ["sweeps", "reproduce", "run"]),
    ("sweeps export", ["sweeps", "export", "run", "rows.csv"]),
    ("sweeps schema", ["sweeps", "schema"]),
    ("sweeps attention", ["sweeps", "attention", "--tokens", "4;-1"]),
    ("sweeps attention", ["sweeps", "attention", "--tokens", "1/2,0;-1/2,1;0,-1/3", "--tie", "avg"]),
    ("sweeps attention", ["sweeps", "attention", "--tokens", "4;-1", "--float", "--horizon", "300"]),
    ("sweeps attention-survey", ["sweeps", "attention", "--random", "3,2", "--count", "3", "--jobs", "1", "--quiet"]),
    ("sweeps attention-show", ["sweeps", "show", "four"]),
    ("fits decide", ["fits", "decide", "table.csv", "--se", "se"]),
    ("fits decide", ["fits", "decide", "table.csv", "--se", "se", "--tier", "0", "--looks", "looks.jsonl"]),
    ("fits plan", ["fits", "plan", "--c", "0.38", "--sd", "0.28"]),
    ("fits calibrate", ["fits", "calibrate", "--n", "1", "--cell", "U1", "--jobs", "1", "--quiet"]),
    ("cases findings", ["cases", "icml2026_units_slip", "--quick"]),
    ("cases ledger", ["cases", "ledger", "verdicts.json"]),
    ("exact verify", ["exact", "verify", "four.json", "missing.json"]),
]


@pytest.mark.parametrize(("name", "argv"), PRINTED, ids=[" ".join(argv)[:60] for _, argv in PRINTED])
def test_every_document_keeps_its_schema_and_the_schema_is_closed(name, argv):
    code, found = document([*argv, "--json"])
    assert code in (0, 1, 2)
    holds(found, ALL[name])
    if isinstance(found, dict):
        with pytest.raises(ValidationError):
            holds({**found, "more": 1}, ALL[name])
        for field in found:
            if field in ALL[name]["required"]:
                with pytest.raises(ValidationError):
                    holds({key: value for key, value in found.items() if key != field}, ALL[name])


def test_every_command_with_json_is_among_the_documents_above():
    commands = {(argv[0], argv[1]) for _, argv in PRINTED}
    served = {name for name in SUBCOMMANDS if name not in ("mcp", "hunt")}  # hunt: tests/test_mcp.py
    assert commands >= {("sweeps", name) for name in served} | {("fits", n) for n in fits.__main__.COMMANDS}


def test_a_hunt_keeps_its_schema():
    found = {"found": False, "instance": None, "certificate": None, "instances_tried": 9, "closest_gap": "1/3"}
    found |= {"seconds": 1.5, "seed": 0}
    holds(found, ALL["sweeps hunt"])
    with pytest.raises(ValidationError):
        holds({**found, "found": "no"}, ALL["sweeps hunt"])


@pytest.mark.parametrize("name", ALL)
def test_each_schema_is_one_and_names_its_version(name):
    Draft202012Validator.check_schema(ALL[name])
    assert ALL[name]["$id"].startswith("urn:claimsweep:")
    assert ALL[name]["$id"].endswith(":1")


@pytest.mark.parametrize("name", ALL)
def test_no_schema_changes_without_its_version(name):
    """One that breaks a reader raises VERSION; for any: python tests/documents.py > tests/schemas.json."""
    assert ALL[name] == SNAPSHOT[name]
    assert SNAPSHOT.keys() == ALL.keys()


def test_the_error_shape_is_one_in_all_packages():
    plain = ("properties", "required", "additionalProperties", "type")
    shapes = [{part: ALL[f"{name} error"][part] for part in plain} for name in ("sweeps", "fits", "cases")]
    assert shapes[0] == shapes[1] == shapes[2]
    for argv in (["exact", "prove"], ["exact", "verify"]):
        holds(document([*argv, "--json"])[1], ERROR)


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["sweeps", "paging", "--k-max", "1"], "k-max must be between 2 and 1048576; got 1"),
        (["sweeps", "paging", "--k-max", "many"], "argument --k-max: k-max must be an integer; got 'many'"),
        (["sweeps", "pageing"], "invalid choice: 'pageing'"),
        (["sweeps"], "the following arguments are required: COMMAND"),
        (["sweeps", "show", "nowhere"], "run must be a run directory"),
        (["sweeps", "schema", "nothing"], "name must be one of attention"),
        (["sweeps", "attention", "--tokens", "x"], "tokens[0][0] must be an integer"),
        (["fits", "decide", "missing.csv"], "missing.csv cannot be read"),
        (["fits", "plan"], "the following arguments are required: --sd"),
        (["cases", "nothing"], "case must be one of"),
        (["cases", "ledger"], "the following arguments are required: FILE"),
        (["exact", "verify"], "the following arguments are required: FILE"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_error_is_one_line_and_with_json_one_document(argv, says):
    code, out, err = run(argv)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
    code, out, err_json = run([*argv, "--json"])
    found = json.loads(out)
    holds(found, ERROR)
    assert (code, found["code"]) == (2, 2)
    assert says in found["error"]
    assert found["remedy"]
    assert err_json == err


def test_an_interrupted_command_says_so_as_a_document(tmp_path):
    argv = ["paging", "--k-max", "256", "--replicates", "200000", "--jobs", "1", "--out", "run", "--json"]
    command = [sys.executable, "-m", "sweeps", *argv]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "run" / "rows.sqlite").exists():
        time.sleep(0.02)
        assert process.poll() is None
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    holds(json.loads(out), ERROR)
    assert json.loads(out)["code"] == 130
    assert "blocks are kept in run" in json.loads(out)["error"]
    assert err.splitlines()[-1].startswith("interrupted: ")


@pytest.mark.parametrize(
    ("argv", "name"),
    [
        (["fits", "decide", "--schema"], "fits decide"),
        (["fits", "plan", "--schema"], "fits plan"),
        (["fits", "calibrate", "--schema"], "fits calibrate"),
        (["cases", "--schema"], "cases findings"),
        (["cases", "ledger", "--schema"], "cases ledger"),
        (["exact", "--schema"], "exact verify"),
        (["sweeps", "schema", "sweep"], "sweeps sweep"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_schema_is_printed_by_the_command_whose_document_it_describes(argv, name):
    assert document(argv) == (0, ALL[name])


def test_schemas_are_fresh_so_that_a_caller_may_change_one():
    first = sweeps.schemas.schema("sweep")
    kept = copy.deepcopy(first)
    first["properties"].clear()
    assert sweeps.schemas.schema("sweep") == kept
    assert importlib.reload(sweeps.schemas).schema("sweep") == kept
