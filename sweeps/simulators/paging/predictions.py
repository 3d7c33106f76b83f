"""Predicted next arrivals, made from the true ones."""

import numpy as np
from numpy.typing import NDArray

from sweeps.simulators.paging.options import parse_predictions


def predict(model: str, arrival: NDArray[np.int64], requests: int, seed: np.random.SeedSequence) -> NDArray[np.float64]:
    """Predicted times for true next arrivals (``requests`` where a page never comes again).

    ``perfect``; ``reversed``: negated, so the page that comes soonest is predicted furthest; ``random``: uniform
    over the sequence; ``lognormal:S`` and ``normal:S``: the true time (the sequence's end for never) plus noise of
    that law with location 0 and scale S, as in Lykouris & Vassilvitskii 2018 and Antoniadis et al. 2020.
    """
    name, scale = parse_predictions(model)
    rng = np.random.default_rng(seed)
    if name == "random":
        return rng.random(arrival.size) * requests
    time = arrival.astype(np.float64)
    if name == "lognormal":
        return time + rng.lognormal(0.0, scale, arrival.size)
    if name == "normal":
        return time + rng.normal(0.0, scale, arrival.size)
    time[arrival == requests] = np.inf
    return -time if name == "reversed" else time
