"""The contract suite bites: each broken class is caught by the check that claims to catch it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from saboteurs import SABOTEURS
from saboteurs.plain import CLASSES, subject_of_class

from captcha_types.rotate.rotate import Rotate
from factory.testing import CHECKS, QUICK, Subject, look

NOT_KEPT = {"C5": {"code"}, "C14": {"bars", "board", "code", "lamps", "steps"}}
"""Checks for which a plain class has no judge, or no golden."""


def healthy_of(saboteur: type[Any], subject_named: Callable[[str], Subject]) -> Subject:
    """The subject of the class that the saboteur breaks."""
    if issubclass(saboteur, Rotate):
        return subject_named("rotate")
    return subject_of_class(next(cls for cls in CLASSES if issubclass(saboteur, cls)))


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda cls: cls.__name__)
def test_saboteur_is_caught_and_the_healthy_class_is_not(
    saboteur: type[Any], subject_named: Callable[[str], Subject]
) -> None:
    healthy = healthy_of(saboteur, subject_named)
    found = look(saboteur.caught_by, healthy.of(saboteur), QUICK)
    assert not found.ok, f"{saboteur.caught_by} lets {saboteur.__name__} through: {found.evidence}"
    assert any(saboteur.because in fault for fault in found.faults), found.evidence
    sound = look(saboteur.caught_by, healthy, QUICK)
    assert sound.ok, sound.evidence


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_plain_class_keeps_the_contract(cls: type[Any], check: str) -> None:
    found = look(check, subject_of_class(cls), QUICK)
    assert found.ok, f"{CHECKS[check].meaning}: {found.evidence}"
    assert found.skipped is (cls.id in NOT_KEPT.get(check, ()))


def test_every_check_has_a_saboteur() -> None:
    assert {saboteur.caught_by for saboteur in SABOTEURS} == set(CHECKS)
