"""What puzzles of space share: zones in the panel, cubes on tiles, near misses on boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import skia

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.core.mechanics.cells import Cells
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import WrongResponse
from factory.core.rng import Rng, Stream
from factory.draw import solid
from factory.draw.colour_names import TELL_APART, distance
from factory.draw.colours import luminance
from factory.draw.solid.outlines import add_hull, shadows_seen
from factory.draw.solid.scene import Cell
from factory.draw.solid.vectors import Vec, cross, times
from factory.draw.tones import Tone


def moved_zone(hull: Sequence[Point], slot: Box) -> Zone:
    """A hull in CSS px of the picture as a zone of the panel."""
    return Zone(tuple(Point(round(x + slot.x0, 6), round(y + slot.y0, 6)) for x, y in hull))


def somewhere(stream: Stream, area: Box, least: float) -> tuple[float, float, float, float]:
    """A part of an area, ``least`` of its sides or more, anywhere in it."""
    share = stream.uniform(least, 1.0)
    width, height = area.width * share, area.height * share
    x = area.x0 + (area.width - width) * stream.random()
    y = area.y0 + (area.height - height) * stream.random()
    return round(x, 6), round(y, 6), round(x + width, 6), round(y + height, 6)


def taps(mechanic: Cells, tiles: Sequence[int]) -> tuple[ActionBase, ...]:
    """Clicks on tiles, then on the button where there is one; canvas px."""
    clicks = [Click(mechanic.cells[tile].center) for tile in tiles]
    return (*clicks, *([] if mechanic.submit is None else [Click(mechanic.submit.center)]))


def wrong_tiles(
    rng: Rng, mechanic: Cells, right: Sequence[int], *, one: bool
) -> list[WrongResponse]:
    """Sets of tiles that are nearly right."""
    wrong = [tile for tile in range(len(mechanic.cells)) if tile not in right]
    extra = rng.fresh("wrong").choice(wrong)
    sets: dict[str, Sequence[int]] = {"another tile": [extra]}
    if not one:
        sets = {
            "one tile too many": sorted([*right, extra]),
            "all but one": sorted(right[1:]) or [extra],
            "the other tiles": wrong,
        }
    return [WrongResponse(name, taps(mechanic, tiles)) for name, tiles in sets.items()]


PAPERS: tuple[tuple[str, tuple[str, ...]], ...] = tuple(
    (paper, inks)
    for papers, inks in (
        (("#f7f1e3", "#eef3f8", "#f4ecf6", "#eaf4ea", "#fbf3d4", "#f8e9e4"),
         ("#b3261e", "#1d4fb8", "#14713d", "#7a2a8f", "#8a4a00", "#1b1d22")),
        (("#2b3040", "#1f3b36", "#3a2a4d", "#4a2a22"),
         ("#ffd166", "#7ee0c3", "#ff9e9e", "#9fc6ff", "#f3f0e6", "#d9a8ff")),
    )
    for paper in papers
)  # fmt: skip
"""Card with inks that keep a contrast of 4.5 or more to it."""


def choose_paper(stream: Stream, *, colourful: bool) -> tuple[str, tuple[str, ...]]:
    """A card and six inks: all different, or one for all."""
    paper, inks = stream.choice(PAPERS)
    if colourful:
        return paper, tuple(stream.shuffled(inks))
    return paper, (stream.choice(inks),) * 6


def cube_camera(stream: Stream, box: Box) -> solid.Camera:
    """A camera that sees up, front and right of a unit cube on the origin, as large as fits."""
    azimuth, tilt = -90.0 + stream.uniform(33.0, 52.0), stream.uniform(28.0, 37.0)
    camera = solid.Camera.around((0.0, 0.0, 0.5), azimuth, tilt, 5.5)
    cube = solid.Cube((0.0, 0.0, 0.0), 1.0, 0.0, 0, "#ffffff")
    fitted = camera.fitted(cube.corners(), box)
    share = stream.uniform(0.94, 1.0)
    free = (1 - share) * min(box.width, box.height) / 2
    x, y = fitted.middle
    return replace(
        fitted,
        focus=fitted.focus * share,
        middle=(x + stream.uniform(-free, free), y + stream.uniform(-free, free)),
    )


BLOCK_COLOURS = ("#e8743b", "#4f86c6", "#5aa469", "#c9a13b", "#b45f9b", "#5f6fb2", "#d0d4da",
                 "#d45d5d", "#3fa7a3", "#a98467")  # fmt: skip
"""Of blocks: lighter than their edges and darker than paper."""


def choose_block(stream: Stream, tone: Tone) -> str:
    """A colour of blocks that is far from the ground's lightness."""
    middle = (tone.low + tone.high) / 2
    ranked = sorted(stream.shuffled(BLOCK_COLOURS), key=lambda c: -abs(luminance(c) - middle))
    return stream.choice(ranked[:6])


