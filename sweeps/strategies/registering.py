"""Hypothesis' entry point: once claimsweep is installed, `st.from_type(Tokens)` and its like draw our instances.

Hypothesis calls `register` when it is imported, so this loads nothing heavy: strategies are made on first use.
"""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from sweeps.strategies.instances import Grid, Growth, Paging, Tokens

PROFILE = "claimsweep-jit"


def register() -> None:
    """Register strategies for our instance types, and the settings profile ``claimsweep-jit`` (no deadline).

    A kernel's first call compiles it, which takes seconds: Hypothesis' deadline of 200 ms a test would fail it. The
    profile is only registered; ``settings.load_profile("claimsweep-jit")`` in a conftest.py takes it.
    """
    st.register_type_strategy(Tokens, lambda _type: _strategies().token_configurations())
    st.register_type_strategy(Paging, lambda _type: _strategies().paging_instances())
    st.register_type_strategy(Grid, lambda _type: _strategies().grids())
    st.register_type_strategy(Growth, lambda _type: _strategies().growth_data())
    settings.register_profile(PROFILE, deadline=None)


def _strategies() -> Any:
    import sweeps.strategies

    return sweeps.strategies
