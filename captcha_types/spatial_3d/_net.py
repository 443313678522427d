"""Nets of a cube: their shapes, what folding makes of them, symbols, views and their painting.

A view is what three sides of a cube show: for up, front and right the number of a symbol and
its quarter turns clockwise in the frame of that side (``solid.FACES``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import skia

from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import solid
from factory.draw.solid.vectors import Vec, cube_turns, dot, times, turned

Cell = tuple[int, int]
Mark = tuple[int, int]
View = tuple[Mark, Mark, Mark]

SIDES = (solid.UP, solid.FRONT, solid.RIGHT)
"""The sides of a cube that a view shows."""


@dataclass(frozen=True)
class Sheet:
    """A net of card: cell i shows ``symbols[i]`` in ``inks[i]``; ``free`` says that its symbols
    look the same after a quarter turn. JSON-able."""

    cells: tuple[Cell, ...]
    symbols: tuple[str, ...]
    free: bool
    paper: str
    inks: tuple[str, ...]


NETS: tuple[tuple[Cell, ...], ...] = tuple(
    tuple((x, y) for y, row in enumerate(rows.split("/")) for x, c in enumerate(row) if c == "#")
    for rows in (
        "#.../####/#...", "#.../####/.#..", "#.../####/..#.", "#.../####/...#",
        ".#../####/.#..", ".#../####/..#.", "##../.###/.#..", "##../.###/..#.",
        "##../.###/...#", "##../.##./..##", "###../..###",
    )
)  # fmt: skip
"""The eleven nets of a cube as (column, row) from the top left."""


def laid(stream: Stream, shape: int) -> tuple[Cell, ...]:
    """A net, perhaps turned by half or mirrored, its cells in random order."""
    cells = NETS[shape]
    wide, high = max(x for x, _ in cells), max(y for _, y in cells)
    flip, turn = stream.chance(0.5), stream.chance(0.5)
    cells = tuple((wide - x if flip != turn else x, high - y if turn else y) for x, y in cells)
    return tuple(stream.shuffled(cells))


def is_net(cells: Sequence[Cell]) -> bool:
    """Whether six cells fold into a cube: each onto a side of its own."""
    return len(cells) == 6 and len(folded(cells)) == 6


def folded(cells: Sequence[Cell]) -> dict[int, Mark]:
    """By side of the cube: the cell that comes to lie there, and its quarter turns.

    The first cell becomes the upper side; its neighbours are folded down, prints outside.
    """
    frames: dict[Cell, tuple[Vec, Vec, Vec]] = {cells[0]: ((1, 0, 0), (0, -1, 0), (0, 0, 1))}
    queue = [cells[0]]
    while queue:
        x, y = queue.pop()
        right, down, out = frames[x, y]
        beside = {
            (x + 1, y): (times(out, -1.0), down, right),
            (x - 1, y): (out, down, times(right, -1.0)),
            (x, y + 1): (right, times(out, -1.0), down),
            (x, y - 1): (right, out, times(down, -1.0)),
        }
        for cell, frame in beside.items():
            if cell in cells and cell not in frames:
                frames[cell] = frame
                queue.append(cell)
    return {
        _side(out): (index, _quarters(_side(out), right))
        for index, (right, _, out) in ((i, frames[c]) for i, c in enumerate(cells) if c in frames)
    }


def _side(out: Vec) -> int:
    return max(range(6), key=lambda side: dot(solid.FACES[side].out, out))


def _quarters(side: int, right: Vec) -> int:
    """Quarter turns clockwise that bring a side's own right to ``right``."""
    frame = solid.FACES[side]
    ways = (frame.right, frame.down, times(frame.right, -1.0), times(frame.down, -1.0))
    return max(range(4), key=lambda k: dot(ways[k], right))


def view_of(cube: dict[int, Mark], pose: int) -> View:
    """What up, front and right show of a folded cube in a pose."""
    turn = cube_turns()[pose]
    found: dict[int, Mark] = {}
    for side, (mark, quarters) in cube.items():
        frame = solid.FACES[side]
        ways = (frame.right, frame.down, times(frame.right, -1.0), times(frame.down, -1.0))
        there = _side(turned(turn, frame.out))
        found[there] = (mark, _quarters(there, turned(turn, ways[quarters])))
    return found[SIDES[0]], found[SIDES[1]], found[SIDES[2]]


