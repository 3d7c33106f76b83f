"""The server as agents meet it: in process and over stdio, every tool, limits, cancelling, polling, two clients."""

import importlib.util
import itertools
import json
import os
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from documents import ALL, holds
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters

import fits.schemas
from exact import certificates
from sweeps.commands import SUBCOMMANDS, mcp_server
from sweeps.commands import main as sweeps_main
from sweeps.commands.mcp_server import TOOLS, make_server

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


@both
def test_a_client_calls_every_tool(kind, tmp_path):
    called = set()

    async def session():
        async with client_of(kind, tmp_path) as client:
            listed = (await client.list_tools()).tools
            schemas = {tool.name: tool.output_schema for tool in listed}
            assert set(schemas) == set(TOOLS)

            async def call(name, /, **arguments):
                called.add(name)
                answer = ended(await client.call_tool(name, arguments))
                Draft202012Validator(schemas[name]).validate(answer)
                return answer

            claims = await call("list_claims")
            assert {"paging", "chen2026_rpb_om"} <= {claim["name"] for claim in claims["claims"]}
            assert (await call("describe_claim", name="paging"))["parameters"][0]["name"] == "k_max"
            plan = await call("plan_sweep", **TINY)
            assert "not run" in plan["scale"]
            assert plan["smallest_slope_seen"] > 1
            run = await call("run_sweep", **TINY)
            assert run["run_id"] == plan["run_id"]
            assert (run["state"], run["verdict"], run["blocks"]) == ("finished", "inconclusive", run["blocks_planned"])
            assert "k = 4 .. 16" in run["scale"]
            assert "per ln k" in run["power"]
            assert (await call("run_status", run_id=run["run_id"]))["state"] == "finished"
            assert await call("run_result", run_id=run["run_id"]) == run
            toy = await call("decide_growth", **FLAT)
            assert toy["verdict"] == "toy"
            assert "toy is not verified" in toy["not_excluded"]
            holds(toy["decision"], fits.schemas.schema("decide")["properties"]["decision"])
            four = certificates.first_violation([[4], [-1]], k1=225)
            assert (await call("verify_certificate", certificate=four))["says"].startswith(
                "first violation at state 225"
            )
            assert (await call("verify_certificate", certificate={**four, "k1": "7"}))["outcome"] == "rejected"

    anyio.run(session)
    assert called == set(TOOLS) - {"hunt"}
    assert {path.name for path in tmp_path.iterdir()} == {"out"}  # nothing is written elsewhere


@pytest.mark.skipif("hunt" not in SUBCOMMANDS, reason="python -m sweeps hunt is not there yet")
@both
def test_a_client_hunts(kind, tmp_path):
    async def session():
        async with client_of(kind, tmp_path) as client:
            answer = ended(await client.call_tool("hunt", {"claim": "alcalde2025_frank_wolfe", "seconds": 20}))
            names = ALL["sweeps hunt"]["required"]
            holds({name: answer[name] for name in names}, ALL["sweeps hunt"])

    anyio.run(session)


def test_hunt_is_a_thin_call_of_its_command_line(tmp_path, monkeypatch):
    given = []
    found = {"found": False, "instance": None, "certificate": None, "instances_tried": 3, "closest_gap": "1/9"}
    found |= {"seconds": 1.0, "seed": 5}

    class Recorded:
        def __init__(self, line, **_):
            given.append(line)

        async def ended(self, limit, beat):
            await beat(limit)
            return 3

        def document(self):
            return found

    monkeypatch.setattr(mcp_server, "Job", Recorded)

    async def session():
        async with client_of("in process", tmp_path) as client:
            answer = ended(await client.call_tool("hunt", {"claim": "some_case", "seconds": 2, "seed": 5}))
            assert {name: answer[name] for name in found} == found
            assert "do not show that it holds" in answer["not_excluded"]

    anyio.run(session)
    assert given == [["sweeps", "hunt", "some_case", "--seconds=2", "--seed=5", "--json"]]


