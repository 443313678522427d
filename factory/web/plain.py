"""Backdrops without a browser: the same geometry, token colours, no words.

For machines that have no Chromium, and for tests that need a plate in
milliseconds. Facts say ``painter: "plain"``, so no record hides it.
"""

from __future__ import annotations

import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw.tokens import Tokens
from factory.web.backdrops import BackdropFacts, BackdropRecipe, Slot, slot_size
from factory.web.paint import Pixels

NAV_HEIGHT = 60
SLOT_SIZE = (420, 540)
WINDOW_SIZE = (460, 610)
SHEET_HEIGHT = 560


class _Canvas:
    """A skia surface in CSS px at a DPR."""

    def __init__(self, width: float, height: float, dpr: int) -> None:
        self.surface = skia.Surface(round(width * dpr), round(height * dpr))
        self.canvas = self.surface.getCanvas()
        self.canvas.scale(dpr, dpr)

    def fill(
        self, box: Box, colour: tuple[int, int, int], radius: float = 0, alpha: float = 1
    ) -> None:
        """A filled rounded box in an RGB colour."""
        paint = skia.Paint(AntiAlias=True, Color=skia.Color(*colour, round(255 * alpha)))
        rect = skia.Rect.MakeLTRB(box.x0, box.y0, box.x1, box.y1)
        self.canvas.drawRoundRect(rect, radius, radius, paint)

    def pixels(self) -> Pixels:
        """HxWx4 BGRA, straight alpha."""
        image = self.surface.makeImageSnapshot()
        return np.ascontiguousarray(
            image.toarray(colorType=skia.kBGRA_8888_ColorType, alphaType=skia.kUnpremul_AlphaType)
        )


def plain_slot(recipe: BackdropRecipe) -> Slot:
    """Where the panel may go on a plain page, by context."""
    width, height = recipe.width, recipe.height
    if recipe.context == "sheet":
        return Slot("bottom", Box(0, height - SHEET_HEIGHT, width, height))
    if recipe.context == "modal":
        return Slot("centre", Box.sized(width // 2 - width // 10, height // 2 - 20, width // 5, 40))
    if recipe.context == "dialog":
        x, y = (width - SLOT_SIZE[0]) // 2, (height - SLOT_SIZE[1]) // 2
        return Slot("inside", Box.sized(x, y, *SLOT_SIZE))
    if recipe.phone:
        column, high = slot_size(recipe.viewport)
        wide = width if recipe.context == "full" else column
        return Slot("inside", Box.sized((width - wide) // 2, 220, wide, high))
    return Slot("inside", Box.sized(width - 540, 104, *SLOT_SIZE))


def plain_backdrop(recipe: BackdropRecipe) -> tuple[Pixels, BackdropFacts]:
    """HxWx3 BGR pixels and facts: bar, cards and the context's layers, no texts or controls."""
    look, slot = recipe.look, plain_slot(recipe)
    page = Box(0, 0, recipe.width, recipe.height)
    sheet = _Canvas(recipe.width, recipe.height, recipe.dpr)
    sheet.fill(page, look.rgb("page_bg"))
    sheet.fill(Box(0, 0, recipe.width, NAV_HEIGHT), look.rgb("nav_bg"))
    sheet.fill(Box(0, NAV_HEIGHT - 1, recipe.width, NAV_HEIGHT), look.rgb("nav_border"))
    for card in _cards(recipe, slot):
        _card(sheet, card, look)
    if recipe.context in ("modal", "sheet"):
        sheet.fill(page, look.rgb("scrim"), alpha=look.scrim_alpha)
    if recipe.context == "dialog":
        window = Box.sized(
            (recipe.width - WINDOW_SIZE[0]) // 2,
            (recipe.height - WINDOW_SIZE[1]) // 2,
            *WINDOW_SIZE,
        )
        sheet.fill(window.grown(1), look.rgb("border"), 9)
        sheet.fill(window, look.rgb("page_bg"), 8)
    facts = BackdropFacts(slot=slot, texts=(), controls=(), faults=())
    return np.ascontiguousarray(sheet.pixels()[..., :3]), facts


def _cards(recipe: BackdropRecipe, slot: Slot) -> list[Box]:
    """Keyed cards down the page, none of them under a slot inside the page."""
    stream = Stream(f"plain/{recipe.variant}/{recipe.template}")
    if recipe.context == "full":
        return []
    left, right = (20, recipe.width - 20) if recipe.phone else (120, recipe.width - 600)
    cards, y = [], NAV_HEIGHT + 44
    while y < recipe.height - 60:
        card = Box(left, y, right, min(y + stream.integer(60, 200), recipe.height - 24))
        if not (slot.anchor == "inside" and recipe.phone and card.overlaps(slot.box)):
            cards.append(card)
        y = round(card.y1) + 16
    return cards


def _card(sheet: _Canvas, box: Box, look: Tokens) -> None:
    sheet.fill(box, look.rgb("border"), look.radius_px)
    sheet.fill(box.grown(-1), look.rgb("surface"), max(0, look.radius_px - 1))
    if box.height > 70:
        line = Box.sized(box.x0 + 20, box.y0 + 22, 0.45 * box.width, 12)
        sheet.fill(line, look.rgb("raised"), 6)
        sheet.fill(line.moved(0, 24), look.rgb("raised"), 6)
