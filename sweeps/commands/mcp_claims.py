"""Claims that can be checked here: cases, and simulators with the claim that they test."""

from importlib import import_module
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError

from sweeps import simulators
from sweeps.commands.mcp_answers import ClaimDetail, ClaimLine, Claims
from sweeps.commands.mcp_reach import NOTHING_RUN
from sweeps.spec import Simulator


def listed() -> Claims:
    """All of them, simulators first."""
    cases: Any = import_module("cases")
    swept = [
        ClaimLine(name=n, kind="simulator", statement=simulators.find(n).claim.statement) for n in simulators.names()
    ]
    checked = [ClaimLine(name=n, kind="case", statement=cases.find(n).claim.statement) for n in cases.names()]
    return Claims(claims=swept + checked, **NOTHING_RUN)


def described(name: str) -> ClaimDetail:
    """One of them; a ToolError lists those there are."""
    cases: Any = import_module("cases")
    if name in simulators.names():
        return _simulator(name)
    if name not in cases.names():
        raise ToolError(f"name must be one of {', '.join([*simulators.names(), *cases.names()])}; got {name[:60]!r}")
    how = f"python -m cases {name} --json (here: hunt, if it takes this case)"
    claim = dict(vars(cases.find(name).claim))
    return ClaimDetail(name=name, kind="case", claim=claim, parameters=[], how=how, **NOTHING_RUN)


def _simulator(name: str) -> ClaimDetail:
    model = simulators.find(name)
    parameters = []
    how = f"python -m sweeps {name} --help"
    if isinstance(model, Simulator):
        fields = ("name", "default", "help", "low", "high")
        parameters = [{field: getattr(p, field) for field in fields} for p in model.parameters]
        how = "plan_sweep, then run_sweep"
    claim = {field: str(value) for field, value in vars(model.claim).items()}
    return ClaimDetail(name=name, kind="simulator", claim=claim, parameters=parameters, how=how, **NOTHING_RUN)
