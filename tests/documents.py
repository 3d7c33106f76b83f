"""Every command line that prints a document, run small and in process, with the schema that it must keep."""

import contextlib
import io
import json

from jsonschema import Draft202012Validator

import cases.__main__
import cases.schemas
import exact.__main__
import exact.schemas
import fits.__main__
import fits.schemas
import sweeps.schemas
from sweeps.commands import main as sweeps_main

MAINS = {
    "sweeps": sweeps_main,
    "fits": fits.__main__.main,
    "cases": cases.__main__.main,
    "exact": exact.__main__.main,
}
ALL = {
    **{f"sweeps {name}": sweeps.schemas.schema(name) for name in sweeps.schemas.names()},
    **{f"fits {name}": fits.schemas.schema(name) for name in fits.schemas.NAMES},
    **{f"cases {name}": cases.schemas.schema(name) for name in ("findings", "ledger", "error")},
    "exact verify": exact.schemas.OUTCOMES,
}
ERROR = sweeps.schemas.schema("error")


def run(argv):
    """Exit code, stdout and stderr of ``python -m`` argv; whatever else it raises is a fault."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = MAINS[argv[0]](argv[1:])
        except SystemExit as end:
            code = end.code
    return code, out.getvalue(), err.getvalue()


def document(argv):
    """Exit code and the one document."""
    code, out, _ = run(argv)
    return code, json.loads(out)


def holds(value, schema):
    """Raise unless the value keeps the schema."""
    Draft202012Validator(schema).validate(value)


if __name__ == "__main__":  # the snapshot of tests/test_schema.py
    lines = (f"{json.dumps(name)}: {json.dumps(schema, sort_keys=True)}" for name, schema in ALL.items())
    print("{", ",\n".join(lines), "}", sep="\n")
