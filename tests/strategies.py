"""Small paging instances for Hypothesis: built from integers, shrinking to short sequences of small pages."""

from hypothesis import strategies as st


@st.composite
def paging_instances(draw, max_k=5, max_requests=40):
    """(k, requests, predictions, draws): pages 0..k+4, start cache 0..k-1, predictions with ties, draws in [0, 1)."""
    k = draw(st.integers(1, max_k))
    requests = draw(st.lists(st.integers(0, k + 4), min_size=1, max_size=max_requests))
    n = k + len(requests)
    predictions = draw(st.lists(st.integers(0, 8), min_size=n, max_size=n))
    ranks = draw(st.permutations(range(n)))
    return k, requests, predictions, [rank / n for rank in ranks]
