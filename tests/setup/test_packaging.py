"""What is installed is what is declared, and what is declared is locked."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = ("factory", "captcha_types", "templates", "exporters", "training")
REQUIREMENTS = [
    *PROJECT["dependencies"],
    *(need for extra in PROJECT["optional-dependencies"].values() for need in extra),
]
LOCK = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line[0] != "#"]


def _canonical(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name.group()).lower()


def _imported_modules() -> set[str]:
    found: set[str] = set()
    for package in PACKAGES:
        for source in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(source.read_text())):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - set(PACKAGES)


def test_every_import_is_a_declared_dependency() -> None:
    owners = metadata.packages_distributions()
    declared = {_canonical(need) for need in REQUIREMENTS}
    undeclared = {
        module
        for module in _imported_modules()
        if not declared & {_canonical(owner) for owner in owners.get(module, [module])}
    }
    assert undeclared == set()


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_dependency_is_locked(requirement: str) -> None:
    assert _canonical(requirement) in {_canonical(line) for line in LOCK}


def test_lock_holds_exact_public_versions_only() -> None:
    assert [line for line in LOCK if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][\w.]*", line)] == []


def test_torch_is_locked_where_training_was_tried() -> None:
    assert "torch==2.13.0" in LOCK


@pytest.mark.parametrize("extra", ["browser", "llm", "train", "ray", "s3", "photos", "dev"])
def test_extra_exists(extra: str) -> None:
    assert extra in PROJECT["optional-dependencies"]
