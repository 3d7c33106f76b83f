"""A control: the repaired attention theorem, J(x^k) <= (2/3) L D^2/k as long as the hull meets ker B* (here: B* = I).

A hunt that breaks it has found a defect of ours: the theorem is proved in `sweeps/simulators/attention/outcome.py`.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

import exact
from sweeps.hunting.model import Certificate, Target
from sweeps.hunting.tokens import NOT_AN_INSTANCE, Points, describe, instances, is_instance, move
from sweeps.simulators.attention import reference

STATES = 10
CONSTANT = Fraction(2, 3)


def frank_wolfe(*, d: int = 2, constant: Fraction = CONSTANT) -> Target:
    """The repaired theorem; ``constant``: 2/3, or less to see the control fail."""
    return Target(
        name="alcalde2025_repaired",
        statement=f"as long as the hull meets ker B*, J(x^k) <= {constant} L D^2/k for every token and every state k",
        instances=lambda: instances(d),
        gap=lambda points: gap(points, constant),
        move=move,
        certify=lambda points, value: _exact_note(points, value),
        describe=describe_here,
        example=lambda points: f"@example(tokens={points})",
        test=lambda points, _note: source_of_test(points, constant),
        pack=lambda points: [[str(x) for x in row] for row in points],
        scale=len,
        scale_name="tokens",
        work=lambda points: 2 * len(points) ** 2 * len(points[0]),  # exact stepping: 20 µs a product
    )


@lru_cache(maxsize=4096)
def gap(points: Points, constant: Fraction) -> Fraction:
    """The largest J(x^k) k/(L D^2) less ``constant``, over the states up to the one after the hull's loss."""
    if not is_instance(points):
        return Fraction(int(NOT_AN_INSTANCE))
    d = len(points[0])
    tokens = [tuple(map(Fraction, row)) for row in points]
    unit = [[Fraction(i == j) for j in range(d)] for i in range(d)]
    spread = max(sum(((x - y) ** 2 for x, y in zip(p, q, strict=True)), Fraction(0)) for p in tokens for q in tokens)
    worst = Fraction(0)
    for k, state, _leaders in islice(reference.states(tokens, unit, "low"), STATES):
        worst = max(worst, k * reference.energy(state, unit) / spread)
        if exact.hull(state).weights is None:
            break
    return worst - constant


def _exact_note(points: Points, value: Fraction) -> Certificate:
    """What would be a certificate of a defect; the checker has no kind for it."""
    return {"kind": "gap", "claim": "alcalde2025_repaired", "tokens": [list(map(str, row)) for row in points]} | {
        "gap": str(value)
    }


def describe_here(points: Points, _certificate: Any) -> str:
    """The tokens."""
    return describe(points, None)


def source_of_test(points: Points, constant: Fraction) -> str:
    """A test that these tokens fail: it computes the gap anew."""
    return (
        f'"""{describe(points, None)}."""\n\nfrom fractions import Fraction\n\n'
        "from sweeps.hunting.repaired import gap\n\n\ndef test_energy_stays_below_the_repaired_bound():\n"
        f"    assert gap({points}, {constant!r}) <= 0\n"
    )
