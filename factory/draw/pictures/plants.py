"""Plants in pots: cacti, palms, snake plants, ferns, flowers, little trees."""

from __future__ import annotations

import math

import skia

from factory.draw.pictures.brush import (
    box,
    darker,
    disc,
    discs,
    ink,
    lighter,
    lines,
    oval,
    pen,
    poly,
)
from factory.draw.pictures.scene import View

POT_SHARE = 0.36
"""How much of a potted plant's height is pot."""


def potted(view: View, x: float, base: float, h: float) -> None:
    """A plant of some kind in a pot that stands at ``base``; ``h`` is the height of both."""
    pot = h * POT_SHARE
    view.rng.choice(PLANTS)(view, x, base - pot * 0.94, h - pot)
    _pot(view, x, base, pot)


def _pot(view: View, x: float, base: float, h: float) -> None:
    canvas, rng, colors = view.canvas, view.rng, view.colors
    color, top, w = (
        rng.choice((*colors.accent, *colors.wall, colors.roof[2])),
        base - h,
        h * rng.uniform(0.42, 0.56),
    )
    style = rng.integer(0, 4)
    if style == 0:
        poly(
            canvas, [(x - w, top), (x + w, top), (x + w * 0.68, base), (x - w * 0.68, base)], color
        )
        box(canvas, x - w * 1.12, top, w * 2.24, h * 0.22, lighter(color, 0.12))
        box(canvas, x - w, top + h * 0.22, w * 2, h * 0.06, darker(color, 0.25))
    elif style == 1:
        box(canvas, x - w * 0.9, top, w * 1.8, h, color)
        box(canvas, x - w * 0.9, top + h * 0.55, w * 1.8, h * 0.2, lighter(color, 0.4))
    elif style == 2:
        canvas.drawPath(
            lines(
                [
                    (x - w * 0.6, top + h * 0.6, x - w * 0.8, base),
                    (x + w * 0.6, top + h * 0.6, x + w * 0.8, base),
                ]
            ),
            pen(colors.trunk, h * 0.07),
        )
        canvas.drawRoundRect(
            skia.Rect(x - w, top, x + w, base - h * 0.22), h * 0.16, h * 0.16, ink(color)
        )
    else:
        path = skia.Path()
        path.moveTo(x - w * 0.8, top)
        path.cubicTo(x - w * 1.5, top + h * 0.45, x - w * 1.1, base, x - w * 0.6, base)
        path.lineTo(x + w * 0.6, base)
        path.cubicTo(x + w * 1.1, base, x + w * 1.5, top + h * 0.45, x + w * 0.8, top)
        canvas.drawPath(path, ink(color))
        box(canvas, x - w * 0.9, top - h * 0.04, w * 1.8, h * 0.12, lighter(color, 0.2))


def _leaf(path: skia.Path, x: float, y: float, angle: float, length: float, width: float) -> None:
    """A pointed leaf from its stalk at (x, y); ``angle`` in radians, up is -pi/2."""
    dx, dy = math.cos(angle) * length, math.sin(angle) * length
    nx, ny = -math.sin(angle) * width, math.cos(angle) * width
    path.moveTo(x, y)
    path.quadTo(x + dx * 0.5 + nx, y + dy * 0.5 + ny, x + dx, y + dy)
    path.quadTo(x + dx * 0.5 - nx, y + dy * 0.5 - ny, x, y)


def _fan(view: View, x: float, y: float, h: float) -> None:
    """Broad leaves that fan out from one point."""
    back, front = skia.Path(), skia.Path()
    for k in range(7):
        angle = -math.pi / 2 + (k - 3) * 0.33
        reach = h * (1.0 - 0.07 * abs(k - 3)) * view.rng.uniform(0.85, 1.0)
        _leaf(back if k % 2 else front, x, y, angle, reach, h * 0.16)
    color = view.rng.choice(view.colors.leaf)
    view.canvas.drawPath(back, ink(darker(color, 0.16)))
    view.canvas.drawPath(front, ink(color))


def _swords(view: View, x: float, y: float, h: float) -> None:
    """A snake plant: stiff upright blades."""
    back, front = skia.Path(), skia.Path()
    for k in range(5):
        _leaf(
            back if k % 2 else front,
            x + (k - 2) * h * 0.06,
            y,
            -math.pi / 2 + (k - 2) * 0.11,
            h * view.rng.uniform(0.7, 1.0),
            h * 0.1,
        )
    color = view.rng.choice(view.colors.leaf)
    view.canvas.drawPath(back, ink(lighter(color, 0.25)))
    view.canvas.drawPath(front, ink(color))


