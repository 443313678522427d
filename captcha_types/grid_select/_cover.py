"""Things on a picture that is cut into cells: how much of each cell they cover, where they fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import icons, layout
from factory.draw.icons.icon import RIM
from factory.draw.inkmasks import INKED, mask

LINE_CSS = 2.0
"""Between two cells."""

PARTS = 3
"""The middle of the first thing lies in any of so many parts across and down, evenly."""

EDGE_CSS = 3.0
"""Between what is painted and the picture's edge."""

LEAST_GAP_CSS = 5.0
"""Between the circles around two things."""

POSES, SPOTS = 10, 48
"""Sizes and turns tried for a thing, and places for each."""

EASED = 0.25
"""Things are placed this share of the band inside its ends."""


@dataclass(frozen=True)
class Lattice:
    """``rows`` x ``columns`` cells over a picture of ``width`` by ``height`` CSS px. JSON-able."""

    width: float
    height: float
    rows: int
    columns: int

    @property
    def cells(self) -> list[Box]:
        """The cells in reading order, whole CSS px from the picture's corner."""
        boxes = layout.tiles(self.whole, self.rows, self.columns, LINE_CSS)
        return [Box(*(float(round(edge)) for edge in box.as_list())) for box in boxes]

    @property
    def whole(self) -> Box:
        """The picture, from its own corner."""
        return Box(0.0, 0.0, self.width, self.height)

    @property
    def side(self) -> float:
        """The shorter side of a cell."""
        return min(self.width / self.columns, self.height / self.rows)

    def cell_at(self, x: float, y: float) -> int:
        """The cell whose share of the picture holds a point."""
        row = min(self.rows - 1, int(self.rows * y / self.height))
        return row * self.columns + min(self.columns - 1, int(self.columns * x / self.width))

    def part_at(self, x: float, y: float) -> int:
        """The part of ``PARTS`` x ``PARTS`` equal ones of the picture that holds a point."""
        return Lattice(self.width, self.height, PARTS, PARTS).cell_at(x, y)


@dataclass(frozen=True)
class Band:
    """Shares of a cell between which nobody knows whether it counts. JSON-able."""

    low: float
    high: float

    def clear(self, shares: Any, eased: float = 0.0) -> Any:
        """Whether no share of the last axis lies between, or is nearer to the band than ``eased``
        of its width."""
        spare = eased * (self.high - self.low)
        return ((shares <= max(0.0, self.low - spare)) | (shares >= self.high + spare)).all(axis=-1)


@lru_cache(maxsize=256)
def _sums(asset: str, size: int, turn: int, mirrored: bool, rimmed: bool) -> tuple[Any, int]:
    """Sums of the inked px above and left of each, and how far the mask reaches from its middle."""
    half = math.ceil(0.75 * size) + 4
    path = skia.Path(icons.icon_shape(asset).rim)
    path.transform(skia.Matrix.Scale(-size if mirrored else size, size))
    path.transform(skia.Matrix.RotateDeg(turn))
    area = Box(-half, -half, half, half)
    inked = mask(path, area) >= INKED
    if rimmed:
        inked |= mask(path, area, stroke=2 * RIM * size) >= INKED
    sums = np.zeros((2 * half + 1, 2 * half + 1), np.int32)
    np.cumsum(np.cumsum(inked, axis=0), axis=1, out=sums[1:, 1:])
    return sums, half


def covered(spec: icons.IconSpec, lattice: Lattice) -> Any:
    """The share of each cell that a thing covers, rims included, in reading order."""
    return covered_at(spec, lattice, np.array([[spec.x, spec.y]]))[0]


def covered_at(pose: icons.IconSpec, lattice: Lattice, spots: Any) -> Any:
    """The same with the middle of the thing at each of whole ``spots`` ``(n, 2)``, a row each."""
    sums, half = _sums(pose.asset, round(pose.size), round(pose.turn_deg), pose.mirrored,
                       pose.style.kind == "sticker")  # fmt: skip
    edges = _edges(lattice)
    x, y = spots.astype(np.int64)[:, :, None].transpose(1, 0, 2)
    x0, x1 = (np.clip(edge - x + half, 0, 2 * half) for edge in edges[:2])
    y0, y1 = (np.clip(edge - y + half, 0, 2 * half) for edge in edges[2:])
    inked = sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
    return inked / ((edges[1] - edges[0]) * (edges[3] - edges[2]))


@lru_cache(maxsize=64)
def _edges(lattice: Lattice) -> Any:
    """Left, right, upper and lower edges of the cells, ``(4, cells)``."""
    return np.array([[b.x0, b.x1, b.y0, b.y1] for b in lattice.cells], np.int64).T


