"""Runs read back: shown, listed, exported, reproduced, reported."""

import json
import sqlite3
import sys

import pytest
from pages import Page
from runs import MINE, SMALL, stored

import sweeps
from sweeps.commands import main
from sweeps.plan import run_id_of
from sweeps.recorded import IDENTITY
from sweeps.store import rows_hash


def test_show_prints_a_run_in_progress_without_deciding(finished, capsys):
    with sqlite3.connect(finished / "rows.sqlite") as db:
        db.execute("DELETE FROM blocks WHERE k = 16 OR block > 3")
    db.close()
    record = json.loads((finished / "run.json").read_text()) | {"state": "running"}
    begun = {name: value for name, value in record.items() if name not in ("finding", "growth", "rows", "blocks")}
    (finished / "run.json").write_text(json.dumps(begun))
    assert main(["show", str(finished)]) == 0
    printed = capsys.readouterr().out
    assert "stopped: 16 of 40 blocks" in printed  # it says running, and nobody holds it
    assert "So far, and deciding nothing" in printed
    assert main(["show", str(finished / "run.json"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["k"] for row in document["rows"]] == [4, 6, 8, 11]
    assert document["finding"]["verdict"] == "inconclusive"
    assert main(["report", str(finished)]) == 0
    text = (finished / "report.html").read_text(encoding="utf-8")
    assert "<title>stopped: chen2026</title>" in text
    assert "<p>So far, and deciding nothing: " in text


class ReadOnly(sqlite3.Connection):
    """SQLite where it can't make the files that go with a write-ahead log."""

    def execute(self, *_):
        raise sqlite3.OperationalError("unable to open database file")


def test_a_run_on_a_read_only_medium_is_shown_if_its_log_is_empty(finished, monkeypatch, capsys):
    connect = sqlite3.connect

    def connect_read_only(name, **how):
        return connect(name, **how, factory=sqlite3.Connection if "immutable=1" in name else ReadOnly)

    monkeypatch.setattr(sqlite3, "connect", connect_read_only)
    assert main(["show", str(finished)]) == 0
    assert "finished: 40 of 40 blocks" in capsys.readouterr().out
    (finished / "rows.sqlite-wal").write_text("blocks that are only here")
    assert main(["show", str(finished)]) == 2
    assert capsys.readouterr().err.startswith("run must hold a readable rows.sqlite; ")


def test_show_says_that_the_code_has_changed_since(finished, capsys):
    record = json.loads((finished / "run.json").read_text())
    record["code"] = "0" * 16
    identity = {name: record[name] for name in IDENTITY} | {"claim": record["claim"]["id"]}
    (finished / "run.json").write_text(json.dumps(record | {"run_id": run_id_of(identity)}))
    for command in (["show"], ["report"], ["export"]):
        file = [str(finished / "rows.csv")] if command == ["export"] else []
        assert main([*command, str(finished), *file]) == 0
        assert capsys.readouterr().err.startswith("code: the run was made with 0000000000000000, this is ")
    assert "<strong>Warning</strong>: code: the run was made with 0" in (finished / "report.html").read_text()


@pytest.mark.parametrize("lost", ["parameters", "seed", "looks"])
def test_show_names_what_a_record_lacks(finished, lost, capsys):
    record = json.loads((finished / "run.json").read_text())
    del record[lost]
    (finished / "run.json").write_text(json.dumps(record))
    assert main(["show", str(finished)]) == 2
    assert capsys.readouterr().err == f"run.json must have parameters, seed and looks; '{lost}' is wrong or missing\n"


def test_runs_lists_state_and_verdict(finished, capsys):
    assert main(["runs", str(finished.parent), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["runs"]
    assert row["run"] == str(finished)
    assert (row["state"], row["verdict"], row["claim"]) == ("finished", "inconclusive", "chen2026")


def test_export_writes_the_rows(finished, tmp_path):
    rows = sweeps.run("paging", **SMALL).rows
    assert main(["export", str(finished), str(tmp_path / "rows.jsonl")]) == 0
    assert [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()] == rows
    assert main(["export", str(finished), str(tmp_path / "rows.csv")]) == 0
    lines = (tmp_path / "rows.csv").read_text().splitlines()
    assert lines[0].split(",") == list(rows[0])
    assert len(lines) == 6
    assert main(["export", str(finished), str(tmp_path / "rows.xls")]) == 2


def test_export_to_parquet_reads_back_or_says_what_is_missing(finished, tmp_path, monkeypatch, capsys):
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    assert main(["export", str(finished), str(tmp_path / "rows.parquet")]) == 0
    assert parquet.read_table(tmp_path / "rows.parquet").to_pylist() == sweeps.run("paging", **SMALL).rows
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["export", str(finished), str(tmp_path / "more.parquet")]) == 2
    assert "only where pyarrow is installed; take .csv or .jsonl" in capsys.readouterr().err


def test_runs_lists_the_others_beside_a_damaged_one(finished, capsys):
    damaged = finished.with_name("damaged")
    damaged.mkdir()
    (damaged / "run.json").write_text("{")
    assert main(["runs", str(finished.parent), "--json"]) == 0
    printed = capsys.readouterr()
    assert [row["run"] for row in json.loads(printed.out)["runs"]] == [str(finished)]
    assert printed.err == f"run must have a run.json as a run writes it; {damaged / 'run.json'} is another file\n"


def test_runs_of_a_folder_that_is_not_there_are_refused(tmp_path, capsys):
    assert main(["runs", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"directory must be a folder of runs; there is no {tmp_path / 'none'}\n"


def test_reproduce_repeats_a_run_bit_for_bit(finished, capsys):
    assert main(["reproduce", str(finished / "run.json")]) == 0
    assert capsys.readouterr().out == "the same: 5 rows and the verdict\n"
    assert stored(finished) == stored(finished.with_name("run-again"))


def _changed(record, *path, value):
    for name in path[:-1]:
        record = record[name]
    record[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("rows", 0, "cost"), 2.0, "the record's rows are not those"),
        (("parameters", "tau"), 1, "run_id"),
        (("seed",), "1", "run_id"),
        (("rows",), None, "the record has no rows"),
        (("finding", "verdict"), "falsified", "verdict: recorded falsified, now inconclusive"),
    ],
)
def test_reproduce_reports_a_record_that_was_changed(finished, capsys, path, value, says):
    record = json.loads((finished / "run.json").read_text())
    _changed(record, *path, value=value)
    (finished / "run.json").write_text(json.dumps(record))
    assert main(["reproduce", str(finished)]) == 1
    assert says in capsys.readouterr().out


def forged(folder, change):
    """Change the record and make its hash fit."""
    record = json.loads((folder / "run.json").read_text())
    change(record)
    record["sha256"]["rows"] = rows_hash(record["rows"])
    (folder / "run.json").write_text(json.dumps(record))


def test_reproduce_names_the_first_row_that_differs_even_if_its_hash_was_forged(finished, capsys):
    forged(finished, lambda record: record["rows"][2].update(phases=65))
    assert main(["reproduce", str(finished)]) == 1
    assert capsys.readouterr().out == "different: k = 8, phases: recorded 65, now 64\n"


def test_reproduce_counts_rows(finished, capsys):
    forged(finished, lambda record: record["rows"].pop())
    assert main(["reproduce", str(finished)]) == 1
    assert capsys.readouterr().out == "different: 4 rows recorded, 5 now\n"


@pytest.mark.parametrize(("numpy", "code"), [(None, 1), ("1.26.0", 0)])
def test_floats_are_compared_bit_for_bit_on_the_same_numpy_and_closely_on_another(finished, numpy, code, capsys):
    def change(record):
        record["rows"][2]["cost"] *= 1 + 1e-12
        record["versions"]["numpy"] = numpy or record["versions"]["numpy"]

    forged(finished, change)
    assert main(["reproduce", str(finished)]) == code
    assert capsys.readouterr().out.startswith("different: k = 8, cost: recorded " if code else "the same: 5 rows")


def test_impossible_jobs_are_refused(finished, capsys):
    assert main(["reproduce", str(finished), "--jobs", "0"]) == 2
    assert capsys.readouterr().err == "jobs must be at least 1; got 0\n"


def damaged_policy(_folder, record):
    record["parameters"]["policy"] = "onlinemin"


def damaged_rows(_folder, record):
    record["rows"][1]["cost"] += 1


def damaged_blocks(_folder, record):
    record["blocks"]["6"] = 7


def no_blocks(_folder, record):
    del record["blocks"]


def damaged_figure(folder, _record):
    (folder / "additive.svg").write_text("<svg/>")


def damaged_store(folder, _record):
    with sqlite3.connect(folder / "rows.sqlite") as db:
        (text,) = db.execute("SELECT sums FROM blocks WHERE k = 8 AND block = 0").fetchone()
        sums = json.loads(text)
        db.execute(
            "UPDATE blocks SET sums = ? WHERE k = 8 AND block = 0", (json.dumps(sums | {"cost": sums["cost"] + 1}),)
        )
    db.close()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damaged_policy, "run_id "),
        (damaged_rows, "the record's rows are not those that its sha256 names"),
        (damaged_blocks, "finished, but k = 6 has 7 of 8 blocks"),
        (no_blocks, "the record has no blocks, the number done of each point"),
        (damaged_figure, "additive.svg is not the file that the record's sha256 names"),
        (damaged_store, "rows.sqlite makes other rows than run.json has: k = 8, cost: recorded "),
    ],
)
def test_what_contradicts_itself_is_shown_with_a_warning_and_exit_code_1(finished, damage, said, capsys):
    record = json.loads((finished / "run.json").read_text())
    damage(finished, record)
    (finished / "run.json").write_text(json.dumps(record))
    for command in (["show"], ["report"], ["export"]):
        file = [str(finished / "rows.csv")] if command == ["export"] else []
        assert main([*command, str(finished), *file]) == 1
        assert said in capsys.readouterr().err
    assert f"<strong>Warning</strong>: {said.replace(chr(39), '&#x27;')}" in (finished / "report.html").read_text()
    assert main(["show", str(finished), "--json"]) == 1
    assert any(doubt.startswith(said) for doubt in json.loads(capsys.readouterr().out)["doubts"])
    if damage is not damaged_store:  # a run is reproduced from run.json alone
        assert main(["reproduce", str(finished)]) == 1
        assert capsys.readouterr().out.startswith(f"different: {said}")


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("finding", "sentence"), "toy: all is well.", "sentence: recorded toy: all is well., now inconclusive"),
        (("growth", "mde"), 1e-9, "growth: recorded {"),
        (("claim", "statement"), "cost <= 1.01 OPT", "claim: recorded cost <= 1.01 OPT, now cost <= (H_k + O(1)) OPT"),
    ],
)
def test_reproduce_compares_claim_sentence_and_figures(finished, path, value, said, capsys):
    record = json.loads((finished / "run.json").read_text())
    _changed(record, *path, value=value)
    (finished / "run.json").write_text(json.dumps(record))
    assert main(["reproduce", str(finished)]) == 1
    assert capsys.readouterr().out.startswith(f"different: {said}")


