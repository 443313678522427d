"""Roads, street lamps, and what drives on them."""

from __future__ import annotations

import skia

from factory.draw.pictures.brush import (
    box,
    boxes,
    darker,
    disc,
    discs,
    glow,
    ink,
    lighter,
    mix,
    oval,
    pill,
    poly,
    see_through,
)
from factory.draw.pictures.scene import View


def road(view: View, curb: float) -> None:
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


def street_lamps(view: View, base: float, count: int) -> None:
    """Street street_lamps, lit at night."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    post = darker(colors.roof[1], 0.5)
    for k in range(count):
        x, h = (24, 78)[k] + rng.uniform(-8, 8), rng.uniform(28, 34)
        if colors.night:
            canvas.drawCircle(x, base - h, 9, glow(x, base - h, 9, see_through(colors.lit, 130)))
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


def wheels(canvas: skia.Canvas, spots: list[tuple[float, float, float]]) -> None:
    canvas.drawPath(discs(spots), ink(0xFF22242E))
    canvas.drawPath(discs((x, y, r * 0.48) for x, y, r in spots), ink(0xFFC9CDD6))


def car(view: View, x: float, base: float, w: float) -> None:
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
    wheels(canvas, [(x - half * 0.55, base - r * 0.8, r), (x + half * 0.55, base - r * 0.8, r)])
    disc(canvas, x + half * 0.93, base - w * 0.21, w * 0.03, 0xFFFFF1B8)


def car_from_behind(view: View, x: float, base: float, w: float) -> None:
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


def bus(view: View, x: float, base: float, w: float) -> None:
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
    wheels(
        canvas,
        [
            (left + w * 0.22, base - w * 0.06, w * 0.075),
            (left + w * 0.72, base - w * 0.06, w * 0.075),
        ],
    )
