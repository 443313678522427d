"""What makes samples knows no clock, no global randomness and no order that is nobody's promise."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PURE = ("factory/core", "factory/draw", "captcha_types", "templates")

EXEMPT = {"factory/core/rng.py"}
"""The one place where bits become draws."""

BANNED_MODULES = {"random", "secrets", "time", "uuid", "datetime"}
BANNED_CALLS = {"hash", "id"}
BANNED_ATTRIBUTES = {"listdir", "scandir", "urandom", "iterdir", "glob", "rglob"}
"""Functions of folders whose order is the file system's, and the system's own noise."""

HEAVY = ("torch", "ray", "playwright", "pyarrow", "transformers", "fsspec", "shapely")
"""What ``factory list`` and ``factory --help`` must not wait for; skia and PIL, which class files
need, cost 30 ms."""


def banned_uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """``(line, what)`` for every use of something banned."""
    ordered = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id in ("sorted", "len", "any", "all", "min", "max")
        for inner in ast.walk(node)
    }  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = {alias.name.split(".")[0] for alias in node.names}
            yield from ((node.lineno, name) for name in sorted(names & BANNED_MODULES))
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module.split(".")[0] in BANNED_MODULES or node.module == "numpy.random":
                yield node.lineno, node.module
        elif isinstance(node, ast.Attribute):
            numpys = isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy")
            if node.attr == "random" and numpys:
                yield node.lineno, "numpy.random"
            elif node.attr in BANNED_ATTRIBUTES and node not in ordered:
                yield node.lineno, f".{node.attr} in no fixed order"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in BANNED_CALLS:
                yield node.lineno, f"{node.func.id}()"
        elif (
            isinstance(node, ast.For | ast.comprehension)
            and _is_set(node.iter)
            and node.iter not in ordered
        ):
            yield node.iter.lineno, "a set in no fixed order"


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("set", "frozenset")
    return isinstance(node, ast.Set | ast.SetComp)


def sources() -> list[Path]:
    return [path for folder in PURE for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_file_uses_no_clock_no_global_randomness_and_no_chance_order(path: Path) -> None:
    if str(path.relative_to(ROOT)) in EXEMPT:
        return
    found = list(banned_uses(ast.parse(path.read_text(encoding="utf-8"))))
    assert not found


@pytest.mark.parametrize(
    "source",
    [
        "import random", "from time import monotonic", "import numpy as np; np.random.rand()",
        "x = hash('a')", "import os; names = os.listdir('.')", "for x in {1, 2}: print(x)",
        "y = [x for x in set('ab')]", "from numpy.random import default_rng",
        "from pathlib import Path; a = [p for p in Path('.').glob('*')]", "import uuid",
    ],
)  # fmt: skip
def test_each_ban_bites(source: str) -> None:
    assert list(banned_uses(ast.parse(source)))


@pytest.mark.parametrize("source", ["sorted(p.glob('*'))", "for x in sorted({1, 2}): pass"])
def test_sorting_makes_an_order(source: str) -> None:
    assert not list(banned_uses(ast.parse(source)))


@pytest.mark.parametrize("words", [["list"], ["--help"]], ids=" ".join)
def test_light_commands_import_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\nfrom factory.cli import app\n"
        "try:\n    app.main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print('heavy:', *[m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("heavy:"), done.stdout
