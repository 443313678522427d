"""``factory list`` names every class, and every benchmark type with its classes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from factory.core import coverage, registry
from factory.core.errors import PluginBroken


def listed(*options: str) -> str:
    command = [sys.executable, "-m", "factory.cli.app", "list", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


CLASSES, FAMILIES, TYPES = 70, 15, 157
"""What the list promises: none is lost without a word."""


def test_all_classes_families_and_benchmark_types_are_there() -> None:
    assert len(registry.names()) == CLASSES and len(registry.families()) == FAMILIES
    assert sum(map(len, coverage.covered(registry.names()).values())) == TYPES


def test_list_has_a_line_for_every_class() -> None:
    assert [line.split()[0] for line in listed().splitlines()] == registry.names()


def test_json_of_the_list_carries_what_a_class_covers() -> None:
    rows: list[dict[str, Any]] = json.loads(listed("--json"))
    by_id = {row["id"]: row["covers"] for row in rows}
    assert set(by_id) == set(registry.names())
    assert "OCW:Click_Order" in by_id["click_icons_in_order"]


def test_coverage_lists_every_type_under_its_benchmark() -> None:
    found = coverage.covered(registry.names())
    printed: dict[str, dict[str, list[str]]] = json.loads(listed("--covers", "--json"))
    assert {name: set(types) for name, types in printed.items()} == {
        coverage.benchmarks()[prefix]: set(types) for prefix, types in found.items()
    }
    lines = listed("--covers").splitlines()
    assert lines[-1] == f"{sum(map(len, found.values()))} types in all"


def test_a_covered_class_that_is_missing_is_named() -> None:
    left = [name for name in registry.names() if name != "click_icons_in_order"]
    with pytest.raises(PluginBroken, match="click_icons_in_order"):
        coverage.covered(left)
