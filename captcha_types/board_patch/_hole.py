"""A board of a picture with a hole and tiles of patches: its layout, and the choice of patches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from captcha_types.board_patch import _continuity as continuity
from captcha_types.board_patch._patches import SHAPES, Hole, Patch
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import layout, low_pictures
from factory.draw.tiles import GAP_CSS

PAD_CSS = 5.0
"""Between a patch and the edge of its tile at least."""

RIM_CSS = 9.0
"""Holes keep so far from the picture's edge, that all around them can be compared."""

LEAST_UNREST = 12.0
"""Levels by which colours along the hole's outline differ from their mean, on average."""

LEAST_RISE = 16.0
"""Levels by which a wrong patch breaks off more than the right one, averaged over the outline:
as much as a quarter of it broken by 64 levels, which is seen at a glance."""

LEAST_UNLIKE = 10.0
"""Levels by which two patches differ along their outlines, on average."""

SPARE = 1.0
"""Patches are chosen so many levels past the floors."""

TRIES = 40
"""Patches tried for each that is wanted; holes tried are half as many."""

ORDINALS: Mapping[str, Sequence[str]] = {
    "en": ("first", "second", "third", "fourth", "fifth", "sixth"),
    "zh": ("一", "二", "三", "四", "五", "六"),
}


@dataclass(frozen=True)
class HoleBoard:
    """The picture above, ``count`` tiles for patches of ``size`` below it; CSS px. JSON-able."""

    width: float
    height: float
    count: int
    size: float

    @property
    def rows(self) -> int:
        """Rows of tiles: six are too many for one."""
        return 2 if self.count > 5 else 1

    @property
    def tiles(self) -> list[Box]:
        """The tiles in reading order, from the slot's corner."""
        foot = Box(0.0, self.picture.y1 + GAP_CSS, self.width, self.height)
        return layout.tiles(foot, self.rows, self.count // self.rows, GAP_CSS)

    @property
    def picture(self) -> Box:
        """The picture, from the slot's corner."""
        return Box(0.0, 0.0, *self.picture_size)

    @property
    def picture_size(self) -> tuple[float, float]:
        """Width and height of the picture."""
        tall = self.size + 2 * PAD_CSS + GAP_CSS
        return self.width, float(round(self.height - self.rows * tall))


def lay_board(width: float, height: float, count: int, size: float) -> HoleBoard:
    """A board whose patches fit their tiles."""
    columns = count // (2 if count > 5 else 1)
    most = (width - (columns - 1) * GAP_CSS) / columns - 2 * PAD_CSS
    return HoleBoard(width, height, count, float(int(min(size, most))))


def choose_hole(stream: Stream, picture: Mapping[str, Any], board: HoleBoard) -> Hole:
    """A hole where the picture is not plain."""
    low = low_pictures.low_raster(low_pictures.key_of(picture), *board.picture_size)
    shape = stream.choice(SHAPES)
    for _ in range(TRIES // 2):
        hole = Hole(shape, *_spot(stream, board, RIM_CSS), board.size)
        if continuity.unrest(continuity.around(low, hole)) >= LEAST_UNREST + SPARE:
            return hole
    raise Rejected("no hole but in the plain", limit=LEAST_UNREST)


def choose_others(
    stream: Stream, picture: Mapping[str, Any], board: HoleBoard, hole: Hole, tricks: float
) -> tuple[Patch, ...]:
    """Patches that do not fill the hole; ``tricks`` from 0 to 1 moves how many come from it."""
    low = low_pictures.low_raster(low_pictures.key_of(picture), *board.picture_size)
    ring, right = continuity.around(low, hole), continuity.inside(low, hole, hole.patch)
    floor = continuity.unlike(ring, right) + LEAST_RISE + SPARE
    taken, others = [right], list[Patch]()
    for _ in range(TRIES * (board.count - 1)):
        if len(others) == board.count - 1:
            return tuple(others)
        patch = _other(stream, board, hole, tricks)
        own = continuity.inside(low, hole, patch)
        if continuity.unlike(ring, own) < floor:
            continue
        if continuity.unlikes(np.stack(taken), own).min() >= LEAST_UNLIKE + SPARE:
            taken.append(own)
            others.append(patch)
    if len(others) == board.count - 1:
        return tuple(others)
    raise Rejected("too few other patches", value=len(others), limit=board.count - 1)


def _spot(stream: Stream, board: HoleBoard, rim: float) -> tuple[float, float]:
    """An even place for a square of the hole's size."""
    width, height = board.picture_size
    x = stream.uniform(rim, width - board.size - rim)
    y = stream.uniform(rim, height - board.size - rim)
    return round(x, 6), round(y, 6)


def _other(stream: Stream, board: HoleBoard, hole: Hole, tricks: float) -> Patch:
    """A patch from elsewhere; or by chance the right one changed, or from beside the hole."""
    if not stream.chance(0.15 + 0.7 * tricks):
        x, y = _spot(stream, board, 0.0)
        while max(abs(x - hole.x), abs(y - hole.y)) < 0.7 * board.size:
            x, y = _spot(stream, board, 0.0)
        return Patch(x, y)
    trick, own = stream.choice(("turned", "mirrored", "beside", "dyed")), (hole.x, hole.y)
    if trick == "turned":
        return Patch(*own, quarters=stream.integer(1, 4))
    if trick == "mirrored":
        return Patch(*own, quarters=2 * stream.integer(0, 2), mirrored=True)
    if trick == "beside":
        return _beside(stream, board, own)
    if stream.chance(0.5):
        return Patch(*own, hue_deg=stream.uniform(70, 290))
    return Patch(*own, light=stream.choice((-1.0, 1.0)) * stream.uniform(30, 60))


def _beside(stream: Stream, board: HoleBoard, own: tuple[float, float]) -> Patch:
    """A patch that overlaps the hole by half or more of each side."""
    moves = [stream.choice((-1.0, 1.0)) * stream.uniform(0.25, 0.5) * board.size for _ in "xy"]
    if stream.chance(0.6):
        moves[stream.integer(0, 2)] *= 0.2
    x, y = (
        min(max(at + move, 0.0), limit - board.size)
        for at, move, limit in zip(own, moves, board.picture_size, strict=True)
    )
    return Patch(x, y)


def plainest(picture: Mapping[str, Any], board: HoleBoard, shape: str) -> Hole | None:
    """A hole in the plain, where the picture has a place for it; for states to be refused."""
    width, height = board.picture_size
    low = low_pictures.low_raster(low_pictures.key_of(picture), width, height)
    holes = [
        Hole(shape, RIM_CSS + x, RIM_CSS + y, board.size)
        for x in range(0, int(width - board.size - 2 * RIM_CSS), 12)
        for y in range(0, int(height - board.size - 2 * RIM_CSS), 12)
    ]
    unrest = [continuity.unrest(continuity.around(low, hole)) for hole in holes]
    return holes[unrest.index(min(unrest))] if min(unrest) < LEAST_UNREST else None
