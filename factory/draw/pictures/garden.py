"""Plants about the house: shelves of pots, a window sill, a greenhouse, a flower bed, a stall."""

from __future__ import annotations

import skia

from factory.draw.pictures.brush import (
    box,
    boxes,
    darker,
    disc,
    discs,
    fade,
    ink,
    lighter,
    lines,
    mix,
    oval,
    pen,
    pill,
    poly,
    waves,
)
from factory.draw.pictures.plants import PLANTS, potted
from factory.draw.pictures.props import fence, grove, house, sky
from factory.draw.pictures.scene import SceneKind, View


def _paint(view: View) -> None:
    view.rng.choice(LAYOUTS)(view)


def _wall_color(view: View) -> int:
    colors = view.colors
    tone = view.rng.choice(
        (
            lighter(colors.wall[1], 0.15),
            mix(colors.sky[2], colors.wall[0], 0.4),
            mix(colors.near, colors.wall[0], 0.6),
            lighter(colors.accent[0], 0.45),
            mix(colors.far, colors.roof[1], 0.4),
            darker(colors.leaf[2], 0.25),
        )
    )
    return darker(tone, 0.3) if colors.night else tone


def _shelves(view: View) -> None:
    """Two or three boards on a wall with pots on them."""
    rng, canvas = view.rng, view.canvas
    wall = _wall_color(view)
    box(canvas, -1, -1, 102, 102, wall)
    if rng.chance(0.5):
        _arch(view, wall)
    else:
        canvas.drawPath(
            boxes((-1.0, 8.0 * k, 102.0, 4.0) for k in range(13)), ink(darker(wall, 0.035))
        )
    levels = rng.integer(2, 4)
    step = 84 / levels
    wood = mix(view.colors.trunk, view.colors.wall[1], rng.uniform(0.1, 0.5))
    for k in range(levels):
        base = 6 + step * (k + 1)
        left, right = rng.uniform(4, 16), rng.uniform(84, 96)
        box(canvas, left, base + 2.6, right - left, 1.6, darker(wall, 0.14))
        _pots(view, left + 4, right - 4, base, step * 0.86, 3 if levels == 3 else rng.integer(2, 4))
        box(canvas, left, base, right - left, 2.6, wood)
        box(canvas, left, base, right - left, 0.8, lighter(wood, 0.25))
        canvas.drawPath(
            lines(
                [
                    (left + 6, base + 2.6, left + 6, base + 6.5),
                    (right - 6, base + 2.6, right - 6, base + 6.5),
                ]
            ),
            pen(darker(wood, 0.35), 1.2),
        )


