"""A picture and the place where its loose pieces lie: beside it in a tray, or on it along a side.

Boxes are CSS px from the corner of the panel's content.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

from factory.core.geometry import Box, Point
from factory.core.puzzle import Placement, State
from factory.core.rng import Stream
from factory.draw import picture_images
from factory.draw.panels.paint import bordered, rounded
from factory.draw.tokens import tokens_named

Layout = Literal[
    "tray below",
    "tray above",
    "tray left",
    "tray right",
    "loose left",
    "loose right",
    "loose below",
]

LAYOUTS: tuple[Layout, ...] = get_args(Layout)
"""Where the pieces lie: in a tray of their own, or loose on a side of the picture."""

PAD_CSS = 8.0
"""Between a piece and the edge of its tray."""

GUTTER_CSS = 10.0
"""Between picture and tray."""

RIM_CSS = 10.0
"""Gaps keep from the picture's edge and from where pieces lie: more than the tolerance, so that
a piece pushed against the edge is not home."""

SPREAD_CSS = 10.0
"""How far loose pieces lie out of line."""

APART_CSS = 6.0
"""Between any two gaps, and any two pieces: shadows and rims do not touch."""

TRIES = 60
"""Places tried for a gap; the smallest picture has room for four at most difficulties."""


CUTS = 8
"""Places tried for cutting out a piece without a gap: away from gaps its content stays in view."""


class Gap(State):
    """A gap of the picture: its outline and its corner (CSS px)."""

    shape: str
    x: float
    y: float


class Loose(State):
    """A loose piece: its outline, its corner, and the corner of where it was cut out (CSS px)."""

    shape: str
    x: float
    y: float
    cut_x: float
    cut_y: float


class Areas(NamedTuple):
    """The picture, the part of it where gaps may lie, and the box that holds the pieces."""

    picture: Box
    field: Box
    tray: Box


def areas(layout: Layout, width: float, height: float, size: float) -> Areas:
    """How a layout divides a content of ``width`` x ``height`` for pieces of ``size``."""
    kind, side = layout.split()
    loose, whole = kind == "loose", Box(0.0, 0.0, width, height)
    thick = size + 2 * PAD_CSS + (SPREAD_CSS if loose else 0.0)
    tray, rest = _cut(whole, side, thick, 0.0 if loose else GUTTER_CSS)
    return Areas(whole if loose else rest, rest.grown(-RIM_CSS), tray)


def _cut(whole: Box, side: str, thick: float, gap: float) -> tuple[Box, Box]:
    """A band of the box at one side, and what is left beyond a gap."""
    x0, y0, x1, y1 = whole.x0, whole.y0, whole.x1, whole.y1
    return {
        "below": (Box(x0, y1 - thick, x1, y1), Box(x0, y0, x1, y1 - thick - gap)),
        "above": (Box(x0, y0, x1, y0 + thick), Box(x0, y0 + thick + gap, x1, y1)),
        "left": (Box(x0, y0, x0 + thick, y1), Box(x0 + thick + gap, y0, x1, y1)),
        "right": (Box(x1 - thick, y0, x1, y1), Box(x0, y0, x1 - thick - gap, y1)),
    }[side]


def room_for(tray: Box, size: float) -> int:
    """How many pieces of ``size`` a tray holds."""
    long = max(tray.width, tray.height) - 2 * PAD_CSS
    return int((long + APART_CSS) // (size + APART_CSS))


def laid_out(stream: Stream, tray: Box, size: float, count: int) -> list[Point]:
    """Corners of ``count`` pieces along a tray, in order, at random distances."""
    long, thick = max(tray.width, tray.height), min(tray.width, tray.height)
    slack = long - 2 * PAD_CSS - count * size - (count - 1) * APART_CSS
    shifts = sorted(stream.uniform(0.0, slack) for _ in range(count))
    corners: list[Point] = []
    for number, shift in enumerate(shifts):
        along = PAD_CSS + number * (size + APART_CSS) + shift
        across = stream.uniform(PAD_CSS, thick - PAD_CSS - size)
        x, y = (along, across) if tray.width > tray.height else (across, along)
        corners.append(Point(round(tray.x0 + x, 6), round(tray.y0 + y, 6)))
    return corners


def scattered(
    stream: Stream, field: Box, size: float, taken: list[Point], count: int
) -> list[Point]:
    """Corners of up to ``count`` more gaps in ``field``, apart from those ``taken``."""
    found: list[Point] = []
    for _ in range(TRIES):
        if len(found) == count:
            break
        spot = spot_in(stream, field, size)
        if all(are_apart(spot, other, size) for other in (*taken, *found)):
            found.append(spot)
    return found


def spot_in(stream: Stream, field: Box, size: float) -> Point:
    """An even place in ``field`` for the corner of something of ``size``."""
    x = stream.uniform(field.x0, field.x1 - size)
    y = stream.uniform(field.y0, field.y1 - size)
    return Point(round(x, 6), round(y, 6))


def far_spot(stream: Stream, field: Box, size: float, taken: list[Point]) -> Point:
    """Of a few even places in ``field``, the one that is farthest from all ``taken``."""
    spots = [spot_in(stream, field, size) for _ in range(CUTS)]
    return max(spots, key=lambda spot: min(max(abs(spot.x - x), abs(spot.y - y)) for x, y in taken))


def are_apart(a: tuple[float, float], b: tuple[float, float], size: float) -> bool:
    """Whether two squares of ``size`` with these corners keep ``APART_CSS``."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= size + APART_CSS


def square(thing: Gap | Loose, size: float) -> Box:
    """The square that a gap or a piece of ``size`` fills."""
    return Box.sized(thing.x, thing.y, size, size)


def all_apart(things: Sequence[Gap | Loose], size: float) -> bool:
    """Whether any two of them keep ``APART_CSS``."""
    spots = [(thing.x, thing.y) for thing in things]
    return all(are_apart(a, b, size - 1e-4) for n, a in enumerate(spots) for b in spots[n + 1 :])


def paint_grounds(canvas: Any, parts: Areas, layout: Layout, image: Any, at: Placement) -> None:
    """The picture with the panel's rounded corners, and the tray where there is one."""
    look, slot = tokens_named(at.tokens), at.boxes["slot"]
    radius = float(min(look.control_radius_px, 14))
    picture = parts.picture.moved(slot.x0, slot.y0)
    canvas.save()
    canvas.clipRRect(rounded(picture, radius), True)
    picture_images.paint_image(canvas, image, picture)
    canvas.restore()
    if layout.startswith("tray"):
        tray = parts.tray.moved(slot.x0, slot.y0)
        bordered(canvas, tray, radius, look.rgb("border"), look.rgb("track"))
