"""Ready-made distillation losses of one position, as code in the field writes them, with what each of them is.

A loss takes the student's logits z and the teacher's log-probabilities, both of shape (V,), and returns its value in
nats or its gradient in z, of shape (V,). Forward is KL(teacher || student), reverse KL(student || teacher).

The estimators k1, k2, k3 (Schulman 2020) are means over y ~ student of r, r^2/2 and e^-r - 1 + r with
r = log p(y)/q(y), differentiated as code without a score term does: not through the sampling. Their gradients are
given, for no difference of values shows them: that of k1 is 0, of k2 the reverse one, of k3 the forward one.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Loss = Callable[[Array, Array], Any]


class Ready(NamedTuple):
    """A loss and the verdict that `kl_direction` has to give on it."""

    loss: Loss
    truth: str


def log_softmax(z: Array) -> Array:
    """Log-probabilities of logits, shape (V,)."""
    shifted = z - np.max(z)
    return np.asarray(shifted - np.log(np.sum(np.exp(shifted))))


def kl_div(log_input: Array, log_target: Array) -> Any:
    """KL(target || input), in the argument order of PyTorch's kl_div(input, target, log_target=True), summed."""
    return np.sum(np.exp(log_target) * (log_target - log_input))


def cross_entropy(z: Array, log_q: Array) -> Any:
    """- sum q log p: the forward KL up to the teacher's entropy, so of the forward gradient."""
    return -np.sum(np.exp(log_q) * log_softmax(z))


def forward(z: Array, log_q: Array) -> Any:
    """KL(teacher || student)."""
    return kl_div(log_softmax(z), log_q)


def reverse(z: Array, log_q: Array) -> Any:
    """KL(student || teacher)."""
    return kl_div(log_q, log_softmax(z))


def released(alpha: float) -> Loss:
    """The loss of the code released with arXiv 2601.19897: forward at alpha 0, reverse at 1, between them
    alpha KL(T || m) + (1 - alpha) KL(S || m) with m = (1 - alpha) S + alpha T."""  # fmt: skip

    def loss(z: Array, log_q: Array) -> Any:
        if alpha in (0, 1):
            return forward(z, log_q) if alpha == 0 else reverse(z, log_q)
        log_p = log_softmax(z)
        log_m = np.logaddexp(log_p + np.log1p(-alpha), log_q + np.log(alpha))
        return alpha * kl_div(log_m, log_q) + (1 - alpha) * kl_div(log_m, log_p)

    return loss


def mixture(weight: float) -> Loss:
    """``weight`` of the forward and 1 - ``weight`` of the reverse KL."""
    return lambda z, log_q: weight * forward(z, log_q) + (1 - weight) * reverse(z, log_q)


def forward_gradient(log_p: Array, log_q: Array) -> Array:
    """p - q."""
    return np.asarray(np.exp(log_p) - np.exp(log_q))


def reverse_gradient(log_p: Array, log_q: Array) -> Array:
    """p (log p/q - KL(p || q))."""
    p, r = np.exp(log_p), log_p - log_q
    return np.asarray(p * (r - np.sum(p * r)))


def sampled(slope: Callable[[Array], Array]) -> Loss:
    """Gradient of E over y ~ student of k(r(y)) with the sampling held fixed; ``slope`` is k' as a function of r."""

    def gradient(z: Array, log_q: Array) -> Array:
        log_p = log_softmax(z)
        p = np.exp(log_p)
        weight = p * slope(log_p - log_q)
        return np.asarray(weight - p * np.sum(weight))  # d log p(y) / dz_j = [y = j] - p_j

    return gradient


def sign_flipped(z: Array, log_q: Array) -> Array:
    """Gradient of minus (detached log-ratio times log-probability), which one public code descends."""
    return np.asarray(-sampled(lambda r: r)(z, log_q))


READY: dict[str, Ready] = {
    "cross-entropy": Ready(cross_entropy, "forward"),
    "forward": Ready(forward, "forward"),
    "reverse": Ready(reverse, "reverse"),
    "jsd 0.05": Ready(released(0.05), "neither"),
    "jsd 0.5": Ready(released(0.5), "neither"),
    "jsd 0.9": Ready(released(0.9), "neither"),
    "released alpha 0": Ready(released(0), "forward"),
    "released alpha 1": Ready(released(1), "reverse"),
    "k1": Ready(sampled(np.ones_like), "neither"),
    "k2": Ready(sampled(lambda r: r), "reverse"),
    "k3": Ready(sampled(lambda r: 1 - np.exp(-r)), "forward"),
    "mixture 0.3": Ready(mixture(0.3), "mixture"),
    "sign-flipped": Ready(sign_flipped, "sign-flipped"),
}
