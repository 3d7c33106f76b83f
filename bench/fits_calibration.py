"""Runs the whole calibration and keeps it: python bench/fits_calibration.py [N] [OUT]. Asserts nothing.

The kept file is bench/fits_calibration.json: date, versions, seed, seconds, one row a check.
"""

import datetime
import json
import os
import sys
import time
from pathlib import Path

from fits.calibration.run import benchmark
from fits.commands.calibrate import Progress, table, versions
from fits.dictionary import VERSION

OUT = Path(__file__).with_suffix(".json")


def main(n=10_000, out=OUT, seed=0):
    start, progress = time.perf_counter(), Progress()
    rows = benchmark(n=n, seed=seed, jobs=-1, progress=progress)
    progress.close()
    head = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "n": n,
        "seed": seed,
        "dictionary": VERSION,
        "versions": versions(),
        "cores": os.cpu_count(),
        "seconds": round(time.perf_counter() - start),
        "failing": sum(not row["ok"] for row in rows),
    }
    lines = ",\n".join(json.dumps(row) for row in rows)
    Path(out).write_text(f'{json.dumps(head)[:-1]}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")
    print(table(rows))


if __name__ == "__main__":
    main(*[int(a) if a.isdigit() else Path(a) for a in sys.argv[1:]])