def _sill(view: View) -> None:
    """A window with a view, plants on its sill."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    wall = _wall_color(view)
    box(canvas, -1, -1, 102, 102, wall)
    sill = rng.uniform(70, 78)
    left, right, top = rng.uniform(8, 16), rng.uniform(84, 92), rng.uniform(4, 12)
    frame = lighter(wall, 0.75) if not colors.night else lighter(wall, 0.35)
    box(canvas, left - 3, top - 3, right - left + 6, sill - top + 3, frame)
    pane = skia.Rect(left, top, right, sill)
    canvas.drawRect(pane, fade(top, sill, *colors.sky, smooth=True))
    disc(
        canvas,
        rng.uniform(left + 14, right - 14),
        rng.uniform(top + 12, 34),
        rng.uniform(5, 8),
        colors.sun,
    )
    path, low = skia.Path(), sill - rng.uniform(10, 22)
    path.moveTo(left, sill)
    path.lineTo(left, low)
    path.cubicTo(left + 24, low - 16, 50, low + 8, 66, low - 4)
    path.lineTo(right, low - 10)
    path.lineTo(right, sill)
    canvas.drawPath(path, ink(colors.near))
    bars = [((left + right) / 2 - 1, top, 2.0, sill - top)]
    if rng.chance(0.6):
        bars.append((left, top + (sill - top) * 0.38, right - left, 1.6))
    canvas.drawPath(boxes(bars), ink(frame))
    if rng.chance(0.5):
        _blind(view, left, right, top)
    _pots(view, left + 2, right - 2, sill + 1, rng.uniform(34, 50), rng.integer(2, 5))
    box(canvas, left - 8, sill, right - left + 16, 5, darker(frame, 0.06))
    box(canvas, left - 8, sill, right - left + 16, 1.4, lighter(frame, 0.4))
    box(canvas, left - 5, sill + 5, right - left + 10, 1.6, darker(wall, 0.2))


def _blind(view: View, left: float, right: float, top: float) -> None:
    cloth = view.rng.choice(view.colors.accent)
    box(view.canvas, left - 2, top - 2, right - left + 4, 12, mix(cloth, 0xFFFFFFFF, 0.35))
    scallops = discs(
        (left + (right - left) * (k + 0.5) / 8, top + 10, (right - left) / 16) for k in range(8)
    )
    view.canvas.drawPath(scallops, ink(mix(cloth, 0xFFFFFFFF, 0.35)))
    box(view.canvas, left - 3, top - 4, right - left + 6, 2.4, darker(cloth, 0.3))


def _arch(view: View, wall: int) -> None:
    """A painted arch or sun on the wall."""
    tone, rng = mix(view.rng.choice(view.colors.accent), wall, 0.35), view.rng
    x, r = rng.uniform(34, 66), rng.uniform(22, 34)
    if rng.chance(0.5):
        pill(view.canvas, x - r, 50 - r, 2 * r, 90, r, tone)
    else:
        disc(view.canvas, x, 44, r, tone)


def _pots(view: View, left: float, right: float, base: float, tallest: float, count: int) -> None:
    """Pots side by side, of uneven height."""
    rng, width = view.rng, (right - left) / count
    for k in range(count):
        h = min(tallest, width * 1.9) * rng.uniform(0.7, 1.0)
        potted(view, left + width * (k + 0.5) + rng.uniform(-0.1, 0.1) * width, base, h)


def _greenhouse(view: View) -> None:
    """Glass roof and panes, benches with pots, hanging baskets."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    canvas.drawRect(skia.Rect(-1, -1, 101, 74), fade(0, 74, *colors.sky))
    poly(canvas, waves(rng, 62, 6, 0.9), mix(colors.far, colors.near, 0.5))
    ridge, eave = rng.uniform(2, 8), rng.uniform(26, 34)
    frame = mix(lighter(colors.wall[2], 0.4), colors.leaf[2], rng.uniform(0, 0.5))
    bars = [(k * 16.6, eave, k * 16.6, 78.0) for k in range(7)]
    bars += [(50 + (k - 3) * 5.0, ridge, k * 16.6, eave) for k in range(7)] + [
        (-1.0, eave, 101.0, eave),
        (-1.0, 52.0, 101.0, 52.0),
    ]
    canvas.drawPath(lines(bars), pen(frame, 1.3))
    box(canvas, -1, 74, 102, 28, mix(colors.ground, colors.trunk, 0.4))
    box(canvas, -1, 72, 102, 4, darker(frame, 0.15))
    for k in range(view.many(1, 3)):
        _basket(view, (26, 74, 50)[k] + rng.uniform(-5, 5), eave + rng.uniform(6, 12), 15)
    bench = rng.uniform(74, 82)
    _pots(view, 6, 94, bench, rng.uniform(26, 36), rng.integer(3, 5))
    wood = mix(colors.trunk, colors.wall[1], 0.3)
    box(canvas, -1, bench, 102, 3.2, wood)
    canvas.drawPath(
        boxes((10 + 38 * k, bench + 3, 3, 24) for k in range(3)), ink(darker(wood, 0.25))
    )


def _basket(view: View, x: float, y: float, w: float) -> None:
    canvas, color = view.canvas, view.rng.choice(view.colors.leaf)
    canvas.drawPath(
        lines([(x, y - 16, x - w * 0.42, y), (x, y - 16, x + w * 0.42, y)]),
        pen(darker(view.colors.trunk, 0.2), 0.5),
    )
    trail = skia.Path()
    for dx, drop in ((-0.5, 13), (-0.3, 8), (0.05, 11), (0.34, 7), (0.5, 12)):
        trail.moveTo(x + dx * w * 0.8, y)
        trail.quadTo(x + dx * w * 1.1, y + drop * 0.5, x + dx * w, y + drop)
    canvas.drawPath(trail, pen(color, 1.6))
    canvas.drawArc(
        skia.Rect(x - w * 0.5, y - w * 0.4, x + w * 0.5, y + w * 0.4),
        0,
        180,
        True,
        ink(view.colors.accent[1]),
    )
    canvas.drawPath(
        discs((x + (k - 2) * w * 0.22, y - 1.2 - (k % 2) * 1.6, w * 0.17) for k in range(5)),
        ink(lighter(color, 0.1)),
    )


