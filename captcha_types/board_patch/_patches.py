"""Patches of a picture: where they were cut out, how they were changed, and their painting."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import skia

from factory.core.geometry import Box, Point
from factory.draw.colours import RGB


@dataclass(frozen=True)
class Patch:
    """What a patch shows: the square with its corner at ``(x, y)`` of the picture (CSS px),
    mirrored, turned clockwise by quarters, its hues turned, lighter by levels. JSON-able."""

    x: float
    y: float
    quarters: int = 0
    mirrored: bool = False
    hue_deg: float = 0.0
    light: float = 0.0

    def __post_init__(self) -> None:
        for name in ("x", "y", "hue_deg", "light"):
            object.__setattr__(self, name, round(getattr(self, name), 6))

    @property
    def changed(self) -> bool:
        """Whether anything but its place tells it from what was cut out."""
        return self.mirrored or any((self.quarters, self.hue_deg, self.light))


@dataclass(frozen=True)
class Hole:
    """A hole of an outline; ``(x, y)`` is the corner of its square of side ``size``, CSS px from
    the picture's corner. JSON-able."""

    shape: str
    x: float
    y: float
    size: float

    @property
    def patch(self) -> Patch:
        """What was cut out."""
        return Patch(self.x, self.y)


def _square(path: Any) -> None:
    path.addRoundRect(skia.Rect(0, 0, 1, 1), 0.1, 0.1)


def _disc(path: Any) -> None:
    path.addOval(skia.Rect(0, 0, 1, 1))


def _hexagon(path: Any) -> None:
    turns = [k * math.pi / 3 for k in range(6)]
    path.addPoly(
        [skia.Point(0.5 + 0.5 * math.cos(a), 0.5 + 0.5 * math.sin(a)) for a in turns], True
    )


def _diamond(path: Any) -> None:
    path.addPoly([skia.Point(*p) for p in ((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5))], True)


_OUTLINES: Mapping[str, Callable[[Any], None]] = {
    "square": _square,
    "disc": _disc,
    "hexagon": _hexagon,
    "diamond": _diamond,
}
SHAPES = tuple(_OUTLINES)


@lru_cache(maxsize=64)
def outline(shape: str, size: float) -> Any:
    """The outline as a skia path inside ``[0, size]^2``. Shared: never change it."""
    path = skia.Path()
    _OUTLINES[shape](path)
    path.transform(skia.Matrix.Scale(size, size))
    return path


def tint(patch: Patch) -> list[float]:
    """Three rows of a colour matrix: hues turned at the same luminance, then lighter."""
    cos, sin = math.cos(math.radians(patch.hue_deg)), math.sin(math.radians(patch.hue_deg))
    r, g, b, light = 0.213, 0.715, 0.072, patch.light / 255.0
    return [
        r + cos * (1 - r) - sin * r, g - cos * g - sin * g, b - cos * b + sin * (1 - b), light,
        r - cos * r + sin * 0.143, g + cos * (1 - g) + sin * 0.140, b - cos * b - sin * 0.283,
        light,
        r - cos * r - sin * (1 - r), g - cos * g + sin * g, b + cos * (1 - b) + sin * b, light,
    ]  # fmt: skip


def paint_hole(canvas: Any, path: Any, corner: Point, fill: RGB, line: RGB) -> None:
    """A hole of this outline through which the panel is seen, with a shade and an edge."""
    canvas.save()
    canvas.translate(corner.x, corner.y)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=skia.Color(*fill)))
    canvas.save()
    canvas.clipPath(path, skia.ClipOp.kIntersect, True)
    shade = _stroke(skia.Color(0, 0, 0, 90), 4.0)
    shade.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 1.6))
    canvas.drawPath(path, shade)
    canvas.restore()
    canvas.drawPath(path, _stroke(skia.Color(*line), 1.4))
    canvas.restore()


def paint_patch(
    canvas: Any, image: Any, picture: Box, path: Any, size: float, patch: Patch, at: Point
) -> None:
    """The patch lying at ``at``; ``image`` fills ``picture`` when it stands at the origin."""
    canvas.save()
    canvas.translate(at.x, at.y)
    canvas.save()
    canvas.translate(0, 1.4)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 80)))
    canvas.restore()
    canvas.clipPath(path, skia.ClipOp.kIntersect, True)
    canvas.translate(size / 2, size / 2)
    canvas.rotate(90.0 * patch.quarters)
    canvas.scale(-1.0 if patch.mirrored else 1.0, 1.0)
    canvas.translate(-size / 2 - patch.x, -size / 2 - patch.y)
    target = skia.Rect.MakeWH(picture.width, picture.height)
    canvas.drawImageRect(image, target, skia.SamplingOptions(skia.FilterMode.kLinear), _dye(patch))
    canvas.restore()


def _dye(patch: Patch) -> Any:
    """How the pixels of a patch are coloured."""
    paint = skia.Paint(AntiAlias=True)
    if patch.hue_deg or patch.light:
        rows = tint(patch)
        filled = [v for k in range(3) for v in (*rows[4 * k : 4 * k + 3], 0.0, rows[4 * k + 3])]
        paint.setColorFilter(skia.ColorFilters.Matrix([*filled, 0.0, 0.0, 0.0, 1.0, 0.0]))
    return paint


def _stroke(colour: int, width: float) -> Any:
    paint = skia.Paint(AntiAlias=True, Color=colour)
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(width)
    return paint
