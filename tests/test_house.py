"""The rules of the house: who may import whom, what start-up may load, what a wheel holds."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"sweeps", "exact", "fits", "cases"}
SOURCES = sorted(path for package in OURS for path in (ROOT / package).rglob("*.py"))


def imported(path):
    """Modules of ours that a file imports by an import statement, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in OURS)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OURS:
            yield node.module


def allowed(path):
    parts = path.relative_to(ROOT).parts
    if parts[0] in ("exact", "fits"):
        return {parts[0]}
    if parts[0] == "cases":
        return OURS
    if parts[1:2] == ("simulators",):
        return {"sweeps", "exact"}
    return {"sweeps", "exact", "fits"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_follow_the_rule(path):
    assert {name.split(".")[0] for name in imported(path)} <= allowed(path)


def test_no_simulator_imports_the_engine_or_the_command_line():
    for path in SOURCES:
        if "simulators" in path.parts:
            assert not any(
                name.startswith(("sweeps.engine", "sweeps.commands", "sweeps.runner")) for name in imported(path)
            )


def test_imports_among_modules_have_no_cycle():
    names = {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in SOURCES}
    edges = {name: {m for m in top_level(path) if m in names and m != name} for name, path in names.items()}
    while edges:
        free = [name for name, targets in edges.items() if not targets & edges.keys()]
        assert free, f"a cycle among {sorted(edges)}"
        for name in free:
            del edges[name]


def top_level(path):
    """What a module imports when it is itself imported."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


HELP = [
    ["sweeps", "--help"],
    ["sweeps", "paging", "--help"],
    ["sweeps", "attention", "--help"],
    ["exact", "--help"],
    ["exact", "verify", "--help"],
    ["fits", "--help"],
    ["fits", "decide", "--help"],
    ["cases", "--help"],
    ["cases", "ledger", "--help"],
    ["sweeps", "mcp", "--help"],
    ["sweeps", "schema", "--help"],
]


@pytest.mark.parametrize("command", HELP, ids=" ".join)
def test_help_loads_nothing_heavy(command):
    script = (
        "import sys, runpy; sys.argv = sys.argv[1:]\n"
        "try: runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=False)\n"
        "except SystemExit as end: assert not end.code\n"
        "heavy = {'numba', 'numpy', 'scipy', 'matplotlib', 'joblib', 'rich', 'sympy', 'mcp', 'pydantic'}\n"
        "heavy &= set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    ended = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    assert "usage: python -m" in ended.stdout


def test_kernels_use_only_what_their_own_file_defines():
    """numba's cache watches a kernel's own file only; a callee or constant elsewhere could change unseen."""
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
        jitted = [f for f in functions if "njit" in ast.unparse(f.decorator_list[0])]
        borrowed = {
            alias.asname or alias.name
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OURS
            for alias in node.names
        }
        for kernel in jitted:
            called = {
                node.func.id
                for node in ast.walk(kernel)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert not called & borrowed, (path, kernel.name)
            assert "fastmath" not in ast.unparse(kernel.decorator_list[0])
