"""The door for programs: one hunt, from the claim to a certified, shrunk find or an honest miss."""

import contextlib
import numbers
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import exact
from sweeps.hunting import claims
from sweeps.hunting.model import BadClaim, Certificate, Hunt, Target
from sweeps.hunting.search import search
from sweeps.hunting.shrinking import shrink
from sweeps.hunting.watching import Watch, steady_gap

Tick = Callable[[dict[str, Any]], None]
JOBS = 256  # processes
CALL = 10.0  # seconds that a call of a file's function may take
MOST_SECONDS = 10**9


def hunt(
    claim: Any,
    *,
    seconds: float = 60.0,
    seed: int = 0,
    jobs: int = 1,
    call_seconds: float | None = None,
    on_tick: Tick | None = None,
    **options: Any,
) -> Hunt:
    """Hunt a counterexample of ``claim`` for at most ``seconds`` (and three more to shrink a late find).

    ``claim``: a name (`sweeps.hunting.names()`), the path of a Python file, a `Target`, or anything with ``gap`` and
    ``instances``. ``options``: after, d, k, tau, budget, where the claim reads them. Files and ``jobs`` > 1 run in
    processes of their own, and the first find counts; one call of a file's functions may take ``call_seconds``
    (10). With one job the same seed tries the same instances in the same order. Objects run here, without that limit.
    ``on_tick`` gets what is known so far (`snapshot`), about twice a second.

    Raises BadClaim (a ValueError) for a claim that can't be hunted. KeyboardInterrupt ends it: `Hunt.interrupted`.

    >>> hunt("alcalde2025_frank_wolfe", seconds=20, after=1000).found
    True
    """
    seconds, limit = _time("seconds", seconds), _time("call_seconds", CALL if call_seconds is None else call_seconds)
    seed, jobs = claims.whole("seed", seed, 0), claims.whole("jobs", jobs, 1, JOBS)
    options, mine = claims.settled(claim, options), claims.is_file(claim)
    if call_seconds is not None and not mine:
        raise BadClaim("call_seconds must not be given for this claim; it limits the calls of a claim's own file")
    if mine or (jobs > 1 and isinstance(claim, str)):
        from sweeps.hunting.workers import hunt_in_processes

        request = {"claim": str(claim), "options": options, "seconds": seconds, "call_seconds": limit}
        return hunt_in_processes(request, seed=seed, jobs=jobs, on_tick=on_tick)
    if jobs > 1:
        raise BadClaim(f"jobs must be 1 for an object, which can't be sent to other processes; got {jobs}")
    target = claims.read(claim, **options)
    target.warm()
    watch = Watch(seconds)
    if on_tick is not None:
        watch = replace(watch, on_tick=lambda watch: on_tick(snapshot(target, watch)))
    return hunt_here(target, watch, seed)


def _time(name: str, value: Any) -> float:
    """Seconds; BadClaim if they are none."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not 0 < value < MOST_SECONDS:
        raise BadClaim(f"{name} must be a number of seconds above 0 and below {MOST_SECONDS}; got {repr(value)[:60]}")
    return float(value)


def hunt_here(target: Target, watch: Watch, seed: int) -> Hunt:
    """One hunt in this process."""
    interrupted = False
    with _heeding_ctrl_c(watch):
        try:
            search(target, seed, watch)
            if watch.violation is not None:
                shrink(target, watch)
        except KeyboardInterrupt:
            interrupted = True
        if watch.violation is not None:
            steady_gap(target, watch.violation, watch, watch.violation_gap)
    return result(target, watch, seed, interrupted)


@contextlib.contextmanager
def _heeding_ctrl_c(watch: Watch) -> Iterator[None]:
    """The first Ctrl-C ends the search at its next turn: raised anywhere else, a callback may swallow it."""

    def stop(_signal: int, _frame: Any) -> None:
        watch.stopped = True
        signal.signal(signal.SIGINT, before)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def snapshot(target: Target, watch: Watch) -> dict[str, Any]:
    """What is known while the hunt runs: the best instance so far, whether it is a violation, its gap, the counts."""
    found = watch.violation is not None
    instance = watch.violation if found else watch.best
    return {
        "found": found,
        "instance": None if instance is None else target.pack(instance),
        "sentence": "" if instance is None else target.describe(instance, None),
        "closest_gap": _closest(watch),
        "instances_tried": watch.tried,
        "largest_scale": watch.largest,
        "seconds": round(watch.spent, 3),
    }


def _closest(watch: Watch) -> str | None:
    if watch.best is None and watch.violation is None:
        return None
    exactly: Fraction | None = watch.violation_gap if watch.violation is not None else watch.best_exact
    return str(exactly) if exactly is not None else f"{watch.best_gap:.6g}"


def _accepted(certificate: Certificate) -> bool:
    """Whether the independent checker accepts it; it knows no claims of users."""
    try:
        exact.check(certificate)
    except exact.verify.Rejected:
        return False
    return True


def result(target: Target, watch: Watch, seed: int, interrupted: bool) -> Hunt:
    """What the watch has seen, as plain data."""
    found = watch.violation is not None
    instance = watch.violation if found else watch.best
    note = target.certify(instance, watch.violation_gap) if found else None
    certified = note is not None and _accepted(note)
    return Hunt(
        claim=target.name,
        statement=target.statement,
        found=found,
        instance=None if instance is None else target.pack(instance),
        certificate=note if certified else None,
        sentence="" if instance is None else target.describe(instance, note if certified else None),
        example=target.example(instance) if found else "",
        instances_tried=watch.tried,
        closest_gap=_closest(watch),
        largest_scale=watch.largest,
        scale_name=target.scale_name,
        seconds=round(watch.spent, 3),
        seed=seed,
        first_find=watch.first_find,
        first_find_seconds=watch.first_find_seconds,
        interrupted=interrupted,
        certified=certified,
        undecided=watch.undecided,
        refused=watch.refused,
        test=target.test(instance, note) if note is not None else "",
    )
