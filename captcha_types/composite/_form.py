"""Labelled fields in two columns under a picture, in the look of the panel; CSS px of the slot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.puzzle import Placement
from factory.draw.panels.paint import bordered, ink, rounded
from factory.draw.text import Face, draw_line, text_width
from factory.draw.tokens import chinese_font, tokens_named

LABEL_CSS, FIELD_CSS = 18.0, 34.0
"""Heights of a label and of its field."""

COLUMN_GAP_CSS, ROW_GAP_CSS = 12.0, 10.0
"""Between fields; a label is nearer to its own field than to any other by the second."""

LABEL_FONT_PX = 13.0
LEAST_PICTURE_CSS = 104.0
"""A lower picture has no room for a dozen figures."""


@dataclass(frozen=True)
class Form:
    """Where the picture, the labels and their fields stand, from the slot's corner."""

    picture: Box
    labels: tuple[Box, ...]
    fields: tuple[Box, ...]


@lru_cache(maxsize=256)
def lay_out(size: tuple[float, float], count: int, label_gap: float) -> Form:
    """``count`` labelled fields under the picture; a last odd one is as wide as the picture.

    ``label_gap`` is the space between a label and its field. ``Rejected`` when what is left
    for the picture is too low.
    """
    width, height = size
    pitch = LABEL_CSS + label_gap + FIELD_CSS + ROW_GAP_CSS
    below = height - pitch * ((count + 1) // 2)
    if below < LEAST_PICTURE_CSS:
        raise Rejected("no room for the picture", value=below, limit=LEAST_PICTURE_CSS)
    half = (width - COLUMN_GAP_CSS) / 2
    labels, fields = list[Box](), list[Box]()
    for k in range(count):
        wide = width if count % 2 and k == count - 1 else half
        left, top = (k % 2) * (half + COLUMN_GAP_CSS), below + ROW_GAP_CSS + pitch * (k // 2)
        labels.append(Box.sized(left, top, wide, LABEL_CSS))
        fields.append(Box.sized(left, top + LABEL_CSS + label_gap, wide, FIELD_CSS))
    return Form(Box(0, 0, width, below), tuple(labels), tuple(fields))


def faces(placement: Placement, weight: int) -> tuple[Face, ...]:
    """The panel's Latin face and its Chinese companion."""
    latin = tokens_named(placement.tokens).font.path()
    return Face(str(latin), weight), Face(str(chinese_font(500 if weight > 400 else 400)), 400)


def refuse_long(labels: Sequence[str], boxes: Sequence[Box], placement: Placement) -> None:
    """``Rejected`` where a label is wider than its field."""
    for text, box in zip(labels, boxes, strict=True):
        wide = text_width(text, faces(placement, 500), LABEL_FONT_PX)
        if wide > box.width:
            raise Rejected("a label too long", value=wide, limit=box.width)


def paint_form(canvas: Any, form: Form, labels: Sequence[str], placement: Placement) -> None:
    """Labels and empty fields, on a canvas whose origin is the slot's corner."""
    look = tokens_named(placement.tokens)
    ground = look.rgb("surface" if placement.ground == "page_bg" else "page_bg")
    radius = float(min(look.control_radius_px, int(FIELD_CSS) // 2))
    for text, label, field in zip(labels, form.labels, form.fields, strict=True):
        draw_line(
            canvas, text, faces(placement, 500), LABEL_FONT_PX, look.rgb("text"), label, "left"
        )
        bordered(canvas, field, radius, look.rgb("muted"), ground)


def clip_picture(canvas: Any, form: Form, placement: Placement) -> None:
    """Round the picture's corners as the panel's controls are, and edge it."""
    look = tokens_named(placement.tokens)
    radius = float(look.control_radius_px)
    canvas.drawRRect(rounded(form.picture, radius), ink(look.rgb("border")))
    canvas.clipRRect(rounded(form.picture.grown(-1), max(0.0, radius - 1)), True)
