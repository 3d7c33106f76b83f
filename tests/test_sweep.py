"""The sweep: rows against exact values, the same bits whatever the workers, run directories, resume."""

import json
import math
import re
import sqlite3

import pytest
from scipy.stats import chi2

import exact
import sweeps
from sweeps import simulators
from sweeps.plan import make_plan
from sweeps.simulators.paging.sweep import SE_FLOOR
from sweeps.spec import GRID, grid, resolve_grid


def off_by(rows):
    """Differences from the exact values, in standard errors, of rows with variance."""
    return [(r["additive"] - r["additive_exact"]) / r["additive_se"] for r in rows if r["additive_se"] > 0]


def agrees(rows):
    z = off_by(rows)
    assert max(map(abs, z)) < 4.5
    assert chi2.sf(sum(x * x for x in z), len(z)) > 1e-4


@pytest.fixture(scope="module")
def main_job():
    return sweeps.run("paging", k_max=1024, jobs=2)


@pytest.mark.slow
def test_main_job_shows_the_growth_and_agrees_with_the_exact_curve(main_job):
    agrees(main_job.rows)
    assert [r["k"] for r in main_job.rows] == [
        4,
        6,
        8,
        11,
        16,
        23,
        32,
        45,
        64,
        91,
        128,
        181,
        256,
        362,
        512,
        724,
        1024,
    ]
    assert 0.33 < main_job.growth["slope"] < 0.41
    assert main_job.growth["sigma"] > 9
    assert main_job.finding["verdict"] == "falsified"
    assert all(main_job.growth["sigmas"][tier] > 3 for tier in ("T0", "T1", "T2"))
    lo, hi = main_job.growth["c"]["T2"][1:]
    assert lo < math.exp(-1) < hi
    assert all(r["additive_se"] >= SE_FLOOR for r in main_job.rows)
    for row in main_job.rows:
        if row["k"] <= 64:
            assert row["additive_exact_fraction"] == str(exact.additive_term(row["k"]))


@pytest.mark.slow
def test_on_request_stays_at_one_minus_one_over_k():
    run = sweeps.run("paging", k_max=1024, jobs=2, budget="on-request")
    agrees(run.rows)
    assert all(math.isclose(r["additive_exact"], 1 - 1 / r["k"]) for r in run.rows)
    assert run.finding["verdict"] != "falsified"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_sweep_that_stops_at_64_or_of_onlinemin_is_neither_verified_nor_falsified(seed):
    short = sweeps.run("paging", k_max=64, jobs=2, seed=seed)
    flat = sweeps.run("paging", k_max=1024, policy="onlinemin", jobs=2, seed=seed, requests=1_000_000)
    assert short.finding["verdict"] == "inconclusive"
    assert flat.finding["verdict"] in ("toy", "inconclusive")


@pytest.mark.slow
@pytest.mark.parametrize("tau", [0, 1, 3])
def test_any_tau_agrees_with_the_exact_values_from_2_to_65536(tau):
    rows = sweeps.run("paging", k_min=2, k_max=65536, ratio=2.0, tau=tau, jobs=2, requests=2_000_000).rows
    agrees(rows)
    for row in rows:
        if row["k"] <= tau + 2:
            assert row["additive_se"] == 0
            assert math.isclose(row["additive"], row["additive_exact"])


@pytest.mark.parametrize(
    ("policy", "adversary"),
    [
        ("onlinemin", "lazy"),
        ("marker", "lazy"),
        ("lru", "lazy"),
        ("marker", "cyclic"),
        ("onlinemin", "cyclic"),
        ("lru", "cyclic"),
        ("fifo", "cyclic"),
        ("opt", "lazy"),
        *((p, "uniform") for p in ("lru", "marker", "onlinemin")),
    ],
)
def test_known_laws_of_the_other_policies(policy, adversary):
    run = sweeps.run("paging", k_max=64, policy=policy, adversary=adversary, replicates=400)
    assert not run.failures
    if any(r["additive_se"] for r in run.rows):
        agrees(run.rows)
    for row in run.rows:
        if row["additive_se"] == 0:
            assert math.isclose(row["additive"], row["additive_exact"], abs_tol=1e-12)


