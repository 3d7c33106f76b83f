"""Laws by name and by formula: what is read, what is refused, and that nothing is ever executed."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fits
from fits.dictionary import LAWS, MODELS, TIER_SIZES, TRANSIENTS
from fits.formulas import law
from fits.laws import check_laws, offered

K = 2.0 ** np.arange(2, 11)


@pytest.mark.parametrize(
    ("formula", "name"),
    [
        ("log(k)**2", "ln^2"),
        ("ln(k)", "ln"),
        ("sqrt(k)", "k^0.5"),
        ("k**0.1", "k^0.1"),
        ("k*log(k)", "k.ln"),
        ("log(log(k))", "lnln"),
        ("log(k)*log(log(k))", "ln.lnln"),
        ("k**(1/4)", "k^0.25"),
        ("-(-k)", "k"),
    ],
)
def test_a_formula_has_the_values_of_the_law_it_spells(formula, name):
    assert law(formula)(K) == pytest.approx(LAWS[name](K), rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "k +",
        "log(k",
        "__import__('os').system('echo')",
        "k.real",
        "k[0]",
        "lambda: k",
        "x + 1",
        "exp(k)",
        "k if k else 1",
        "9**9**9*k",
        "k**k",
        "k**21",
        "k % 2",
        "1e999*k",
        "True*k",
        "'k'",
        "3",
        "k - k",
        "1/(k - k)",
        "log(0)*k",
        "(0-2)**0.5*k",
        "k" + "+k" * 200,
        "(" * 90 + "k" + ")" * 90 + "+" * 30 + "k",
        "log(k, 2)",
        "log(k, base=2)",
        "2(k)",
        "\0",
    ],
)
def test_what_is_no_formula_in_k_is_refused_with_one_line(text):
    with pytest.raises(ValueError, match="law") as caught:
        law(text)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet="k0123456789.+-*/() logqrtn,_e[]'", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_a_law_or_a_value_error(text):
    with contextlib.suppress(ValueError):
        law(text)(K)


def test_a_law_that_is_not_finite_on_the_data_is_refused():
    with pytest.raises(ValueError, match="must be finite on the data"):
        law("log(k - 4)")(K)


@pytest.mark.parametrize("formula", ["1/k", "0-k", "0-1/k", "(k-50)**2"])
def test_a_rival_that_does_not_grow_or_is_a_bounded_transient_is_refused(formula):
    data = fits.Series(K, 1 + 0 * K, [0.1] * 9, reps=20)
    with pytest.raises(ValueError, match=r"must grow over|collinear"):
        fits.decide(data, fits.Bounded(formula, c_star=0.1))


def test_a_bounded_transient_offered_as_a_law_is_called_collinear_by_name():
    with pytest.raises(ValueError, match=r"collinear with the bounded model k\^-1/2"):
        check_laws([law("5 - k**(-0.5)")], K)


def test_a_rival_by_formula_decides_like_the_rival_by_name():
    data = fits.Series(K, 1 + 0.3 * np.log(K), [0.02] * 9, reps=200)
    named = fits.decide(data, fits.Bounded("ln", c_star=0.18))
    spelt = fits.decide(data, fits.Bounded("log(k)", c_star=0.18))
    assert spelt.verdict == named.verdict == "falsified"
    assert spelt.sigma == pytest.approx(named.sigma, rel=1e-9)
    assert spelt.c["T2"] == pytest.approx(named.c["T2"], rel=1e-9)


def test_a_users_law_joins_the_law_set_once():
    names = [one.name for one in offered(["k**0.3", "ln"])]
    assert names.count("ln") == 1
    assert "k**0.3" in names
    v = fits.decide(fits.Series(K, 0.1 * K**0.3, [0.001] * 9, reps=200), fits.Bounded("ln", 0.01), laws=["k**0.3"])
    assert {row["law"]: row["kept"] for row in v.laws}["k**0.3"]


def test_the_tiers_are_none_one_and_up_to_two_transients():
    assert MODELS[0] == ()
    assert {m[0] for m in MODELS[1 : TIER_SIZES[1]]} == set(TRANSIENTS)
    assert all(len(m) == 2 for m in MODELS[TIER_SIZES[1] :])
    assert TIER_SIZES == (1, 8, 14)


def test_every_transient_of_the_dictionary_stays_bounded_and_every_law_but_1_grows():
    far = np.array([1e3, 1e6, 1e12])
    for phi in TRANSIENTS.values():
        assert (np.diff(phi(far)) < 0).all()
    for name, g in LAWS.items():
        assert (np.diff(g(far)) > 0).all() or name == "1"
