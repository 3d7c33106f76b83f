"""``python -m sweeps attention --random N,D``: how late the claim breaks, over many Gaussian starts."""

import argparse
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sweeps.commands import attention_run
from sweeps.commands.progress import Bar
from sweeps.commands.reading import points
from sweeps.plan import run_id_of
from sweeps.spec import Model
from sweeps.store import Store, run_files

BATCH = 25


def run(model: Model, options: argparse.Namespace) -> str:
    """Carry out a survey; finished starts are kept, and the same command goes on from them. Returns the verdict."""
    asked = _read(options)
    folder = Path(options.out or f"runs/{model.name}-{run_id_of(identity_of(model, asked))}")
    jobs = _integer(options.jobs, "jobs") if options.jobs else options.default_jobs
    kept = keep(model, asked, folder, jobs=jobs, quiet=options.quiet, force_new=options.force_new)
    if options.json:
        print(json.dumps({**asked, **kept["summary"], "finding": kept["finding"]}, allow_nan=False))
    elif options.quiet:
        print(kept["finding"]["sentence"])
    else:
        again = f"repeat: python -m sweeps reproduce {folder / 'run.json'}"
        print(*kept["said"], f"run: {run_files(folder)}      {again}", sep="\n")
    return str(kept["finding"]["verdict"])


def identity_of(model: Model, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What a survey's run is named by."""
    return attention_run.identity(model, asked, asked["seed"])


def keep(
    model: Model, asked: Mapping[str, Any], folder: Path, *, jobs: int, quiet: bool, force_new: bool = False
) -> dict[str, Any]:
    """The survey in its run directory, as far as it is not there yet; the record."""
    from sweeps.commands import attention_figure
    from sweeps.simulators.attention.problem import read_matrix
    from sweeps.simulators.attention.survey import summary

    about = identity_of(model, asked)
    store = Store(folder, about, source=model.name, force_new=force_new)
    try:
        done = {number: found for (number, _), found in store.blocks()}
        survey = {**asked, "b": read_matrix(asked["b"], asked["d"])}
        try:
            _collect(survey, done, store, jobs, quiet=quiet)
        except KeyboardInterrupt:
            store.interrupted()
            kept = f"{len(done)} of {asked['count']} starts are kept in {folder}"
            raise KeyboardInterrupt(f"interrupted: {kept}; the same command goes on") from None
        rows = [{"k": number, **{name: str(x) for name, x in done[number].items()}} for number in sorted(done)]
        found = summary([done[number] for number in sorted(done)], asked["index"])
        finding = _finding(model, asked, found)
        attention_figure.survey_figure([done[i]["k1"] for i in sorted(done)], found, folder / "survey.svg")
        record = attention_run.record(model, about, rows, _said(found, finding))
        store.finish(rows, {}, record | {"summary": found, "finding": finding})
    finally:
        store.close()
    return record | {"summary": found, "finding": finding}


def _read(options: argparse.Namespace) -> dict[str, Any]:
    from sweeps.simulators.attention import problem, survey

    for name in ("float", "certificate", "horizon"):
        if getattr(options, name):
            raise ValueError(f"{name} goes with --tokens; a survey follows every start exactly, for ever")
    shape = points(options.random, "random")
    if len(shape) != 1 or len(shape[0]) != 2:
        raise ValueError(f"random must be N,D (tokens, dimensions); got {options.random[:40]!r}")
    n, d = (_integer(x, "random") for x in shape[0])
    survey.check_shape(n, d)
    if options.tie not in problem.TIES or options.index not in problem.INDEXES:
        raise ValueError(f"tie must be one of {', '.join(problem.TIES)}, index one of {', '.join(problem.INDEXES)}")
    b = problem.read_matrix(None if options.b is None else points(options.b, "b"), d)
    return {
        "n": n,
        "d": d,
        "b": [[str(x) for x in row] for row in b],
        "tie": options.tie,
        "index": options.index,
        "count": _integer(options.count or "1000", "count", 1),
        "seed": _integer(options.seed or "0", "seed", 0),
    }


def _integer(text: str, name: str, low: int = 1) -> int:
    import exact

    value = exact.rational(text, name=name)
    if value.denominator != 1 or not low <= value <= 10**9:
        raise ValueError(f"{name} must be an integer between {low} and 1000000000; got {text[:40]}")
    return int(value)


def _collect(
    survey: Mapping[str, Any], done: dict[int, dict[str, int]], store: Store, jobs: int, *, quiet: bool
) -> None:
    todo = [number for number in range(survey["count"]) if number not in done]
    batches = [todo[i : i + BATCH] for i in range(0, len(todo), BATCH)]
    with Bar(len(todo), quiet=quiet) as bar:
        for batch in _results(survey, batches, min(jobs, len(batches))):
            for number, found in batch.items():
                done[number] = found
                store.keep((number, 0), found)
            bar.advance(len(batch), f"{len(done)} of {survey['count']} starts")


def _results(survey: Mapping[str, Any], batches: list[list[int]], jobs: int) -> Iterator[dict[int, dict[str, int]]]:
    if jobs <= 1:
        yield from (follow_batch(survey, batch) for batch in batches)
        return
    from joblib import Parallel, delayed

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    pool = Parallel(jobs, return_as="generator_unordered")
    yield from pool(delayed(follow_batch)(survey, batch) for batch in batches)


def follow_batch(survey: Mapping[str, Any], numbers: list[int]) -> dict[int, dict[str, int]]:
    """Some starts' results; a worker's share."""
    from sweeps.simulators.attention.survey import follow

    shape = (survey["n"], survey["d"])
    return {i: follow(shape, survey["b"], survey["tie"], survey["seed"], i) for i in numbers}


def _finding(model: Model, survey: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, str]:
    by = {share["by"]: share["share"] for share in found["shares"]}
    verdict = "falsified" if by["ever"] else "verified" if found["never"] == found["count"] else "inconclusive"
    median = found["quantiles"]["50 %"]
    sentence = (
        f"{verdict} (exact): {round(by['ever'] * found['count'])} of {found['count']} Gaussian starts "
        f"with the origin in the hull ({survey['n']} tokens, d = {survey['d']}, ties {survey['tie']}) "
        "break the bound sooner or later, "
        f"{by['100']:.1%} of all by 10^2, {by['1000']:.1%} by 10^3, {by['1000000']:.1%} by 10^6; "
        f"median first violation {survey['index']} {median or 'none'}."
    )
    return {"claim": model.claim.id, "verdict": verdict, "evidence": "exact", "sentence": sentence}


def _said(found: Mapping[str, Any], finding: Mapping[str, str]) -> list[str]:
    """The answer for a reader, line by line."""
    q = found["quantiles"]
    return [
        finding["sentence"],
        "",
        f"{'violated by':>12} {'share of starts':>16}",
        *(f"{s['by']:>12} {s['share']:>10.3f}({round(s['se'] * 1e3)})" for s in found["shares"]),
        "",
        f"first violation: 10 % by {q['10 %']}, half by {q['50 %']}, 90 % by {q['90 %']}; "
        f"never: {found['never']}, undecided: {found['undecided']}.",
        "A check that stops at a horizon calls the claim verified on every start not yet counted there.",
    ]
