"""The claims that can be hunted by name; the names are those of the cases where there is one."""

import hashlib
import operator
from collections.abc import Mapping
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from sweeps.hunting.model import BadClaim, Target


class Whole(NamedTuple):
    """An option that is an integer between ``least`` and ``most``."""

    least: int
    most: int
    default: int | None

    def read(self, name: str, value: Any) -> int:
        """The value as an int; BadClaim if it is none of those."""
        return whole(name, value, self.least, self.most)


class Word(NamedTuple):
    """An option that is one of a few words."""

    words: tuple[str, ...]
    default: str

    def read(self, name: str, value: Any) -> str:
        """The value; BadClaim if it is no such word."""
        if not isinstance(value, str) or value not in self.words:
            raise BadClaim(f"{name} must be {' or '.join(self.words)}; got {repr(value)[:60]}")
        return value


class Maker(NamedTuple):
    """Where a claim's target is made, and the options it takes."""

    module: str
    function: str
    takes: dict[str, Whole | Word]


_D = Whole(1, 6, 2)
_K = Whole(1, 64, None)  # as many pages as the checker takes; None: 2 to 4
_RULE: dict[str, Whole | Word] = {"tau": Whole(0, 1_000, 0), "budget": Word(("on-fault", "on-request"), "on-fault")}
_MAKERS = {
    "alcalde2025_frank_wolfe": Maker("tokens", "frank_wolfe", {"after": Whole(0, 10_000_000, 0), "d": _D}),
    "achlioptas2000_marker": Maker("requests", "marker", {"k": _K}),
    "alcalde2025_repaired": Maker("repaired", "frank_wolfe", {"d": _D}),
    "chen2026_rpb_om": Maker("requests", "rpb_om", {"k": Whole(2, 12, 4), **_RULE}),
    "onlinemin2015_optimal": Maker("requests", "onlinemin", {"k": _K}),
}


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """The value as an int within limits; BadClaim says which."""
    limits = f"of at least {least}" if most is None else f"between {least} and {most}"
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or number != value or number < least or (most is not None and number > most):
        exact = "an integer " if isinstance(value, bool) or number != value else ""
        limits = limits if exact else limits.removeprefix("of ")
        raise BadClaim(f"{name} must be {exact}{limits} for this hunt; got {repr(value)[:60]}")
    return number


def names() -> list[str]:
    """Names of the claims that can be hunted; nothing is imported for it."""
    return sorted(_MAKERS)


def settled(claim: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that differ from the claim's defaults, read; None is left to the default.

    Raises BadClaim for an unknown name, an option that the claim doesn't read, or a value outside its limits.
    """
    given = {key: value for key, value in options.items() if value is not None}
    if not isinstance(claim, str) or is_file(claim):
        if given:
            raise BadClaim(f"{', '.join(sorted(given))} must not be given for a claim of your own: it has no options")
        return {}
    if claim not in _MAKERS:
        raise BadClaim(f"claim must be one of {', '.join(names())}, or the path of a Python file; got {claim!r}")
    takes = _MAKERS[claim].takes
    for key in given:
        if key not in takes:
            raise BadClaim(f"{key} must not be given for {claim}; it takes {', '.join(takes)}")
    read = {key: takes[key].read(key, given[key]) for key in takes if key in given}
    return {key: value for key, value in read.items() if value != takes[key].default}


def target(name: str, **options: Any) -> Target:
    """The target called ``name``; ``options`` whose value is None are left to its defaults.

    Raises BadClaim for an unknown name, or an option that it doesn't read, with what there is.
    """
    given = settled(name, options)
    if name not in _MAKERS:
        raise BadClaim(f"claim must be one of {', '.join(names())}; {name} is a path")
    maker = _MAKERS[name]
    made: Target = getattr(import_module(f"sweeps.hunting.{maker.module}"), maker.function)(**given)
    return made


def is_file(claim: Any) -> bool:
    """Whether a claim is given by a path."""
    text = str(claim) if isinstance(claim, str | PathLike) else ""
    return text not in _MAKERS and (text.endswith(".py") or "/" in text or "\\" in text)


def identity(claim: str, *, seed: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """What makes a hunt that one and no other: claim, seed, options unlike the defaults, and a file's sha256.

    Raises BadClaim for what can't be hunted, as far as that is seen without running anything.
    """
    known = {"claim": claim, "seed": whole("seed", seed, 0), "options": settled(claim, options)}
    if not is_file(claim):
        return known
    try:
        content = Path(claim).read_bytes()
    except OSError:
        raise BadClaim(f"claim must be a name or the path of a Python file; there is no {claim}") from None
    return {**known, "claim": Path(claim).stem, "file": hashlib.sha256(content).hexdigest()}


def read(claim: Any, **options: Any) -> Target:
    """A claim in any of its forms as a target: name, path, target, or an object with ``gap`` and ``instances``."""
    if isinstance(claim, str) and not is_file(claim):
        return target(claim, **options)
    settled(claim, options)
    if isinstance(claim, Target):
        return claim
    from sweeps.hunting import files

    return files.target_at(str(claim)) if is_file(claim) else files.target_of(claim)
