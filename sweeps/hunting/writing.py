"""What a hunt leaves in its directory: certificate, instance, ready example line, failing test; the best so far."""

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from sweeps.hunting.model import Hunt
from sweeps.store import write_whole

BEST = "best.json"


class Keeper:
    """Keeps the best instance so far in DIR/best.json while the hunt runs, so that even a kill loses little."""

    def __init__(self, folder: Path) -> None:
        there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        if not there.is_dir() or not os.access(there, os.W_OK):
            raise ValueError(f"out must be a directory that can be written; got {folder}")
        self._folder = folder
        self._kept: Any = None

    def keep(self, known: dict[str, Any]) -> None:
        """Write what is known, if the best instance is another one."""
        if known["instance"] is not None and known["instance"] != self._kept:
            self._kept = known["instance"]
            with contextlib.suppress(OSError):  # the hunt goes on: what it finds is printed, and `write` will say so
                self._folder.mkdir(parents=True, exist_ok=True)
                write_whole(self._folder / BEST, json.dumps(known, indent=1) + "\n")


def write(found: Hunt, folder: Path) -> list[Path]:
    """Write what the hunt came to; the files, those of a find only if there is one."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {BEST: json.dumps(found.to_dict(), indent=1) + "\n"}
    if found.found:
        texts["certificate.json"] = json.dumps(found.certificate, indent=1) + "\n"
        texts["instance.txt"] = " ".join(found.sentence.split()) + "\n"
        texts["example.txt"] = found.example + "\n"
        if found.test:
            texts[f"test_{_word(found.claim)}.py"] = found.test
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts if name != BEST]


def _word(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name)
