"""``--trace FILE``: policies over a request sequence from a file."""

import argparse
import json
from typing import Any

from sweeps.commands import printed
from sweeps.commands.reading import cache_sizes
from sweeps.spec import Simulator

SWEEP_ONLY = ("out", "expect", "dry_run", "time_limit", "force_new", "retry_failed", "quiet")
SWEPT = ("k_max", "k_min", "ratio", "requests", "target_se", "replicates", "adversary")


def run_trace(simulator: Simulator, options: argparse.Namespace, values: dict[str, Any]) -> int:
    """Print a row for each k and policy."""
    misplaced = [name for name in SWEEP_ONLY if getattr(options, name)] + [name for name in SWEPT if name in values]
    if options.looks != 1 or misplaced:
        name = (misplaced or ["looks"])[0].replace("_", "-")
        raise ValueError(f"{name} goes with a sweep, not with --trace")
    checked = {p.name: p.check(values.get(p.name, p.default)) for p in simulator.parameters}
    assert simulator.trace is not None
    rows = simulator.trace(options.trace, cache_sizes(options.k or "16,256,1024"), checked, options.seed)
    document = {
        "simulator": simulator.name,
        "trace": options.trace,
        "seed": options.seed,
        "parameters": {name: checked[name] for name in ("policy", "budget", "tau", "predictions")},
        "rows": rows,
    }
    print(json.dumps(document, allow_nan=False) if options.json else printed.trace_table(options.trace, rows))
    return 0
