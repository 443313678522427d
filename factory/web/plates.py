"""Which panel goes with which backdrop: its size, surface and style, by key."""

from __future__ import annotations

from factory.core.errors import RenderFailed
from factory.core.rng import Stream
from factory.web.backdrops import BackdropRecipe, Slot
from factory.web.panels import PanelLayout, PanelStyle, Shape, Surface, slider_panel

KINDS: dict[str, Shape] = {"turn": "circle", "shift": "rect"}
"""Panel kinds and the shape of their picture."""

SLOT_MARGIN = 6
"""CSS px kept free on each side of a panel inside its slot: the least jitter there is."""

WINDOW_MARGIN = 40
"""CSS px kept free above and below a modal panel."""

PHONE_CARD_WIDTH = 335
"""A card on a phone page is as wide as the page's column."""

LEAST_PICTURE = 180
"""A picture is never lower than this, CSS px (rectangles: two thirds of it)."""

PICTURE_SIZES = {"desktop": (188, 240), "phone": (204, 268)}
"""Smallest and largest width of a picture, CSS px: phones give it more of the screen."""

STEP = 4


def _surface(recipe: BackdropRecipe, stream: Stream) -> Surface:
    if recipe.context == "sheet":
        return "sheet"
    if recipe.context == "full":
        return "flat"
    if recipe.context == "dialog":
        return stream.choice(("flat", "card"))
    return "card"


def _width(recipe: BackdropRecipe) -> int | None:
    if recipe.context in ("sheet", "full"):
        return recipe.width
    return PHONE_CARD_WIDTH if recipe.phone else None


def room(recipe: BackdropRecipe, slot: Slot) -> tuple[float, float]:
    """The largest panel (width, height) in CSS px that the backdrop can take."""
    if slot.anchor == "inside":
        spread = 0 if recipe.phone else 2 * SLOT_MARGIN
        return slot.box.width - spread, slot.box.height - 2 * SLOT_MARGIN
    if slot.anchor == "bottom":
        return slot.box.width, slot.box.height
    return recipe.width - 2 * WINDOW_MARGIN, recipe.height - slot.box.height - 2 * WINDOW_MARGIN


def panel_for(recipe: BackdropRecipe, slot: Slot, kind: str) -> PanelLayout:
    """The panel of a backdrop, the largest keyed picture that fits its slot.

    ``RenderFailed`` when not even the smallest picture does.
    """
    stream = Stream(f"panel/{recipe.variant}/{recipe.template}/{kind}")
    look, shape = recipe.look, KINDS[kind]
    style = PanelStyle.draw(stream.child("style"), look)
    surface = _surface(recipe, stream.child("surface"))
    wide, tall = room(recipe, slot)
    least, most = PICTURE_SIZES["phone" if recipe.phone else "desktop"]
    size = stream.child("size").integer(least // STEP, most // STEP + 1) * STEP
    ratio = stream.child("ratio").uniform(0.56, 0.68)
    while size >= LEAST_PICTURE:
        content = (size, size) if shape == "circle" else (size + 32, 2 * round(size * ratio / 2))
        layout = slider_panel(
            *content,
            tokens=look,
            lang=recipe.lang,
            style=style,
            stream=stream,
            kind=kind,
            shape=shape,
            surface=surface,
            touch=recipe.phone,
            width=_width(recipe),
        )
        if layout.width <= wide and layout.height <= tall:
            return layout
        size -= STEP
    raise RenderFailed(f"no {kind} panel fits {wide:g}x{tall:g} CSS px in {recipe.template}")
