"""What a class paints, without pages, panels and a bank: its areas on a blank canvas."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from factory.core.geometry import Box
from factory.core.mechanics import Pose
from factory.core.puzzle import Artwork, Bitmap, Part, Placement
from factory.draw.compose import opaque, paint_area

GREY = 128
"""The blank canvas."""


def area_box(placement: Placement, area: str) -> Box:
    """A box of the panel in whole canvas px, as plates have it."""
    box = placement.canvas_from_panel.box(placement.boxes[area])
    return Box(*map(float, box.outer_pixels()))


def painted(
    artwork: Artwork, pose: Pose, placement: Placement, *, level: int = GREY, room_css: float = 0.0
) -> tuple[Bitmap, tuple[int, int]]:
    """All parts in their pose on a blank sheet (BGRA, opaque), and its corner in canvas px.

    The sheet holds every area that has a part, with ``room_css`` around them.
    """
    return painted_parts(
        artwork.parts_at(pose.page, pose.frame), pose, placement, level=level, room_css=room_css
    )


def painted_parts(
    parts: tuple[Part, ...], pose: Pose, placement: Placement, *, level: int, room_css: float
) -> tuple[Bitmap, tuple[int, int]]:
    """See ``painted``."""
    areas = {part.area for part in parts} | {"slot"}
    boxes = [area_box(placement, area) for area in sorted(areas)]
    room = room_css * placement.px_per_css
    x0, y0, x1, y1 = Box(
        min(box.x0 for box in boxes), min(box.y0 for box in boxes),
        max(box.x1 for box in boxes), max(box.y1 for box in boxes),
    ).grown(room).outer_pixels()  # fmt: skip
    sheet = np.full((y1 - y0, x1 - x0, 4), level, np.uint8)
    sheet[..., 3] = 255
    for area, own in groupby(parts, key=lambda part: part.area):
        inside = area_box(placement, area).moved(-x0, -y0)
        radius = placement.corner_css * placement.px_per_css if area == "slot" else 0.0
        paint_area(sheet, list(own), pose, inside, placement, origin=(x0, y0), radius_px=radius)
    return sheet, (x0, y0)


def slot_picture(artwork: Artwork, pose: Pose, placement: Placement) -> Bitmap:
    """The slot alone in its pose, BGR."""
    sheet, corner = painted(artwork, pose, placement)
    x0, y0, x1, y1 = area_box(placement, "slot").moved(-corner[0], -corner[1]).outer_pixels()
    return np.ascontiguousarray(opaque(sheet)[y0:y1, x0:x1])
