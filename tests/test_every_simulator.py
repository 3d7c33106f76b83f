"""What every simulator keeps, found by its name."""

import importlib
import subprocess
import sys

import pytest
from numpy.random import SeedSequence

from sweeps import simulators
from sweeps.plan import make_plan
from sweeps.spec import Simulator

SWEPT = [name for name in simulators.names() if isinstance(simulators.find(name), Simulator)]


@pytest.fixture(params=simulators.names())
def model(request):
    return simulators.find(request.param)


@pytest.fixture(params=SWEPT)
def simulator(request):
    return simulators.find_swept(request.param)


def test_it_declares_itself_without_numba(model):
    check = "import sys; from sweeps import simulators; simulators.find(sys.argv[1]); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", check, model.name], check=True)


def test_it_has_a_reference_and_a_claim_with_a_source(model):
    assert importlib.import_module(f"sweeps.simulators.{model.name}.reference")
    assert model.claim.statement
    assert model.claim.source


def test_its_defaults_make_a_plan_whose_blocks_cover_every_point(simulator):
    plan = make_plan(simulator, {}, seed=0)
    blocks = list(plan.blocks())
    assert sorted({k for k, _ in blocks}) == plan.ks
    for k, layout in plan.layouts.items():
        sizes = [layout.replicates_of(number) for block_k, number in blocks if block_k == k]
        assert sum(sizes) == layout.replicates
        assert min(sizes) >= 1
    assert len(plan.run_id) == 12


def test_a_block_is_a_function_of_its_seed_and_leaves_integers(simulator):
    plan = make_plan(simulator, {"k_max": 8}, seed=0)
    one, again, other = (simulator.run_block(plan.values, 8, 50, SeedSequence(s)) for s in (1, 1, 2))
    assert one == again != other
    assert all(type(value) is int for value in one.values())


def test_its_parameters_reject_what_is_out_of_range(simulator):
    for parameter in simulator.parameters:
        if parameter.low is not None:
            with pytest.raises(ValueError, match=parameter.name):
                make_plan(simulator, {parameter.name: parameter.low - 1}, seed=0)
