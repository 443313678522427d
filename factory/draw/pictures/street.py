"""Towns: rows of houses with shops, towers downtown, village lanes, an avenue, a square."""

from __future__ import annotations

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
    outline,
    pen,
    poly,
    see_through,
)
from factory.draw.pictures.props import grove, house, sky
from factory.draw.pictures.scene import SceneKind, View
from factory.draw.pictures.town import skyline, tower, town_house
from factory.draw.pictures.traffic import bus, car, car_from_behind, road, street_lamps


def _paint(view: View) -> None:
    layout = view.rng.choice(LAYOUTS)
    layout(view)


def _row(view: View) -> None:
    """Old houses wall to wall with shops, a pavement and a car."""
    rng = view.rng
    curb = rng.uniform(72, 82)
    sky(view, curb * 0.8, clouds=view.many(0, 2))
    skyline(view, curb, rng.uniform(25, 45), 0.35)
    x, shop = rng.uniform(-14, -2), rng.integer(0, 2)
    while x < 100:
        width = rng.uniform(22, 34)
        town_house(view, x, curb, width, rng.uniform(36, 60), shop=shop % 2 == 0)
        x, shop = x + width, shop + 1
    road(view, curb)
    if rng.chance(0.75):
        car(view, rng.uniform(30, 70), curb + 12.5, rng.uniform(20, 26))
    street_lamps(view, curb + 2.5, view.many(1, 2))
    if rng.chance(0.4 + 0.4 * view.detail):
        grove(view, [(rng.uniform(12, 88), curb + 2, rng.uniform(20, 28))], kind="round")


def _downtown(view: View) -> None:
    """Towers in two depths over a low front with trees and a bus."""
    rng, colors = view.rng, view.colors
    curb = rng.uniform(74, 84)
    sky(view, curb * 0.85, clouds=view.many(0, 2))
    skyline(view, curb, rng.uniform(38, 60), 0.25)
    for k in range(view.many(3, 5)):
        width = rng.uniform(13, 20)
        tower(
            view,
            8 + 84 * (k + 0.2 + 0.6 * rng.random()) / 5 - width / 2,
            curb,
            width,
            rng.uniform(34, 66),
        )
    hedge = mix(colors.leaf[0], colors.near, 0.4)
    bumps = discs(
        (k * 6.5 + rng.uniform(-1, 1), curb - 1.5, rng.uniform(3.2, 5.5)) for k in range(17)
    )
    view.canvas.drawPath(bumps, ink(hedge))
    road(view, curb)
    if rng.chance(0.7):
        bus(view, rng.uniform(30, 66), curb + 12, rng.uniform(30, 38))
    else:
        car(view, rng.uniform(30, 70), curb + 12, 24)


def _village(view: View) -> None:
    """Detached gabled houses on a lawn, trees between them."""
    rng, colors = view.rng, view.colors
    ground = rng.uniform(66, 78)
    sky(view, ground * 0.9, clouds=view.many(1, 3))
    view.canvas.drawPath(
        discs((rng.uniform(0, 100), ground + 6, rng.uniform(12, 24)) for _ in range(5)),
        ink(mix(colors.far, colors.near, 0.3)),
    )
    box(view.canvas, -1, ground, 102, 102 - ground, colors.near)
    count = rng.integer(2, 4)
    spots = [
        (100 * (k + 0.5) / count + 100 / count / 2, ground + 1, rng.uniform(22, 36))
        for k in range(count)
    ]
    grove(view, spots)
    for k in range(count):
        house(
            view,
            100 * (k + 0.5) / count + rng.uniform(-4, 4),
            ground + rng.uniform(2, 5),
            rng.uniform(80, 92) / count,
        )
    path = mix(colors.ground, lighter(colors.wall[0], 0.1), 0.6)
    curve = skia.Path()
    curve.moveTo(46, ground + 7)
    curve.cubicTo(60, ground + 14, 20, 88, 30, 102)
    curve.lineTo(66, 102)
    curve.cubicTo(56, 90, 70, ground + 14, 51, ground + 7)
    view.canvas.drawPath(curve, ink(path))
    grove(view, [(x, 96, rng.uniform(16, 28)) for x in (10, 86)[: view.many(0, 2)]], kind="round")


