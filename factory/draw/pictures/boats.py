"""What shows from far on the water: sailing boats and lighthouses."""

from __future__ import annotations

import skia

from factory.draw.pictures.brush import (
    box,
    darker,
    ink,
    lighter,
    mix,
    outline,
    poly,
    see_through,
)
from factory.draw.pictures.scene import View


def sailboat(view: View, x: float, base: float, width: float) -> None:
    """A sloop with main sail and jib; ``base`` is the water line."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    hull, sail = rng.choice(colors.accent), rng.choice(colors.wall)
    w = width / 2
    box(canvas, x - 0.4, base - width * 1.25, 0.8, width * 1.15, colors.trunk)
    poly(
        canvas,
        [
            (x + 1, base - width * 1.22),
            (x + w * 1.05, base - width * 0.25),
            (x + 1, base - width * 0.25),
        ],
        sail,
    )
    poly(
        canvas,
        [
            (x - 1, base - width * 1.1),
            (x - w * 0.9, base - width * 0.25),
            (x - 1, base - width * 0.25),
        ],
        mix(sail, rng.choice(colors.accent), 0.55),
    )
    poly(
        canvas,
        [
            (x - w, base - width * 0.2),
            (x + w * 1.1, base - width * 0.2),
            (x + w * 0.75, base + width * 0.04),
            (x - w * 0.7, base + width * 0.04),
        ],
        hull,
    )
    box(canvas, x - w * 0.93, base - width * 0.2, w * 1.95, width * 0.05, lighter(hull, 0.45))


def lighthouse(view: View, x: float, base: float, height: float) -> None:
    """A tapered, striped tower with a lamp room."""
    canvas, rng, colors = view.canvas, view.rng, view.colors
    stripe, wall = rng.choice((*colors.accent, *colors.roof)), lighter(colors.wall[0], 0.3)
    foot, neck = height * 0.15, height * 0.095
    top = base - height * 0.78
    if colors.night:
        poly(
            canvas,
            [(x, top - height * 0.07), (x + 90, top - 30), (x + 90, top + 2)],
            see_through(colors.lit, 48),
        )
    poly(canvas, [(x - foot, base), (x - neck, top), (x + neck, top), (x + foot, base)], wall)
    bands = skia.Path()
    for k in (0, 2, 4):
        low, high = k / 5, (k + 1) / 5
        a, b = foot + (neck - foot) * low, foot + (neck - foot) * high
        y0, y1 = base + (top - base) * low, base + (top - base) * high
        bands.addPath(outline([(x - a, y0), (x - b, y1), (x + b, y1), (x + a, y0)]))
    canvas.drawPath(bands, ink(stripe))
    poly(
        canvas,
        [(x + foot * 0.35, base), (x + neck * 0.35, top), (x + neck, top), (x + foot, base)],
        0x22000820,
    )
    box(
        canvas,
        x - neck * 1.35,
        top - height * 0.025,
        neck * 2.7,
        height * 0.03,
        darker(stripe, 0.5),
    )
    box(canvas, x - neck * 0.75, top - height * 0.12, neck * 1.5, height * 0.1, colors.lit)
    poly(
        canvas,
        [
            (x - neck * 1.1, top - height * 0.115),
            (x, top - height * 0.22),
            (x + neck * 1.1, top - height * 0.115),
        ],
        stripe,
    )
    box(
        canvas,
        x - foot * 0.25,
        base - height * 0.11,
        foot * 0.5,
        height * 0.11,
        darker(stripe, 0.45),
    )
