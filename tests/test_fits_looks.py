"""Sweeps that are extended and looked at again: thresholds, and what may not change between looks."""

import json

import numpy as np
import pytest

import fits

K = 2.0 ** np.arange(2, 11)


def series(points=9, reps=50, seed=0):
    rng = np.random.default_rng(seed)
    return fits.Series(K[:points], 3 + 0.02 * rng.standard_normal(points), [0.02] * points, reps=reps)


def look(path, data, planned=8, **kwargs):
    claim = fits.Bounded("ln", c_star=kwargs.pop("c_star", 0.38))
    return fits.decide(data, claim, looks=fits.LookLog(path, planned), **kwargs)


def test_planned_looks_each_keep_the_threshold_and_the_log_grows_by_one_line(tmp_path):
    log = tmp_path / "looks.jsonl"
    for number, points in enumerate((5, 6, 7), 1):
        v = look(log, series(points))
        assert v.look == {"number": number, "z": 3.0, "planned": 8}
        assert f"Look {number}, at 3.00 sigma." in v.sentence()
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [row["number"] for row in rows] == [1, 2, 3]
    assert rows[-1]["declared"]["c_star"] == 0.38


def test_the_same_data_again_is_the_same_look(tmp_path):
    log = tmp_path / "looks.jsonl"
    first, again = look(log, series()), look(log, series())
    assert first.look == again.look
    assert len(log.read_text().splitlines()) == 1


def test_a_look_beyond_the_plan_is_refused(tmp_path):
    log = tmp_path / "looks.jsonl"
    look(log, series(5), planned=1)
    with pytest.raises(ValueError, match="all 1 planned looks are used"):
        look(log, series(6), planned=1)


def test_open_ended_looks_rise_by_the_spending_rule_and_never_below_z_false(tmp_path):
    log = tmp_path / "looks.jsonl"
    thresholds = [look(log, series(9, reps), planned=None).look["z"] for reps in (10, 20, 30, 40, 50)]
    assert thresholds[:2] == [3.0, 3.0]
    spent = [0.01 * 6 / (np.pi * j) ** 2 for j in (3, 4, 5)]
    import scipy.stats

    assert thresholds[2:] == pytest.approx(scipy.stats.norm.isf(spent), rel=1e-9)


def test_a_planned_look_is_never_below_three_sigma(tmp_path):
    assert look(tmp_path / "looks.jsonl", series(), z_false=2.0).look["z"] == 3.0


@pytest.mark.parametrize(
    "change",
    [{"c_star": 0.5}, {"tier": 1}, {"z_false": 4.0}, {"z_verify": 3.0}, {"holdout": 0.5}, {"planned": 4}],
    ids=lambda change: next(iter(change)),
)
def test_what_was_declared_before_the_first_look_may_not_change(tmp_path, change):
    log = tmp_path / "looks.jsonl"
    look(log, series(5))
    with pytest.raises(ValueError, match=f"{next(iter(change))}=.* must stay"):
        look(log, series(6), **change)


def test_a_sweep_may_only_grow_between_looks(tmp_path):
    log = tmp_path / "looks.jsonl"
    look(log, series(7, 50))
    with pytest.raises(ValueError, match="k = 256 of an earlier look is missing"):
        look(log, series(6, 50))
    with pytest.raises(ValueError, match="k = 4 had 50 replicates before, now 40"):
        look(log, series(7, 40))


@pytest.mark.parametrize("text", ["not json\n", '{"number": 1}\n', "[1]\n"])
def test_a_log_of_something_else_is_refused(tmp_path, text):
    log = tmp_path / "looks.jsonl"
    log.write_text(text)
    with pytest.raises(ValueError, match="must be a log of looks"):
        look(log, series())


@pytest.mark.parametrize("planned", [0, 9, -1])
def test_at_most_eight_looks_can_be_planned(planned):
    with pytest.raises(ValueError, match="between 1 and 8"):
        fits.LookLog("looks.jsonl", planned)
