"""`python -m exact verify FILE...`: the independent checker of certificates, `exact/verify.py` itself."""

import json
import sys
from collections.abc import Sequence

from exact import verify
from exact.schemas import OUTCOMES

USAGE = "usage: python -m exact verify FILE...   (--help says more; python -m exact --schema: of verify --json)"


def main(argv: Sequence[str]) -> int:
    """Run one command line; return its exit code. A usage error of verify raises SystemExit(2) once it is printed."""
    if argv[:1] in (["--help"], ["-h"]):
        print(USAGE)
        return 0
    if argv[:1] == ["--schema"]:
        print(json.dumps(OUTCOMES, indent=1))
        return 0
    if argv[:1] != ["verify"]:
        said = f"the subcommand must be verify; got {' '.join(argv[:1]) or 'none'}"
        return verify.fail(said, 2, argv, "see python -m exact --help")
    return verify.main(argv[1:], prog="python -m exact verify")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
