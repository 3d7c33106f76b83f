"""The first integer at which a polynomial with integer coefficients is negative, or the proof that there is none.

Descartes' rule of signs in the form of Vincent, Collins and Akritas, all in integers: intervals whose length doubles
with the distance, split until each holds at most one root; a shifted polynomial without a sign change ends the search
for ever.
"""

from itertools import pairwise

from flint import fmpz, fmpz_poly


def first_negative(p: fmpz_poly, *, or_zero: bool = False, stop: int | None = None) -> int | None:
    """Least integer u >= 0 with p(u) < 0 (``or_zero``: <= 0), or None: there is none, ever (or none before ``stop``).

    >>> first_negative(fmpz_poly([5, -1])), first_negative(fmpz_poly([5, -1]), or_zero=True)
    (6, 5)
    >>> first_negative(fmpz_poly([2, -3, 1])), first_negative(fmpz_poly([2, -3, 1]), or_zero=True)
    (None, 1)
    """
    limit = 1 if or_zero else 0  # all values are integers: p <= 0 is p < 1
    if p(0) < limit:
        return 0 if stop is None or stop > 0 else None
    start, width = 0, 1
    while (stop is None or start < stop) and not _never_again(p, limit):
        found = _within(p, width, limit)
        if found is not None:
            return start + found if stop is None or start + found < stop else None
        p = _shifted(p, width)
        start += width
        width = start + 1
    return None


def _shifted(p: fmpz_poly, by: int) -> fmpz_poly:
    return p(fmpz_poly([by, 1]))


def _never_again(p: fmpz_poly, limit: int) -> bool:
    """Whether no coefficient is negative, so that p(u) >= p(0) for all u >= 0; p(0) is known to be good."""
    return all(c >= 0 for c in p.coeffs()) and p(0) >= limit


def _within(p: fmpz_poly, width: int, limit: int) -> int | None:
    """Least u in 1..width with p(u) < limit; u = 0 is known not to be."""
    if p(1) < limit:
        return 1
    if width == 1:
        return None
    changes = _roots_at_most(p - limit, width)
    if changes == 0 and p(width) >= limit:
        return None
    if changes <= 1 and p(width) < limit:
        return _bisected(p, width, limit)
    half = width // 2
    found = _within(p, half, limit)
    if found is not None:
        return found
    found = _within(_shifted(p, half), width - half, limit)
    return None if found is None else half + found


def _roots_at_most(p: fmpz_poly, width: int) -> int:
    """Sign changes of (1+v)^m p(width/(1+v)): at least the number of roots in the open interval (0, width)."""
    coefficients = [c * fmpz(width) ** i for i, c in enumerate(p.coeffs())]
    signs = [c > 0 for c in fmpz_poly(coefficients[::-1])(fmpz_poly([1, 1])).coeffs() if c != 0]
    return sum(a != b for a, b in pairwise(signs))


def _bisected(p: fmpz_poly, width: int, limit: int) -> int:
    good, bad = 1, width
    while bad - good > 1:
        middle = (good + bad) // 2
        if p(middle) < limit:
            bad = middle
        else:
            good = middle
    return bad
