"""`python -m exact verify FILE...`: the independent checker of certificates, `exact/verify.py` itself."""

import sys

from exact import verify

USAGE = "usage: python -m exact verify FILE...   (--help says more)"

if __name__ == "__main__":
    if sys.argv[1:2] in (["--help"], ["-h"]):
        print(USAGE)
        sys.exit(0)
    if sys.argv[1:2] != ["verify"]:
        print(f"the subcommand must be verify; got {' '.join(sys.argv[1:2]) or 'none'}\n{USAGE}", file=sys.stderr)
        sys.exit(2)
    sys.exit(verify.main(sys.argv[2:], prog="python -m exact verify"))
