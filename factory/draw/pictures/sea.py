"""At sea: sailing, a harbour, a steamer, an island, under water, a bridge."""

from __future__ import annotations

import skia

from factory.draw.pictures.boats import lighthouse, sailboat
from factory.draw.pictures.brush import (
    box,
    boxes,
    darker,
    discs,
    fade,
    ink,
    lighter,
    lines,
    mix,
    outline,
    oval,
    pen,
    poly,
    waves,
)
from factory.draw.pictures.marine import (
    coral,
    fish,
    fishing_boat,
    hut,
    parasol,
    shine,
    submarine,
    swell,
    weed,
)
from factory.draw.pictures.props import grove, sky
from factory.draw.pictures.scene import SceneKind, View


def _paint(view: View) -> None:
    view.rng.choice(LAYOUTS)(view)


def _sailing(view: View) -> None:
    """Sailing boats between rows of waves."""
    rng, colors = view.rng, view.colors
    horizon = rng.uniform(44, 58)
    sky(view, horizon, clouds=view.many(1, 3))
    if rng.chance(0.5):
        poly(view.canvas, waves(rng, horizon - 1, rng.uniform(3, 8), 1.1), colors.far)
    box(view.canvas, -1, horizon, 102, 102 - horizon, colors.water)
    for _ in range(view.many(0, 2)):
        sailboat(view, rng.uniform(10, 90), horizon + 4, rng.uniform(8, 12))
    swell(view, horizon + 8, lighter(colors.water, 0.12))
    sailboat(view, rng.uniform(36, 64), horizon + rng.uniform(17, 24), rng.uniform(28, 40))
    swell(view, horizon + rng.uniform(20, 24), darker(colors.water, 0.1))
    swell(view, rng.uniform(84, 90), darker(colors.water, 0.26))


def _harbour(view: View) -> None:
    """A quay with houses, moored boats, posts, and a lighthouse at its end."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    quay = rng.uniform(52, 64)
    sky(view, quay, clouds=view.many(1, 2))
    poly(canvas, waves(rng, quay - 8, rng.uniform(4, 9), 1.0), mix(colors.far, colors.near, 0.4))
    x = rng.uniform(-4, 3)
    edge = rng.uniform(66, 76)
    panes = []
    while x < edge - 10:
        w, h = rng.uniform(12, 17), rng.uniform(17, 30)
        wall = rng.choice((*colors.wall, *colors.accent))
        box(canvas, x, quay - h, w, h, wall)
        poly(
            canvas,
            [(x - 0.6, quay - h), (x + w / 2, quay - h - w * 0.5), (x + w + 0.6, quay - h)],
            rng.choice(colors.roof),
        )
        panes += [
            (x + w * (0.18 + 0.38 * i), quay - h + 3 + 7 * j, w * 0.24, 4)
            for i in range(2)
            for j in range(int((h - 4) / 7))
        ]
        x += w
    canvas.drawPath(boxes(panes), ink(colors.lit if colors.night else lighter(colors.glass, 0.2)))
    lighthouse(view, edge + rng.uniform(9, 15), quay + 1, rng.uniform(36, 46))
    stone = mix(colors.wall[2], colors.trunk, 0.4)
    box(canvas, -1, quay, 102, 9, stone)
    box(canvas, -1, quay, 102, 1.8, lighter(stone, 0.3))
    box(canvas, -1, quay + 8, 102, 94 - quay, colors.water)
    shine(view, quay + 11, 98)
    for k in range(view.many(1, 3)):
        fishing_boat(
            view, 24 + 27 * k + rng.uniform(-4, 4), quay + rng.uniform(17, 27), rng.uniform(22, 29)
        )
    swell(view, rng.uniform(88, 93), darker(colors.water, 0.22))


def _steamer(view: View) -> None:
    """A liner or a freighter, broadside."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    horizon = rng.uniform(54, 66)
    sky(view, horizon, clouds=view.many(1, 3))
    box(canvas, -1, horizon, 102, 102 - horizon, colors.water)
    x, w, line = 50 + rng.uniform(-5, 5), rng.uniform(66, 78), horizon + 10
    hull, left = rng.choice((*colors.accent, colors.roof[1])), 0.0
    left = x - w / 2
    if rng.chance(0.5):
        for k in range(3):
            box(
                canvas,
                left + w * (0.24 + 0.02 * k),
                line - 22 - 6.5 * k,
                w * (0.56 - 0.09 * k),
                6.7,
                mix(0xFFFFFFFF, colors.wall[2], 0.15 + 0.12 * k),
            )
        rows = [
            (left + w * (0.29 + 0.054 * i), line - 20 - 6.5 * j, 1.9, 2.4)
            for j in range(3)
            for i in range(9 - 2 * j)
        ]
        canvas.drawPath(boxes(rows), ink(colors.lit if colors.night else colors.glass))
        for k in range(rng.integer(1, 4)):
            fx = left + w * (0.34 + 0.13 * k)
            poly(
                canvas,
                [(fx, line - 34), (fx + 1, line - 49), (fx + 7, line - 49), (fx + 7, line - 34)],
                hull,
            )
            box(canvas, fx + 0.8, line - 49, 6.3, 3.4, darker(hull, 0.6))
            canvas.drawPath(
                discs([(fx + 1 - 5 * j, line - 53 - 3.2 * j, 3.0 + 1.3 * j) for j in range(3)]),
                ink(0x70FFFFFF),
            )
    else:
        tones = (*colors.accent, colors.roof[0], colors.leaf[0])
        for tone in range(len(tones)):
            stack = [
                (left + w * 0.1 + 7.6 * i, line - 20 - 5.4 * j, 7.2, 5.1)
                for j in range(3)
                for i in range(6)
                if (i * 7 + j * 3 + tone) % len(tones) == 0
            ]
            if stack:
                canvas.drawPath(boxes(stack), ink(tones[tone]))
        box(canvas, left + w * 0.76, line - 34, w * 0.13, 20, 0xFFF6F3EC)
        box(
            canvas,
            left + w * 0.75,
            line - 31,
            w * 0.15,
            3,
            colors.lit if colors.night else colors.glass,
        )
        box(canvas, left + w * 0.8, line - 42, w * 0.05, 8, hull)
    poly(
        canvas,
        [
            (left - 2, line - 15.5),
            (left + w + 6, line - 15.5),
            (left + w - 3, line + 4),
            (left + 4, line + 4),
        ],
        hull,
    )
    box(canvas, left, line - 15.5, w + 4, 1.8, lighter(hull, 0.5))
    canvas.drawPath(
        discs((left + 8 + k * (w - 16) / 8, line - 8.5, 1.2) for k in range(9)),
        ink(lighter(hull, 0.6)),
    )
    swell(view, line, lighter(colors.water, 0.1))
    swell(view, line + 8, darker(colors.water, 0.12))
    swell(view, 90, darker(colors.water, 0.24))


