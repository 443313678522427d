"""The bank: painted backdrops on disk, so that workers need no browser.

``<home>/bank/<digest>/`` holds ``bank.json`` and ``backdrops/<id>.png``. The digest is
of templates, wording, tokens and recipes, not of pixels; a bank that is complete is
reused. Panels are painted over the pages later, by the raster kit.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b, sha256
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
import orjson

from factory.core.errors import DependencyMissing, RenderFailed
from factory.core.geometry import Box
from factory.draw import assets
from factory.web.backdrops import (
    BackdropFacts,
    BackdropRecipe,
    Slot,
    paint_backdrop,
    recipes,
)
from factory.web.browser import open_browser
from factory.web.paint import Pixels, Viewport, open_painter
from factory.web.plain import plain_backdrop
from templates import ROOT

PainterName = Literal["chromium", "plain"]
Progress = Callable[[int, int], None]

BANK_FORMAT = 3
"""Raise it when the code that paints changes what is painted."""


@dataclass(frozen=True)
class BankBackdrop:
    """One backdrop of a bank."""

    recipe: BackdropRecipe
    slot: Slot
    texts: tuple[str, ...]
    controls: tuple[dict[str, Any], ...]
    png_sha256: str

    @property
    def id(self) -> str:
        return self.recipe.id

    def to_json(self) -> dict[str, Any]:
        """JSON-able facts."""
        return {
            "id": self.id,
            "recipe": asdict(self.recipe),
            "slot": {"anchor": self.slot.anchor, "box": self.slot.box.as_list()},
            "texts": self.texts,
            "controls": self.controls,
            "png_sha256": self.png_sha256,
            "png_size": self.recipe.viewport.size_px,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> BankBackdrop:
        """What ``to_json`` wrote."""
        return cls(
            recipe=BackdropRecipe.from_dict(data["recipe"]),
            slot=Slot(data["slot"]["anchor"], Box(*data["slot"]["box"])),
            texts=tuple(data["texts"]),
            controls=tuple(data["controls"]),
            png_sha256=data["png_sha256"],
        )


@dataclass(frozen=True)
class Bank:
    """A complete bank on disk."""

    folder: Path
    recipe_digest: str
    painter: str
    chromium: str
    """The browser's version, or empty."""
    entries: tuple[BankBackdrop, ...]

    @classmethod
    def open(cls, folder: Path | None = None) -> Bank:
        """The bank in ``folder``, or the largest one in the home.

        ``DependencyMissing`` when there is none.
        """
        if folder is None:
            found = sorted(_banks_in(assets.home() / "bank"), key=lambda b: (-len(b.entries), b.id))
            if not found:
                raise DependencyMissing("no backdrop bank; run `factory setup --backdrops 200`")
            return found[0]
        path = folder / "bank.json"
        if not path.is_file():
            raise DependencyMissing(f"{folder} holds no bank; run `factory setup --backdrops 200`")
        data = orjson.loads(path.read_bytes())
        entries = tuple(BankBackdrop.from_json(item) for item in data["backdrops"])
        return cls(folder, data["recipe_digest"], data["painter"], data["chromium"], entries)

    @property
    def id(self) -> str:
        """The digest again, as the folder's name."""
        return self.recipe_digest

    @cached_property
    def _by_id(self) -> dict[str, BankBackdrop]:
        return {entry.id: entry for entry in self.entries}

    def __getitem__(self, backdrop_id: str) -> BankBackdrop:
        return self._by_id[backdrop_id]

    def backdrops(
        self,
        split: str | None = None,
        *,
        viewport: tuple[int, int] | None = None,
        dpr: int | None = None,
        context: str | None = None,
        lang: str | None = None,
        theme: str | None = None,
    ) -> list[BankBackdrop]:
        """The backdrops that match every condition given, in the bank's order."""

        def matches(recipe: BackdropRecipe) -> bool:
            pairs = (
                (split, recipe.split),
                (viewport, (recipe.width, recipe.height)),
                (dpr, recipe.dpr),
                (context, recipe.context),
                (lang, recipe.lang),
                (theme, recipe.look.mode),
            )
            return all(wanted is None or wanted == has for wanted, has in pairs)

        return [entry for entry in self.entries if matches(entry.recipe)]

    def load_png(self, backdrop_id: str) -> Pixels:
        """A backdrop's pixels, HxWx3 BGR in device px."""
        path = self.folder / "backdrops" / f"{backdrop_id}.png"
        pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if pixels is None:
            raise RenderFailed(f"{path} is missing or broken; delete the bank and build it again")
        return pixels.astype(np.uint8, copy=False)


