"""Things on tiles and the bins that they belong into: kinds, silhouettes, layout, painting.

Boxes are CSS px from the corner of the panel's content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.puzzle import Placement, State
from factory.core.rng import Stream
from factory.draw import grounds, icons, likeness
from factory.draw.colours import luminance
from factory.draw.icons import kinds
from factory.draw.panels.paint import bordered, ink, rounded
from factory.draw.text import Face, draw_line
from factory.draw.tokens import chinese_font, tokens_named
from factory.draw.tones import Tone

Mode = Literal["kinds", "shapes"]
MODES: tuple[Mode, ...] = ("kinds", "shapes")
"""Bins have names of kinds, or show the silhouettes of the things themselves."""

BIN_CSS, BOTH_CSS = 74.0, 58.0
"""Height of a bin's card, and where there are bins above and below the field."""

NAME_CSS, NAME_PX = 20.0, 13.0
"""Height of the line with a bin's name above it, and size of the name."""

GAP_CSS = 8.0
"""Between two bins, and between bins and field."""

TILE_CSS = (42.0, 40.0)
"""Side of a thing's tile on easy and hard boards."""

GHOST_CSS, GHOST_ROOM = 36.0, 10.0
"""Longest side of a silhouette: a tile covers it; what a narrow bin leaves free around it."""

LOOKED_AT = 6
"""Things of which the most similar one is taken on hard boards."""

FEWEST_THINGS = 3
"""Kinds with fewer things in a split name no bins there."""

TILES = ("disc", "badge")
PAPERS = ("#f8f9fc", "#1d222d")
"""Colours of tiles: the one that the ground is farther from is likelier seen."""

SHADOW_CSS = 2.0
ALIKE = 0.8
"""Overlap (intersection over union) from which two silhouettes are taken for each other."""

LEAST_DISC_CSS = 24.0
"""A disc of this diameter fits into every bin."""


class Bin(State):
    """A bin: the kind of things that belong into it, or the one thing whose silhouette it shows."""

    kind: str = ""
    asset: str = ""

    def takes(self, asset: str) -> bool:
        """Whether a thing belongs into it."""
        return asset == self.asset or icons.icon_info(asset).category == self.kind


class Layout(NamedTuple):
    """The field with the things, and the bins' cards in their order."""

    field: Box
    bins: tuple[Box, ...]


def layout_of(width: float, height: float, count: int, top: int, *, named: bool) -> Layout:
    """``count`` bins in rows of even width: ``top`` of them above the field, the others below."""
    head, both = NAME_CSS if named else 0.0, 0 < top < count
    tall = BOTH_CSS if both else BIN_CSS
    low = head + tall + GAP_CSS if top else 0.0
    high = height - (head + tall + GAP_CSS if top < count else 0.0)
    cards = [
        *_row(width, top, Box(0.0, head, width, head + tall)),
        *_row(width, count - top, Box(0.0, height - tall, width, height)),
    ]
    return Layout(Box(0.0, low, width, high), tuple(cards))


def _row(width: float, count: int, row: Box) -> list[Box]:
    wide = (width - (count - 1) * GAP_CSS) / max(1, count)
    return [Box.sized(k * (wide + GAP_CSS), row.y0, wide, row.height) for k in range(count)]


def bin_name(card: Box) -> Box:
    """Where a bin's name stands."""
    return Box(card.x0, card.y0 - NAME_CSS, card.x1, card.y0)


@cache
def sortable(split: str) -> tuple[str, ...]:
    """The kinds that may name a bin: enough things of it, called differently."""
    return tuple(kind for kind in kinds.QUERIES if most_things(split, (kind,)) >= FEWEST_THINGS)


@cache
def modes(split: str) -> tuple[Mode, ...]:
    """What bins can show with the things that a split has: names where two kinds go together."""
    named = sortable(split)
    paired = any(not near(a, b) for n, a in enumerate(named) for b in named[:n])
    return MODES if paired else ("shapes",)


def near(a: str, b: str) -> bool:
    """Whether a thing might be of two kinds."""
    return a == b or b in kinds.QUERIES[a].near or a in kinds.QUERIES[b].near


def choose_kinds(stream: Stream, split: str, count: int) -> list[str]:
    """Up to ``count`` kinds of which none is near another; two at least."""
    for _ in range(12):
        found: list[str] = []
        for kind in stream.shuffled(sortable(split)):
            if len(found) < count and not any(near(kind, other) for other in found):
                found.append(kind)
        if len(found) >= 2:
            return found
    raise Rejected("too few kinds", value=1, limit=count)


def most_things(split: str, chosen: Sequence[str]) -> int:
    """How many things there are of every kind at least, repeats left out."""
    return min(len({info.en for info in kinds.pool(split, "", kind)}) for kind in chosen)


def choose_things(stream: Stream, split: str, wanted: Sequence[str]) -> list[icons.IconInfo]:
    """A thing of each kind wanted, no two alike."""
    found: list[icons.IconInfo] = []
    for kind in wanted:
        pool = kinds.pool(split, "", kind)
        found += icons.choose_distinct(stream, pool, 1, besides=found)
    return found


