"""The search: Hypothesis draws seeds and climbs by `target()`, local moves climb on from the good ones."""

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sweeps.hunting.model import BadClaim, Target
from sweeps.hunting.watching import Stop, Violated, Watch, consider, consider_smaller

ROUNDS = (100, 400, 1_000, 2_000)  # draws of the rounds: each climbs by target() from half of them on
CLIMB = 60  # moves without progress that end a climb
CLIMB_WORK = 100_000  # and the work that ends it, about a second: a clock would make the course of a seed hang on it
CLIMB_SHARE = 0.1  # of the draws that are no better than those before are climbed from too


def search(target: Target, seed: int, watch: Watch) -> None:
    """Hunt until a violation is certified (`watch.violation`) or time is up; raises BadClaim."""
    sequence, number = np.random.SeedSequence(seed), 0
    while watch.violation is None and watch.spent < watch.seconds:
        rng = np.random.default_rng(sequence.spawn(1)[0])
        draw(target, _seeking(target, watch, rng), int(rng.integers(2**32)), ROUNDS[min(number, len(ROUNDS) - 1)])
        number += 1


def _seeking(target: Target, watch: Watch, rng: np.random.Generator) -> Callable[[Any], None]:
    import hypothesis

    best = -math.inf  # of this round's draws; what beats it is climbed from

    def body(instance: Any) -> None:
        nonlocal best
        if watch.violation is None:
            gap = consider(target, instance, watch)
            hypothesis.target(gap)
            if watch.violation is None and (gap > best or rng.random() < CLIMB_SHARE):
                best = max(best, gap)
                climb(target, instance, gap, watch, rng)
            violated = watch.violation is not None
        else:  # Hypothesis is shrinking
            violated = consider_smaller(target, instance, watch)
        if violated:
            raise Violated  # from one place: Hypothesis takes another for another failure

    return body


def climb(target: Target, instance: Any, gap: float, watch: Watch, rng: np.random.Generator) -> None:
    """Local moves from an instance, kept when they are no worse, until nothing better comes for a while."""
    since = work = 0
    while since < CLIMB and work < CLIMB_WORK:
        moved = target.move(instance, rng)
        if moved is None:
            return
        found = consider(target, moved, watch)
        work += target.work(moved)
        since = 0 if found > gap else since + 1
        if found >= gap:
            instance, gap = moved, found


def draw(target: Target, body: Callable[[Any], None], seed: int, draws: int) -> None:
    """Run ``body`` on drawn instances until one is a violation, or time is up. Raises BadClaim."""

    import hypothesis.errors

    def guarded(instance: Any) -> None:
        try:
            body(instance)
        except BadClaim as error:
            raise Stop(error) from None

    try:
        with _only_global_constants():
            _prepared(guarded, target, seed, draws)()
    except Stop as stop:
        if stop.reason is not None:
            raise stop.reason from None
    except Violated:
        return
    except hypothesis.errors.Flaky as error:
        raise BadClaim(
            "gap must depend on the instance alone; an instance that violated the claim no longer did"
        ) from error
    except Exception as error:  # the strategy's
        said = " ".join(str(error).split())[:200]
        raise BadClaim(f"instances must give instances; got {type(error).__name__}: {said}") from error


@contextlib.contextmanager
def _only_global_constants() -> Iterator[None]:
    """No draws of constants that Hypothesis reads in the sources of whatever modules happen to be loaded.

    They would make the course of a seed hang on what was imported, compiled or installed before. There is no setting
    for it, so this knows Hypothesis from within; a release without these names draws as it does.
    """
    from hypothesis.internal.conjecture import providers

    known = ("_get_local_constants", "_local_constants", "CONSTANTS_CACHE")
    if not (all(hasattr(providers, name) for name in known) and hasattr(providers.CONSTANTS_CACHE, "cache")):
        yield
        return
    before, none = providers._get_local_constants, type(providers._local_constants)()
    providers.CONSTANTS_CACHE.cache.clear()
    providers._get_local_constants = lambda: none
    try:
        yield
    finally:
        providers._get_local_constants = before
        providers.CONSTANTS_CACHE.cache.clear()


def _prepared(body: Callable[[Any], None], target: Target, seed: int, draws: int) -> Callable[[], None]:
    import hypothesis
    from hypothesis import HealthCheck, Phase, Verbosity

    how = hypothesis.settings(
        max_examples=draws,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.target] + [Phase.shrink] * (not target.shrinks_itself),
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )

    def hunted(instance: Any) -> None:
        body(instance)

    test: Callable[[], None] = hypothesis.seed(seed)(how(hypothesis.given(instance=target.instances())(hunted)))
    return test
