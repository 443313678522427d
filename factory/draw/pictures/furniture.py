"""Furniture and what stands on it."""

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
)
from factory.draw.pictures.lamps import mug
from factory.draw.pictures.plants import potted
from factory.draw.pictures.scene import View


def window(view: View, x: float, y: float, w: float, h: float) -> None:
    """A window centred at (x, y) with a view of hills, a sill and sometimes curtains."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    left, top = x - w / 2, y - h / 2
    frame = lighter(colors.wall[0], 0.6)
    box(canvas, left - 1.8, top - 1.8, w + 3.6, h + 3.6, frame)
    pane = skia.Rect(left, top, left + w, top + h)
    canvas.drawRect(pane, fade(top, top + h, *colors.sky, smooth=True))
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


def frames(view: View, x: float, y: float, count: int) -> None:
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
        poly(
            canvas,
            [
                (left + 2.4, top + h - 2.4),
                (left + w * 0.4, top + h * 0.5),
                (left + w * 0.62, top + h * 0.68),
                (left + w - 2.4, top + h * 0.55),
                (left + w - 2.4, top + h - 2.4),
            ],
            mix(colors.leaf[0], colors.far, 0.3),
        )


def rug(view: View, x: float, y: float, half: float) -> None:
    color = mix(view.rng.choice(view.colors.accent), view.colors.wall[0], 0.5)
    oval(view.canvas, x, y, half, 7.5, color)
    oval(view.canvas, x, y, half * 0.84, 5.6, lighter(color, 0.25))
    oval(view.canvas, x, y, half * 0.7, 4.3, color)


def sofa(view: View, x: float, base: float, w: float) -> None:
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


def armchair(view: View, x: float, base: float, w: float) -> None:
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


def coffee_table(view: View, x: float, base: float, w: float) -> None:
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
    mug(view, x - w * 0.2, base - 9.4, 4.2)
    box(canvas, x + w * 0.05, base - 11, w * 0.32, 1.7, view.colors.accent[0])


def chair(view: View, x: float, base: float, h: float) -> None:
    """A desk chair seen from behind."""
    canvas, color = view.canvas, view.rng.choice(view.colors.accent)
    canvas.drawPath(
        lines(
            [
                (x, base - h * 0.4, x, base - h * 0.12),
                (x, base - h * 0.14, x - h * 0.36, base),
                (x, base - h * 0.14, x + h * 0.36, base),
                (x, base - h * 0.14, x, base),
            ]
        ),
        pen(0xFF30323C, 1.2),
    )
    pill(canvas, x - h * 0.42, base - h * 0.5, h * 0.84, h * 0.14, 1.4, darker(color, 0.25))
    pill(canvas, x - h * 0.38, base - h * 1.15, h * 0.76, h * 0.6, 3, color)
    pill(canvas, x - h * 0.3, base - h * 1.08, h * 0.6, h * 0.46, 2.2, lighter(color, 0.12))


def books(view: View, x: float, base: float, w: float, h: float) -> None:
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


def shelf(view: View, x: float, base: float, w: float) -> None:
    wood = mix(view.colors.trunk, view.colors.wall[1], 0.35)
    books(view, x - w / 2 + 2, base, w * 0.62, 11)
    potted(view, x + w * 0.36, base, 11)
    box(view.canvas, x - w / 2, base, w, 1.8, wood)
    view.canvas.drawPath(
        boxes([(x - w * 0.38, base + 1.8, 1.2, 2.6), (x + w * 0.36, base + 1.8, 1.2, 2.6)]),
        ink(darker(wood, 0.3)),
    )
