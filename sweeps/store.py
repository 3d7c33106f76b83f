"""Run directories: ``rows.sqlite`` (blocks as they come, then rows) and ``run.json``, written by the parent only."""

import contextlib
import hashlib
import json
import os
import platform
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from sweeps.plan import Block, run_id_of
from sweeps.spec import Sums

SCHEMA = """
CREATE TABLE IF NOT EXISTS blocks (k INTEGER, block INTEGER, sums TEXT NOT NULL, PRIMARY KEY (k, block));
CREATE TABLE IF NOT EXISTS failures (k INTEGER, block INTEGER, traceback TEXT NOT NULL, PRIMARY KEY (k, block));
CREATE TABLE IF NOT EXISTS rows (k INTEGER PRIMARY KEY, row TEXT NOT NULL);
"""
RECORD, ROWS, LOCK, CERTIFICATE = "run.json", "rows.sqlite", "run.lock", "certificate.json"


class Store:
    """One run directory, held by one process. A kill at any moment loses no committed block.

    ``force_new`` moves what another run left there out of the way (to ``DIR.1``, ``DIR.2``, ...).
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any], *, source: str, force_new: bool = False) -> None:
        self.folder = folder
        try:
            _check(folder, identity, force_new)
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(folder / LOCK, timeout=0)
            self._lock.acquire()
            self._db = sqlite3.connect(folder / ROWS, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")  # a killed process loses nothing; see SQLite on WAL
            self._db.executescript(SCHEMA)
            self.write({"run_id": run_id_of(identity), "state": "running", **identity, "source": source, **_process()})
        except Timeout:
            raise ValueError(f"out must be free; {folder} is held by {_holder(folder)}") from None
        except (OSError, sqlite3.Error) as error:
            raise ValueError(f"out must be a directory that can be written; got {folder}: {error}") from None

    def copy(self, files: Sequence[Path]) -> None:
        """Put copies of a user's own files there, so that the directory can be passed on."""
        for file in files:
            (self.folder / file.name).write_bytes(file.read_bytes())

    def blocks(self) -> Iterator[tuple[Block, Sums]]:
        """Blocks already there."""
        try:
            yield from read_blocks(self._db)
        except (sqlite3.Error, ValueError) as error:
            raise ValueError(f"out must be another directory: {ROWS} of {self.folder} can't be read: {error}") from None

    def failures(self) -> dict[Block, str]:
        """Tracebacks of blocks that failed before."""
        return read_failures(self._db)

    def keep(self, block: Block, sums: Sums) -> None:
        """Commit one block."""
        text = json.dumps({name: value if isinstance(value, int) else str(value) for name, value in sums.items()})
        with self._full_disk():
            self._db.execute("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)", (*block, text))

    def finish(
        self, rows: Sequence[Mapping[str, Any]], failures: Mapping[Block, str], record: Mapping[str, Any]
    ) -> None:
        """Store rows and failures, then run.json with the outputs' hashes."""
        with self._full_disk():
            self._db.execute("BEGIN")
            self._db.execute("DELETE FROM failures")
            self._db.executemany("INSERT INTO failures VALUES (?, ?, ?)", ((*b, text) for b, text in failures.items()))
            self._db.execute("DELETE FROM rows")
            self._db.executemany("INSERT INTO rows VALUES (?, ?)", ((row["k"], json.dumps(row)) for row in rows))
            self._db.execute("COMMIT")
        kept = [p for p in sorted(self.folder.iterdir()) if p.suffix == ".svg" or p.name == CERTIFICATE]
        outputs = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in kept}
        self.write({**record, "sha256": {"rows": rows_hash(rows), **outputs}})

    def interrupted(self) -> None:
        """Say in run.json that nobody goes on."""
        self.write({**read_record(self.folder), "state": "interrupted"})

    def write(self, record: Mapping[str, Any]) -> None:
        """Replace run.json in one step."""
        write_whole(self.folder / RECORD, json.dumps(record, indent=1) + "\n")

    def close(self) -> None:
        """Let go of the directory; what was committed stays."""
        self._db.close()
        self._lock.release()

    @contextlib.contextmanager
    def _full_disk(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise ValueError(f"out must have room to write; {self.folder}: {error}. Finished blocks are kept") from None


def read_blocks(db: sqlite3.Connection) -> Iterator[tuple[Block, Sums]]:
    """Blocks of a database, in order; exact fractions come back from "p/q" text."""
    for k, block, text in db.execute("SELECT k, block, sums FROM blocks ORDER BY k, block"):
        yield (
            (k, block),
            {name: value if isinstance(value, int) else Fraction(value) for name, value in json.loads(text).items()},
        )


def read_failures(db: sqlite3.Connection) -> dict[Block, str]:
    """Tracebacks of a database's failed blocks."""
    return {(k, block): text for k, block, text in db.execute("SELECT k, block, traceback FROM failures")}


def read_record(folder: Path) -> dict[str, Any]:
    """run.json of a run directory; ValueError if there is none."""
    try:
        text = (folder / RECORD).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        raise ValueError(f"run must be a run directory with a run.json; got {folder}") from None
    try:
        record = json.loads(text)
        if not isinstance(record, dict) or not isinstance(record["run_id"], str):
            raise ValueError
    except (ValueError, KeyError, RecursionError):
        raise ValueError(f"run must have a run.json as a run writes it; {folder / RECORD} is another file") from None
    return record


def is_held(folder: Path) -> bool:
    """Whether a process holds the run directory."""
    try:
        with FileLock(folder / LOCK, timeout=0):
            return False
    except Timeout:
        return True
    except OSError:  # a directory that can't be written
        return False


def run_files(folder: Path) -> str:
    """What a run directory holds for its reader, in a line."""
    names = sorted(p.name for p in folder.iterdir() if p.suffix in (".sqlite", ".json", ".svg", ".py"))
    return f"{folder} ({', '.join(names)})"


def rows_hash(rows: Sequence[Mapping[str, Any]]) -> str:
    """sha256 of the rows' JSON."""
    return hashlib.sha256(json.dumps(list(rows)).encode()).hexdigest()


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one step, so that no reader ever sees half of it."""
    partial = path.with_name(path.name + ".partial")
    try:
        partial.write_text(text, encoding="utf-8", newline="\n")
        os.replace(partial, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from None


def _check(folder: Path, identity: Mapping[str, Any], force_new: bool) -> None:
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    try:
        found = read_record(folder)
    except ValueError:
        raise ValueError(f"out must be a new directory or one of this run; {folder} holds other files") from None
    different = _difference(found, identity)
    if different and force_new:
        if is_held(folder):
            raise Timeout(str(folder / LOCK))
        number = next(n for n in range(1, 10**6) if not folder.with_name(f"{folder.name}.{n}").exists())
        folder.rename(folder.with_name(f"{folder.name}.{number}"))
    elif different:
        raise ValueError(
            f"out must be a new directory or one of this run, but in {folder} {different}; "
            "take another directory, or --force-new"
        )


def _difference(found: Mapping[str, Any], wanted: Mapping[str, Any], prefix: str = "") -> str:
    """The first field that differs, or nothing."""
    for name, value in wanted.items():
        before = found.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            inner = _difference(before, value, f"{name}.")
            if inner:
                return inner
        elif (before["id"] if name == "claim" and isinstance(before, Mapping) else before) != value:
            return f"{prefix}{name} is {before}, not {value}"
    return ""


def _process() -> dict[str, Any]:
    return {"process": {"pid": os.getpid(), "host": platform.node()}}


def _holder(folder: Path) -> str:
    with contextlib.suppress(ValueError, KeyError):
        process = read_record(folder)["process"]
        return f"process {process['pid']} on {process['host']}"
    return "another process"
