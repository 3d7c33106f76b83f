"""Run directories: ``rows.sqlite`` (blocks as they come, then rows) and ``run.json``, written by the parent only."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sweeps.spec import Sums

SCHEMA = """
CREATE TABLE IF NOT EXISTS blocks (k INTEGER, block INTEGER, sums TEXT NOT NULL, PRIMARY KEY (k, block));
CREATE TABLE IF NOT EXISTS failures (k INTEGER, block INTEGER, traceback TEXT NOT NULL, PRIMARY KEY (k, block));
CREATE TABLE IF NOT EXISTS rows (k INTEGER PRIMARY KEY, row TEXT NOT NULL);
"""


class Store:
    """One run directory. A kill at any moment loses no committed block; ``run.json`` is replaced as a whole."""

    def __init__(self, folder: Path, identity: Mapping[str, Any], run_id: str) -> None:
        self.folder = folder
        self._record = folder / "run.json"
        self._check(run_id)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(folder / "rows.sqlite", isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.executescript(SCHEMA)
            self.write({"run_id": run_id, "state": "running", **identity})
        except (OSError, sqlite3.Error) as error:
            raise ValueError(f"out must be a directory that can be written; got {folder}: {error}") from None

    def _check(self, run_id: str) -> None:
        if self.folder.is_dir() and any(self.folder.iterdir()):
            try:
                found = json.loads(self._record.read_text(encoding="utf-8"))["run_id"]
            except (OSError, ValueError, KeyError, TypeError):
                raise ValueError(
                    f"out must be a new directory or one of this run; {self.folder} holds other files"
                ) from None
            if found != run_id:
                raise ValueError(f"out must be a new directory or one of run {run_id}; {self.folder} holds run {found}")

    def blocks(self) -> dict[tuple[int, int], Sums]:
        """Blocks already there."""
        found = self._db.execute("SELECT k, block, sums FROM blocks")
        return {(k, block): json.loads(sums) for k, block, sums in found}

    def keep(self, block: tuple[int, int], sums: Sums) -> None:
        """Commit one block."""
        self._db.execute("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)", (*block, json.dumps(sums)))

    def finish(
        self,
        rows: Sequence[Mapping[str, Any]],
        failures: Mapping[tuple[int, int], str],
        record: Mapping[str, Any],
    ) -> None:
        """Store rows and failures, then run.json with the outputs' hashes."""
        self._db.execute("BEGIN")
        self._db.execute("DELETE FROM failures")
        self._db.executemany("INSERT INTO failures VALUES (?, ?, ?)", ((*b, text) for b, text in failures.items()))
        self._db.execute("DELETE FROM rows")
        self._db.executemany("INSERT INTO rows VALUES (?, ?)", ((row["k"], json.dumps(row)) for row in rows))
        self._db.execute("COMMIT")
        outputs = {"rows": hashlib.sha256(json.dumps(list(rows)).encode()).hexdigest()}
        outputs |= {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(self.folder.glob("*.svg"))}
        self.write({**record, "state": "failed points" if failures else "finished", "sha256": outputs})

    def write(self, record: Mapping[str, Any]) -> None:
        """Replace run.json in one step."""
        partial = self._record.with_suffix(".partial")
        partial.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        os.replace(partial, self._record)

    def close(self) -> None:
        """Close the database; what was committed stays."""
        self._db.close()
