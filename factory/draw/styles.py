"""Ways to ink a shape: flat, hollow, rimmed, shadowed, shaded, in two tones.

A style is JSON-able; what is inked is any skia path in CSS px. ``choose_style``
takes only colours that read on the ground's tone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import skia

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw.colours import mix, parse_hex
from factory.draw.tones import LARGE_GLYPHS, Tone, choose_ink, rim_for

KINDS = ("fill", "outline", "rim", "shadow", "gradient", "two_tone")

SHADOW_ALPHA = 70
"""Of 255: a shadow is seen and is no second glyph."""

RIM_SHARE, OUTLINE_SHARE, SHADOW_SHARE = 0.07, 0.045, 0.055
"""Widths by the size of the glyph."""

HOLLOW_STROKE, SHADOW_STROKE = 15.0, 8.0
"""Least thickness of strokes, in hundredths of the size, that may be hollow or throw a shadow."""


@dataclass(frozen=True)
class Style:
    """``ink`` and ``second`` are ``#rrggbb``; ``width`` CSS px of rim, outline or shadow.

    ``second`` is the rim, the far end of a gradient, the lower tone or the shadow.
    """

    kind: str
    ink: str
    second: str = ""
    width: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidOptions(f"no style {self.kind!r}; there are {', '.join(KINDS)}")
        object.__setattr__(self, "width", round(self.width, 6))

    @property
    def ink_margin(self) -> float:
        """CSS px that the ink reaches beyond the shape."""
        return self.width / 2 if self.kind == "outline" else 0.0

    @property
    def margin(self) -> float:
        """CSS px that anything painted reaches beyond the shape."""
        return self.width if self.kind in ("rim", "shadow") else self.ink_margin


def kinds_for(stroke: float) -> tuple[str, ...]:
    """Styles that keep strokes of a thickness (hundredths of the size) legible."""
    return tuple(
        kind
        for kind in KINDS
        if not (kind == "outline" and stroke < HOLLOW_STROKE)
        and not (kind == "shadow" and stroke < SHADOW_STROKE)
    )


def choose_style(
    stream: Stream,
    tone: Tone,
    size: float,
    *,
    kinds: Sequence[str] = KINDS,
    floor: float = LARGE_GLYPHS,
    hue_deg: float | None = None,
) -> Style:
    """A style whose inks read on the ground, for shapes of ``size`` CSS px; rimmed if none does."""
    if not tone.ink_ranges(floor):
        ink = choose_ink(stream, stream.choice((Tone(1.0, 1.0), Tone(0.008, 0.008))), floor=floor,
                         hue_deg=hue_deg)  # fmt: skip
        return Style("rim", ink, rim_for(ink, floor), RIM_SHARE * size)
    kind = stream.choice(kinds)
    ink = choose_ink(stream, tone, floor=floor, hue_deg=hue_deg)
    if kind == "rim":
        return Style(kind, ink, rim_for(ink, floor), RIM_SHARE * size * stream.uniform(0.8, 1.3))
    if kind == "outline":
        return Style(kind, ink, "", OUTLINE_SHARE * size * stream.uniform(0.9, 1.4))
    if kind == "shadow":
        return Style(kind, ink, "#101018", SHADOW_SHARE * size * stream.uniform(0.7, 1.2))
    if kind == "fill":
        return Style(kind, ink)
    # Both ends on one side of the ground, so that what lies between them reads too.
    return Style(kind, ink, _companion(stream, tone, ink, floor))


def _companion(stream: Stream, tone: Tone, ink: str, floor: float) -> str:
    """A second ink: of another hue where one reads, else the first, deepened or paled."""
    other = choose_ink(stream, tone, floor=floor)
    if tone.reads(mix(other, ink, 0.5), floor) and tone.reads(other, floor):
        return other
    return ink


@lru_cache(maxsize=4096)
def rgb_colour(colour: str, alpha: int = 255) -> int:
    """``#rrggbb`` as skia wants it."""
    return skia.Color(*parse_hex(colour), alpha)


def paint_shape(
    canvas: skia.Canvas, path: skia.Path, style: Style, box: Box, *, rough: skia.Path | None = None
) -> None:
    """Ink a path in CSS px; ``box`` is its ink box, along which gradients run.

    ``rough`` is the path with fewer corners, around which a rim costs less.
    """
    if style.kind == "rim":
        canvas.drawPath(rough or path, _stroke(style.second, 2 * style.width))
    elif style.kind == "shadow":
        canvas.save()
        canvas.translate(0.8 * style.width, style.width)
        canvas.drawPath(path, _fill(style.second, SHADOW_ALPHA))
        canvas.restore()
    if style.kind == "outline":
        canvas.drawPath(merged(path), _stroke(style.ink, style.width))
    elif style.kind in ("gradient", "two_tone"):
        canvas.drawPath(path, _shaded(style, box))
    else:
        canvas.drawPath(path, _fill(style.ink))


def merged(path: skia.Path) -> skia.Path:
    """A path whose contours do not cross: fonts lay strokes over each other, as filled ink may."""
    return skia.Simplify(path) or path


@lru_cache(maxsize=1024)
def _fill(colour: str, alpha: int = 255) -> skia.Paint:
    return skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)


@lru_cache(maxsize=1024)
def _stroke(colour: str, width: float) -> skia.Paint:
    return skia.Paint(
        Color=rgb_colour(colour),
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        StrokeJoin=skia.Paint.kRound_Join,
        StrokeCap=skia.Paint.kRound_Cap,
    )


def _shaded(style: Style, box: Box) -> skia.Paint:
    ends = [skia.Point(box.x0, box.y0), skia.Point(box.x0, box.y1)]
    colours = [rgb_colour(style.ink), rgb_colour(style.second)]
    stops = [0.0, 1.0]
    if style.kind == "two_tone":
        colours, stops = [c for c in colours for _ in range(2)], [0.0, 0.5, 0.5, 1.0]
    shader = skia.GradientShader.MakeLinear(ends, colours, stops)
    return skia.Paint(AntiAlias=True, Shader=shader, Dither=True)
