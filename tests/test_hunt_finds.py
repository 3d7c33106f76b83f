"""Hunts that must find: the attention theorem, weakened paging bounds, planted defects, rare violations."""

import json
import subprocess
import sys
from fractions import Fraction

import pytest
from planted import PLANTS, claim_file

import exact
from exact import harmonic
from sweeps.hunting import assert_claim, hunt, target
from sweeps.hunting.repaired import frank_wolfe as repaired
from sweeps.hunting.requests import marker, onlinemin, rpb_om

RARE = """
from hypothesis import strategies as st
CLAIM = "no pair is (617, 383)"
instances = st.tuples(st.integers(0, 999), st.integers(0, 999))
def gap(pair):
    return 1 - abs(pair[0] - 617) - abs(pair[1] - 383)
"""


@pytest.mark.parametrize("seed", range(4))
def test_attention_theorem_falls_and_shrinks_to_three_tokens_of_one_digit(seed):
    found = hunt("alcalde2025_frank_wolfe", seconds=30, seed=seed)
    assert found.found
    tokens = [[int(x) for x in row] for row in found.instance]
    assert len(tokens) == 3 == len({tuple(row) for row in tokens})
    assert all(abs(x) <= 9 for row in tokens for x in row)
    assert exact.check(found.certificate).startswith("first violation at state")


def test_shrunk_tokens_are_a_local_minimum():
    found = hunt("alcalde2025_frank_wolfe", seconds=30, seed=5)
    claim = target("alcalde2025_frank_wolfe")
    points = tuple(tuple(map(int, row)) for row in found.instance)
    assert not [one for one in claim.smaller(points) if claim.size(one) < claim.size(points) and claim.gap(one) > 0]


def test_violation_is_the_same_under_every_tie_rule():
    import sweeps

    found = hunt("alcalde2025_frank_wolfe", seconds=30, seed=3)
    firsts = {sweeps.simulate("attention", found.instance, tie=tie).first_violation for tie in ("low", "avg", "stay")}
    assert firsts == {int(found.certificate["k1"])}


def test_late_hunt_finds_a_first_violation_later_than_asked():
    found = hunt("alcalde2025_frank_wolfe", seconds=30, seed=2, after=1000)
    assert int(found.certificate["label"]) > 1000
    exact.check(found.certificate)


def test_hunt_works_in_three_dimensions():
    found = hunt("alcalde2025_frank_wolfe", seconds=30, seed=2, d=3)
    assert found.found
    assert len(found.instance) == 4


def test_same_seed_finds_the_same():
    one, two = (hunt("alcalde2025_frank_wolfe", seconds=30, seed=9) for _ in range(2))
    assert (one.instance, one.first_find, one.instances_tried) == (two.instance, two.first_find, two.instances_tried)


@pytest.mark.parametrize(
    "claim",
    [
        onlinemin(k=3, bound=lambda k: harmonic(k) - Fraction(1, 10)),
        marker(k=3, bound=lambda k: 2 * harmonic(k) - Fraction(3, 2)),
        rpb_om(k=3, beyond=Fraction(-1, 20)),
        repaired(constant=Fraction(2, 5)),
    ],
    ids=lambda claim: claim.name,
)
def test_weakened_bound_falls(claim):
    found = hunt(claim, seconds=20, seed=1)
    assert found.found
    assert found.certified is (claim.name != "alcalde2025_repaired")  # the checker has no kind for that one
    if found.certified:
        assert " > " in exact.check(found.certificate)


def test_rpb_om_beyond_h_k_shrinks_to_a_lazy_phase():
    """cost > H_k OPT at k = 3 needs one phase: a new page, then the old ones that the predictions evict."""
    found = hunt(rpb_om(k=3, beyond=-exact.additive_term(3)), seconds=20, seed=4)
    assert len(found.instance["requests"]) <= 3
    assert found.instance["requests"][0] == 3


def test_file_with_a_rare_violation_is_found_and_shrunk(tmp_path):
    path = tmp_path / "rare.py"
    path.write_text(RARE)
    found = hunt(path, seconds=60)
    assert (found.instance, found.closest_gap) == ("(617, 383)", "1")


FIRST_FIT = """
from itertools import permutations
from hypothesis import strategies as st
instances = st.lists(st.integers(1, 10), min_size=1, max_size=5)
def bins(items):
    free = []
    for item in items:
        place = next((i for i, room in enumerate(free) if room >= item), len(free))
        free[place : place + 1] = [(free[place] if place < len(free) else 10) - item]
    return len(free)
def gap(items):
    found = bins(items)
    items.sort(reverse=True)
    return found - min(map(bins, permutations(items)))
"""


def test_a_gap_that_sorts_its_instance_in_place_still_finds(tmp_path):
    (tmp_path / "mine.py").write_text(FIRST_FIT)
    found = hunt(tmp_path / "mine.py", seconds=20)
    assert found.found
    items = json.loads(found.instance)
    assert items != sorted(items, reverse=True)  # as it was drawn: in the order of the sorted list there is no gap


@pytest.mark.parametrize("name", PLANTS)
def test_planted_off_by_one_is_found(name, tmp_path):
    assert hunt(claim_file(name, tmp_path), seconds=30, call_seconds=25).found


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_planted_off_by_one_is_found_from_four_more_seeds(name, tmp_path):
    claim = claim_file(name, tmp_path)
    assert all(hunt(claim, seconds=30, seed=seed, call_seconds=25).found for seed in range(1, 5))


def test_assert_claim_says_what_is_violated_and_how_to_keep_it():
    with pytest.raises(AssertionError) as raised:
        assert_claim("alcalde2025_frank_wolfe", seconds=30)
    said = str(raised.value)
    assert "alcalde2025_frank_wolfe is violated: tokens (" in said
    assert "first violation at state" in said
    assert "@example(tokens=((" in said


def test_command_writes_files_and_the_test_in_them_fails(tmp_path):
    command = [sys.executable, "-m", "sweeps", "hunt", "alcalde2025_frank_wolfe", "--seconds", "30"]
    ended = subprocess.run([*command, "--out", tmp_path / "h", "--json"], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    document = json.loads(ended.stdout)
    wanted = {"found", "instance", "certificate", "instances_tried", "closest_gap", "seconds", "seed"}
    assert wanted <= document.keys()
    exact.verify.check_file(tmp_path / "h" / "certificate.json")
    assert (tmp_path / "h" / "example.txt").read_text().startswith("@example(tokens=")
    assert (tmp_path / "h" / "instance.txt").read_text().count("\n") == 1
    failing = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path / "h"], capture_output=True, text=True
    )
    assert failing.returncode == 1
    assert "1 failed" in failing.stdout
