"""Which pages a sample may have, in banks that are too small for every cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from factory.config import RunConfig
from factory.core import registry
from factory.core.errors import DependencyMissing
from factory.engine.generate import complete
from factory.engine.plates import PlateBank
from factory.web.bank import Bank, BankBackdrop

PHONE, DESKTOP = "375x812@3", "1280x800@1"


def plates_with(keep: Callable[[BankBackdrop], bool]) -> PlateBank:
    """The plates of rotate in the bank at hand, less the pages that are not kept."""
    config = complete(RunConfig.build(type="rotate", viewports={PHONE: 1.0, DESKTOP: 1.0}))
    bank = Bank.open()
    few = replace(bank, entries=tuple(entry for entry in bank.entries if keep(entry)))
    return PlateBank(registry.get("rotate"), config, few)


def languages(plates: PlateBank, refs: tuple[str, ...]) -> set[tuple[str, str, str]]:
    recipes = [entry.recipe for entry in plates.bank.entries if entry.id in refs]
    return {(recipe.split, recipe.viewport.name, recipe.lang) for recipe in recipes}


def test_a_cell_with_pages_has_its_own() -> None:
    plates = plates_with(lambda entry: True)
    refs = plates.refs("train", PHONE, "embedded", "light", "en")
    assert languages(plates, refs) == {("train", PHONE, "en")}


def test_a_window_without_pages_borrows_those_of_the_next_and_keeps_split_and_language() -> None:
    plates = plates_with(lambda entry: entry.recipe.viewport.name != PHONE)
    refs = plates.refs("test", PHONE, "embedded", "light", "zh")
    assert languages(plates, refs) == {("test", DESKTOP, "zh")}


def test_a_language_without_pages_is_refused_with_the_command_that_mends_it() -> None:
    plates = plates_with(lambda entry: entry.recipe.lang != "zh")
    with pytest.raises(DependencyMissing, match="factory setup --backdrops 1500"):
        plates.refs("test", PHONE, "embedded", "light", "zh")
