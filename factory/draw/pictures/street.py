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
    oval,
    pen,
    pill,
    poly,
    see_through,
)
from factory.draw.pictures.props import grove, house, sky
from factory.draw.pictures.scene import SceneKind, View

Frame = tuple[float, float, float, float]


def _paint(view: View) -> None:
    layout = view.rng.choice(LAYOUTS)
    layout(view)


def _row(view: View) -> None:
    """Old houses wall to wall with shops, a pavement and a car."""
    rng = view.rng
    curb = rng.uniform(72, 82)
    sky(view, curb * 0.8, clouds=view.many(0, 2))
    _skyline(view, curb, rng.uniform(25, 45), 0.35)
    x, shop = rng.uniform(-14, -2), rng.integer(0, 2)
    while x < 100:
        width = rng.uniform(22, 34)
        _town_house(view, x, curb, width, rng.uniform(36, 60), shop=shop % 2 == 0)
        x, shop = x + width, shop + 1
    _road(view, curb)
    if rng.chance(0.75):
        _car(view, rng.uniform(30, 70), curb + 12.5, rng.uniform(20, 26))
    _lamps(view, curb + 2.5, view.many(1, 2))
    if rng.chance(0.4 + 0.4 * view.detail):
        grove(view, [(rng.uniform(12, 88), curb + 2, rng.uniform(20, 28))], kind="round")


def _downtown(view: View) -> None:
    """Towers in two depths over a low front with trees and a bus."""
    rng, colors = view.rng, view.colors
    curb = rng.uniform(74, 84)
    sky(view, curb * 0.85, clouds=view.many(0, 2))
    _skyline(view, curb, rng.uniform(38, 60), 0.25)
    for k in range(view.many(3, 5)):
        width = rng.uniform(13, 20)
        _tower(
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
    _road(view, curb)
    if rng.chance(0.7):
        _bus(view, rng.uniform(30, 66), curb + 12, rng.uniform(30, 38))
    else:
        _car(view, rng.uniform(30, 70), curb + 12, 24)


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
    _skyline(view, vy + 1, rng.uniform(8, 22), 0.2)
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
        edge = 55 if side > 0 else 55
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
                (edge, tall),
                darker(wall, 0.1 if side > 0 else 0.25),
                glass,
            )
            near = far
    if rng.chance(0.8):
        _car_from_behind(view, vx + rng.uniform(7, 12), 88, 17)


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
    _skyline(view, ground, rng.uniform(14, 26), 0.3)
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
    canvas.drawPath(lines([(tx, top + tower * 0.55, tx, top + tower * 0.3), (tx, top + tower * 0.55, tx + tower * 0.18, top + tower * 0.62)]),
                    pen(0xFF2A2A3A, 0.7))  # fmt: skip
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
    _lamps(view, ground + 9, view.many(1, 2))


LAYOUTS = (_row, _row, _downtown, _village, _avenue, _square)


def _skyline(view: View, base: float, height: float, share: float) -> None:
    """Far blocks as one silhouette, over a filled gap."""
    rng, x, path = view.rng, -3.0, []
    while x < 100:
        w = rng.uniform(7, 14)
        h = height * rng.uniform(0.4, 1.0)
        path.append((x, base - h, w, h + 1))
        x += w
    view.canvas.drawPath(boxes(path), ink(mix(view.colors.sky[2], view.colors.far, 0.5 + share)))


def _panes(frame: Frame, columns: int, rows: int, share: float) -> list[Frame]:
    """A grid of windows in a frame; each takes ``share`` of its cell."""
    x, y, w, h = frame
    cw, ch = w / columns, h / rows
    gx, gy = cw * (1 - share) / 2, ch * (1 - share) / 2
    return [
        (x + cw * i + gx, y + ch * j + gy, cw * share, ch * share)
        for j in range(rows)
        for i in range(columns)
    ]


def _lit(view: View, panes: list[Frame]) -> None:
    """Windows: at night some are lit, by day all are glass with a bright upper edge."""
    canvas, colors = view.canvas, view.colors
    if colors.night:
        dark = darker(colors.glass, 0.65) if colors.glass != colors.lit else 0xFF2A3050
        canvas.drawPath(boxes(panes), ink(mix(dark, 0xFF1A2040, 0.6)))
        canvas.drawPath(boxes(p for p in panes if view.rng.chance(0.6)), ink(colors.lit))
    else:
        canvas.drawPath(boxes(panes), ink(colors.glass))
        canvas.drawPath(
            boxes((x, y, w, h * 0.3) for x, y, w, h in panes), ink(lighter(colors.glass, 0.35))
        )


