"""What a simulator declares so that the engine can sweep it and the command line can offer its options."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

TOLERANCE = 1e-9  # of floats, relative, where numba's or numpy's version differs; else they must be the same bits
Values = Mapping[str, Any]  # parameter name -> value
Sums = dict[str, Any]  # what a block of replicates leaves: integers or Fractions, added up exactly


@dataclass(frozen=True)
class Claim:
    """A published statement: short id, the statement with its quantifiers, the source."""

    id: str
    statement: str
    source: str


@dataclass(frozen=True)
class Parameter:
    """One option: its type is its default's (``kind`` where the default is None), its range ``low``..``high``."""

    name: str
    default: Any
    help: str
    kind: type = str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: Any) -> Any:
        """The value, or a ValueError of one line: what was wrong, what is allowed."""
        if value is None or (not self.choices and self.low is None):
            return value
        if self.choices:
            if value not in self.choices:
                raise ValueError(f"{self.name} must be one of {', '.join(self.choices)}; got {value!r}")
            return value
        wanted = "an integer" if self.kind is int else "a number"
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not (whole or (self.kind is float and isinstance(value, float) and math.isfinite(value))):
            raise ValueError(f"{self.name} must be {wanted} {self._range()}; got {value}")
        if value < (self.low or 0) or (self.high is not None and value > self.high):
            raise ValueError(f"{self.name} must be {self._range()}; got {value}")
        return value

    def _range(self) -> str:
        return f"at least {self.low}" if self.high is None else f"between {self.low} and {self.high}"


@dataclass(frozen=True)
class Layout:
    """Replicates of a point in blocks of ``block``, the last one perhaps smaller.

    ``affordable``: the replicates that an equal share of the requests would buy, if a standard error that is small
    enough needs fewer. A first look at a share of the requests then takes cheap points whole: with the same requests
    the slope's error under T2 is up to 2.4 times smaller than with a share of every point's replicates.
    """

    replicates: int
    block: int
    affordable: int = 0

    @property
    def count(self) -> int:
        """Number of blocks."""
        return -(-self.replicates // self.block)

    def count_up_to(self, share: float) -> int:
        """Number of blocks that a share of the requests buys, rounded up."""
        bought = max(self.replicates, self.affordable) / self.block
        return min(self.count, math.ceil(bought * share - 1e-9))

    def replicates_of(self, number: int) -> int:
        """Replicates in a block."""
        return min(self.block, self.replicates - number * self.block)


@dataclass(frozen=True)
class Thresholds:
    """What decides whether a term is O(1), fixed before any run: see fits.decide.

    Growth ``c * rival`` with c >= ``c_star`` is the smallest that matters: at most half the slope of the competing
    claim (None: nothing is then called flat). Growth has to pass ``z_false`` sigma after every bounded transient of
    the ``tier``.
    """

    rival: str
    c_star: float | None
    k_full: int
    tier: int = 2
    z_false: float = 3.0
    z_verify: float = 2.33


@dataclass(frozen=True)
class Words:
    """What a sweep's outputs call things: the paging words, unless a simulator says otherwise."""

    size: str = "cache size k"
    work: str = "requests"
    replicates: str = "phases"
    cost: str = "cost a phase"
    value: str = "additive term"
    formula: str = "cost/OPT $-$ $H_k$"
    less_h_k: bool = True  # the value is the cost less H_k


@dataclass(frozen=True)
class Model:
    """What every folder of simulators/ declares as SIMULATOR; one with a command of its own declares no more."""

    name: str
    summary: str
    claim: Claim

    def sources(self) -> list[Path]:
        """The files that its results depend on: all of its folder."""
        return sorted(_folder(self.name).glob("*.py"))


def _folder(name: str) -> Path:
    return Path(__file__).parent / "simulators" / name


@dataclass(frozen=True)
class Simulator(Model):
    """A model that can be swept over k.

    ``resolve`` fills in and checks parameters (raises ValueError), ``describe`` says in a line what is swept,
    ``layout(values, k)`` gives the replicates and their blocks, ``size(values, k)`` the requests of one replicate in
    the mean, ``run_block(values, k, replicates, seed)`` simulates (importable, so that any joblib backend can call
    it), ``row(values, k, sums)`` makes the point's result out of the sums over its blocks and ``exact(values, k_max)``
    gives a function from k to the exact additive term, a Fraction or a float, or None where none is known.
    ``variance(values, k)`` is a replicate's, as far as it is known before a run (for planning), 0 only if it is 0.
    ``source_files`` are what the results depend on; ``path`` is that of a user's own file. ``question(values)`` is the
    claim for these parameters, where it is not always ``claim``.
    """

    parameters: tuple[Parameter, ...]
    resolve: Callable[[Values], dict[str, Any]]
    describe: Callable[[Values], str]
    layout: Callable[[Values, int], Layout]
    size: Callable[[Values, int], float]
    run_block: Callable[[Values, int, int, Any], Sums]
    row: Callable[[Values, int, Sums], dict[str, Any]]
    exact: Callable[[Values, int], Callable[[int], Fraction | float | None]]
    source_files: tuple[str, ...]
    thresholds: Thresholds
    variance: Callable[[Values, int], float] | None = None
    trace: Callable[..., list[dict[str, Any]]] | None = None
    path: str | None = None
    words: Words = Words()
    question: Callable[[Values], Claim] | None = None

    def sources(self) -> list[Path]:
        """The files that ``source_files`` names."""
        return [_folder(self.name) / name for name in self.source_files]


K_LIMIT = 1 << 20

GRID = (
    Parameter("k_max", 1024, "largest k of the sweep", int, 2, K_LIMIT),
    Parameter("k_min", None, "smallest k of the sweep (default 4, or k-max if that is less)", int, 2, K_LIMIT),
    Parameter("ratio", 2**0.5, "ratio of neighbouring k (default: the square root of 2)", float, 1.01, 64),
)


def grid(values: Values) -> list[int]:
    """Cache sizes from k_min to k_max in geometric steps, both ends included."""
    k_min, k_max, ratio = values["k_min"], values["k_max"], values["ratio"]
    steps = int(math.log(k_max / k_min) / math.log(ratio) + 1e-9)
    return sorted({min(round(k_min * ratio**i), k_max) for i in range(steps + 1)} | {k_max})


def resolve_grid(values: Values) -> dict[str, Any]:
    """The values of GRID checked, with k_min filled in."""
    k_max = values["k_max"]
    k_min = min(4, k_max) if values["k_min"] is None else values["k_min"]
    if k_min > k_max:
        raise ValueError(f"k_min must be at most k_max = {k_max}; got {k_min}")
    return {**values, "k_min": k_min}
