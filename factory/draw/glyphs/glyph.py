"""One glyph in its place: what it is (a spec), where its ink lies, how it is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import skia

from factory.core.geometry import Box, Point
from factory.draw.contours import as_points, coarse, drawn, grown, hull
from factory.draw.glyphs.outlines import EM, ROUGH, Outline, outline
from factory.draw.styles import Style, paint_shape
from factory.draw.warps import Warp, warped

INKS_KEPT = 512
"""Glyphs in place that are remembered: one sample asks for its own several times."""


@dataclass(frozen=True)
class GlyphSpec:
    """A glyph in CSS px of its frame. JSON-able (a pydantic state may hold it as it is).

    The middle of the upright ink box stands at ``(x, y)``; ``size`` makes a
    capital 0.7 of it high and a Chinese character 0.86. The ink is thickened
    by ``weight`` hundredths of the size (eroded when negative), mirrored,
    stretched sideways, sheared (``shear`` px right for each px up), turned
    clockwise, then put in place, in this order.
    """

    char: str
    face: str
    size: float
    x: float
    y: float
    style: Style
    turn_deg: float = 0.0
    shear: float = 0.0
    stretch: float = 1.0
    mirrored: bool = False
    weight: float = 0.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, float):
                object.__setattr__(self, name, round(value, 6))


@dataclass(frozen=True)
class Ink:
    """Where a glyph's ink lies, CSS px: ``box`` exactly, ``hull`` a convex polygon around it.

    ``painted`` also holds rims and shadows, which are no ink. ``hull`` has at
    most 24 corners, rounded to 1e-6: the zone that a tap has to hit. ``rough``
    is the path with few corners, for rims.
    """

    path: skia.Path
    rough: skia.Path
    box: Box
    hull: tuple[Point, ...]
    painted: Box


@lru_cache(maxsize=INKS_KEPT)
def ink(spec: GlyphSpec, field: Warp | None = None) -> Ink:
    """The ink of a glyph, bent by a field of the frame where one is given. Shared: never change it.

    ``PluginBroken`` when the face has no such glyph.
    """
    shape = outline(spec.face, spec.char, spec.weight)
    linear, move = _placed(spec, shape)
    points = shape.points @ linear.T + move
    if field is None:
        (a, b), (c, d) = linear.tolist()
        placed = skia.Matrix.MakeAll(a, b, float(move[0]), c, d, float(move[1]), 0, 0, 1)
        path, rough = skia.Path(shape.path), skia.Path(shape.rough)
        path.transform(placed)
        rough.transform(placed)
        corners = shape.hull @ linear.T + move
    else:
        points = warped(points, field)
        ends = np.cumsum([len(contour) for contour in shape.contours])[:-1]
        contours = np.split(points, ends)
        path = drawn(contours)
        rough = coarse(contours, ROUGH * spec.size / EM) if spec.style.kind == "rim" else path
        corners = hull(points)
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    box = Box(low[0], low[1], high[0], high[1]).grown(spec.style.ink_margin)
    if spec.style.ink_margin:
        corners = grown(corners, spec.style.ink_margin)
    painted = box.grown(spec.style.margin - spec.style.ink_margin)
    return Ink(path, rough, box, as_points(corners), painted)


def _placed(spec: GlyphSpec, shape: Outline) -> tuple[Any, Any]:
    """``css_from_outline`` as a 2 x 2 matrix and a move."""
    scale = spec.size / EM
    across = scale * spec.stretch * (-1.0 if spec.mirrored else 1.0)
    cos, sin = math.cos(math.radians(spec.turn_deg)), math.sin(math.radians(spec.turn_deg))
    upright = np.array([[across, -spec.shear * scale], [0.0, scale]])
    linear = np.array([[cos, -sin], [sin, cos]]) @ upright
    return linear, np.array([spec.x, spec.y]) - linear @ np.array(shape.ink.center)


def draw_glyph(canvas: skia.Canvas, spec: GlyphSpec, field: Warp | None = None) -> None:
    """Draw a glyph on a canvas in CSS px."""
    found = ink(spec, field)
    paint_shape(canvas, found.path, spec.style, found.box, rough=found.rough)


def draw_glyphs(canvas: skia.Canvas, specs: Sequence[GlyphSpec], field: Warp | None = None) -> None:
    """Draw glyphs in order, later ones over earlier ones."""
    for spec in specs:
        draw_glyph(canvas, spec, field)
