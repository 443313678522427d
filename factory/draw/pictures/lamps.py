"""Lamps and small things on tables."""

from __future__ import annotations

import skia

from factory.draw.pictures.brush import (
    box,
    darker,
    disc,
    glow,
    ink,
    lighter,
    oval,
    pen,
    pill,
    poly,
    see_through,
)
from factory.draw.pictures.scene import View


def floor_lamp(view: View, x: float, base: float, h: float) -> None:
    canvas, colors = view.canvas, view.colors
    if colors.night:
        poly(
            canvas,
            [(x - 5, base - h + 9), (x + 5, base - h + 9), (x + 19, base), (x - 19, base)],
            see_through(colors.lit, 50),
        )
    box(canvas, x - 0.5, base - h + 8, 1, h - 8, darker(colors.trunk, 0.35))
    oval(canvas, x, base, 5, 1.4, darker(colors.trunk, 0.4))
    shade(view, x, base - h, 13, 10)


def shade(view: View, x: float, top: float, w: float, h: float) -> None:
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


def table_lamp(view: View, x: float, base: float, h: float) -> None:
    color = view.rng.choice(view.colors.accent)
    if view.colors.night:
        cy, r = base - h * 0.7, h * 1.15
        view.canvas.drawCircle(x, cy, r, glow(x, cy, r, see_through(view.colors.lit, 120)))
    pill(view.canvas, x - h * 0.14, base - h * 0.4, h * 0.28, h * 0.4, h * 0.1, darker(color, 0.2))
    box(view.canvas, x - h * 0.03, base - h * 0.55, h * 0.06, h * 0.2, 0xFF3A3640)
    shade(view, x, base - h, h * 0.72, h * 0.5)


def pendant(view: View, x: float, drop: float) -> None:
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


def mug(view: View, x: float, base: float, h: float) -> None:
    color = view.rng.choice(view.colors.accent)
    view.canvas.drawCircle(x + h * 0.5, base - h * 0.5, h * 0.26, pen(color, h * 0.16))
    pill(view.canvas, x - h * 0.45, base - h, h * 0.9, h, h * 0.18, color)


def pot(view: View, x: float, base: float, w: float) -> None:
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


def kettle(view: View, x: float, base: float) -> None:
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


def jars(view: View, x: float, base: float) -> None:
    canvas, colors = view.canvas, view.colors
    for k, h in enumerate((11.0, 8.5, 6.5)):
        left = x - 8 + 5.6 * k
        pill(canvas, left, base - h, 4.8, h, 0.9, see_through(lighter(colors.glass, 0.6), 210))
        box(canvas, left + 0.4, base - h * 0.6, 4, h * 0.55, colors.accent[k])
        box(canvas, left - 0.2, base - h - 1.2, 5.2, 1.6, colors.trunk)


def fruit(view: View, x: float, base: float) -> None:
    canvas, colors = view.canvas, view.colors
    for dx, dy, k in ((-3.2, 5.2, 0), (0.2, 6.6, 1), (3.4, 5.2, 2)):
        disc(canvas, x + dx, base - dy, 2.5, colors.accent[k])
    bowl = skia.Path()
    bowl.moveTo(x - 7.5, base - 5)
    bowl.cubicTo(x - 6, base + 0.6, x + 6, base + 0.6, x + 7.5, base - 5)
    canvas.drawPath(bowl, ink(lighter(colors.wall[2], 0.1)))
    box(canvas, x - 2.6, base - 1.2, 5.2, 1.2, darker(colors.wall[2], 0.2))