def choose_blocks(stream: Stream, tone: Tone) -> tuple[str, str]:
    """Colours of plain and of marked blocks, the plain ones far from the ground's lightness."""
    plain = choose_block(stream, tone)
    others = [c for c in BLOCK_COLOURS if distance(c, plain) > TELL_APART]
    return plain, stream.choice(others)


def block_outline(camera: solid.Camera, cells: Sequence[Cell]) -> tuple[Point, ...]:
    """The hull of blocks in the picture, px."""
    corners = [
        (float(x + a), float(y + b), float(z + c))
        for x, y, z in cells for a in (0, 1) for b in (0, 1) for c in (0, 1)
    ]  # fmt: skip
    return solid.outline(camera, corners)


def bounds(zone: Sequence[Point]) -> Box:
    """The box of a zone."""
    xs, ys = [p.x for p in zone], [p.y for p in zone]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _runs(cells: Sequence[Cell]) -> list[list[Cell]]:
    """Corners of the bars of blocks that a figure can be cut into, upright ones first."""
    left, found = sorted(cells), list[list[Cell]]()
    while left:
        first = left[0]
        bars = [_bar(first, axis, left) for axis in (2, 1, 0)]
        bar = max(bars, key=len)
        left = [cell for cell in left if cell not in bar]
        (x, y, z), (u, v, w) = bar[0], bar[-1]
        found.append([(a, b, c) for a in (x, u + 1) for b in (y, v + 1) for c in (z, w + 1)])
    return found


def _bar(first: Cell, axis: int, cells: Sequence[Cell]) -> list[Cell]:
    """The blocks in a row from one on."""
    bar = [first]
    while True:
        after = list(bar[-1])
        after[axis] += 1
        if (after[0], after[1], after[2]) not in cells:
            return bar
        bar.append((after[0], after[1], after[2]))


def corner_light(corner: int, aside_deg: float) -> solid.Light:
    """Light in the back of a viewer over a corner (0: at +x, +y), and to one side."""
    return solid.Light(45.0 + 90.0 * corner + aside_deg, 52.0, 0.42)


def paint_figure(
    canvas: Any,
    camera: solid.Camera,
    light: solid.Light,
    cells: Sequence[Cell],
    marked: Sequence[Cell],
    colours: tuple[str, str],
) -> None:
    """Blocks with their shadow on the ground."""
    runs = _runs(cells)
    corners = np.array([corner for run in runs for corner in run], float)
    paths: list[skia.Path] = []
    for seen in shadows_seen(camera, light, corners)[::2]:
        path = skia.Path()
        for block in seen.reshape(-1, 8, 2):
            add_hull(path, block)
        paths.append(path)
    solid.paint_shadows(canvas, paths, strength=0.42)
    solid.paint_blocks(canvas, camera, light, cells, [colours[c in marked] for c in cells])


Mark = tuple[int, int]


def corner_fits(cube: Mapping[int, Mark], view: Sequence[Mark], *, free: bool) -> bool:
    """Whether three marks on up, front and right meet on a cube in the same way.

    Marks are (symbol, quarter turns in the frame of its side). A symbol's own right, out and
    the ways to its two neighbours are compared: what a corner looks like from outside.
    """
    places = {mark: side for side, (mark, _) in cube.items()}
    there = [places[mark] for mark, _ in view]
    if len(set(there)) < 3 or any(solid.OPPOSITE[a] in there for a in there):
        return False
    outs = [solid.FACES[side].out for side in there]
    # Up x front points away from right: the marks on the cube must turn the same way.
    if cross(outs[0], outs[1]) != times(outs[2], -_HAND):
        return False
    if free:
        return True
    seen_outs = [solid.FACES[side].out for side in (solid.UP, solid.FRONT, solid.RIGHT)]
    for place, (_mark, quarters) in enumerate(view):
        shown = _way(solid.UP if place == 0 else solid.FRONT if place == 1 else solid.RIGHT,
                     quarters)  # fmt: skip
        made = _way(there[place], cube[there[place]][1])
        if _along(shown, seen_outs) != _along(made, outs):
            return False
    return True


_HAND = -1.0 if cross((0, 0, 1), (0, -1, 0)) == (1, 0, 0) else 1.0
"""The sense in which up, front and right follow each other."""


def _way(side: int, quarters: int) -> Vec:
    """Where a symbol's own right points after quarter turns clockwise."""
    frame = solid.FACES[side]
    return (frame.right, frame.down, times(frame.right, -1), times(frame.down, -1))[quarters]


def _along(way: Vec, outs: Sequence[Vec]) -> tuple[float, ...]:
    return tuple(way[0] * o[0] + way[1] * o[1] + way[2] * o[2] for o in outs)
