"""The tools. Each is a thin call of a command line; what it answers says how far it reaches."""

import contextlib
import hashlib
import json
from collections.abc import AsyncIterator
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from sweeps.commands import mcp_claims, mcp_planning, mcp_reach
from sweeps.commands.mcp_answers import (
    AttentionAnswer,
    CertificateAnswer,
    ClaimDetail,
    Claims,
    DesignAnswer,
    GrowthAnswer,
    HuntAnswer,
    PlanAnswer,
    SweepAnswer,
)
from sweeps.commands.mcp_jobs import Beat, Job
from sweeps.commands.mcp_planning import Value
from sweeps.commands.mcp_runs import MAX_CALL, MAX_REQUESTS, MAX_SECONDS, Runs, blocks_done
from sweeps.store import CERTIFICATE

EVERY = 5.0  # seconds between notes of progress
LENGTH = 10_000  # points to decide on
INSTRUCTIONS = """Re-check scaling claims. Plan before you run: plan_sweep says what a sweep can see. A verdict holds
only as far as scale, power and not_excluded say: toy means agreement at the scale reached, not verified; no sweep
verifies an asymptotic claim. Slopes c are per ln k. A counterexample counts once verify_certificate accepts it."""

KMax = Annotated[int, Field(ge=2, le=1 << 20, description="largest k; a verdict reaches no further")]
Seed = Annotated[int, Field(ge=0, le=(1 << 63) - 1, description="same seed, same result")]
Looks = Annotated[int, Field(ge=1, le=8, description="looks at even shares of the work; a falsified one ends it")]
Name = Annotated[str, Field(max_length=200)]
Parameters = Annotated[dict[str, Value] | None, Field(description="the simulator's own; describe_claim lists them")]
RunId = Annotated[str, Field(max_length=12)]
Exact = Annotated[str, Field(max_length=400, pattern=r"^[-+0-9./eE]+$", description='"4", "-1/10", "1e-20"')]
Points = Annotated[list[Annotated[list[Exact], Field(min_length=1, max_length=16)]], Field(min_length=1, max_length=64)]
Numbers = Annotated[list[float], Field(min_length=1, max_length=LENGTH)]


def make_server(out: str | Path, *, jobs: int = 1, start: str | Path = ".") -> MCPServer[None]:
    """A server whose tools write into ``out`` only and read user files below ``start``."""
    runs = Runs(Path(out).resolve(), Path(start).resolve(), jobs)

    @contextlib.asynccontextmanager
    async def lifespan(_: MCPServer[None]) -> AsyncIterator[None]:
        try:
            yield None
        finally:
            with anyio.CancelScope(shield=True):
                await runs.close()

    server: MCPServer[None] = MCPServer("claimsweep", instructions=INSTRUCTIONS, lifespan=lifespan, log_level="WARNING")
    tools = Tools(runs)
    for name in TOOLS:
        server.add_tool(getattr(tools, name), name=name)
    return server


TOOLS = (
    "list_claims",
    "describe_claim",
    "plan_sweep",
    "run_sweep",
    "run_status",
    "run_result",
    "decide_growth",
    "plan_growth",
    "decide_attention",
    "hunt",
    "verify_certificate",
)


