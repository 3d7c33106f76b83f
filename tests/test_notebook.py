"""Results show themselves in a notebook: the sentence, a small table, escaped."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

import cases
import fits
import sweeps

NASTY = "<script>alert(1)</script> & a|b *c* _d_ `e` [f](g)\nh"


class Reader(HTMLParser):
    """Tags that are open, all tags, and the text."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        assert not attrs
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def results():
    run = sweeps.run("paging", k_max=16, replicates=60)
    data = fits.Series([4, 8, 16, 32, 64], [1.0, 1.01, 0.99, 1.0, 1.0], [0.01] * 5, exact=True)
    checked = cases.check("icml2026_units_slip", quick=True)
    return {
        "Run": (run, run.finding["sentence"]),
        "Verdict": (fits.decide(data, fits.Bounded("ln")), "Not evidence for O(1)"),
        "Finding": (checked.finding, checked.finding.sentence),
        "Checked": (checked, checked.case.claim.statement),
        "Answer": (sweeps.simulate("attention", [4, -1]), "first fails at t = 224"),
    }


@pytest.fixture(scope="module")
def shown():
    return results()


@pytest.mark.parametrize("name", ["Run", "Verdict", "Finding", "Checked", "Answer"])
def test_a_result_shows_its_verdict_and_its_sentence_in_html_and_markdown(name, shown):
    result, said = shown[name]
    reader = read(result._repr_html_())
    assert said in reader.text
    assert set(reader.tags) <= {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert len(result._repr_html_()) < 4000
    head = result._repr_markdown_().splitlines()[0]
    assert head.startswith("**")
    verdict = result.reported if name == "Verdict" else getattr(result, "verdict", None) or result.finding
    assert (verdict if isinstance(verdict, str) else getattr(verdict, "verdict", None) or verdict["verdict"]) in (
        result._repr_markdown_()
    )


def test_whatever_a_sentence_holds_it_stays_text(shown):
    run = shown["Run"][0]
    nasty = replace(run, finding={**run.finding, "sentence": NASTY}, simulator=NASTY)
    assert read(nasty._repr_html_()).text.count("<script>alert(1)</script>") == 2
    first = nasty._repr_markdown_().split("\n\n")[0]
    assert "\n" not in first
    for sign in ("<", "|", "*c", "_d", "`", "["):
        assert f"\\{sign}" in first


def test_a_long_table_shows_its_ends(shown):
    run = shown["Run"][0]
    long = replace(run, rows=[{**run.rows[0], "k": k} for k in range(100)])
    lines = long._repr_markdown_().splitlines()
    assert len(lines) == 4 + 12 + 1
    assert lines[-1].startswith("| 99 |")
    assert "| ... |" in "\n".join(lines).replace("\\", "")


def test_markdown_tables_have_equal_rows(shown):
    for result, _ in shown.values():
        table = [line for line in result._repr_markdown_().splitlines() if line.startswith("|")]
        assert len({line.replace("\\|", "").count("|") for line in table}) <= 1
