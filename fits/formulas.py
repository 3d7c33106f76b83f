"""Laws given by name or as a formula in k.

A formula is parsed, never evaluated as code: Python's ``ast`` gives the tree, a list of allowed nodes turns
it into a sympy expression, and numbers are bounded so that ``9**9**9`` cannot fill the memory.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from fits.dictionary import ALIASES, LAWS, Array

MAX_LENGTH = 200
MAX_DEPTH = 30
MAX_EXPONENT = 20
_FUNCTIONS = {"log": "log", "ln": "log", "sqrt": "sqrt"}
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}


@dataclass(frozen=True)
class Law:
    """A growth law: its name as printed and its values."""

    name: str
    function: Callable[[Array], Array]

    def __call__(self, k: Array) -> Array:
        """Values at k, same shape; ValueError where the law is not finite."""
        with np.errstate(all="ignore"):
            values = np.asarray(self.function(k), dtype=float) * np.ones(k.shape)
        if not np.isfinite(values).all():
            raise ValueError(f"law={self.name!r} must be finite on the data; got {values[~np.isfinite(values)][0]}")
        return values


def law(text: str) -> Law:
    """Read a law: a name of the list, or a formula in the one variable k.

    >>> law("ln").name, float(law("log(k)**2")(np.array([np.e]))[0])
    ('ln', 1.0)
    """
    if not isinstance(text, str):
        raise TypeError(f"law={text!r} must be text; got {type(text).__name__}")
    name = ALIASES.get(text.strip(), text.strip())
    return Law(name, LAWS[name]) if name in LAWS else _formula(name)


@lru_cache(maxsize=256)
def _formula(text: str) -> Law:
    if len(text) > MAX_LENGTH:
        raise ValueError(f"law must have at most {MAX_LENGTH} characters; got {len(text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # "2(k)" is refused below
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"law={text!r} must be one of {', '.join(LAWS)} or a formula in k like log(k)**2") from None
    import sympy

    k = sympy.Symbol("k", positive=True)
    try:
        expression = sympy.sympify(_walk(tree, k, 0))
    except (ZeroDivisionError, OverflowError):
        raise ValueError(f"law={text!r} must have finite numbers") from None
    if expression.free_symbols != {k}:
        raise ValueError(f"law={text!r} must depend on k")
    return Law(text, sympy.lambdify(k, expression, "numpy", cse=False))


def _walk(node: ast.expr, k: Any, depth: int) -> Any:
    """Turn an allowed syntax tree into a sympy expression; numbers stay Python floats while constant."""
    if depth > MAX_DEPTH:
        raise ValueError(f"law must be nested at most {MAX_DEPTH} deep")
    match node:
        case ast.Name(id="k"):
            return k
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return _number(value)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_walk(inner, k, depth + 1)
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, _walk(left, k, depth + 1), _walk(right, k, depth + 1))
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _FUNCTIONS:
            return _apply(_FUNCTIONS[name], _walk(inner, k, depth + 1))
    raise ValueError(f"law must use only k, numbers, + - * / **, log, ln, sqrt; got {ast.unparse(node)[:40]!r}")


def _number(value: float) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"law must have finite numbers; got {value}")
    return number


def _binary(op: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(op, ast.Pow):
        return _power(left, right)
    if type(op) not in _OPERATORS:
        raise ValueError("law must use only the operators + - * / **")
    result = _OPERATORS[type(op)](left, right)
    return _number(result) if isinstance(result, float) else result


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(exponent, float) or abs(exponent) > MAX_EXPONENT:
        raise ValueError(f"law must have number exponents between -{MAX_EXPONENT} and {MAX_EXPONENT}")
    if isinstance(base, float):
        if base <= 0:
            raise ValueError(f"law must not raise the number {base:g} to a power: positive numbers only")
        return _number(base**exponent)
    return base**exponent


def _apply(name: str, inner: Any) -> Any:
    if isinstance(inner, float):
        if inner <= 0:
            raise ValueError(f"law must take {name} of positive numbers; got {inner:g}")
        return float(getattr(math, name)(inner))
    import sympy

    return getattr(sympy, name)(inner)