def _island(view: View) -> None:
    """Palms on a sandy island, with a hut, a parasol or a raft."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    horizon = rng.uniform(46, 58)
    sky(view, horizon, clouds=view.many(1, 3))
    box(canvas, -1, horizon, 102, 102 - horizon, colors.water)
    shine(view, horizon + 4, 96)
    sand, x, y = mix(colors.lit, colors.wall[1], 0.5), rng.uniform(40, 60), rng.uniform(76, 82)
    if colors.night:
        sand = darker(sand, 0.35)
    oval(canvas, x, y + 5, rng.uniform(38, 44), 8, lighter(colors.water, 0.35))
    oval(canvas, x, y + 4, 36, 9, sand)
    oval(canvas, x - 4, y + 1, 26, 8, lighter(sand, 0.15))
    spots = [
        (x - 20, y + 2, rng.uniform(36, 46)),
        (x + 15, y + 1, rng.uniform(40, 52)),
        (x - 8, y - 1, rng.uniform(28, 36)),
    ]
    grove(view, spots[: view.many(1, 3)], kind="palm")
    if rng.chance(0.5):
        hut(view, x + rng.uniform(-4, 3), y + 3, 19)
    else:
        parasol(view, x + rng.uniform(-2, 4), y + 4, 24)
    sailboat(view, rng.choice((12, 88)), horizon + 5, 11)
    swell(view, 93, darker(colors.water, 0.15))


def _under_water(view: View) -> None:
    """Light from above, fish of a swarm and big ones, weeds and corals on the sand."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    deep = darker(colors.water, 0.5)
    canvas.drawRect(
        skia.Rect(-1, -1, 101, 101), fade(0, 92, lighter(colors.water, 0.62), colors.water, deep)
    )
    sx = rng.uniform(25, 75)
    rays = skia.Path()
    for k in range(4):
        a = sx + (k - 1.5) * 13
        rays.addPath(
            outline(
                [(a, -2), (a + 6, -2), (a + 14 + (k - 1.5) * 18, 84), (a - 3 + (k - 1.5) * 18, 84)]
            )
        )
    canvas.drawPath(rays, ink(0x20FFFFFF))
    poly(canvas, waves(rng, 74, 5, 0.9), mix(deep, colors.far, 0.3))
    sand = mix(colors.lit, colors.water, 0.35 if not colors.night else 0.6)
    for k in range(view.many(3, 6)):
        weed(view, 8 + 84 * (k + rng.random() * 0.8) / 6, 88, rng.uniform(18, 40))
    poly(canvas, waves(rng, rng.uniform(84, 88), 2.5, 0.8), sand)
    for _ in range(view.many(1, 3)):
        coral(view, rng.uniform(14, 86), rng.uniform(88, 93), rng.uniform(14, 24))
    if rng.chance(0.5):
        submarine(view, rng.uniform(42, 58), rng.uniform(40, 54), rng.uniform(34, 44))
    else:
        fish(view, rng.uniform(34, 66), rng.uniform(38, 54), rng.uniform(24, 34))
    for _ in range(view.many(2, 6)):
        fish(view, rng.uniform(10, 90), rng.uniform(20, 72), rng.uniform(7, 12))
    bubbles = [
        (rng.uniform(10, 90), rng.uniform(8, 70), rng.uniform(0.6, 1.7))
        for _ in range(view.many(5, 12))
    ]
    canvas.drawPath(discs(bubbles), ink(0x66FFFFFF))
    canvas.drawPath(
        boxes([(rng.uniform(5, 95), rng.uniform(90, 96), 2.2, 1.2) for _ in range(4)]),
        ink(darker(sand, 0.2)),
    )


