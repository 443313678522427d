"""Things that stand in more than one scene: sky, clouds, trees, houses.

``base`` is always the height at which a thing touches the ground.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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
    oval,
    pen,
    poly,
    see_through,
)
from factory.draw.pictures.scene import View

Spot = tuple[float, float, float]
"""Where a thing stands: x, base, height."""


def sky(view: View, horizon: float, *, clouds: int = 2) -> None:
    """Gradient, sun or moon, stars or birds, and clouds, down to the horizon."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    canvas.drawRect(skia.Rect(-1, -1, 101, horizon + 1), fade(0, horizon, *colors.sky))
    box(canvas, -1, horizon, 102, 24, colors.sky[-1])
    x, y = rng.uniform(20, 80), rng.uniform(14, max(18.0, horizon - 16))
    radius = rng.uniform(4.5, 9.5)
    sun = (x, y, radius)
    if colors.night:
        stars(view, horizon, sun)
    disc(canvas, x, y, radius * 2.1, see_through(colors.sun, 30))
    disc(canvas, x, y, radius * 1.5, see_through(colors.sun, 52))
    if colors.night and rng.chance(0.5):
        canvas.drawPath(crescent(x, y, radius), ink(colors.sun))
    else:
        disc(canvas, x, y, radius, colors.sun)
    for _ in range(clouds):
        cx, cy = rng.uniform(8, 92), rng.uniform(12, max(16.0, horizon - 10))
        width = rng.uniform(9, 19)
        cx = beside(sun, cx, width / 2, cy - width * 0.45, cy)
        cloud(view, cx, cy, width)
    if not colors.night and rng.chance(0.4):
        bx, by = rng.uniform(25, 70), rng.uniform(16, horizon * 0.6)
        birds(view, beside(sun, bx + 7, 9.5, by - 2, by + 4) - 7, by)


def beside(sun: Spot, x: float, half: float, top: float, bottom: float) -> float:
    """Where to centre a thing of this half width so that it does not cross the disc ``sun``
    (x, y, radius): at x, or pushed aside, to the right of a sun on the left and vice versa."""
    sx, sy, radius = sun
    reach = radius * 1.15 + half
    if abs(x - sx) >= reach or top > sy + radius * 1.15 or bottom < sy - radius * 1.15:
        return x
    return sx + reach if sx < 50 else sx - reach


def crescent(x: float, y: float, radius: float) -> skia.Path:
    """A waning moon: the disc without one of 0.86 of its radius that is shifted by 0.47.

    The arcs meet 59.2 degrees either side of the shift, which points at -32 degrees;
    seen from the smaller disc that is 87.3 degrees.
    """
    path, cut = skia.Path(), radius * 0.86
    cx, cy = x + radius * 0.4, y - radius * 0.25
    path.arcTo(skia.Rect(x - radius, y - radius, x + radius, y + radius), 27.2, 241.6, True)
    path.arcTo(skia.Rect(cx - cut, cy - cut, cx + cut, cy + cut), 240.7, -185.4, False)
    path.close()
    return path


def stars(view: View, horizon: float, moon: Spot) -> None:
    """A handful of dots in the upper sky, none on the moon or in its halo."""
    rng, (mx, my, radius) = view.rng, moon
    clear = (radius * 2.1 + 1) ** 2
    dots = [
        (rng.uniform(2, 98), rng.uniform(3, horizon * 0.75), rng.uniform(0.25, 0.6))
        for _ in range(view.many(7, 16))
    ]
    seen = (dot for dot in dots if (dot[0] - mx) ** 2 + (dot[1] - my) ** 2 > clear)
    view.canvas.drawPath(discs(seen), ink(0xD0FFFFFF))


def cloud(view: View, x: float, y: float, width: float) -> None:
    """A cloud with a flat base: a row of bumps on a bar, one path."""
    rng, path = view.rng, skia.Path()
    height = width * 0.3
    path.addRoundRect(
        skia.Rect(x - width / 2, y - height * 0.4, x + width / 2, y), height * 0.2, height * 0.2
    )
    for k in range(3):
        bump = height * rng.uniform(0.5, 0.95) * (1.15 if k == 1 else 0.8)
        path.addCircle(x + (k - 1) * width * 0.27, y - bump * 0.55, bump)
    view.canvas.drawPath(path, ink(see_through(view.colors.cloud, 205)))


