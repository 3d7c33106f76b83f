"""For every case something of the claim is altered, and the verdict has to follow."""

from fractions import Fraction

import pytest

import cases
from cases import (
    achlioptas2000_marker,
    alcalde2025_frank_wolfe,
    alcalde2025_softmax_origin,
    chen2026_released_code,
    chen2026_rpb_om,
    icml2026_threefold_perplexity,
    icml2026_units_slip,
    icml2026_verdicts,
    kayyam2026_padding,
    onlinemin2015_optimal,
    shenfeld2026_kl_direction,
    sleator1985_lru,
    yao_uniform,
)
from cases.icml2026_verdicts import CLASSES
from exact import harmonic

CLAIM, CONTROL = "claim", "control"  # which of the two is altered
Q = {"quick": True}


def achlioptas(less):
    return achlioptas2000_marker.judge(lambda k: 2 * harmonic(k) - 1 - less, **Q)


def onlinemin(less):
    return onlinemin2015_optimal.judge(lambda k: harmonic(k) - less, **Q)


def lru(less):
    return sleator1985_lru.judge(lambda k: Fraction(k) - less)


def frank_wolfe(starts):
    return alcalde2025_frank_wolfe.judge(starts, **Q)


def perplexity(share):
    return icml2026_threefold_perplexity.judge("perplexity", share=share)


def toys_one_more():
    return icml2026_verdicts.judge(2176, classes={**CLASSES, "toy": 503})


def units(claimed, **timing):
    return icml2026_units_slip.judge(Fraction(claimed), **timing)


MUTANTS = {
    "achlioptas2000_marker": [
        (CLAIM, "a factor one less", lambda: achlioptas(1), "falsified"),
        (CLAIM, "a factor 1/25 less", lambda: achlioptas(Fraction(1, 25)), "falsified"),
    ],
    "alcalde2025_frank_wolfe": [
        (CLAIM, "hulls that keep the origin", lambda: frank_wolfe(alcalde2025_frank_wolfe.REPAIRED), "verified"),
        (CONTROL, "ties to the first", lambda: frank_wolfe([{"tokens": ((2,), (-1,)), "tie": "low"}]), "falsified"),
    ],
    "alcalde2025_softmax_origin": [
        (CLAIM, "symmetric tokens", lambda: alcalde2025_softmax_origin.judge((3, -3), **Q), "verified"),
        (CONTROL, "one token further out", lambda: alcalde2025_softmax_origin.judge((3, -1), **Q), "falsified"),
        (CLAIM, "a metastable start", lambda: alcalde2025_softmax_origin.judge((2, -1), beta="4", **Q), "inconclusive"),
    ],
    "chen2026_released_code": [
        (CLAIM, "the published rule", lambda: chen2026_released_code.judge("on-fault", **Q), "verified"),
    ],
    "chen2026_rpb_om": [
        (CLAIM, "OnlineMin in its place", lambda: chen2026_rpb_om.judge(policy="onlinemin", **Q), "toy"),
        (CLAIM, "the released rule", lambda: chen2026_rpb_om.judge(budget="on-request", **Q), "inconclusive"),
    ],
    "icml2026_threefold_perplexity": [
        (CLAIM, "40 % padding", lambda: perplexity("0.40"), "verified"),
        (CLAIM, "43 % padding", lambda: perplexity("0.43"), "inconclusive"),
        (CONTROL, "80 % padding", lambda: icml2026_threefold_perplexity.judge("loss", share="0.80"), "falsified"),
    ],
    "icml2026_units_slip": [
        (CLAIM, "a method timed by the trajectory", lambda: units(2, unit="trajectory"), "verified"),
        (CLAIM, "batches of one", lambda: units(2, batch=1), "verified"),
        (CONTROL, "batches of 49", lambda: units("1/25", batch=49), "falsified"),
        (CONTROL, "3 seconds", lambda: units("1/25", apparent=Fraction(3)), "falsified"),
    ],
    "icml2026_verdicts": [
        (CLAIM, "2,176 papers", lambda: icml2026_verdicts.judge(2176), "verified"),
        (CLAIM, "35 %", lambda: icml2026_verdicts.judge(2226, share=35), "verified"),
        (CONTROL, "a total one more", lambda: icml2026_verdicts.judge(2176, total=2177), "falsified"),
        (CONTROL, "one toy more", toys_one_more, "falsified"),
    ],
    "kayyam2026_padding": [
        (CLAIM, "no padding", lambda: kayyam2026_padding.judge(Fraction(0)), "verified"),
        (CLAIM, "1.06 % before correction", lambda: kayyam2026_padding.judge("0.66", variant="5.164"), "verified"),
        (CONTROL, "5 % padding", lambda: kayyam2026_padding.judge("0.05"), "inconclusive"),
    ],
    "onlinemin2015_optimal": [
        (CLAIM, "a factor 1/100 less", lambda: onlinemin(Fraction(1, 100)), "falsified"),
        (CONTROL, "nothing less", lambda: onlinemin(0), "toy"),
    ],
    "shenfeld2026_kl_direction": [
        (CLAIM, "alpha = 1", lambda: shenfeld2026_kl_direction.judge(Fraction(1)), "verified"),
        (CONTROL, "alpha = 1/2", lambda: shenfeld2026_kl_direction.judge(Fraction(1, 2)), "falsified"),
    ],
    "sleator1985_lru": [
        (CLAIM, "a factor 1/100 less", lambda: lru(Fraction(1, 100)), "falsified"),
        (CLAIM, "a factor one more", lambda: lru(-1), "inconclusive"),
    ],
    "yao_uniform": [
        (CLAIM, "a ratio 0.3 more", lambda: yao_uniform.judge(1, quick=True, shift=0.3), "falsified"),
        (CLAIM, "three pages more", lambda: yao_uniform.judge(4, quick=True), "falsified"),
    ],
}


def test_every_case_has_a_mutant():
    assert set(cases.names()) == MUTANTS.keys()


@pytest.mark.parametrize(
    ("name", "altered", "mutant", "expected"),
    [
        pytest.param(name, altered, mutant, expected, id=f"{name}: {said}")
        for name, mutants in MUTANTS.items()
        for altered, said, mutant, expected in mutants
    ],
)
def test_an_altered_claim_gets_another_verdict(name, altered, mutant, expected):
    case = cases.find(name)
    assert expected != (case.expected if altered == CLAIM else case.expected_control)
    assert mutant().verdict == expected
