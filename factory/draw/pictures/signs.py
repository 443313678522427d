"""Designs that show one line icon: posters, boards, pennants, neon, badges, prints."""

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
    waves,
)
from factory.draw.pictures.scene import View

GRID = 24.0
"""Side of the square that line icons are drawn in."""


def icon(
    view: View, outline: skia.Path, x: float, y: float, size: float, paint: skia.Paint
) -> None:
    """Stroke an icon centred at (x, y)."""
    canvas, k = view.canvas, size / GRID
    canvas.save()
    canvas.translate(x - size / 2, y - size / 2)
    canvas.scale(k, k)
    canvas.drawPath(outline, paint)
    canvas.restore()


def solid(
    view: View, outline: skia.Path, x: float, y: float, size: float, fill: int, stroke: int
) -> None:
    """A two-tone icon: filled shapes under the strokes."""
    canvas, k = view.canvas, size / GRID
    canvas.save()
    canvas.translate(x - size / 2, y - size / 2)
    canvas.scale(k, k)
    canvas.drawPath(outline, ink(fill))
    canvas.drawPath(outline, pen(stroke, 1.75))
    canvas.restore()


def contrast(view: View, ground: int) -> int:
    """Near white or near black, whichever can be read on the ground."""
    red, green, blue = ground >> 16 & 255, ground >> 8 & 255, ground & 255
    bright = 0.3 * red + 0.59 * green + 0.11 * blue > 140
    return darker(view.colors.roof[1], 0.55) if bright else lighter(view.colors.lit, 0.75)


def poster(view: View, outline: skia.Path, x: float, size: float) -> None:
    """A big sun behind the icon, which stands on rolling ground; two lesser copies far off."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    floor = rng.uniform(68, 76)
    box(canvas, -1, -1, 102, 102, mix(colors.sky[0], colors.sky[1], rng.random()))
    disc(canvas, x, floor - 26, 34 * size, colors.sky[2])
    poly(canvas, waves(rng, floor - 5, 3, 0.8, 14), mix(colors.far, colors.near, 0.6))
    tone = mix(colors.near, colors.ground, 0.6)
    for k in range(view.many(0, 2)):
        side = 12 if k else 88
        icon(view, outline, side, floor - 7, 15, pen(tone, 2))
    box(canvas, -1, floor + 2, 102, 100, tone)
    oval(canvas, x, floor + 3, 22 * size, 3.2, darker(tone, 0.3))
    mark = darker(rng.choice(colors.roof), 0.35)
    solid(
        view,
        outline,
        x,
        floor + 2 - 20 * size,
        44 * size,
        lighter(rng.choice(colors.accent), 0.25),
        mark,
    )


def signboard(view: View, outline: skia.Path, x: float, size: float) -> None:
    """A board on two posts in a meadow."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    ground = rng.uniform(76, 82)
    canvas.drawRect(skia.Rect(-1, -1, 101, ground), fade(0, ground, *colors.sky))
    poly(canvas, waves(rng, ground - 12, 6, 0.9, 14), mix(colors.far, colors.near, 0.5))
    box(canvas, -1, ground - 3, 102, 100, colors.near)
    w, h, y = 56 * min(size, 1.15), 46 * min(size, 1.15), ground - 36
    board = rng.choice(
        (
            colors.roof[0],
            colors.accent[2],
            darker(colors.leaf[2], 0.1),
            lighter(colors.wall[0], 0.2),
        )
    )
    canvas.drawPath(
        boxes(
            [(x - w * 0.32, y, 3.6, ground - y + 5), (x + w * 0.32 - 3.6, y, 3.6, ground - y + 5)]
        ),
        ink(colors.trunk),
    )
    pill(canvas, x - w / 2, y - h / 2 + 2, w, h, 5, darker(board, 0.45))
    pill(canvas, x - w / 2, y - h / 2, w, h, 5, board)
    mark = contrast(view, board)
    canvas.drawRoundRect(
        skia.Rect(x - w / 2 + 2.4, y - h / 2 + 2.4, x + w / 2 - 2.4, y + h / 2 - 2.4),
        3.4,
        3.4,
        pen(mark, 0.8),
    )
    icon(view, outline, x, y, h * 0.74, pen(mark, 1.9))
    tufts = lines(
        (tx + dx, ground + 6, tx + dx * 2.2, ground + 1.5)
        for tx in range(4, 100, 13)
        for dx in (-0.8, 0.0, 0.8)
    )
    canvas.drawPath(tufts, pen(darker(colors.near, 0.2), 0.7))


