"""Files into a ``Series``: means with errors, or raw replicates."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from fits.commands.cells import Row, column, distinct, is_number, present
from fits.series import MIN_K, Series, check_scatter


def series(args: argparse.Namespace) -> Series:
    """Build the series that the options describe."""
    rows = _from(read(args.file), args.x, args.k_min)
    if args.se is not None:
        if args.shared_seeds:
            raise ValueError("shared-seeds must come with raw replicates, not with --se")
        return _means(rows, args)
    if args.reps is not None:
        raise ValueError("reps must come with --se; raw replicates are counted")
    return _replicates(rows, args)


def _from(rows: list[Row], x: str, k_min: float | None) -> list[Row]:
    """The rows with x >= ``k_min``; without it none may lie below what the dictionary is defined on."""
    sizes = column(rows, x)
    if k_min is None:
        if min(sizes) < MIN_K:
            raise ValueError(
                f"{x} must be at least {MIN_K} (1/ln k and ln ln k are in the dictionary); got {min(sizes):g}: "
                f"leave out the rows with {x} below {MIN_K}, say with --k-min {MIN_K}"
            )
        return rows
    if not MIN_K <= k_min < float("inf"):
        raise ValueError(f"k-min={k_min:g} must be at least {MIN_K} and finite")
    kept = [row for row, size in zip(rows, sizes, strict=True) if size >= k_min]
    if not kept:
        raise ValueError(f"k-min={k_min:g} must leave rows; the largest {x} is {max(sizes):g}")
    return kept


def read(file: str) -> list[Row]:
    """Rows of a table as dicts; ValueError in one line if there are none."""
    if file != "-" and Path(file).suffix == ".parquet":
        rows = _parquet(file)
    else:
        text = sys.stdin.read() if file == "-" else _text(file)
        rows = _jsonl(text, file) if _is_json(text, file) else _delimited(text, file)
    if not rows:
        raise ValueError(f"{file} must have rows of data; it is empty")
    return rows


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{file} must be UTF-8 text (CSV, TSV, JSON Lines) or end in .parquet") from None
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None


def _is_json(text: str, file: str) -> bool:
    return Path(file).suffix in (".jsonl", ".ndjson") or text.lstrip().startswith("{")


def _delimited(text: str, file: str) -> list[Row]:
    lines = text.splitlines()
    if not lines:
        return []
    delimiter = "\t" if Path(file).suffix == ".tsv" or "\t" in lines[0] else ","
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        rows = list(reader)
        distinct(reader.fieldnames or (), file)
    except csv.Error as error:
        raise ValueError(f"{file} line {reader.line_num}: {error}") from None
    if any(None in row for row in rows):
        raise ValueError(f"{file} must have as many fields in every line as in its header")
    return rows


def _jsonl(text: str, file: str) -> list[Row]:
    rows = []
    for i, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_object)
        except ValueError as error:
            raise ValueError(f"{file} line {i} must be a JSON object: {error}") from None
        if not isinstance(row, dict):
            raise ValueError(f"{file} line {i} must be a JSON object; got {type(row).__name__}")
        rows.append(row)
    return rows


def _object(pairs: list[tuple[str, Any]]) -> Row:
    distinct((name for name, _ in pairs), "it")
    return dict(pairs)


def _parquet(file: str) -> list[Row]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise ValueError(f"{file}: reading Parquet needs pyarrow (pip install pyarrow)") from None
    try:
        distinct(parquet.read_schema(file).names, file)
        return list(parquet.read_table(file).to_pylist())
    except (ArrowException, OSError) as error:
        raise ValueError(f"{file} cannot be read as Parquet: {error}") from None


def _means(rows: list[Row], args: argparse.Namespace) -> Series:
    k, mean, se = (column(rows, name) for name in (args.x, args.y, args.se))
    if args.reps is None:
        return Series(np.array(k), np.array(mean), np.array(se), exact=True)
    reps: Any = float(args.reps) if is_number(args.reps) else column(rows, args.reps)
    return Series(np.array(k), np.array(mean), np.array(se), reps=reps)


def _replicates(rows: list[Row], args: argparse.Namespace) -> Series:
    k, y = column(rows, args.x), column(rows, args.y)
    group = args.group or args.x
    present(rows, group)
    keys = k if group == args.x else [row.get(group) for row in rows]
    points = _points(keys, k, group, args.x)
    if args.shared_seeds:
        present(rows, args.shared_seeds)
        return _matrix(points, k, y, [row.get(args.shared_seeds) for row in rows], args.shared_seeds)
    values = [np.array([y[i] for i in members]) for members in points.values()]
    sizes = np.array([len(v) for v in values])
    if sizes.min() < 3:
        first = next(iter(points.values())) if sizes[0] < 3 else list(points.values())[int(sizes.argmin())]
        raise ValueError(
            f"each {group} must have at least 3 replicates; got {sizes.min()} at {args.x} = {k[first[0]]:g} "
            f"(means with errors: give --se)"
        )
    mean = np.array([v.mean() for v in values])
    se = np.array([v.std(ddof=1) for v in values]) / np.sqrt(sizes)
    sizes_k = np.array([k[members[0]] for members in points.values()])
    check_scatter(sizes_k, mean, se, name=args.x)
    return Series(sizes_k, mean, se, reps=sizes)


def _points(keys: Iterable[Any], k: list[float], group: str, x: str) -> dict[Any, list[int]]:
    points: dict[Any, list[int]] = {}
    for i, key in enumerate(keys):
        points.setdefault(key, []).append(i)
    for key, members in points.items():
        if len({k[i] for i in members}) > 1:
            raise ValueError(f"{x} must be the same in every row with {group} = {key}")
    return points


def _matrix(points: dict[Any, list[int]], k: list[float], y: list[float], seeds: list[Any], name: str) -> Series:
    order = {seed: r for r, seed in enumerate(dict.fromkeys(seeds))}
    samples = np.full((len(order), len(points)), np.nan)
    for j, members in enumerate(points.values()):
        for i in members:
            samples[order[seeds[i]], j] = y[i]
    if np.isnan(samples).any() or sum(map(len, points.values())) != samples.size:
        raise ValueError(f"each {name} must occur exactly once at every point")
    return Series.from_samples([k[members[0]] for members in points.values()], samples, shared_seeds=True)
