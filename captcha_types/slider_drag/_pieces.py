"""A picture in tiles of which some lie loose in a tray: layout, choice of tiles, and painting.

Boxes are CSS px from the corner of the panel's content.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.puzzle import Placement
from factory.core.rng import Stream
from factory.draw import low_pictures, tile_joins
from factory.draw.panels.paint import bordered, ink, rounded
from factory.draw.tile_joins import Joins, TileBoard
from factory.draw.tokens import tokens_named

Side = Literal["below", "above", "left", "right"]
SIDES: tuple[Side, ...] = get_args(Side)
"""Where the tray is."""

PAD_CSS, APART_CSS, GUTTER_CSS = 8.0, 7.0, 10.0
"""Round the pieces in their tray, between two of them, between tray and picture."""

LANES = 2
"""Rows of pieces in a tray at most."""

LEAST_TILE_CSS = 34.0
"""No side of a tile is shorter."""

SHADE = 2.0


class Plan(NamedTuple):
    """The picture, the tray, and where the pieces may lie in it, in their order."""

    picture: Box
    tray: Box
    homes: tuple[Box, ...]


def plan_of(
    side: Side, width: float, height: float, shape: tuple[int, int], count: int, lanes: int
) -> Plan | None:
    """How a content is divided for a tray of so many lanes; nothing where that leaves no room."""
    rows, columns = shape
    level = side in ("below", "above")
    long, thick = (width, height) if level else (height, width)
    own, other = (columns, rows) if level else (rows, columns)
    along = math.floor(long / own)
    used = GUTTER_CSS + 2 * PAD_CSS + (lanes - 1) * APART_CSS
    across = math.floor((thick - used) / (other + lanes))
    each = math.ceil(count / lanes)
    if (
        min(along, across) < LEAST_TILE_CSS
        or each * (along + APART_CSS) > long - 2 * PAD_CSS + APART_CSS
    ):
        return None
    deep = used - GUTTER_CSS + lanes * across
    start = (long - own * along) / 2
    first = deep + GUTTER_CSS if side in ("above", "left") else 0.0
    tray = 0.0 if side in ("above", "left") else thick - deep
    homes: list[Box] = []
    for lane in range(lanes):
        here = min(each, count - lane * each)
        free = long - 2 * PAD_CSS - here * along
        gap = free / (here + 1)
        for k in range(here):
            at = PAD_CSS + gap + k * (along + gap)
            homes.append(
                _box(level, at, tray + PAD_CSS + lane * (across + APART_CSS), along, across)
            )
    return Plan(
        _box(level, start, first, own * along, other * across),
        _box(level, 0.0, tray, long, deep),
        tuple(homes),
    )


def _box(level: bool, along: float, across: float, long: float, thick: float) -> Box:
    """A box by its place along and across the tray."""
    if level:
        return Box.sized(along, across, long, thick)
    return Box.sized(across, along, thick, long)


def best_plan(
    side: Side, width: float, height: float, shapes: Sequence[tuple[int, int]], count: int
) -> tuple[tuple[int, int], Plan] | None:
    """The shape of those given whose tiles are the squarest, with its plan."""
    found: list[tuple[float, tuple[int, int], Plan]] = []
    for shape in shapes:
        for lanes in range(1, LANES + 1):
            plan = plan_of(side, width, height, shape, count, lanes)
            if plan is not None:
                wide, high = plan.picture.width / shape[1], plan.picture.height / shape[0]
                found.append((min(wide, high) / max(wide, high), shape, plan))
                break
    if not found:
        return None
    _, shape, plan = max(found, key=lambda one: one[0])
    return shape, plan


@cache
def _orders(count: int) -> Any:
    """All ways to lay ``count`` pieces into as many gaps, the right one first."""
    return np.array(list(permutations(range(count))))


def lead(joined: Joins, board: TileBoard, missing: Sequence[int]) -> float:
    """By how much the whole joins better than any other way to fill the gaps; summed levels."""
    orders, places = _orders(len(missing)), np.array(missing)
    lies = np.tile(np.arange(board.count), (len(orders), 1))
    lies[:, places] = places[orders]
    costs = joined.costs(lies, board).sum(axis=1)
    return float(costs[1:].min() - costs[0])


def contents(key: bytes, board: TileBoard) -> list[Any]:
    """The colours of each tile on the small raster, reduced to 8 x 8, ``(64, 3)`` each."""
    low, scale = tile_joins.low_raster(key, board), low_pictures.LOW_SCALE
    shares = (np.arange(8) + 0.5) / 8
    across, down = np.meshgrid(shares, shares)
    unit = np.stack([across.ravel(), down.ravel()], axis=1)
    found: list[Any] = []
    for box in board.places:
        spots = unit * (box.width, box.height) + (box.x0 + board.x, box.y0 + board.y)
        found.append(low_pictures.colours_at(low, scale * spots))
    return found


def spread(tile: Any) -> float:
    """Mean distance of a tile's colours from their mean, levels of the channel farthest off."""
    return float(np.abs(tile - tile.mean(axis=0)).max(axis=1).mean())