def test_the_claim_of_a_run_is_the_one_it_was_run_for(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(MINE)
    assert main([str(tmp_path / "mine.py"), "--k-max", "64", "--out", str(tmp_path / "run"), "--quiet"]) == 0
    (tmp_path / "mine.py").write_text(MINE.replace("has H_k + O(1) records", "has O(1) records"))
    capsys.readouterr()
    assert main(["show", str(tmp_path / "run")]) == 0
    shown = capsys.readouterr()
    assert "claim mine: a random order of k things has H_k + O(1) records in the mean" in shown.out
    assert shown.err == ""  # the directory has the file as it was
    assert main(["reproduce", str(tmp_path / "run")]) == 0
    (tmp_path / "run" / "mine.py").unlink()
    (tmp_path / "mine.py").write_text(MINE.replace("has H_k + O(1)", "has O(1)").replace("return 0", "return 0.25"))
    assert main(["export", str(tmp_path / "run"), str(tmp_path / "rows.jsonl")]) == 0
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert {row["additive_exact"] for row in rows} == {0.0}  # as it was recorded
    assert main(["report", str(tmp_path / "run")]) == 0
    assert "code: the run was made with " in capsys.readouterr().err
    text = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "has H_k + O(1) records" in text
    assert "has O(1) records" not in text
    assert "<strong>Warning</strong>: code: the run was made with " in text
    assert main(["reproduce", str(tmp_path / "run")]) == 1
    assert "different: claim: recorded a random order of k things has H_k" in capsys.readouterr().out


def test_report_is_one_well_formed_page_that_fetches_nothing(finished):
    assert main(["report", str(finished)]) == 0
    text = (finished / "report.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.fetches == []
    tags = [tag for tag, _ in page.seen]
    assert "script" not in tags
    assert tags.count("h1") == 1
    assert tags.count("tr") == 6
    svg = next(attributes for tag, attributes in page.seen if tag == "svg")
    assert svg["role"] == "img"
    assert "k = 16" in svg["aria-label"]
    for said in ("Chen, Zhao, Tang", "would have seen", "inconclusive", "python -m sweeps reproduce"):
        assert said in text


@pytest.mark.parametrize("command", ["show", "report", "reproduce"])
def test_what_is_no_run_is_refused_in_one_line(command, tmp_path, capsys):
    (tmp_path / "run.json").write_text("[1]")
    assert main([command, str(tmp_path)]) == 2
    said = f"run must have a run.json as a run writes it; {tmp_path / 'run.json'} is another file\n"
    assert capsys.readouterr().err == said
    assert main([command, str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"run must be a run directory with a run.json; got {tmp_path / 'none'}\n"


def test_an_interrupted_run_says_so_and_is_not_compared(tmp_path, capsys):
    def stop(_plan, blocks):
        if len(blocks) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweeps.run("paging", **SMALL, out=tmp_path / "run", progress=stop)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["state"] == "interrupted"
    assert main(["reproduce", str(tmp_path / "run")]) == 2
    assert "run must be finished to be compared" in capsys.readouterr().err
