"""Windows with buttons or boxes to tick: labels that nearly say the same, layout, paint."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import layout
from factory.draw.colours import contrast, mix, parse_hex
from factory.draw.styles import rgb_colour
from factory.draw.text import Face, draw_line, text_width
from factory.draw.tokens import AA_TEXT, Tokens, chinese_font

Sort = Literal["button", "box"]

WINDOW_INSET_CSS, BAR_CSS, PAD_CSS, GAP_CSS = 8.0, 16.0, 9.0, 8.0
TALLEST_CSS, BOX_CSS = 36.0, 18.0
TEXT_SIZES = (13.5, 13.0, 12.5, 12.0, 11.5)
WEIGHT = 600

SHAPES = {"button": {3: (1, 3), 4: (2, 2), 6: (2, 3)}, "box": {3: (1, 3), 4: (1, 4), 5: (1, 5)}}
"""Columns and rows by sort and count."""

Corner = tuple[float, float]


@dataclass(frozen=True)
class Widget:
    """A button, or a box to tick with its text beside it. CSS px of the picture. JSON-able."""

    sort: Sort
    text: str
    x: float
    y: float
    width: float
    height: float
    fill: str
    ink: str
    edge: str
    radius: float

    @property
    def box(self) -> Box:
        """What is to be tapped."""
        w, h = self.width / 2, self.height / 2
        return Box(self.x - w, self.y - h, self.x + w, self.y + h)


def hull(widget: Widget) -> tuple[Corner, ...]:
    """The outline of what is to be tapped."""
    b = widget.box
    return ((b.x0, b.y0), (b.x1, b.y0), (b.x1, b.y1), (b.x0, b.y1))


@cache
def labels(sort: Sort, lang: str) -> tuple[tuple[str, ...], ...]:
    """Groups of labels that are near to one another."""
    path = Path(__file__).with_name("labels.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(tuple(group.split("|")) for group in data[lang][sort])


def choose_labels(
    stream: Stream, sort: Sort, lang: str, group: int, member: int, shown: int, near: float
) -> list[str]:
    """The label asked for, and others: its own group's by chance ``near``, then any group's."""
    groups = labels(sort, lang)
    asked = groups[group][member]
    mates = [text for text in groups[group] if text != asked]
    found = [text for text in stream.shuffled(mates) if stream.chance(near)][: shown - 1]
    rest = stream.shuffled([own for k, own in enumerate(groups) if k != group])
    others = [stream.choice(own) for own in rest[: shown - 1 - len(found)]]
    return [asked, *stream.shuffled([*found, *others])]


@lru_cache(maxsize=64)
def faces(tokens: Tokens) -> tuple[Face, ...]:
    """The panel's own type, and the Chinese one."""
    return Face(str(tokens.font.path()), WEIGHT), Face(str(chinese_font(500)), 400)


def rooms(sort: Sort, size: tuple[float, float], shown: int) -> list[Box]:
    """Where controls stand in the window, in reading order."""
    columns, rows = SHAPES[sort][shown]
    window = Box(0, 0, *size).grown(-WINDOW_INSET_CSS)
    inner = Box(window.x0, window.y0 + BAR_CSS, window.x1, window.y1).grown(-PAD_CSS)
    return layout.tiles(inner, rows, columns, GAP_CSS if sort == "button" else 2.0)


def place(
    stream: Stream,
    sort: Sort,
    texts: Sequence[str],
    order: Sequence[int],
    size: tuple[float, float],
    look: Tokens,
) -> tuple[float, list[Widget]]:
    """Text size and controls, ``order`` the room of each; looks say nothing of the answer."""
    found = rooms(sort, size, len(texts))
    free = found[0].width - (14.0 if sort == "button" else BOX_CSS + 14.0)
    widest = {px: max(text_width(t, faces(look), px) for t in texts) for px in TEXT_SIZES}
    text_px = next((px for px in TEXT_SIZES if widest[px] <= free), 0.0)
    if not text_px:
        raise Rejected("a label is too long", value=min(widest.values()), limit=free)
    radius = stream.choice((3.0, 6.0, 10.0, 18.0)) if sort == "button" else 4.0
    return text_px, [
        _widget(stream, sort, text, found[at], look, radius)
        for text, at in zip(texts, order, strict=True)
    ]


