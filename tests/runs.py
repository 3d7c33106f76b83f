"""A small sweep, and what its run directory holds."""

import sqlite3
from pathlib import Path

SMALL = {"k_max": 16, "replicates": 64}
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
MINE = README.split("```py\n")[1].split("```")[0]  # the template that README offers


def stored(folder, what="SELECT k, block, sums FROM blocks ORDER BY k, block"):
    db = sqlite3.connect(folder / "rows.sqlite")
    try:
        return db.execute(what).fetchall()
    finally:
        db.close()
