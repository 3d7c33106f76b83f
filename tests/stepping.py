"""Hardmax tokens stepped in Fractions, from the definition: what the checker of certificates is compared with."""

from fractions import Fraction


def product(b, x, y):
    return sum(x[i] * b[i][j] * y[j] for i in range(len(x)) for j in range(len(x)))


def leads(b, xs, i, tie):
    scores = [product(b, xs[i], y) for y in xs]
    tied = [j for j, score in enumerate(scores) if score == min(scores)]
    if tie == "avg":
        return tuple(sum((xs[j][c] for j in tied), Fraction(0)) / len(tied) for c in range(len(b)))
    return xs[i] if tie == "stay" and i in tied else xs[tied[0]]


def states(tokens, b, tie, last):
    """x^0, ..., x^last."""
    xs = [tuple(map(Fraction, x)) for x in tokens]
    for t in range(last + 1):
        yield xs
        led = [leads(b, xs, i, tie) for i in range(len(xs))]
        g = Fraction(2, t + 2)
        xs = [tuple(a + g * (c - a) for a, c in zip(x, y, strict=True)) for x, y in zip(xs, led, strict=True)]


def determinant(rows):
    if not rows:
        return 1
    minors = ([row[:j] + row[j + 1 :] for row in rows[1:]] for j in range(len(rows)))
    return sum((-1) ** j * rows[0][j] * determinant(minor) for j, minor in enumerate(minors))


def above_lambda_max(theta, b):
    """Sylvester: all leading minors of theta I - B are positive."""
    d = len(b)
    shifted = [[theta * (i == j) - b[i][j] for j in range(d)] for i in range(d)]
    return all(determinant([row[:m] for row in shifted[:m]]) > 0 for m in range(1, d + 1))


def diameter2(tokens):
    """The largest squared distance of two tokens."""
    return max(sum((p - q) ** 2 for p, q in zip(x, y, strict=True)) for x in tokens for y in tokens)


def first_violation(tokens, b, tie, last):
    """The least k, 1 <= k <= last, at which some token has J k > 2 L D^2; None if there is none."""
    square = diameter2(tokens)
    for k, xs in enumerate(states(tokens, b, tie, last)):
        energy = max(product(b, x, x) for x in xs)
        if square and k and above_lambda_max(Fraction(energy * k) / (4 * square), b):
            return k
    return None
