"""Plates out of the bank: which there are, and how page and panel become one.

The bank on disk holds pages without panels. A plate is one page with the panel
that a class asked for, at a keyed place; nothing here needs a browser once the
bank is painted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.config import RunConfig, Viewport
from factory.core.errors import DependencyMissing, InvalidOptions, RenderFailed
from factory.core.puzzle import Bitmap, Placement, PuzzleType
from factory.draw import assets
from factory.draw.compose import Plate, canvas_map, opaque, surface_on, to_canvas
from factory.draw.panels import PanelLayout, paint_chrome, paint_controls
from factory.web.backdrops import CONTEXTS, VIEWPORTS, fits, recipes
from factory.web.backdrops import Viewport as Window
from factory.web.bank import Bank, BankBackdrop, build_bank
from factory.web.plates import origin, panel_for

EXTRA_PAGES_PER_CELL = 16
"""Pages painted for each (viewport, context) that the bank at hand does not have."""

SHADOW_CSS = 80
"""How far a panel's shadow may reach around it, CSS px."""


@dataclass(frozen=True)
class Site:
    """A page with a panel laid out on it, before anything is painted."""

    entry: BankBackdrop
    layout: PanelLayout
    placement: Placement

    @property
    def around_px(self) -> tuple[int, int, int, int]:
        """The panel with its shadow, canvas px, inside the canvas."""
        place = self.placement
        wide = place.canvas_from_panel.box(place.boxes["panel"].grown(SHADOW_CSS)).outer_pixels()
        return (
            max(0, wide[0]), max(0, wide[1]),
            min(place.width_px, wide[2]), min(place.height_px, wide[3]),
        )  # fmt: skip


def context_fits(context: str, viewport: Viewport) -> bool:
    """Whether a context exists at a viewport."""
    return fits(context, Window(viewport.width, viewport.height, viewport.dpr))


AnyPuzzle = PuzzleType[Any, Any]


