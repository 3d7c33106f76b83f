"""Runs of the attention command, read back: shown, reported, exported, run again and compared."""

import csv
import hashlib
import json
import signal
import subprocess
import sys
import time

import pytest
from pages import Page

from exact import verify
from sweeps.commands import main
from sweeps.store import rows_hash


@pytest.fixture
def start(tmp_path, capsys):
    assert main(["attention", "--tokens", "4;-1", "--out", str(tmp_path / "start")]) == 0
    capsys.readouterr()
    return tmp_path / "start"


@pytest.fixture
def survey(tmp_path, capsys):
    arguments = ["--random", "3,2", "--count", "30", "--jobs", "1", "--quiet", "--out", str(tmp_path / "survey")]
    assert main(["attention", *arguments]) == 0
    capsys.readouterr()
    return tmp_path / "survey"


def record_of(folder):
    return json.loads((folder / "run.json").read_text())


def test_the_directory_of_a_start_holds_the_certificate_that_the_checker_accepts(start):
    assert verify.check_file(start / "certificate.json").startswith("first violation at state 225")
    assert set(record_of(start)["sha256"]) == {"rows", "certificate.json", "tokens.svg"}


def test_a_start_without_a_certificate_is_kept_without_one(tmp_path, monkeypatch):
    from sweeps.commands import attention_certificate

    monkeypatch.setattr(attention_certificate, "_candidates", lambda _: iter(()))
    assert main(["attention", "--tokens", "4;-1", "--out", str(tmp_path / "run")]) == 0
    assert not (tmp_path / "run" / "certificate.json").exists()
    assert main(["report", str(tmp_path / "run")]) == 0


