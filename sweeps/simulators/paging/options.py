"""Names of the paging simulator's policies, budget rules, adversaries and prediction models."""

import math

POLICIES = {
    "lru": "LRU",
    "fifo": "FIFO",
    "random": "Random",
    "marker": "Marker",
    "opt": "OPT (Belady)",
    "onlinemin": "OnlineMin",
    "rpb-om": "RPB-OM",
}
LEARNING = {"rpb-om"}  # policies that read predictions
BUDGETS = ("on-fault", "on-request")
ADVERSARIES = ("lazy", "cyclic", "uniform")
PREDICTIONS = ("perfect", "reversed", "random", "lognormal", "normal")


def named(what: str, name: str, allowed: "dict[str, str] | tuple[str, ...]") -> str:
    """The allowed name that ``name`` spells, whatever its case and hyphens; ValueError lists what is allowed."""
    plain = {_plain(known): known for known in allowed}
    if not isinstance(name, str) or _plain(name) not in plain:
        hint = " (a time is --time-limit)" if what == "budget" else ""
        raise ValueError(f"{what} must be one of {', '.join(allowed)}{hint}; got {name!r}")
    return plain[_plain(name)]


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "").replace(" ", "")


def parse_predictions(model: str) -> tuple[str, float]:
    """Name and noise scale of "perfect", "reversed", "random", "lognormal:S" or "normal:S" (S = 1 if left out)."""
    name, colon, scale = model.partition(":")
    name = named("predictions", name, PREDICTIONS)
    try:
        value = float(scale) if colon else 1.0
    except ValueError:
        value = math.nan
    if not (0 <= value < math.inf) or (colon and name not in ("lognormal", "normal")):
        raise ValueError(f"predictions must be a name, or lognormal:S or normal:S with S >= 0; got {model!r}")
    return name, value
