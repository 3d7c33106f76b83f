"""Paging by definition: layers as sets, caches as lists, rationals as Fractions; slow and exact.

The twin that the kernels are compared with. It shares no code with them; standard library only.

Words: the *layers* L_1..L_k (their union is the *support*, every other page is L_0) describe all optimal
caches; a request to L_0 is what OPT pays for. U is the number of *unrevealed* layers.

Sources: Koutsoupias & Papadimitriou 2000 (layers); Brodal, Moruz, Negoescu 2015 (OnlineMin); Fiat et al. 1991
(Marker); Chen et al., arXiv 2606.01342 (RPB-OM, as publicly summarised).

>>> run("lru", [4, 1, 4, 2], k=2, cache=[1, 2]).faults
(True, True, False, True)
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypedDict, Unpack

Real = int | float | Fraction
Pick = Callable[[int, int], int]
Observe = Callable[[int, int, frozenset[int], "Layers"], None]

_SCALE = math.factorial(30)
# the terms up to 1/30! add up to a multiple of 1/30!; those after it to less than 1/(30 * 30!)
_E_BELOW = sum(_SCALE // math.factorial(n) for n in range(31))
_E_ABOVE = _E_BELOW + 1


class Rule(TypedDict, total=False):
    """RPB-OM's parameters: `tau` >= 0 (default 0) and `budget`, "on-fault" (default) or "on-request"."""

    tau: int
    budget: str


@dataclass(frozen=True)
class Outcome:
    """A run's cost: a fault flag a request, requests to L_0 (OPT's cost), RPB-OM's budget earned and spent.

    The tau that a request to L_0 grants isn't counted as earned, but is counted as spent when it is used.
    """

    faults: tuple[bool, ...]
    l0: int
    earned: int
    spent: int


class Layers:
    """The work-function layers; `sets[i - 1]` is L_i. Starts as L_i = {the i-th of `cache`}.

    >>> layers = Layers([1, 2, 3])
    >>> layers.request(9), layers.sets, layers.unrevealed()
    (True, [{1}, {2, 3}, {9}], 2)
    >>> layers.request(1), layers.sets, layers.index(1), layers.index(7)
    (False, [{2, 3}, {9}, {1}], 3, 0)
    """

    def __init__(self, cache: Iterable[int]) -> None:
        self.sets: list[set[int]] = [{page} for page in cache]

    def index(self, page: int) -> int:
        """The i with page in L_i; 0 when the page is outside the support."""
        for i, layer in enumerate(self.sets, start=1):
            if page in layer:
                return i
        return 0

    def request(self, page: int) -> bool:
        """Update the layers for a request; True if the page was in L_0, that is if OPT pays."""
        i = self.index(page)
        rest = self.sets.pop(i - 1) - {page}  # L_i, and L_k for i = 0
        below = i - 1 if i else len(self.sets)  # what is left joins this layer; layer 0 isn't kept
        if below:
            self.sets[below - 1] = self.sets[below - 1] | rest
        self.sets.append({page})
        return i == 0

    def unrevealed(self) -> int:
        """U: k less the longest run of singletons L_k, L_{k-1}, ..."""
        u = len(self.sets)
        while u and len(self.sets[u - 1]) == 1:
            u -= 1
        return u

    def is_valid(self, cache: Iterable[int]) -> bool:
        """Whether the cache lies in the support and has at most i pages in L_1 ∪ ... ∪ L_i, for every i."""
        cached = set(cache)
        seen: set[int] = set()
        for i, layer in enumerate(self.sets, start=1):
            seen |= layer
            if len(cached & seen) > i:
                return False
        return cached <= seen


