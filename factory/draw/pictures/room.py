"""Interiors: a wall, a floor, and furniture for living, sleeping, working, cooking, reading."""

from __future__ import annotations

import skia

from factory.draw.pictures.brush import (
    box,
    boxes,
    darker,
    ink,
    lighter,
    lines,
    mix,
    pen,
    pill,
)
from factory.draw.pictures.furniture import (
    armchair,
    books,
    chair,
    coffee_table,
    frames,
    rug,
    shelf,
    sofa,
    window,
)
from factory.draw.pictures.lamps import (
    floor_lamp,
    fruit,
    jars,
    kettle,
    mug,
    pendant,
    pot,
    table_lamp,
)
from factory.draw.pictures.plants import potted
from factory.draw.pictures.scene import SceneKind, View


def _paint(view: View) -> None:
    rng, floor = view.rng, view.rng.uniform(66, 80)
    zoom, eye = rng.uniform(1.05, 1.32), (rng.uniform(40, 60), floor * 0.78)
    view.canvas.translate(eye[0] * (1 - zoom), eye[1] * (1 - zoom))
    view.canvas.scale(zoom, zoom)
    wall = _shell(view, floor)
    rng.choice(LAYOUTS)(view, floor, wall)


def _shell(view: View, floor: float) -> int:
    """Wall with paint, stripes or panels, skirting and floor boards; returns the wall's colour."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    wall = rng.choice(
        (
            lighter(colors.near, 0.35),
            mix(colors.sky[1], colors.wall[0], 0.5),
            lighter(colors.accent[2], 0.35),
            mix(colors.far, colors.wall[1], 0.5),
            darker(colors.roof[2], 0.1),
            mix(colors.accent[0], colors.wall[0], 0.55),
        )
    )
    if colors.night:
        wall = darker(wall, 0.42)
    box(canvas, -1, -1, 102, floor + 2, wall)
    style = rng.integer(0, 4)
    if style == 0:
        canvas.drawPath(
            boxes((k * 12.5 + 3, -1, 6.2, floor + 1) for k in range(8)), ink(darker(wall, 0.05))
        )
    elif style == 1:
        rail = floor - rng.uniform(18, 26)
        box(canvas, -1, rail, 102, floor - rail, mix(wall, colors.wall[0], 0.45))
        canvas.drawPath(
            boxes((k * 14 + 2, rail + 4, 10, floor - rail - 9) for k in range(8)),
            ink(mix(wall, colors.wall[0], 0.6)),
        )
        box(canvas, -1, rail, 102, 1.6, lighter(wall, 0.55))
    elif style == 2:
        box(canvas, -1, floor * 0.5, 102, floor * 0.5, darker(wall, 0.14))
    wood = mix(colors.trunk, colors.wall[1], rng.uniform(0.2, 0.65))
    if colors.night:
        wood = darker(wood, 0.3)
    box(canvas, -1, floor, 102, 102 - floor, wood)
    boards = lines((50 + (k - 5) * 11, floor, 50 + (k - 5) * 26, 102) for k in range(11))
    canvas.drawPath(boards, pen(darker(wood, 0.16), 0.5))
    box(canvas, -1, floor - 2.6, 102, 2.8, lighter(wall, 0.6))
    return wall


def _living(view: View, floor: float, wall: int) -> None:
    """Sofa with cushions, pictures or a window over it, floor lamp, side table, plant."""
    rng = view.rng
    x, w = rng.uniform(44, 58), rng.uniform(46, 56)
    if rng.chance(0.5):
        window(view, x + rng.uniform(-6, 6), floor - 32, rng.uniform(28, 40), rng.uniform(24, 30))
    else:
        frames(view, x, floor - 44, view.many(2, 4))
    rug(view, x, floor + 15, w * 0.75)
    floor_lamp(view, x - w / 2 - 7, floor + 6, rng.uniform(44, 54))
    potted(view, x + w / 2 + 9, floor + 7, rng.uniform(28, 40))
    sofa(view, x, floor + 8, w)
    if view.detail > 0.3:
        coffee_table(view, x, floor + 18, w * 0.42)


def _bedroom(view: View, floor: float, wall: int) -> None:
    """Bed from the side, night stand with lamp, window or frames."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    x, w = rng.uniform(48, 60), rng.uniform(54, 64)
    if rng.chance(0.6):
        window(view, x + rng.uniform(-4, 8), floor - 33, rng.uniform(26, 36), rng.uniform(22, 30))
    else:
        frames(view, x + 4, floor - 42, view.many(1, 3))
    left, base = x - w / 2, floor + 8
    wood, cover = darker(colors.trunk, 0.05), rng.choice(colors.accent)
    pill(canvas, left - 2, base - 32, 5, 32, 2, wood)
    pill(canvas, left + w - 3, base - 19, 4, 19, 1.6, wood)
    box(canvas, left, base - 9, w, 5, darker(wood, 0.2))
    pill(canvas, left + 1, base - 17, w - 3, 10, 2.5, 0xFFF7F3EA)
    pill(canvas, left + 4, base - 23, 15, 8, 3.4, lighter(colors.wall[0], 0.5))
    pill(canvas, left + 8, base - 21.5, 13, 7, 3.2, mix(cover, 0xFFFFFFFF, 0.45))
    blanket = skia.Path()
    blanket.moveTo(left + 24, base - 18.6)
    blanket.quadTo(left + w * 0.7, base - 22, left + w - 3, base - 18)
    blanket.lineTo(left + w - 3, base - 5)
    blanket.lineTo(left + 22, base - 5)
    blanket.close()
    canvas.drawPath(blanket, ink(cover))
    box(canvas, left + 22, base - 18.5, 5, 13.5, lighter(cover, 0.35))
    stand = left - 13
    box(canvas, stand - 6, base - 16, 12, 14, wood)
    box(canvas, stand - 4.5, base - 13.5, 9, 4.4, lighter(wood, 0.2))
    canvas.drawPath(
        boxes([(stand - 5, base - 2, 1.4, 3), (stand + 3.6, base - 2, 1.4, 3)]),
        ink(darker(wood, 0.3)),
    )
    table_lamp(view, stand, base - 16, 15)
    rug(view, x, floor + 17, w * 0.5)
    if view.detail > 0.4:
        pendant(view, x + rng.uniform(8, 20), rng.uniform(14, 22))


