"""Run directories of the attention command."""

import hashlib
import importlib.resources
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sweeps.spec import Model
from sweeps.store import Store

if TYPE_CHECKING:
    from sweeps.simulators.attention.simulate import Answer


def identity(model: Model, parameters: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """What a run's name is a hash of."""
    digest = hashlib.sha256()
    folder = importlib.resources.files(f"sweeps.simulators.{model.name}")
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.name.endswith(".py"):
            digest.update(item.read_bytes())
    return {
        "simulator": model.name,
        "claim": model.claim.id,
        "parameters": dict(parameters),
        "seed": str(seed),
        "code": digest.hexdigest()[:16],
    }


def record(model: Model, about: Mapping[str, Any], finding: Mapping[str, str]) -> dict[str, Any]:
    """What run.json says beside the hashes of the outputs."""
    from sweeps.plan import run_id_of, versions

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
        "finding": dict(finding),
    }


def keep(model: Model, found: "Answer", folder: Path) -> Path:
    """The run directory of one start: answer, figure where tokens have one or two coordinates."""
    from sweeps.commands import attention_figure

    document = found.to_dict()
    parameters = {name: document[name] for name in ("tokens", "b", "tie", "index", "horizon")}
    about = identity(model, parameters, 0)
    store = Store(folder, about, source=model.name)
    try:
        attention_figure.start_figure(found, folder / "tokens.svg")
        store.finish([{"k": 0, **document}], {}, record(model, about, found.finding))
    finally:
        store.close()
    return folder