@pytest.mark.parametrize("policy", ["random", "fifo", "rpb-om"])
def test_uniform_requests_have_ratio_h_k_for_every_online_policy(policy):
    """Where the cache of a phase's start is not the support the value holds in the long run, not block by block."""
    run = sweeps.run("paging", k_max=32, policy=policy, adversary="uniform", predictions="random", replicates=3000)
    assert all(abs(r["additive"]) < 4.5 * r["additive_se"] for r in run.rows)


def test_errors_of_policies_with_memory_cover_the_scatter_between_seeds():
    """FIFO under lazy: phases are not independent; the stated error matches the spread of 40 seeds."""
    rows = [
        sweeps.run("paging", k_max=16, k_min=16, policy="fifo", replicates=600, seed=seed).rows[0] for seed in range(40)
    ]
    mean = sum(r["additive"] for r in rows) / 40
    spread = math.sqrt(sum((r["additive"] - mean) ** 2 for r in rows) / 39)
    stated = sum(r["additive_se"] for r in rows) / 40
    assert 0.6 < spread / stated < 1.5


def test_results_are_the_same_for_any_number_of_jobs():
    first, *others = (sweeps.run("paging", k_max=64, requests=300_000, jobs=jobs).to_dict() for jobs in (1, 2, 4))
    assert all(other == first for other in others)


def test_another_seed_gives_other_numbers_and_the_same_seed_the_same():
    one, again, other = (sweeps.run("paging", k_max=8, replicates=100, seed=s) for s in (1, 1, 2))
    assert one.rows == again.rows
    assert one.rows != other.rows
    assert one.run_id == again.run_id != other.run_id


def test_a_point_keeps_its_seed_when_the_grid_changes():
    rows = [sweeps.run("paging", k_min=k, k_max=16, replicates=50).rows[-1] for k in (4, 8)]
    assert rows[0] == rows[1]


def test_fewer_than_five_points_with_variance_give_no_growth():
    assert sweeps.run("paging", k_max=11, replicates=50).growth is None
    assert sweeps.run("paging", k_min=2, k_max=16, tau=20, replicates=50).growth is None


@pytest.mark.parametrize(("k_max", "expected"), [(2, [2]), (3, [3]), (4, [4]), (8, [4, 6, 8]), (10, [4, 6, 8, 10])])
def test_grid_is_geometric_and_ends_at_k_max(k_max, expected):
    values = {p.name: p.default for p in GRID} | {"k_max": k_max}
    assert grid(resolve_grid(values)) == expected


def test_target_standard_error_is_met():
    run = sweeps.run("paging", k_max=64, target_se=0.05)
    assert all(0.045 < r["additive_se"] < 0.055 for r in run.rows)


def test_a_run_directory_holds_rows_record_and_figure(tmp_path):
    run = sweeps.run("paging", k_max=16, replicates=50, out=tmp_path / "run")
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["state"] == "finished"
    assert record["run_id"] == run.run_id
    assert record["seed"] == "0"
    assert record["finding"] == run.finding
    with sqlite3.connect(tmp_path / "run" / "rows.sqlite") as db:
        rows = [json.loads(text) for (text,) in db.execute("SELECT row FROM rows ORDER BY k")]
    assert rows == run.rows
    assert (tmp_path / "run" / "additive.svg").read_text().startswith("<?xml")
    assert not list((tmp_path / "run").glob("*.partial"))


def test_figures_have_the_same_bytes_for_the_same_run(tmp_path):
    for name in "ab":
        sweeps.run("paging", k_max=16, replicates=50, out=tmp_path / name)
    a, b = ((tmp_path / name / "additive.svg").read_bytes() for name in "ab")
    assert a == b


def _dearer(sums):
    """Each phase costs one more."""
    cost, phases = sums["cost"], sums["phases"]
    return sums | {"cost": cost + phases, "square": sums["square"] + 2 * cost + phases}