def _banks_in(folder: Path) -> Iterator[Bank]:
    for path in sorted(folder.glob("*/bank.json")):
        if not path.parent.name.startswith("."):
            yield Bank.open(path.parent)


def bank_digest(wanted: Sequence[BackdropRecipe], painter: PainterName) -> str:
    """16 hex digits of all that decides a bank: templates, wording, tokens, recipes."""
    digest = blake2b(digest_size=8)
    digest.update(orjson.dumps([BANK_FORMAT, painter]))
    for path in sorted(path for path in ROOT.rglob("*") if path.suffix in _SOURCES):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    for recipe in wanted:
        digest.update(recipe.to_json())
        digest.update(repr(recipe.look).encode())
    return digest.hexdigest()


_SOURCES = {".html", ".css", ".js", ".toml"}


def build_bank(
    count: int,
    *,
    painter: PainterName = "chromium",
    progress: Progress | None = None,
    wanted: Sequence[BackdropRecipe] | None = None,
) -> Bank:
    """Paint ``count`` backdrops, or reuse the bank that has them.

    ``wanted`` takes the place of ``recipes(count)``. ``DependencyMissing`` without a
    browser, unless ``painter`` is ``plain``.
    """
    wanted = recipes(count) if wanted is None else wanted
    digest = bank_digest(wanted, painter)
    folder = assets.home() / "bank" / digest
    if (folder / "bank.json").is_file():
        return Bank.open(folder)
    scratch = folder.with_name(f".{digest}-{os.getpid()}")
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "backdrops").mkdir(parents=True)
    try:
        work = _Work(scratch, wanted, progress or (lambda done, total: None))
        work.paint(painter)
        facts = work.facts(digest, painter)
        (scratch / "bank.json").write_bytes(orjson.dumps(facts, option=orjson.OPT_INDENT_2))
        _publish(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return Bank.open(folder)


def _publish(scratch: Path, folder: Path) -> None:
    """Move a finished bank to its place; one that another process put there first wins."""
    try:
        scratch.rename(folder)
    except OSError:
        if not (folder / "bank.json").is_file():
            raise


class _Work:
    """A bank in the making."""

    def __init__(self, folder: Path, wanted: Sequence[BackdropRecipe], tell: Progress) -> None:
        self.folder, self.wanted, self.tell = folder, wanted, tell
        self.chromium = ""
        self.entries: dict[str, BankBackdrop] = {}

    def paint(self, painter: PainterName) -> None:
        """Everything, with the painter named."""
        self.tell(0, len(self.wanted))
        if painter == "plain":
            self._paint_plain()
        else:
            self._paint_chromium()

    def facts(self, digest: str, painter: PainterName) -> dict[str, Any]:
        """The content of ``bank.json``, in the order of the recipes."""
        return {
            "recipe_digest": digest,
            "painter": painter,
            "chromium": self.chromium,
            "backdrops": [self.entries[recipe.id].to_json() for recipe in self.wanted],
        }

    def _paint_plain(self) -> None:
        for recipe in self.wanted:
            pixels, facts = plain_backdrop(recipe)
            self._add(recipe, _encode(pixels), facts)

    def _paint_chromium(self) -> None:
        with open_browser() as browser:
            self.chromium = browser.version
            for viewport, group in groupby(sorted(self.wanted, key=_window), key=_window):
                with open_painter(browser, Viewport(*viewport)) as painter:
                    for recipe in group:
                        png, facts = paint_backdrop(painter, recipe)
                        self._add(recipe, png, facts)

    def _add(self, recipe: BackdropRecipe, png: bytes, facts: BackdropFacts) -> None:
        """Keep a backdrop."""
        if facts.faults:
            raise RenderFailed(f"{recipe.template} {recipe.to_json().decode()}: {facts.faults[0]}")
        (self.folder / "backdrops" / f"{recipe.id}.png").write_bytes(png)
        self.entries[recipe.id] = BankBackdrop(
            recipe, facts.slot, facts.texts, facts.controls, sha256(png).hexdigest()
        )
        self.tell(len(self.entries), len(self.wanted))


def _window(recipe: BackdropRecipe) -> tuple[int, int, int]:
    return recipe.width, recipe.height, recipe.dpr


def _encode(pixels: Pixels) -> bytes:
    done, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not done:
        raise RenderFailed("a PNG could not be encoded")
    return data.tobytes()
