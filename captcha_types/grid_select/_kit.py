"""What boards share: tiles, what stands on them, and which categories may stand together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import skia

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import grounds, icons, layout
from factory.draw.icons.kinds import BORDERLINE, QUERIES, pool
from factory.draw.likeness import likeness
from factory.draw.panels.paint import ink, rounded
from factory.draw.pictures.icon import icon_outline
from factory.draw.tokens import RGB
from factory.draw.tones import LARGE_GLYPHS

GAP_CSS = 6.0
"""Between two tiles."""

TILE_ROUND_CSS = 8.0
STYLES = 3
LEAST_BADGE_CSS = 72.0
"""Smaller tiles have no room for a badge around a thing."""

FREE_KINDS: Mapping[str, tuple[str, ...]] = {
    "icon": ("line", "duotone", "rim", "shadow"),
    "emoji3d": ("plain", "sticker", "shadow"),
}
THIN = 2.0
"""Line width on the grid of 24 from which small icons close up."""

LEAST_CONTRAST = 4.0
"""Of an ink to what is behind it: WCAG asks 3 of graphics; 4.5 no ink has on a middling badge."""

FILL = 0.72
"""Share of a tile's side that its icon takes at most."""


def some(stream: Stream, few: Sequence[icons.IconInfo], count: int) -> list[icons.IconInfo]:
    """``count`` icons, different ones while there are enough."""
    found: list[icons.IconInfo] = []
    while len(found) < count:
        found += stream.sample(few, min(len(few), count - len(found)))
    return found


def tiles(size: tuple[float, float], rows: int) -> list[Box]:
    """The tiles of a square board in reading order, CSS px from its corner."""
    return layout.tiles(Box(0, 0, *size), rows, rows, GAP_CSS)


def styles(
    stream: Stream,
    ground: grounds.Ground,
    source: str,
    *,
    tile_css: float = math.inf,
    floor: float = LARGE_GLYPHS,
) -> tuple[icons.IconStyle, ...]:
    """The looks that a board gives its things: a few, so that it is one board.

    On small tiles (``tile_css`` is their side) things stand free and their lines are
    thin: inside a badge they close up.
    """
    small = tile_css < LEAST_BADGE_CSS
    kinds = FREE_KINDS[source] if small else ()
    found = [
        icons.choose_icon_style(stream, ground.tone, source, kinds=kinds, floor=floor)
        for _ in range(STYLES)
    ]
    return tuple(
        replace(style, stroke=min(style.stroke, THIN)) if small else style for style in found
    )


def on_tile(
    stream: Stream, info: icons.IconInfo, tile: Box, style: icons.IconStyle, unrest: float
) -> icons.IconSpec:
    """An icon somewhere on its tile, turned a little; all of it on the tile."""
    side = min(tile.width, tile.height)
    size = side * FILL * stream.uniform(1.0 - 0.22 * unrest, 1.0)
    reach = icons.icon_reach(info.asset, 1.0, style.kind)
    size = min(size, 0.46 * side / reach)
    free = max(0.0, side / 2 - 3.0 - size * reach)
    x, y = tile.center
    return icons.IconSpec(
        info.asset,
        size,
        x + stream.uniform(-1, 1) * free,
        y + stream.uniform(-1, 1) * free,
        style,
        turn_deg=stream.uniform(-1, 1) * (4.0 + 14.0 * unrest),
        mirrored=stream.chance(0.3) and info.category != "symbol",
    )


def paint_gaps(canvas: Any, slot: Box, boxes: Sequence[Box], colour: RGB) -> None:
    """Paint what lies between tiles in the panel's own colour: cheaper than clipping to them."""
    path = skia.Path()
    path.addRect(skia.Rect.MakeLTRB(slot.x0, slot.y0, slot.x1, slot.y1))
    for box in boxes:
        path.addRRect(rounded(box, TILE_ROUND_CSS))
    path.setFillType(skia.PathFillType.kEvenOdd)
    canvas.drawPath(path, ink(colour))


def paint_rims(canvas: Any, boxes: Sequence[Box], colour: RGB) -> None:
    """A hairline inside each tile's edge: a ground may have the panel's own colour."""
    for box in boxes:
        inner = rounded(box.grown(-1.0), TILE_ROUND_CSS - 1.0)
        canvas.drawDRRect(rounded(box, TILE_ROUND_CSS), inner, ink(colour))


def taps(boxes: Sequence[Box], chosen: Sequence[int], submit: Box | None) -> list[ActionBase]:
    """Clicks on tiles, then on the button where there is one; canvas px."""
    clicks: list[ActionBase] = [Click(boxes[index].center) for index in chosen]
    return clicks if submit is None else [*clicks, Click(submit.center)]


def with_asset(
    things: Sequence[icons.IconSpec], tile: int, assets: Sequence[str]
) -> tuple[icons.IconSpec, ...]:
    """The things with another on one tile: the first of ``assets`` of its source."""
    source = things[tile].asset.partition("/")[0]
    asset = next(a for a in assets if a.startswith(f"{source}/"))
    return (*things[:tile], replace(things[tile], asset=asset), *things[tile + 1 :])


def swapped(
    things: Sequence[icons.IconSpec], tile: int, kinds: Sequence[str]
) -> tuple[icons.IconSpec, ...]:
    """The things with one of these kinds on a tile."""
    found = [info.asset for kind in kinds for info in pool("train", "", kind)]
    return with_asset(things, tile, found)


def borderline(query: str) -> list[str]:
    """Borderline assets that are neither of a kind nor near to it."""
    barred = {query, *QUERIES[query].near}
    return [
        info.asset
        for info in icons.icons("train")
        if info.en in BORDERLINE and info.category not in barred
    ]


@cache
def self_likeness(asset: str, turn_deg: float, mirrored: bool = False) -> float:
    """How alike an icon is to itself turned clockwise (and mirrored): overlap, 0 to 1.

    Of its silhouette, and for line icons the geometric mean with that of its lines.
    """
    info, rim = icons.icon_info(asset), icons.icon_shape(asset).rim
    found = likeness(rim, rim, (turn_deg,), mirrored=mirrored)
    if info.source != "icon":
        return round(found, 6)
    path = icon_outline(info.name)
    return round(
        (found * likeness(path, path, (turn_deg,), mirrored=mirrored, stroke=2.0)) ** 0.5, 6
    )


def minority(values: Sequence[Any], same: Callable[[Any, Any], bool]) -> set[int]:
    """Indices that differ from what more than half agree on; none where all or no half agree."""
    groups = ([j for j, other in enumerate(values) if same(value, other)] for value in values)
    most = max(groups, key=len)
    return set(range(len(values))) - set(most) if 2 * len(most) > len(values) else set()
