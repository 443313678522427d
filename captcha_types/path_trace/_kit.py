"""What puzzles with paths share: their ground, how strokes are dressed, and what marks an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import skia

from factory.core.geometry import Box, Point
from factory.core.puzzle import Content, Scene, Seen
from factory.core.rng import Stream
from factory.draw import grounds, icons
from factory.draw.colours import mix
from factory.draw.styles import rgb_colour
from factory.draw.tones import Tone

FLAT_MOODS = ("light", "dark")
"""Grounds on which flat inks read."""

BIN_CSS = 12.0
"""Things nearer to each other's places than this are the same arrangement."""

DRESSES = ("plain", "cased", "road", "rope")
PALE, DEEP = "#ffffff", "#14161c"

CASING = 1.7
"""How much wider the casing is than its stroke."""


@dataclass(frozen=True)
class Stroke:
    """How a line is drawn: ``ink``, and ``case`` around it; CSS px. JSON-able."""

    dress: str
    ink: str
    case: str
    width: float


def stepped(ends: tuple[int, int], difficulty: float) -> int:
    """A whole number from ``ends[0]`` to ``ends[1]``, each for an equal share of difficulties."""
    low, high = ends
    return low + min(high - low, int(difficulty * (high - low + 1)))


def contents() -> list[Content]:
    """Sources of what paths run over."""
    return grounds.contents()


def flat_ground(scene: Scene, stream: Stream) -> grounds.Ground:
    """The ground of the key's content, light or dark."""
    return grounds.compose(
        scene.content_kind, scene.content_number, stream, scene.split, moods=FLAT_MOODS
    )


def case_of(ink: str, ground: grounds.Ground) -> str:
    """What runs along an ink on a ground of the other sort: near the ground's own end."""
    return mix(PALE if ground.mood == "light" else DEEP, ink, 0.86)


def paint_of(colour: str, width: float) -> skia.Paint:
    """A stroke with round joins and flat ends."""
    return skia.Paint(
        Color=rgb_colour(colour),
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        StrokeJoin=skia.Paint.kRound_Join,
    )


def paint_stroke(canvas: Any, path: skia.Path, stroke: Stroke) -> None:
    """A piece of a line; nothing of it reaches beyond its ends, where the next one begins."""
    if stroke.dress != "plain":
        canvas.drawPath(path, paint_of(stroke.case, CASING * stroke.width))
    canvas.drawPath(path, paint_of(stroke.ink, stroke.width))
    if stroke.dress == "road":
        canvas.drawPath(path, paint_of(stroke.case, 0.22 * stroke.width))
    if stroke.dress == "rope":
        twist = paint_of(mix(stroke.case, stroke.ink, 0.5), 0.62 * stroke.width)
        twist.setPathEffect(skia.DashPathEffect.Make([1.6, 3.2], 0.0))
        canvas.drawPath(path, twist)


def dot(canvas: Any, at: Point, radius: float, ink: str, fill: str) -> None:
    """A filled disc with an edge."""
    canvas.drawCircle(*at, radius, skia.Paint(Color=rgb_colour(fill), AntiAlias=True))
    canvas.drawCircle(*at, radius, paint_of(ink, 2.0))


def actor(
    stream: Stream, split: str, tone: Tone, at: tuple[float, float], size: float
) -> icons.IconSpec:
    """An icon on a disc, which marks a start."""
    source = stream.choice(("icon", "emoji3d"))
    info = stream.choice(icons.icons(split, source))
    style = icons.choose_icon_style(stream, tone, source, kinds=("disc",))
    return icons.IconSpec(info.asset, size, at[0], at[1], style)


def binned(points: Sequence[tuple[float, float]]) -> list[list[int]]:
    """Coarse places, for ``identity``."""
    return [[int(x // BIN_CSS), int(y // BIN_CSS)] for x, y in points]


def canvas_point(area: Box, size: tuple[float, float], at: tuple[float, float]) -> list[float]:
    """A place of the picture in canvas px; ``area`` is the picture there."""
    scale = area.width / size[0]
    return [area.x0 + scale * at[0], area.y0 + scale * at[1]]


def line_step(seen: Seen, on: Sequence[Point], beside: Sequence[Point]) -> float:
    """Median levels between places on lines and places beside them, best channel, decoded."""
    s, x0, y0 = seen.px_per_css, seen.slot.x0, seen.slot.y0
    height, width = seen.decoded.shape[:2]

    def colours(points: Sequence[Point]) -> Any:
        places = np.array(points) * s + np.array([x0, y0])
        columns = np.clip(places[:, 0].astype(int), 0, width - 1)
        rows = np.clip(places[:, 1].astype(int), 0, height - 1)
        return seen.decoded[rows, columns].astype(int)

    return float(np.median(np.abs(colours(on) - colours(beside)).max(axis=1)))
