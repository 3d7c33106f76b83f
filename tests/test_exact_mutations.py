"""Certificates altered in every way that came to mind: none that states something false is accepted."""

import json
import random
import time
from contextlib import suppress
from fractions import Fraction

import pytest
from alterations import IN_PLACE, WRONG, broken_text, places, put
from certificate_truth import VALID, is_true

from exact import certificates, verify


@pytest.mark.parametrize("certificate", VALID, ids=lambda c: f"{c['kind']} {c['statement'][-24:]}")
def test_the_certificates_to_be_altered_are_accepted_as_they_are(certificate):
    assert verify.check_text(json.dumps(certificate))
    assert is_true(certificate)


def outcome(text):
    """None if accepted, else why not: one clear line."""
    begun = time.perf_counter()
    try:
        verify.check_text(text)
        message = None
    except (verify.Rejected, verify.Unreadable) as error:
        message = str(error)
        assert message.isascii()
        assert message.isprintable()
        assert 10 < len(message) < 600, message
    assert time.perf_counter() - begun < 60
    return message


# a second change may find no place after the first
NO_PLACE = (ValueError, KeyError, IndexError, TypeError, AttributeError, ZeroDivisionError)


def alter(seed, count):
    """Alter certificates `count` times; the numbers of accepted and of rejected ones."""
    rng, accepted, rejected = random.Random(seed), 0, 0
    originals = [json.dumps(certificate) for certificate in VALID]
    for _ in range(count):
        text = rng.choice(originals)
        if rng.random() < 0.1:
            text = broken_text(rng, text)
        else:
            certificate = json.loads(text)
            for change in rng.choices(IN_PLACE, k=rng.choice([1, 1, 1, 2])):
                with suppress(*NO_PLACE):
                    change(rng, certificate)
            text = json.dumps(certificate)
        if outcome(text) is None:
            accepted += 1
            assert text in originals or is_true(json.loads(text)), text
        else:
            rejected += 1
    return accepted, rejected


def test_a_thousand_altered_certificates_are_accepted_only_where_they_are_still_true():
    accepted, rejected = alter(1, 1000)
    assert rejected > 800
    assert accepted > 10  # tokens swapped with their weights, a larger K: still true


@pytest.mark.slow
def test_ten_thousand_altered_certificates_are_accepted_only_where_they_are_still_true():
    accepted, rejected = alter(2, 10_000)
    assert accepted + rejected == 10_000
    assert rejected > 8000


def test_a_conclusion_moved_by_one_is_rejected_for_every_certificate():
    for certificate in VALID:
        for by in (-1, 1):
            copy = json.loads(json.dumps(certificate))
            if "k1" in copy:
                copy["k1"], copy["label"] = str(int(copy["k1"]) + by), str(int(copy["label"]) + by)
            elif "value" in copy:
                value = str(Fraction(copy["value"]) + by)
                copy["statement"] = copy["statement"].replace(f"= {copy['value']}", f"= {value}")
                copy["value"] = value
            elif "cost" in copy:
                copy["cost"] = str(Fraction(copy["cost"]) + by)
            else:
                continue
            assert "is false" in outcome(json.dumps(copy))


@pytest.mark.parametrize("value", WRONG)
def test_a_value_of_another_type_is_rejected_wherever_it_stands(value):
    for certificate in VALID:
        for path in list(places(certificate)):
            copy = json.loads(json.dumps(certificate))
            put(copy, path, value)
            try:
                verify.check(copy)
            except verify.Rejected:
                continue
            assert copy == certificate or (path[0] == "b" and value == ["4"])  # another scale, as true as before
            assert is_true(copy)


def test_the_largest_instances_allowed_end_within_the_bound():
    rng = random.Random(5)
    for digits, n, d in ((1, 64, 16), (200, 64, 16), (60, 8, 16), (200, 2, 1)):
        xs = [[rng.randrange(-(10**digits), 10**digits) for _ in range(d)] for _ in range(n // 2)]
        tokens = [*xs, *[[-c + rng.randrange(2) for c in x] for x in xs]]
        tokens[-1] = [a - b for a, b in zip(tokens[-1], map(sum, zip(*tokens, strict=True)), strict=True)]
        certificate = certificates.first_violation([[4], [-1]], k1=10**90)
        b = [[str((i == j) * 3 + 1) for j in range(d)] for i in range(d)]
        weights = [str(Fraction(1, n))] * n
        changed = {"tokens": [[str(c) for c in x] for x in tokens], "b": b, "weights": weights}
        assert outcome(json.dumps({**certificate, **changed})) is not None
