"""A sweep laid out: points, blocks of replicates, seeds, and the identity that names its results."""

import functools
import hashlib
import importlib.metadata
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sweeps.spec import Claim, Layout, Model, Simulator, grid

Block = tuple[int, int]  # k, number of the block
# What does not belong to a point: the grid's ends and how many replicates there are. A point keeps its seeds when
# the grid is extended, and its first replicates when there are more of them.
NOT_OF_A_POINT = ("k_max", "k_min", "ratio", "requests", "target_se", "replicates")


@dataclass(frozen=True)
class Plan:
    """Everything that fixes a sweep's results: simulator, resolved parameters, seed; and the blocks that follow."""

    simulator: Simulator
    values: Mapping[str, Any]
    seed: int
    looks: int = 1

    @property
    def source(self) -> str:
        """Name or path by which the simulator is found again."""
        return self.simulator.path or self.simulator.name

    @property
    def files(self) -> list[Path]:
        """A user's own files, which its results depend on."""
        return self.simulator.sources() if self.simulator.path else []

    @functools.cached_property
    def claim(self) -> Claim:
        """What the sweep tests."""
        question = self.simulator.question
        return self.simulator.claim if question is None else question(self.values)

    @functools.cached_property
    def ks(self) -> list[int]:
        """Cache sizes swept."""
        return grid(self.values)

    @functools.cached_property
    def layouts(self) -> dict[int, Layout]:
        """Replicates of each k and how they fall into blocks."""
        return {k: self.simulator.layout(self.values, k) for k in self.ks}

    @functools.cached_property
    def sizes(self) -> dict[int, float]:
        """Requests of one replicate at each k, in the mean."""
        return {k: self.simulator.size(self.values, k) for k in self.ks}

    def requests(self, block: Block) -> float:
        """Requests of a block in the mean."""
        return self.layouts[block[0]].replicates_of(block[1]) * self.sizes[block[0]]

    @property
    def total(self) -> float:
        """Requests of the whole sweep in the mean."""
        return sum(self.layouts[k].replicates * self.sizes[k] for k in self.ks)

    def blocks(self, look: int | None = None) -> Iterator[Block]:
        """The blocks up to the given look (1..looks), or all: at look i a share i/looks of the requests."""
        share = 1.0 if look is None else look / self.looks
        for k in self.ks:
            yield from ((k, i) for i in range(self.layouts[k].count_up_to(share)))

    @functools.cached_property
    def identity(self) -> dict[str, Any]:
        """What the run id is a hash of."""
        return {
            "simulator": self.simulator.name,
            "claim": self.claim.id,
            "parameters": dict(self.values),
            "seed": str(self.seed),
            "looks": self.looks,
            "code": code_version(self.simulator),
        }

    @property
    def run_id(self) -> str:
        """Twelve hex digits that name claim, parameters, seed, looks and code version."""
        return run_id_of(self.identity)

    @functools.cached_property
    def _keys(self) -> dict[int, int]:
        shared = {name: value for name, value in self.values.items() if name not in NOT_OF_A_POINT}
        points = {k: {"simulator": self.simulator.name, **shared, "k": k} for k in self.ks}
        return {k: int(_digest(point)[:8], 16) for k, point in points.items()}

    def block_seed(self, block: Block) -> Any:
        """``SeedSequence(seed, spawn_key=(key of the point, block number))``."""
        from numpy.random import SeedSequence

        k, number = block
        return SeedSequence(self.seed, spawn_key=(self._keys[k], number))


def make_plan(simulator: Simulator, parameters: Mapping[str, Any], *, seed: int, looks: int = 1) -> Plan:
    """Check parameters (ValueError, TypeError) and lay out the sweep."""
    known = {p.name: p for p in simulator.parameters}
    for name in parameters:
        if name not in known:
            raise TypeError(f"parameter must be one of {', '.join(known)}; got {name!r}")
    _check_whole("seed", seed, 0, None)
    _check_whole("looks", looks, 1, 8)
    values = {p.name: p.check(parameters.get(p.name, p.default)) for p in known.values()}
    return Plan(simulator, simulator.resolve(values), seed, looks)


def _check_whole(name: str, value: Any, low: int, high: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
        allowed = f"an integer of at least {low}" if high is None else f"between {low} and {high}"
        raise ValueError(f"{name} must be {allowed}; got {value!r}")


def check_jobs(jobs: int) -> None:
    """ValueError unless ``jobs`` is an integer of at least 1."""
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise ValueError(f"jobs must be at least 1; got {jobs!r}")


@functools.cache
def code_version(simulator: Model) -> str:
    """Hash of the simulator's own source files."""
    digest = hashlib.sha256()
    for path in simulator.sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def run_id_of(identity: Mapping[str, Any]) -> str:
    """The run id of an identity."""
    return _digest(identity)[:12]


def versions() -> dict[str, str]:
    """Versions of what computes the results."""
    names = ("claimsweep", "numpy", "numba", "joblib")
    return {name: importlib.metadata.version(name) for name in names}


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
