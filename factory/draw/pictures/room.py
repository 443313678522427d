"""Interiors: a wall, a floor, and furniture for living, sleeping, working, cooking, reading."""

from __future__ import annotations

import skia

from factory.draw.pictures.brush import (
    box,
    boxes,
    darker,
    disc,
    fade,
    ink,
    lighter,
    lines,
    mix,
    oval,
    pen,
    pill,
    poly,
    see_through,
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
    wall = rng.choice((
        lighter(colors.near, 0.35), mix(colors.sky[1], colors.wall[0], 0.5), lighter(colors.accent[2], 0.35),
        mix(colors.far, colors.wall[1], 0.5), darker(colors.roof[2], 0.1), mix(colors.accent[0], colors.wall[0], 0.55),
    ))  # fmt: skip
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
        _window(view, x + rng.uniform(-6, 6), floor - 32, rng.uniform(28, 40), rng.uniform(24, 30))
    else:
        _frames(view, x, floor - 44, view.many(2, 4))
    _rug(view, x, floor + 15, w * 0.75)
    _floor_lamp(view, x - w / 2 - 7, floor + 6, rng.uniform(44, 54))
    potted(view, x + w / 2 + 9, floor + 7, rng.uniform(28, 40))
    _sofa(view, x, floor + 8, w)
    if view.detail > 0.3:
        _coffee_table(view, x, floor + 18, w * 0.42)


def _bedroom(view: View, floor: float, wall: int) -> None:
    """Bed from the side, night stand with lamp, window or frames."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    x, w = rng.uniform(48, 60), rng.uniform(54, 64)
    if rng.chance(0.6):
        _window(view, x + rng.uniform(-4, 8), floor - 33, rng.uniform(26, 36), rng.uniform(22, 30))
    else:
        _frames(view, x + 4, floor - 42, view.many(1, 3))
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
    _table_lamp(view, stand, base - 16, 15)
    _rug(view, x, floor + 17, w * 0.5)
    if view.detail > 0.4:
        _pendant(view, x + rng.uniform(8, 20), rng.uniform(14, 22))


def _study(view: View, floor: float, wall: int) -> None:
    """Desk with a screen, lamp and mug, a chair, shelves with books above."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    x, w, base = rng.uniform(44, 56), rng.uniform(54, 64), floor + 9
    top, wood = base - 25, mix(colors.trunk, colors.wall[1], 0.35)
    for k in range(view.many(1, 2)):
        _shelf(view, x + rng.uniform(-10, 10), floor - 39 - 17 * k, rng.uniform(34, 46))
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
    _table_lamp(view, x + w / 2 - 8, top - 2.4, 17)
    _mug(view, x - w / 2 + 9, top - 2.4, 4.5)
    _chair(view, sx + 2, base + 6, 20)
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
        _window(view, wx, top - 33, 32, 26)
        cupboards = [(-2.0, 14.0), (84.0, 20.0)]
    else:
        cupboards = [(rng.uniform(-4, 4) + 26 * k, 25.0) for k in range(4) if k != 2]
        _pendant(view, 66, 34)
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
    _pot(view, hx, top - 0.6, 12)
    for x in (hx - 24, hx + 22):
        if 8 < x < 92:
            rng.choice((_kettle, _jars, _fruit))(view, x, top - 0.6)
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
        _books(view, x - w / 2 + 1.5, y + step - 1.8, w - 3, step - 2.5)
    ax = x + w / 2 + rng.uniform(18, 24)
    if rng.chance(0.5):
        _window(view, ax + 3, floor - 36, 24, 30)
    else:
        _frames(view, ax + 2, floor - 40, 2)
    _rug(view, ax - 4, floor + 15, 28)
    _floor_lamp(view, min(94.0, ax + 16), floor + 5, rng.uniform(42, 50))
    _armchair(view, ax, floor + 11, rng.uniform(25, 30))


LAYOUTS = (_living, _bedroom, _study, _kitchen, _library)


def _window(view: View, x: float, y: float, w: float, h: float) -> None:
    """A window centred at (x, y) with a view of hills, a sill and sometimes curtains."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    left, top = x - w / 2, y - h / 2
    frame = lighter(colors.wall[0], 0.6)
    box(canvas, left - 1.8, top - 1.8, w + 3.6, h + 3.6, frame)
    canvas.drawRect(skia.Rect(left, top, left + w, top + h), fade(top, top + h, *colors.sky))
    disc(canvas, left + w * rng.uniform(0.25, 0.75), top + h * 0.32, h * 0.11, colors.sun)
    low = top + h * rng.uniform(0.6, 0.75)
    hills = skia.Path()
    hills.moveTo(left, top + h)
    hills.lineTo(left, low)
    hills.quadTo(left + w * 0.25, low - h * 0.2, left + w * 0.5, low + h * 0.03)
    hills.quadTo(left + w * 0.8, low - h * 0.12, left + w, low + h * 0.04)
    hills.lineTo(left + w, top + h)
    canvas.drawPath(hills, ink(colors.near))
    bars = [(x - 0.7, top, 1.4, h)]
    if rng.chance(0.6):
        bars.append((left, y - 0.7, w, 1.4))
    canvas.drawPath(boxes(bars), ink(frame))
    box(canvas, left - 4, top + h + 1.2, w + 8, 2.2, darker(frame, 0.08))
    if rng.chance(0.55):
        cloth = mix(rng.choice(colors.accent), colors.wall[0], 0.45)
        for way in (-1, 1):
            edge = x + way * (w / 2 + 5)
            drape = skia.Path()
            drape.moveTo(edge, top - 4)
            drape.lineTo(x + way * w * 0.2, top - 4)
            drape.quadTo(x + way * w * 0.26, y, x + way * (w / 2 - 1), y + h * 0.2)
            drape.lineTo(x + way * (w / 2), top + h + 8)
            drape.lineTo(edge, top + h + 8)
            canvas.drawPath(drape, ink(cloth))
        box(canvas, left - 8, top - 5.4, w + 16, 1.6, darker(colors.trunk, 0.2))


def _frames(view: View, x: float, y: float, count: int) -> None:
    """Framed prints with little landscapes, hung in a row about x."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    step = 17.0
    for k in range(count):
        w, h = rng.uniform(11, 15), rng.uniform(13, 19)
        left, top = x + step * (k - (count - 1) / 2) - w / 2, y - h / 2 + rng.uniform(-2, 2)
        box(
            canvas,
            left,
            top,
            w,
            h,
            rng.choice((colors.trunk, 0xFF2F2B33, lighter(colors.wall[0], 0.5))),
        )
        inner = skia.Rect(left + 1.2, top + 1.2, left + w - 1.2, top + h - 1.2)
        canvas.drawRect(inner, ink(0xFFF8F4EA))
        box(
            canvas, left + 2.4, top + 2.4, w - 4.8, h - 4.8, mix(colors.sky[1], colors.wall[0], 0.3)
        )
        disc(canvas, left + w * 0.6, top + h * 0.36, w * 0.11, rng.choice(colors.accent))
        poly(canvas, [(left + 2.4, top + h - 2.4), (left + w * 0.4, top + h * 0.5), (left + w * 0.62, top + h * 0.68), (left + w - 2.4, top + h * 0.55), (left + w - 2.4, top + h - 2.4)],
             mix(colors.leaf[0], colors.far, 0.3))  # fmt: skip


def _rug(view: View, x: float, y: float, half: float) -> None:
    color = mix(view.rng.choice(view.colors.accent), view.colors.wall[0], 0.5)
    oval(view.canvas, x, y, half, 7.5, color)
    oval(view.canvas, x, y, half * 0.84, 5.6, lighter(color, 0.25))
    oval(view.canvas, x, y, half * 0.7, 4.3, color)


def _sofa(view: View, x: float, base: float, w: float) -> None:
    canvas, rng, colors = view.canvas, view.rng, view.colors
    color = rng.choice((*colors.accent, colors.roof[1], colors.leaf[2]))
    left = x - w / 2
    oval(canvas, x, base + 0.5, w * 0.52, 2.6, 0x38000010)
    canvas.drawPath(
        boxes([(left + 5, base - 4, 1.8, 5), (left + w - 6.8, base - 4, 1.8, 5)]),
        ink(darker(colors.trunk, 0.3)),
    )
    pill(canvas, left + 3, base - 27, w - 6, 22, 4, darker(color, 0.12))
    pill(canvas, left + 5, base - 14.5, w / 2 - 5, 8, 2.2, lighter(color, 0.1))
    pill(canvas, x, base - 14.5, w / 2 - 5, 8, 2.2, lighter(color, 0.1))
    box(canvas, left + 4, base - 8, w - 8, 5, color)
    pill(canvas, left, base - 19, 7.5, 16, 3, color)
    pill(canvas, left + w - 7.5, base - 19, 7.5, 16, 3, color)
    for k in range(view.many(1, 3)):
        cushion = colors.accent[(k + 1) % len(colors.accent)]
        pill(
            canvas,
            left + 8 + (w - 27) * (k * 0.5 if k < 2 else 0.75),
            base - 22.5,
            10,
            9,
            2,
            lighter(cushion, 0.3),
        )


def _armchair(view: View, x: float, base: float, w: float) -> None:
    canvas, colors = view.canvas, view.colors
    color, left = view.rng.choice((*colors.accent, colors.leaf[2])), x - w / 2
    oval(canvas, x, base + 0.5, w * 0.55, 2.4, 0x38000010)
    canvas.drawPath(
        boxes([(left + 3, base - 4, 1.7, 5), (left + w - 4.7, base - 4, 1.7, 5)]),
        ink(darker(colors.trunk, 0.3)),
    )
    pill(canvas, left + 1.5, base - w * 1.08, w - 3, w * 0.95, w * 0.24, darker(color, 0.12))
    pill(canvas, left + 3, base - w * 0.5, w - 6, w * 0.24, 2, lighter(color, 0.12))
    box(canvas, left + 2, base - w * 0.32, w - 4, w * 0.2, color)
    pill(canvas, left - 1, base - w * 0.64, w * 0.24, w * 0.53, 2.6, color)
    pill(canvas, left + w * 0.76 + 1, base - w * 0.64, w * 0.24, w * 0.53, 2.6, color)


def _floor_lamp(view: View, x: float, base: float, h: float) -> None:
    canvas, colors = view.canvas, view.colors
    if colors.night:
        poly(
            canvas,
            [(x - 5, base - h + 9), (x + 5, base - h + 9), (x + 19, base), (x - 19, base)],
            see_through(colors.lit, 50),
        )
    box(canvas, x - 0.5, base - h + 8, 1, h - 8, darker(colors.trunk, 0.35))
    oval(canvas, x, base, 5, 1.4, darker(colors.trunk, 0.4))
    _shade(view, x, base - h, 13, 10)


def _shade(view: View, x: float, top: float, w: float, h: float) -> None:
    color = (
        view.colors.lit if view.colors.night else lighter(view.rng.choice(view.colors.accent), 0.25)
    )
    poly(
        view.canvas,
        [(x - w * 0.3, top), (x + w * 0.3, top), (x + w / 2, top + h), (x - w / 2, top + h)],
        color,
    )
    poly(
        view.canvas,
        [(x + w * 0.1, top), (x + w * 0.3, top), (x + w / 2, top + h), (x + w * 0.2, top + h)],
        darker(color, 0.12),
    )


def _table_lamp(view: View, x: float, base: float, h: float) -> None:
    color = view.rng.choice(view.colors.accent)
    if view.colors.night:
        disc(view.canvas, x, base - h * 0.7, h * 0.8, see_through(view.colors.lit, 48))
    pill(view.canvas, x - h * 0.14, base - h * 0.4, h * 0.28, h * 0.4, h * 0.1, darker(color, 0.2))
    box(view.canvas, x - h * 0.03, base - h * 0.55, h * 0.06, h * 0.2, 0xFF3A3640)
    _shade(view, x, base - h, h * 0.72, h * 0.5)


def _pendant(view: View, x: float, drop: float) -> None:
    canvas, colors = view.canvas, view.colors
    box(canvas, x - 0.35, -1, 0.7, drop + 1, darker(colors.trunk, 0.5))
    if colors.night:
        poly(
            canvas,
            [(x - 8, drop + 6), (x + 8, drop + 6), (x + 24, 78), (x - 24, 78)],
            see_through(colors.lit, 30),
        )
    color = view.rng.choice(colors.accent)
    dome = skia.Path()
    dome.moveTo(x - 8.5, drop + 6.5)
    dome.cubicTo(x - 8, drop - 2.5, x + 8, drop - 2.5, x + 8.5, drop + 6.5)
    canvas.drawPath(dome, ink(color))
    oval(canvas, x, drop + 6.5, 8.5, 1.4, colors.lit)


def _coffee_table(view: View, x: float, base: float, w: float) -> None:
    canvas, wood = view.canvas, mix(view.colors.trunk, view.colors.wall[1], 0.4)
    canvas.drawPath(
        lines(
            [
                (x - w * 0.36, base - 8, x - w * 0.44, base),
                (x + w * 0.36, base - 8, x + w * 0.44, base),
            ]
        ),
        pen(darker(wood, 0.3), 1.2),
    )
    pill(canvas, x - w / 2, base - 9.4, w, 2.4, 1.2, wood)
    _mug(view, x - w * 0.2, base - 9.4, 4.2)
    box(canvas, x + w * 0.05, base - 11, w * 0.32, 1.7, view.colors.accent[0])


def _mug(view: View, x: float, base: float, h: float) -> None:
    color = view.rng.choice(view.colors.accent)
    view.canvas.drawCircle(x + h * 0.5, base - h * 0.5, h * 0.26, pen(color, h * 0.16))
    pill(view.canvas, x - h * 0.45, base - h, h * 0.9, h, h * 0.18, color)


def _chair(view: View, x: float, base: float, h: float) -> None:
    """A desk chair seen from behind."""
    canvas, color = view.canvas, view.rng.choice(view.colors.accent)
    canvas.drawPath(lines([(x, base - h * 0.4, x, base - h * 0.12), (x, base - h * 0.14, x - h * 0.36, base), (x, base - h * 0.14, x + h * 0.36, base), (x, base - h * 0.14, x, base)]),
                    pen(0xFF30323C, 1.2))  # fmt: skip
    pill(canvas, x - h * 0.42, base - h * 0.5, h * 0.84, h * 0.14, 1.4, darker(color, 0.25))
    pill(canvas, x - h * 0.38, base - h * 1.15, h * 0.76, h * 0.6, 3, color)
    pill(canvas, x - h * 0.3, base - h * 1.08, h * 0.6, h * 0.46, 2.2, lighter(color, 0.12))


def _books(view: View, x: float, base: float, w: float, h: float) -> None:
    """Spines on a board, one path per colour."""
    rng, colors = view.rng, view.colors
    tones = [*colors.accent, colors.roof[0], lighter(colors.wall[0], 0.2)]
    piles: list[list[tuple[float, float, float, float]]] = [[] for _ in tones]
    end = x + w * rng.uniform(0.6, 1.0)
    while x < end - 2:
        thick = rng.uniform(1.5, 3.2)
        tall = h * rng.uniform(0.6, 0.95)
        piles[rng.integer(0, len(tones))].append((x, base - tall, thick - 0.25, tall))
        x += thick
    for pile, tone in zip(piles, tones, strict=True):
        if pile:
            view.canvas.drawPath(boxes(pile), ink(tone))


def _shelf(view: View, x: float, base: float, w: float) -> None:
    wood = mix(view.colors.trunk, view.colors.wall[1], 0.35)
    _books(view, x - w / 2 + 2, base, w * 0.62, 11)
    potted(view, x + w * 0.36, base, 11)
    box(view.canvas, x - w / 2, base, w, 1.8, wood)
    view.canvas.drawPath(
        boxes([(x - w * 0.38, base + 1.8, 1.2, 2.6), (x + w * 0.36, base + 1.8, 1.2, 2.6)]),
        ink(darker(wood, 0.3)),
    )


def _pot(view: View, x: float, base: float, w: float) -> None:
    canvas, color = view.canvas, view.rng.choice(view.colors.accent)
    steam = skia.Path()
    for k in (-1, 1):
        steam.moveTo(x + k * 2, base - 11)
        steam.cubicTo(x + k * 2 - 2, base - 14, x + k * 2 + 2, base - 15, x + k * 2, base - 18)
    canvas.drawPath(steam, pen(0x90FFFFFF, 1.0))
    box(canvas, x - w * 0.62, base - 6.4, w * 1.24, 1.3, darker(color, 0.5))
    pill(canvas, x - w / 2, base - 8, w, 8, 1.6, color)
    pill(canvas, x - w * 0.52, base - 9.2, w * 1.04, 1.8, 0.9, darker(color, 0.2))
    disc(canvas, x, base - 10, 1.2, darker(color, 0.5))


def _kettle(view: View, x: float, base: float) -> None:
    canvas, color = view.canvas, view.rng.choice(view.colors.accent)
    canvas.drawArc(
        skia.Rect(x - 3.6, base - 13.5, x + 3.6, base - 5), 180, 180, False, pen(0xFF33363F, 1.1)
    )
    poly(
        canvas,
        [(x + 3, base - 4), (x + 8, base - 8.5), (x + 8.6, base - 7.6), (x + 4.4, base - 1.4)],
        darker(color, 0.15),
    )
    poly(
        canvas,
        [(x - 5.4, base), (x - 3.6, base - 8.6), (x + 3.6, base - 8.6), (x + 5.4, base)],
        color,
    )
    disc(canvas, x, base - 9.2, 1.1, 0xFF33363F)


def _jars(view: View, x: float, base: float) -> None:
    canvas, colors = view.canvas, view.colors
    for k, h in enumerate((11.0, 8.5, 6.5)):
        left = x - 8 + 5.6 * k
        pill(canvas, left, base - h, 4.8, h, 0.9, see_through(lighter(colors.glass, 0.6), 210))
        box(canvas, left + 0.4, base - h * 0.6, 4, h * 0.55, colors.accent[k])
        box(canvas, left - 0.2, base - h - 1.2, 5.2, 1.6, colors.trunk)


def _fruit(view: View, x: float, base: float) -> None:
    canvas, colors = view.canvas, view.colors
    for dx, dy, k in ((-3.2, 5.2, 0), (0.2, 6.6, 1), (3.4, 5.2, 2)):
        disc(canvas, x + dx, base - dy, 2.5, colors.accent[k])
    bowl = skia.Path()
    bowl.moveTo(x - 7.5, base - 5)
    bowl.cubicTo(x - 6, base + 0.6, x + 6, base + 0.6, x + 7.5, base - 5)
    canvas.drawPath(bowl, ink(lighter(colors.wall[2], 0.1)))
    box(canvas, x - 2.6, base - 1.2, 5.2, 1.2, darker(colors.wall[2], 0.2))


KIND = SceneKind(name="room", share=0.13, paint=_paint)
