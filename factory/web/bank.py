"""The bank: painted backdrops and panels on disk, so that workers need no browser.

``<home>/bank/<digest>/`` holds ``bank.json``, ``backdrops/<id>.png`` and
``panels/<digest>.{json,png,rest.png,held.png}``. The digest is of templates,
wording, tokens and recipes, not of pixels; a bank that is complete is reused.
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
from factory.web.panel_paint import STATES, PanelArt, Sprite, paint_panel, panel_viewport
from factory.web.panels import PanelLayout
from factory.web.plain import plain_backdrop, plain_panel
from factory.web.plates import panel_for
from templates import ROOT

PainterName = Literal["chromium", "plain"]
Progress = Callable[[int, int], None]

BANK_FORMAT = 2
"""Raise it when the code that paints changes what is painted."""


@dataclass(frozen=True)
class BankBackdrop:
    """One backdrop of a bank. ``panels`` maps a kind to the digest of its panel."""

    recipe: BackdropRecipe
    slot: Slot
    texts: tuple[str, ...]
    controls: tuple[dict[str, Any], ...]
    png_sha256: str
    panels: dict[str, str]

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
            "panels": self.panels,
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
            panels=data["panels"],
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
        return _read(self.folder / "backdrops" / f"{backdrop_id}.png", cv2.IMREAD_COLOR)

    def load_panel(self, digest: str) -> PanelArt:
        """A painted panel with its sprites."""
        stem = self.folder / "panels" / digest
        data = orjson.loads(stem.with_suffix(".json").read_bytes())
        return PanelArt(
            layout=PanelLayout.from_json(data["layout"]),
            dpr=data["dpr"],
            bgra=_read(stem.with_suffix(".png"), cv2.IMREAD_UNCHANGED),
            origin_px=tuple(data["origin_px"]),
            sprites={
                state: Sprite(
                    _read(stem.with_suffix(f".{state}.png"), cv2.IMREAD_UNCHANGED), tuple(offset)
                )
                for state, offset in data["sprites"].items()
            },
            texts=tuple(data["texts"]),
            controls=tuple(data["controls"]),
        )


def _banks_in(folder: Path) -> Iterator[Bank]:
    for path in sorted(folder.glob("*/bank.json")):
        if not path.parent.name.startswith("."):
            yield Bank.open(path.parent)


def _read(path: Path, flags: int) -> Pixels:
    pixels = cv2.imread(str(path), flags)
    if pixels is None:
        raise RenderFailed(f"{path} is missing or broken; delete the bank and build it again")
    return pixels.astype(np.uint8, copy=False)


def bank_digest(
    wanted: Sequence[BackdropRecipe], kinds: Sequence[str], painter: PainterName
) -> str:
    """16 hex digits of all that decides a bank: templates, wording, tokens, recipes, kinds."""
    digest = blake2b(digest_size=8)
    digest.update(orjson.dumps([BANK_FORMAT, painter, list(kinds)]))
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
    kinds: Sequence[str] = ("turn",),
    painter: PainterName = "chromium",
    progress: Progress | None = None,
    wanted: Sequence[BackdropRecipe] | None = None,
) -> Bank:
    """Paint ``count`` backdrops and their panels, or reuse the bank that has them.

    ``kinds`` are the panel kinds painted for each backdrop; ``wanted`` takes
    the place of ``recipes(count)``. ``DependencyMissing`` without a browser,
    unless ``painter`` is ``plain``.
    """
    wanted = recipes(count) if wanted is None else wanted
    digest = bank_digest(wanted, kinds, painter)
    folder = assets.home() / "bank" / digest
    if (folder / "bank.json").is_file():
        return Bank.open(folder)
    scratch = folder.with_name(f".{digest}-{os.getpid()}")
    shutil.rmtree(scratch, ignore_errors=True)
    for name in ("backdrops", "panels"):
        (scratch / name).mkdir(parents=True)
    try:
        work = _Work(scratch, wanted, tuple(kinds), progress or (lambda done, total: None))
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

    def __init__(
        self, folder: Path, wanted: Sequence[BackdropRecipe], kinds: tuple[str, ...], tell: Progress
    ) -> None:
        self.folder, self.wanted, self.kinds, self.tell = folder, wanted, kinds, tell
        self.done, self.total = 0, len(wanted) * (1 + len(kinds))
        self.chromium = ""
        self.entries: dict[str, BankBackdrop] = {}
        self.layouts: dict[tuple[str, int], PanelLayout] = {}

    def paint(self, painter: PainterName) -> None:
        """Everything, with the painter named."""
        self.tell(0, self.total)
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
            "kinds": self.kinds,
            "backdrops": [self.entries[recipe.id].to_json() for recipe in self.wanted],
        }

    def _paint_plain(self) -> None:
        for recipe in self.wanted:
            pixels, facts = plain_backdrop(recipe)
            self._add(recipe, _encode(pixels), facts)
        for (digest, dpr), layout in self.layouts.items():
            self._save(digest, plain_panel(layout, dpr))

    def _paint_chromium(self) -> None:
        with open_browser() as browser:
            self.chromium = browser.version
            for viewport, group in groupby(sorted(self.wanted, key=_window), key=_window):
                with open_painter(browser, Viewport(*viewport)) as painter:
                    for recipe in group:
                        png, facts = paint_backdrop(painter, recipe)
                        self._add(recipe, png, facts)
            for dpr in sorted({dpr for _, dpr in self.layouts}):
                with open_painter(browser, panel_viewport(dpr)) as painter:
                    for (digest, its_dpr), layout in self.layouts.items():
                        if its_dpr == dpr:
                            self._save(digest, paint_panel(painter, layout))

    def _add(self, recipe: BackdropRecipe, png: bytes, facts: BackdropFacts) -> None:
        """Keep a backdrop and note its panels for later."""
        if facts.faults:
            raise RenderFailed(f"{recipe.template} {recipe.to_json().decode()}: {facts.faults[0]}")
        (self.folder / "backdrops" / f"{recipe.id}.png").write_bytes(png)
        panels = {}
        for kind in self.kinds:
            layout = panel_for(recipe, facts.slot, kind)
            panels[kind] = layout.digest(recipe.dpr)
            self.layouts[panels[kind], recipe.dpr] = layout
        self.entries[recipe.id] = BankBackdrop(
            recipe, facts.slot, facts.texts, facts.controls, sha256(png).hexdigest(), panels
        )
        self._step()

    def _save(self, digest: str, art: PanelArt) -> None:
        stem = self.folder / "panels" / digest
        stem.with_suffix(".png").write_bytes(_encode(art.bgra))
        for state in STATES:
            stem.with_suffix(f".{state}.png").write_bytes(_encode(art.sprites[state].bgra))
        facts = {
            "layout": art.layout.to_json(),
            "dpr": art.dpr,
            "origin_px": art.origin_px,
            "sprites": {state: art.sprites[state].offset_px for state in STATES},
            "texts": art.texts,
            "controls": art.controls,
        }
        stem.with_suffix(".json").write_bytes(orjson.dumps(facts))
        self._step()

    def _step(self) -> None:
        self.done += 1
        self.tell(self.done, self.total)


def _window(recipe: BackdropRecipe) -> tuple[int, int, int]:
    return recipe.width, recipe.height, recipe.dpr


def _encode(pixels: Pixels) -> bytes:
    done, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not done:
        raise RenderFailed("a PNG could not be encoded")
    return data.tobytes()