def choose_shapes(stream: Stream, split: str, count: int, similar: float) -> list[icons.IconInfo]:
    """Things with silhouettes that are told apart, as far as there are so many.

    ``similar`` is how often the next one is the most like those before of a few.
    """
    left, found = stream.shuffled(icons.icons(split, "emoji3d")), list[icons.IconInfo]()
    while left and len(found) < count:
        few = left[: LOOKED_AT if found and stream.chance(similar) else 1]
        info = max(few, key=lambda one: _nearest(one, found))
        left.remove(info)
        known = any(icons.alike(info.asset, other.asset) for other in found)
        if not known and _nearest(info, found) < ALIKE:
            found.append(info)
    return stream.shuffled(found)


def _nearest(info: icons.IconInfo, others: Sequence[icons.IconInfo]) -> float:
    """The greatest overlap of a silhouette with any of the others."""
    return max((silhouettes_overlap(info.asset, other.asset) for other in others), default=0.0)


class Tile(NamedTuple):
    """What things lie on, all of a field alike: a form and a colour."""

    form: str
    paper: str

    def style(self, stream: Stream, info: icons.IconInfo) -> icons.IconStyle:
        """How a thing is drawn on it: line icons in an ink of their own."""
        level = luminance(self.paper)
        kind = ("line",) if info.source == "icon" else ("plain",)
        bare = icons.choose_icon_style(stream, Tone(level, level), info.source, kinds=kind)
        return replace(bare, kind=self.form, second=self.paper)


def choose_tile(stream: Stream, tone: Tone) -> Tile:
    """A form, and the colour that lies farther from the ground's middle."""
    middle = (tone.low + tone.high) / 2
    paper = max(PAPERS, key=lambda colour: contrast_of(luminance(colour), middle))
    return Tile(stream.choice(TILES), paper)


def contrast_of(a: float, b: float) -> float:
    """The contrast of two luminances after WCAG 2."""
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def paint_thing(canvas: Any, spec: icons.IconSpec) -> None:
    """A thing on its tile, which casts a soft shadow."""
    box = Box.sized(spec.x - spec.size / 2, spec.y - spec.size / 2, spec.size, spec.size)
    radius = spec.size / 2 if spec.style.kind == "disc" else 0.22 * spec.size
    shade = skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 120))
    shade.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, SHADOW_CSS))
    canvas.drawRRect(rounded(box.moved(0.0, 1.2), radius), shade)
    icons.draw_icon(canvas, spec)


@lru_cache(maxsize=2048)
def _mask(asset: str) -> Any:
    path = skia.Path()
    corners = icons.icon_shape(asset).silhouette.tolist()
    path.addPoly([skia.Point(*corner) for corner in corners], True)
    return likeness.normal_mask(path)


@lru_cache(maxsize=1 << 15)
def silhouettes_overlap(a: str, b: str) -> float:
    """Overlap of two silhouettes brought to one size, 0 to 1."""
    return likeness.overlap(_mask(a), _mask(b))


class Painter:
    """Paints bins in the colours of a panel."""

    def __init__(self, placement: Placement) -> None:
        self.look = tokens_named(placement.tokens)

    def card(self, canvas: Any, card: Box) -> None:
        """A bin: a card with a broken line inside its border."""
        radius = float(min(self.look.control_radius_px, 12))
        bordered(canvas, card, radius, self.look.rgb("border"), self.look.rgb("raised"))
        line = ink(self.look.rgb("muted"), 0.8)
        line.setStyle(skia.Paint.kStroke_Style)
        line.setStrokeWidth(1.2)
        line.setPathEffect(skia.DashPathEffect.Make([5.0, 4.0], 0.0))
        canvas.drawRRect(rounded(card.grown(-4.0), max(0.0, radius - 3)), line)

    def name(self, canvas: Any, card: Box, text: str) -> None:
        """A bin's name above it."""
        faces = Face(str(self.look.font.path()), 600), Face(str(chinese_font(500)), 400)
        draw_line(canvas, text, faces, NAME_PX, self.look.rgb("text"), bin_name(card))

    def ghost(self, canvas: Any, asset: str, card: Box) -> None:
        """The silhouette of a thing in one colour in the middle of a bin."""
        colour = skia.Color(*self.look.rgb("muted"))
        flat = skia.Paint(ColorFilter=skia.ColorFilters.Blend(colour, skia.BlendMode.kSrcIn))
        canvas.saveLayer(skia.Rect.MakeLTRB(*card.as_list()), flat)
        x, y = card.center
        size = min(GHOST_CSS, card.width - GHOST_ROOM)
        plain = icons.IconStyle("plain")
        icons.draw_icon(canvas, icons.IconSpec(asset, size, x, y, plain))
        canvas.restore()


def paint_field(canvas: Any, ground: grounds.Ground, field: Box, placement: Placement) -> None:
    """The ground that things lie on, with the panel's round corners."""
    radius = float(min(tokens_named(placement.tokens).control_radius_px, 12))
    canvas.save()
    canvas.clipRRect(rounded(field, radius), True)
    grounds.draw_ground(canvas, ground, field)
    canvas.restore()
