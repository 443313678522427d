"""What puzzles with icons to tap share: which stand together, where, on what, how well seen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.puzzle import Content, Seen
from factory.core.rng import Stream
from factory.draw import grounds, icons, layout, pictures
from factory.draw.colours import contrast
from factory.draw.icons import IconInfo, IconSpec, IconStyle
from factory.draw.tones import LARGE_GLYPHS, Tone

SCENES = ("landscape", "street", "room", "sea", "garden")
"""Pictures that icons may stand on: those that show no icons themselves."""

SCENE_SHARE = 0.36
"""Of pictures among what icons stand on; the rest are grounds without things on them."""

DETAIL = 0.35
"""How busy pictures are: icons have to stand out."""

RICH = Tone(0.0, 1.0)
"""A picture promises nothing: icons on it are rimmed, or stand on tiles."""

FEW = 60
"""Icons of one source from which a scene is chosen at least: of fewer, both sources are mixed."""

DRAWS = 12
"""Icons drawn for each one wanted, before fewer have to do."""

REACH, MOST_GROWN = 0.62, 1.2
"""Radius of an icon by its size: icons are drawn smaller, or up to this much larger, to have it."""

PAINTED = 0.05
"""How far rims and shadows reach beyond the ink, by the size."""

LEAST_GAP = 0.2
"""Icons stand this share of their size apart at least."""

LEAST_SIZE = 22.0
"""CSS px of the longest side; in the wild icons are 31 px and larger, on wider pictures."""

FILLING = 0.42
"""Share of the picture that icons with their gaps take at most: more is hard to scatter."""

EDGE_CSS = 3.0
"""Between what is painted and the picture's edge."""


@dataclass(frozen=True)
class Backing:
    """What icons stand on: a ground, or the middle of a picture. JSON-able."""

    ground: grounds.Ground | None
    picture: dict[str, Any] | None

    @property
    def tone(self) -> Tone:
        """Bounds of its luminance."""
        return RICH if self.ground is None else self.ground.tone

    @property
    def name(self) -> list[Any]:
        """What of it makes a puzzle this puzzle."""
        if self.ground is not None:
            return [self.ground.kind, self.ground.seed]
        assert self.picture is not None
        return pictures.PictureSpec.from_dict(self.picture).identity()


def backings(split: str) -> list[Content]:
    """Sources of what icons stand on."""
    scenes = [content for content in pictures.contents(split) if content.kind in SCENES]
    return [
        *grounds.contents(1.0 - SCENE_SHARE),
        *(Content(c.kind, SCENE_SHARE / len(scenes), c.capacity) for c in scenes),
    ]


def choose_backing(kind: str, number: int, stream: Stream, split: str) -> Backing:
    """Backing ``number`` of a kind of ``backings``."""
    if kind in SCENES:
        spec = pictures.compose(kind, number, stream, split, DETAIL)
        return Backing(None, spec.as_dict())
    return Backing(grounds.compose(kind, number, stream, split), None)


def draw_backing(canvas: skia.Canvas, backing: Backing, box: Box) -> None:
    """Fill a box of a canvas in CSS px, which is clipped to it already."""
    if backing.ground is not None:
        grounds.draw_ground(canvas, backing.ground, box)
        return
    assert backing.picture is not None
    side = max(box.width, box.height)
    canvas.save()
    canvas.translate(box.center.x - side / 2, box.center.y - side / 2)
    pictures.draw(canvas, pictures.PictureSpec.from_dict(backing.picture), side)
    canvas.restore()


def stepped(ends: tuple[int, int], difficulty: float) -> int:
    """A whole number from ``ends[0]`` to ``ends[1]``, each for an equal share of difficulties."""
    low, high = ends
    return low + min(high - low, int(difficulty * (high - low + 1)))


def between(ends: tuple[float, float], difficulty: float) -> float:
    """A length from ``ends[0]``, the easy one, to ``ends[1]``."""
    return round(ends[0] + (ends[1] - ends[0]) * difficulty, 6)


def taken_for(a: str, b: str) -> bool:
    """Whether one icon may be taken for the other however both are turned.

    Line icons are measured as well; emoji differ in their colours, which turns leave alone.
    """
    if icons.alike(a, b):
        return True
    first, second = sorted((a, b))  # the measure turns one of the two, so which is not all the same
    both = first.startswith("icon/") and second.startswith("icon/")
    return both and not icons.tell_apart(first, second, turned=True)


def choose_icons(stream: Stream, split: str, count: int) -> list[IconInfo]:
    """``count`` icons of one source, fewer where there is no more, none taken for another.

    In random order, so that no place in the list says anything.
    """
    pool = icons.icons(split, stream.choice(("icon", "emoji3d")))
    pool = pool if len(pool) >= FEW else icons.icons(split)
    chosen: list[IconInfo] = []
    for _ in range(DRAWS * count):
        info = stream.choice(pool)
        if len(chosen) < count and not any(taken_for(info.asset, o.asset) for o in chosen):
            chosen.append(info)
    return stream.shuffled(chosen)


