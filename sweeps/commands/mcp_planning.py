"""A sweep's command line out of typed arguments, and what the sweep that it plans could see."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError

from sweeps import simulators
from sweeps.commands.mcp_answers import PlanAnswer
from sweeps.commands.reading import flag
from sweeps.spec import Simulator

Value = str | int | float
OWN = ("k_max", "seed", "looks")  # arguments of the tools themselves


def arguments(simulator: str, values: Mapping[str, Value | None], *, start: Path) -> list[str]:
    """``sweeps SIMULATOR --name=value ...``; a ToolError for a name that the simulator does not have."""
    source = simulator
    if simulator.endswith(".py"):
        source = str(inside(simulator, start))
        known = ["k_max", "k_min", "ratio", "replicates"]
    else:
        known = _names(simulator)
    for name in values:
        if name not in (*known, *OWN):
            raise ToolError(f"parameters must be among {', '.join(known)}; got {name[:40]!r}")
    return ["sweeps", source, *(f"{flag(name)}={value}" for name, value in values.items() if value is not None)]


def inside(path: str, start: Path) -> Path:
    """A user's file below the folder that the server was started in; a ToolError for any other."""
    full = (start / path).resolve()
    if not full.is_relative_to(start.resolve()) or not full.is_file():
        raise ToolError(f"a file must be below the folder that the server was started in; got {path[:60]!r}")
    return full


def _names(simulator: str) -> list[str]:
    swept = [name for name in simulators.names() if isinstance(simulators.find(name), Simulator)]
    if simulator not in swept:
        raise ToolError(f"simulator must be one of {', '.join(swept)}, or a .py file; got {simulator[:60]!r}")
    model = simulators.find_swept(simulator)
    return [parameter.name for parameter in model.parameters]


def plan_answer(document: Mapping[str, Any], sd: float | None) -> PlanAnswer:
    """The plan with what it could see, if the spread of a replicate is known. Imports numpy: call it on a thread."""
    points, ks = document["points"], [point["k"] for point in document["points"]]
    seen = document["smallest_slope_seen"]
    if sd is not None:
        decision: Any = import_module("sweeps.decision")
        seen = decision.smallest_slope(ks, [sd * sd] * len(ks), [point["replicates"] for point in points])
    none = (
        "not known: it takes five points with k >= 3, and sd, the standard deviation of one replicate, from a small run"
    )
    power = f"a slope of {seen:.2g} per ln k will be seen with 95 % power (T2)" if seen is not None else none
    return PlanAnswer(
        run_id=document["run_id"],
        requests=document["requests"],
        points=points,
        smallest_slope_seen=seen,
        parameters=document["parameters"],
        scale=f"planned: k = {ks[0]} .. {ks[-1]}, {len(ks)} points, {document['requests']:.1e} requests; not run",
        power=power,
        not_excluded=f"by that sweep, however it ends: smaller slopes, ln ln k, an onset beyond k = {ks[-1] / 8:,.4g}",
    )
