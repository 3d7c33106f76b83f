"""The strategies give what they promise, shrink small, and are found by type once installed."""

import importlib.util
import random
import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, find, given, settings
from hypothesis import strategies as st

import exact
from sweeps import strategies
from sweeps.hunting import expected, kernels
from sweeps.simulators.paging import enumeration
from sweeps.strategies.attention import KINDS
from sweeps.strategies.paging import next_arrivals

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_origin_is_in_the_hull_of_drawn_tokens(kind, data):
    d = data.draw(st.integers(1, 3))
    tokens = data.draw(strategies.token_configurations(d=d, max_tokens=d + 4, kinds=(kind,)))
    assert all(len(row) == d for row in tokens.points)
    assert len(tokens.points) <= d + 4
    assert exact.hull([tuple(map(Fraction, row)) for row in tokens.points]).weights is not None
    assert (tokens.b is not None) == (kind == "singular")


@settings(max_examples=30)
@given(tokens=strategies.token_configurations(d=3, kinds=("singular",)))
def test_singular_b_is_singular_symmetric_and_accepted(tokens):
    import sweeps

    assert round(float(np.linalg.det(np.array(tokens.b, float)))) == 0
    assert np.array(tokens.b).any()
    sweeps.simulate("attention", tokens.points, b=tokens.b, tie=tokens.tie)


def reached(strategy, condition, seed=0):
    """An instance that Hypothesis finds and shrinks, the same each time."""
    return find(strategy, condition, settings=settings(database=None), random=random.Random(seed))


def test_every_kind_of_delicate_start_is_reached():
    near = reached(strategies.token_configurations(kinds=("near-antipodal",)), lambda tokens: _antipodal(tokens.points))
    assert len(near.points) <= 7
    boundary = strategies.token_configurations(d=1, kinds=("boundary",))
    assert reached(boundary, lambda tokens: min(tokens.points) == (0,) < max(tokens.points)).points[-1] == (0,)


def _antipodal(points):
    """Two tokens a unit from being opposite, not exactly."""
    sums = [max(abs(a + b) for a, b in zip(x, y, strict=True)) for x in points for y in points if any(x)]
    return 1 in sums


def shrunk_tokens(seed):
    """A first violation, found and shrunk by Hypothesis alone."""
    import sweeps

    return reached(
        strategies.token_configurations(d=1),
        lambda tokens: (
            len(set(tokens.points)) > 1 and sweeps.simulate("attention", tokens.points).first_violation is not None
        ),
        seed,
    ).points


def test_tokens_shrink_to_few_small_ones():
    """Three tokens always; coordinates of 3 at most but where a shrink ends among those that are scaled by ten."""
    found = [shrunk_tokens(seed) for seed in range(20)]
    assert all(len(points) <= 3 for points in found)
    assert sum(all(abs(x) <= 3 for row in points for x in row) for points in found) >= 16


@given(one=strategies.paging_instances())
def test_paging_instances_are_well_formed(one):
    assert len(one.predictions) == one.k + len(one.requests)
    assert all(0 <= page < one.k + 3 for page in one.requests)


def test_requests_shrink_to_the_shortest_sequence():
    """Three requests; a few shrinks end at 0 2 1 0, of which every part has fewer faults."""

    def three_faults(requests):
        return enumeration.expected_cost("lru", requests, 2, cache=[0, 1]) >= 3

    found = [len(reached(strategies.request_sequences(k=2), three_faults, seed)) for seed in range(20)]
    assert min(found) == 3
    assert max(found) <= 4
    assert found.count(3) >= 16


@given(requests=strategies.request_sequences(k=3), data=st.data())
def test_predictions_keep_their_error(requests, data):
    true = next_arrivals(requests, k=3)
    drawn = {e: data.draw(strategies.predictions(requests, k=3, errors=e)) for e in ("none", "bounded", "reversed")}
    assert drawn["none"] == true
    assert max(abs(a - b) for a, b in zip(drawn["bounded"], true, strict=True)) <= 3
    assert [len(requests) - x for x in drawn["reversed"]] == list(true)


def test_unknown_error_is_refused():
    with pytest.raises(ValueError, match="errors must be none, bounded, reversed or any; got 'big'"):
        find(strategies.predictions([0], k=1, errors="big"), lambda _: True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kinds": ("bogus",)}, "kinds must be some of inside, boundary,"),
        ({"kinds": ()}, "kinds must be some of inside, boundary,"),
        ({"ties": ("high",)}, "ties must be some of low, avg, stay; got"),
        ({"d": 0}, "d must be at least 1; got 0"),
        ({"d": 3, "max_tokens": 3}, "max_tokens must be at least d . 1 = 4; got 3"),
    ],
    ids=str,
)
def test_unknown_tokens_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        find(strategies.token_configurations(**options), lambda _: True)


@given(grid=strategies.grids())
def test_grids_rise(grid):
    assert list(grid.ks) == sorted(set(grid.ks))
    assert grid.ks[0] >= 2
    assert 1 <= grid.horizon <= 10**6


