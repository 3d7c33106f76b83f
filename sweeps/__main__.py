"""``python -m sweeps``: parse, run, print; exit codes as printed by ``--help``."""

import sys

if __name__ == "__main__":
    try:
        from sweeps.commands import main
    except KeyboardInterrupt:  # nothing has begun
        sys.exit(130)
    sys.exit(main(sys.argv[1:]))
