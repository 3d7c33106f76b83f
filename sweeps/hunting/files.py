"""A user's claim: a Python file, or any object, with ``gap(instance) -> Fraction`` and ``instances``, a strategy.

``fast_gap(instance)``, a float, is its scout if it is there, ``CLAIM`` the statement in words.
"""

import copy
import runpy
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sweeps.hunting.model import BadClaim, Certificate, Target


def target_at(path: str) -> Target:
    """The target in a file; BadClaim if it can't be run or lacks something."""
    if not Path(path).is_file():
        raise BadClaim(f"claim must be a name or the path of a Python file; there is no {path}")
    try:
        names = runpy.run_path(path, run_name=f"claim_{Path(path).stem}")
    except (Exception, SystemExit) as error:  # whatever a user's file raises: the file is the input
        said = " ".join(str(error).split())[:200]
        raise BadClaim(f"{path} must be a file that runs; got {type(error).__name__}: {said}") from error
    return target_of(SimpleNamespace(**names), name=Path(path).stem, path=str(Path(path).resolve()))


def target_of(claim: Any, *, name: str = "claim", path: str = "") -> Target:
    """The target made of an object's ``gap``, ``instances`` and ``fast_gap``."""
    from hypothesis.strategies import SearchStrategy

    gap, instances, fast = (getattr(claim, key, None) for key in ("gap", "instances", "fast_gap"))
    where = Path(path).name if path else "claim"
    if not callable(gap):
        raise BadClaim(f"{where} must define gap(instance), an exact number, positive where the claim is violated")
    if not isinstance(instances, SearchStrategy):
        raise BadClaim(f"{where} must define instances, a Hypothesis strategy; got {type(instances).__name__}")
    if fast is not None and not callable(fast):
        raise BadClaim(f"{where} must define fast_gap as a function, or not at all; got {type(fast).__name__}")
    statement = str(getattr(claim, "CLAIM", "gap(instance) <= 0 for every instance"))
    return Target(
        name=name,
        statement=statement,
        instances=lambda: instances,
        gap=on_a_copy(gap),
        fast_gap=None if fast is None else on_a_copy(fast),
        certify=lambda instance, value: certify(name, statement, instance, value),
        test=lambda instance, _certificate: source_of_test(path, claim, instance),
        shrinks_itself=False,
    )


def on_a_copy(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The claim's function with its argument copied: sorting it in place is its own business then.

    Otherwise the next call, Hypothesis and the report would see another instance than was drawn.
    """

    def called(instance: Any) -> Any:
        try:
            own = copy.deepcopy(instance)
        except Exception as error:  # whatever a class of the user's raises
            said = " ".join(str(error).split())[:120]
            raise BadClaim(
                f"instances must give what copy.deepcopy copies; got {type(error).__name__}: {said} "
                f"for {repr(instance)[:80]}"
            ) from error
        return function(own)

    return called


def certify(name: str, statement: str, instance: Any, value: Fraction) -> Certificate:
    """Instance and gap; `exact/verify.py` does not know this claim: its own file is what can be run again."""
    return {"kind": "gap", "claim": name, "statement": statement, "instance": repr(instance), "gap": str(value)}


def source_of_test(path: str, claim: Any, instance: Any) -> str:
    """A test that the instance fails, if its text can be read back by Python; otherwise none."""
    try:
        if not path or eval(repr(instance), dict(vars(claim))) != instance:
            return ""
    except Exception:  # a repr that isn't an expression
        return ""
    return (
        f'"""{Path(path).name} is violated."""\n\nimport runpy\nimport sys\n\n'
        f"sys.path.insert(0, {str(Path(path).parent)!r})  # its neighbours\n"
        f"CLAIM = runpy.run_path({path!r})\nINSTANCE = eval({repr(instance)!r}, CLAIM)\n\n\n"
        'def test_claim_holds():\n    assert CLAIM["gap"](INSTANCE) <= 0, INSTANCE\n'
    )
