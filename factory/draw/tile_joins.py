"""Pictures in tiles, and how well any two of the tiles would join; lengths are CSS px."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import layout, low_pictures

EDGE_POINTS = 14
"""Places along an edge of a tile where colours are read."""

IN_CSS = 2.0
"""How far inside the edge: beyond gaps, round corners and their blur."""

VIEWS, LARGER = 6, (1.0, 1.3, 1.6)
"""Parts of the picture that are tried at each size for one whose moved tiles can be told apart."""


@dataclass(frozen=True)
class TileBoard:
    """Tiles ``gap`` apart in a slot of ``width`` by ``height``, CSS px. JSON-able.

    The picture is ``zoom`` times as large as the slot; ``(x, y)`` of it lies in the slot's corner.
    """

    width: float
    height: float
    rows: int
    columns: int
    gap: float
    round: float
    zoom: float
    x: float = 0.0
    y: float = 0.0

    @property
    def picture(self) -> Box:
        """The whole picture, from the slot's corner."""
        return Box.sized(-self.x, -self.y, self.zoom * self.width, self.zoom * self.height)

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return self.rows * self.columns

    @property
    def places(self) -> list[Box]:
        """The tiles in reading order, from the slot's corner."""
        return layout.tiles(
            Box(0.0, 0.0, self.width, self.height), self.rows, self.columns, self.gap
        )


def choose_look(
    stream: Stream, width: float, height: float, shape: tuple[int, int], cues: float
) -> TileBoard:
    """Size of the picture, gaps, corners; ``cues`` from 0 (clear) to 1 widens gaps, which break
    lines."""
    gap = float(round(stream.uniform(1.0, 2.0) + 2.5 * cues * stream.random()))
    zoom = round(stream.uniform(1.0, 1.3), 2)
    return TileBoard(width, height, *shape, gap, float(stream.choice((0, 3, 6))), zoom)


def choose_view(stream: Stream, board: TileBoard, good: Callable[[TileBoard], bool]) -> TileBoard:
    """The board over a part of the picture that is good, where one is found soon.

    A wall of one colour has no two tiles that differ: the picture gets larger until few are left.
    """
    found = board
    for larger in LARGER:
        zoom = round(board.zoom * larger, 2)
        for _ in range(VIEWS):
            x, y = ((zoom - 1.0) * side * stream.random() for side in (board.width, board.height))
            found = replace(board, zoom=zoom, x=float(round(x)), y=float(round(y)))
            if good(found):
                return found
    return found


def low_raster(key: bytes, board: TileBoard) -> Any:
    """The whole picture, small; see ``low_pictures``."""
    return low_pictures.low_raster(key, board.picture.width, board.picture.height)


def tile_edges(key: bytes, board: TileBoard) -> Any:
    """Colours along left, top, right and foot of each tile at home, ``(tiles, 4, points, 3)``."""
    return edges_seen(
        low_raster(key, board),
        low_pictures.LOW_SCALE,
        (low_pictures.LOW_SCALE * board.x, low_pictures.LOW_SCALE * board.y),
        board,
    )


def edges_seen(pixels: Any, scale: float, corner: Sequence[float], board: TileBoard) -> Any:
    """The same of the tiles as they lie in a picture, by place; ``corner`` is the slot's."""
    return edges_of(pixels, scale, corner, board.places)


def edges_of(pixels: Any, scale: float, corner: Sequence[float], tiles: Sequence[Box]) -> Any:
    """The same of tiles that lie anywhere, from the slot's corner."""
    boxes = np.array([box.grown(-IN_CSS).as_list() for box in tiles])
    spots = (boxes @ _edge_shares()).reshape(-1, 2)
    colours = low_pictures.colours_at(pixels, np.add(scale * spots, corner))
    return colours.reshape(len(tiles), 4, EDGE_POINTS, 3)


@cache
def _edge_shares() -> Any:
    """What the edges of a box ``(x0, y0, x1, y1)`` are multiplied with for the spots."""
    shares = (np.arange(EDGE_POINTS) + 0.5) / EDGE_POINTS
    weights = np.zeros((4, 4, EDGE_POINTS, 2))
    for side, (low, high, axis) in enumerate(((1, 3, 0), (0, 2, 1), (1, 3, 0), (0, 2, 1))):
        weights[side, side, :, axis] = 1.0
        weights[low, side, :, 1 - axis] = 1.0 - shares
        weights[high, side, :, 1 - axis] = shares
    return weights.reshape(4, -1)


class Joins(NamedTuple):
    """How much colours change, in mean levels, where one tile lies left of or above another.

    ``across[a, b]`` with ``a`` left of ``b``, ``down[a, b]`` with ``a`` above ``b``.
    """

    across: Any
    down: Any

    def costs(self, lies: Any, board: TileBoard) -> Any:
        """The same of every joint of arrangements ``(many, tiles)``: ``(many, joints)``."""
        (left, right), (upper, lower) = joints(board.rows, board.columns)
        beside = self.across[lies[:, left], lies[:, right]]
        return np.concatenate([beside, self.down[lies[:, upper], lies[:, lower]]], axis=1)


def joins(edges: Any) -> Joins:
    """How any two tiles would join; ``edges`` are by tile."""
    left, top, right, foot = (edges[:, side] for side in range(4))
    return Joins(_changes(right, left), _changes(foot, top))


def _changes(mine: Any, other: Any) -> Any:
    apart = np.abs(mine[:, None] - other[None])
    return np.maximum.reduce(apart, axis=-1).sum(axis=-1) / EDGE_POINTS


@lru_cache(maxsize=16)
def joints(rows: int, columns: int) -> tuple[Any, Any]:
    """Places ``(left, right)`` of the joints across, ``(upper, lower)`` of those down."""
    places = np.arange(rows * columns).reshape(rows, columns)
    across = places[:, :-1].ravel(), places[:, 1:].ravel()
    return across, (places[:-1].ravel(), places[1:].ravel())


def rise(joined: Joins, lies: tuple[int, ...], board: TileBoard) -> float:
    """How much worse than the right one a wrong tile joins its neighbours, at the least; levels."""
    home = range(board.count)
    costs = joined.costs(np.array([lies, home]), board)
    across, down = joints(board.rows, board.columns)
    upper, lower = np.concatenate([across, down], axis=1)
    worse = costs[0] - costs[1]
    sums = np.bincount(upper, worse, board.count) + np.bincount(lower, worse, board.count)
    each = np.bincount(upper, minlength=board.count) + np.bincount(lower, minlength=board.count)
    return min(float(sums[place] / each[place]) for place in home if lies[place] != place)


def paint_tile(canvas: Any, image: Any, picture: Box, home: Box, at: Box, corner: float) -> None:
    """The piece of ``image`` (over ``picture``) whose home is ``home``, lying at ``at``."""
    canvas.save()
    rect = skia.Rect.MakeLTRB(at.x0, at.y0, at.x1, at.y1)
    canvas.clipRRect(skia.RRect.MakeRectXY(rect, corner, corner), True)
    whole = picture.moved(at.x0 - home.x0, at.y0 - home.y0)
    canvas.drawImageRect(image, skia.Rect.MakeLTRB(whole.x0, whole.y0, whole.x1, whole.y1))
    canvas.restore()
