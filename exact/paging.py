"""RPB-OM against the lazy adversary: the exact expected cost of a phase, and floor(m/e) without floats.

With f(u) the expected number of further faults of a phase after an eviction that leaves U = Y = u, the
missing page is uniform among u + 1 and the next fault leaves U = v < u with probability 1/(u + 1) each:

    (u + 1) f(u) = sum over v < u of  1 + ( 1 + f(v - 1)  if 1 <= v <= m(u)  else  f(v) ),

m(u) = floor((u + 2)/e) - 2, the largest v that earns budget. The inner sums telescope: with m = max(m(u), 0),

    (u + 1) f(u) = u + m - f(m) + f(0) + ... + f(u - 1),        E[cost of a phase] = tau + 2 + f(k - 2 - tau).

Source: derived for this toolkit from the rules of arXiv 2606.01342 as publicly summarised; the tests confirm
it by enumerating the reference simulator's runs. Under `budget="on-request"` no budget is ever earned: m = 0.
"""

import operator
from fractions import Fraction
from math import nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gmpy2 import mpq
    from numpy import int64
    from numpy.typing import NDArray

_P, _Q = 848456353, 312129649  # _P/_Q < e < 438351041/161260336, neighbouring convergents
FLOOR_DIV_E_LIMIT = 2**28
_BITS = 128
_BUDGETS = ("on-fault", "on-request")


def floor_div_e(m_max: int) -> "NDArray[int64]":
    """floor(m/e) for m = 0..m_max, exactly: int64, shape (m_max + 1,).

    Raises ValueError unless 0 <= m_max <= 2^28.

    Proof. Let p/q = 848456353/312129649 < e < p'/q' = 438351041/161260336, neighbouring convergents of e
    (q p' - p q' = 1), so q'/p' < 1/e < q/p. Were floor(m q'/p') < n = floor(m q/p), then n/m would lie in the
    interval (q'/p', q/p], where every fraction has a denominator of at least p. So for 0 < m < p both floors
    agree, and floor(m/e) lies between them. Here m <= 2^28 < p, and m q < 2^57 stays inside int64.

    >>> floor_div_e(11).tolist()
    [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4]
    """
    import numpy as np

    m_max = operator.index(m_max)
    if not 0 <= m_max <= FLOOR_DIV_E_LIMIT:
        raise ValueError(f"m_max={m_max} must be at least 0 and at most 2^28; beyond it the proof ends")
    floors = np.arange(m_max + 1, dtype=np.int64)
    floors *= _Q
    floors //= _P
    return floors


def harmonic(k: int) -> Fraction:
    """H_k = 1 + 1/2 + ... + 1/k, exactly. Raises ValueError for k < 0.

    >>> harmonic(4)
    Fraction(25, 12)
    """
    k = operator.index(k)
    if k < 0:
        raise ValueError(f"k={k} must be at least 0; H_0 = 0")
    return _fraction(_harmonic(1, k + 1))


def _harmonic(start: int, stop: int) -> "mpq":
    from gmpy2 import mpq

    if stop - start < 8:  # halving keeps the rationals of one size: far quicker than term by term
        return sum((mpq(1, i) for i in range(start, stop)), mpq(0))
    middle = (start + stop) // 2
    return _harmonic(start, middle) + _harmonic(middle, stop)


def _fraction(value: "mpq") -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))


def additive_term(k: int, *, tau: int = 0, budget: str = "on-fault") -> Fraction:
    """a(k) = E[cost of a lazy phase] - H_k, exactly; OPT pays one a phase. About 10 ms at k = 1024.

    `tau`: RPB-OM's budget after a request to L_0; `budget`: "on-fault" or "on-request" (when Y is updated).
    For k <= tau + 2 every request faults: a(k) = k - H_k.
    Raises ValueError for k < 1, tau < 0, another budget.

    >>> additive_term(9), additive_term(9, budget="on-request")
    (Fraction(137, 144), Fraction(8, 9))
    """
    k = _checked("k", k, tau, budget)
    if k <= tau + 2:
        return k - harmonic(k)
    return tau + 2 + _further_faults(k - 2 - tau, budget) - harmonic(k)


def _further_faults(n: int, budget: str) -> Fraction:
    """f(n) from prefix sums of f."""
    from gmpy2 import mpq

    f, prefix = [mpq(0)], mpq(0)
    for u, m in enumerate(_last_earning(n, budget), start=1):
        prefix += f[u - 1]
        f.append((u + m - f[m] + prefix) / (u + 1))
    return _fraction(f[n])


def _last_earning(n: int, budget: str) -> list[int]:
    """max(m(u), 0) for u = 1..n: the largest v that earns budget, 0 if none does."""
    if budget == "on-request":
        return [0] * n
    last: list[int] = (floor_div_e(n + 2)[3:] - 2).clip(min=0).tolist()
    return last