def _study(view: View, floor: float, wall: int) -> None:
    """Desk with a screen, lamp and mug, a chair, shelves with books above."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    x, w, base = rng.uniform(44, 56), rng.uniform(54, 64), floor + 9
    top, wood = base - 25, mix(colors.trunk, colors.wall[1], 0.35)
    for k in range(view.many(1, 2)):
        shelf(view, x + rng.uniform(-10, 10), floor - 39 - 17 * k, rng.uniform(34, 46))
    canvas.drawPath(
        boxes([(x - w / 2 + 3, top, 2.4, 25), (x + w / 2 - 5.4, top, 2.4, 25)]),
        ink(darker(wood, 0.25)),
    )
    box(canvas, x + w / 2 - 21, top, 18, 15, darker(wood, 0.12))
    canvas.drawPath(
        boxes([(x + w / 2 - 15, top + 4.5, 6, 1), (x + w / 2 - 15, top + 10.5, 6, 1)]),
        ink(darker(wood, 0.45)),
    )
    box(canvas, x - w / 2, top - 2.4, w, 3, wood)
    sx = x + rng.uniform(-8, 4)
    box(canvas, sx - 1.5, top - 8, 3, 6, 0xFF3A3F4C)
    box(canvas, sx - 6, top - 3.4, 12, 1.2, 0xFF3A3F4C)
    pill(canvas, sx - 14, top - 23, 28, 17, 1.4, 0xFF2C303C)
    box(canvas, sx - 12.6, top - 21.6, 25.2, 13.6, mix(colors.accent[2], 0xFFFFFFFF, 0.3))
    canvas.drawPath(
        boxes(
            [
                (sx - 10, top - 19, 12, 1.2),
                (sx - 10, top - 16, 18, 1.2),
                (sx - 10, top - 13, 9, 1.2),
            ]
        ),
        ink(0xCCFFFFFF),
    )
    table_lamp(view, x + w / 2 - 8, top - 2.4, 17)
    mug(view, x - w / 2 + 9, top - 2.4, 4.5)
    chair(view, sx + 2, base + 6, 20)
    if view.detail > 0.35:
        potted(view, x - w / 2 - 7, floor + 8, rng.uniform(24, 34))


def _kitchen(view: View, floor: float, wall: int) -> None:
    """Counter with cupboards, hob, pots; wall cupboards or a window; pendant lamps."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    front, top = (
        rng.choice(
            (colors.accent[2], colors.leaf[0], colors.roof[1], lighter(colors.wall[2], 0.2))
        ),
        floor - 21,
    )
    tiles = mix(wall, 0xFFFFFFFF, 0.45)
    box(canvas, -1, top - 17, 102, 17, tiles)
    grid = [(0.0, top - 17 + 5.7 * k, 100.0, top - 17 + 5.7 * k) for k in range(1, 3)]
    grid += [(k * 8.0, top - 17, k * 8.0, top) for k in range(13)]
    canvas.drawPath(lines(grid), pen(darker(tiles, 0.1), 0.4))
    wx = rng.uniform(36, 60)
    if rng.chance(0.5):
        window(view, wx, top - 33, 32, 26)
        cupboards = [(-2.0, 14.0), (84.0, 20.0)]
    else:
        cupboards = [(rng.uniform(-4, 4) + 26 * k, 25.0) for k in range(4) if k != 2]
        pendant(view, 66, 34)
    for x, w in cupboards:
        box(canvas, x, top - 44, w, 22, front)
        box(canvas, x + 1.6, top - 42, w - 3.2, 18, lighter(front, 0.12))
        box(canvas, x + w - 4, top - 27, 0.9, 3.6, darker(front, 0.5))
    box(canvas, -1, top + 2, 102, floor - top + 2, front)
    doors = [(k * 20.0 + 2, top + 5, 16.5, floor - top - 5) for k in range(5)]
    canvas.drawPath(boxes(doors), ink(lighter(front, 0.12)))
    canvas.drawPath(
        boxes((x + 5.2, y + 2.4, 6, 1) for x, y, _, _ in doors), ink(darker(front, 0.5))
    )
    box(canvas, -1, top - 0.6, 102, 3, mix(colors.trunk, colors.wall[1], 0.45))
    hx = 20 + 20 * rng.integer(0, 4)
    box(canvas, hx - 8, top + 5, 16.5, floor - top - 5, 0xFF3A3F4A)
    box(canvas, hx - 5.5, top + 9.5, 11.5, 8, mix(0xFF20242C, colors.lit, 0.35))
    pot(view, hx, top - 0.6, 12)
    for x in (hx - 24, hx + 22):
        if 8 < x < 92:
            rng.choice((kettle, jars, fruit))(view, x, top - 0.6)
    if rng.chance(0.5):
        potted(view, (hx + 44) % 76 + 12, top - 0.6, 15)


