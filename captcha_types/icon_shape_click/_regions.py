"""Areas with outlines and tints: what is asked about them, whether they are seen, paint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import skia

from captcha_types.icon_shape_click._cuts import cut_up
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Seen
from factory.core.rng import Stream
from factory.draw import grounds
from factory.draw.colours import luminance, mix
from factory.draw.figure_outlines import Corner, Polygon, area_of
from factory.draw.figures import colours_at
from factory.draw.styles import rgb_colour
from factory.draw.tones import Tone, shade

TINT_DRAWS = 40
CUT_TRIES = 6


@dataclass(frozen=True)
class Region:
    """An area with its colour. JSON-able."""

    corners: Polygon
    colour: str

    @property
    def x(self) -> float:
        """Of a point well inside, CSS px."""
        return self.middle.x

    @property
    def y(self) -> float:
        return self.middle.y

    @property
    def middle(self) -> Point:
        """The point of the area that a tap is aimed at."""
        return _zone(self.corners).center

    @property
    def area(self) -> float:
        """Square CSS px."""
        return area_of(self.corners)

    @property
    def depth(self) -> float:
        """Radius of the disc about ``middle`` that it holds, CSS px."""
        return _zone(self.corners).core_px


@lru_cache(maxsize=2048)
def _zone(corners: Polygon) -> Zone:
    return Zone(tuple(Point(x, y) for x, y in corners))


def hull(region: Region) -> Polygon:
    """The outline of a region."""
    return region.corners


def cut_roomy(
    stream: Stream, area: Box, weights: Sequence[float], least_disc: float, *, upright: bool
) -> list[Polygon]:
    """A picture cut up so that every piece holds a disc; the last try where none does."""
    found: list[Polygon] = []
    for _ in range(CUT_TRIES):
        found = cut_up(stream, area, weights, upright=upright)
        if all(_zone(piece).core_px >= least_disc for piece in found):
            break
    return found


def under(tint: str, ground: grounds.Ground, opacity: float) -> Tone:
    """Bounds of the luminance of a tint over a ground."""
    veil, share = grounds.MOODS[ground.mood]
    ends = [mix(veil, end, share) for end in ("#000000", "#ffffff")]
    low, high = (luminance(mix(tint, end, opacity)) for end in ends)
    return Tone(low, high)


def choose_tints(
    stream: Stream, count: int, levels: tuple[float, float], fits: Callable[[str], bool]
) -> list[str]:
    """``count`` tints of a few hues, of a range of luminances, of those that ``fits`` allows."""
    first = stream.uniform(0.0, 360.0)
    hues = [first, first + stream.uniform(25, 60), first + stream.choice((120, 160, 200))]
    found: list[str] = []
    for _ in range(TINT_DRAWS * count):
        tint = shade(stream.choice(hues), stream.uniform(0.3, 0.7), stream.uniform(*levels))
        if fits(tint):
            found.append(tint)
        if len(found) == count:
            return found
    raise Rejected("too few tints", value=len(found), limit=count)


def refuse_region(region: Region, area: Box, least_disc: float) -> None:
    """``Rejected`` for a sliver, and for one that leaves the picture."""
    if region.depth < least_disc:
        raise Rejected("no room to tap", value=region.depth, limit=least_disc)
    if not area.grown(1e-3).holds(_zone(region.corners).box):
        raise Rejected("an area leaves the picture")


def paint_regions(
    canvas: Any, regions: Sequence[Region], opacity: float, line: str, width: float
) -> None:
    """Tints over what is there, then outlines."""
    paths = [_path(region.corners) for region in regions]
    for region, path in zip(regions, paths, strict=True):
        tint = rgb_colour(region.colour, round(255 * opacity))
        canvas.drawPath(path, skia.Paint(Color=tint, AntiAlias=True))
    stroke = skia.Paint(
        Color=rgb_colour(line),
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        StrokeJoin=skia.Paint.kRound_Join,
    )
    for path in paths:
        canvas.drawPath(path, stroke)


def _path(corners: Polygon) -> skia.Path:
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y in corners], True)
    return path


def outline_step(seen: Seen, region: Region, inset: float) -> float:
    """Median levels between an outline and the area ``inset`` CSS px inside, decoded.

    Sides at the picture's edge, where no outline is seen whole, are a minority.
    """
    middle = region.middle
    on: list[Corner] = []
    for a, b in zip(region.corners, (*region.corners[1:], region.corners[0]), strict=True):
        on += [(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in (0.3, 0.5, 0.7)]
    lines = np.array(on)
    away = lines - np.array(middle)
    inner = lines - away * (inset / np.hypot(away[:, 0], away[:, 1]))[:, None]
    return float(np.median(np.abs(colours_at(seen, lines) - colours_at(seen, inner)).max(axis=1)))
