"""Cases are found by their file names: an underscore makes a case (`yao_uniform.py`), helpers have none.

>>> "icml2026_verdicts" in names(), "discovery" in names()
(True, False)
"""

import importlib
import importlib.util
import re
from pathlib import Path
from types import ModuleType

from cases.claim import Case

_CASE = re.compile(r"[a-z]+(\d{4})?_[a-z0-9_]+")


def names() -> list[str]:
    """Names of the cases in this package, sorted; nothing is imported for it."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if _CASE.fullmatch(path.stem))


def find(name: str | Path) -> Case:
    """The case called ``name``, or that of a file given by its path (``./mine.py``).

    Raises ValueError when there is none, with the list of those there are, or when the file has no ``CASE``.
    """
    text = str(name)
    if text in names():
        return _case(importlib.import_module(f"cases.{text}"), text)
    if text.endswith(".py") or "/" in text or "\\" in text:
        return _case(_load(Path(text)), text)
    raise ValueError(f"case must be one of {', '.join(names())}, or a path to a file of yours; got {text!r}")


def _load(path: Path) -> ModuleType:
    if not path.is_file():
        raise ValueError(f"case must be a Python file that exists; got {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"case must be a Python file; got {path}")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever a user's file raises: the file is the input
        said = " ".join(str(error).split())
        raise ValueError(f"case {path} must be a file that imports; got {type(error).__name__}: {said}") from error
    return module


def _case(module: ModuleType, name: str) -> Case:
    case = getattr(module, "CASE", None)
    if not isinstance(case, Case):
        raise ValueError(f"case {name} must define CASE = Case(...); got {type(case).__name__}")
    return case
