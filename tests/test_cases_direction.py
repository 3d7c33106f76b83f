"""Whether kl_direction tells what a loss descends: never wrong, and where it is blind it says so."""

import json
import sys
import types
from collections import Counter

import numpy as np
import pytest

import cases
from cases.direction import kl_direction
from cases.gradients import random_pairs
from cases.losses import READY, forward, log_softmax, mixture, released, reverse, reverse_gradient
from cases.prefixes import FORMULAS, forward_sequences, hybrid, reverse_sequences, sequence_direction

every_loss = pytest.mark.parametrize("name", READY)


@every_loss
def test_every_ready_made_loss_is_named_rightly_on_the_default_pairs(name):
    found = cases.kl_direction(READY[name].loss)
    assert found.verdict == READY[name].truth
    assert found.reason


def drawn_pair(rng, i):
    """Teacher and student of 2 to 11 entries; every fourth pair is nearly equal, or equal up to a swap."""
    v = int(rng.integers(2, 12))
    z = rng.normal(0, rng.choice([0.5, 1, 2, 4]), v)
    near = z + rng.choice([0, 1e-6, 1e-3, 1e-2, 0.05, 0.2]) * rng.normal(size=v)
    swapped = z[[1, 0, *range(2, v)]]
    return z, log_softmax((near, rng.normal(0, 1.5, v), rng.normal(0, 3, v), swapped)[i % 4])


@pytest.mark.parametrize("seed", range(4))
def test_on_50_random_pairs_each_alone_no_ready_made_loss_is_named_wrongly(seed):
    rng = np.random.default_rng([seed, 2026])
    counts = Counter()
    for i in range(50):
        z, log_q = drawn_pair(rng, i)
        for name, (loss, truth) in READY.items():
            found = kl_direction(loss, pairs=[(z, log_q)])
            assert found.verdict in (truth, "undecidable"), (i, name, found)
            assert found.reason
            if i % 4 in (1, 2) and z.size > 3:
                counts[found.verdict == "undecidable"] += 1
    assert counts[False] > 20 * counts[True]  # well separated pairs of four entries or more are decided


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([([0.0, 1.0, 2.0], [0.5, 0.1, 0.4])], "too few numbers"),
        ([([0.0, 1.0], [0.5, 0.5])], "too few numbers"),
        ([(np.log([0.1, 0.2, 0.3, 0.4]), [0.1, 0.2, 0.3, 0.4])], "equal on these pairs"),
        ([([0.0, 1.0, 2.0, 3.0], [0.0, 0.2, 0.3, 0.5])], "not finite"),
    ],
    ids=["three entries", "two entries", "equal", "a zero of the teacher"],
)
def test_where_it_is_blind_it_says_why(pairs, says):
    with np.errstate(divide="ignore", invalid="ignore"):
        found = kl_direction(released(0.5), pairs=[(np.asarray(z), np.log(q)) for z, q in pairs])
    assert found.verdict == "undecidable"
    assert says in found.reason


def test_near_equality_every_divergence_looks_alike_and_it_says_so():
    z, u = np.random.default_rng(5).normal(size=(2, 8))
    for name, (loss, truth) in READY.items():
        found = kl_direction(loss, pairs=[(z, log_softmax(z + 1e-4 * u))])
        if truth != "sign-flipped" and name != "k1":
            assert found.verdict == "undecidable", (name, found)


def test_a_loss_that_is_not_repeatable_is_undecidable():
    rng = np.random.default_rng(0)
    found = kl_direction(lambda z, log_q: forward(z, log_q) + 0.1 * rng.normal())
    assert found.verdict == "undecidable"


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("weight", [0.1, 0.5, 0.95])
def test_the_weights_of_a_mixture_are_fitted_at_any_scale(scale, weight):
    found = kl_direction(lambda z, log_q: scale * mixture(weight)(z, log_q))
    assert found.verdict == "mixture"
    assert found.forward == pytest.approx(scale * weight, rel=1e-5)
    assert found.reverse == pytest.approx(scale * (1 - weight), rel=1e-5)


@pytest.mark.parametrize("loss", [forward, reverse, mixture(0.5)])
def test_a_loss_of_the_other_sign_is_sign_flipped(loss):
    assert kl_direction(lambda z, log_q: -loss(z, log_q)).verdict == "sign-flipped"


def test_a_difference_of_the_two_and_a_constant_are_neither():
    assert kl_direction(lambda z, log_q: forward(z, log_q) - reverse(z, log_q)).verdict == "neither"
    assert kl_direction(lambda _z, _log_q: 3.0).verdict == "neither"
    assert kl_direction(lambda z, _log_q: np.sum(z**2)).verdict == "neither"