def scatter_icons(
    stream: Stream,
    chosen: Sequence[IconInfo],
    order: Sequence[int],
    area: Box,
    *,
    tone: Tone,
    size: float,
    gap: float,
    turn_deg: float,
) -> list[IconSpec]:
    """Icons over an area in CSS px, as large as ``size`` where they have room.

    ``order`` gives the place of each from the left. All take the same room, so that no
    place suits one better than another. ``gap`` by the size.
    """
    room = len(chosen) * math.pi * (REACH + PAINTED + gap / 2) ** 2
    size = round(min(size, math.sqrt(FILLING * area.width * area.height / room)), 3)
    radii = [(REACH + PAINTED) * size] * len(chosen)
    inside = area.grown(-EDGE_CSS)
    places = sorted(layout.scatter(stream.child("places"), inside, radii, gap * size))
    dressed = Dresser(stream, tone)
    return [
        _icon(stream, info, places[rank], size, dressed.style(info.source), turn_deg)
        for info, rank in zip(chosen, order, strict=True)
    ]


class Dresser:
    """Styles of a scene's icons: all of one kind, or each of its own; colours are free."""

    def __init__(self, stream: Stream, tone: Tone) -> None:
        self.stream, self.tone = stream, tone
        self.one = stream.chance(0.6)
        self.kinds: dict[str, tuple[str, ...]] = {}

    def style(self, source: str) -> IconStyle:
        """A style for the next icon of a source."""
        kinds = self.kinds.get(source, ())
        style = icons.choose_icon_style(self.stream, self.tone, source, kinds=kinds)
        if self.one:
            self.kinds[source] = (style.kind,)
        return style


def _icon(
    stream: Stream, info: IconInfo, at: Point, size: float, style: IconStyle, turn_deg: float
) -> IconSpec:
    reach = icons.icon_reach(info.asset, 1.0, style.kind)
    own = round(size * min(MOST_GROWN, REACH / reach), 3)
    turn = stream.uniform(0.1, 1.0) * turn_deg * stream.choice((-1, 1))
    return IconSpec(info.asset, own, at.x, at.y, style, turn_deg=round(turn, 3))


def hull(spec: IconSpec) -> Sequence[tuple[float, float]]:
    """The convex hull of an icon, CSS px of the picture: its middle counts, be it ink or not."""
    corners = np.array(icons.icon_ink(spec).hull, np.float32)
    return [(float(x), float(y)) for x, y in cv2.convexHull(corners)[:, 0]]


def radius(spec: IconSpec) -> float:
    """The circle about an icon's middle that holds it, CSS px."""
    return icons.icon_reach(spec.asset, spec.size, spec.style.kind)


def refuse_scene(specs: Sequence[IconSpec], area: Box, tone: Tone) -> None:
    """``Rejected`` where icons crowd, leave the area, are small, alike or do not stand out."""
    for a, b in combinations(specs, 2):
        if taken_for(a.asset, b.asset):
            raise Rejected("one icon is taken for another")
    refuse_crowd(specs, area, tone)


def refuse_crowd(specs: Sequence[IconSpec], area: Box, tone: Tone) -> None:
    """``Rejected`` where icons crowd, leave the area, are small or do not stand out."""
    for spec in specs:
        if not area.grown(-1).holds(icons.icon_ink(spec).painted):
            raise Rejected("an icon leaves the picture")
        if spec.size < LEAST_SIZE:
            raise Rejected("icon too small", value=spec.size, limit=LEAST_SIZE)
        if not reads(spec, tone):
            raise Rejected("an icon does not stand out")
    radii = [radius(spec) for spec in specs]
    for (a, b), (ra, rb) in zip(combinations(specs, 2), combinations(radii, 2), strict=True):
        gap = math.dist((a.x, a.y), (b.x, b.y)) - ra - rb
        if gap < LEAST_GAP * min(a.size, b.size) - 1e-6:
            raise Rejected("icons too close", value=gap, limit=LEAST_GAP * min(a.size, b.size))


def reads(spec: IconSpec, tone: Tone, floor: float = LARGE_GLYPHS) -> bool:
    """Whether lines keep the contrast to the ground, to their rim or to their tile.

    Emoji have colours of their own, which are measured.
    """
    if not spec.asset.startswith("icon/"):
        return True
    if spec.style.kind in ("rim", "disc", "badge"):
        return contrast(spec.style.ink, spec.style.second) >= floor
    return tone.reads(spec.style.ink, floor)


def bad_icons(first: IconSpec, second: IconSpec) -> Iterator[tuple[str, IconSpec]]:
    """The first of two icons, changed so that ``refuse_scene`` refuses it for the reason."""
    yield "icons too close", replace(first, x=second.x, y=second.y)
    yield "an icon leaves the picture", replace(first, x=0.0)
    yield "icon too small", replace(first, size=LEAST_SIZE - 2.0)
    if first.asset.startswith("icon/"):
        same = replace(first.style, kind="rim", second=first.style.ink)
        yield "an icon does not stand out", replace(first, style=same)


def colour_step(seen: Seen, box: Box) -> float:
    """Levels between the ends of what is seen in a box of the slot, tenths cut, best channel."""
    x0, y0, x1, y1 = seen.box(box).outer_pixels()
    window = seen.decoded[max(0, y0) : y1, max(0, x0) : x1].reshape(-1, 3)
    tenth = window.shape[0] // 10
    ends = np.partition(window, (tenth, window.shape[0] - 1 - tenth), axis=0)
    return float((ends[-1 - tenth].astype(int) - ends[tenth]).max())
