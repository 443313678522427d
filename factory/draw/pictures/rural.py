"""What stands in open country: barns, windmills, tents, cacti, mountain ranges."""

from __future__ import annotations

import skia

from factory.draw.pictures.brush import (
    box,
    boxes,
    crags,
    darker,
    disc,
    ink,
    lighter,
    lines,
    outline,
    pen,
    poly,
    see_through,
    waves,
)
from factory.draw.pictures.props import (
    Spot,
)
from factory.draw.pictures.scene import View


def mountains(view: View, y: float, height: float, color: int, *, snow: bool) -> None:
    """A mountain range; with ``snow``, the peaks have white caps."""
    rng = view.rng
    if not snow and rng.chance(0.5):
        poly(view.canvas, waves(rng, y - height * 0.5, height * 0.5, rng.uniform(0.7, 1.8)), color)
        return
    line = crags(rng, y, height, rng.integer(2, 5))
    poly(view.canvas, [*line, (104, 102), (-4, 102)], color)
    shade, caps = skia.Path(), skia.Path()
    for left, peak, right in zip(line, line[1:], line[2:], strict=False):
        if peak[1] < left[1] and peak[1] < right[1]:
            shade.addPath(outline([peak, right, (peak[0] + (right[0] - peak[0]) * 0.35, y)]))
            a, b = toward(peak, left, 0.36), toward(peak, right, 0.36)
            m = (a[0] + b[0]) / 2
            caps.addPath(
                outline(
                    [
                        a,
                        peak,
                        b,
                        ((m + b[0]) / 2, b[1] - height * 0.07),
                        (m, a[1] + height * 0.03),
                        ((m + a[0]) / 2, a[1] - height * 0.06),
                    ]
                )
            )
    view.canvas.drawPath(shade, ink(darker(color, 0.14)))
    if snow:
        view.canvas.drawPath(caps, ink(lighter(color, 0.8)))


def toward(
    start: tuple[float, float], end: tuple[float, float], share: float
) -> tuple[float, float]:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def spots(view: View, base: float, least: float, most: float, count: int) -> list[Spot]:
    """Places for trees around a base line, kept from standing on each other."""
    rng = view.rng
    width = 92 / max(1, count)
    return [
        (
            4 + width * (k + rng.random() * 0.8),
            base + rng.uniform(-1.5, 2.5),
            rng.uniform(least, most),
        )
        for k in range(count)
    ]


def jetty(view: View, x: float, base: float) -> None:
    """A wooden landing stage with posts and a lamp."""
    wood = view.colors.trunk
    view.canvas.drawPath(
        boxes((x - 16 + 8 * k, base - 5, 1.4, 14) for k in range(5)), ink(darker(wood, 0.3))
    )
    box(view.canvas, x - 20, base - 5, 40, 3, wood)
    box(view.canvas, x - 20, base - 5, 40, 1, lighter(wood, 0.2))
    box(view.canvas, x + 17, base - 19, 1, 15, darker(wood, 0.4))
    disc(view.canvas, x + 17.5, base - 19, 2, view.colors.lit)


def cactus(view: View, x: float, base: float, h: float) -> None:
    """A saguaro with two arms."""
    color, path, t = view.rng.choice(view.colors.leaf), skia.Path(), h * 0.15
    path.moveTo(x, base)
    path.lineTo(x, base - h)
    for way, low, high in ((-1, 0.4, 0.7), (1, 0.52, 0.85)):
        path.moveTo(x, base - h * low)
        path.lineTo(x + way * h * 0.24, base - h * low)
        path.lineTo(x + way * h * 0.24, base - h * high)
    view.canvas.drawPath(path, pen(darker(color, 0.05), t))
    view.canvas.drawPath(
        lines([(x - t * 0.2, base - 1, x - t * 0.2, base - h)]), pen(lighter(color, 0.22), t * 0.18)
    )