BAD = [
    ("describe_claim", {"name": "nothing"}, "name must be one of attention, paging"),
    ("plan_sweep", {"k_max": 1}, "greater than or equal to 2"),
    ("plan_sweep", {"k_max": "many"}, "valid integer"),
    ("plan_sweep", {"simulator": "attention"}, "simulator must be one of paging"),
    ("plan_sweep", {"simulator": "../../mine.py"}, "below the folder"),
    ("plan_sweep", {"parameters": {"out": "/"}}, "parameters must be among k_max"),
    ("plan_sweep", {"parameters": {"policy": "clock"}}, "policy must be one of lru"),
    ("plan_sweep", {"parameters": {"policy": "--help"}}, "policy must be one of lru"),
    ("run_sweep", {"k_max": 1 << 20, "parameters": {"replicates": 10_000_000}}, "at most 1e+11 requests"),
    ("run_sweep", {"seconds": 3600}, "use wait=false"),
    ("run_sweep", {"seconds": 1e9}, "less than or equal to 86400"),
    ("run_status", {"run_id": "../../x"}, "twelve hex digits"),
    ("run_status", {"run_id": "0" * 12, "stop": True}, "there is no 000000000000"),
    ("run_result", {"run_id": "0" * 12}, "there is no 000000000000"),
    ("decide_growth", {**FLAT, "se": [0.1]}, "equally long"),
    ("decide_growth", {**FLAT, "k": [4] * 6}, "distinct"),
    ("decide_growth", {**FLAT, "y": ["a"] * 6}, "valid number"),
    ("hunt", {"claim": "../x.py"}, "below the folder"),
    ("verify_certificate", {"certificate": "x"}, "valid dictionary"),
    ("nothing", {}, "Unknown tool"),
]


def test_bad_arguments_get_a_clear_error_and_start_nothing(tmp_path):
    async def session():
        async with client_of("in process", tmp_path) as client:
            for name, arguments, says in BAD:
                assert says in refused(await client.call_tool(name, arguments)), (name, arguments)

    anyio.run(session)
    assert not list((tmp_path / "out").glob("*"))


async def until(client, run_id, reached, seconds=60):
    with anyio.fail_after(seconds):
        while not reached(answer := ended(await client.call_tool("run_status", {"run_id": run_id}))):
            await anyio.sleep(0.2)
    return answer


@both
def test_an_hour_long_sweep_is_started_polled_stopped_and_read(kind, tmp_path):
    """It is shortened by its time limit of an hour being one of three seconds; another one is stopped."""

    async def session():
        async with client_of(kind, tmp_path) as client:
            started = ended(await client.call_tool("run_sweep", {**LONG, "seconds": 3, "wait": False}))
            assert (started["state"], started["verdict"]) == ("running", None)
            run_id = started["run_id"]
            assert "is running" in refused(await client.call_tool("run_result", {"run_id": run_id}))
            some = await until(client, run_id, lambda answer: answer["state"] != "running")
            assert some["state"] == "time limit reached"
            assert 0 < some["blocks"] < some["blocks_planned"]
            assert some["verdict"] is None
            assert "deciding nothing" in some["sentence"]
            assert "nothing is decided" in some["not_excluded"]
            assert ended(await client.call_tool("run_result", {"run_id": run_id})) == some
            again = ended(await client.call_tool("run_sweep", {**LONG, "seconds": 3600, "wait": False}))
            assert again["run_id"] == run_id
            await until(client, run_id, lambda answer: answer["blocks"] > some["blocks"])
            stopped = ended(await client.call_tool("run_status", {"run_id": run_id, "stop": True}))
            assert stopped["state"] == "stopped"
            assert "goes on from there" in refused(await client.call_tool("run_result", {"run_id": run_id}))

    anyio.run(session)


@both
def test_cancelling_a_blocking_call_stops_the_sweep_and_keeps_its_blocks(kind, tmp_path):
    notes = []

    async def noted(progress, _total, message):
        notes.append((progress, message))

    async def session():
        async with client_of(kind, tmp_path) as client:
            plan = ended(await client.call_tool("plan_sweep", LONG))
            with anyio.move_on_after(4):
                await client.call_tool("run_sweep", {**LONG, "seconds": 600}, progress_callback=noted)
            left = await until(client, plan["run_id"], lambda answer: answer["state"] == "stopped", 20)
            assert left["blocks"] > 0
            assert ended(await client.call_tool("list_claims", {}))["claims"]  # the server is well

    anyio.run(session)
    assert notes
    assert "blocks" in notes[0][1]