class PlateBank:
    """The plates that a config may show."""

    def __init__(self, puzzle: type[AnyPuzzle], config: RunConfig, bank: Bank) -> None:
        self.puzzle, self.config, self.bank = puzzle, config, bank
        self._rivals = puzzle.wording_of_class().rivals
        self._entries = {entry.id: entry for entry in bank.entries}
        self._sites: dict[str, Site | None] = {}

    @classmethod
    def open(cls, puzzle: type[AnyPuzzle], config: RunConfig, folder: Path | None) -> PlateBank:
        """The bank that the config names, from ``folder`` or from the home."""
        bank = Bank.open(folder or _folder(config.bank_digest))
        if bank.recipe_digest != config.bank_digest:
            raise InvalidOptions(
                f"the bank in {bank.folder} is {bank.recipe_digest}, the config names "
                f"{config.bank_digest}"
            )
        return cls(puzzle, config, bank)

    @staticmethod
    def prepare(config: RunConfig, echo: Callable[[str], None]) -> str:
        """The digest of the bank for a config, painting one for viewports that none has.

        A digest that the config names already is kept; ``DependencyMissing``
        when there is no such bank here.
        """
        if config.bank_digest:
            Bank.open(_folder(config.bank_digest))
            return config.bank_digest
        windows = [_window(text) for text in config.viewports]
        if all(window in VIEWPORTS for window in windows):
            bank = Bank.open()
        else:
            cells = [(w, c) for w in windows for c in config.contexts if fits(c, w)]
            echo(f"painting pages for {', '.join(window.name for window in windows)}")
            wanted = recipes(
                EXTRA_PAGES_PER_CELL * len(cells), contexts=config.contexts, viewports=windows
            )
            try:
                bank = build_bank(0, wanted=wanted)
            except RenderFailed as error:
                raise InvalidOptions(
                    f"no pages can be painted for {', '.join(config.viewports)} ({error}); "
                    "give a larger --viewport"
                ) from error
        if bank.painter == "plain":
            echo("the pages of this bank are plain, for no browser painted them; `factory setup`")
        return bank.recipe_digest

    @property
    def path(self) -> Path:
        """The bank's folder."""
        return self.bank.folder

    def digests(self) -> dict[str, str]:
        """For the provenance: what painted the bank."""
        return {"bank": self.bank.recipe_digest, "chromium": self.bank.chromium or "plain"}

    def contexts(self, viewport: str) -> tuple[str, ...]:
        """The contexts that a viewport can have under this config."""
        found = _contexts(self.config.contexts, viewport)
        if not found:
            raise InvalidOptions(
                f"none of the contexts {', '.join(self.config.contexts)} exists at {viewport}"
            )
        return found

    def check(self, splits: Iterable[str]) -> None:
        """Raise now what ``contexts`` or ``refs`` would raise for some sample of these splits."""
        config = self.config
        for split, viewport, lang in product(splits, config.viewports, config.langs):
            context, theme = self.contexts(viewport)[0], next(iter(config.themes))
            self.refs(split, viewport, context, theme, lang)

    def refs(
        self, split: str, viewport: str, context: str, theme: str, lang: str
    ) -> tuple[str, ...]:
        """The plates of a cell, by id, in a fixed order.

        A small bank has too few pages of val and test for every cell; then the
        context gives way first, the theme next, and last the window, for another
        of this config. Language and split never do.
        """
        for wanted in ((context, theme), (None, theme), (context, None), (None, None)):
            found = _select(self, split, viewport, *wanted, lang)
            if found:
                return found
        for window in _nearest(viewport, self.config.viewports):
            found = _select(self, split, window, None, None, lang)
            if found:
                return found
        raise DependencyMissing(
            f"the bank of {len(self.bank.entries)} pages has none for {split}, {viewport}, {lang}; "
            "run `factory setup --backdrops 1500`"
        )

    def site(self, plate: str) -> Site | None:
        """The panel on a page; None where the class's panel does not fit it."""
        if plate not in self._sites:
            self._sites[plate] = self._laid_out(self._entries[plate])
        return self._sites[plate]

    def _laid_out(self, entry: BankBackdrop) -> Site | None:
        recipe, name = entry.recipe, self.puzzle.id
        try:
            layout = panel_for(recipe, entry.slot, name, self.puzzle.panel())
        except RenderFailed:
            return None
        corner = origin(recipe, entry.slot, name, layout)
        placement = Placement(
            boxes=layout.boxes,
            canvas_from_panel=canvas_map(corner, recipe.dpr),
            width_px=recipe.width * recipe.dpr,
            height_px=recipe.height * recipe.dpr,
            dpr=float(recipe.dpr),
            touch=layout.touch,
            tokens=layout.tokens,
            lang=layout.lang,
            corner_css=layout.corner_css,
            ground=layout.ground,
        )
        return Site(entry, layout, placement)

    def page(self, site: Site) -> tuple[Bitmap, Bitmap]:
        """The page (BGR) and, BGRA, ``site.around_px`` of it with the panel's chrome."""
        page = self.bank.load_png(site.entry.id)
        x0, y0, x1, y1 = site.around_px
        around = np.asarray(cv2.cvtColor(page[y0:y1, x0:x1], cv2.COLOR_BGR2BGRA), np.uint8)
        with surface_on(around) as canvas:
            to_canvas(canvas, site.placement, (x0, y0))
            paint_chrome(canvas, site.layout)
        return page, around

    def build(self, plate: str, *, format: str, quality: int, states: bool) -> Plate:
        """Compose page, panel and its controls at rest, and encode them.

        With ``states`` the plate can also show later states of its puzzle.
        """
        site = self.site(plate)
        if site is None:
            raise InvalidOptions(f"the panel of {self.puzzle.id} does not fit page {plate}")
        layout, placement, recipe = site.layout, site.placement, site.entry.recipe
        page, bare = self.page(site)
        x0, y0, x1, y1 = site.around_px
        around = bare.copy() if states else bare
        with surface_on(around) as canvas:
            to_canvas(canvas, placement, (x0, y0))
            paint_controls(canvas, layout, {}, typed=frozenset())
        page[y0:y1, x0:x1] = opaque(around)
        corner = placement.canvas_from_panel((0.0, 0.0))
        facts = {
            "id": plate,
            "template": recipe.template,
            "viewport": recipe.viewport.name,
            "tokens": recipe.tokens,
            "panel_origin_css": [corner.x / recipe.dpr, corner.y / recipe.dpr],
            "painter": self.bank.painter,
        }
        return Plate.build(
            page,
            placement,
            areas=layout.areas,
            goal_style=layout.goal_style,
            facts=facts,
            lang=recipe.lang,
            theme=recipe.look.mode,
            context=recipe.context,
            format=format,
            quality=quality,
            layout=layout,
            bare=(bare, (x0, y0)) if states else None,
        )

    def rival_words(self, entry: BankBackdrop) -> list[str]:
        """Texts of the page that use a word of the goals: the goal would fit them too."""
        words = self._rivals.get(entry.recipe.lang, ())
        return [text for text in entry.texts if any(word in text.lower() for word in words)]


def bank_files(bank: Path, pages: set[str]) -> list[Path]:
    """A bank's index and the files of these pages, below its folder."""
    return [bank / "bank.json", *(bank / "backdrops" / f"{page}.png" for page in sorted(pages))]


@lru_cache(maxsize=4096)
def _select(
    plates: PlateBank,
    split: str,
    viewport: str,
    context: str | None,
    theme: str | None,
    lang: str,
) -> tuple[str, ...]:
    window = _window(viewport)
    entries = plates.bank.backdrops(
        split,
        viewport=(window.width, window.height),
        dpr=window.dpr,
        context=context,
        lang=lang,
        theme=theme,
    )
    allowed = set(plates.contexts(viewport))
    return tuple(
        entry.id
        for entry in entries
        if entry.recipe.context in allowed and not plates.rival_words(entry)
    )


@lru_cache(maxsize=256)
def _contexts(wanted: tuple[str, ...], viewport: str) -> tuple[str, ...]:
    return tuple(c for c in CONTEXTS if c in wanted and fits(c, _window(viewport)))


def _nearest(viewport: str, others: Iterable[str]) -> list[str]:
    """The windows by how far their width is from a viewport's, the name where two are as far."""
    width = _window(viewport).width
    return sorted(others, key=lambda text: (abs(_window(text).width - width), text))


@lru_cache(maxsize=64)
def _window(text: str) -> Window:
    view = Viewport.parse(text)
    return Window(view.width, view.height, view.dpr)


def _folder(digest: str) -> Path:
    if not digest:
        raise InvalidOptions("the config names no bank; `complete` it first")
    return assets.home() / "bank" / digest