def test_swapping_teacher_and_student_in_the_loss_swaps_the_verdict():
    assert kl_direction(released(0)).verdict == "forward"
    assert kl_direction(released(1)).verdict == "reverse"


def test_measured_gradients_will_do_and_their_accuracy_is_taken_at_its_word():
    rng = np.random.default_rng(3)
    noisy = [
        (z, log_q, reverse_gradient(log_softmax(z), log_q) * (1 + 1e-4 * rng.normal(size=7)))
        for z, log_q in random_pairs(6, 7, 1)
    ]
    assert kl_direction(noisy, accuracy=1e-4).verdict == "reverse"
    assert kl_direction(noisy, accuracy=1e-7).verdict in ("neither", "undecidable")
    coarse = kl_direction(noisy, accuracy=0.05)
    assert coarse.verdict == "undecidable"
    assert "look alike" in coarse.reason


def test_weights_that_the_stated_accuracy_leaves_open_are_not_rounded_to_a_direction():
    rng = np.random.default_rng(0)
    pairs = [(rng.normal(0, 4, 4), log_softmax(rng.normal(0, 4, 4))) for _ in range(6)]
    assert kl_direction(mixture(0.95), pairs=pairs).verdict == "mixture"
    found = kl_direction(mixture(0.95), pairs=pairs, accuracy=0.01)
    assert found.verdict == "undecidable"
    assert "the weights are uncertain by" in found.reason  # well separated pairs: it is the accuracy that is too low


class Tensor:
    """As much of a torch tensor as is asked of one: the tests need no torch."""

    def __init__(self, value, tracked=False):
        self.value, self.tracked, self.grad, self.ndim = np.asarray(value, float), tracked, None, np.ndim(value)

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.value


def torch_like(loss):
    """A loss on tensors; calling backward on its value sets the gradient of the logits."""

    def on_tensors(logits, log_q):
        assert logits.tracked
        assert not log_q.tracked
        said = Tensor(loss(logits.value, log_q.value))

        def backward():
            logits.grad = Tensor(reverse_gradient(log_softmax(logits.value), log_q.value))

        said.backward = backward
        return said

    return on_tensors


def test_a_torch_loss_is_differentiated_by_torch(monkeypatch):
    fake = types.SimpleNamespace(float64=float, tensor=lambda x, requires_grad=False, **_: Tensor(x, requires_grad))
    monkeypatch.setitem(sys.modules, "torch", fake)
    assert kl_direction(torch_like(reverse), framework="torch").verdict == "reverse"


def test_measured_gradients_may_be_tensors():
    triples = [tuple(map(Tensor, (z, q, reverse_gradient(log_softmax(z), q)))) for z, q in random_pairs(3, 5, 0)]
    assert kl_direction(triples).verdict == "reverse"


def test_without_torch_its_framework_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match="framework must be numpy where torch is not installed"):
        kl_direction(forward, framework="torch")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"loss": forward, "framework": "jax"}, "framework must be one of numpy, torch; got 'jax'"),
        ({"loss": []}, "gradients must hold at least one"),
        ({"loss": [([1.0, 2.0], [0.0, 0.0], [1.0])]}, "must have one shape"),
        ({"loss": lambda z, _q: z[:2]}, "must have one shape"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_line(arguments, says):
    with pytest.raises(ValueError, match=says) as refused:
        kl_direction(arguments.pop("loss"), **arguments)
    assert "\n" not in str(refused.value)


def test_a_direction_is_plain_data():
    document = kl_direction(forward).to_dict()
    assert json.loads(json.dumps(document)) == document


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("scale", [0.5, -1.0])
def test_the_three_sequence_objectives_are_told_apart(name, scale):
    found = sequence_direction(lambda *chain: scale * FORMULAS[name](*chain))
    assert found.verdict == (name if scale > 0 else "sign-flipped")
    assert found.scale == pytest.approx(scale)


def test_per_token_reverse_on_student_prefixes_is_reverse_over_sequences():
    def by_tokens(p1, p2, q1, q2):
        tokens = sum(w * np.sum(p * np.log(p / q)) for w, p, q in zip(p1, p2, q2, strict=True))
        return np.sum(p1 * np.log(p1 / q1)) + tokens

    assert sequence_direction(by_tokens).verdict == "reverse"


def test_other_objectives_are_neither_and_infinite_ones_undecidable():
    assert sequence_direction(lambda *c: hybrid(*c) + forward_sequences(*c)).verdict == "neither"
    assert sequence_direction(lambda *c: reverse_sequences(*c) + 0.001).verdict == "neither"
    assert sequence_direction(lambda *_c: 0.0).verdict == "neither"
    assert sequence_direction(lambda *_c: np.inf).verdict == "undecidable"
    with pytest.raises(ValueError, match="must be at least 3"):
        sequence_direction(hybrid, chains=2)
