"""Every class keeps the contract."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping

import pytest

from factory.core import registry
from factory.testing import CHECKS, LONG, QUICK, Budget, Subject, look, subject_of
from factory.testing.outcome import Digests

Elsewhere = Callable[[Subject], Mapping[str, Digests]]


LAST = [*(check for check in CHECKS if check != "C1"), "C1"]
"""C1 waits for processes that make samples of all classes: the rest is looked at meanwhile."""


def complaints(subject: Subject, budget: Budget) -> list[str]:
    """What the checks find wrong with a class, or cannot look at."""
    found = {check: look(check, subject, budget) for check in LAST}
    return [
        f"{check} {CHECKS[check].meaning}: {outcome.evidence}"
        for check, outcome in found.items()
        if not outcome.ok or outcome.skipped
    ]


@pytest.mark.parametrize("name", registry.names())
def test_class_keeps_the_contract(name: str, made_elsewhere: Elsewhere) -> None:
    """All checks in one test, for they share thousands of draws."""
    subject = subject_of(name)
    subject.elsewhere = made_elsewhere
    assert complaints(subject, QUICK) == []


@pytest.mark.long
@pytest.mark.parametrize("name", registry.names())
def test_class_keeps_the_contract_over_hundreds_of_samples(name: str) -> None:
    assert complaints(subject_of(name), LONG) == []


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
