"""Runs of the attention command read back: shown, reported, exported, run again."""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from sweeps.recorded import read_done, state_of
from sweeps.spec import Model
from sweeps.store import CERTIFICATE

Record = Mapping[str, Any]
FIGURES = {
    "tokens.svg": "Paths of the tokens with their hulls (in one or two dimensions), and the largest energy of a token "
    "beside the bound, up to state 10^15.",
    "survey.svg": "Share of the starts that have broken the bound by state k, against k.",
}
CHECKED = "<p>Accepted by <code>python -m exact verify certificate.json</code>, which says: "


def show(folder: Path, record: Record, doubts: list[str], *, as_json: bool) -> None:
    """Print the answer, or how far a survey is."""
    from sweeps.commands import printed

    lines, state = _said(folder, record), state_of(folder, record)
    if as_json:
        about = {name: record[name] for name in ("simulator", "run_id", "parameters", "seed")}
        more = {"finding": record.get("finding"), "said": lines, "doubts": doubts}
        print(json.dumps({**about, "state": state, **more}))
        return
    claim = record["claim"]
    said = f"claim {claim['id']}: {claim['statement']}" if isinstance(claim, dict) else ""
    head = f"{record['simulator']}: {describe(record['parameters'])}"
    print(printed.wrapped(head), printed.wrapped(said), "", sep="\n")
    print(*map(printed.wrapped, lines), sep="\n" if "count" in record["parameters"] else "\n  ")
    for name in (CERTIFICATE, *FIGURES):
        if (folder / name).exists():
            print(f"{name.partition('.')[0] if name == CERTIFICATE else 'figure'}: {folder / name}")


def describe(parameters: Record) -> str:
    """What was asked, in a line."""
    rest = f"ties {parameters['tie']}"
    if "count" in parameters:
        return f"{parameters['count']} Gaussian starts, {parameters['n']} tokens, d = {parameters['d']}, {rest}"
    tokens = _points(parameters["tokens"])
    shown = tokens if len(tokens) <= 80 else f"{len(parameters['tokens'])} tokens, d = {len(parameters['b'])}"
    return f"tokens {shown}, {rest}, horizon {parameters['horizon']}"


def report(folder: Path, record: Record) -> tuple[str, list[str]]:
    """Title and sections of the page: claim, verdict and why, figures, certificate, what was run."""
    from sweeps.commands import page

    claim, finding, lines = record["claim"], record.get("finding"), _said(folder, record)
    if not isinstance(finding, dict) or not isinstance(claim, dict):
        raise ValueError(f"run must be finished to be reported; {folder} is {lines[0]}")
    said = [line for line in lines[1:] if "summary" not in record or line.endswith(".")]
    figures = [
        page.figure((folder / name).read_text(encoding="utf-8"), FIGURES[name])
        for name in FIGURES
        if (folder / name).exists()
    ]
    return f"{finding['verdict']}: {claim['id']}", [
        f"<h1>{escape(describe(record['parameters']))}</h1>",
        f"<h2>Claim</h2>{page.terms({'statement': claim['statement'], 'source': claim['source']})}",
        f"<h2>Verdict</h2>{page.verdict(finding, said)}",
        *(f"<h2>Figure</h2>{figure}" for figure in figures),
        *_shares(record),
        *_certificate(folder, record["parameters"]),
        f"<h2>What was run</h2>{page.terms(_settings(folder, record))}",
    ]


def export(folder: Path, record: Record) -> list[dict[str, Any]]:
    """The rows: of a survey those that are there, of a start the one."""
    if "count" in record["parameters"]:
        return [
            {"k": number, **{name: str(x) for name, x in found.items()}} for (number, _), found in read_done(folder)
        ]
    return list(record["rows"])


def again(model: Model, record: Record, out: Path, *, jobs: int) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Rows and finding of the run made anew, in ``out``."""
    parameters = record["parameters"]
    if "count" in parameters:
        from sweeps.commands import attention_survey

        made = attention_survey.keep(model, parameters, out, jobs=jobs, quiet=True)
        return made["rows"], made["finding"]
    from sweeps.commands import attention_certificate, attention_run
    from sweeps.simulators.attention.problem import read_problem
    from sweeps.simulators.attention.simulate import answer

    rest = {name: parameters[name] for name in ("b", "tie", "index", "horizon")}
    found = answer(read_problem(parameters["tokens"], **rest))
    attention_run.keep(model, found, attention_certificate.accepted(found), out)
    return [{"k": 0, **found.to_dict()}], found.finding


def _said(folder: Path, record: Record) -> list[str]:
    """The answer in lines, the first of them the finding; of an unfinished run, where it stands."""
    if isinstance(record.get("said"), list):
        return [str(line) for line in record["said"]]
    done = sum(1 for _ in read_done(folder))
    return [f"{state_of(folder, record)}: {done} of {record['parameters'].get('count', 1)} starts; its command goes on"]


def _shares(record: Record) -> list[str]:
    from sweeps.commands import page

    if "summary" not in record:
        return []
    rows = ([share["by"], share["share"], share["se"]] for share in record["summary"]["shares"])
    return [f"<h2>Shares of starts</h2>{page.table(('violated by', 'share', 'standard error'), rows)}"]


def _certificate(folder: Path, parameters: Record) -> list[str]:
    """The certificate with what the checker says of it now, and whether it is of this start."""
    from exact import verify

    if not (folder / CERTIFICATE).exists():
        return []
    text = (folder / CERTIFICATE).read_text(encoding="utf-8")
    try:
        said = f"{CHECKED}{escape(verify.check_text(text))}.</p>"
        certificate = json.loads(text)
        if any(certificate.get(name) != parameters[name] for name in ("tokens", "b", "tie")):
            said = "<p><strong>This certificate is not of this start.</strong></p>"
        text = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in certificate.items())
        text = f"{{{text}}}"
    except (verify.Rejected, verify.Unreadable) as error:
        said = f"<p><strong>Not accepted by the checker</strong>: {escape(str(error))}</p>"
    return [f"<h2>Certificate</h2>{said}<pre>{escape(text)}</pre>"]


def _settings(folder: Path, record: Record) -> dict[str, str]:
    parameters = {n: _points(v) if isinstance(v, list) else str(v) for n, v in record["parameters"].items()}
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    return {
        **parameters,
        "seed": str(record["seed"]),
        "run id": record["run_id"],
        "state": state_of(folder, record),
        "versions": versions,
    }


def _points(rows: list[list[str]]) -> str:
    return "; ".join(", ".join(row) for row in rows)
