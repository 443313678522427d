"""Open country: valleys, peaks, lakes, deserts, coasts, farms, forests and castle hills."""

from __future__ import annotations

import skia

from factory.draw.pictures.brush import (
    box,
    boxes,
    crags,
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
from factory.draw.pictures.props import (
    Spot,
    fence,
    flowers,
    grove,
    house,
    lighthouse,
    sailboat,
    sky,
)
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
    _range(view, horizon + 3, rng.uniform(6, 20), colors.far, snow=False)
    for k in range(layers):
        share = (k + 1) / layers
        y = horizon + 5 + (86 - horizon) * 0.62 * share
        poly(
            view.canvas,
            waves(rng, y, rng.uniform(2, 6), rng.uniform(0.5, 1.4)),
            mix(colors.near, colors.ground, share),
        )
        if k == layers - 2 or layers == 1:
            grove(view, _spots(view, y + 5, 9, 15, view.many(2, 5)))
            _landmark(view, rng.uniform(30, 70), y + 7, rng.uniform(22, 34))
    grove(view, _spots(view, 92, 15, 27, view.many(1, 4)))
    if rng.chance(0.5):
        flowers(view, 88, 97, view.many(4, 12))


def _peaks(view: View, horizon: float) -> None:
    """One or two ranges with snow caps, a wood at their foot."""
    rng, colors = view.rng, view.colors
    _range(view, horizon + 4, rng.uniform(18, horizon * 0.5), colors.far, snow=True)
    _range(
        view,
        horizon + 12,
        rng.uniform(14, 30),
        mix(colors.far, colors.near, 0.55),
        snow=rng.chance(0.6),
    )
    poly(view.canvas, waves(rng, horizon + 14, 2.5, 1.0), colors.near)
    grove(view, _spots(view, horizon + 21, 10, 17, view.many(4, 9)), kind="pine")
    poly(view.canvas, waves(rng, 80, 3.5, 0.8), colors.ground)
    if rng.chance(0.55):
        house(view, rng.uniform(32, 68), 86, rng.uniform(18, 26))
    grove(view, _spots(view, 95, 20, 34, view.many(1, 4)), kind="pine")


def _lake(view: View, horizon: float) -> None:
    """Water from shore to shore, a boat on it, a bank in front."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    _range(view, horizon + 1, rng.uniform(10, 26), colors.far, snow=rng.chance(0.4))
    if rng.chance(0.6):
        poly(canvas, waves(rng, horizon - 2, 3, 1.2), colors.near)
        grove(view, _spots(view, horizon + 1, 6, 11, view.many(3, 8)))
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
        _jetty(view, rng.uniform(30, 70), horizon + 18)
    poly(canvas, waves(rng, rng.uniform(84, 90), 3, 0.7), colors.ground)
    grove(view, _spots(view, 97, 18, 34, view.many(1, 3)))


def _mesa(view: View, horizon: float) -> None:
    """Table mountains, a road or dunes, cacti."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    for k in range(view.many(2, 3)):
        x, w, h = rng.uniform(5, 95), rng.uniform(14, 30), rng.uniform(12, 27)
        color = mix(colors.far, colors.roof[0], 0.15 + 0.2 * k)
        foot = w * 0.35
        poly(canvas, [(x - w / 2 - foot, horizon + 2), (x - w / 2, horizon - h * 0.55), (x - w / 2 + 1, horizon - h),
                      (x + w / 2 - 2, horizon - h), (x + w / 2, horizon - h * 0.5), (x + w / 2 + foot, horizon + 2)], color)  # fmt: skip
        box(canvas, x - w / 2 + 0.4, horizon - h * 0.8, w - 1.2, h * 0.09, darker(color, 0.16))
        box(canvas, x - w / 2 + 0.2, horizon - h * 0.58, w - 0.5, h * 0.06, lighter(color, 0.2))
    box(canvas, -1, horizon, 102, 102 - horizon, mix(colors.near, colors.ground, 0.4))
    poly(canvas, waves(rng, horizon + 14, 3, 0.8), mix(colors.near, colors.ground, 0.75))
    poly(canvas, waves(rng, 84, 4, 0.7), colors.ground)
    for x, base, h in _spots(view, 84, 20, 34, view.many(1, 3)) + _spots(
        view, horizon + 14, 8, 14, 2
    ):
        _cactus(view, x, base, h)
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
    _range(view, horizon + 2, rng.uniform(5, 14), colors.far, snow=False)
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
    grove(view, _spots(view, horizon + 8, 8, 14, view.many(3, 6)))
    if rng.chance(0.5):
        _windmill(view, x + w * 0.9, base, w * 1.25)
    else:
        silo = lighter(colors.wall[2], 0.1)
        box(canvas, x + w * 0.55, base - w * 0.85, w * 0.28, w * 0.85, silo)
        box(canvas, x + w * 0.72, base - w * 0.85, w * 0.11, w * 0.85, darker(silo, 0.2))
        disc(canvas, x + w * 0.69, base - w * 0.85, w * 0.14, darker(silo, 0.3))
    _barn(view, x, base, w)
    if rng.chance(0.6):
        fence(view, rng.uniform(8, 40), 92, rng.uniform(22, 48))


def _forest(view: View, horizon: float) -> None:
    """Rows of conifers, the nearer the darker, with a tent or cabin in the clearing."""
    rng, colors, canvas = view.rng, view.colors, view.canvas
    _range(view, horizon, rng.uniform(8, 22), colors.far, snow=rng.chance(0.5))
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
        _tent(view, x, 85, rng.uniform(22, 30))
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
    _range(view, horizon + 8, rng.uniform(8, 24), colors.far, snow=False)
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
    grove(view, _spots(view, 93, 14, 26, view.many(2, 5)))


LAYOUTS = (_valley, _peaks, _lake, _mesa, _coast, _farm, _forest, _castle)


def _range(view: View, y: float, height: float, color: int, *, snow: bool) -> None:
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
            a, b = _toward(peak, left, 0.36), _toward(peak, right, 0.36)
            m = (a[0] + b[0]) / 2
            caps.addPath(outline([a, peak, b, ((m + b[0]) / 2, b[1] - height * 0.07), (m, a[1] + height * 0.03),
                                  ((m + a[0]) / 2, a[1] - height * 0.06)]))  # fmt: skip
    view.canvas.drawPath(shade, ink(darker(color, 0.14)))
    if snow:
        view.canvas.drawPath(caps, ink(lighter(color, 0.8)))


def _toward(
    start: tuple[float, float], end: tuple[float, float], share: float
) -> tuple[float, float]:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _spots(view: View, base: float, least: float, most: float, count: int) -> list[Spot]:
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


def _landmark(view: View, x: float, base: float, size: float) -> None:
    view.rng.choice((house, house, _barn, _windmill, _tent))(view, x, base, size)


def _jetty(view: View, x: float, base: float) -> None:
    """A wooden landing stage with posts and a lamp."""
    wood = view.colors.trunk
    view.canvas.drawPath(
        boxes((x - 16 + 8 * k, base - 5, 1.4, 14) for k in range(5)), ink(darker(wood, 0.3))
    )
    box(view.canvas, x - 20, base - 5, 40, 3, wood)
    box(view.canvas, x - 20, base - 5, 40, 1, lighter(wood, 0.2))
    box(view.canvas, x + 17, base - 19, 1, 15, darker(wood, 0.4))
    disc(view.canvas, x + 17.5, base - 19, 2, view.colors.lit)


def _cactus(view: View, x: float, base: float, h: float) -> None:
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


def _barn(view: View, x: float, base: float, w: float) -> None:
    """A gambrel barn with a crossed door."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    color, trim = rng.choice((colors.roof[0], colors.accent[1])), lighter(colors.wall[0], 0.4)
    half, h = w / 2, w * 0.42
    poly(canvas, [(x - half, base), (x - half, base - h), (x - half * 0.7, base - h - w * 0.2), (x, base - h - w * 0.32),
                  (x + half * 0.7, base - h - w * 0.2), (x + half, base - h), (x + half, base)], color)  # fmt: skip
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


def _windmill(view: View, x: float, base: float, h: float) -> None:
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
    sails = [(reach * 0.25, 0.35, reach * 0.72, reach * 0.2), (-reach * 0.97, -reach * 0.2 - 0.35, reach * 0.72, reach * 0.2),
             (-reach * 0.2 - 0.35, reach * 0.25, reach * 0.2, reach * 0.72), (0.35, -reach * 0.97, reach * 0.2, reach * 0.72)]  # fmt: skip
    canvas.drawPath(boxes(sails), ink(see_through(lighter(wall, 0.4), 225)))
    canvas.restore()


def _tent(view: View, x: float, base: float, w: float) -> None:
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


KIND = SceneKind(name="landscape", share=0.16, paint=_paint)