class Tools:
    """The tools of one server."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    async def list_claims(self) -> Claims:
        """Claims that can be checked here, each with its name and statement. Costs nothing."""
        return await anyio.to_thread.run_sync(mcp_claims.listed)

    async def describe_claim(self, name: Name) -> ClaimDetail:
        """One claim in full: statement, source, what would refute it, parameters of its sweep. Costs nothing."""
        return await anyio.to_thread.run_sync(mcp_claims.described, name)

    async def plan_sweep(
        self,
        simulator: Name = "paging",
        k_max: KMax = 1024,
        parameters: Parameters = None,
        seed: Seed = 0,
        looks: Looks = 1,
        sd: Annotated[float | None, Field(gt=0, description="standard deviation of one replicate")] = None,
    ) -> PlanAnswer:
        """What a sweep would run, what it costs and the smallest slope that it would see. Runs nothing; 1 s."""
        _, document = await self._plan(simulator, {"k_max": k_max, "seed": seed, "looks": looks}, parameters)
        return await anyio.to_thread.run_sync(mcp_planning.plan_answer, document, sd)

    async def run_sweep(
        self,
        ctx: Context[None],
        simulator: Name = "paging",
        k_max: KMax = 1024,
        parameters: Parameters = None,
        seed: Seed = 0,
        looks: Looks = 1,
        seconds: Annotated[float, Field(ge=1, le=MAX_SECONDS, description="time limit of the sweep")] = 600,
        wait: Annotated[bool, Field(description="false: start it and answer at once; then poll run_status")] = True,
    ) -> SweepAnswer:
        """Sweep a simulator over k and decide whether its term grows. Finished blocks are kept in the output folder:
        the same call goes on from them. With wait it blocks up to 600 s and reports progress; cancelling stops it."""
        line, plan = await self._plan(simulator, {"k_max": k_max, "seed": seed, "looks": looks}, parameters)
        if wait and seconds > MAX_CALL:
            raise ToolError(f"seconds must be at most {MAX_CALL:.0f} with wait; use wait=false and run_status")
        job = self.runs.launch(plan, line, seconds)
        if wait:
            total = sum(int(point["blocks"]) for point in plan["points"])
            folder = self.runs.folder / f"{plan['simulator']}-{plan['run_id']}"
            await job.ended(seconds + 120, _beat(ctx, lambda: f"{blocks_done(folder)} of {total} blocks"))
            job.document()
        return await self.runs.answer(plan["run_id"])

    async def run_status(
        self, run_id: RunId, stop: Annotated[bool, Field(description="stop it; finished blocks are kept")] = False
    ) -> SweepAnswer:
        """Where a run stands: state, blocks done, the rows so far (which decide nothing). With stop, stop it."""
        job = self.runs.job(run_id)
        if stop and job is not None:
            await job.end()
        answer = await self.runs.answer(run_id)
        if stop and answer.state == "running":
            raise ToolError("stop goes with a run that this server started; this one is another process's")
        return answer

    async def run_result(self, run_id: RunId) -> SweepAnswer:
        """The verdict of a run that has ended; an error while it runs, or if it was stopped before its end."""
        answer = await self.runs.answer(run_id)
        if answer.state in ("running", "stopped"):
            done = f"{answer.blocks} of {answer.blocks_planned} blocks are done"
            again = "poll run_status" if answer.state == "running" else "call run_sweep again: it goes on from there"
            raise ToolError(f"run {run_id} is {answer.state}, {done}; {again}")
        return answer

    async def decide_growth(
        self,
        k: Annotated[Numbers, Field(description="sizes, at least five of them 3 or more")],
        y: Annotated[Numbers, Field(description="the mean at each size, in any unit")],
        se: Annotated[Numbers, Field(description="one standard error of each mean, in the unit of y")],
        reps: Annotated[int | None, Field(ge=2, description="replicates behind each mean; none: errors exact")] = None,
        c_star: Annotated[float | None, Field(gt=0, description="smallest slope that matters, per ln k")] = None,
        tier: Annotated[int, Field(ge=0, le=2, description="bounded transients allowed for")] = 2,
    ) -> GrowthAnswer:
        """Whether y is O(1) in k by your own measurements: growth, agreement so far (toy), or undecided. 2 s."""
        if not len(k) == len(y) == len(se):
            raise ToolError(f"k, y and se must be equally long; got {len(k)}, {len(y)} and {len(se)}")
        table = "\n".join(["k,mean,se", *(f"{a!r},{b!r},{c!r}" for a, b, c in zip(k, y, se, strict=True))])
        line = ["fits", "decide", "-", "--se=se", f"--tier={tier}", "--json", "--figure=none"]
        line += [f"--reps={reps}"] * (reps is not None) + [f"--c-star={c_star!r}"] * (c_star is not None)
        document = await self.runs.call(line, stdin=table + "\n")
        said = {name: document[name] for name in ("verdict", "reason", "sentence", "decision")}
        return GrowthAnswer(**said, **mcp_reach.of_growth(document["decision"]))

    async def plan_growth(
        self,
        sd: Annotated[float, Field(gt=0, description="standard deviation of one replicate, in the unit of y")],
        c: Annotated[float, Field(gt=0, description="slope per ln k that must be seen")],
        tier: Annotated[int, Field(ge=0, le=2, description="bounded transients to allow for")] = 2,
    ) -> DesignAnswer:
        """How far and how often to measure, so that a slope c per ln k is seen with 95 % power. Runs nothing; 1 s."""
        line = ["fits", "plan", f"--sd={sd!r}", f"--c={c!r}", f"--tier={tier}", "--json"]
        document = await self.runs.call(line)
        said = {name: document[name] for name in ("c", "k", "reps", "se", "cost")}
        return DesignAnswer(**said, **mcp_reach.of_design(document))

    async def decide_attention(
        self,
        tokens: Annotated[Points, Field(description="points with the origin in their hull")],
        b: Annotated[Points | None, Field(description="B*, symmetric positive semidefinite; none: identity")] = None,
        tie: Literal["low", "avg", "stay"] = "low",
        index: Annotated[Literal["update", "state"], Field(description="label t = k - 1 or k of state k")] = "update",
        horizon: Annotated[Exact, Field(description="violated by this t?")] = "1e12",
    ) -> AttentionAnswer:
        """Whether this start of hardmax attention ever breaks J <= 2 L D^2/(t+1): exactly, for all t. Milliseconds to
        seconds. The answer is kept in the output folder."""
        rows = {name: ";".join(map(",".join, points)) for name, points in (("tokens", tokens), ("b", b)) if points}
        line = ["sweeps", "attention", *(f"--{name}={text}" for name, text in rows.items())]
        line += [f"--tie={tie}", f"--index={index}", f"--horizon={horizon}", "--json"]
        folder = self.runs.folder / f"attention-{hashlib.sha256(repr(line).encode()).hexdigest()[:12]}"
        document = await self.runs.call([*line, f"--out={folder}"], limit=MAX_CALL)
        written, finding = folder / CERTIFICATE, document["finding"]
        certificate = json.loads(written.read_text(encoding="utf-8")) if written.exists() else None
        names = ("first_violation", "violated_by_horizon", "eventual", "from_k")
        said = {**{name: document[name] for name in names}, **{name: finding[name] for name in ("verdict", "sentence")}}
        return AttentionAnswer(**said, certificate=certificate, **mcp_reach.of_attention(document))

    async def hunt(
        self,
        ctx: Context[None],
        claim: Annotated[Name, Field(description="a case, or a file with gap(instance) and instances")],
        seconds: Annotated[float, Field(ge=1, le=MAX_CALL, description="budget of the search")] = 30,
        seed: Seed = 0,
    ) -> HuntAnswer:
        """Search for a counterexample to a claim, exact and shrunk if found. Not finding one shows little."""
        if claim.endswith(".py"):
            claim = str(mcp_planning.inside(claim, self.runs.start))
        line = ["sweeps", "hunt", claim, f"--seconds={seconds:g}", f"--seed={seed}", "--json"]
        job = Job(line, folder=self.runs.folder, cwd=self.runs.folder)
        await job.ended(seconds + 60, _beat(ctx, lambda: f"searching, budget {seconds:g} s"))
        document = job.document()
        return HuntAnswer(**{**document, **mcp_reach.of_hunt(document)})

    async def verify_certificate(self, certificate: dict[str, Any]) -> CertificateAnswer:
        """Have a certificate checked by the independent checker, which recomputes everything. Milliseconds."""
        return await anyio.to_thread.run_sync(_verify, certificate)

    async def _plan(
        self, simulator: str, fixed: dict[str, Value | None], parameters: dict[str, Value] | None
    ) -> tuple[list[str], dict[str, Any]]:
        """Command line and plan; a ToolError past the limit."""
        line = mcp_planning.arguments(simulator, {**fixed, **(parameters or {})}, start=self.runs.start)
        document = await self.runs.call([*line, "--dry-run", "--json"])
        if document["requests"] > MAX_REQUESTS:
            raise ToolError(
                f"a sweep must have at most {MAX_REQUESTS:.0e} requests; this has {document['requests']:.1e}"
            )
        return line, document


def _beat(ctx: Context[None], say: Any) -> Beat:
    """A note of progress every EVERY seconds, in seconds so that it always rises."""
    last = -EVERY

    async def beat(spent: float) -> None:
        nonlocal last
        if spent - last >= EVERY:
            last = spent
            await ctx.report_progress(round(spent, 3), None, say())

    return beat


def _verify(certificate: dict[str, Any]) -> CertificateAnswer:
    verify: Any = import_module("exact.verify")
    reach: dict[str, Any] = {
        "scale": "the instance of the certificate, exactly",
        "power": "complete: everything is recomputed",
    }
    try:
        says = verify.check_text(json.dumps(certificate))
    except verify.Rejected as error:
        open_ = "everything: a rejected certificate shows nothing, neither for the claim nor against it"
        return CertificateAnswer(outcome="rejected", says=str(error), not_excluded=open_, **reach)
    settled = "nothing about that instance; whether the quoted claim is the published one is for a reader"
    return CertificateAnswer(outcome="accepted", says=says, not_excluded=settled, **reach)
