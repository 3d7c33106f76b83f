"""``python -m sweeps report RUN``: one self-contained report.html, with no network and no script."""

import argparse
import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweeps.runner import Run

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff; }
body { margin: 0 auto; max-width: 56rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.verdict { border-left: .4rem solid #1f4e79; background: #f3f6fa; padding: .6rem 1rem; }
.verdict strong { font-size: 1.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: right; padding: .2rem .7rem; border-bottom: 1px solid #ddd; white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .2rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figure svg { width: 100%; height: auto; } code { overflow-wrap: anywhere; }
@media print { body { max-width: none; font-size: 11pt; } .verdict { background: none; } tr { break-inside: avoid; } }
"""
REPEAT = "<code>python -m sweeps reproduce run.json</code> runs it again from its record and compares."


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
    """Write the page and say where."""
    from sweeps.figures import additive_svg
    from sweeps.recorded import read_run
    from sweeps.store import write_whole

    read = read_run(options.directory)
    result, claim = read.result, read.plan.claim
    path = Path(options.out) if options.out else read.folder / "report.html"
    about = {"claim": claim.statement, "source": claim.source, "identifier": claim.id}
    svg = additive_svg(result) if result.rows else ""
    write_whole(path, page(result, about, read.record, svg))
    print(json.dumps({"file": str(path)}) if options.json else path)
    return 0


def page(result: "Run", claim: Mapping[str, str], record: Mapping[str, Any], svg: str) -> str:
    """The HTML of a run: claim, verdict and why, figure, table, power, what was run, how to repeat it."""
    title = f"{result.finding['verdict']}: {claim['identifier']}"
    sections = [
        f"<h1>{escape(result.description)}</h1>",
        f"<h2>Claim</h2>{_terms({'statement': claim['claim'], 'source': claim['source']})}",
        f"<h2>Verdict</h2>{_verdict(result.finding)}",
        f"<h2>Figure</h2>{_figure(result, svg)}",
        f"<h2>What the sweep could see</h2>{_power(result)}",
        f'<h2>Rows</h2><div class="scroll">{_table(result)}</div>',
        f"<h2>What was run</h2>{_terms(_settings(result, record))}",
        f"<h2>Repeat it</h2><p>{REPEAT}</p>",
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(sections)
        + "\n</main>\n</body>\n</html>\n"
    )


def _verdict(finding: Mapping[str, str]) -> str:
    strong = f"<strong>{escape(finding['verdict'])}</strong> ({escape(finding['evidence'])})"
    return f'<div class="verdict">{strong}<p>{escape(finding["sentence"])}</p></div>'


def _figure(result: "Run", svg: str) -> str:
    if not svg:
        return "<p>No point was finished.</p>"
    first, last = result.rows[0], result.rows[-1]
    says = (
        f"Additive term against cache size: {first['additive']:.3f} at k = {first['k']}, "
        f"{last['additive']:.3f} at k = {last['k']}, with error bars of one standard error."
    )
    inline = re.sub(r"^.*?<svg ", f'<svg role="img" aria-label="{escape(says)}" ', svg, count=1, flags=re.DOTALL)
    return f"<figure>{inline}<figcaption>{escape(says)}</figcaption></figure>"


def _power(result: "Run") -> str:
    growth = result.growth
    if growth is None:
        return "<p>Too few points with variance to decide a growth law.</p>"
    sigmas = ", ".join(f"{tier} {value:.1f}" for tier, value in growth["sigmas"].items())
    return _terms(
        {
            "smallest slope seen with 95 % power": f"{growth['mde']:.3g} per ln k",
            "upper bound on the slope": "none" if growth["c_upper"] is None else f"{growth['c_upper']:.3g} per ln k",
            "sigma of growth, by tier of transients allowed": sigmas,
            "plain slope": f"{growth['slope']:.4f} ± {growth['slope_se']:.4f} per ln k, no transient allowed for",
        }
    )


def _table(result: "Run") -> str:
    names = ("k", "phases", "cost", "cost_se", "additive", "additive_se", "additive_exact")
    head = "".join(f'<th scope="col">{name.replace("_", " ")}</th>' for name in names)
    body = "".join("<tr>" + "".join(f"<td>{_cell(row[name])}</td>" for name in names) + "</tr>" for row in result.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    return "-" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


def _settings(result: "Run", record: Mapping[str, Any]) -> dict[str, str]:
    parameters = {name: str(value) for name, value in result.parameters.items() if value is not None}
    versions = ", ".join(f"{name} {version}" for name, version in record.get("versions", {}).items())
    return {
        **parameters,
        "seed": str(result.seed),
        "run id": result.run_id,
        "state": result.ended,
        "versions": versions or "not recorded yet",
    }


def _terms(terms: Mapping[str, str]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in terms.items()) + "</dl>"