class _State:
    """Cache, layers and each policy's memory; `pick(t, size)` gives an index below size at request t."""

    def __init__(self, cache: Sequence[int], predictions: Sequence[Real], pick: Pick, rule: Rule) -> None:
        k = len(cache)
        self.slots = list(cache)
        self.layers = Layers(cache)
        self.last = {page: i - k for i, page in enumerate(cache)}
        self.entered = dict(self.last)
        self.arrival = dict(zip(cache, predictions, strict=False))
        self.priority: dict[int, Real] = {}
        self.unmarked: list[int] = []
        self.pick = pick
        self.tau, self.on_request = rule.get("tau", 0), rule.get("budget", "on-fault") == "on-request"
        self.budget = self.y = 0  # never decide before the first request to L_0 sets them
        self.earned = self.spent = self.l0 = 0
        self.faults: list[bool] = []
        self.requests: Sequence[int] = ()

    def pool(self, i: int) -> Iterable[int]:
        """The cached pages that may be evicted for a fault on L_i: V of the layers before their update."""
        if i == 0:
            return self.slots
        cached, within = set(self.slots), set[int]()
        for j, layer in enumerate(self.layers.sets, start=1):
            within |= cached & layer
            if j >= i and len(within) == j:
                return within
        raise AssertionError("a cache of k pages lies in the support")

    def least(self, pool: Iterable[int]) -> int:
        """The page of least priority (of equal ones the least recently requested)."""
        return min(pool, key=lambda page: (self.priority[page], self.last[page]))

    def furthest(self, pool: Iterable[int]) -> int:
        """The page predicted furthest (of equal ones the least recently requested)."""
        return max(pool, key=lambda page: (self.arrival[page], -self.last[page]))

    def mark(self, page: int) -> None:
        """Take a page off the unmarked list: the last of the list moves into its place."""
        if page in self.unmarked:
            i = self.unmarked.index(page)
            self.unmarked[i] = self.unmarked[-1]
            self.unmarked.pop()


def _random(state: _State, t: int, _i: int, _pool: Iterable[int]) -> int:
    return state.slots[state.pick(t, len(state.slots))]


def _marker(state: _State, t: int, _i: int, _pool: Iterable[int]) -> int:
    if not state.unmarked:
        state.unmarked = list(state.slots)
    victim = state.unmarked[state.pick(t, len(state.unmarked))]
    state.mark(victim)
    return victim


def _opt(state: _State, t: int, _i: int, _pool: Iterable[int]) -> int:
    after = state.requests[t + 1 :]
    return max(state.slots, key=lambda page: after.index(page) if page in after else len(after))


def _earns(u: int, y: int) -> bool:
    """Whether u <= (y + 2)/e - 2, that is (u + 2) e <= y + 2."""
    if (u + 2) * _E_ABOVE <= (y + 2) * _SCALE:
        return True
    if (u + 2) * _E_BELOW > (y + 2) * _SCALE:
        return False
    raise ArithmeticError(f"u={u}, y={y}: e isn't enclosed tightly enough to decide")


def _rpb_om(state: _State, _t: int, i: int, pool: Iterable[int]) -> int:
    u = state.layers.unrevealed()  # the layers are updated by now
    by_prediction = True
    if i == 0:
        state.budget = state.tau
    else:
        earns = _earns(u, state.y)
        by_prediction = state.budget + earns > 0
        state.budget += earns - by_prediction
        state.earned, state.spent = state.earned + earns, state.spent + by_prediction
    state.y = u
    return state.furthest(pool) if by_prediction else state.least(pool)


_VICTIMS: dict[str, Callable[[_State, int, int, Iterable[int]], int]] = {  # of state, t, index, pool
    "lru": lambda state, _t, _i, _pool: min(state.slots, key=lambda page: state.last[page]),
    "fifo": lambda state, _t, _i, _pool: min(state.slots, key=lambda page: state.entered[page]),
    "random": _random,
    "marker": _marker,
    "opt": _opt,
    "onlinemin": lambda state, _t, _i, pool: state.least(pool),
    "rpb-om": _rpb_om,
}
POLICIES = tuple(_VICTIMS)
_LAYERED = ("onlinemin", "rpb-om")
_BRANCHING = ("random", "marker")


def _step(state: _State, policy: str, t: int, entering: Real) -> None:
    page, layers = state.requests[t], state.layers
    fault, i = page not in state.slots, layers.index(page)
    pool = state.pool(i) if fault and policy in _LAYERED else ()
    if layers.request(page):
        state.l0 += 1
        state.priority[page] = entering
    if fault:
        victim = _VICTIMS[policy](state, t, i, pool)
        state.slots[state.slots.index(victim)] = page
        state.entered[page] = t
    else:
        state.mark(page)
    if state.on_request:
        state.y = layers.unrevealed()
    state.faults.append(fault)


