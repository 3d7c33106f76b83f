"""Looking again at a growing sweep without fooling oneself: a log of looks, their thresholds (spec 2.12)."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

from fits.series import Series

MAX_PLANNED = 8
BUDGET = 0.01
FIELDS = ("number", "z", "declared", "data", "verdict", "sigma")
PLANNED_Z = 3.0  # eight looks at 3 sigma each stay inside the 1 % budget (spec 3d)


def spent_threshold(look: int) -> float:
    """Sigma for look j of an open-ended series: alpha_j = 0.01 * 6 / (pi^2 j^2), one-sided.

    >>> [round(spent_threshold(j), 2) for j in (1, 2, 8)]
    [2.51, 2.96, 3.73]
    """
    return NormalDist().inv_cdf(1 - BUDGET * 6 / (math.pi * look) ** 2)


@dataclass(frozen=True)
class Look:
    """One look: its number, its threshold in sigma, what was declared, and the data's fingerprint."""

    number: int
    z: float
    declared: dict[str, Any]
    data: dict[str, Any]
    known: bool = False


@dataclass(frozen=True)
class LookLog:
    """A JSON Lines file with one line a look; ``decide`` reads it for the threshold and appends to it.

    ``planned``: number of looks fixed in advance, 1 to 8, at the full threshold each (a 1 % budget); None for
    an open-ended series, whose thresholds rise. Claim, tier and thresholds must stay as first declared, and
    the data may only grow. The same data again is the same look. Raises ValueError.

    >>> LookLog("looks.jsonl", planned=4).planned
    4
    """

    path: str | Path
    planned: int | None = MAX_PLANNED

    def __post_init__(self) -> None:
        if self.planned is not None and not 1 <= self.planned <= MAX_PLANNED:
            raise ValueError(f"planned={self.planned} must be between 1 and {MAX_PLANNED}, or None for open-ended")

    def past(self) -> list[dict[str, Any]]:
        """The looks so far, oldest first."""
        path = Path(self.path)
        if not path.exists():
            return []
        lines = path.read_text(encoding="utf-8").splitlines()
        try:
            rows = [json.loads(line) for line in lines if line.strip()]
            return [{name: row[name] for name in FIELDS} for row in rows]
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"looks={str(path)!r} must be a log of looks written by decide") from None

    def enter(self, series: Series, declared: dict[str, Any], z_false: float) -> Look:
        """Number and threshold of a look at ``series``; refuses a changed claim or shrunken data."""
        past = self.past()
        declared = {**declared, "planned": self.planned}
        data = _summary(series)
        for row in past:
            _same_declaration(row["declared"], declared)
            if row["data"]["sha256"] == data["sha256"]:
                return Look(row["number"], row["z"], declared, data, known=True)
        if past:
            _only_grown(past[-1]["data"], data)
        number = len(past) + 1
        if self.planned is not None and number > self.planned:
            raise ValueError(f"looks: all {self.planned} planned looks are used")
        z = max(z_false, PLANNED_Z if self.planned is not None else spent_threshold(number))
        return Look(number, z, declared, data)

    def record(self, look: Look, verdict: str, sigma: float) -> None:
        """Append a new look with its outcome."""
        if look.known:
            return
        row = {
            "number": look.number,
            "z": look.z,
            "declared": look.declared,
            "data": look.data,
            "verdict": verdict,
            "sigma": sigma,
        }
        with Path(self.path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def _summary(series: Series) -> dict[str, Any]:
    reps = None if series.reps is None else series.reps.tolist()
    content = {"k": series.k.tolist(), "mean": series.mean.tolist(), "se": series.se.tolist(), "reps": reps}
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    return {"sha256": digest, "k": content["k"], "mean": content["mean"], "reps": reps}


def _same_declaration(before: dict[str, Any], now: dict[str, Any]) -> None:
    for name, value in before.items():
        if now.get(name) != value:
            raise ValueError(f"{name}={now.get(name)} must stay {value}: it was declared before the first look")


def _only_grown(before: dict[str, Any], now: dict[str, Any]) -> None:
    lost = sorted(set(before["k"]) - set(now["k"]))
    if lost:
        raise ValueError(f"looks: k = {lost[0]:g} of an earlier look is missing; a sweep may only be extended")
    if before["reps"] is None or now["reps"] is None:
        return
    counts = {k: (reps, mean) for k, reps, mean in zip(now["k"], now["reps"], now["mean"], strict=True)}
    for k, reps, mean in zip(before["k"], before["reps"], before["mean"], strict=True):
        if counts[k][0] < reps:
            raise ValueError(f"looks: k = {k:g} had {reps:g} replicates before, now {counts[k][0]:g}")
        if counts[k] != (reps, mean) and counts[k][0] == reps:
            raise ValueError(f"looks: k = {k:g} has other data than at an earlier look; a sweep may only be extended")
