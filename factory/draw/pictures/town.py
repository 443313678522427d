"""What stands in towns: house fronts, towers, awnings, far skylines."""

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
    poly,
)
from factory.draw.pictures.scene import View

Frame = tuple[float, float, float, float]
"""Left, top, width, height."""

FEW_PANES = 12
"""Windows up to this many are large enough to show a bright upper edge."""


def skyline(view: View, base: float, height: float, share: float) -> None:
    """Far blocks as one silhouette, over a filled gap."""
    rng, x, path = view.rng, -3.0, []
    while x < 100:
        w = rng.uniform(7, 14)
        h = height * rng.uniform(0.4, 1.0)
        path.append((x, base - h, w, h + 1))
        x += w
    view.canvas.drawPath(boxes(path), ink(mix(view.colors.sky[2], view.colors.far, 0.5 + share)))


def panes(frame: Frame, columns: int, rows: int, share: float) -> list[Frame]:
    """A grid of windows in a frame; each takes ``share`` of its cell."""
    x, y, w, h = frame
    cw, ch = w / columns, h / rows
    gx, gy = cw * (1 - share) / 2, ch * (1 - share) / 2
    return [
        (x + cw * i + gx, y + ch * j + gy, cw * share, ch * share)
        for j in range(rows)
        for i in range(columns)
    ]


def lit(view: View, panes: list[Frame]) -> None:
    """Windows: at night some are lit, by day all are glass with a bright upper edge."""
    canvas, colors = view.canvas, view.colors
    if colors.night:
        dark = darker(colors.glass, 0.65) if colors.glass != colors.lit else 0xFF2A3050
        canvas.drawPath(boxes(panes), ink(mix(dark, 0xFF1A2040, 0.6)))
        canvas.drawPath(boxes(p for p in panes if view.rng.chance(0.6)), ink(colors.lit))
    else:
        canvas.drawPath(boxes(panes), ink(colors.glass))
        if len(panes) <= FEW_PANES:
            upper = boxes((x, y, w, h * 0.3) for x, y, w, h in panes)
            canvas.drawPath(upper, ink(lighter(colors.glass, 0.35)))


def town_house(view: View, x: float, base: float, w: float, h: float, *, shop: bool) -> None:
    """A narrow front with a gable, mansard or cornice, and a shop or a door below."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    wall, roof = (
        rng.choice((*colors.wall, lighter(colors.accent[1], 0.25), lighter(colors.accent[2], 0.3))),
        rng.choice(colors.roof),
    )
    top = base - h
    box(canvas, x, top, w, h, wall)
    style = rng.integer(0, 4)
    if style == 0:
        poly(canvas, [(x - 0.6, top), (x + w / 2, top - w * 0.42), (x + w + 0.6, top)], roof)
    elif style == 1:
        poly(
            canvas,
            [
                (x - 0.5, top),
                (x + w * 0.14, top - w * 0.28),
                (x + w * 0.86, top - w * 0.28),
                (x + w + 0.5, top),
            ],
            roof,
        )
        box(canvas, x + w * 0.4, top - w * 0.22, w * 0.2, w * 0.2, lighter(wall, 0.2))
    elif style == 2:
        steps = [
            (x + w * 0.1 * k, top - w * 0.11 * k, w * (1 - 0.2 * k), w * 0.12) for k in range(1, 4)
        ]
        canvas.drawPath(boxes(steps), ink(wall))
        box(canvas, x, top - 0.6, w, 1.4, darker(wall, 0.25))
    else:
        box(canvas, x - 0.7, top - 2, w + 1.4, 3, lighter(wall, 0.35))
        box(canvas, x + w * 0.7, top - 6.5, w * 0.13, 5, darker(roof, 0.2))
    ground = min(17.0, h * 0.34)
    rows = max(1, round((h - ground) / 15))
    lit(
        view,
        panes((x + w * 0.08, top + 2, w * 0.84, h - ground - 3), 3 if w > 26 else 2, rows, 0.5),
    )
    if shop:
        color = rng.choice(colors.accent)
        glass = colors.lit if colors.night else lighter(colors.glass, 0.45)
        box(
            canvas, x + w * 0.06, base - ground * 0.74, w * 0.88, ground * 0.74, darker(color, 0.45)
        )
        canvas.drawPath(
            boxes(
                [
                    (x + w * 0.11, base - ground * 0.6, w * 0.44, ground * 0.46),
                    (x + w * 0.64, base - ground * 0.6, w * 0.2, ground * 0.6),
                ]
            ),
            ink(glass),
        )
        awning(canvas, x + w * 0.03, base - ground, w * 0.94, ground * 0.34, color)
    else:
        door = rng.choice(colors.accent)
        box(canvas, x + w * 0.58, base - ground * 0.78, w * 0.22, ground * 0.78, darker(door, 0.15))
        box(canvas, x + w * 0.55, base - ground * 0.9, w * 0.28, ground * 0.12, lighter(wall, 0.4))
        lit(view, [(x + w * 0.16, base - ground * 0.75, w * 0.24, ground * 0.45)])


def awning(canvas: skia.Canvas, x: float, y: float, w: float, h: float, color: int) -> None:
    """A striped blind with a scalloped edge."""
    step = w / 8
    for k, tone in ((0, color), (1, 0xFFFDF8EE)):
        path = skia.Path()
        for i in range(k, 8, 2):
            a = x + step * i
            path.addRect(skia.Rect(a, y, a + step, y + h))
            path.addCircle(a + step / 2, y + h, step / 2)
        canvas.drawPath(path, ink(tone))


def tower(view: View, x: float, base: float, w: float, h: float) -> None:
    """A high-rise with a lit and a shaded side, windows in rows, sometimes a mast."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    wall = rng.choice(
        (
            *colors.wall,
            mix(colors.roof[1], colors.wall[2], 0.4),
            mix(colors.accent[2], colors.wall[0], 0.5),
        )
    )
    top = base - h
    box(canvas, x, top, w, h, wall)
    box(canvas, x + w * 0.74, top, w * 0.26, h, darker(wall, 0.2))
    style = rng.integer(0, 3)
    if style == 0:
        box(canvas, x + w * 0.2, top - 4, w * 0.45, 4.2, darker(wall, 0.12))
        canvas.drawPath(
            lines([(x + w * 0.42, top - 4, x + w * 0.42, top - 13)]), pen(darker(wall, 0.4), 0.8)
        )
    elif style == 1:
        poly(canvas, [(x, top), (x + w * 0.5, top - w * 0.5), (x + w, top)], darker(wall, 0.1))
    lit(view, panes((x + w * 0.06, top + 2, w * 0.66, h - 8), 3, max(3, round(h / 8)), 0.52))
