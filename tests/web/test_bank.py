"""The bank: idempotent, atomic, complete, and possible without a browser."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from factory.core.errors import DependencyMissing
from factory.draw import assets
from factory.web import bank as banks
from factory.web.backdrops import recipes
from factory.web.bank import Bank, bank_digest, build_bank

COUNT = 16


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty home whose npm packages are the real ones."""
    (tmp_path / "npm").symlink_to(assets.home() / "npm")
    monkeypatch.setenv("FACTORY_HOME", str(tmp_path))
    return tmp_path


def test_a_bank_is_painted_once_and_read_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[tuple[int, int]] = []
    bank = build_bank(COUNT, progress=lambda *step: steps.append(step))
    assert steps == [(done, COUNT) for done in range(COUNT + 1)]
    assert [entry.recipe for entry in bank.entries] == recipes(COUNT)
    assert (bank.painter, bool(bank.chromium)) == ("chromium", True)
    for entry in bank.entries:
        data = (bank.folder / "backdrops" / f"{entry.id}.png").read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry.png_sha256
        width, height = entry.recipe.viewport.size_px
        assert bank.load_png(entry.id).shape == (height, width, 3)

    monkeypatch.setattr(banks, "open_browser", lambda: pytest.fail("the bank was painted again"))
    assert build_bank(COUNT) == bank
    assert Bank.open() == bank
    assert [path.name for path in (home / "bank").iterdir()] == [bank.recipe_digest]


def test_a_bank_without_a_browser_says_so_in_its_facts(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(banks, "open_browser", lambda: pytest.fail("a browser was started"))
    bank = build_bank(45, painter="plain")
    assert bank.painter == "plain"
    for entry in bank.entries[:15]:
        width, height = entry.recipe.viewport.size_px
        picture = bank.load_png(entry.id)
        assert picture.shape == (height, width, 3)
        assert picture.std() > 0


def test_queries_choose_by_every_condition(home: Path) -> None:
    bank = build_bank(90, painter="plain")
    for split in ("train", "val", "test"):
        assert bank.backdrops(split, viewport=(375, 812), dpr=3, context="sheet")
    assert len(bank.backdrops()) == 90
    for entry in bank.backdrops("train", lang="zh", theme="dark"):
        recipe = entry.recipe
        assert (recipe.split, recipe.lang, recipe.look.mode) == ("train", "zh", "dark")
        assert bank[entry.id] is entry


def test_a_broken_build_leaves_nothing_behind(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(banks, "plain_backdrop", fail)
    with pytest.raises(RuntimeError, match="power cut"):
        build_bank(4, painter="plain")
    assert list((home / "bank").iterdir()) == []
    with pytest.raises(DependencyMissing, match="factory setup"):
        Bank.open()


def test_the_digest_depends_on_recipes_and_painter() -> None:
    wanted = recipes(10)
    digests = {
        bank_digest(wanted, "chromium"),
        bank_digest(wanted[:9], "chromium"),
        bank_digest(wanted, "plain"),
    }
    assert len(digests) == 3
    assert bank_digest(recipes(10), "chromium") in digests
