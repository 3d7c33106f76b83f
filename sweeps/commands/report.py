"""``python -m sweeps report RUN``: one self-contained report.html, with no network and no script."""

import argparse
import importlib
import json
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.recorded import Recorded
    from sweeps.runner import Run

REPEAT = "<h2>Repeat it</h2><p><code>python -m sweeps reproduce run.json</code> runs it again and compares.</p>"


def add_parser(subparsers: Any) -> None:
    """The options of ``report``."""
    parser = subparsers.add_parser(
        "report", help="one self-contained HTML page of a run", description=__doc__, allow_abbrev=False
    )
    parser.add_argument("directory", metavar="RUN", help="run directory or its run.json")
    parser.add_argument("--out", metavar="FILE", help="where to write it (default RUN/report.html)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page and say where; exit code 1 if the run contradicts itself, which the page says first."""
    from sweeps.commands import page
    from sweeps.recorded import contradictions, find_run, other_code, read_run
    from sweeps.spec import Simulator
    from sweeps.store import write_whole

    folder, record, model = find_run(options.directory)
    if isinstance(model, Simulator):
        read = read_run(folder, record, model)
        doubts, title, sections = read.doubts, f"{_standing(read)}: {read.claim.id}", _sections(read)
    else:
        command = importlib.import_module(f"sweeps.commands.{model.name}_recorded")
        doubts, (title, sections) = contradictions(folder, record), command.report(folder, record)
    warnings = [line for line in [other_code(record, model), *doubts] if line]
    for line in warnings:
        print(line, file=sys.stderr)
    path = Path(options.out) if options.out else folder / "report.html"
    write_whole(path, page.page(title, [*page.warned(warnings), *sections, REPEAT]))
    print(json.dumps({"file": str(path)}) if options.json else path)
    return int(bool(doubts))


def _standing(read: "Recorded") -> str:
    return read.result.finding["verdict"] if "finding" in read.record else read.result.ended


def _sections(read: "Recorded") -> list[str]:
    """Claim, verdict and why, figure, power, table, what was run."""
    from sweeps.commands import page

    result, claim = read.result, read.claim
    names, heads = _columns(result)
    rows = page.table(heads, ([row[name] for name in names] for row in result.rows))
    return [
        f"<h1>{escape(result.description)}</h1>",
        f"<h2>Claim</h2>{page.terms({'statement': claim.statement, 'source': claim.source})}",
        f"<h2>Verdict</h2>{page.verdict(result.finding)}",
        f"<h2>Figure</h2>{_figure(result)}",
        f"<h2>What the sweep could see</h2>{_power(result)}",
        f"<h2>Rows</h2>{rows}",
        f"<h2>What was run</h2>{page.terms(_settings(read))}",
    ]


def _columns(result: "Run") -> tuple[list[str], list[str]]:
    """The rows' fields that are shown, and what they are called."""
    words, error = result.words, "standard error"
    named = {"k": "k", "phases": words.replicates}
    if words.less_h_k:
        named |= {"cost": words.cost, "cost_se": error}
    named |= {"additive": words.value, "additive_se": error, "additive_exact": "exact"}
    return list(named), list(named.values())


def _figure(result: "Run") -> str:
    from sweeps.commands import page
    from sweeps.figures import additive_svg

    if not result.rows:
        return "<p>No point was finished.</p>"
    first, last = result.rows[0], result.rows[-1]
    says = (
        f"{result.words.value.capitalize()} against {result.words.size}: {first['additive']:.3f} at k = {first['k']}, "
        f"{last['additive']:.3f} at k = {last['k']}, with error bars of one standard error."
    )
    return page.figure(additive_svg(result), says)


def _power(result: "Run") -> str:
    from sweeps.commands import page

    growth = result.growth
    if growth is None:
        return "<p>Too few points with variance to decide a growth law.</p>"
    sigmas = ", ".join(f"{tier} {value:.1f}" for tier, value in growth["sigmas"].items())
    return page.terms(
        {
            "smallest slope seen with 95 % power": "none" if growth["mde"] is None else f"{growth['mde']:.3g} per ln k",
            "upper bound on the slope": "none" if growth["c_upper"] is None else f"{growth['c_upper']:.3g} per ln k",
            "sigma of growth, by tier of transients allowed": sigmas,
            "plain slope": f"{growth['slope']:.4f} ± {growth['slope_se']:.4f} per ln k, no transient allowed for",
        }
    )


def _settings(read: "Recorded") -> dict[str, str]:
    result = read.result
    parameters = {name: str(value) for name, value in result.parameters.items() if value is not None}
    versions = ", ".join(f"{name} {version}" for name, version in read.record.get("versions", {}).items())
    return {
        **parameters,
        "seed": str(result.seed),
        "run id": result.run_id,
        "state": result.ended,
        "versions": versions or "not recorded yet",
    }
