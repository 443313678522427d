"""Stages: designed backgrounds with a floor that one thing stands on.

Each returns the height of the floor under the thing. Backgrounds are flat for
the most part, for speed; light and shadow come from few large shapes.
"""

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
    see_through,
    waves,
)
from factory.draw.pictures.props import Spot, beside
from factory.draw.pictures.scene import View


def _tone(view: View) -> int:
    """A calm colour for a wall."""
    colors = view.colors
    return view.rng.choice(
        (
            mix(colors.sky[1], colors.wall[0], 0.35),
            lighter(colors.accent[2], 0.25),
            lighter(colors.accent[0], 0.3),
            mix(colors.near, colors.sky[2], 0.45),
            darker(colors.sky[0], 0.12),
            darker(colors.leaf[2], 0.1),
            mix(colors.accent[1], colors.wall[0], 0.4),
            mix(colors.roof[1], colors.wall[2], 0.25),
        )
    )


def studio(view: View, x: float, floor: float) -> float:
    """A wall and a floor of two tones that meet in a soft curve, a spot of light behind."""
    wall = _tone(view)
    box(view.canvas, -1, -1, 102, 102, wall)
    disc(view.canvas, x, floor - 30, 38, lighter(wall, 0.14))
    disc(view.canvas, x, floor - 30, 28, lighter(wall, 0.26))
    poly(view.canvas, [(-1, floor - 8), (101, floor - 8), (101, 101), (-1, 101)], darker(wall, 0.2))
    return floor


def arch(view: View, x: float, floor: float) -> float:
    """A painted arch on the wall, skirting, a floor."""
    wall = _tone(view)
    tone = mix(view.rng.choice(view.colors.accent), wall, 0.3)
    box(view.canvas, -1, -1, 102, 102, wall)
    r = view.rng.uniform(27, 34)
    pill(view.canvas, x - r, floor - 8 - r * 2, 2 * r, 120, r, tone)
    pill(
        view.canvas, x - r * 0.78, floor - 8 - r * 1.78, 1.56 * r, 120, r * 0.78, lighter(tone, 0.2)
    )
    box(
        view.canvas,
        -1,
        floor - 8,
        102,
        120 - floor,
        mix(view.colors.trunk, view.colors.wall[1], 0.45),
    )
    box(view.canvas, -1, floor - 8, 102, 1.6, lighter(wall, 0.5))
    return floor


def hills(view: View, x: float, floor: float) -> float:
    """Sky, sun, two hills; the thing stands on the nearer one."""
    rng, colors = view.rng, view.colors
    view.canvas.drawRect(skia.Rect(-1, -1, 101, floor - 6), fade(0, floor, *colors.sky))
    sun = (rng.uniform(16, 84), rng.uniform(14, 30), rng.uniform(6, 10))
    disc(view.canvas, *sun, colors.sun)
    _clouds(view, floor, sun)
    poly(
        view.canvas,
        waves(rng, floor - 18, rng.uniform(4, 9), 0.9, 14),
        mix(colors.far, colors.near, 0.5),
    )
    poly(view.canvas, waves(rng, floor - 7, 3, 0.6, 14), colors.near)
    box(view.canvas, -1, floor + 8, 102, 100 - floor, mix(colors.near, colors.ground, 0.5))
    return floor + 2


def _clouds(view: View, floor: float, sun: Spot | None = None) -> None:
    path, rng = skia.Path(), view.rng
    for _ in range(view.many(1, 3)):
        x, y, w = rng.uniform(4, 96), rng.uniform(10, floor - 40), rng.uniform(5, 9)
        if sun:
            x = beside(sun, x, w, y - w * 0.75, y + w * 0.3)
        path.addRoundRect(skia.Rect(x - w, y - w * 0.3, x + w, y + w * 0.3), w * 0.3, w * 0.3)
        path.addCircle(x - w * 0.25, y - w * 0.3, w * 0.45)
        path.addCircle(x + w * 0.35, y - w * 0.2, w * 0.32)
    view.canvas.drawPath(path, ink(see_through(view.colors.cloud, 215)))


def podium(view: View, x: float, floor: float) -> float:
    """A round podium under a beam of light."""
    wall = darker(_tone(view), 0.25)
    box(view.canvas, -1, -1, 102, 102, wall)
    box(view.canvas, -1, floor + 2, 102, 100, darker(wall, 0.3))
    top = floor - 2
    poly(
        view.canvas,
        [(x - 9, -2), (x + 9, -2), (x + 37, top), (x - 37, top)],
        see_through(lighter(wall, 0.7), 62),
    )
    stone = lighter(mix(wall, view.colors.accent[1], 0.3), 0.3)
    for k, (rx, h) in enumerate(((40.0, 6.0), (33.0, 7.0))):
        y = top + 13 - 7.5 * k
        box(view.canvas, x - rx, y - 2, 2 * rx, h, darker(stone, 0.2))
        oval(view.canvas, x, y - 2 + h, rx, 5.5, darker(stone, 0.2))
        oval(view.canvas, x, y - 2, rx, 5.5, lighter(stone, 0.12 * k))
    return top + 4


