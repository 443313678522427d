"""One glyph in its place: what it is (a spec), where its ink lies, how it is drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import accumulate
from typing import Any

import numpy as np
import skia

from factory.core.geometry import Box, Point
from factory.draw.contours import as_points, coarse, drawn, grown, hull
from factory.draw.glyphs.outlines import EM, ROUGH, Outline, outline
from factory.draw.styles import Style, paint_shape
from factory.draw.warps import Warp, warped

INKS_KEPT, LINES_KEPT = 512, 64
"""Glyphs in place, and tuples of them, that are remembered: one sample asks for its own several
times."""


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


@dataclass(frozen=True, eq=False)
class Ink:
    """Where a glyph's ink lies, CSS px: ``box`` exactly, ``painted`` with rims and shadows.

    ``rough`` is the path with few corners, for rims. ``corners`` finds the hull of the
    outline, beyond which the ink reaches by ``margin``.
    """

    path: skia.Path
    rough: skia.Path
    box: Box
    painted: Box
    corners: Callable[[], Any]
    margin: float

    @cached_property
    def hull(self) -> tuple[Point, ...]:
        """A convex polygon around the ink, the zone that a tap has to hit.

        At most 24 corners, rounded to 1e-6. Found when asked for: it costs as much as the rest.
        """
        found = self.corners()
        return as_points(grown(found, self.margin) if self.margin else found)


def ink(spec: GlyphSpec, field: Warp | None = None) -> Ink:
    """The ink of a glyph, bent by a field of the frame where one is given. Shared: never change it.

    ``PluginBroken`` when the face has no such glyph.
    """
    return _unbent(spec) if field is None else inks((spec,), field)[0]


@lru_cache(maxsize=INKS_KEPT)
def _unbent(spec: GlyphSpec) -> Ink:
    shape = outline(spec.face, spec.char, spec.weight)
    linear, move = _placed(spec, shape)
    (a, b), (c, d) = linear.tolist()
    placed = skia.Matrix.MakeAll(a, b, float(move[0]), c, d, float(move[1]), 0, 0, 1)
    path, rough = skia.Path(shape.path), skia.Path(shape.rough)
    path.transform(placed)
    rough.transform(placed)
    points = _moved(shape.points, linear, move)
    return _ink(spec, points, path, rough, partial(_moved, shape.hull, linear, move))


@lru_cache(maxsize=LINES_KEPT)
def inks(specs: tuple[GlyphSpec, ...], field: Warp | None = None) -> tuple[Ink, ...]:
    """The inks of glyphs of one frame: a field bends them all at once, which is faster."""
    if field is None:
        return tuple(_unbent(spec) for spec in specs)
    shapes = [outline(spec.face, spec.char, spec.weight) for spec in specs]
    straight = [
        _moved(shape.points, *_placed(spec, shape))
        for spec, shape in zip(specs, shapes, strict=True)
    ]
    bent, at, found = warped(np.concatenate(straight), field), 0, list[Ink]()
    for spec, shape in zip(specs, shapes, strict=True):
        points = bent[at : at + len(shape.points)]
        at += len(points)
        lengths = tuple(map(len, shape.contours))
        path = _traced(points, lengths)
        rough = _rough(points, lengths, spec.size) if spec.style.kind == "rim" else path
        found.append(_ink(spec, points, path, rough, partial(hull, points)))
    return tuple(found)


def _ink(
    spec: GlyphSpec, points: Any, path: skia.Path, rough: skia.Path, corners: Callable[[], Any]
) -> Ink:
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    margin = spec.style.ink_margin
    box = Box(low[0], low[1], high[0], high[1]).grown(margin)
    return Ink(path, rough, box, box.grown(spec.style.margin - margin), corners, margin)


def _moved(points: Any, linear: Any, move: Any) -> Any:
    return points @ linear.T + move


def _rough(points: Any, lengths: tuple[int, ...], size: float) -> skia.Path:
    """The closed contours of these lengths with few corners."""
    return coarse(np.split(points, list(accumulate(lengths))[:-1]), ROUGH * size / EM)


@lru_cache(maxsize=4096)
def _around(lengths: tuple[int, ...]) -> tuple[bytes, bytes]:
    """What skia writes before and after the points of closed contours of these lengths."""
    points = np.arange(2.0 * sum(lengths)).reshape(-1, 2)
    path = drawn(np.split(points, list(accumulate(lengths))[:-1]))
    before, _, after = bytes(path.serialize()).partition(points.astype(np.float32).tobytes())
    return before, after


def _traced(points: Any, lengths: tuple[int, ...]) -> skia.Path:
    """Closed contours as a path, read from bytes: thirty times as fast as point by point."""
    before, after = _around(lengths)
    path = skia.Path()
    path.readFromMemory(before + points.astype(np.float32).tobytes() + after)
    return path


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
    draw_glyphs(canvas, (spec,), field)


def draw_glyphs(canvas: skia.Canvas, specs: Sequence[GlyphSpec], field: Warp | None = None) -> None:
    """Draw glyphs in order, later ones over earlier ones."""
    for spec, found in zip(specs, inks(tuple(specs), field), strict=True):
        paint_shape(canvas, found.path, spec.style, found.box, rough=found.rough)