def _check(policy: str, k: int, cache: Sequence[int], rule: Rule) -> None:
    if policy not in _VICTIMS:
        raise ValueError(f"policy={policy!r} must be one of {', '.join(POLICIES)}")
    if k < 1:
        raise ValueError(f"k={k} must be at least 1")
    if len(cache) != k or len(set(cache)) != k:
        raise ValueError(f"cache={list(cache)} must hold k={k} different pages")
    if rule.get("tau", 0) < 0:
        raise ValueError(f"tau={rule['tau']} must be at least 0")
    if rule.get("budget", "on-fault") not in ("on-fault", "on-request"):
        raise ValueError(f"budget={rule['budget']!r} must be on-fault or on-request")


def _full(name: str, values: Sequence[Real] | Pick | None, n: int) -> Sequence[Real]:
    if values is None or callable(values) or len(values) != n:
        got = len(values) if isinstance(values, Sequence) else "no list"
        raise ValueError(f"{name} must hold k + len(requests) = {n} numbers; got {got}")
    return values


def _pick(policy: str, draws: Sequence[Real] | Pick | None, k: int, n: int) -> Pick:
    if callable(draws) or policy not in _BRANCHING:
        return draws if callable(draws) else lambda _t, _size: 0
    numbers = _full("draws", draws, n)
    if not all(0 <= x < 1 for x in numbers):
        raise ValueError(f"draws must be at least 0 and below 1; got {min(numbers)} to {max(numbers)}")
    return lambda t, size: math.floor(numbers[k + t] * size)


def run(
    policy: str,
    requests: Sequence[int],
    *,
    k: int,
    cache: Sequence[int],
    predictions: Sequence[Real] | None = None,
    draws: Sequence[Real] | Pick | None = None,
    observe: Observe | None = None,
    **rule: Unpack[Rule],
) -> Outcome:
    """Serve the requests (pages are integers) from a cache of k pages, oldest first, all marked.

    `predictions`: k + len(requests) predicted next arrivals, of the start pages, then of each request's page,
    fixed when it is requested; the largest is furthest, of equal ones the least recently requested page (the
    start order counts as recency). None: all equal.

    `draws`: k + len(requests) numbers. OnlineMin and RPB-OM read the start pages' priorities, then that of
    request t's page if it enters the support there; the least is evicted, of equal ones the least recently
    requested. Random and Marker (draws in [0, 1)) evict, at a fault at request t, entry floor(draws[k + t]
    * n) of the n = k slots or of the n unmarked pages; they also take a function (t, n) -> entry. A new
    page takes its victim's slot. Marker's list is all pages in slot order when its phase starts; the list's
    last page moves into the place of one that leaves it.

    `observe(t, page, cache, layers)` is called after each request; don't change `layers`. `rule`: see `Rule`.

    `budget="on-request"` never earns budget. Proof: Y is U before the request, and outside L_0 that lowers
    U by one or not at all: Y <= U + 1. Earning needs (U + 2) e <= Y + 2 <= U + 3, so U + 2 <= 1/(e - 1) <
    1: impossible.

    Raises ValueError for an unknown policy or budget, a cache that isn't k different pages, k < 1, tau < 0,
    lists of another length, draws missing for a policy that needs them or (random, Marker) outside [0, 1).

    >>> out = run("rpb-om", [3, 1], k=2, cache=[1, 2], predictions=[9, 0, 0, 0], draws=[1, 0, 0, 0])
    >>> out.faults, out.l0, out.spent
    ((True, True), 1, 0)
    """
    _check(policy, k, cache, rule)
    n = k + len(requests)
    known = _full("predictions", [0] * n if predictions is None else predictions, n)
    state = _State(cache, known, _pick(policy, draws, k, n), rule)
    priorities = _full("draws", draws, n) if policy in _LAYERED else [0] * n
    state.priority = dict(zip(cache, priorities, strict=False))
    state.requests = requests
    for t, page in enumerate(requests):
        _step(state, policy, t, priorities[k + t])
        state.last[page], state.arrival[page] = t, known[k + t]
        if observe is not None:
            observe(t, page, frozenset(state.slots), state.layers)
    return Outcome(tuple(state.faults), state.l0, state.earned, state.spent)
