"""The contract suite bites: each broken class is caught by the check that claims to catch it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from saboteurs import SABOTEURS

from captcha_types.rotate.rotate import Rotate
from factory.testing import CHECKS, QUICK, Subject, look


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda cls: cls.__name__)
def test_saboteur_is_caught_and_the_healthy_class_is_not(
    saboteur: type[Rotate], subject_named: Callable[[str], Subject]
) -> None:
    healthy = subject_named("rotate")
    found = look(saboteur.caught_by, healthy.of(saboteur), QUICK)
    assert not found.ok, f"{saboteur.caught_by} lets {saboteur.__name__} through: {found.evidence}"
    assert saboteur.because in found.evidence
    sound = look(saboteur.caught_by, healthy, QUICK)
    assert sound.ok, sound.evidence


def test_every_check_has_a_saboteur() -> None:
    assert {saboteur.caught_by for saboteur in SABOTEURS} == set(CHECKS)