def test_a_second_run_takes_up_finished_blocks(tmp_path):
    """A block planted in the store is believed, so the finished one was not computed again."""
    sweeps.run("paging", k_max=8, replicates=50, out=tmp_path / "run")
    with sqlite3.connect(tmp_path / "run" / "rows.sqlite") as db:
        db.execute("DELETE FROM blocks WHERE k = 6")
        for number, text in db.execute("SELECT block, sums FROM blocks WHERE k = 4").fetchall():
            dearer = (json.dumps(_dearer(json.loads(text))), number)
            db.execute("UPDATE blocks SET sums = ? WHERE k = 4 AND block = ?", dearer)
    fresh = sweeps.run("paging", k_max=8, replicates=50).rows
    resumed = sweeps.run("paging", k_max=8, replicates=50, out=tmp_path / "run").rows
    assert resumed[1:] == fresh[1:]
    assert math.isclose(resumed[0]["cost"], fresh[0]["cost"] + 1)


def test_another_run_or_foreign_files_in_out_are_refused(tmp_path):
    sweeps.run("paging", k_max=8, replicates=50, out=tmp_path / "run")
    with pytest.raises(ValueError, match=r"parameters.replicates is 50, not 51"):
        sweeps.run("paging", k_max=8, replicates=51, out=tmp_path / "run")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("dear")
    with pytest.raises(ValueError, match="holds other files"):
        sweeps.run("paging", k_max=8, replicates=50, out=tmp_path / "other")


def test_a_failing_block_is_recorded_and_the_others_go_on(monkeypatch, tmp_path):
    simulator = simulators.find_swept("paging")

    def run_block(values, k, replicates, seed):
        if k == 6:
            raise ZeroDivisionError("planted")
        return simulator.run_block(values, k, replicates, seed)

    broken = type(simulator)(**{**vars(simulator), "run_block": run_block})
    monkeypatch.setattr(simulators, "find_swept", lambda _: broken)
    run = sweeps.run("paging", k_max=8, replicates=50, jobs=2, out=tmp_path / "run")
    assert [row["k"] for row in run.rows] == [4, 8]
    assert {k for k, _ in run.failures} == {6}
    assert "planted" in run.failures[6, 0]
    assert json.loads((tmp_path / "run" / "run.json").read_text())["state"] == "failed points"


def test_a_row_without_variance_that_is_not_the_exact_value_is_a_failure(monkeypatch):
    simulator = simulators.find_swept("paging")
    wrong = type(simulator)(**{**vars(simulator), "exact": lambda _values, _k_max: lambda _k: 7.0})
    monkeypatch.setattr(simulators, "find_swept", lambda _: wrong)
    run = sweeps.run("paging", k_min=2, k_max=2, replicates=50)
    assert "not the exact" in run.failures[2, -1]


def test_block_seeds_differ_by_point_block_and_seed():
    plans = [
        make_plan(simulators.find_swept("paging"), {"k_max": 8, "tau": tau}, seed=seed)
        for tau, seed in ((0, 0), (1, 0), (0, 1))
    ]
    states = {tuple(p.block_seed(b).generate_state(4)) for p in plans for b in ((4, 0), (4, 1), (6, 0))}
    assert len(states) == 9


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k_max": 1}, "k_max must be between 2 and 1048576; got 1"),
        ({"k_max": 2**21}, "k_max must be between"),
        ({"k_max": 8, "k_min": 9}, "k_min must be at most k_max = 8; got 9"),
        ({"tau": -1}, "tau must be between 0 and 1048576; got -1"),
        (
            {"policy": "clock"},
            "policy must be one of lru, fifo, random, marker, opt, onlinemin, rpb-om; got 'clock'",
        ),
        ({"predictions": "normal:-1"}, "predictions must be"),
        ({"ratio": math.inf}, "ratio must be a number between 1.01 and 64; got inf"),
        ({"seed": -1}, "seed must be"),
        ({"jobs": 0}, "jobs must be at least 1; got 0"),
        ({"k_max": 8.0}, "k_max must be an integer between"),
    ],
)
def test_parameters_out_of_range_are_refused_in_one_line(parameters, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)) as caught:
        sweeps.run("paging", **({"k_max": 8, "replicates": 50} | parameters))
    assert "\n" not in str(caught.value)


def test_an_unknown_parameter_or_simulator_lists_what_exists():
    with pytest.raises(TypeError, match="parameter must be one of k_max, k_min"):
        sweeps.run("paging", kmax=8)
    with pytest.raises(ValueError, match=r"simulator must be one of .*paging"):
        sweeps.run("pageing", k_max=8)
