"""Gradients of a loss in the student's logits: given, by differences of values, or by torch."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from cases.losses import Array, Loss

FRAMEWORKS = ("numpy", "torch")
_STEP = 2e-3
_STENCIL = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))  # fourth order


class Measured(NamedTuple):
    """One pair: logits, the teacher's log-probabilities, the loss's gradient and the error of its numbers."""

    z: Array
    log_q: Array
    gradient: Array
    error: float


def random_pairs(count: int, vocabulary: int, seed: int) -> list[tuple[Array, Array]]:
    """Well separated pairs of logits and teacher log-probabilities: standard normal logits, scaled by 1.5."""
    from cases.losses import log_softmax

    rng = np.random.default_rng(seed)
    return [(rng.normal(0, 1.5, vocabulary), log_softmax(rng.normal(0, 1.5, vocabulary))) for _ in range(count)]


def array(value: Any) -> Array:
    """A float64 array of a NumPy array, a list, or a torch tensor on any device."""
    return np.asarray(value.detach().cpu().numpy() if hasattr(value, "detach") else value, np.float64)


def given(triples: Iterable[Sequence[Any]]) -> list[Measured]:
    """Gradients that the user has measured: (logits, log-probabilities, gradient), each of shape (V,)."""
    measured = [Measured(array(z), array(log_q), array(gradient), 0.0) for z, log_q, gradient in triples]
    if not measured:
        raise ValueError("gradients must hold at least one (logits, log_q, gradient); got none")
    for z, log_q, gradient, _ in measured:
        _check_shapes(z, log_q, gradient)
    return measured


def of_loss(loss: Loss, pairs: Iterable[Sequence[Any]], framework: str) -> list[Measured]:
    """The gradients of ``loss`` on the pairs. ValueError where shapes don't fit."""
    if framework not in FRAMEWORKS:
        raise ValueError(f"framework must be one of {', '.join(FRAMEWORKS)}; got {framework!r}")
    measure = _by_torch if framework == "torch" else _by_numpy
    return [measure(loss, array(z), array(log_q)) for z, log_q in pairs]


def _check_shapes(z: Array, log_q: Array, gradient: Array) -> None:
    if z.ndim != 1 or z.size < 2 or not z.shape == log_q.shape == gradient.shape:
        shapes = f"{z.shape}, {log_q.shape}, {gradient.shape}"
        raise ValueError(f"logits, log_q and gradient must have one shape (V,), V at least 2; got {shapes}")


def _by_numpy(loss: Loss, z: Array, log_q: Array) -> Measured:
    said = np.asarray(loss(z.copy(), log_q.copy()), np.float64)
    _check_shapes(z, log_q, said if said.ndim else z)
    if said.ndim:
        again = np.asarray(loss(z.copy(), log_q.copy()), np.float64)
        return Measured(z, log_q, said, float(np.max(np.abs(said - again))))
    fine, coarse = (_difference(loss, z, log_q, step) for step in (_STEP, 2 * _STEP))
    rounding = 16 * np.finfo(float).eps * abs(float(said)) / _STEP
    return Measured(z, log_q, fine, float(np.max(np.abs(fine - coarse))) / 4 + rounding)


def _difference(loss: Loss, z: Array, log_q: Array, step: float) -> Array:
    units = np.eye(z.size) * step
    rows = [sum(w * float(loss(z + at * unit, log_q)) for at, w in _STENCIL) for unit in units]
    return np.asarray(rows) / step


def _by_torch(loss: Loss, z: Array, log_q: Array) -> Measured:
    try:
        torch: Any = import_module("torch")
    except ImportError:
        raise ValueError("framework must be numpy where torch is not installed; got 'torch'") from None
    logits = torch.tensor(z, dtype=torch.float64, requires_grad=True)
    said = loss(logits, torch.tensor(log_q, dtype=torch.float64))
    if said.ndim:
        gradient = array(said)
    else:
        said.backward()
        gradient = np.zeros_like(z) if logits.grad is None else array(logits.grad)
    _check_shapes(z, log_q, gradient)
    return Measured(z, log_q, gradient, 0.0)
