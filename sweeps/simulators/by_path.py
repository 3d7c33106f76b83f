"""A user's own simulator: a Python file with ``sample(k, count, rng)`` and, if it likes, CLAIM, C_STAR, exact(k)."""

import functools
import hashlib
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from sweeps.spec import GRID, Claim, Layout, Parameter, Simulator, Sums, Thresholds, Values, Words, resolve_grid

REPLICATES = Parameter("replicates", 1000, "replicates for each k", int, 3, 10**10)
BLOCKS = 16
WORDS = Words("size k", "replicates", "replicates", "mean", "mean", "mean", less_h_k=False)


def simulator_at(path: str) -> Simulator:
    """The simulator in a file; ValueError of one line if it has no ``sample`` or can't be read."""
    module, where = _load(path), Path(path).resolve()
    stem, digest = where.stem, _digest(where.read_bytes())
    summary = (module.__doc__ or stem).strip().splitlines()[0].rstrip(".")
    return Simulator(
        name=stem,
        summary=summary,
        claim=Claim(stem, str(getattr(module, "CLAIM", f"the mean of {stem} is O(1) in k")), f"user's file {path}"),
        parameters=(*GRID, REPLICATES),
        resolve=resolve_grid,
        describe=functools.partial(_describe, summary),
        layout=_layout,
        size=_size,
        run_block=functools.partial(_run_block, str(where), digest),
        row=_row,
        exact=functools.partial(_exact, path),
        source_files=(str(where),),
        thresholds=Thresholds(rival="ln", c_star=_c_star(module, path), k_full=0),
        path=str(where),
        words=WORDS,
    )


def _c_star(module: ModuleType, path: str) -> float | None:
    value = getattr(module, "C_STAR", None)
    if value is None or (isinstance(value, int | float) and 0 < value < math.inf):
        return value
    raise ValueError(f"{path} C_STAR must be a positive number or None; got {value!r:.60}")


def _load(path: str) -> ModuleType:
    where = Path(path).resolve()
    if not where.is_file():
        raise ValueError(f"simulator must be a name or the path of a Python file; there is no {path}")
    try:
        return _loaded(path, where, where.read_bytes())
    except OSError as error:
        raise ValueError(f"{path} must be readable; {error.strerror}") from None


@functools.lru_cache(maxsize=16)
def _loaded(path: str, where: Path, source: bytes) -> ModuleType:
    """Once for each text of a file: what is run is what its hash is taken of, also after an edit in a notebook."""
    module = ModuleType(f"claimsweep_user_{where.stem}")
    module.__file__ = str(where)
    try:
        exec(compile(source, path, "exec"), vars(module))
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path} must be importable; {type(error).__name__}: {error}") from None
    if not callable(getattr(module, "sample", None)):
        raise ValueError(f"{path} must define sample(k, count, rng), an array of count numbers")
    return module


def _unchanged(path: str, digest: str) -> ModuleType:
    """The module, if the file is still the one whose run this is; workers read it for themselves."""
    if _digest(Path(path).read_bytes()) != digest:
        raise ValueError(f"{path} has changed while it ran: run it again")
    return _load(path)


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()


def _describe(summary: str, _values: Values) -> str:
    return summary


def _layout(values: Values, _k: int) -> Layout:
    return Layout(values["replicates"], max(1, -(-values["replicates"] // BLOCKS)))


def _size(_values: Values, _k: int) -> float:
    return 1.0


def _run_block(path: str, digest: str, _values: Values, k: int, count: int, seed: Any) -> Sums:
    """Sums of the samples and of their squares, exact: a float is a fraction."""
    import numpy as np

    samples = np.asarray(_unchanged(path, digest).sample(k, count, np.random.default_rng(seed)))
    if samples.shape != (count,):
        raise ValueError(f"sample(k={k}, count={count}) must be {count} numbers; got shape {samples.shape}")
    if not np.isfinite(samples).all():
        raise ValueError(
            f"sample(k={k}, count={count}) must be finite numbers; got {samples[~np.isfinite(samples)][0]}"
        )
    exact = [Fraction(value) for value in samples.tolist()]
    return {"phases": count, "cost": _plain(sum(exact)), "square": _plain(sum(x * x for x in exact))}


def _plain(value: Fraction | int) -> Fraction | int:
    return int(value) if value.denominator == 1 else value


def _row(_values: Values, k: int, sums: Sums) -> dict[str, Any]:
    n, mean = sums["phases"], Fraction(sums["cost"]) / sums["phases"]
    se = math.sqrt((sums["square"] - n * mean * mean) / (n * max(1, n - 1)))
    value = float(mean)
    return {
        "k": k,
        "phases": n,
        "requests": n,
        "cost": value,
        "cost_se": se,
        "opt": 1.0,
        "additive": value,
        "additive_se": se,
    }


def _exact(path: str, _values: Values, _k_max: int) -> Callable[[int], Fraction | float | None]:
    function: Callable[[int], Any] | None = getattr(_load(path), "exact", None)
    return lambda k: None if function is None else _exact_value(path, function, k)


def _exact_value(path: str, function: Callable[[int], Any], k: int) -> Fraction | float | None:
    try:
        value = function(k)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path} exact(k={k}) must be a number; {type(error).__name__}: {error}") from error
    if value is None or isinstance(value, Fraction):
        return value
    if isinstance(value, int | float) and math.isfinite(value):
        return Fraction(value) if isinstance(value, int) else value
    raise ValueError(f"{path} exact(k={k}) must be a finite number, a Fraction or None; got {value!r:.60}")
