"""Long sweeps through the server: polled, stopped, cancelled, shared by two clients; blocks are kept."""

import itertools
import subprocess
import sys

import anyio
from mcp import Client
from mcp_clients import LONG, ROOT, TINY, both, client_of, ended, refused, stdio

from sweeps.commands import mcp_server


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
