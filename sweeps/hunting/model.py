"""What can be hunted (`Target`) and what a hunt came to (`Hunt`): plain data and the functions of one claim."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Certificate = dict[str, Any]


class BadClaim(ValueError):  # noqa: N818 - the input is at fault, not the program
    """A claim that can't be hunted; one line says what was wrong and what is wanted."""


class Undecided(Exception):  # noqa: N818 - an answer, not a fault
    """What a scout raises near the bound where the exact gap is out of reach; ``guess``: its own."""

    def __init__(self, guess: float) -> None:
        self.guess = guess


def no_moves(_instance: Any, _rng: Any) -> Any:
    """No local moves: the draws of Hypothesis are all there is."""
    return None


def no_smaller(_instance: Any) -> Iterator[Any]:
    """No smaller instances."""
    return iter(())


@dataclass(frozen=True)
class Target:
    """A claim as a hunt sees it. An *instance* is a value of ``instances()``, a Hypothesis strategy.

    ``gap(instance)``: int or Fraction, exact, positive where the claim is violated. ``fast_gap``: the same in float,
    cheap: only a scout (None: the exact one serves). ``move(instance, rng)``: an instance nearby, or None.
    ``certify(instance)``: a certificate that was accepted, or None if there is none; where the checker has no kind for
    the claim, a note of what was computed. ``smaller(instance)``: candidates
    for a smaller instance, the boldest first; ``size(instance)``: what makes one smaller, a tuple to compare.
    ``describe`` and ``example`` are an instance in a line, and as ``@example(...)``; ``test(instance, certificate)``
    the source of a test that it fails; ``pack`` its JSON; ``scale`` how large it is, in the words of ``scale_name``.
    ``work(instance)``: what one try of it costs, about, in units of 10 µs, by the instance alone: local moves are
    limited by it, since a clock would make a seed's course hang on the machine. ``warm()`` compiles the kernels.
    """

    name: str
    statement: str
    instances: Callable[[], Any]
    gap: Callable[[Any], Any]
    fast_gap: Callable[[Any], float] | None = None
    move: Callable[[Any, Any], Any] = no_moves
    certify: Callable[[Any, Fraction], Certificate | None] = lambda _instance, _gap: {}
    smaller: Callable[[Any], Iterator[Any]] = no_smaller
    size: Callable[[Any], Any] = lambda instance: (len(repr(instance)), repr(instance))
    describe: Callable[[Any, Certificate | None], str] = lambda instance, _certificate: repr(instance)
    example: Callable[[Any], str] = lambda instance: f"@example(instance={instance!r})"
    test: Callable[[Any, Certificate], str] = lambda _instance, _certificate: ""
    pack: Callable[[Any], Any] = repr
    scale: Callable[[Any], int] = lambda instance: len(repr(instance))
    scale_name: str = "characters of the instance's text"
    work: Callable[[Any], int] = lambda _instance: 100
    warm: Callable[[], None] = lambda: None
    shrinks_itself: bool = True  # False: Hypothesis shrinks, since only it knows what an instance may be


@dataclass(frozen=True)
class Hunt:
    """What a hunt came to.

    ``found``: an exact violation; then ``instance`` (JSON), ``sentence``, ``example`` line and ``test`` source (empty
    if the instance has no text that Python reads). ``certified``: the independent checker accepts its ``certificate``;
    of a claim that it doesn't know there is none, and the claim's own gap was computed twice. Otherwise ``instance`` is
    the closest miss. ``instances_tried``: gaps computed; ``first_find``: how many of them until the first violation,
    and ``first_find_seconds``; ``closest_gap``: the largest gap (text: "p/q" if exact, a decimal if scouted);
    ``largest_scale`` in the words of ``scale_name``. Misses as well: ``undecided`` instances near the bound whose exact
    gap was out of reach, and ``refused`` ones, above it, whose certificate the checker doesn't accept.
    """

    claim: str
    statement: str
    found: bool
    instance: Any
    certificate: Certificate | None
    sentence: str
    example: str
    instances_tried: int
    closest_gap: str | None
    largest_scale: int
    scale_name: str
    seconds: float
    seed: int
    first_find: int | None = None
    first_find_seconds: float | None = None
    interrupted: bool = False
    certified: bool = False
    undecided: int = 0
    refused: int = 0
    test: str = field(default="", repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``--json``."""
        return {name: value for name, value in vars(self).items() if name != "test"}
