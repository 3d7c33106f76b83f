"""Request sequences and predictions for paging; the requests name pages by how a policy sees them."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from sweeps.strategies.instances import Paging


@st.composite
def request_sequences(
    draw: Any, *, k: int, max_requests: int = 20, new_pages: int = 3, min_requests: int = 1
) -> tuple[int, ...]:
    """Pages 0..k-1 are cached, k..k+new_pages-1 are not. Often a phase's shape: a new page, then old ones in any order.

    Shrinks to short sequences of small pages.
    """
    pages = st.integers(0, k + new_pages - 1)
    if draw(st.booleans()):
        return tuple(draw(st.lists(pages, min_size=min_requests, max_size=max_requests)))
    phases = draw(st.integers(1, new_pages))
    requests: list[int] = []
    for phase in range(phases):
        requests.append(k + phase)
        requests += draw(st.lists(st.integers(0, k + phase), max_size=max(0, max_requests // phases - 1)))
    return tuple(requests[:max_requests])


@st.composite
def predictions(draw: Any, requests: Sequence[int], *, k: int, errors: str = "any", size: int = 3) -> tuple[int, ...]:
    """k + len(requests) predicted next arrivals, of the start pages, then of each request's page.

    ``errors``: "none" (true arrivals), "bounded" (off by at most ``size``), "reversed" (the soonest is predicted
    furthest), "any" (small integers, ties among them).
    """
    n = k + len(requests)
    if errors == "any":
        return tuple(draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))
    true = next_arrivals(requests, k=k)
    if errors == "none":
        return true
    if errors == "reversed":
        return tuple(len(requests) - time for time in true)
    if errors != "bounded":
        raise ValueError(f"errors must be none, bounded, reversed or any; got {errors!r}")
    off = draw(st.lists(st.integers(-size, size), min_size=n, max_size=n))
    return tuple(time + e for time, e in zip(true, off, strict=True))


def next_arrivals(requests: Sequence[int], *, k: int) -> tuple[int, ...]:
    """The time of the next request of each start page, then of each request's page; len(requests) if there is none.

    >>> next_arrivals([2, 0, 2], k=2)
    (1, 3, 2, 3, 3)
    """
    n, after = len(requests), dict[int, int]()
    times = [n] * (k + n)
    for t in range(n - 1, -1, -1):
        times[k + t] = after.get(requests[t], n)
        after[requests[t]] = t
    for page in range(k):
        times[page] = after.get(page, n)
    return tuple(times)


@st.composite
def paging_instances(
    draw: Any, *, k: int | None = None, min_k: int = 1, max_k: int = 4, max_requests: int = 20, new_pages: int = 3
) -> Paging:
    """Requests with predictions of every kind of error; ``k`` given, or ``min_k``..``max_k``."""
    size = draw(st.integers(min_k, max_k)) if k is None else k
    requests = draw(request_sequences(k=size, max_requests=max_requests, new_pages=new_pages))
    errors = draw(st.sampled_from(("reversed", "any", "bounded", "none")))
    return Paging(size, requests, draw(predictions(requests, k=size, errors=errors)))
