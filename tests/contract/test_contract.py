"""Every class keeps the contract."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from factory.core import registry
from factory.testing import CHECKS, LONG, QUICK, Subject, look


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", registry.names())
def test_class_keeps_the_contract(
    name: str, check: str, subject_named: Callable[[str], Subject]
) -> None:
    found = look(check, subject_named(name), QUICK)
    assert found.ok, f"{CHECKS[check].meaning}: {found.evidence}"
    assert not found.skipped, found.evidence


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", registry.names())
def test_class_keeps_the_contract_over_hundreds_of_samples(
    name: str, check: str, subject_named: Callable[[str], Subject]
) -> None:
    found = look(check, subject_named(name), LONG)
    assert found.ok, f"{CHECKS[check].meaning}: {found.evidence}"


def test_check_command_prints_outcomes_and_exits_with_success() -> None:
    command = [sys.executable, "-m", "factory.cli.app", "check", "rotate"]
    done = subprocess.run(
        [*command, "--only", "C11", "--only", "C13", "--json"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed["ok"] and list(printed["classes"]["rotate"]) == ["C11", "C13"]


def test_check_command_names_an_unknown_check() -> None:
    command = [sys.executable, "-m", "factory.cli.app", "check", "rotate", "--only", "C99"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "C99" in done.stderr and "C14" in done.stderr