def apart(a: Any, b: Any) -> float:
    """Mean difference of two tiles, levels of the channel that differs most."""
    return float(np.abs(a - b).max(axis=1).mean())


def paint_holes(canvas: Any, boxes: Sequence[Box], corner: float, at: Placement) -> None:
    """Recesses where tiles are missing."""
    look = tokens_named(at.tokens)
    for box in boxes:
        canvas.save()
        canvas.clipRRect(rounded(box, corner), True)
        canvas.drawRect(skia.Rect.MakeLTRB(*box.as_list()), ink(look.rgb("track")))
        shade = skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 110))
        shade.setStyle(skia.Paint.kStroke_Style)
        shade.setStrokeWidth(2 * SHADE)
        shade.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, SHADE))
        canvas.drawRRect(rounded(box, corner), shade)
        canvas.restore()
        edge = ink(look.rgb("muted"))
        edge.setStyle(skia.Paint.kStroke_Style)
        edge.setStrokeWidth(1.0)
        edge.setPathEffect(skia.DashPathEffect.Make([4.0, 3.0], 0.0))
        canvas.drawRRect(rounded(box.grown(-1.5), max(0.0, corner - 1)), edge)


def paint_tray(canvas: Any, tray: Box, at: Placement) -> None:
    """The card that pieces lie on."""
    look = tokens_named(at.tokens)
    radius = float(min(look.control_radius_px, 12))
    bordered(canvas, tray, radius, look.rgb("border"), look.rgb("raised"))


def paint_loose(canvas: Any, image: Any, picture: Box, home: Box, at: Box, corner: float) -> None:
    """A loose piece with its shadow and a fine light rim."""
    shadow = skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 110))
    shadow.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 2.5))
    canvas.drawRRect(rounded(at.moved(0, 1.5), corner), shadow)
    tile_joins.paint_tile(canvas, image, picture, home, at, corner)
    rim = skia.Paint(AntiAlias=True, Color=skia.Color(255, 255, 255, 200))
    rim.setStyle(skia.Paint.kStroke_Style)
    rim.setStrokeWidth(1.0)
    canvas.drawRRect(rounded(at.grown(-0.5), corner), rim)


def choose_missing(
    stream: Stream, tiles: Sequence[Any], count: int, least_spread: float, least_apart: float
) -> list[int]:
    """Places of ``count`` tiles that are not plain and not alike, in reading order; or none."""
    rich = [k for k, tile in enumerate(tiles) if spread(tile) >= least_spread]
    found: list[int] = []
    for place in stream.shuffled(rich):
        if len(found) < count and all(apart(tiles[place], tiles[k]) >= least_apart for k in found):
            found.append(place)
    return sorted(found) if len(found) == count else []
