"""Ways to alter a certificate: functions that change it in place, and one that breaks its text."""

from fractions import Fraction

from certificate_truth import TRUTH

import exact
from exact import verify

WRONG = [True, False, None, 0, 1, 225, -1, 2.5, [], {}, "", [[]], {"p": "1"}, ["4"], 10**400]
STRANGE = ["1e3000000", "9" * 5000, "-" + "9" * 300, "1/" + "7" * 4000, "NaN", "inf", "-0", "+3", " 3", "03", "3/1"]
STRANGE += ["2/4", "1_000", "٣", "0x10", "1.0", "1e2", "\ud800", "\x00", "3\n", "/", "1/0", "--1", "-1/-2"]


def leaves(value, path=()):
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, str):
        yield path
    for key, part in inside:
        yield from leaves(part, (*path, key))


def places(value, path=()):
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from places(part, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def put(value, path, new):
    at(value, path[:-1])[path[-1]] = new


def numeric(rng, certificate):
    names = ("kind", "claim", "statement")
    return rng.choice([p for p in leaves(certificate) if p[0] not in names and at(certificate, p)[-1:].isdigit()])


def a_digit(rng, certificate):
    path = numeric(rng, certificate)
    text = at(certificate, path)
    i = rng.choice([i for i, character in enumerate(text) if character.isdigit()])
    put(certificate, path, text[:i] + rng.choice("0123456789") + text[i + 1 :])


def a_sign(rng, certificate):
    path = numeric(rng, certificate)
    text = at(certificate, path)
    put(certificate, path, text[1:] if text.startswith("-") else "-" + text)


def a_step(rng, certificate):
    """A number moved by one, or its fraction turned over."""
    path = numeric(rng, certificate)
    number = Fraction(at(certificate, path))
    moved = [number + 1, number - 1, number * 2, number / 2, 1 / number if number else number]
    put(certificate, path, str(rng.choice(moved)))


def a_swap(rng, certificate):
    lists = [p for p in places(certificate) if isinstance(at(certificate, p), list) and len(at(certificate, p)) > 1]
    if not lists:
        return a_step(rng, certificate)
    chosen = at(certificate, rng.choice(lists))
    i, j = rng.sample(range(len(chosen)), 2)
    chosen[i], chosen[j] = chosen[j], chosen[i]
    return None


def tokens_with_their_weights(rng, certificate):
    if "tokens" not in certificate:
        return a_swap(rng, certificate)
    i, j = rng.sample(range(len(certificate["tokens"])), 2)
    for name in ("tokens", "weights"):
        values = certificate[name]
        values[i], values[j] = values[j], values[i]
    return None


def everything_consistent(rng, certificate):
    """A conclusion moved, with every copy of it edited."""
    by = rng.choice([-2, -1, 1, 2, 10**6])
    if "k1" in certificate:
        certificate["k1"], certificate["label"] = str(int(certificate["k1"]) + by), str(int(certificate["label"]) + by)
    elif "value" in certificate:
        new = str(Fraction(certificate["value"]) + Fraction(by, 720))
        certificate["statement"] = certificate["statement"].replace(f"= {certificate['value']}", f"= {new}")
        certificate["value"] = new
    elif "cost" in certificate:
        field = rng.choice(["c", "cost", "offline_cost"])
        new = str(Fraction(certificate[field]) + by)
        if field == "c":
            certificate["statement"] = certificate["statement"].replace(
                f"most {certificate['c']} OPT", f"most {new} OPT"
            )
        certificate[field] = new
    elif "from_k" in certificate:
        certificate["from_k"] = str(int(certificate["from_k"]) + by)
    else:
        certificate["reason"]["state"] = str(max(0, int(certificate["reason"]["state"]) + by))


def scaled_tokens(rng, certificate):
    """A token moved, and weights made right again: another instance, whose conclusion is most likely false."""
    if "tokens" not in certificate:
        return a_digit(rng, certificate)
    token = rng.choice(certificate["tokens"])
    c = rng.randrange(len(token))
    token[c] = str(Fraction(token[c]) + Fraction(rng.choice([-1, 1]), rng.choice([1, 2, 10, 10**9])))
    weights = exact.hull([tuple(map(Fraction, x)) for x in certificate["tokens"]]).weights
    certificate["weights"] = [str(w) for w in weights or (Fraction(1),)]
    return None


WORDS = {
    "tie": verify.TIES,
    "index": verify.INDEXINGS,
    "budget": verify.BUDGETS,
    "quantity": tuple(verify.QUANTITIES),
    "kind": tuple(TRUTH),
    "claim": ("chen2026_rpb_om", "alcalde2025_frank_wolfe", "other2027"),
    "name": (*verify.REASONS, *verify.BOUND_CLAIMS),
}


def a_conclusion(rng, certificate):
    path = rng.choice([p for p in leaves(certificate) if p[-1] in WORDS])
    put(certificate, path, rng.choice(WORDS[path[-1]]))


def another_index(_rng, certificate):
    if "index" in certificate:
        certificate["index"] = "state" if certificate["index"] == "update" else "update"
        certificate["label"] = str(int(certificate["k1"]) - (certificate["index"] == "update"))


def a_statement(rng, certificate):
    text = certificate["statement"]
    i = rng.randrange(len(text))
    certificate["statement"] = text[:i] + rng.choice(["", "0", "<", "not ", "\n"]) + text[i + 1 :]


def a_dropped_part(rng, certificate):
    path = rng.choice(list(places(certificate)))
    del at(certificate, path[:-1])[path[-1]]


def an_added_part(rng, certificate):
    path = rng.choice([(), *[p for p in places(certificate) if isinstance(at(certificate, p), dict | list)]])
    parent = at(certificate, path)
    if isinstance(parent, dict):
        parent[rng.choice(["verdict", "hash", "k2", "", "KIND", "\udfff"])] = rng.choice(["accepted", "1", True])
    else:
        parent.insert(rng.randrange(len(parent) + 1), rng.choice(["1", "0", ["1"], *parent]))


def a_type(rng, certificate):
    put(certificate, rng.choice(list(places(certificate))), rng.choice(WRONG))


def a_strange_number(rng, certificate):
    put(certificate, rng.choice(list(leaves(certificate))), rng.choice(STRANGE))


def a_size(rng, certificate):
    lists = [p for p in places(certificate) if isinstance(at(certificate, p), list)]
    if not lists:
        return a_strange_number(rng, certificate)
    path = rng.choice(lists)
    put(certificate, path, at(certificate, path) * rng.choice([2, 70, 3000]))
    return None


def a_late_question(rng, certificate):
    """Conclusions at absurd distances."""
    for name in ("k1", "label", "from_k", "state", "k", "tau"):
        if name in certificate and rng.random() < 0.7:
            certificate[name] = rng.choice(["20000", "19999", "1" + "0" * 60, "9" * 99, "2048"])
    if "k1" in certificate:
        certificate["label"] = str(int(certificate["k1"]) - (certificate["index"] == "update"))


IN_PLACE = [a_digit, a_sign, a_step, a_swap, tokens_with_their_weights, everything_consistent, scaled_tokens]
IN_PLACE += [a_conclusion, another_index, a_statement, a_dropped_part, an_added_part, a_type, a_strange_number]
IN_PLACE += [a_size, a_late_question]


def broken_text(rng, text):
    i = rng.randrange(len(text))
    leaf = text.rindex('"', 0, text.rindex('"'))
    return rng.choice(
        [
            text[:i],
            text[:i] + rng.choice('"{}[],:\\\x00é9') + text[i + 1 :],
            text[:leaf] + rng.choice(["NaN", "Infinity", "-Infinity", "1e3000000", "9" * 5000, "1"]) + "}",
            text[:-1] + f', "{rng.choice(["kind", "k1", "tokens", "statement"])}": "1"}}',
            text[:-1] + ", " + text[1:],
            "[" * 10**5 + text,
            '{"kind": ' * 3000 + text + "}" * 3000,
            '{"kind": ["' + '\\"' * 10**5,
            text + text,
            "\ufeff" + text,
            " " * 10**6 + text,
            text.replace('"', "'"),
            rng.choice(["", "null", "[]", "{}", "1", '"kind"', "[" + text + "]"]),
        ]
    )