def plain(view: View, free: bool) -> View:
    """A view without turns, where symbols look the same from all sides (``free``)."""
    if not free:
        return view
    a, b, c = view
    return (a[0], 0), (b[0], 0), (c[0], 0)


def views(cells: Sequence[Cell], free: bool) -> frozenset[View]:
    """Every view of the cube that a net folds into."""
    return _views(tuple(cells), free)


@lru_cache(maxsize=512)
def _views(cells: tuple[Cell, ...], free: bool) -> frozenset[View]:
    cube = folded(cells)
    return frozenset(plain(view_of(cube, pose), free) for pose in range(24))


def spoiled(stream: Stream, view: View, cells: Sequence[Cell], way: str) -> View:
    """A view with one fault: a symbol ``turned``, two ``swapped``, or one of the ``far`` side."""
    marks = list(view)
    at = stream.integer(0, 3)
    if way == "turned":
        mark, quarters = marks[at]
        marks[at] = (mark, (quarters + stream.integer(1, 4)) % 4)
    elif way == "swapped":
        other = (at + 1) % 3
        marks[at], marks[other] = marks[other], marks[at]
    else:
        cube = folded(cells)
        facing = {cube[s][0]: cube[solid.OPPOSITE[s]][0] for s in cube}
        marks[at] = (facing[marks[(at + 1) % 3][0]], stream.integer(0, 4))
    return marks[0], marks[1], marks[2]


Draw = Callable[[skia.Path], None]


def _poly(*corners: tuple[float, float]) -> Draw:
    return lambda path: path.addPoly([skia.Point(x, y) for x, y in corners], True)


def _star(path: skia.Path) -> None:
    points = []
    for k in range(8):
        r, a = (0.34 if k % 2 == 0 else 0.13), math.pi * k / 4
        points.append(skia.Point(r * math.cos(a), r * math.sin(a)))
    path.addPoly(points, True)


def _ring(path: skia.Path) -> None:
    path.addCircle(0, 0, 0.31)
    path.addCircle(0, 0, 0.17)
    path.setFillType(skia.PathFillType.kEvenOdd)


def _frame(path: skia.Path) -> None:
    path.addRect(skia.Rect(-0.29, -0.29, 0.29, 0.29))
    path.addRect(skia.Rect(-0.15, -0.15, 0.15, 0.15))
    path.setFillType(skia.PathFillType.kEvenOdd)


def _four(path: skia.Path) -> None:
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        path.addCircle(0.19 * x, 0.19 * y, 0.13)


def _heart(path: skia.Path) -> None:
    path.moveTo(0, 0.33)
    path.cubicTo(-0.5, 0.0, -0.36, -0.38, -0.15, -0.3)
    path.cubicTo(-0.05, -0.27, 0, -0.2, 0, -0.13)
    path.cubicTo(0, -0.2, 0.05, -0.27, 0.15, -0.3)
    path.cubicTo(0.36, -0.38, 0.5, 0.0, 0, 0.33)
    path.close()


def _moon(path: skia.Path) -> None:
    path.addArc(skia.Rect(-0.33, -0.33, 0.33, 0.33), 40, 280)
    path.quadTo(-0.22, 0.0, 0.25, 0.21)
    path.close()


def _quarter(path: skia.Path) -> None:
    path.moveTo(-0.32, -0.32)
    path.lineTo(0.32, -0.32)
    path.arcTo(skia.Rect(-0.96, -0.96, 0.32, 0.32), 0, 90, False)
    path.close()


def _house(path: skia.Path) -> None:
    _poly((0, -0.36), (0.33, -0.06), (0.22, -0.06), (0.22, 0.31), (-0.22, 0.31), (-0.22, -0.06),
          (-0.33, -0.06))(path)  # fmt: skip


def _boat(path: skia.Path) -> None:
    _poly((-0.34, 0.12), (0.34, 0.12), (0.2, 0.32), (-0.2, 0.32))(path)
    _poly((-0.02, -0.36), (-0.02, 0.05), (-0.28, 0.05))(path)
    _poly((0.05, -0.24), (0.05, 0.05), (0.26, 0.05))(path)


