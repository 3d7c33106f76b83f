"""Runs a simulator over its grid: seeds, blocks, workers, resume. Results do not depend on workers or order."""

import functools
import hashlib
import importlib.metadata
import importlib.resources
import json
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sweeps.spec import Simulator, Sums, grid

Block = tuple[int, int]  # k, number of the block


@dataclass(frozen=True)
class Plan:
    """Everything that fixes a sweep's results: simulator, resolved parameters, seed; and the blocks that follow."""

    simulator: Simulator
    values: Mapping[str, Any]
    seed: int

    @functools.cached_property
    def ks(self) -> list[int]:
        """Cache sizes swept."""
        return grid(self.values)

    @functools.cached_property
    def blocks(self) -> dict[Block, int]:
        """Replicates of each block."""
        sizes = ((k, self.simulator.replicates(self.values, k)) for k in self.ks)
        return {(k, i): n for k, blocks in sizes for i, n in enumerate(blocks)}

    @functools.cached_property
    def code(self) -> str:
        """Hash of the simulator's own source files."""
        digest = hashlib.sha256()
        folder = importlib.resources.files(f"sweeps.simulators.{self.simulator.name}")
        for name in self.simulator.source_files:
            digest.update(folder.joinpath(name).read_bytes())
        return digest.hexdigest()[:16]

    @property
    def identity(self) -> dict[str, Any]:
        """What the run id is a hash of."""
        return {
            "simulator": self.simulator.name,
            "claim": self.simulator.claim.id,
            "parameters": dict(self.values),
            "seed": str(self.seed),
            "code": self.code,
        }

    @property
    def run_id(self) -> str:
        """Twelve hex digits that name claim, parameters, seed and code version."""
        return _digest(self.identity)[:12]

    @functools.cached_property
    def sizes(self) -> dict[Block, float]:
        """Requests of each block in the mean."""
        return {block: n * self.simulator.size(self.values, block[0]) for block, n in self.blocks.items()}


def make_plan(simulator: Simulator, parameters: Mapping[str, Any], seed: int) -> Plan:
    """Check parameters (ValueError, TypeError) and lay out the sweep."""
    known = {p.name: p for p in simulator.parameters}
    for name in parameters:
        if name not in known:
            raise TypeError(f"parameter must be one of {', '.join(known)}; got {name!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be an integer of at least 0; got {seed!r}")
    values = {p.name: p.check(parameters.get(p.name, p.default)) for p in known.values()}
    return Plan(simulator, simulator.resolve(values), seed)


def check_jobs(jobs: int) -> None:
    """ValueError unless ``jobs`` is an integer of at least 1."""
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise ValueError(f"jobs must be at least 1; got {jobs!r}")


def execute(
    plan: Plan, *, jobs: int, done: Mapping[Block, Sums], keep: Callable[[Block, Sums], None]
) -> dict[Block, str]:
    """Run the blocks that are not ``done``, hand each result to ``keep`` as it comes; return failures' tracebacks."""
    failed: dict[Block, str] = {}
    for block, result in _results(plan, [block for block in plan.blocks if block not in done], jobs):
        if isinstance(result, str):
            failed[block] = result
        else:
            keep(block, result)
    return failed


def _results(plan: Plan, todo: list[Block], jobs: int) -> Iterator[tuple[Block, Sums | str]]:
    """Blocks in any order. The first runs before there are workers: it compiles the kernels, which release the GIL."""
    from joblib import Parallel, delayed

    yield from (_run(plan, block) for block in todo[:1])
    pool = Parallel(jobs, prefer="threads", return_as="generator_unordered")
    yield from pool(delayed(_run)(plan, block) for block in todo[1:])


def _run(plan: Plan, block: Block) -> tuple[Block, Sums | str]:
    try:
        seed = block_seed(plan, block)
        return block, plan.simulator.run_block(plan.values, block[0], plan.blocks[block], seed)
    except Exception:
        return block, traceback.format_exc()


def block_seed(plan: Plan, block: Block) -> Any:
    """``SeedSequence(seed, spawn_key=(key of the point, block number))``; the grid's ends are no part of a point."""
    from numpy.random import SeedSequence

    k, number = block
    ignored = ("k_max", "k_min", "ratio", "requests", "target_se", "replicates")
    point = {name: value for name, value in plan.values.items() if name not in ignored} | {"k": k}
    key = int(_digest({"simulator": plan.simulator.name, **point})[:8], 16)
    return SeedSequence(plan.seed, spawn_key=(key, number))


def versions() -> dict[str, str]:
    """Versions of what computes the results."""
    names = ("claimsweep", "numpy", "numba", "joblib")
    return {name: importlib.metadata.version(name) for name in names}


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