def _bed(view: View) -> None:
    """A flower bed in front of a fence or a house, tall blooms, sky above."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    ground = rng.uniform(62, 74)
    sky(view, ground * 0.95, clouds=view.many(1, 3))
    poly(canvas, waves(rng, ground - 8, 5, 1.0), mix(colors.far, colors.near, 0.4))
    box(canvas, -1, ground, 102, 102 - ground, colors.near)
    if rng.chance(0.5):
        house(view, rng.uniform(34, 66), ground + 2, rng.uniform(40, 52))
    else:
        grove(
            view,
            [
                (rng.uniform(12, 32), ground + 2, rng.uniform(32, 46)),
                (rng.uniform(66, 88), ground + 2, rng.uniform(26, 40)),
            ],
        )
    if rng.chance(0.6):
        fence(view, 1, ground + 6, 98)
    soil = mix(colors.ground, colors.trunk, 0.6)
    box(canvas, -1, 88, 102, 14, soil)
    count = view.many(4, 6)
    blooms = PLANTS[4:6] if rng.chance(0.7) else (*PLANTS[:2], PLANTS[6])
    for k in range(count):
        rng.choice(blooms)(view, 8 + 84 * (k + 0.5) / count, 90, rng.uniform(22, 38))
    canvas.drawPath(
        discs((rng.uniform(0, 100), 90.5, rng.uniform(1, 2.4)) for _ in range(12)),
        ink(darker(soil, 0.15)),
    )


def _stall(view: View) -> None:
    """A market cart or stall full of plants under a striped roof."""
    rng, canvas, colors = view.rng, view.canvas, view.colors
    ground = rng.uniform(80, 86)
    wall = _wall_color(view)
    box(canvas, -1, -1, 102, 102, wall)
    bricks = boxes(
        (rng.uniform(0, 96), 3.0 + 6 * rng.integer(0, 13), 7, 2.6) for _ in range(view.many(6, 14))
    )
    canvas.drawPath(bricks, ink(darker(wall, 0.06)))
    box(canvas, -1, ground, 102, 102 - ground, mix(colors.wall[2], darker(colors.ground, 0.2), 0.6))
    color, wood = rng.choice(colors.accent), mix(colors.trunk, colors.wall[1], 0.25)
    left, right, roof = rng.uniform(10, 18), rng.uniform(82, 90), rng.uniform(14, 22)
    counter = ground - rng.uniform(20, 26)
    canvas.drawPath(
        boxes([(left + 2, roof, 2.2, ground - roof), (right - 4.2, roof, 2.2, ground - roof)]),
        ink(darker(wood, 0.25)),
    )
    _pots(view, left + 6, right - 6, counter, min(counter - roof - 14, 34), rng.integer(3, 5))
    box(canvas, left, counter, right - left, ground - counter - 4, wood)
    planks = boxes((left, counter + 5.4 * k, right - left, 0.8) for k in range(4))
    canvas.drawPath(planks, ink(darker(wood, 0.25)))
    step = (right - left + 8) / 9
    for k, tone in ((0, color), (1, 0xFFFBF6EA)):
        stripes = skia.Path()
        for i in range(k, 9, 2):
            x = left - 4 + step * i
            stripes.addRect(skia.Rect(x, roof - 5, x + step, roof + 9))
            stripes.addCircle(x + step / 2, roof + 9, step / 2)
        canvas.drawPath(stripes, ink(tone))
    box(canvas, left - 5, roof - 7, right - left + 10, 2.6, darker(color, 0.3))
    if rng.chance(0.6):
        canvas.drawPath(
            discs([(left + 14, ground - 1, 7), (right - 14, ground - 1, 7)]), ink(darker(wood, 0.5))
        )
        canvas.drawPath(
            discs([(left + 14, ground - 1, 4.6), (right - 14, ground - 1, 4.6)]),
            ink(lighter(wood, 0.2)),
        )
    else:
        _pots(view, left - 2, left + 16, ground + 8, 24, 1)
        _pots(view, right - 16, right + 2, ground + 8, 24, 1)
    oval(canvas, 50, ground + 7, 40, 2, 0x20000010)


LAYOUTS = (_shelves, _shelves, _sill, _greenhouse, _bed, _stall)

KIND = SceneKind(name="garden", share=0.12, paint=_paint)
