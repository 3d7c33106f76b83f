"""Settings of the whole suite."""

import signal

import pytest
from hypothesis import settings
from runs import SMALL

import sweeps
from sweeps import simulators
from sweeps.plan import make_plan

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background job: what tests start inherits it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("claimsweep", deadline=None)  # a first call compiles its kernels
settings.load_profile("claimsweep")


@pytest.fixture
def plan():
    return make_plan(simulators.find_swept("paging"), SMALL, seed=0)


@pytest.fixture
def finished(tmp_path):
    """A finished run's directory."""
    sweeps.run("paging", **SMALL, out=tmp_path / "run")
    return tmp_path / "run"