@given(growth=strategies.growth_data())
def test_growth_data_say_their_slope(growth):
    """From the fifth point on nothing but the slope moves the mean by more than a bounded transient and the noise."""
    assert len(growth.ks) == len(growth.ys) == len(growth.ses) >= 5
    rise = growth.ys[-1] - growth.ys[4]
    grown = growth.slope * Fraction(693147, 10**6) * (len(growth.ks) - 5)
    assert abs(rise - grown) <= 4 * growth.ses[0] + Fraction(3, 8)
    assert growth.slope >= 0


def test_growing_and_bounded_data_are_both_reached():
    assert reached(strategies.growth_data(), lambda growth: growth.slope > 0).slope == Fraction(1, 100)
    assert reached(strategies.growth_data(), lambda growth: growth.slope == 0).slope == 0


@settings(max_examples=60)
@given(one=strategies.paging_instances(max_k=3, max_requests=6, new_pages=2), tau=st.integers(0, 1), data=st.data())
def test_exact_expectations_equal_the_reference_over_all_coin_flips(one, tau, data):
    budget = data.draw(st.sampled_from(["on-fault", "on-request"]))
    k, requests = one.k, one.requests
    assume(expected.opt_cost(k, requests) <= 3)
    rule = expected.rule_of(k, requests, one.predictions, tau, budget)
    slow = enumeration.expected_cost(
        "rpb-om", requests, k, cache=range(k), predictions=one.predictions, tau=tau, budget=budget
    )
    assert expected.expected_cost(k, requests, rule) == slow
    assert expected.expected_cost(k, requests) == enumeration.expected_cost("onlinemin", requests, k, cache=range(k))
    assert expected.marker_cost(k, requests) == enumeration.expected_cost("marker", requests, k, cache=range(k))


@settings(max_examples=40)
@given(
    one=strategies.paging_instances(k=10, max_requests=20, new_pages=2), tau=st.integers(0, 2), seed=st.integers(0, 99)
)
def test_sampled_cost_counts_the_reference_s_faults(one, tau, seed):
    """The scout's kernel, one row of priorities at a time."""
    from sweeps.simulators.paging import reference

    n, requests = len(one.requests), np.array(one.requests)
    draws = np.random.default_rng(seed).random(one.k + n)
    walk = (np.zeros((n, 12), np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64))
    kernels.walk_layers(one.k, requests, *walk)
    most = np.array([expected.most_that_earns(y) for y in range(one.k + 1)])
    arrival = np.array(one.predictions, float)
    fast = kernels.sampled_cost(walk, requests, arrival, draws[None], (one.k, 1, tau, 0), most)
    slow = reference.run(
        "rpb-om", one.requests, k=one.k, cache=range(one.k), predictions=one.predictions, draws=draws.tolist(), tau=tau
    )
    assert fast == sum(slow.faults)


@given(tokens=strategies.token_configurations(d=2))
def test_closeness_agrees_with_the_simulator_s_scout(tokens):
    from sweeps.hunting.tokens import scouted
    from sweeps.simulators.attention.scout import scout

    assume(len(set(tokens.points)) > 1)
    first = scout(np.array(tokens.points, float), horizon=300).first
    assert scouted(tokens.points, 300)[0] == (-1 if first is None else first)


FROM_TYPE = (
    "import hypothesis, sys\n"
    "from hypothesis import strategies as st\n"
    "assert 'numpy' not in sys.modules, 'the entry point must load nothing heavy'\n"
    "from sweeps.strategies import Grid, Growth, Paging, Tokens\n"
    "for kind in (Grid, Growth, Paging, Tokens):\n"
    "    assert isinstance(hypothesis.find(st.from_type(kind), lambda _: True), kind)\n"
    "assert hypothesis.find(st.from_type(Tokens), lambda t: len(t.points) > 3).points[-1] is not None\n"
    "print(hypothesis.settings.get_profile('claimsweep-jit').deadline, sys.modules['sweeps'].__file__)\n"
)


def test_types_are_found_through_the_entry_point_of_pyproject(tmp_path):
    """The entry point as an installer writes it, in metadata beside the sources."""
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"][
        "hypothesis"
    ]
    info = tmp_path / "hunted-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hunted\nVersion: 1\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[hypothesis]\n{lines}")
    script = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]\n{FROM_TYPE}"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("None ")


def test_importing_sweeps_loads_no_hypothesis():
    script = "import sweeps, sweeps.hunting, sweeps.strategies, sys; assert 'hypothesis' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("hatchling") is None, reason="hatchling, which builds the wheel, is missing"
)
def test_types_helper_and_hunt_work_from_an_installed_wheel(tmp_path):
    build = ["pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", str(tmp_path), str(ROOT)]
    subprocess.run([sys.executable, "-m", *build], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "-t", str(site), str(wheel)], check=True)
    head = f"import sys; sys.path.insert(0, {str(site)!r})\n"
    helper = (
        "from sweeps.hunting import assert_claim\n"
        "try: assert_claim('alcalde2025_frank_wolfe', seconds=30)\n"
        "except AssertionError as said: assert 'tokens (' in str(said)\n"
        "else: raise SystemExit('nothing found')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", head + FROM_TYPE + helper], capture_output=True, text=True, cwd=tmp_path
    )
    assert ended.returncode == 0, ended.stderr
    assert str(site) in ended.stdout