def _cactus(view: View, x: float, y: float, h: float) -> None:
    """A pillar with one or two arms and a flower."""
    color, path = view.rng.choice(view.colors.leaf), skia.Path()
    path.moveTo(x, y)
    path.lineTo(x, y - h * 0.82)
    for way, low in ((-1, 0.32), (1, 0.45))[: view.many(1, 2)]:
        path.moveTo(x, y - h * low)
        path.lineTo(x + way * h * 0.27, y - h * low)
        path.lineTo(x + way * h * 0.27, y - h * (low + 0.24))
    view.canvas.drawPath(path, pen(color, h * 0.2))
    view.canvas.drawPath(
        lines([(x - h * 0.03, y, x - h * 0.03, y - h * 0.82)]), pen(lighter(color, 0.25), h * 0.03)
    )
    disc(view.canvas, x, y - h * 0.93, h * 0.07, view.colors.accent[0])


def _bush(view: View, x: float, y: float, h: float) -> None:
    """A clipped ball on a stem."""
    color = view.rng.choice(view.colors.leaf)
    box(view.canvas, x - h * 0.035, y - h * 0.5, h * 0.07, h * 0.5, view.colors.trunk)
    disc(view.canvas, x, y - h * 0.66, h * 0.34, darker(color, 0.14))
    disc(view.canvas, x - h * 0.06, y - h * 0.7, h * 0.27, color)
    berries = discs(
        (x + h * dx, y - h * dy, h * 0.035)
        for dx, dy in ((-0.14, 0.8), (0.1, 0.86), (0.16, 0.6), (-0.05, 0.58), (-0.22, 0.62))
    )
    view.canvas.drawPath(berries, ink(view.rng.choice((*view.colors.accent, lighter(color, 0.3)))))


def _tulips(view: View, x: float, y: float, h: float) -> None:
    """Three cups on stems."""
    color, petals, leaves, stems = view.rng.choice(view.colors.accent), skia.Path(), skia.Path(), []
    for dx, reach in ((-0.2, 0.78), (0.02, 0.95), (0.24, 0.7)):
        tx, ty, r = x + dx * h, y - reach * h, h * 0.11
        stems.append((x + dx * h * 0.3, y, tx, ty))
        petals.moveTo(tx - r, ty - r * 1.1)
        petals.cubicTo(tx - r * 1.1, ty + r * 1.2, tx + r * 1.1, ty + r * 1.2, tx + r, ty - r * 1.1)
        petals.lineTo(tx + r * 0.5, ty - r * 0.4)
        petals.lineTo(tx, ty - r * 1.3)
        petals.lineTo(tx - r * 0.5, ty - r * 0.4)
        petals.close()
    _leaf(leaves, x, y, -2.2, h * 0.55, h * 0.08)
    _leaf(leaves, x, y, -0.95, h * 0.5, h * 0.08)
    green = view.rng.choice(view.colors.leaf)
    view.canvas.drawPath(lines(stems), pen(green, h * 0.035))
    view.canvas.drawPath(leaves, ink(green))
    view.canvas.drawPath(petals, ink(color))


def _sunflower(view: View, x: float, y: float, h: float) -> None:
    """One big flower that looks at you, leaves on its stem."""
    canvas, green, cy, r = view.canvas, view.rng.choice(view.colors.leaf), y - h * 0.74, h * 0.17
    canvas.drawPath(lines([(x, y, x, cy)]), pen(green, h * 0.045))
    leaves = skia.Path()
    _leaf(leaves, x, y - h * 0.12, -2.6, h * 0.34, h * 0.1)
    _leaf(leaves, x, y - h * 0.2, -0.5, h * 0.34, h * 0.1)
    canvas.drawPath(leaves, ink(green))
    petals = discs(
        (x + math.cos(k * 0.785) * r, cy + math.sin(k * 0.785) * r, h * 0.095) for k in range(8)
    )
    canvas.drawPath(petals, ink(view.rng.choice(view.colors.accent)))
    disc(canvas, x, cy, h * 0.13, darker(view.colors.trunk, 0.2))


def _fern(view: View, x: float, y: float, h: float) -> None:
    """Arching fronds that hang over the rim."""
    path = skia.Path()
    for way in (-1, 1):
        for reach, lift in ((0.2, 0.95), (0.48, 0.85), (0.66, 0.55)):
            path.moveTo(x, y)
            path.quadTo(
                x + way * reach * h * 0.35, y - lift * h, x + way * reach * h, y - lift * h * 0.55
            )
    color = view.rng.choice(view.colors.leaf)
    view.canvas.drawPath(path, pen(color, h * 0.085))


def _stack(view: View, x: float, y: float, h: float) -> None:
    """A succulent of leaf pairs, each smaller than the one below."""
    color = view.rng.choice(view.colors.leaf)
    for k in range(4):
        share = 1 - 0.2 * k
        cy = y - h * 0.2 * k - h * 0.08
        tone = lighter(color, 0.09 * k)
        for way in (-1, 1):
            oval(view.canvas, x + way * h * 0.17 * share, cy, h * 0.19 * share, h * 0.085, tone)
    disc(view.canvas, x, y - h * 0.83, h * 0.09, view.rng.choice(view.colors.accent))


PLANTS = (_fan, _swords, _cactus, _bush, _tulips, _sunflower, _fern, _stack)
