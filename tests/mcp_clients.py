"""Clients of the server, in process and over stdio, and what every answer must carry."""

import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from sweeps.commands.mcp_server import make_server

ROOT = Path(__file__).parents[1]
TINY = {"k_max": 16, "parameters": {"replicates": 60}}
LONG = {"k_max": 256, "parameters": {"replicates": 10_000_000}}  # an hour and more
FLAT = {"k": [4, 8, 16, 32, 64, 128], "y": [1, 1.2, 1.1, 1, 1.1, 1], "se": [0.1] * 6}


def stdio(folder, *arguments):
    environment = {name: os.environ[name] for name in ("NUMBA_CACHE_DIR", "PYTHONPATH") if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), environment.get("PYTHONPATH", "")])
    line = ["-m", "sweeps", "mcp", "--out", "out", *arguments]
    return StdioServerParameters(command=sys.executable, args=line, cwd=folder, env=environment)


@asynccontextmanager
async def client_of(kind, folder):
    server = make_server(folder / "out", start=folder) if kind == "in process" else stdio(folder)
    async with Client(server) as client:
        yield client


def ended(result):
    """The answer; every one carries its reach."""
    assert not result.is_error, result.content[0].text
    answer = result.structured_content
    for name in ("scale", "power", "not_excluded"):
        assert answer[name].strip()
    return answer


def refused(result):
    assert result.is_error
    text = result.content[0].text
    assert "Traceback" not in text
    assert text.partition(": ")[2]  # what was wrong, not only the name of the tool
    return text


both = pytest.mark.parametrize("kind", ["in process", "stdio"])
