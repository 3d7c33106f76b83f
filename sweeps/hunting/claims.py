"""The claims that can be hunted by name; the names are those of the cases where there is one."""

from importlib import import_module
from os import PathLike
from typing import Any

from sweeps.hunting.model import BadClaim, Target

_MAKERS = {  # name: module, function, options it reads
    "alcalde2025_frank_wolfe": ("tokens", "frank_wolfe", ("after", "d")),
    "achlioptas2000_marker": ("requests", "marker", ("k",)),
    "alcalde2025_repaired": ("repaired", "frank_wolfe", ("d",)),
    "chen2026_rpb_om": ("requests", "rpb_om", ("k", "tau", "budget")),
    "onlinemin2015_optimal": ("requests", "onlinemin", ("k",)),
}


def names() -> list[str]:
    """Names of the claims that can be hunted; nothing is imported for it."""
    return sorted(_MAKERS)


def target(name: str, **options: Any) -> Target:
    """The target called ``name``; ``options`` whose value is None are left to its defaults.

    Raises BadClaim for an unknown name, or an option that it doesn't read, with what there is.
    """
    if name not in _MAKERS:
        raise BadClaim(f"claim must be one of {', '.join(names())}, or the path of a Python file; got {name!r}")
    module, function, reads = _MAKERS[name]
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in reads:
            raise BadClaim(f"{key} must not be given for {name}; it takes {', '.join(reads) or 'no options'}")
    made: Target = getattr(import_module(f"sweeps.hunting.{module}"), function)(**given)
    return made


def is_file(claim: Any) -> bool:
    """Whether a claim is given by a path."""
    text = str(claim) if isinstance(claim, str | PathLike) else ""
    return text not in _MAKERS and (text.endswith(".py") or "/" in text or "\\" in text)


def read(claim: Any, **options: Any) -> Target:
    """A claim in any of its forms as a target: name, path, target, or an object with ``gap`` and ``instances``."""
    if isinstance(claim, str) and not is_file(claim):
        return target(claim, **options)
    given = sorted(key for key, value in options.items() if value is not None)
    if given:
        raise BadClaim(
            f"{', '.join(given)} must not be given for a claim of your own; gap and instances are all it has"
        )
    if isinstance(claim, Target):
        return claim
    from sweeps.hunting import files

    return files.target_at(str(claim)) if is_file(claim) else files.target_of(claim)
