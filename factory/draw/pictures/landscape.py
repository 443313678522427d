"""Open country: valleys, peaks, lakes, deserts, coasts, farms, forests and castle hills."""

from __future__ import annotations

import skia

from factory.draw.pictures.boats import lighthouse, sailboat
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
    outline,
    oval,
    pen,
    poly,
    see_through,
    waves,
)
from factory.draw.pictures.props import fence, flowers, grove, house, sky
from factory.draw.pictures.rural import barn, cactus, jetty, mountains, spots, tent, windmill
from factory.draw.pictures.scene import SceneKind, View


def _paint(view: View) -> None:
    horizon = view.rng.uniform(40, 64)
    layout = view.rng.choice(LAYOUTS)
    sky(view, horizon, clouds=view.many(1, 3))
    layout(view, horizon)


def _valley(view: View, horizon: float) -> None:
    """Rolling hills, one home, trees on two of the hills."""
    rng, colors = view.rng, view.colors
    layers = view.many(2, 3)
    mountains(view, horizon + 3, rng.uniform(6, 20), colors.far, snow=False)
    for k in range(layers):
        share = (k + 1) / layers
        y = horizon + 5 + (86 - horizon) * 0.62 * share
        poly(
            view.canvas,
            waves(rng, y, rng.uniform(2, 6), rng.uniform(0.5, 1.4)),
            mix(colors.near, colors.ground, share),
        )
        if k == layers - 2 or layers == 1:
            grove(view, spots(view, y + 5, 9, 15, view.many(2, 5)))
            _landmark(view, rng.uniform(30, 70), y + 7, rng.uniform(22, 34))
    grove(view, spots(view, 92, 15, 27, view.many(1, 4)))
    if rng.chance(0.5):
        flowers(view, 88, 97, view.many(4, 12))


def _peaks(view: View, horizon: float) -> None:
    """One or two ranges with snow caps, a wood at their foot."""
    rng, colors = view.rng, view.colors
    mountains(view, horizon + 4, rng.uniform(18, horizon * 0.5), colors.far, snow=True)
    mountains(
        view,
        horizon + 12,
        rng.uniform(14, 30),
        mix(colors.far, colors.near, 0.55),
        snow=rng.chance(0.6),
    )
    poly(view.canvas, waves(rng, horizon + 14, 2.5, 1.0), colors.near)
    grove(view, spots(view, horizon + 21, 10, 17, view.many(4, 9)), kind="pine")
    poly(view.canvas, waves(rng, 80, 3.5, 0.8), colors.ground)
    if rng.chance(0.55):
        house(view, rng.uniform(32, 68), 86, rng.uniform(18, 26))
    grove(view, spots(view, 95, 20, 34, view.many(1, 4)), kind="pine")


def _lake(view: View, horizon: float) -> None:
    """Water from shore to shore, a boat on it, a bank in front."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    mountains(view, horizon + 1, rng.uniform(10, 26), colors.far, snow=rng.chance(0.4))
    if rng.chance(0.6):
        poly(canvas, waves(rng, horizon - 2, 3, 1.2), colors.near)
        grove(view, spots(view, horizon + 1, 6, 11, view.many(3, 8)))
    box(canvas, -1, horizon, 102, 102 - horizon, colors.water)
    shine = lines(
        (x, y, x + rng.uniform(4, 14), y)
        for x, y in (
            (rng.uniform(0, 90), rng.uniform(horizon + 3, 84)) for _ in range(view.many(7, 14))
        )
    )
    canvas.drawPath(shine, pen(see_through(lighter(colors.water, 0.55), 150), 0.7))
    box(canvas, -1, horizon, 102, 1.6, lighter(colors.water, 0.3))
    if rng.chance(0.75):
        sailboat(view, rng.uniform(28, 72), horizon + rng.uniform(12, 20), rng.uniform(15, 24))
    else:
        jetty(view, rng.uniform(30, 70), horizon + 18)
    poly(canvas, waves(rng, rng.uniform(84, 90), 3, 0.7), colors.ground)
    grove(view, spots(view, 97, 18, 34, view.many(1, 3)))


def _mesa(view: View, horizon: float) -> None:
    """Table mountains, a road or dunes, cacti."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    for k in range(view.many(2, 3)):
        x, w, h = rng.uniform(5, 95), rng.uniform(14, 30), rng.uniform(12, 27)
        color = mix(colors.far, colors.roof[0], 0.15 + 0.2 * k)
        foot = w * 0.35
        poly(
            canvas,
            [
                (x - w / 2 - foot, horizon + 2),
                (x - w / 2, horizon - h * 0.55),
                (x - w / 2 + 1, horizon - h),
                (x + w / 2 - 2, horizon - h),
                (x + w / 2, horizon - h * 0.5),
                (x + w / 2 + foot, horizon + 2),
            ],
            color,
        )
        box(canvas, x - w / 2 + 0.4, horizon - h * 0.8, w - 1.2, h * 0.09, darker(color, 0.16))
        box(canvas, x - w / 2 + 0.2, horizon - h * 0.58, w - 0.5, h * 0.06, lighter(color, 0.2))
    box(canvas, -1, horizon, 102, 102 - horizon, mix(colors.near, colors.ground, 0.4))
    poly(canvas, waves(rng, horizon + 14, 3, 0.8), mix(colors.near, colors.ground, 0.75))
    poly(canvas, waves(rng, 84, 4, 0.7), colors.ground)
    for x, base, h in spots(view, 84, 20, 34, view.many(1, 3)) + spots(
        view, horizon + 14, 8, 14, 2
    ):
        cactus(view, x, base, h)
    stones = [
        (rng.uniform(5, 95), rng.uniform(80, 96), rng.uniform(0.8, 2.2))
        for _ in range(view.many(3, 9))
    ]
    canvas.drawPath(discs(stones), ink(darker(colors.ground, 0.22)))


