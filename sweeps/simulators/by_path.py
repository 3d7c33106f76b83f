"""A user's own simulator: a Python file with ``sample(k, count, rng)`` and, if it likes, CLAIM, C_STAR, exact(k)."""

import ast
import functools
import hashlib
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from sweeps.spec import GRID, Claim, Layout, Parameter, Simulator, Sums, Thresholds, Values, Words, resolve_grid

REPLICATES = Parameter("replicates", 1000, "replicates for each k", int, 3, 10**10)
BLOCKS = 16
TINY, HUGE = 1e-100, 1e100  # beyond them squares overflow or vanish
WORDS = Words("size k", "replicates", "replicates", "mean", "mean", "mean", less_h_k=False)


def simulator_at(path: str) -> Simulator:
    """The simulator in a file; ValueError of one line if it has no ``sample`` or can't be read."""
    where = Path(path).resolve()
    files = _files(where, path)
    digest = _digest(files)
    module = _loaded(path, files, digest)
    summary = (module.__doc__ or where.stem).strip().splitlines()[0].rstrip(".")
    claim = str(getattr(module, "CLAIM", f"the mean of {where.stem} is O(1) in k"))
    return Simulator(
        name=where.stem,
        summary=summary,
        claim=Claim(where.stem, claim, f"user's file {path}"),
        parameters=(*GRID, REPLICATES),
        resolve=resolve_grid,
        describe=functools.partial(_describe, summary),
        layout=_layout,
        size=_size,
        run_block=functools.partial(_run_block, path, files, digest),
        row=_row,
        exact=functools.partial(_exact, path, files, digest),
        source_files=files,
        thresholds=Thresholds(rival="ln", c_star=_c_star(module, path), k_full=0),
        path=str(where),
        words=WORDS,
    )


def _c_star(module: ModuleType, path: str) -> float | None:
    value = getattr(module, "C_STAR", None)
    if value is None or (isinstance(value, int | float) and 0 < value < math.inf):
        return value
    raise ValueError(f"{path} C_STAR must be a positive number or None; got {value!r:.60}")


def _files(where: Path, path: str) -> tuple[str, ...]:
    """The file and what it imports from beside it, directly or not: what its results depend on."""
    if not where.is_file():
        raise ValueError(f"simulator must be a name or the path of a Python file; there is no {path}")
    found = [where]
    for file in found:  # grows while it is walked
        beside = [where.parent / f"{name}.py" for name in sorted(_imported(file))]
        found += [one for one in beside if one.is_file() and one not in found]
    return (str(where), *sorted(map(str, found[1:])))


def _imported(file: Path) -> set[str]:
    """First words of the modules that a file imports, wherever it does."""
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError, ValueError):  # said where the file is run
        return set()
    names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return {name.partition(".")[0] for name in names}


@functools.lru_cache(maxsize=16)
def _loaded(path: str, files: tuple[str, ...], _digest: str) -> ModuleType:
    """Once for each text of the files: what runs is what the hash is taken of, also after an edit in a notebook."""
    where = Path(files[0])
    for helper in map(Path, files[1:]):  # perhaps imported before it was edited
        known = getattr(sys.modules.get(helper.stem), "__file__", None)
        if known is not None and Path(known).resolve() == helper:
            del sys.modules[helper.stem]
    if str(where.parent) not in sys.path:  # as `python mine.py` does: a file may import its neighbours
        sys.path.append(str(where.parent))
    module = ModuleType(f"claimsweep_user_{where.stem}")
    module.__file__ = str(where)
    try:
        exec(compile(where.read_bytes(), path, "exec"), vars(module))
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path} must be importable; {type(error).__name__}: {error}") from None
    if not callable(getattr(module, "sample", None)):
        raise ValueError(f"{path} must define sample(k, count, rng), an array of count numbers")
    return module


def _unchanged(path: str, files: tuple[str, ...], digest: str) -> ModuleType:
    """The module, if its files are still those whose run this is; workers read them for themselves."""
    if _digest(files) != digest:
        raise ValueError(f"{path} has changed while it ran: run it again")
    return _loaded(path, files, digest)


def _digest(files: tuple[str, ...]) -> str:
    return hashlib.sha256(b"\0".join(Path(file).read_bytes() for file in files)).hexdigest()


def _describe(summary: str, _values: Values) -> str:
    return summary


def _layout(values: Values, _k: int) -> Layout:
    return Layout(values["replicates"], max(1, -(-values["replicates"] // BLOCKS)))


def _size(_values: Values, _k: int) -> float:
    return 1.0


def _run_block(path: str, files: tuple[str, ...], digest: str, _values: Values, k: int, count: int, seed: Any) -> Sums:
    """Sums of the samples and of their squares, exact: a float is a fraction."""
    import numpy as np

    samples = np.asarray(_unchanged(path, files, digest).sample(k, count, np.random.default_rng(seed)))
    if samples.shape != (count,):
        raise ValueError(f"sample(k={k}, count={count}) must be {count} numbers; got shape {samples.shape}")
    if not np.isfinite(samples).all():
        raise ValueError(
            f"sample(k={k}, count={count}) must be finite numbers; got {samples[~np.isfinite(samples)][0]}"
        )
    sizes = np.abs(samples[samples != 0])
    if sizes.size and not TINY <= sizes.min() <= sizes.max() <= HUGE:
        worst = sizes.min() if sizes.min() < TINY else sizes.max()
        raise ValueError(f"sample(k={k}, count={count}) must be 0 or of a size of {TINY:g} to {HUGE:g}; got {worst:g}")
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


def _exact(
    path: str, files: tuple[str, ...], digest: str, _values: Values, _k_max: int
) -> Callable[[int], Fraction | float | None]:
    function: Callable[[int], Any] | None = getattr(_loaded(path, files, digest), "exact", None)
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
