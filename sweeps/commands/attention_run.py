"""Run directories of the attention command: one start, and what a survey shares with it."""

import importlib.metadata
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps.plan import code_version, run_id_of, versions
from sweeps.spec import Model
from sweeps.store import CERTIFICATE, Store

if TYPE_CHECKING:
    from sweeps.commands.attention_certificate import Accepted
    from sweeps.simulators.attention.simulate import Answer


def identity(model: Model, parameters: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """What a run's name is a hash of."""
    return {
        "simulator": model.name,
        "claim": model.claim.id,
        "parameters": dict(parameters),
        "seed": str(seed),
        "code": code_version(model),
    }


def record(model: Model, about: Mapping[str, Any], rows: list[dict[str, Any]], said: list[str]) -> dict[str, Any]:
    """What run.json says beside finding and hashes; ``said``: the answer in lines, for a reader."""
    claim = model.claim
    return {
        "run_id": run_id_of(about),
        "state": "finished",
        **about,
        "source": model.name,
        "claim": {"id": claim.id, "statement": claim.statement, "source": claim.source},
        "argv": sys.argv,
        "versions": versions() | {"python-flint": importlib.metadata.version("python-flint")},
        "host": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "system": platform.system(),
        },
        "said": said,
        "rows": rows,
    }


def keep(model: Model, found: "Answer", accepted: "Accepted | str", folder: Path, *, force_new: bool = False) -> Path:
    """The run directory of one start: answer, certificate where the checker accepts one, figure."""
    from exact import certificates
    from sweeps.commands import attention_figure
    from sweeps.simulators.attention import sentences

    document = found.to_dict()
    about = identity(model, {name: document[name] for name in ("tokens", "b", "tie", "index", "horizon")}, 0)
    rows, said = [{"k": 0, **document}], sentences.lines(found.outcome, found.lost_at)
    store = Store(folder, about, source=model.name, force_new=force_new)
    try:
        attention_figure.start_figure(found, folder / "tokens.svg")
        if not isinstance(accepted, str):
            certificates.write(accepted.certificate, folder / CERTIFICATE)
        store.finish(rows, {}, {**record(model, about, rows, said), "finding": found.finding})
    finally:
        store.close()
    return folder
