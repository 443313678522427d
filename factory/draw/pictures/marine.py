"""What is found in and on the water."""

from __future__ import annotations

import math

import skia

from factory.draw.pictures.brush import (
    box,
    boxes,
    darker,
    disc,
    discs,
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
from factory.draw.pictures.scene import View


def swell(view: View, y: float, color: int) -> None:
    """A row of crests, water below."""
    path, step = skia.Path(), view.rng.uniform(9, 15)
    x = -step * view.rng.uniform(0.1, 1.0)
    path.moveTo(x, y)
    while x < 102:
        path.quadTo(x + step / 2, y + step * 0.42, x + step, y)
        x += step
    path.lineTo(x, 102)
    path.lineTo(-20, 102)
    view.canvas.drawPath(path, ink(color))


def shine(view: View, low: float, high: float) -> None:
    rng = view.rng
    spots = (
        (rng.uniform(-4, 92), rng.uniform(low, high), rng.uniform(4, 12))
        for _ in range(view.many(6, 12))
    )
    view.canvas.drawPath(
        lines((x, y, x + w, y) for x, y, w in spots),
        pen(see_through(lighter(view.colors.water, 0.6), 150), 0.7),
    )


def fishing_boat(view: View, x: float, base: float, w: float) -> None:
    """A cutter with a wheel house, a mast and tyres along the hull."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    hull = rng.choice((*colors.accent, colors.roof[0]))
    cabin = lighter(colors.wall[0], 0.3)
    canvas.drawPath(
        lines(
            [
                (x + w * 0.14, base - w * 0.2, x + w * 0.14, base - w * 0.8),
                (x + w * 0.14, base - w * 0.75, x + w * 0.45, base - w * 0.3),
            ]
        ),
        pen(colors.trunk, 0.8),
    )
    box(canvas, x - w * 0.3, base - w * 0.46, w * 0.3, w * 0.28, cabin)
    box(canvas, x - w * 0.33, base - w * 0.49, w * 0.36, w * 0.05, darker(hull, 0.1))
    canvas.drawPath(
        boxes(
            [
                (x - w * 0.26, base - w * 0.4, w * 0.09, w * 0.09),
                (x - w * 0.12, base - w * 0.4, w * 0.09, w * 0.09),
            ]
        ),
        ink(colors.lit if colors.night else colors.glass),
    )
    path = skia.Path()
    path.moveTo(x - w / 2, base - w * 0.2)
    path.lineTo(x + w * 0.3, base - w * 0.2)
    path.quadTo(x + w * 0.44, base - w * 0.22, x + w * 0.54, base - w * 0.3)
    path.quadTo(x + w * 0.5, base, x + w * 0.36, base + w * 0.05)
    path.lineTo(x - w * 0.42, base + w * 0.05)
    path.close()
    canvas.drawPath(path, ink(hull))
    box(canvas, x - w * 0.43, base, w * 0.8, w * 0.05, darker(hull, 0.4))
    box(canvas, x - w * 0.5, base - w * 0.2, w * 0.84, w * 0.035, lighter(hull, 0.5))


def hut(view: View, x: float, base: float, w: float) -> None:
    canvas, colors = view.canvas, view.colors
    wall, straw = mix(colors.trunk, colors.wall[1], 0.5), mix(colors.lit, colors.trunk, 0.35)
    box(canvas, x - w * 0.36, base - w * 0.5, w * 0.72, w * 0.5, wall)
    box(canvas, x - w * 0.1, base - w * 0.38, w * 0.2, w * 0.38, darker(wall, 0.6))
    poly(
        canvas,
        [(x - w * 0.56, base - w * 0.42), (x, base - w * 0.95), (x + w * 0.56, base - w * 0.42)],
        straw,
    )
    poly(
        canvas,
        [(x, base - w * 0.95), (x + w * 0.56, base - w * 0.42), (x + w * 0.1, base - w * 0.42)],
        darker(straw, 0.18),
    )


def parasol(view: View, x: float, base: float, h: float) -> None:
    canvas, color = view.canvas, view.rng.choice(view.colors.accent)
    box(canvas, x - 0.5, base - h, 1, h, view.colors.trunk)
    dome = skia.Rect(x - h * 0.55, base - h * 1.06, x + h * 0.55, base - h * 0.34)
    canvas.drawArc(dome, 180, 180, True, ink(color))
    canvas.drawArc(
        skia.Rect(x - h * 0.3, base - h * 1.06, x + h * 0.3, base - h * 0.34),
        180,
        180,
        True,
        ink(0xFFFDF8EE),
    )
    canvas.drawArc(
        skia.Rect(x - h * 0.11, base - h * 1.06, x + h * 0.11, base - h * 0.34),
        180,
        180,
        True,
        ink(color),
    )
    box(canvas, x + h * 0.2, base - 2.6, h * 0.6, 1.4, darker(color, 0.1))
    box(canvas, x + h * 0.26, base - 1.4, h * 0.05, 2, view.colors.trunk)
    box(canvas, x + h * 0.7, base - 1.4, h * 0.05, 2, view.colors.trunk)


def weed(view: View, x: float, base: float, h: float) -> None:
    path = skia.Path()
    for k in range(3):
        left, tall = x + (k - 1) * 3.2, h * (1.0, 0.75, 0.6)[(k + 1) % 3]
        path.moveTo(left, base)
        path.cubicTo(left - 5, base - tall * 0.35, left + 5, base - tall * 0.65, left, base - tall)
    view.canvas.drawPath(path, pen(view.rng.choice(view.colors.leaf), 2.2))


def coral(view: View, x: float, base: float, h: float) -> None:
    color, path = view.rng.choice(view.colors.accent), skia.Path()
    for angle, reach in ((-0.55, 0.8), (0.0, 1.0), (0.5, 0.85)):
        tx, ty = x + math.sin(angle) * h * reach, base - math.cos(angle) * h * reach
        path.moveTo(x, base)
        path.quadTo(x + math.sin(angle) * h * 0.15, base - h * 0.5, tx, ty)
        path.moveTo((x + tx) / 2, (base + ty) / 2)
        path.lineTo((x + tx) / 2 + h * 0.2 * (1 if angle >= 0 else -1), (base + ty) / 2 - h * 0.26)
    view.canvas.drawPath(path, pen(color, h * 0.13))


def fish(view: View, x: float, y: float, w: float) -> None:
    """A fish with fin, stripe, belly and eye, swimming either way."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    color, second = rng.choice(colors.accent), rng.choice(colors.wall)
    way = rng.choice((-1, 1))
    rear = x - way * w * 0.42
    poly(
        canvas,
        [
            (rear, y),
            (rear - way * w * 0.24, y - w * 0.2),
            (rear - way * w * 0.17, y),
            (rear - way * w * 0.24, y + w * 0.2),
        ],
        darker(color, 0.15),
    )
    poly(
        canvas,
        [
            (x - way * w * 0.2, y - w * 0.2),
            (x - way * w * 0.12, y - w * 0.4),
            (x + way * w * 0.16, y - w * 0.22),
        ],
        darker(color, 0.15),
    )
    oval(canvas, x, y, w / 2, w * 0.27, color)
    if w > 14:
        oval(canvas, x, y + w * 0.12, w * 0.36, w * 0.14, lighter(color, 0.4))
        box(canvas, x - way * w * 0.06 - w * 0.035, y - w * 0.255, w * 0.07, w * 0.5, second)
        box(canvas, x - way * w * 0.24 - w * 0.03, y - w * 0.215, w * 0.06, w * 0.42, second)
    disc(canvas, x + way * w * 0.28, y - w * 0.07, w * 0.065, 0xFFFFFFFF)
    disc(canvas, x + way * w * 0.3, y - w * 0.07, w * 0.035, 0xFF1B2030)


def submarine(view: View, x: float, y: float, w: float) -> None:
    canvas, color = view.canvas, view.rng.choice(view.colors.accent)
    box(canvas, x - w * 0.01, y - w * 0.46, w * 0.04, w * 0.2, darker(color, 0.3))
    box(canvas, x - w * 0.01, y - w * 0.46, w * 0.12, w * 0.05, darker(color, 0.3))
    pill(canvas, x - w * 0.14, y - w * 0.34, w * 0.28, w * 0.2, w * 0.05, darker(color, 0.12))
    poly(
        canvas,
        [(x - w * 0.4, y), (x - w * 0.58, y - w * 0.17), (x - w * 0.58, y + w * 0.17)],
        darker(color, 0.3),
    )
    canvas.drawOval(skia.Rect(x - w / 2, y - w * 0.23, x + w / 2, y + w * 0.23), ink(color))
    box(canvas, x - w * 0.46, y + w * 0.07, w * 0.92, w * 0.035, lighter(color, 0.55))
    canvas.drawPath(
        discs((x + w * dx, y - w * 0.03, w * 0.075) for dx in (-0.22, 0.02, 0.26)),
        ink(lighter(color, 0.6)),
    )
    canvas.drawPath(
        discs((x + w * dx, y - w * 0.03, w * 0.05) for dx in (-0.22, 0.02, 0.26)),
        ink(darker(view.colors.glass, 0.1)),
    )