def _town_house(view: View, x: float, base: float, w: float, h: float, *, shop: bool) -> None:
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
    _lit(
        view,
        _panes((x + w * 0.08, top + 2, w * 0.84, h - ground - 3), 3 if w > 26 else 2, rows, 0.5),
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
        _awning(canvas, x + w * 0.03, base - ground, w * 0.94, ground * 0.34, color)
    else:
        door = rng.choice(colors.accent)
        box(canvas, x + w * 0.58, base - ground * 0.78, w * 0.22, ground * 0.78, darker(door, 0.15))
        box(canvas, x + w * 0.55, base - ground * 0.9, w * 0.28, ground * 0.12, lighter(wall, 0.4))
        _lit(view, [(x + w * 0.16, base - ground * 0.75, w * 0.24, ground * 0.45)])


def _awning(canvas: skia.Canvas, x: float, y: float, w: float, h: float, color: int) -> None:
    """A striped blind with a scalloped edge."""
    step = w / 8
    for k, tone in ((0, color), (1, 0xFFFDF8EE)):
        path = skia.Path()
        for i in range(k, 8, 2):
            a = x + step * i
            path.addRect(skia.Rect(a, y, a + step, y + h))
            path.addCircle(a + step / 2, y + h, step / 2)
        canvas.drawPath(path, ink(tone))


def _tower(view: View, x: float, base: float, w: float, h: float) -> None:
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
    _lit(view, _panes((x + w * 0.06, top + 2, w * 0.66, h - 8), 3, max(3, round(h / 8)), 0.52))


def _road(view: View, curb: float) -> None:
    """Pavement, kerb, asphalt and a dashed line."""
    canvas, colors = view.canvas, view.colors
    stone = mix(colors.wall[2], 0xFF9AA0AA, 0.55)
    asphalt = mix(darker(colors.ground, 0.5), 0xFF4A4F5C, 0.65)
    if colors.night:
        stone, asphalt = darker(stone, 0.35), darker(asphalt, 0.4)
    box(canvas, -1, curb, 102, 5, stone)
    box(canvas, -1, curb + 3.6, 102, 1.6, darker(stone, 0.25))
    box(canvas, -1, curb + 5, 102, 102 - curb, asphalt)
    canvas.drawPath(
        boxes((k * 15 - 4, curb + 14.5, 8, 1.1) for k in range(8)), ink(lighter(asphalt, 0.55))
    )


def _lamps(view: View, base: float, count: int) -> None:
    """Street lamps, lit at night."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    post = darker(colors.roof[1], 0.5)
    for k in range(count):
        x, h = (24, 78)[k] + rng.uniform(-8, 8), rng.uniform(28, 34)
        if colors.night:
            disc(canvas, x, base - h, 7, see_through(colors.lit, 55))
        canvas.drawPath(
            boxes(
                [
                    (x - 0.6, base - h, 1.2, h),
                    (x - 1.5, base - 2.5, 3, 2.5),
                    (x - 2.2, base - h - 2.6, 4.4, 1.1),
                ]
            ),
            ink(post),
        )
        pill(
            canvas,
            x - 1.7,
            base - h - 1.6,
            3.4,
            4.2,
            1.2,
            colors.lit if colors.night else lighter(colors.lit, 0.4),
        )


def _wheels(canvas: skia.Canvas, spots: list[tuple[float, float, float]]) -> None:
    canvas.drawPath(discs(spots), ink(0xFF22242E))
    canvas.drawPath(discs((x, y, r * 0.48) for x, y, r in spots), ink(0xFFC9CDD6))


def _car(view: View, x: float, base: float, w: float) -> None:
    """A small car from the side; ``base`` is where its wheels stand."""
    canvas, colors = view.canvas, view.colors
    color, r, half = view.rng.choice(colors.accent), w * 0.11, w / 2
    oval(canvas, x, base, half * 1.02, w * 0.045, 0x50000010)
    body = skia.Path()
    body.moveTo(x - half * 0.62, base - w * 0.24)
    body.quadTo(x - half * 0.5, base - w * 0.46, x - half * 0.2, base - w * 0.46)
    body.lineTo(x + half * 0.22, base - w * 0.46)
    body.quadTo(x + half * 0.4, base - w * 0.44, x + half * 0.6, base - w * 0.25)
    body.close()
    body.addRoundRect(
        skia.Rect(x - half, base - w * 0.28, x + half, base - w * 0.08), w * 0.07, w * 0.07
    )
    canvas.drawPath(body, ink(color))
    glass = colors.lit if colors.night else lighter(colors.glass, 0.5)
    poly(
        canvas,
        [
            (x - half * 0.5, base - w * 0.27),
            (x - half * 0.38, base - w * 0.41),
            (x - half * 0.04, base - w * 0.41),
            (x - half * 0.04, base - w * 0.27),
        ],
        glass,
    )
    poly(
        canvas,
        [
            (x + half * 0.05, base - w * 0.27),
            (x + half * 0.05, base - w * 0.41),
            (x + half * 0.25, base - w * 0.41),
            (x + half * 0.47, base - w * 0.27),
        ],
        glass,
    )
    box(canvas, x - half, base - w * 0.15, w, w * 0.025, darker(color, 0.3))
    _wheels(canvas, [(x - half * 0.55, base - r * 0.8, r), (x + half * 0.55, base - r * 0.8, r)])
    disc(canvas, x + half * 0.93, base - w * 0.21, w * 0.03, 0xFFFFF1B8)


def _car_from_behind(view: View, x: float, base: float, w: float) -> None:
    """A car driving away from the viewer."""
    canvas, colors = view.canvas, view.colors
    color, half = view.rng.choice(colors.accent), w / 2
    oval(canvas, x, base, half * 1.1, w * 0.08, 0x50000010)
    canvas.drawPath(
        boxes(
            [
                (x - half * 0.9, base - w * 0.2, w * 0.2, w * 0.2),
                (x + half * 0.5, base - w * 0.2, w * 0.2, w * 0.2),
            ]
        ),
        ink(0xFF22242E),
    )
    poly(
        canvas,
        [
            (x - half * 0.85, base - w * 0.5),
            (x - half * 0.6, base - w * 0.84),
            (x + half * 0.6, base - w * 0.84),
            (x + half * 0.85, base - w * 0.5),
        ],
        color,
    )
    poly(
        canvas,
        [
            (x - half * 0.66, base - w * 0.5),
            (x - half * 0.48, base - w * 0.76),
            (x + half * 0.48, base - w * 0.76),
            (x + half * 0.66, base - w * 0.5),
        ],
        lighter(colors.glass, 0.3),
    )
    pill(canvas, x - half, base - w * 0.54, w, w * 0.42, w * 0.09, color)
    canvas.drawPath(
        boxes(
            [
                (x - half * 0.9, base - w * 0.42, w * 0.17, w * 0.1),
                (x + half * 0.56, base - w * 0.42, w * 0.17, w * 0.1),
            ]
        ),
        ink(0xFFFF4A3D),
    )
    box(canvas, x - half * 0.3, base - w * 0.28, half * 0.6, w * 0.1, 0xFFF6F4EA)


def _bus(view: View, x: float, base: float, w: float) -> None:
    """A town bus from the side."""
    canvas, colors = view.canvas, view.colors
    color, left, h = view.rng.choice(colors.accent), x - w / 2, w * 0.42
    oval(canvas, x, base, w * 0.51, w * 0.035, 0x50000010)
    pill(canvas, left, base - h, w, h - w * 0.05, w * 0.06, color)
    box(canvas, left, base - h * 0.42, w, h * 0.1, lighter(color, 0.6))
    glass = colors.lit if colors.night else lighter(colors.glass, 0.55)
    panes = [
        (left + w * (0.05 + 0.155 * k), base - h * 0.86, w * 0.125, h * 0.34) for k in range(5)
    ]
    canvas.drawPath(
        boxes([*panes, (left + w * 0.84, base - h * 0.86, w * 0.12, h * 0.62)]), ink(glass)
    )
    _wheels(
        canvas,
        [
            (left + w * 0.22, base - w * 0.06, w * 0.075),
            (left + w * 0.72, base - w * 0.06, w * 0.075),
        ],
    )


KIND = SceneKind(name="street", share=0.13, paint=_paint)