def _coast(view: View, horizon: float) -> None:
    """A cliff with a lighthouse over the sea."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    box(canvas, -1, horizon, 102, 102 - horizon, colors.water)
    box(canvas, -1, horizon, 102, 1.4, lighter(colors.water, 0.35))
    crests = lines(
        (x, y, x + 7, y)
        for x, y in (
            (rng.uniform(-5, 60), rng.uniform(horizon + 4, 95)) for _ in range(view.many(6, 12))
        )
    )
    canvas.drawPath(crests, pen(see_through(lighter(colors.water, 0.6), 170), 0.8))
    if rng.chance(0.6):
        sailboat(view, rng.uniform(15, 34), horizon + rng.uniform(3, 12), rng.uniform(8, 13))
    edge, top = rng.uniform(44, 56), horizon + rng.uniform(2, 14)
    rock = mix(colors.trunk, colors.far, 0.4)
    poly(
        canvas,
        [
            (edge + 8, top),
            (101, top - 4),
            (101, 101),
            (edge - 16, 101),
            (edge - 6, 88),
            (edge - 3, 74),
            (edge + 4, top + 9),
        ],
        rock,
    )
    poly(
        canvas,
        [
            (edge + 10, top + 6),
            (edge + 17, top + 8),
            (edge + 8, 101),
            (edge - 4, 101),
            (edge + 2, 80),
        ],
        darker(rock, 0.22),
    )
    poly(
        canvas,
        [
            (edge + 5, top + 4),
            (edge + 8, top - 1.5),
            (101, top - 6),
            (101, top + 6),
            (80, top + 3),
            (edge + 18, top + 6),
        ],
        colors.near,
    )
    lighthouse(view, edge + rng.uniform(18, 24), top + 1, rng.uniform(34, 48))
    if rng.chance(0.6):
        house(view, min(88.0, edge + 38), top + 2, rng.uniform(13, 17))
    foam = [(edge - 16 + k * 7, 97 - (k % 2) * 2, 4.0) for k in range(-1, 3)]
    canvas.drawPath(discs(foam), ink(see_through(lighter(colors.water, 0.75), 190)))


def _farm(view: View, horizon: float) -> None:
    """Field rows that run to the horizon, a barn with a silo, hay."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    mountains(view, horizon + 2, rng.uniform(5, 14), colors.far, snow=False)
    box(canvas, -1, horizon, 102, 102 - horizon, colors.near)
    vanish, rows = rng.uniform(25, 75), skia.Path()
    for k in range(-6, 9):
        foot = vanish + (k - 1.5) * 17
        rows.addPath(
            outline(
                [
                    (vanish + (k - 1.5) * 2.2, horizon + 9),
                    (foot, 101),
                    (foot + 8.5, 101),
                    (vanish + (k - 1) * 2.2, horizon + 9),
                ]
            )
        )
    canvas.drawPath(rows, ink(mix(colors.near, colors.ground, 0.8)))
    x, base, w = rng.uniform(28, 64), horizon + 13, rng.uniform(22, 30)
    grove(view, spots(view, horizon + 8, 8, 14, view.many(3, 6)))
    if rng.chance(0.5):
        windmill(view, x + w * 0.9, base, w * 1.25)
    else:
        silo = lighter(colors.wall[2], 0.1)
        box(canvas, x + w * 0.55, base - w * 0.85, w * 0.28, w * 0.85, silo)
        box(canvas, x + w * 0.72, base - w * 0.85, w * 0.11, w * 0.85, darker(silo, 0.2))
        disc(canvas, x + w * 0.69, base - w * 0.85, w * 0.14, darker(silo, 0.3))
    barn(view, x, base, w)
    if rng.chance(0.6):
        fence(view, rng.uniform(8, 40), 92, rng.uniform(22, 48))


