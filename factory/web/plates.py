"""Which panel goes with which backdrop: its surface, its width and its place, by key."""

from __future__ import annotations

from factory.core.puzzle import PanelRequest
from factory.core.rng import Stream
from factory.draw.panels import PanelLayout, Surface, lay_out_panel
from factory.web.backdrops import BackdropRecipe, Slot

SLOT_MARGIN = 6
"""CSS px kept free on each side of a panel inside its slot: the least jitter there is."""

WINDOW_MARGIN = 32
"""CSS px kept free above and below a modal panel."""

PHONE_DROP = 0.4
"""A panel in a phone's column hangs in the upper part of its room, under what leads to it."""

CENTRED = 0.5
"""Share of modal panels that stand exactly in the middle, as most do on real pages."""


def _surface(recipe: BackdropRecipe, stream: Stream) -> Surface:
    if recipe.context == "sheet":
        return "sheet"
    if recipe.context == "full":
        return "flat"
    if recipe.context == "dialog":
        return stream.choice(("flat", "card"))
    return "card"


def _width(recipe: BackdropRecipe, slot: Slot) -> int | None:
    """A panel on a phone is as wide as its column; elsewhere its content decides."""
    if recipe.context in ("sheet", "full"):
        return recipe.width
    return round(slot.box.width) if recipe.phone else None


def room(recipe: BackdropRecipe, slot: Slot) -> tuple[float, float]:
    """The largest panel (width, height) in CSS px that the backdrop can take."""
    if slot.anchor == "inside":
        spread = 0 if recipe.phone else 2 * SLOT_MARGIN
        return slot.box.width - spread, slot.box.height - 2 * SLOT_MARGIN
    if slot.anchor == "bottom":
        return slot.box.width, slot.box.height
    return recipe.width - 2 * WINDOW_MARGIN, recipe.height - slot.box.height - 2 * WINDOW_MARGIN


def panel_for(recipe: BackdropRecipe, slot: Slot, name: str, request: PanelRequest) -> PanelLayout:
    """The panel of class ``name`` on a backdrop; ``RenderFailed`` when none fits its slot."""
    stream = Stream(f"panel/{recipe.variant}/{recipe.template}/{name}")
    return lay_out_panel(
        request,
        tokens=recipe.look,
        lang=recipe.lang,
        stream=stream,
        surface=_surface(recipe, stream.child("surface")),
        touch=recipe.phone,
        room=room(recipe, slot),
        width=_width(recipe, slot),
    )


def origin(recipe: BackdropRecipe, slot: Slot, name: str, layout: PanelLayout) -> tuple[int, int]:
    """The panel's top-left corner on the page, whole CSS px, jittered by page and class."""
    box, stream = slot.box, Stream(f"place/{recipe.id}/{name}")
    if slot.anchor == "bottom":
        return int(box.x0), int(box.y1) - layout.height
    if slot.anchor == "centre":
        if stream.child("centred").chance(CENTRED):
            x, y = box.center
        else:
            x, y = stream.uniform(box.x0, box.x1), stream.uniform(box.y0, box.y1)
        return round(x - layout.width / 2), round(y - layout.height / 2)
    free = (box.height - layout.height) * (PHONE_DROP if recipe.phone else 1.0)
    middle = round(box.center.x - layout.width / 2)
    return (
        middle
        if recipe.context == "dialog"
        else _between(stream.child("x"), box.x0, box.x1 - layout.width),
        _between(stream.child("y"), box.y0, box.y0 + free),
    )


def _between(stream: Stream, low: float, high: float) -> int:
    """A whole number in [low, high], off the edges where there is room."""
    margin = min(SLOT_MARGIN, (high - low) / 2)
    return round(stream.uniform(low + margin, high - margin))