def test_show_prints_the_answer_again(start, capsys):
    assert main(["show", str(start)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("attention: tokens 4; -1, ties low, horizon 1000000000000\nclaim alcalde2025_frank_wolfe: ")
    assert "\n\nfalsified (exact): J(x^{t+1}) <= 2 L D^2/(t+1) first fails at t = 224 (state 225)" in shown
    assert "\n  The hull loses the origin at state 2: every token violates from state 226 on, for ever.\n" in shown
    assert shown.endswith(f"certificate: {start / 'certificate.json'}\nfigure: {start / 'tokens.svg'}\n")


def test_show_prints_the_shares_of_a_survey(survey, capsys):
    assert main(["show", str(survey / "run.json")]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("attention: 30 Gaussian starts, 3 tokens, d = 2, ties low\n")
    assert "\n         100      0." in shown
    assert shown.endswith(f"figure: {survey / 'survey.svg'}\n")


def page_of(folder, code=0):
    assert main(["report", str(folder)]) == code
    text = (folder / "report.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert (page.open, page.fetches) == ([], [])
    tags = [tag for tag, _ in page.seen]
    assert "script" not in tags
    assert tags.count("h1") == tags.count("svg") == 1
    svg = next(attributes for tag, attributes in page.seen if tag == "svg")
    assert svg["role"] == "img"
    assert svg["aria-label"]
    return text


def test_the_report_of_a_start_holds_claim_verdict_why_and_certificate(start):
    text = page_of(start)
    for said in (
        "arXiv 2508.09628v1",
        "first fails at t = 224",
        "for ever",
        "first violation at state 225, label 224 (index update, tie low).",
        "&quot;k1&quot;: &quot;225&quot;",
        "python -m sweeps reproduce",
    ):
        assert said in text
    assert "Not accepted" not in text


def test_the_report_says_so_if_the_checker_does_not_accept_the_certificate(start):
    certificate = json.loads((start / "certificate.json").read_text())
    (start / "certificate.json").write_text(json.dumps(certificate | {"k1": "224", "label": "223"}))
    text = page_of(start, code=1)
    assert "Not accepted by the checker" in text
    assert "certificate.json is not the file that the record&#x27;s sha256 names" in text


def test_the_report_says_so_if_the_certificate_is_another_start_s(start):
    assert main(["attention", "--tokens", "3;-1", "--certificate", str(start / "certificate.json")]) == 0
    record = record_of(start)
    record["sha256"]["certificate.json"] = hashlib.sha256((start / "certificate.json").read_bytes()).hexdigest()
    (start / "run.json").write_text(json.dumps(record))
    assert "This certificate is not of this start." in page_of(start)
    assert "first violation at state 576" not in page_of(start)


def test_the_report_of_a_survey_holds_the_shares(survey):
    text = page_of(survey)
    assert "<td>ever</td><td>1.0000</td>" in text
    assert "Certificate" not in text


@pytest.mark.parametrize("made", ["start", "survey"])
def test_reproduce_repeats_it_and_compares(made, request, capsys):
    folder = request.getfixturevalue(made)
    rows = record_of(folder)["rows"]
    assert main(["reproduce", str(folder), "--jobs", "2"]) == 0
    count = f"{len(rows)} row{'s' * (len(rows) > 1)}"
    assert capsys.readouterr().out == f"the same: {count} and the verdict\n"
    assert record_of(folder.with_name(f"{made}-again"))["rows"] == rows


@pytest.mark.parametrize(
    ("made", "name", "value"), [("start", "from_k", "227"), ("survey", "k1", "5"), ("survey", "events", None)]
)
def test_reproduce_names_what_differs_even_if_the_hash_was_forged(made, name, value, request, capsys):
    folder = request.getfixturevalue(made)
    record = record_of(folder)
    before = record["rows"][-1][name]
    record["rows"][-1][name] = value
    record["sha256"]["rows"] = rows_hash(record["rows"])
    (folder / "run.json").write_text(json.dumps(record))
    assert main(["reproduce", str(folder)]) == 1
    where = f"k = {record['rows'][-1]['k']}, {name}"
    assert capsys.readouterr().out == f"different: {where}: recorded {value!r}, now {before!r}\n"


def test_reproduce_refuses_a_record_whose_tokens_were_changed(start, capsys):
    record = record_of(start)
    record["parameters"]["tokens"] = [["3"], ["-1"]]
    (start / "run.json").write_text(json.dumps(record))
    assert main(["reproduce", str(start)]) == 1
    assert "does not belong to the record's claim, parameters" in capsys.readouterr().out


def test_export_writes_starts_as_rows(start, survey, tmp_path):
    table, lines = tmp_path / "rows.csv", tmp_path / "rows.jsonl"
    assert main(["export", str(survey), str(table)]) == 0
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [{**row, "k": int(row["k"])} for row in rows] == record_of(survey)["rows"]
    assert main(["export", str(start), str(table)]) == 0
    with table.open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert json.loads(row["first_violation"]) == {"k": "225", "t": "224"}
    assert main(["export", str(start), str(lines)]) == 0
    assert json.loads(lines.read_text()) == record_of(start)["rows"][0]


def test_an_interrupted_survey_is_shown_exported_and_not_yet_reported_or_compared(tmp_path, capsys):
    arguments = ["--random", "3,2", "--count", "100000", "--jobs", "1", "--out", "run"]
    command = [sys.executable, "-m", "sweeps", "attention", *arguments]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    folder, until = tmp_path / "run", time.monotonic() + 60
    while not (folder / "rows.sqlite").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    done = int(said.split(" of 100000 starts are kept in run")[0].split()[-1])
    assert main(["show", str(folder)]) == 0
    assert f"interrupted: {done} of 100000 starts; its command goes on" in capsys.readouterr().out
    assert main(["export", str(folder), str(tmp_path / "rows.csv")]) == 0
    assert capsys.readouterr().out.startswith(f"{done} rows written")
    for command in ("report", "reproduce"):
        assert main([command, str(folder)]) == 2
        assert "must be finished to be " in capsys.readouterr().err


def test_a_survey_s_store_that_cannot_be_read_is_said_in_one_line(survey, tmp_path, capsys):
    (survey / "rows.sqlite").write_text("no database")
    assert main(["export", str(survey), str(tmp_path / "rows.csv")]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("run must hold a readable rows.sqlite; ")
    assert printed.count("\n") == 1
