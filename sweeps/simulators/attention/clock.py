"""The functions of time in which tokens move behind a chain of leaders, enclosed in balls.

While the leader map is fixed from state s on, a token at depth h below a cycle moves in the span of 1,
w_k(t) = r e_k (k < h) and q, where r = s(s+1)/(t(t+1)), e_k is the k-th elementary symmetric polynomial of 2/tau over
s <= tau < t and q = (s-2)(s-1)s(s+1)/((t-2)(t-1)t(t+1)). In the order 1, w_{h-1}, ..., w_0, q every later one over
every earlier one decreases in t (e_k/e_{k+1} decreases as numbers are added), but w_k itself only once e_k >= e_{k-1}.
"""

from functools import cached_property

from flint import arb, ctx


class Clock:
    """Basis functions of a segment from s with tails of depth h, at one precision; values are kept."""

    def __init__(self, s: int, h: int, bits: int) -> None:
        self.s, self.h, self.bits = s, h, bits
        self.size = h + 2  # 1, w_{h-1}, ..., w_0, q
        self._known: dict[int, list[arb]] = {}

    @cached_property
    def _sums(self) -> list[arb]:
        return [self._hurwitz(k, self.s) for k in range(1, self.h)]

    @staticmethod
    def _hurwitz(k: int, t: int) -> arb:
        return -arb(t).digamma() if k == 1 else arb(k).zeta(arb(t))

    def elementary(self, t: int) -> list[arb]:
        """e_0..e_{h-1} from the power sums p_k = 2^k (zeta(k, s) - zeta(k, t)) by Newton's identities."""
        if t - self.s < 64:
            return self._product(t)
        power = [(past - self._hurwitz(k, t)) * 2**k for k, past in enumerate(self._sums, 1)]
        e = [arb(1)]
        for k in range(1, self.h):
            terms = (e[k - i] * power[i - 1] * (-1) ** (i - 1) for i in range(1, k + 1))
            e.append(sum(terms, arb(0)) / k)
        return e

    def _product(self, t: int) -> list[arb]:
        e = [arb(1)] + [arb(0)] * (self.h - 1)
        for tau in range(self.s, t):
            x = arb(2) / tau
            for k in range(self.h - 1, 0, -1):
                e[k] += x * e[k - 1]
        return e

    def at(self, t: int) -> list[arb]:
        """The basis at t, in the order of the module."""
        if t not in self._known:
            with ctx.workprec(self.bits):
                s = self.s
                r = arb(s * (s + 1)) / arb(t * (t + 1))
                q = r * arb((s - 2) * (s - 1)) / arb((t - 2) * (t - 1))
                self._known[t] = [arb(1), *(r * e for e in reversed(self.elementary(t))), q]
        return self._known[t]

    def ratio(self, x: int, y: int, a: int, b: int | None) -> arb | None:
        """Function x over function y on a..b (None: for ever), or None where no finite enclosure is known."""
        if x == y:
            return arb(1)
        start = self.at(a)
        if x > y and (y or self._falls(x, start)):
            end = arb(0) if b is None else self.at(b)[x] / self.at(b)[y]
            return (start[x] / start[y]).union(end)
        if b is None:
            return None
        return self._range(x, a, b) / self._range(y, a, b)

    def _falls(self, x: int, start: list[arb]) -> bool:
        """Whether function x decreases from there on: q, r, and w_k where e_k >= e_{k-1}, certainly."""
        return x >= self.h or bool(start[x] >= start[x + 1])

    def _range(self, x: int, a: int, b: int) -> arb:
        start, end = self.at(a), self.at(b)
        if not 1 <= x < self.h or self._falls(x, start):
            return start[x].union(end[x])
        w, r = x, self.h  # r is the function w_0; w/r = e_k increases
        return start[r].union(end[r]) * (start[w] / start[r]).union(end[w] / end[r])