def pennant(view: View, outline: skia.Path, x: float, size: float) -> None:
    """A swallow-tailed banner that hangs from a rod."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    wall = mix(colors.wall[rng.integer(0, 3)], colors.far, rng.uniform(0.1, 0.6))
    if colors.night:
        wall = darker(wall, 0.35)
    box(canvas, -1, -1, 102, 102, wall)
    bricks = [
        (k % 7 * 16 + (k // 7 % 2) * 8 - 6.0, k // 7 * 9.0 + 2, 13.0, 6.0)
        for k in range(view.many(3, 7) * 10)
    ]
    canvas.drawPath(boxes(bricks[:: rng.integer(2, 5)]), ink(darker(wall, 0.07)))
    cloth, w, top = rng.choice(colors.accent), 52 * size, rng.uniform(12, 18)
    low = min(97.0, top + 70 * size)
    poly(
        canvas,
        [
            (x - w / 2 + 2, top),
            (x + w / 2 + 2, top),
            (x + w / 2 + 2, low),
            (x + 2, low - 12),
            (x - w / 2 + 2, low),
        ],
        see_through(0xFF0A0E20, 46),
    )
    poly(
        canvas,
        [(x - w / 2, top), (x + w / 2, top), (x + w / 2, low), (x, low - 13), (x - w / 2, low)],
        cloth,
    )
    box(canvas, x - w / 2, top + 5, w, 2, lighter(cloth, 0.5))
    canvas.drawPath(
        boxes(
            [
                (x - w / 2 + 2.6, top + 7, 1, low - top - 12),
                (x + w / 2 - 3.6, top + 7, 1, low - top - 12),
            ]
        ),
        ink(lighter(cloth, 0.35)),
    )
    pill(canvas, x - w / 2 - 5, top - 2.4, w + 10, 3.6, 1.8, darker(colors.trunk, 0.2))
    canvas.drawPath(
        lines([(x - w / 2, top - 1, x, top - 12), (x + w / 2, top - 1, x, top - 12)]),
        pen(darker(colors.trunk, 0.4), 0.7),
    )
    icon(view, outline, x, (top + low) / 2 - 1, w * 0.72, pen(contrast(view, cloth), 1.9))


def neon(view: View, outline: skia.Path, x: float, size: float) -> None:
    """Neon on a dark brick wall over a lit counter."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    wall = darker(mix(colors.roof[1], colors.sky[0], 0.4), 0.55)
    light = lighter(rng.choice(colors.accent), 0.2)
    box(canvas, -1, -1, 102, 102, wall)
    bricks = [(k % 6 * 18 + (k // 6 % 2) * 9 - 8.0, k // 6 * 7.5, 16.6, 6.2) for k in range(60)]
    canvas.drawPath(boxes(bricks[:: 2 if view.detail < 0.5 else 1]), ink(lighter(wall, 0.06)))
    y = 42 + rng.uniform(-3, 3)
    disc(canvas, x, y, 41, see_through(light, 26))
    disc(canvas, x, y, 30, see_through(light, 30))
    counter = rng.uniform(80, 86)
    box(canvas, -1, counter, 102, 30, darker(colors.trunk, 0.35))
    box(canvas, -1, counter, 102, 2, mix(light, colors.trunk, 0.4))
    oval(canvas, x, counter + 7, 30, 3.4, see_through(light, 60))
    icon(view, outline, x, y, 46 * size, pen(see_through(light, 70), 3.6))
    icon(view, outline, x, y, 46 * size, pen(light, 1.9))
    icon(view, outline, x, y, 46 * size, pen(lighter(light, 0.75), 0.8))


def medal(view: View, outline: skia.Path, x: float, size: float) -> None:
    """A badge on a field of the same icon, small and upright."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    ground = rng.choice(
        (
            lighter(colors.wall[0], 0.1),
            colors.sky[1],
            lighter(colors.accent[1], 0.3),
            darker(colors.accent[2], 0.2),
        )
    )
    box(canvas, -1, -1, 102, 102, ground)
    faint, step = (
        pen(mix(ground, contrast(view, ground), 0.22), 2),
        24.0 if view.detail < 0.6 else 19.0,
    )
    count = int(100 / step) + 1
    for row in range(count):
        for column in range(count):
            px, py = column * step + (row % 2) * step / 2, row * step + 4
            if (px - x) ** 2 + (py - 50) ** 2 > (31 * size) ** 2 and (px - 50) ** 2 + (
                py - 50
            ) ** 2 < 3200:
                icon(view, outline, px, py, step * 0.52, faint)
    badge = rng.choice((colors.accent[0], colors.roof[0], colors.leaf[2], colors.roof[1]))
    mark = contrast(view, badge)
    r = 28 * size
    disc(canvas, x, 51.5, r, darker(ground, 0.3))
    disc(canvas, x, 50, r, badge)
    canvas.drawArc(
        skia.Rect(x - r, 50 - r, x + r, 50 + r), 20, 140, False, ink(darker(badge, 0.18))
    )
    canvas.drawCircle(x, 50, r * 0.88, pen(mark, 0.9))
    icon(view, outline, x, 49, r * 1.12, pen(mark, 1.9))


def card(view: View, outline: skia.Path, x: float, size: float) -> None:
    """A framed print on a sideboard, a vase beside it."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    wall = mix(rng.choice(colors.accent), colors.wall[0], 0.6)
    if colors.night:
        wall = darker(wall, 0.4)
    top = rng.uniform(78, 85)
    wood = mix(colors.trunk, colors.wall[1], 0.3)
    box(canvas, -1, -1, 102, 102, wall)
    box(canvas, -1, top - 34, 102, 40, darker(wall, 0.1))
    box(canvas, -1, top, 102, 30, wood)
    box(canvas, -1, top, 102, 1.8, lighter(wood, 0.25))
    box(canvas, -1, top + 7, 102, 0.9, darker(wood, 0.35))
    w, h = 48 * size, 56 * size
    left, y = x - w / 2, top - h
    box(canvas, left + 2.5, y + 1.5, w, h - 1, see_through(0xFF0A0E20, 46))
    box(canvas, left, y, w, h, darker(colors.trunk, 0.3))
    box(canvas, left + 2, y + 2, w - 4, h - 4, 0xFFFAF6EE)
    tint = rng.choice((colors.sky[1], lighter(colors.accent[1], 0.3), lighter(colors.near, 0.3)))
    box(canvas, left + 6, y + 6, w - 12, h - 12, tint)
    box(canvas, left + 6, y + h * 0.68, w - 12, h * 0.32 - 6, darker(tint, 0.16))
    solid(
        view,
        outline,
        x,
        y + h * 0.49,
        w * 0.56,
        lighter(rng.choice(colors.accent), 0.35),
        contrast(view, tint),
    )
    side = 15.0 if x > 50 else 85.0
    vase = rng.choice(colors.accent)
    canvas.drawPath(
        lines((side, top - 10, side + dx, top - 26 - up) for dx, up in ((-6, 2), (0, 8), (6, 0))),
        pen(colors.leaf[0], 1.3),
    )
    pill(canvas, side - 5, top - 14, 10, 14, 3.4, vase)
    pill(canvas, side - 3, top - 16, 6, 4, 1.2, lighter(vase, 0.2))


DESIGNS = (poster, signboard, pennant, neon, medal, card)