def covered_by_all(things: Sequence[icons.IconSpec], lattice: Lattice) -> Any:
    """The same for things that do not overlap."""
    return np.add.reduce([covered(thing, lattice) for thing in things])


def reach(spec: icons.IconSpec) -> float:
    """Radius that holds a thing with its rim or shadow, CSS px."""
    return icons.icon_reach(spec.asset, spec.size) + 0.06 * spec.size


def apart(one: icons.IconSpec, other: icons.IconSpec) -> float:
    """CSS px between the circles around two things."""
    return math.hypot(one.x - other.x, one.y - other.y) - reach(one) - reach(other)


def place(
    stream: Stream, probe: icons.IconSpec, lattice: Lattice, taken: Sequence[icons.IconSpec],
    sizes: tuple[float, float], *, part: int | None, band: Band | None,
) -> icons.IconSpec:  # fmt: skip
    """A thing turned and put somewhere, clear of others; with its middle in a ``part`` of the
    picture, and with no cell covered by a share in ``band``, where these are given."""
    low, high = sizes
    for number in range(POSES):
        most = high - (high - low) * number / POSES  # what finds no place gets smaller
        pose = replace(
            probe,
            size=float(round(stream.uniform(low, most) * lattice.side)),
            turn_deg=float(stream.integer(-22, 23)),
        )
        room = _room(pose, lattice, part)  # the probe's middle lies at 0
        if room.width < 1 or room.height < 1:
            continue
        spots = _free(np.array([_spot(stream, room) for _ in range(SPOTS)]), pose, taken)
        if band is not None and len(spots):
            spots = spots[band.clear(covered_at(pose, lattice, spots), EASED)]
        if len(spots):
            return replace(pose, x=float(spots[0, 0]), y=float(spots[0, 1]))
    raise Rejected("no place for a thing", value=len(taken), limit=POSES)


def _spot(stream: Stream, room: Box) -> tuple[int, int]:
    return round(stream.uniform(room.x0, room.x1)), round(stream.uniform(room.y0, room.y1))


def _free(spots: Any, pose: icons.IconSpec, taken: Sequence[icons.IconSpec]) -> Any:
    """The spots at which a thing is clear of others."""
    for other in taken:
        need = reach(pose) + reach(other) + LEAST_GAP_CSS
        spots = spots[((spots - (other.x, other.y)) ** 2).sum(axis=1) >= need**2]
    return spots


def _room(pose: icons.IconSpec, lattice: Lattice, part: int | None) -> Box:
    """Where the middle of a thing may lie: so that it keeps to the picture, and in its part."""
    own, whole = icons.icon_ink(pose).painted, lattice.whole.grown(-EDGE_CSS)
    room = Box(whole.x0 - own.x0, whole.y0 - own.y0, whole.x1 - own.x1, whole.y1 - own.y1)
    if part is None:
        return room
    row, column = divmod(part, PARTS)
    wide, tall = lattice.width / PARTS, lattice.height / PARTS
    return Box(
        max(room.x0, column * wide + 1),
        max(room.y0, row * tall + 1),
        min(room.x1, (column + 1) * wide - 1),
        min(room.y1, (row + 1) * tall - 1),
    )


def drawn_shares(things: Sequence[icons.IconSpec], lattice: Lattice) -> list[float]:
    """The share of each cell that things cover, by painting them: for the check of the masks."""
    width, height = round(lattice.width), round(lattice.height)
    buffer = np.zeros((height, width, 4), np.uint8)
    info = skia.ImageInfo.Make(width, height, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, buffer) as canvas:
        icons.draw_icons(canvas, things)
    inked = buffer[..., 3] >= INKED
    found: list[float] = []
    for box in lattice.cells:
        x0, y0, x1, y1 = box.outer_pixels()
        found.append(float(inked[y0:y1, x0:x1].mean()))
    return found


def paint_lines(canvas: Any, lattice: Lattice) -> None:
    """Light lines with a fine shade between the cells, CSS px from the picture's corner."""
    wide, tall = lattice.width / lattice.columns, lattice.height / lattice.rows
    path = skia.Path()
    for column in range(1, lattice.columns):
        path.addRect(skia.Rect.MakeXYWH(column * wide - LINE_CSS / 2, 0, LINE_CSS, lattice.height))
    for row in range(1, lattice.rows):
        path.addRect(skia.Rect.MakeXYWH(0, row * tall - LINE_CSS / 2, lattice.width, LINE_CSS))
    shade = skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 60))
    shade.setStyle(skia.Paint.kStroke_Style)
    shade.setStrokeWidth(1.0)
    canvas.drawPath(path, shade)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=skia.Color(255, 255, 255, 235)))
