"""``python -m sweeps``: parse, run, print; exit codes as printed by ``--help``."""

import sys

from sweeps.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