def birds(view: View, x: float, y: float) -> None:
    """Three far gulls."""
    path = skia.Path()
    for k in range(3):
        bx, by = x + 7 * k - 4 * (k % 2), y + 3.2 * (k % 2)
        path.moveTo(bx - 2.2, by - 1)
        path.quadTo(bx - 1, by - 1.6, bx, by)
        path.quadTo(bx + 1, by - 1.6, bx + 2.2, by - 1)
    view.canvas.drawPath(path, pen(darker(view.colors.sky[0], 0.5), 0.55))


def pines(view: View, spots: Sequence[Spot], color: int) -> None:
    """Conifers: stacked triangles, shaded on one side, on short trunks."""
    light, dark = skia.Path(), skia.Path()
    for x, base, h in spots:
        low, half = base - h * 0.12, h * 0.24
        for k in range(3):
            bottom, reach = low - h * 0.26 * k, half * (1 - 0.24 * k)
            top = bottom - h * 0.4
            light.addPoly(
                [skia.Point(x, top), skia.Point(x + reach, bottom), skia.Point(x - reach, bottom)],
                True,
            )
            dark.addPoly(
                [skia.Point(x, top), skia.Point(x + reach, bottom), skia.Point(x, bottom)], True
            )
    trunks = boxes((x - h * 0.035, base - h * 0.16, h * 0.07, h * 0.16) for x, base, h in spots)
    view.canvas.drawPath(trunks, ink(view.colors.trunk))
    view.canvas.drawPath(light, ink(color))
    view.canvas.drawPath(dark, ink(darker(color, 0.18)))


def round_trees(view: View, spots: Sequence[Spot], color: int) -> None:
    """Broad-leaved trees: three balls of leaves with a lit side."""
    canvas = view.canvas
    trunks = boxes((x - h * 0.045, base - h * 0.5, h * 0.09, h * 0.5) for x, base, h in spots)
    canvas.drawPath(trunks, ink(view.colors.trunk))
    dark = ink(darker(color, 0.2))
    for x, base, h in spots:
        canvas.drawCircle(x + h * 0.17, base - h * 0.5, h * 0.2, dark)
        canvas.drawCircle(x - h * 0.17, base - h * 0.52, h * 0.2, ink(color))
        canvas.drawCircle(x, base - h * 0.7, h * 0.26, ink(color))
        canvas.drawCircle(x - h * 0.08, base - h * 0.76, h * 0.13, ink(lighter(color, 0.16)))


def poplars(view: View, spots: Sequence[Spot], color: int) -> None:
    """Slim upright trees: ellipses, one side darker."""
    canvas = view.canvas
    trunks = boxes((x - h * 0.03, base - h * 0.25, h * 0.06, h * 0.25) for x, base, h in spots)
    canvas.drawPath(trunks, ink(view.colors.trunk))
    for x, base, h in spots:
        oval(canvas, x, base - h * 0.56, h * 0.17, h * 0.44, darker(color, 0.16))
        oval(canvas, x - h * 0.035, base - h * 0.57, h * 0.12, h * 0.41, color)


def palms(view: View, spots: Sequence[Spot], color: int) -> None:
    """Palm trees: a bent trunk and six fronds."""
    trunk, fronds = skia.Path(), skia.Path()
    for x, base, h in spots:
        top_x, top = x + h * 0.1, base - h * 0.8
        trunk.moveTo(x, base)
        trunk.quadTo(x - h * 0.04, base - h * 0.45, top_x, top)
        for angle in (-2.9, -2.3, -1.75, -1.2, -0.7, -0.15):
            dx, dy = math.cos(angle) * h * 0.36, math.sin(angle) * h * 0.2
            fronds.moveTo(top_x, top)
            fronds.quadTo(top_x + dx * 0.6, top + dy * 1.7, top_x + dx, top + dy * 0.4 + h * 0.1)
            fronds.quadTo(top_x + dx * 0.55, top + dy * 0.9, top_x, top)
    view.canvas.drawPath(trunk, pen(view.colors.trunk, spots[0][2] * 0.06))
    view.canvas.drawPath(fronds, ink(color))


