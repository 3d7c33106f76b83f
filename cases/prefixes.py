"""Sequence-level objectives of distillation: whose prefixes, and which KL at each token.

On two-step chains: the student draws x from p1 and then y from p2[x], the teacher from q1 and q2[x]; p1, q1 of shape
(V,), p2, q2 of shape (V, V). Reverse KL over sequences equals, in value, the sum of per-token reverse KLs on the
student's own prefixes (chain rule). The forward KL over sequences needs the teacher's prefixes; forward per token on
the student's prefixes is a hybrid that equals neither.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cases.losses import Array

Value = Callable[[Array, Array, Array, Array], float]


@dataclass(frozen=True)
class SequenceDirection:
    """``verdict``: reverse, forward, hybrid, sign-flipped, neither or undecidable, with the ``reason``; ``scale``:
    value / formula of the one that fits best; ``residual``: what that leaves, relative."""

    verdict: str
    reason: str
    scale: float
    residual: float


def kl(p: Array, q: Array) -> float:
    """KL(p || q) in nats."""
    return float(np.sum(p * np.log(p / q)))


def reverse_sequences(p1: Array, p2: Array, q1: Array, q2: Array) -> float:
    """KL(student || teacher) over whole sequences: one sum over all of them."""
    return kl((p1[:, None] * p2).ravel(), (q1[:, None] * q2).ravel())


def forward_sequences(p1: Array, p2: Array, q1: Array, q2: Array) -> float:
    """KL(teacher || student) over whole sequences."""
    return reverse_sequences(q1, q2, p1, p2)


def hybrid(p1: Array, p2: Array, q1: Array, q2: Array) -> float:
    """Forward KL at each token, on prefixes drawn by the student: what the released code of SDFT descends."""
    return kl(q1, p1) + float(sum(w * kl(q, p) for w, p, q in zip(p1, p2, q2, strict=True)))


FORMULAS = {"reverse": reverse_sequences, "forward": forward_sequences, "hybrid": hybrid}
TOLERANCE = 1e-8


def sequence_direction(value: Value, *, vocabulary: int = 3, chains: int = 8, seed: int = 0) -> SequenceDirection:
    """Which objective ``value(p1, p2, q1, q2)`` computes on random chains, up to a positive factor.

    By value, in expectation over prefixes: gradients through the sampling are not seen, nor is a constant such as the
    teacher's entropy allowed for (see `kl_direction` for one token). Needs at least three chains.

    >>> sequence_direction(hybrid).verdict
    'hybrid'
    """
    if chains < 3 or vocabulary < 2:
        raise ValueError(f"chains={chains}, vocabulary={vocabulary} must be at least 3 and at least 2")
    drawn = [_chain(np.random.default_rng([seed, i]), vocabulary) for i in range(chains)]
    values = np.array([float(value(*chain)) for chain in drawn])
    if not np.isfinite(values).all():
        return SequenceDirection("undecidable", "the value is not finite on some chain", 0.0, 0.0)
    fits = {name: _fit(values, np.array([f(*chain) for chain in drawn])) for name, f in FORMULAS.items()}
    name, (scale, residual) = min(fits.items(), key=lambda item: item[1][1])
    if residual > TOLERANCE or scale == 0:
        return SequenceDirection("neither", f"nearest is {name}, {residual:.1e} of the values is left", scale, residual)
    if scale < 0:
        return SequenceDirection("sign-flipped", f"minus the {name} objective", scale, residual)
    return SequenceDirection(name, FORMULAS[name].__doc__ or "", scale, residual)


def _chain(rng: np.random.Generator, v: int) -> tuple[Array, Array, Array, Array]:
    p1, q1, p2, q2 = (_floored(rng.dirichlet(np.ones(v), size)) for size in ((), (), v, v))
    return p1, p2, q1, q2


def _floored(x: Array) -> Array:
    """Away from 0, where logarithms would decide everything."""
    return np.asarray((x + 0.02) / (x + 0.02).sum(axis=-1, keepdims=True))


def _fit(values: Array, formula: Array) -> tuple[float, float]:
    scale = float(values @ formula / (formula @ formula))
    left = float(np.linalg.norm(values - scale * formula))
    return scale, left / max(float(np.linalg.norm(values)), 1e-300)