def _bridge(view: View) -> None:
    """A suspension bridge over a strait, with a boat below."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    horizon = rng.uniform(60, 70)
    sky(view, horizon, clouds=view.many(1, 3))
    poly(canvas, waves(rng, horizon - 5, rng.uniform(5, 12), 0.9), colors.far)
    box(canvas, -1, horizon, 102, 102 - horizon, colors.water)
    color, deck = rng.choice(colors.accent), horizon - rng.uniform(10, 15)
    tall, a = rng.uniform(30, 38), rng.uniform(20, 26)
    b = 100 - a + rng.uniform(-5, 5)
    cables, hangers, top = skia.Path(), [], deck - tall
    for x0, x1 in ((a - 46, a), (a, b), (b, b + 46)):
        mid, sag = (x0 + x1) / 2, deck - 2
        cables.moveTo(x0, top)
        cables.quadTo(mid, 2 * sag - top, x1, top)
        for k in range(1, 9):
            t = k / 9
            hangers.append(
                (x0 + (x1 - x0) * t, top + 4 * t * (1 - t) * (sag - top), x0 + (x1 - x0) * t, deck)
            )
    canvas.drawPath(lines(hangers), pen(darker(color, 0.15), 0.45))
    canvas.drawPath(cables, pen(color, 1.0))
    box(canvas, -1, deck, 102, 2.8, darker(color, 0.2))
    box(canvas, -1, deck + 2.8, 102, 1.4, darker(color, 0.5))
    legs = []
    for x in (a, b):
        legs += [
            (x - 3.4, top - 2, 2.2, horizon - top + 6),
            (x + 1.2, top - 2, 2.2, horizon - top + 6),
        ]
        legs += [(x - 3.4, top + 6 + 11 * k, 6.8, 1.8) for k in range(3)]
    canvas.drawPath(boxes(legs), ink(color))
    canvas.drawPath(
        boxes((x - 6, horizon + 3, 12, 4) for x in (a, b)),
        ink(mix(colors.wall[2], colors.trunk, 0.5)),
    )
    shine(view, horizon + 6, 84)
    if rng.chance(0.5):
        sailboat(view, rng.uniform(40, 60), horizon + rng.uniform(14, 18), rng.uniform(14, 20))
    else:
        fishing_boat(view, rng.uniform(42, 58), horizon + rng.uniform(15, 20), rng.uniform(24, 30))
    swell(view, 90, darker(colors.water, 0.18))


LAYOUTS = (_sailing, _harbour, _steamer, _island, _under_water, _under_water, _bridge)


KIND = SceneKind(name="sea", share=0.13, paint=_paint)