FREE: dict[str, Draw] = {
    "disc": lambda path: path.addCircle(0, 0, 0.3),
    "ring": _ring,
    "square": _poly((-0.26, -0.26), (0.26, -0.26), (0.26, 0.26), (-0.26, 0.26)),
    "frame": _frame,
    "plus": _poly((-0.1, -0.32), (0.1, -0.32), (0.1, -0.1), (0.32, -0.1), (0.32, 0.1), (0.1, 0.1),
                  (0.1, 0.32), (-0.1, 0.32), (-0.1, 0.1), (-0.32, 0.1), (-0.32, -0.1),
                  (-0.1, -0.1)),
    "star": _star,
    "four dots": _four,
}  # fmt: skip
"""Symbols that look the same after a quarter turn; y points down."""

LEANING: dict[str, Draw] = {
    "arrow": _poly((0, -0.36), (0.3, -0.02), (0.1, -0.02), (0.1, 0.34), (-0.1, 0.34),
                   (-0.1, -0.02), (-0.3, -0.02)),
    "heart": _heart,
    "moon": _moon,
    "quarter": _quarter,
    "house": _house,
    "boat": _boat,
    "tee": _poly((-0.32, -0.3), (0.32, -0.3), (0.32, -0.1), (0.1, -0.1), (0.1, 0.32),
                 (-0.1, 0.32), (-0.1, -0.1), (-0.32, -0.1)),
    "flag": _poly((-0.24, -0.36), (0.32, -0.16), (-0.14, 0.04), (-0.14, 0.36), (-0.24, 0.36)),
    "angle": _poly((-0.3, -0.32), (-0.08, -0.32), (-0.08, 0.1), (0.3, 0.1), (0.3, 0.32),
                   (-0.3, 0.32)),
    "triangle": _poly((0, -0.34), (0.22, 0.32), (-0.22, 0.32)),
    "bowl": lambda path: path.addArc(skia.Rect(-0.34, -0.52, 0.34, 0.3), 0, 180),
}  # fmt: skip
"""Symbols that look different after any quarter turn or half turn."""


@cache
def symbol(name: str) -> skia.Path:
    """A symbol on a face of side 1 about the origin. Shared: never change it."""
    path = skia.Path()
    (FREE | LEANING)[name](path)
    return path


def art_of(view: View, sheet: Sheet) -> solid.Art:
    """What the three sides of a view show; the hidden ones are empty."""
    marks = dict(zip(SIDES, view, strict=True))

    def draw(canvas: skia.Canvas, face: int) -> None:
        mark, quarters = marks[face]
        canvas.rotate(90.0 * quarters)
        canvas.drawPath(symbol(sheet.symbols[mark]), paint(sheet.inks[mark]))

    return draw


@lru_cache(maxsize=512)
def paint(colour: str, alpha: int = 255) -> skia.Paint:
    """A paint that fills."""
    return skia.Paint(Color=skia.Color(*solid.lit(colour, 1.0), alpha), AntiAlias=True)


def net_boxes(cells: Sequence[Cell], area: Box) -> list[Box]:
    """The cells of a net in the middle of an area, as large as fit."""
    wide, high = max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1
    side = min(area.width / wide, area.height / high)
    x0, y0 = area.center.x - side * wide / 2, area.center.y - side * high / 2
    return [Box.sized(x0 + side * x, y0 + side * y, side, side) for x, y in cells]


def paint_net(canvas: Any, boxes: Sequence[Box], sheet: Sheet) -> None:
    """The net as a sheet of card with creases, a shadow under it."""
    for shift, alpha in ((3.0, 40), (1.5, 50)):
        for box in boxes:
            rect = skia.Rect(box.x0 - 1, box.y0 - 1 + shift, box.x1 + 1, box.y1 + 1 + shift)
            canvas.drawRect(rect, paint("#0c0e1a", alpha))
    for box, name, ink in zip(boxes, sheet.symbols, sheet.inks, strict=True):
        canvas.drawRect(skia.Rect(box.x0, box.y0, box.x1, box.y1), paint(sheet.paper))
        line = skia.Paint(Color=skia.Color(*solid.lit(sheet.paper, 0.62)), AntiAlias=True)
        line.setStyle(skia.Paint.kStroke_Style)
        line.setStrokeWidth(1.0)
        canvas.drawRect(skia.Rect(box.x0, box.y0, box.x1, box.y1), line)
        canvas.save()
        canvas.translate(box.center.x, box.center.y)
        canvas.scale(box.width, box.height)
        canvas.drawPath(symbol(name), paint(ink))
        canvas.restore()