def test_progress_comes_at_least_every_ten_seconds(tmp_path, monkeypatch):
    assert mcp_server.EVERY < 10
    monkeypatch.setattr(mcp_server, "EVERY", 0.3)
    notes = []

    async def noted(progress, _total, message):
        notes.append((progress, message))

    async def session():
        async with client_of("in process", tmp_path) as client:
            await client.call_tool("run_sweep", {**LONG, "seconds": 3}, progress_callback=noted)

    anyio.run(session)
    times = [progress for progress, _ in notes]
    assert len(times) >= 6
    assert all(0 < later - before < 1 for before, later in itertools.pairwise(times))
    assert notes[-1][1] != notes[0][1]


def test_two_clients_at_once_share_one_run_directory(tmp_path):
    """Two servers: the second is told who holds the run, sees it grow, and cannot stop it."""

    async def session():
        async with Client(stdio(tmp_path)) as one, Client(stdio(tmp_path)) as two:
            started = ended(await one.call_tool("run_sweep", {**LONG, "seconds": 60, "wait": False}))
            run_id = started["run_id"]
            await until(one, run_id, lambda answer: answer["blocks"] > 0)
            assert "is held by process" in refused(await two.call_tool("run_sweep", {**LONG, "seconds": 60}))
            seen = ended(await two.call_tool("run_status", {"run_id": run_id}))
            assert (seen["state"], seen["verdict"]) == ("running", None)
            assert "another process's" in refused(await two.call_tool("run_status", {"run_id": run_id, "stop": True}))
            stopped = ended(await one.call_tool("run_status", {"run_id": run_id, "stop": True}))
            assert ended(await two.call_tool("run_status", {"run_id": run_id})) == stopped

    anyio.run(session)


def test_two_clients_of_one_sweep_at_once_get_one_result(tmp_path):
    answers = []

    async def ask(client):
        answers.append(ended(await client.call_tool("run_sweep", {**TINY, "parameters": {"replicates": 61}})))

    async def session():
        async with client_of("in process", tmp_path) as client, anyio.create_task_group() as group:
            group.start_soon(ask, client)
            group.start_soon(ask, client)

    anyio.run(session)
    assert answers[0] == answers[1]


def test_sweeps_end_with_their_server(tmp_path):
    async def session():
        async with client_of("in process", tmp_path) as client:
            answer = ended(await client.call_tool("run_sweep", {**LONG, "seconds": 600, "wait": False}))
            await until(client, answer["run_id"], lambda now: now["blocks"] > 0)
            return answer["run_id"]

    run_id = anyio.run(session)
    folder = next((tmp_path / "out").glob(f"*-{run_id}"))
    shown = subprocess.run([sys.executable, "-m", "sweeps", "paging", "--k-max=4", "--replicates=9", f"--out={folder}"],
                           capture_output=True, text=True, cwd=ROOT)  # fmt: skip
    assert "is held by" not in shown.stderr  # only that it is another run's
    assert shown.returncode == 2


def test_stdout_holds_nothing_but_the_protocol(tmp_path):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    lines = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "run_sweep", "arguments": TINY}},
        {"id": 3, "method": "tools/call", "params": {"name": "plan_sweep", "arguments": {"k_max": 1}}},
    ]
    server = stdio(tmp_path)
    process = subprocess.Popen(
        [server.command, *server.args], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, **server.env},
    )  # fmt: skip
    for line in lines:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
    process.stdin.flush()
    read = []
    deadline = time.monotonic() + 60
    while {one.get("id") for one in read} < {1, 2, 3} and time.monotonic() < deadline:
        read.append(json.loads(process.stdout.readline()))
    out, err = process.communicate(timeout=30)
    assert {one.get("id") for one in read} >= {1, 2, 3}
    assert all(one["jsonrpc"] == "2.0" for one in read)
    assert out == ""
    assert "Traceback" not in err


def test_without_the_extra_one_line_says_how_to_get_it(monkeypatch, capsys):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "mcp" else found(name, *rest))
    assert sweeps_main(["mcp"]) == 2
    printed = capsys.readouterr()
    assert printed.err == "mcp must be installed first: pip install 'claimsweep[mcp]'\n"
    assert printed.out == ""
