"""The server as agents meet it, in process and over stdio: every tool, bad arguments, nothing but protocol."""

import importlib.util
import json
import os
import subprocess
import time

import anyio
import pytest
from documents import ALL, holds
from jsonschema import Draft202012Validator
from mcp_clients import FLAT, TINY, both, client_of, ended, refused, stdio

import fits.schemas
from exact import certificates
from sweeps.commands import SUBCOMMANDS, mcp_server
from sweeps.commands import main as sweeps_main
from sweeps.commands.mcp_server import TOOLS


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
            assert "OPT pays 1" in run["units"]["cost"]
            assert (await call("run_status", run_id=run["run_id"]))["state"] == "finished"
            assert await call("run_result", run_id=run["run_id"]) == run
            toy = await call("decide_growth", **FLAT)
            assert toy["verdict"] == "toy"
            assert "toy is not verified" in toy["not_excluded"]
            holds(toy["decision"], fits.schemas.schema("decide")["properties"]["decision"])
            design = await call("plan_growth", c=0.38, sd=0.28)
            assert design["k"][-1] == 512
            assert "a slope of 0.35 per ln k would have been seen" in design["power"]
            start = await call("decide_attention", tokens=[["4"], ["-1"]])
            assert (start["verdict"], start["eventual"], start["from_k"]) == ("falsified", "violated", "226")
            assert start["first_violation"] == {"k": "225", "t": "224"}
            assert (await call("verify_certificate", certificate=start["certificate"]))["outcome"] == "accepted"
            kept = await call("decide_attention", tokens=[["1"], ["-1"]], b=[["1/2"]], tie="avg", horizon="1e30")
            assert (kept["verdict"], kept["first_violation"]) == ("verified", None)
            assert "other starts" in kept["not_excluded"]
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
    found |= {"seconds": 1.0, "seed": 5, "certified": False}

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
    ("plan_growth", {"c": 0, "sd": 1}, "greater than 0"),
    ("decide_attention", {"tokens": [["1;2"], ["-1"]]}, "String should match pattern"),
    ("decide_attention", {"tokens": [["1"], ["2"]]}, "must have the origin in their convex hull"),
    ("decide_attention", {"tokens": [["1.5"], ["-1", "2"]]}, "tokens"),
    ("decide_attention", {"tokens": [["1"], ["-1"]], "horizon": "--help"}, "String should match pattern"),
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


def test_a_simulator_of_ones_own_is_swept_and_leaves_nothing_beside_its_file(tmp_path):
    text = '"""Coins."""\n\ndef sample(k, count, rng):\n    return rng.random(count)\n'
    (tmp_path / "mine.py").write_text(text)

    async def session():
        async with client_of("in process", tmp_path) as client:
            tiny = {"simulator": "mine.py", "k_max": 16, "parameters": {"replicates": 40}}
            answer = ended(await client.call_tool("run_sweep", tiny))
            assert answer["units"]["cost"] == "unit of the file's sample"
            plan = ended(await client.call_tool("plan_sweep", {**tiny, "sd": 0.29}))
            assert plan["smallest_slope_seen"] > 0
            assert ended(await client.call_tool("plan_sweep", tiny))["smallest_slope_seen"] is None

    anyio.run(session)
    assert {path.name for path in tmp_path.iterdir()} == {"mine.py", "out"}
