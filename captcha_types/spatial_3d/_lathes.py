"""Profiles and the solids that they sweep: drawing them up, telling them apart, painting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import solid
from factory.draw.solid.outlines import add_hull, shadows_seen
from factory.draw.solid.turned import paint_turned

HEIGHT = 2.0
"""Of every solid; its greatest radius is 1."""

TILT_DEG = 20.0
"""How far cameras look down at most: what wide parts hide is then little."""

RADII = (0.18, 0.45, 0.72, 1.0)
LEVELS = 40
"""Heights at which two profiles are compared."""

TRIES = 80
KINDS = ("flipped", "inside out", "one part", "two parts")
"""What is wrong with a solid: upside down, thick where it is thin, or parts of another width."""


@dataclass(frozen=True)
class Profile:
    """(radius, height) from the foot up; two points of one height make a ledge. JSON-able."""

    points: tuple[tuple[float, float], ...]

    @cached_property
    def radii(self) -> list[float]:
        """The radius at the middle of each of ``LEVELS`` slices."""
        found: list[float] = []
        for level in range(LEVELS):
            at = HEIGHT * (level + 0.5) / LEVELS
            for (r0, h0), (r1, h1) in pairwise(self.points):
                if h0 <= at < h1:
                    found.append(r0 + (r1 - r0) * (at - h0) / (h1 - h0))
                    break
        return found

    @cached_property
    def seen(self) -> list[float]:
        """Half the width of the solid's outline at ``LEVELS`` heights of the picture, from a
        camera that looks ``TILT_DEG`` down: what a wide part hides below it is not in it."""
        sin, cos = math.sin(math.radians(TILT_DEG)), math.cos(math.radians(TILT_DEG))
        radii = np.array(self.radii)[:, None]
        heights = (np.arange(LEVELS)[:, None] + 0.5) * (HEIGHT * cos / LEVELS)
        low, high = -sin, HEIGHT * cos + sin
        looked = low + (high - low) * (np.arange(LEVELS) + 0.5) / LEVELS
        inside = radii * radii - ((heights - looked) / sin) ** 2
        return np.sqrt(np.maximum(inside, 0.0).max(axis=0)).tolist()


def apart(one: Profile, other: Profile) -> float:
    """Root mean square of the difference of what is seen of two solids, by the greatest radius."""
    squares = [(a - b) ** 2 for a, b in zip(one.seen, other.seen, strict=True)]
    return round(math.sqrt(math.fsum(squares) / LEVELS), 6)


def flipped(profile: Profile) -> Profile:
    """The profile upside down."""
    return Profile(tuple((r, round(HEIGHT - h, 6)) for r, h in profile.points[::-1]))


def choose_profile(stream: Stream, parts: int) -> Profile:
    """A profile of so many parts of equal height, each a cylinder or a cone, of full width once."""
    steps = [round(HEIGHT * k / parts, 6) for k in range(parts + 1)]
    points: list[tuple[float, float]] = []
    for low, high in pairwise(steps):
        first = stream.choice(RADII)
        if points and stream.chance(0.45):
            first = points[-1][0]  # the outline runs on without a ledge
        last = first if stream.chance(0.4) else stream.choice(RADII)
        points += [(first, low), (last, high)]
    return _full(points)


def _full(points: Sequence[tuple[float, float]]) -> Profile:
    """Points with the greatest radius brought to 1, without doubles."""
    most = max(r for r, _ in points)
    grown = [(round(r / most, 6), h) for r, h in points]
    return Profile(tuple(p for k, p in enumerate(grown) if k == 0 or p != grown[k - 1]))


def changed(stream: Stream, profile: Profile, parts: int, kind: str) -> Profile:
    """Another profile of the same parts."""
    if kind == "flipped":
        return flipped(profile)
    if kind == "inside out":
        return _full([(1.18 - r, h) for r, h in profile.points])
    edges = [round(HEIGHT * k / parts, 6) for k in range(parts + 1)]
    picked = stream.sample(range(parts), 1 if kind == "one part" else 2)
    points: list[tuple[float, float]] = []
    for part, (low, high) in enumerate(pairwise(edges)):
        ends = _ends(profile, low, high)
        if part in picked:
            ends = (stream.choice(RADII), stream.choice(RADII))
        points += [(ends[0], low), (ends[1], high)]
    return _full(points)


def _ends(profile: Profile, low: float, high: float) -> tuple[float, float]:
    """Radii at the foot and the head of a part."""
    for (r0, h0), (r1, h1) in pairwise(profile.points):
        if h0 <= low and high <= h1:
            span = h1 - h0
            return (r0 + (r1 - r0) * (low - h0) / span, r0 + (r1 - r0) * (high - h0) / span)
    raise Rejected("a part without an outline", value=low, limit=high)


def choose_others(
    stream: Stream, profile: Profile, parts: int, count: int, least: float, most: float
) -> list[Profile]:
    """``count`` profiles that differ from the first and from each other by ``least``, ``most`` at
    most from the first where that is possible."""
    found: list[Profile] = []
    for turn in range(TRIES):
        if len(found) == count:
            return found
        other = changed(stream, profile, parts, stream.choice(KINDS))
        far = min(apart(other, one) for one in (profile, *found))
        near = apart(other, profile) <= most or turn > TRIES // 2
        if far >= least and near:
            found.append(other)
    raise Rejected("too few different solids", value=len(found), limit=count)


def camera_of(stream: Stream, box: Box) -> solid.Camera:
    """A camera that looks a little down on a solid; one size for all of a board."""
    camera = solid.Camera.around(
        (0.0, 0.0, HEIGHT / 2), -90.0, stream.uniform(14.0, TILT_DEG), 12.0
    )
    ends = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (0.0, HEIGHT)]
    return camera.fitted(ends, box)


def paint_lathe(
    canvas: Any, camera: solid.Camera, light: solid.Light, profile: Profile, colour: str
) -> None:
    """A solid with its shadow."""
    ends = [(r * x, r * y, h) for r, h in profile.points for x, y in _CORNERS]
    paths: list[skia.Path] = []
    for seen in shadows_seen(camera, light, np.array(ends))[::2]:
        path = skia.Path()
        add_hull(path, np.ascontiguousarray(seen))
        paths.append(path)
    solid.paint_shadows(canvas, paths, strength=0.42)
    paint_turned(canvas, camera, light, profile.points, colour)


_CORNERS = [(math.cos(math.pi * k / 6), math.sin(math.pi * k / 6)) for k in range(12)]


@dataclass(frozen=True)
class Sheet:
    """Where a profile is drawn: its foot on the axis, px a unit, the axis' lean to the right, and
    the side of the axis that it lies on (1 right, -1 left). JSON-able."""

    foot: tuple[float, float]
    scale: float
    lean_deg: float
    side: int

    def spot(self, radius: float, height: float) -> tuple[float, float]:
        """Where a point of the profile is drawn, px."""
        sin, cos = math.sin(math.radians(self.lean_deg)), math.cos(math.radians(self.lean_deg))
        across, up = self.side * radius * self.scale, height * self.scale
        return self.foot[0] + across * cos + up * sin, self.foot[1] + across * sin - up * cos


def sheet_in(stream: Stream, box: Box, lean_deg: float) -> Sheet:
    """A profile with its axis in the middle of a box, as large as fits."""
    side = stream.choice((-1, 1))
    plain = Sheet((0.0, 0.0), 1.0, round(lean_deg, 6), side)
    spots = [plain.spot(r, h) for r in (0.0, 1.0) for h in (-0.16, HEIGHT + 0.16)]
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    scale = min(box.width / (max(xs) - min(xs)), box.height / (max(ys) - min(ys)))
    foot = (
        round(box.center.x - scale * (min(xs) + max(xs)) / 2, 6),
        round(box.center.y - scale * (min(ys) + max(ys)) / 2, 6),
    )
    return replace(plain, foot=foot, scale=round(scale, 6))


def paint_profile(
    canvas: Any, sheet: Sheet, profile: Profile, card: Box, paper: str, ink: str
) -> None:
    """The profile on a card, with the axis as a dashed line."""
    rect = skia.Rect(card.x0, card.y0, card.x1, card.y1)
    canvas.drawRoundRect(rect, 7, 7, skia.Paint(Color=_colour(paper), AntiAlias=True))
    points = [(0.0, 0.0), *profile.points, (0.0, HEIGHT)]
    path = solid.polygon([sheet.spot(r, h) for r, h in points])
    canvas.drawPath(path, skia.Paint(Color=_colour(ink), AntiAlias=True))
    line = skia.Paint(Color=_colour("#1b1d22"), AntiAlias=True)
    line.setStyle(skia.Paint.kStroke_Style)
    line.setStrokeWidth(1.6)
    line.setPathEffect(skia.DashPathEffect.Make([5.0, 3.5], 0.0))
    canvas.drawLine(*sheet.spot(0.0, -0.15), *sheet.spot(0.0, HEIGHT + 0.15), line)


def _colour(colour: str) -> int:
    return skia.Color(*solid.lit(colour, 1.0))