def _forest(view: View, horizon: float) -> None:
    """Rows of conifers, the nearer the darker, with a tent or cabin in the clearing."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    mountains(view, horizon, rng.uniform(8, 22), colors.far, snow=rng.chance(0.5))
    deep = darker(colors.leaf[2], 0.25)
    for k, (y, h) in enumerate(((horizon + 3, 14), (horizon + 10, 21))):
        color = mix(colors.far, deep, 0.35 + 0.35 * k)
        count = view.many(9, 13)
        tops = skia.Path()
        for i in range(count):
            x, tall = 100 * (i + rng.random()) / count, h * rng.uniform(0.65, 1.2)
            tops.addPath(
                outline([(x, y - tall), (x + tall * 0.26, y + 2), (x - tall * 0.26, y + 2)])
            )
        tops.addRect(skia.Rect(-1, y, 101, y + 12))
        canvas.drawPath(tops, ink(color))
    poly(canvas, waves(rng, horizon + 16, 2, 0.9), colors.near)
    poly(canvas, waves(rng, 88, 3, 0.6), colors.ground)
    x = rng.uniform(34, 66)
    if rng.chance(0.5):
        tent(view, x, 85, rng.uniform(22, 30))
    else:
        house(view, x, 85, rng.uniform(22, 30))
    spots = [
        (rng.uniform(4, 20), 96, rng.uniform(40, 60)),
        (rng.uniform(80, 96), 97, rng.uniform(36, 58)),
    ]
    grove(view, spots[: view.many(1, 2)], kind="pine")


def _castle(view: View, horizon: float) -> None:
    """A castle on a hill."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    mountains(view, horizon + 8, rng.uniform(8, 24), colors.far, snow=False)
    x, top = rng.uniform(36, 64), horizon + rng.uniform(4, 12)
    poly(canvas, waves(rng, horizon + 14, 3, 0.8), mix(colors.far, colors.near, 0.7))
    oval(canvas, x, top + 50, rng.uniform(48, 64), 52, colors.near)
    wall, roof = rng.choice(colors.wall), rng.choice(colors.roof)
    w = rng.uniform(26, 36)
    h = w * 0.42
    box(canvas, x - w / 2, top - h, w, h + 2, wall)
    teeth = [(x - w / 2 + k * w / 9, top - h - w * 0.05, w / 18, w * 0.07) for k in range(9)]
    canvas.drawPath(boxes(teeth), ink(wall))
    panes = []
    for k, (dx, tall) in enumerate(
        ((-0.5, 0.95), (0.5, 0.8), (0.12, 1.25), (-0.2, 1.05))[: view.many(3, 4)]
    ):
        tx, tw, th = x + dx * w, w * 0.2, w * tall
        color = wall if k % 2 else darker(wall, 0.14)
        box(canvas, tx - tw / 2, top - th, tw, th + 3, color)
        poly(
            canvas,
            [(tx - tw * 0.65, top - th), (tx, top - th - tw * 1.3), (tx + tw * 0.65, top - th)],
            roof,
        )
        panes.append((tx - tw * 0.12, top - th + tw * 0.45, tw * 0.24, tw * 0.45))
    canvas.drawPath(boxes(panes), ink(colors.lit if colors.night else darker(colors.glass, 0.2)))
    gate = darker(wall, 0.6)
    disc(canvas, x - w * 0.02, top - h * 0.35, w * 0.09, gate)
    box(canvas, x - w * 0.11, top - h * 0.35, w * 0.18, h * 0.35 + 2, gate)
    poly(canvas, waves(rng, 86, 3, 0.7), colors.ground)
    grove(view, spots(view, 93, 14, 26, view.many(2, 5)))


LAYOUTS = (_valley, _peaks, _lake, _mesa, _coast, _farm, _forest, _castle)


def _landmark(view: View, x: float, base: float, size: float) -> None:
    view.rng.choice((house, house, barn, windmill, tent))(view, x, base, size)


KIND = SceneKind(name="landscape", share=0.16, paint=_paint)