def table(view: View, x: float, floor: float) -> float:
    """A striped wall over a wooden table top with an edge."""
    wall = _tone(view)
    wood = mix(view.colors.trunk, view.colors.wall[1], view.rng.uniform(0.25, 0.6))
    box(view.canvas, -1, -1, 102, 102, wall)
    view.canvas.drawPath(
        boxes((k * 14.5 + 2, -1, 7.2, floor) for k in range(7)), ink(darker(wall, 0.06))
    )
    box(view.canvas, -1, floor - 6, 102, 120 - floor, wood)
    box(view.canvas, -1, floor + 6, 102, 3, lighter(wood, 0.2))
    box(view.canvas, -1, floor + 9, 102, 100 - floor, darker(wood, 0.3))
    return floor


def blocks(view: View, x: float, floor: float) -> float:
    """Stacked blocks of uneven height, as in a shop window."""
    rng, wall = view.rng, _tone(view)
    box(view.canvas, -1, -1, 102, 102, wall)
    disc(view.canvas, rng.uniform(30, 70), floor - 34, rng.uniform(22, 32), lighter(wall, 0.22))
    tones = (view.colors.accent[0], view.colors.accent[2], view.colors.accent[1])
    for k, (left, w, up) in enumerate(
        ((x - 52, 30, rng.uniform(6, 20)), (x + 24, 30, rng.uniform(4, 16)), (x - 26, 52, 0.0))
    ):
        tone = mix(tones[k], wall, 0.3)
        box(view.canvas, left, floor - up, w, 120, tone)
        box(view.canvas, left, floor - up, w, 3, lighter(tone, 0.35))
        box(view.canvas, left + w * 0.84, floor - up + 3, w * 0.16, 120, darker(tone, 0.15))
    return floor + 1


def street(view: View, x: float, floor: float) -> float:
    """A pavement before far houses with lit windows."""
    rng, colors = view.rng, view.colors
    view.canvas.drawRect(skia.Rect(-1, -1, 101, floor - 5), fade(0, floor, *colors.sky))
    fronts, panes, left = [], [], -4.0
    while left < 100:
        w, h = rng.uniform(13, 21), rng.uniform(16, 44)
        fronts.append((left, floor - 6 - h, w, h + 1))
        panes += [
            (left + w * (0.2 + 0.36 * i), floor - 1 - h + 8 * j, w * 0.2, 4)
            for i in range(2)
            for j in range(int(h / 8) - 1)
        ]
        left += w
    tone = mix(colors.far, colors.sky[2], 0.25)
    view.canvas.drawPath(boxes(fronts), ink(tone))
    view.canvas.drawPath(boxes(panes), ink(colors.lit if colors.night else lighter(tone, 0.4)))
    stone = mix(colors.ground, colors.wall[2], 0.45)
    box(view.canvas, -1, floor - 6, 102, 120 - floor, stone)
    box(view.canvas, -1, floor + 7, 102, 2, darker(stone, 0.25))
    box(view.canvas, -1, floor + 9, 102, 100 - floor, darker(stone, 0.12))
    return floor


def garden(view: View, x: float, floor: float) -> float:
    """A hedge with blossoms behind a lawn."""
    rng, colors = view.rng, view.colors
    box(view.canvas, -1, -1, 102, floor, mix(colors.sky[1], colors.sky[2], rng.random()))
    _clouds(view, floor)
    hedge, top = rng.choice(colors.leaf), floor - rng.uniform(18, 34)
    bumps = discs(
        (k * 10.5 + rng.uniform(-2, 2), top + rng.uniform(0, 5), rng.uniform(8, 11))
        for k in range(11)
    )
    bumps.addRect(skia.Rect(-1, top + 3, 101, floor))
    view.canvas.drawPath(bumps, ink(hedge))
    buds = discs(
        (rng.uniform(2, 98), rng.uniform(top, floor - 9), rng.uniform(0.9, 1.7))
        for _ in range(view.many(6, 14))
    )
    view.canvas.drawPath(buds, ink(lighter(rng.choice(colors.accent), 0.15)))
    box(view.canvas, -1, floor - 7, 102, 120, lighter(colors.near, 0.1))
    view.canvas.drawPath(
        lines((k * 8.0 - 3, floor + 9, k * 8.0 - 1, floor + 6) for k in range(14)),
        pen(darker(colors.near, 0.15), 0.8),
    )
    return floor


STAGES = (studio, arch, hills, podium, table, blocks, street, garden)


def ground_shadow(canvas: skia.Canvas, x: float, floor: float, half: float) -> None:
    """A soft contact shadow: three flat ellipses inside each other."""
    for share, alpha in ((1.12, 20), (0.94, 34), (0.74, 48)):
        oval(canvas, x, floor, half * share, half * 0.13 * share, see_through(0xFF0A0E20, alpha))