def _avenue(view: View) -> None:
    """A road that runs to its vanishing point between two walls of houses."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    vx, vy = rng.uniform(40, 60), rng.uniform(52, 64)
    sky(view, vy, clouds=view.many(0, 2))
    skyline(view, vy + 1, rng.uniform(8, 22), 0.2)
    box(canvas, -1, vy, 102, 102 - vy, mix(colors.ground, colors.wall[2], 0.35))
    road = mix(darker(colors.ground, 0.45), 0xFF50545E, 0.6)
    poly(canvas, [(vx - 1, vy), (vx + 1, vy), (vx + 44, 102), (vx - 44, 102)], road)
    dashes = skia.Path()
    for k in range(5):
        a, b = (0.14, 0.3, 0.5, 0.74, 1.0)[k], (0.2, 0.39, 0.62, 0.88, 1.1)[k]
        ya, yb = vy + (100 - vy) * a, vy + (100 - vy) * b
        dashes.addPath(outline([(vx - a, ya), (vx + a, ya), (vx + b, yb), (vx - b, yb)]))
    canvas.drawPath(dashes, ink(lighter(colors.lit, 0.3)))
    glass = ink(see_through(colors.lit if colors.night else colors.glass, 235))
    for side in (-1, 1):
        near = 1.0
        for _ in range(4):
            far = near * rng.uniform(0.55, 0.68)
            tall, wall = rng.uniform(50, 92), rng.choice(colors.wall)
            _receding(
                canvas,
                (vx, vy),
                side,
                near,
                far,
                (55.0, tall),
                darker(wall, 0.1 if side > 0 else 0.25),
                glass,
            )
            near = far
    if rng.chance(0.8):
        car_from_behind(view, vx + rng.uniform(7, 12), 88, 17)


def _receding(
    canvas: skia.Canvas,
    vanish: tuple[float, float],
    side: int,
    near: float,
    far: float,
    extent: tuple[float, float],
    color: int,
    glass: skia.Paint,
) -> None:
    """One house front in perspective; ``near`` and ``far`` are scales of ``extent`` (out, up)."""
    vx, vy = vanish
    out, up = extent
    foot = 100 - vy

    def at(scale: float, height: float) -> tuple[float, float]:
        return vx + side * out * scale, vy + foot * 0.55 * scale - height * scale

    poly(canvas, [at(near, -1), at(near, up), at(far, up), at(far, -1)], color)
    poly(
        canvas, [at(near, up), at(near, up + 4), at(far, up + 4), at(far, up)], darker(color, 0.25)
    )
    panes = skia.Path()
    for a, b in ((0.12, 0.38), (0.6, 0.86)):
        s, t = near + (far - near) * a, near + (far - near) * b
        for level in (0.2, 0.5, 0.78):
            panes.addPath(
                outline(
                    [
                        at(s, up * level),
                        at(s, up * (level + 0.15)),
                        at(t, up * (level + 0.15)),
                        at(t, up * level),
                    ]
                )
            )
    canvas.drawPath(panes, glass)


def _square(view: View) -> None:
    """One public building, a clock tower or a market hall, on a paved square."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    ground = rng.uniform(68, 80)
    sky(view, ground * 0.85, clouds=view.many(1, 3))
    skyline(view, ground, rng.uniform(14, 26), 0.3)
    wall, roof = rng.choice(colors.wall), rng.choice(colors.roof)
    x, w = rng.uniform(42, 58), rng.uniform(46, 58)
    h = rng.uniform(22, 28)
    box(canvas, x - w / 2, ground - h, w, h, wall)
    poly(
        canvas,
        [
            (x - w / 2 - 2, ground - h),
            (x - w / 2 + 5, ground - h - 9),
            (x + w / 2 - 5, ground - h - 9),
            (x + w / 2 + 2, ground - h),
        ],
        roof,
    )
    tower = rng.uniform(11, 14)
    tx, top = x + rng.choice((-0.34, 0.0, 0.34)) * w, ground - h - rng.uniform(20, 28)
    box(canvas, tx - tower / 2, top, tower, ground - top, lighter(wall, 0.15))
    box(
        canvas,
        tx + tower * 0.22,
        top,
        tower * 0.28,
        ground - top,
        see_through(darker(wall, 0.3), 110),
    )
    poly(
        canvas,
        [(tx - tower * 0.65, top), (tx, top - tower * 1.2), (tx + tower * 0.65, top)],
        darker(roof, 0.1),
    )
    disc(canvas, tx, top + tower * 0.55, tower * 0.34, lighter(wall, 0.6))
    canvas.drawPath(
        lines(
            [
                (tx, top + tower * 0.55, tx, top + tower * 0.3),
                (tx, top + tower * 0.55, tx + tower * 0.18, top + tower * 0.62),
            ]
        ),
        pen(0xFF2A2A3A, 0.7),
    )
    arches = skia.Path()
    count = 6
    for k in range(count):
        ax = x - w / 2 + w * (k + 0.5) / count
        arches.addRect(skia.Rect(ax - 2.2, ground - h * 0.42, ax + 2.2, ground))
        arches.addCircle(ax, ground - h * 0.42, 2.2)
    canvas.drawPath(arches, ink(darker(wall, 0.55)))
    panes = boxes(
        (x - w / 2 + w * (k + 0.5) / count - 1.7, ground - h * 0.86, 3.4, 5) for k in range(count)
    )
    canvas.drawPath(panes, ink(colors.lit if colors.night else colors.glass))
    stone = mix(colors.ground, colors.wall[2], 0.5)
    box(canvas, -1, ground, 102, 102 - ground, stone)
    joints = lines((50 + (k - 4) * 12, ground, 50 + (k - 4) * 34, 102) for k in range(9))
    canvas.drawPath(joints, pen(darker(stone, 0.12), 0.5))
    grove(
        view,
        [(x0, ground + 5, rng.uniform(20, 28)) for x0 in (9, 91, 24)[: view.many(1, 3)]],
        kind="round",
    )
    street_lamps(view, ground + 9, view.many(1, 2))


LAYOUTS = (_row, _row, _downtown, _village, _avenue, _square)


KIND = SceneKind(name="street", share=0.13, paint=_paint)