def grove(view: View, spots: Sequence[Spot], *, kind: str = "") -> None:
    """Trees of one kind, the farther first."""
    paint = {"pine": pines, "round": round_trees, "poplar": poplars, "palm": palms}
    chosen = kind or view.rng.choice(("pine", "round", "poplar"))
    if spots:
        paint[chosen](view, sorted(spots, key=lambda s: s[1]), view.rng.choice(view.colors.leaf))


def house(view: View, x: float, base: float, width: float) -> None:
    """A gabled house with a lit front, a shaded side, chimney, door and windows."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    wall, roof = rng.choice(colors.wall), rng.choice(colors.roof)
    front, side = width * 0.62, width * 0.38
    height, rise = width * rng.uniform(0.5, 0.68), width * rng.uniform(0.3, 0.42)
    left, eave = x - width / 2, base - height
    middle, corner = left + front / 2, left + front
    box(canvas, corner + side * 0.45, eave - rise * 0.98, width * 0.09, rise, darker(roof, 0.35))
    box(canvas, left, eave, front, height, wall)
    box(canvas, corner, eave, side, height, darker(wall, 0.2))
    poly(canvas, [(left, eave + 0.2), (middle, eave - rise), (corner, eave + 0.2)], wall)
    over = width * 0.05
    poly(
        canvas,
        [
            (middle, eave - rise - over * 0.4),
            (middle + side * 1.02, eave - rise - over * 0.4),
            (left + width + over, eave + over * 0.6),
            (corner + over, eave + over * 0.6),
        ],
        roof,
    )
    poly(
        canvas,
        [
            (middle, eave - rise - over * 0.4),
            (left - over, eave + over * 0.6),
            (left - over, eave + over * 1.7),
            (middle, eave - rise + over),
            (corner, eave + over * 1.7),
            (corner + over, eave + over * 0.6),
        ],
        darker(roof, 0.22),
    )
    glass = colors.lit if colors.night else colors.glass
    door = darker(rng.choice(colors.accent), 0.1)
    box(canvas, left + front * 0.4, base - height * 0.55, front * 0.22, height * 0.55, door)
    size = front * 0.17
    panes = [
        (left + front * 0.12, eave + height * 0.28, size, size),
        (left + front * 0.74, eave + height * 0.28, size, size),
        (middle - size * 0.4, eave - rise * 0.5, size * 0.8, size * 0.8),
        (corner + side * 0.32, eave + height * 0.28, size, size),
    ]
    canvas.drawPath(boxes(panes), ink(glass))


def fence(view: View, x: float, base: float, width: float) -> None:
    """Pickets on two rails."""
    color = lighter(view.rng.choice(view.colors.wall), 0.1)
    count = max(3, int(width / 3.2))
    bars = [(x + i * 3.2, base - 5.5, 1.1, 5.5) for i in range(count)]
    bars += [
        (x - 0.6, base - 4.4, count * 3.2 - 0.8, 0.8),
        (x - 0.6, base - 2.2, count * 3.2 - 0.8, 0.8),
    ]
    view.canvas.drawPath(boxes(bars), ink(color))


def flowers(view: View, low: float, high: float, count: int) -> None:
    """Stems with round heads between two heights, in one or two colours."""
    rng = view.rng
    spots = [
        (rng.uniform(4, 96), rng.uniform(low, high), rng.uniform(2.5, 5)) for _ in range(count)
    ]
    stems = lines((x, y, x, y - h) for x, y, h in spots)
    view.canvas.drawPath(stems, pen(darker(view.colors.leaf[0], 0.1), 0.5))
    for part, color in ((spots[::2], 0), (spots[1::2], 1)):
        heads = discs((x, y - h, 0.9 + h * 0.08) for x, y, h in part)
        view.canvas.drawPath(heads, ink(view.colors.accent[color]))