def _widget(
    stream: Stream, sort: Sort, text: str, room: Box, look: Tokens, radius: float
) -> Widget:
    x, y = room.center
    if sort == "box":
        left = room.x0 + BOX_CSS / 2 + 2.0
        return Widget(
            sort, text, left, y, BOX_CSS, BOX_CSS, look.surface, look.text, look.muted, radius
        )
    height = min(TALLEST_CSS, room.height)
    plain = (look.surface, look.text, look.muted)
    soft = (mix(look.text, look.surface, 0.1), look.text, mix(look.text, look.surface, 0.1))
    full = (look.accent, look.on_accent, look.accent)
    fill, ink, edge = stream.choice((plain, soft, full))
    return Widget(sort, text, x, y, room.width, height, fill, ink, edge, min(radius, height / 2))


def text_box(widget: Widget, size: tuple[float, float]) -> Box:
    """Where a control's text stands, CSS px of the picture."""
    if widget.sort == "button":
        return widget.box.grown(-6)  # clear of round corners
    right = size[0] - WINDOW_INSET_CSS - PAD_CSS
    b = widget.box
    return Box(b.x1 + 7.0, b.y0, right, b.y1)


def ink_box(widget: Widget, size: tuple[float, float], text_px: float, look: Tokens) -> Box:
    """Where a control's text has its ink, CSS px of the picture."""
    room, wide = text_box(widget, size), text_width(widget.text, faces(look), text_px)
    left = room.x0 if widget.sort == "box" else room.center.x - wide / 2
    return Box.sized(left, widget.y - text_px * 0.4, wide, text_px * 0.8)


def refuse_widgets(widgets: Sequence[Widget], area: Box) -> None:
    """``Rejected`` where labels repeat, do not read, or controls leave the window or meet."""
    if len({widget.text for widget in widgets}) < len(widgets):
        raise Rejected("a label stands twice")
    for k, widget in enumerate(widgets):
        if not area.grown(-WINDOW_INSET_CSS).holds(widget.box):
            raise Rejected("a control leaves the window")
        reads = contrast(widget.ink, widget.fill)
        if reads < AA_TEXT:
            raise Rejected("a label does not read", value=reads, limit=AA_TEXT)
        if any(widget.box.grown(2.5).overlaps(other.box) for other in widgets[:k]):
            raise Rejected("controls too close")


def paint_window(
    canvas: Any, widgets: Sequence[Widget], size: tuple[float, float], text_px: float, look: Tokens
) -> None:
    """A window with its bar, and the controls in it."""
    window = Box(0, 0, *size).grown(-WINDOW_INSET_CSS)
    _round(canvas, window.grown(1), 9.0, look.border)
    _round(canvas, window, 8.0, look.surface)
    for k in range(3):
        dot = skia.Paint(Color=rgb_colour(look.border), AntiAlias=True)
        canvas.drawCircle(window.x0 + 12 + 10 * k, window.y0 + 10, 3, dot)
    for widget in widgets:
        _round(canvas, widget.box, widget.radius, widget.edge)
        _round(canvas, widget.box.grown(-1.2), max(1.0, widget.radius - 1.2), widget.fill)
        align = "center" if widget.sort == "button" else "left"
        box, ink = text_box(widget, size), parse_hex(widget.ink)
        draw_line(canvas, widget.text, faces(look), text_px, ink, box, align)


def _round(canvas: Any, box: Box, radius: float, colour: str) -> None:
    rect = skia.Rect.MakeLTRB(box.x0, box.y0, box.x1, box.y1)
    paint = skia.Paint(Color=rgb_colour(colour), AntiAlias=True)
    canvas.drawRoundRect(rect, radius, radius, paint)
