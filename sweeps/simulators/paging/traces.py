"""Request sequences from files: one page id a line, or ``pc,address`` in hex; gzip as it is."""

import gzip
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LINE_BITS = 6  # an address belongs to its 64-byte line


def read_trace(path: str) -> NDArray[np.int64] | list[str]:
    """Page ids of a trace: integers if the first one is, else strings; addresses become 64-byte lines.

    Blank lines and lines ``*`` are skipped. ValueError of one line for an empty or binary file and for a line that
    is not of the form of the first; OSError if the file can't be read.
    """
    lines = _text(path).splitlines()
    numbered = [(i, line.strip()) for i, line in enumerate(lines, 1) if line.strip() not in ("", "*")]
    if not numbered:
        raise ValueError(f"trace {path} must hold at least one request; it is empty")
    first = numbered[0][1]
    if "," in first:
        return np.array([_address(path, i, line) for i, line in numbered], np.int64)
    if first.isdecimal():
        return np.array([_integer(path, i, line) for i, line in numbered], np.int64)
    for i, line in numbered:
        if len(line.split()) != 1 or "," in line:
            raise ValueError(f"trace {path}, line {i}, must be one page id; got {line[:40]!r}")
    return [line for _, line in numbered]


def _text(path: str) -> str:
    data = Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"trace {path} must be a whole gzip file; {error}") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ValueError(f"trace {path} must be text, one page id a line or pc,address; it is binary")
    return text


def _integer(path: str, number: int, line: str) -> int:
    if not line.isdecimal() or len(line) > 18:
        raise ValueError(
            f"trace {path}, line {number}, must be an integer of at most 18 digits, as line 1 is; got {line[:40]!r}"
        )
    return int(line)


def _address(path: str, number: int, line: str) -> int:
    try:
        _, address = (int(part, 16) for part in line.split(","))
    except ValueError:
        address = -1
    if not 0 <= address < 1 << 63:
        raise ValueError(f"trace {path}, line {number}, must be pc,address in hex; got {line[:40]!r}")
    return address >> LINE_BITS
