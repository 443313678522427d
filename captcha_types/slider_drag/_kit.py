"""Pictures cut into pieces: outlines of pieces, holes where they belong, and their painting."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Box, Point
from factory.core.puzzle import Bitmap
from factory.core.rng import Stream
from factory.draw import picture_images

SHAPES = (
    "tab_right",
    "tab_top",
    "tab_and_notch",
    "two_tabs",
    "hexagon",
    "shield",
    "drop",
    "flower",
)
"""Outlines of pieces; no two of them are taken for each other at 40 px."""

JIGSAWS = frozenset(SHAPES[:4])
"""The outlines of jigsaw pieces; the others are figures."""

OUTLINE_CORNERS = 96
"""Corners of an outline as a polygon, for measurements along its edge."""

NIGHT = 90.0
"""Mean grey below which a dark hole would not be seen: holes in such pictures are light."""


@lru_cache(maxsize=64)
def outline(shape: str, size: float) -> Any:
    """The outline of a piece as a skia path inside ``[0, size]^2``, as wide as that.

    Shared: never change it.
    """
    path = skia.Path()
    _OUTLINES[shape](path)
    ink = path.computeTightBounds()
    wide = size / ink.width()
    path.transform(skia.Matrix.MakeAll(wide, 0, -wide * ink.left(), 0, size, 0, 0, 0, 1))
    return path


def _jigsaw(path: Any, tabs: Sequence[str], notches: Sequence[str]) -> None:
    """A square with round knobs on the sides ``tabs`` and round bites at ``notches``."""
    body = skia.Path()
    low, high, radius = 0.2, 0.8, 0.14
    left, right = (0.0 if "left" not in tabs else low), (1.0 if "right" not in tabs else high)
    top, foot = (0.0 if "top" not in tabs else low), (1.0 if "foot" not in tabs else high)
    body.addRoundRect(skia.Rect.MakeLTRB(left, top, right, foot), 0.06, 0.06)
    at = {
        "left": (left, (top + foot) / 2),
        "right": (right, (top + foot) / 2),
        "top": ((left + right) / 2, top),
        "foot": ((left + right) / 2, foot),
    }
    inward = {"left": (1, 0), "right": (-1, 0), "top": (0, 1), "foot": (0, -1)}
    for side in (*tabs, *notches):
        (x, y), (dx, dy) = at[side], inward[side]
        reach = 0.06 if side in tabs else -0.05
        knob = skia.Path()
        knob.addCircle(x - dx * reach, y - dy * reach, radius)
        op = skia.PathOp.kUnion_PathOp if side in tabs else skia.PathOp.kDifference_PathOp
        body = skia.Op(body, knob, op)
    path.addPath(body)


def _hexagon(path: Any) -> None:
    corners = [
        skia.Point(0.5 + 0.5 * math.cos(k * math.pi / 3), 0.5 + 0.5 * math.sin(k * math.pi / 3))
        for k in range(6)
    ]
    path.addPoly(corners, True)


def _shield(path: Any) -> None:
    path.moveTo(0.08, 0.08)
    path.quadTo(0.5, 0.2, 0.92, 0.08)
    path.lineTo(0.92, 0.5)
    path.cubicTo(0.92, 0.75, 0.7, 0.92, 0.5, 1.0)
    path.cubicTo(0.3, 0.92, 0.08, 0.75, 0.08, 0.5)
    path.close()


def _drop(path: Any) -> None:
    path.moveTo(0.5, 0.0)
    path.cubicTo(0.62, 0.22, 0.92, 0.4, 0.92, 0.62)
    path.cubicTo(0.92, 0.85, 0.73, 1.0, 0.5, 1.0)
    path.cubicTo(0.27, 1.0, 0.08, 0.85, 0.08, 0.62)
    path.cubicTo(0.08, 0.4, 0.38, 0.22, 0.5, 0.0)
    path.close()


def _flower(path: Any) -> None:
    whole = skia.Path()
    whole.addCircle(0.5, 0.5, 0.2)
    for k in range(5):
        angle = -math.pi / 2 + 2 * math.pi * k / 5
        petal = skia.Path()
        petal.addCircle(0.5 + 0.27 * math.cos(angle), 0.5 + 0.27 * math.sin(angle), 0.23)
        whole = skia.Op(whole, petal, skia.PathOp.kUnion_PathOp)
    path.addPath(whole)


_OUTLINES: dict[str, Callable[[Any], None]] = {
    "tab_right": lambda path: _jigsaw(path, ("right",), ()),
    "tab_top": lambda path: _jigsaw(path, ("top",), ()),
    "tab_and_notch": lambda path: _jigsaw(path, ("top",), ("left",)),
    "two_tabs": lambda path: _jigsaw(path, ("right", "foot"), ("top",)),
    "hexagon": _hexagon,
    "shield": _shield,
    "drop": _drop,
    "flower": _flower,
}


@lru_cache(maxsize=64)
def edge(shape: str) -> tuple[tuple[Point, Point], ...]:
    """Points along the outline of unit size, each with its outward unit normal."""
    measure = skia.PathMeasure(outline(shape, 1.0), True)
    step = measure.getLength() / OUTLINE_CORNERS
    placed = [measure.getPosTan(step * k) for k in range(OUTLINE_CORNERS)]
    points = [Point(p.x(), p.y()) for p, _ in placed]
    turn = sum(a.x * b.y - b.x * a.y for a, b in zip(points, [*points[1:], points[0]], strict=True))
    way = 1.0 if turn > 0 else -1.0
    return tuple(
        (point, Point(way * t.y(), -way * t.x()))
        for point, (_, t) in zip(points, placed, strict=True)
    )


@lru_cache(maxsize=64)
def _rim(shape: str) -> tuple[Any, Any]:
    """The points and normals of ``edge`` as arrays ``(corners, 2)``."""
    points = np.array([point for point, _ in edge(shape)], np.float32)
    return points, np.array([normal for _, normal in edge(shape)], np.float32)


def rim_steps(pixels: Bitmap, box: Box, shape: str, reach_px: float) -> tuple[float, float]:
    """Medians over the outline that fills ``box`` of two steps in grey.

    The first is from ``reach_px`` outside it to as far inside, the second from outside to
    the line itself or to the inside, whichever is larger. ``box`` in px of ``pixels`` (grey).
    """
    unit, normals = _rim(shape)
    line = unit * np.float32(box.width) + np.array([box.x0 - 0.5, box.y0 - 0.5], np.float32)
    away = normals * np.float32(reach_px)
    where = np.stack([line - away, line, line + away])
    values = cv2.remap(pixels, where[..., 0], where[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    steps = np.abs(values[:2] - values[2])
    middle = steps.shape[1] // 2  # np.median costs ten times as much on so few
    across, seen = np.sort(steps[0])[middle], np.sort(steps.max(axis=0))[middle]
    return float(across), float(seen)


def paint_hole(canvas: Any, path: Any, corner: Point, *, light: bool, depth: float = 1.0) -> None:
    """A recess of this outline at ``corner``: a veil, a shade along its rim, a fine edge.

    ``depth`` above 0, at most 1, weakens the veil: less of it shows more of the picture.
    """
    canvas.save()
    canvas.translate(corner.x, corner.y)
    veil = (
        skia.Color(255, 255, 255, round(150 * depth))
        if light
        else skia.Color(8, 12, 24, round(140 * depth))
    )
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=veil))
    canvas.save()
    canvas.clipPath(path, skia.ClipOp.kIntersect, True)
    shade = _stroke(skia.Color(0, 0, 0, 130), 5.0)
    shade.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 2.0))
    canvas.drawPath(path, shade)
    canvas.restore()
    canvas.drawPath(path, _stroke(skia.Color(255, 255, 255, 190), 1.2))
    canvas.restore()


def paint_piece(canvas: Any, image: Any, box: Box, path: Any, cut: Point, at: Point) -> None:
    """The part of ``image`` (over ``box``) under the outline at ``cut``, lying at ``at``."""
    canvas.save()
    canvas.translate(at.x, at.y)
    shadow = skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 120))
    shadow.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 3.0))
    canvas.save()
    canvas.translate(0, 2)
    canvas.drawPath(path, shadow)
    canvas.restore()
    canvas.save()
    canvas.clipPath(path, skia.ClipOp.kIntersect, True)
    picture_images.paint_image(canvas, image, box.moved(-cut.x, -cut.y))
    canvas.restore()
    canvas.drawPath(path, _stroke(skia.Color(255, 255, 255, 235), 1.6))
    canvas.restore()


def _stroke(colour: int, width: float) -> Any:
    paint = skia.Paint(AntiAlias=True, Color=colour)
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(width)
    return paint


def spread_heights(
    stream: Stream, count: int, low: float, high: float, apart: float
) -> list[float]:
    """Up to ``count`` numbers in [low, high], any two at least ``apart`` from each other."""
    found: list[float] = []
    for _ in range(4 * count):
        value = stream.uniform(low, high)
        if len(found) < count and all(abs(value - other) >= apart for other in found):
            found.append(round(value, 6))
    return found
