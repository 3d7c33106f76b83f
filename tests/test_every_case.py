"""What every case keeps, found by its file name: no case is named here."""

import functools
import importlib
import importlib.util
import json
import subprocess
import sys

import pytest

import cases
from cases.claim import VERDICTS


@functools.cache
def quick(name):
    return cases.check(name, quick=True)


@pytest.fixture(params=cases.names())
def name(request):
    return request.param


def test_its_verdict_and_its_controls_are_the_expected_ones(name):
    checked = quick(name)
    assert checked.finding.verdict == checked.case.expected
    assert checked.control.verdict == checked.case.expected_control
    assert checked.as_expected


def test_its_control_is_told_apart_from_the_claim(name):
    case = cases.find(name)
    assert case.expected != case.expected_control


def test_it_says_the_same_after_a_round_trip_through_json(name):
    document = quick(name).to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    wanted = {"case", "claim", "verdict", "evidence", "sentence", "control_verdict", "seconds", "reached"}
    assert document.keys() >= wanted


def test_it_names_its_source_and_a_link(name):
    claim = cases.find(name).claim
    assert claim.link.startswith("https://")
    assert name.startswith(claim.id)


def test_a_toy_says_what_was_not_excluded(name):
    checked = quick(name)
    for finding in (checked.finding, checked.control):
        if finding.verdict == "toy":
            assert "not excluded" in finding.sentence.lower()


def test_statistical_evidence_never_verifies(name):
    checked = quick(name)
    for finding in (checked.finding, checked.control):
        assert (finding.verdict, finding.evidence) != ("verified", "statistical")


@pytest.mark.skipif(importlib.util.find_spec("exact.verify") is None, reason="the checker is not there")
def test_its_certificates_are_accepted_by_the_independent_checker(name):
    verify = importlib.import_module("exact.verify")
    checked = quick(name)
    for certificate in (*checked.finding.certificates, *checked.control.certificates):
        assert verify.check_text(json.dumps(certificate))


def test_its_certificates_are_text_lists_and_objects_only(name):
    def leaves(value):
        if isinstance(value, dict | list):
            for entry in value.values() if isinstance(value, dict) else value:
                yield from leaves(entry)
        else:
            yield value

    checked = quick(name)
    for certificate in (*checked.finding.certificates, *checked.control.certificates):
        assert all(isinstance(leaf, str) for leaf in leaves(certificate))
        assert certificate["statement"]


def test_it_is_found_without_numpy_or_numba(name):
    script = "import sys, cases; cases.find(sys.argv[1]); assert not {'numpy', 'numba'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script, name], check=True)


def test_it_expects_verdicts_of_the_challenge(name):
    case = cases.find(name)
    assert {case.expected, case.expected_control} <= set(VERDICTS)


@pytest.mark.slow
def test_in_full_it_is_as_expected_too(name):
    assert cases.check(name).as_expected


def test_twice_it_finds_the_same(name):
    again = cases.check(name, quick=True)
    assert again.finding.to_dict() == quick(name).finding.to_dict()
    assert again.control.to_dict() == quick(name).control.to_dict()


def test_its_figures_are_drawn_where_it_is_told(name, tmp_path):
    written = quick(name).write(tmp_path)
    assert sorted(written) == sorted(tmp_path.iterdir())
    assert len([path for path in written if path.suffix == ".svg"]) == len(quick(name).finding.figures)
