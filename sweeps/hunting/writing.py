"""A hunt's directory: what is hunted and the best so far (best.json), and of a find its certificate, text and test."""

import contextlib
import json
import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from sweeps.hunting.model import Hunt
from sweeps.store import CERTIFICATE, write_whole

BEST = "best.json"
Identity = Mapping[str, Any]  # claim, seed, options, and of a file its sha256: see `claims.identity`


def folder_name(identity: Identity) -> str:
    """The directory's name where none is given: another hunt has another one."""
    options = [value if isinstance(value, str) else f"{name}{value}" for name, value in identity["options"].items()]
    edition = [identity["file"][:6]] if "file" in identity else []
    return "-".join(["hunt", identity["claim"], *edition, *options, f"seed{identity['seed']}"])


class Keeper:
    """The directory of one hunt. The best so far is in best.json while it runs, so that even a kill loses little.

    What an earlier run of the same hunt left is replaced only by what is as good. Raises ValueError for a directory
    that can't be written, or holds anything else.
    """

    def __init__(self, folder: Path, identity: Identity) -> None:
        there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        if not there.is_dir() or not os.access(there, os.W_OK):
            raise ValueError(f"out must be a directory that can be written; got {folder}")
        self._folder, self._identity = folder, identity
        self._before = _rank(_of_this_hunt(folder, identity))
        self._kept: Any = None

    def keep(self, known: dict[str, Any]) -> None:
        """Write what is known, if the best instance is another one."""
        news = known["instance"] is not None and (known["found"], known["instance"]) != self._kept
        if news and _rank(known) >= self._before:
            self._kept = known["found"], known["instance"]
            with contextlib.suppress(OSError):  # the hunt goes on: what it finds is printed, and `write` will say so
                self._folder.mkdir(parents=True, exist_ok=True)
                self._write(BEST, _text({**self._identity, **known}))

    def write(self, found: Hunt) -> list[Path] | None:
        """Write what the hunt came to; the files of a find, or None if what is there is better and stays."""
        document = found.to_dict()
        if _rank(document) < self._before:
            return None
        self._folder.mkdir(parents=True, exist_ok=True)
        texts = _texts_of_find(found) if found.found else {}
        for name, text in {BEST: _text({**self._identity, **document}), **texts}.items():
            self._write(name, text)
        if found.found:
            for name in {CERTIFICATE, "example.txt", _test_name(found)} - texts.keys():  # of an earlier find
                (self._folder / name).unlink(missing_ok=True)
        return [self._folder / name for name in texts]

    def _write(self, name: str, text: str) -> None:
        write_whole(self._folder / name, text)


def _texts_of_find(found: Hunt) -> dict[str, str]:
    """Files of a find; no line to copy and no test where the instance's text isn't Python."""
    texts = {CERTIFICATE: _text(found.certificate)} if found.certified else {}
    texts["instance.txt"] = " ".join(found.sentence.split()) + "\n"
    if found.test:
        texts |= {"example.txt": found.example + "\n", _test_name(found): found.test}
    return texts


def _text(document: Any) -> str:
    return json.dumps(document, indent=1) + "\n"


def _test_name(found: Hunt) -> str:
    return f"test_{''.join(c if c.isalnum() else '_' for c in found.claim)}.py"


def _of_this_hunt(folder: Path, identity: Identity) -> dict[str, Any] | None:
    """What an earlier run of the hunt left; ValueError if the directory is another's."""
    if not folder.is_dir() or not any(path.suffix != ".partial" for path in folder.iterdir()):
        return None
    try:
        there = json.loads((folder / BEST).read_text(encoding="utf-8"))
        before, now = _flat(there), _flat(identity)
        _rank(there)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"out must be a new directory or one of this hunt; {folder} holds other files") from None
    for name in now | before:
        if before.get(name) != now.get(name):
            different = f"{name} is {_shown(before.get(name))}, not {_shown(now.get(name))}"
            raise ValueError(
                f"out must be a new directory or one of this hunt, but in {folder} {different}; take another directory"
            )
    return dict(there)


def _flat(identity: Identity) -> dict[str, Any]:
    """The fields that make a hunt what it is."""
    file = {"file": f"sha256 {identity['file'][:12]}"} if "file" in identity else {}
    return {"claim": identity["claim"], "seed": identity["seed"], **file, **dict(identity["options"])}


def _shown(value: Any) -> str:
    return "the default" if value is None else str(value)[:60]


def _rank(known: Mapping[str, Any] | None) -> tuple[int, bool, Fraction]:
    """What is worth more is kept: nothing, a miss (the closer), a find (the one shrunk to its end, the shorter)."""
    if known is None or known["instance"] is None:
        return 0, False, Fraction(0)
    if not known["found"]:
        return 1, False, Fraction(known["closest_gap"])
    whole = bool(known.get("example")) and not known.get("interrupted")
    return 2, whole, Fraction(-len(json.dumps(known["instance"])))
