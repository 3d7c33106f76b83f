"""``python -m sweeps mcp``: the toolkit as tools of the Model Context Protocol, over stdin and stdout."""

import argparse
import importlib.util
from typing import Any

from sweeps.commands.reading import integer

EPILOG = """limits: k_max <= 2^20, 10^11 requests, 24 h a sweep, 600 s a blocking call, 4 sweeps at once; 10,000 points
to decide on, 1 MB a certificate. All files go into --out; user files are read below the folder it was started in."""


def add_parser(subparsers: Any) -> None:
    """The options of ``mcp``."""
    parser = subparsers.add_parser(
        "mcp", help="serve the tools to agents (extra mcp)", description=__doc__, epilog=EPILOG, allow_abbrev=False
    )
    parser.add_argument("--out", default="runs", metavar="DIR", help="the one folder written to (default runs)")
    parser.add_argument("--jobs", type=integer("jobs"), default=1, metavar="N", help="workers a sweep (default 1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until the client leaves."""
    from sweeps.plan import check_jobs

    check_jobs(options.jobs)
    if importlib.util.find_spec("mcp") is None:
        raise ValueError("mcp must be installed first: pip install 'claimsweep[mcp]'")
    from sweeps.commands.mcp_server import make_server

    make_server(options.out, jobs=options.jobs).run("stdio")
    return 0