def _checked(name: str, k: int, tau: int, budget: str) -> int:
    k = operator.index(k)
    if k < 1:
        raise ValueError(f"{name}={k} must be at least 1; a cache holds a page or more")
    if operator.index(tau) < 0:
        raise ValueError(f"tau={tau} must be at least 0; it is a number of evictions")
    if budget not in _BUDGETS:
        raise ValueError(f"budget={budget!r} must be one of {', '.join(_BUDGETS)}")
    return k


def _limited(k_max: int, tau: int, budget: str) -> int:
    k_max = _checked("k_max", k_max, tau, budget)
    if k_max > FLOOR_DIV_E_LIMIT:
        raise ValueError(f"k_max={k_max} must be at most 2^28; the error bound is proved up to there")
    return k_max


def additive_terms(k_max: int, *, tau: int = 0, budget: str = "on-fault") -> list[float]:
    """a(k) for k = 0..k_max as a list indexed by k (entries 0 and 1 are nan: no laws in ln k there).

    Each entry is the float nearest to a number within max(k, 32) 2^-128 of a(k): off by at most half a unit
    in the last place plus that amount (2^-108 at k = 2^20).

    Proof. F(u) is the recursion for 2^128 f(u) in integers, rounded down. The errors d(u) = 2^128 f(u) -
    F(u) obey d(0) = 0 and (u + 1) d(u) = (sum over v < u, v != m, of d(v)) + (u + 1) theta, 0 <= theta < 1:
    the term of m cancels one of the sum, or is zero when m = 0. By induction 0 <= d(u) <= D(u) with D(0) =
    0 and (u + 1) D(u) = D(0) + ... + D(u - 1) + u + 1, so D(u) = H_(u+1) - 1/2 for u > 0, below 32 up to u
    = 2^28. H_k is a sum of k floors, low by less than k units of 2^-128. The difference of the two is off
    by less than max(k, 32) units, and Python divides integers with correct rounding.

    Raises ValueError as `additive_term`, or for k_max > 2^28.

    >>> [round(a, 5) for a in additive_terms(64)[8::8]]
    [0.875, 1.12436, 1.27987, 1.3858, 1.46942, 1.5378, 1.59563, 1.64538]
    """
    k_max = _limited(k_max, tau, budget)
    one = 1 << _BITS
    costs, harmonic_k = _phase_costs(k_max, tau, budget), one
    terms = [nan, nan]
    for k in range(2, k_max + 1):
        harmonic_k += one // k
        terms.append((costs[k] - harmonic_k) / one)
    return terms[: k_max + 1]


def _phase_costs(k_max: int, tau: int, budget: str) -> list[int]:
    """2^128 times the expected cost of a phase for k = 0..k_max, too low by less than 32."""
    costs = [k << _BITS for k in range(min(k_max, tau + 1) + 1)]
    if k_max >= tau + 2:
        costs += (((tau + 2) << _BITS) + f for f in _scaled_faults(k_max - 2 - tau, budget))
    return costs


def _scaled_faults(n: int, budget: str) -> list[int]:
    f, prefix = [0], 0
    for u, m in enumerate(_last_earning(n, budget), start=1):
        prefix += f[-1]
        f.append((((u + m) << _BITS) - f[m] + prefix) // (u + 1))
    return f


def phase_variance(k_max: int, *, tau: int = 0, budget: str = "on-fault") -> list[float]:
    """The variance of a lazy phase's cost for k = 0..k_max, a list indexed by k (entries 0 and 1 are nan).

    For planning the number of replicates: plain floats, not rigorous. Second moments g(u) of the further
    faults: (u + 1) g(u) = sum over v < u of E[(1 + X_v)^2], or of E[(2 + X_(v-1))^2] where budget is
    earned. Raises ValueError as `additive_terms`.

    >>> phase_variance(3)  # k = 3: the third request faults with probability 1/2
    [nan, nan, 0.0, 0.25]
    """
    k_max = _limited(k_max, tau, budget)
    flat = [nan, nan, *[0.0] * tau][: k_max + 1]
    return [*flat, *_variances(k_max - 2 - tau, budget)] if k_max >= tau + 2 else flat


def _variances(n: int, budget: str) -> list[float]:
    """g(u) - f(u)^2 for u = 0..n."""
    f, prefix, variances = [0.0], 0.0, [0.0]
    # sums over v < 0, 1, ... of E[(1 + X_v)^2], and (without v = 0) of E[(2 + X_(v-1))^2]
    natural, earned = [0.0, 1.0], [0.0, 0.0]
    for u, m in enumerate(_last_earning(n, budget), start=1):
        g = (natural[1] + earned[m + 1] + natural[u] - natural[m + 1]) / (u + 1)
        prefix += f[-1]
        f.append((u + m - f[m] + prefix) / (u + 1))
        variances.append(max(0.0, g - f[u] ** 2))
        natural.append(natural[-1] + 1 + 2 * f[u] + g)
        earned.append(earned[-1] + 4 + 4 * f[u - 1] + variances[u - 1] + f[u - 1] ** 2)
    return variances