def barn(view: View, x: float, base: float, w: float) -> None:
    """A gambrel barn with a crossed door."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    color, trim = rng.choice((colors.roof[0], colors.accent[1])), lighter(colors.wall[0], 0.4)
    half, h = w / 2, w * 0.42
    poly(
        canvas,
        [
            (x - half, base),
            (x - half, base - h),
            (x - half * 0.7, base - h - w * 0.2),
            (x, base - h - w * 0.32),
            (x + half * 0.7, base - h - w * 0.2),
            (x + half, base - h),
            (x + half, base),
        ],
        color,
    )
    roof = skia.Path()
    roof.addPoly(
        [
            skia.Point(x + dx * half, base - h - dy * w)
            for dx, dy in ((-1.06, -0.02), (-0.72, 0.21), (0, 0.34), (0.72, 0.21), (1.06, -0.02))
        ],
        False,
    )
    canvas.drawPath(roof, pen(darker(color, 0.55), w * 0.055))
    box(canvas, x - w * 0.15, base - h * 0.75, w * 0.3, h * 0.75, trim)
    box(canvas, x - w * 0.125, base - h * 0.68, w * 0.25, h * 0.68, darker(color, 0.18))
    cross = lines(
        [
            (x - w * 0.125, base, x + w * 0.125, base - h * 0.68),
            (x + w * 0.125, base, x - w * 0.125, base - h * 0.68),
        ]
    )
    canvas.drawPath(cross, pen(trim, w * 0.022))
    box(canvas, x - w * 0.07, base - h - w * 0.13, w * 0.14, w * 0.13, trim)


def windmill(view: View, x: float, base: float, h: float) -> None:
    """A tower mill with four sails."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    wall, roof = rng.choice(colors.wall), rng.choice(colors.roof)
    top = base - h * 0.62
    poly(
        canvas,
        [(x - h * 0.17, base), (x - h * 0.1, top), (x + h * 0.1, top), (x + h * 0.17, base)],
        wall,
    )
    poly(
        canvas,
        [(x + h * 0.04, base), (x + h * 0.03, top), (x + h * 0.1, top), (x + h * 0.17, base)],
        darker(wall, 0.18),
    )
    poly(canvas, [(x - h * 0.13, top), (x, top - h * 0.16), (x + h * 0.13, top)], roof)
    box(canvas, x - h * 0.04, base - h * 0.15, h * 0.08, h * 0.15, darker(roof, 0.3))
    hub, reach = top - h * 0.02, h * 0.36
    angle = rng.uniform(15, 75)
    canvas.save()
    canvas.translate(x, hub)
    canvas.rotate(angle)
    canvas.drawPath(
        boxes([(-reach, -0.35, 2 * reach, 0.7), (-0.35, -reach, 0.7, 2 * reach)]),
        ink(darker(colors.trunk, 0.2)),
    )
    sails = [
        (reach * 0.25, 0.35, reach * 0.72, reach * 0.2),
        (-reach * 0.97, -reach * 0.2 - 0.35, reach * 0.72, reach * 0.2),
        (-reach * 0.2 - 0.35, reach * 0.25, reach * 0.2, reach * 0.72),
        (0.35, -reach * 0.97, reach * 0.2, reach * 0.72),
    ]
    canvas.drawPath(boxes(sails), ink(see_through(lighter(wall, 0.4), 225)))
    canvas.restore()


def tent(view: View, x: float, base: float, w: float) -> None:
    """A ridge tent with an open flap."""
    color, h = view.rng.choice(view.colors.accent), w * 0.62
    poly(
        view.canvas,
        [(x - w * 0.36, base), (x, base - h), (x + w * 0.2, base - h * 0.98), (x + w * 0.62, base)],
        darker(color, 0.2),
    )
    poly(view.canvas, [(x - w * 0.36, base), (x, base - h), (x + w * 0.36, base)], color)
    poly(
        view.canvas,
        [(x - w * 0.12, base), (x, base - h * 0.7), (x + w * 0.12, base)],
        darker(color, 0.65),
    )
    poly(
        view.canvas,
        [(x - w * 0.12, base), (x, base - h * 0.7), (x - w * 0.19, base)],
        lighter(color, 0.35),
    )