def _library(view: View, floor: float, wall: int) -> None:
    """A tall book case, an armchair and a lamp."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    wood, x, w = mix(colors.trunk, colors.wall[1], 0.15), rng.uniform(30, 40), rng.uniform(34, 42)
    top, base = rng.uniform(12, 20), floor + 3
    box(canvas, x - w / 2 - 1.5, top - 1.5, w + 3, base - top + 1.5, wood)
    levels = rng.integer(4, 6)
    step = (base - top - 3) / levels
    for k in range(levels):
        y = top + step * k + 1
        box(canvas, x - w / 2 + 0.5, y, w - 1, step - 1.8, darker(wood, 0.4))
        books(view, x - w / 2 + 1.5, y + step - 1.8, w - 3, step - 2.5)
    ax = x + w / 2 + rng.uniform(18, 24)
    if rng.chance(0.5):
        window(view, ax + 3, floor - 36, 24, 30)
    else:
        frames(view, ax + 2, floor - 40, 2)
    rug(view, ax - 4, floor + 15, 28)
    floor_lamp(view, min(94.0, ax + 16), floor + 5, rng.uniform(42, 50))
    armchair(view, ax, floor + 11, rng.uniform(25, 30))


LAYOUTS = (_living, _bedroom, _study, _kitchen, _library)


KIND = SceneKind(name="room", share=0.13, paint=_paint)
