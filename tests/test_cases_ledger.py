"""The ledger: classes of papers from claim verdicts, good files and bad ones."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.__main__ import main
from cases.claim import VERDICTS
from cases.ledger import CLASSES, EXAMPLE, paper_class, paper_classes, read


def record(verdicts, *, paper="p", at="2026-08-01T10:00:00Z", **more):
    return {"orid": paper, "judged_at": at, "claims": [{"verdict": v, "evidence": "..."} for v in verdicts], **more}


@pytest.mark.parametrize(
    ("teams", "expected"),
    [
        ([["verified", "toy"], ["falsified", "toy"]], "contested"),
        ([["verified", "toy"], ["toy", "falsified"]], "verified and falsified"),
        ([["falsified", "toy"], ["inconclusive", "falsified"]], "falsified"),
        ([["verified", "inconclusive"], ["toy", "verified"]], "fully verified"),
        ([["verified", "inconclusive"]], "partly verified"),
        ([["inconclusive", "toy"], ["inconclusive"]], "toy"),
        ([["inconclusive"]], "nothing"),
        ([[]], "nothing"),
    ],
)
def test_the_class_follows_the_precedence(teams, expected):
    ledger = paper_classes({f"team{i}/x": record(verdicts) for i, verdicts in enumerate(teams)})
    assert ledger.papers == {"p": expected}
    assert ledger.classes == {name: int(name == expected) for name in CLASSES}


claim_sets = st.lists(st.sets(st.sampled_from(VERDICTS), min_size=1), max_size=5)


@given(claim_sets, st.randoms())
def test_the_class_does_not_depend_on_the_order_of_claims(claims, random):
    shuffled = claims[:]
    random.shuffle(shuffled)
    assert paper_class(claims) == paper_class(shuffled)
    assert paper_class(claims) in CLASSES


@given(claim_sets)
def test_one_more_falsified_claim_never_leaves_a_paper_without_a_falsification(claims):
    assert "falsified" in paper_class([*claims, {"falsified"}]) or paper_class(claims) == "contested"


def test_of_a_teams_records_on_a_paper_the_earliest_counts_in_any_order_and_time_zone():
    early = record(["toy"], at="2026-08-01T10:00:00+02:00")
    late = record(["verified"], at="2026-08-01T09:00:00Z")
    for first, second in itertools.permutations([("ann/a", early), ("ann/b", late)]):
        ledger = paper_classes(dict([first, second]))
        assert (ledger.papers, ledger.records, ledger.later, ledger.teams) == ({"p": "toy"}, 1, 1, 1)


def test_two_teams_on_one_paper_are_both_counted():
    ledger = paper_classes({"ann/p": record(["verified"]), "bob/p": record(["toy"])})
    assert (ledger.records, ledger.teams, ledger.later) == (2, 2, 0)
    assert ledger.points == 3


def test_claims_are_matched_by_name_where_they_have_one():
    ann = {
        "orid": "p",
        "judged_at": "2026-08-01",
        "claims": [{"id": "a", "verdict": "verified"}, {"id": "b", "verdict": "toy"}],
    }
    bob = {"orid": "p", "judged_at": "2026-08-02", "claims": [{"id": "b", "verdict": "falsified"}]}
    assert paper_classes({"ann/p": ann, "bob/p": bob}).papers == {"p": "verified and falsified"}
    bob["claims"][0]["id"] = "a"
    assert paper_classes({"ann/p": ann, "bob/p": bob}).papers == {"p": "contested"}


def test_a_list_of_records_with_space_ids_says_the_same_as_an_object():
    keyed = {"ann/p": record(["verified"]), "bob/p": record(["falsified"])}
    listed = [{**entry, "space_id": space} for space, entry in keyed.items()]
    assert paper_classes(keyed) == paper_classes(listed)


def test_a_participants_row_of_249_claims_makes_297_points():
    verdicts = ["verified"] * 118 + ["falsified"] * 3 + ["toy"] * 55 + ["inconclusive"] * 73
    ledger = paper_classes({"ann/p": record(verdicts)})
    assert ledger.points == 297
    assert ledger.verdicts == {"verified": 118, "falsified": 3, "toy": 55, "inconclusive": 73}


BAD = {
    "not JSON": ('{"a": ', "must be JSON"),
    "empty": ("", "must be JSON"),
    "a number": ("3", "verdicts must be an object keyed by Space id, or a list; got int"),
    "a record that is no object": ('{"a/b": 1}', "record 'a/b' must be an object; got int"),
    "no orid": ('{"a/b": {"judged_at": "2026-08-01", "claims": []}}', "record 'a/b' must have orid"),
    "no time": ('{"a/b": {"orid": "p", "claims": []}}', "record 'a/b' must have judged_at"),
    "a bad time": ('{"a/b": {"orid": "p", "judged_at": "soon", "claims": []}}', "must have judged_at, an ISO time"),
    "a time before all": (
        '{"a/b": {"orid": "p", "judged_at": "0001-01-01T00:00:00+10:00", "claims": []}}',
        "must have judged_at, an ISO time",
    ),
    "no claims": ('{"a/b": {"orid": "p", "judged_at": "2026-08-01"}}', "must have claims, a list"),
    "a claim that is no object": (
        '{"a/b": {"orid": "p", "judged_at": "2026-08-01", "claims": ["verified"]}}',
        "claim 1, must be an object",
    ),
    "an unknown verdict": (
        '{"a/b": {"orid": "p", "judged_at": "2026-08-01", "claims": [{"verdict": "true"}]}}',
        "claim 1, verdict must be one of verified, falsified, toy, inconclusive; got 'true'",
    ),
    "a list without spaces": ('[{"orid": "p", "judged_at": "2026-08-01", "claims": []}]', "must have space_id"),
    "a key twice": ('{"a/b": 1, "a/b": 2}', "key 'a/b' must be there once; it is there twice"),
    "deep nesting": ("[" * 100_000, "must be"),
    "a huge verdict": (
        json.dumps({"a/b": record(["x" * 10_000])}),
        "got 'xxx",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gets_one_clear_line_and_exit_code_2(name, tmp_path, capsys):
    text, says = BAD[name]
    path = tmp_path / "verdicts.json"
    path.write_text(text)
    assert main(["ledger", str(path)]) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")
    assert len(printed.err) < 500


def test_a_file_of_other_bytes_and_one_that_is_not_there_are_refused(tmp_path, capsys):
    path = tmp_path / "verdicts.json"
    path.write_bytes(b"\xff\xfe\x00{")
    assert main(["ledger", str(path)]) == 2
    assert main(["ledger", str(tmp_path / "missing")]) == 2
    assert main(["ledger", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_the_table_has_a_line_a_class_and_json_every_paper(tmp_path, capsys):
    path = tmp_path / "verdicts.json"
    path.write_text("\ufeff" + json.dumps({"ann/p": record(["verified"]), "ann/q": record(["toy"], paper="q")}))
    assert main(["ledger", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 papers, 2 records of 1 teams, 3 points"
    assert [line.split("%  ")[1] for line in lines[1:-1]] == list(CLASSES)
    assert main(["ledger", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == read(path).to_dict()
    assert document["papers"] == {"p": "fully verified", "q": "toy"}


def test_a_hundred_thousand_records_are_handled(tmp_path, capsys):
    path = tmp_path / "verdicts.json"
    names = ((f"team{i % 700}/space{i}", f"paper{i % 2176}") for i in range(100_000))
    path.write_text(json.dumps({space: record(["verified", "toy"], paper=paper) for space, paper in names}))
    assert main(["ledger", str(path)]) == 0
    assert capsys.readouterr().out.startswith("2176 papers, 100000 records of 700 teams")


def test_the_example_of_the_help_is_a_ledger():
    example = EXAMPLE.partition("\n")[2]
    assert paper_classes(json.loads(example)).papers == {"p7": "partly verified"}
