"""Which KL divergence does a distillation loss descend? By its gradient, with the cases where none can tell.

Gradients, not values: cross-entropy has the forward gradient and another value, the estimator k3 has the value of the
reverse and the gradient of the forward. Source: the formulas p - q and p (log p/q - KL), see `cases/losses.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cases.gradients import Measured, given, of_loss, random_pairs
from cases.losses import Array, Loss, forward_gradient, log_softmax, reverse_gradient

DECOYS = (0.01, 0.1, 0.5, 0.9, 0.99)  # JSD weights; what can't tell these from a mixture is blind
CLEAR = 10.0  # times the noise
ILL = 0.02  # largest uncertain share of the gradient


@dataclass(frozen=True)
class Direction:
    """``verdict``: forward, reverse, mixture, neither, sign-flipped or undecidable, with the ``reason``.

    ``forward``, ``reverse``: fitted weights a, b of gradient = a (p - q) + b p (log p/q - KL). ``residual``: what
    they leave of it, relative. ``noise``: relative error of the gradients. ``sight``: the residual of the Jensen-
    Shannon loss nearest to a mixture on the same pairs; below ten times the noise nothing can be told.
    """

    verdict: str
    reason: str
    forward: float
    reverse: float
    residual: float
    noise: float
    sight: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(vars(self))


def kl_direction(
    loss: Loss | Iterable[Sequence[Any]],
    *,
    pairs: Iterable[Sequence[Any]] | None = None,
    vocabulary: int = 7,
    seed: int = 0,
    accuracy: float = 1e-7,
    framework: str = "numpy",
) -> Direction:
    """Forward is KL(teacher || student), reverse KL(student || teacher).

    ``loss(z, log_q)``: student logits and teacher log-probabilities, shape (V,), to a value or to a gradient of shape
    (V,); or measured triples (z, log_q, gradient). ``pairs``: (z, log_q) to try it on, else six random ones of
    ``vocabulary`` entries. ``accuracy``: relative error of its numbers (float32: about 1e-5). ``framework``:
    "numpy", or "torch" for a loss that takes tensors. Measured arrays may be tensors anyway.

    Blind, and said so: where teacher and student are nearly equal, where there are too few numbers (one pair of three
    entries fits anything), where the loss is not finite or not repeatable. Jensen-Shannon weights within 0.01 of 0
    or 1 may pass for forward or reverse at a coarse ``accuracy``. Raises ValueError for shapes that don't fit.

    >>> from cases.losses import cross_entropy, sampled
    >>> kl_direction(cross_entropy).verdict, kl_direction(sampled(lambda r: r)).verdict  # k2
    ('forward', 'reverse')
    """
    if callable(loss):
        measured = of_loss(loss, random_pairs(6, vocabulary, seed) if pairs is None else pairs, framework)
    else:
        measured = given(loss)
    if not all(np.isfinite(part).all() for entry in measured for part in entry):
        return _undecidable("the loss, its gradient or an input is not finite on some pair")
    return _fit(measured, accuracy)


def _undecidable(reason: str, numbers: Sequence[float] = (0.0,) * 5) -> Direction:
    return Direction("undecidable", reason, *numbers)


def _fit(measured: Sequence[Measured], accuracy: float) -> Direction:
    g = np.concatenate([entry.gradient for entry in measured])
    log_ps = [log_softmax(entry.z) for entry in measured]
    columns = [
        np.concatenate([f(p, entry.log_q) for p, entry in zip(log_ps, measured, strict=True)])
        for f in (forward_gradient, reverse_gradient)
    ]
    sizes = [float(np.linalg.norm(column)) for column in columns]
    error = float(np.linalg.norm([entry.error * entry.z.size**0.5 for entry in measured]))
    if sum(entry.z.size - 1 for entry in measured) < 3:
        return _undecidable("too few numbers: two weights fit them whatever the loss; give more pairs or entries")
    if min(sizes) < 1e-12 or min(sizes) < CLEAR * error:
        return _undecidable("teacher and student are equal on these pairs, to the errors: every gradient vanishes")
    size = float(np.linalg.norm(g))
    if size <= max(CLEAR * error, 1e-12 * max(sizes)):
        reason = "the gradient vanishes although teacher and student differ: nothing is learnt (k1 without score term)"
        return Direction("neither", reason, 0.0, 0.0, 0.0, 0.0, 0.0)
    return _judge(g / size, columns, sizes, max(accuracy, error / size), measured, size)


def _judge(
    g: Array, columns: list[Array], sizes: list[float], noise: float, measured: Sequence[Measured], size: float
) -> Direction:
    basis = np.stack([column / norm for column, norm in zip(columns, sizes, strict=True)], axis=1)
    shares, residual = _project(g, basis)
    apart = float(np.linalg.svd(basis, compute_uv=False)[-1])
    sight = min(_project(_decoy(measured, weight), basis)[1] for weight in DECOYS)
    weights = [float(share) * size / norm for share, norm in zip(shares, sizes, strict=True)]
    numbers = (*weights, residual, noise, sight)
    if residual > CLEAR * noise and residual > 1e-3 * sight:
        return Direction("neither", f"no weights fit: {residual:.1e} of the gradient is left", *numbers)
    if residual > CLEAR * noise:
        reason = f"{residual:.1e} of the gradient is left: more than its numbers' errors, less than another loss leaves"
        return _undecidable(reason, numbers)
    uncertain = 3 * max(noise, residual) / apart
    if sight < 2 * CLEAR * noise:
        return _undecidable("on these pairs all divergences look alike: teacher and student too near", numbers)
    if uncertain > ILL:
        return _undecidable(f"the weights are uncertain by {100 * uncertain:.0f} % of the gradient", numbers)
    verdict, reason = _named(float(shares[0]), float(shares[1]), uncertain)
    return Direction(verdict, reason, *numbers)


def _project(g: Array, basis: Array) -> tuple[Array, float]:
    shares = np.asarray(np.linalg.lstsq(basis, g, rcond=None)[0], np.float64)
    return shares, float(np.linalg.norm(g - basis @ shares))


def _decoy(measured: Sequence[Measured], weight: float) -> Array:
    """The unit gradient of the Jensen-Shannon loss on the same pairs, in closed form."""
    g = np.concatenate([_jsd_gradient(log_softmax(entry.z), entry.log_q, weight) for entry in measured])
    return np.asarray(g / max(float(np.linalg.norm(g)), 1e-300))


def _jsd_gradient(log_p: Array, log_q: Array, a: float) -> Array:
    """Only the student's term is left: d/dp of a KL(q || m) + (1 - a) KL(p || m) is (1 - a) log(p/m)."""
    log_m = np.logaddexp(log_p + np.log1p(-a), log_q + np.log(a))
    d = (1 - a) * (log_p - log_m)
    p = np.exp(log_p)
    return np.asarray(p * (d - np.sum(p * d)))


def _named(a: float, b: float, uncertain: float) -> tuple[str, str]:
    """Verdict and reason from the shares of the gradient that the two directions have."""
    bound = f"the other's share is at most {uncertain:.0e}"
    if abs(b) <= uncertain:
        return ("forward", f"p - q; {bound}") if a > 0 else ("sign-flipped", "minus the forward: descent raises it")
    if abs(a) <= uncertain:
        reason = f"p (log p/q - KL); {bound}"
        return ("reverse", reason) if b > 0 else ("sign-flipped", "minus the reverse: descent raises it")
    if a > 0 and b > 0:
        return "mixture", "both weights are above 0"
    if a < 0 and b < 0:
        return "sign-flipped", "minus a mixture: descent raises it"
    return "neither", "a difference of the two: the weights have opposite signs"
