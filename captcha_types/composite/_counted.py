"""A picture of figures in named colours with a numbered tag, and what can be asked of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, Literal

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import figures, glyphs, layout
from factory.draw.colour_names import called, colour_name, named_palette
from factory.draw.figure_outlines import NAMES, REACH
from factory.draw.figures import Figure
from factory.draw.glyphs import GlyphSpec
from factory.draw.panels.paint import ink, rounded
from factory.draw.styles import Style

Kind = Literal["shape", "colour", "tag"]

KINDS = ("circle", "triangle", "square", "star", "heart", "cross", "drop")
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
SHOWN_COLOURS = 3
MOST = 5
"""Of what is counted there are 1 to so many."""

OTHERS = (2, 5)
"""Figures that no question about shapes is about."""

LEAST_FIGURES = MOST + 1
TAG_CSS = (62.0, 26.0)
TAG_FONT_CSS = 19.0
PAPER, PRINT, EDGE = "#fbfbf8", "#14171d", "#9aa1ad"
DIGITS = glyphs.safe_alphabet("digits").replace("0", "")
"""Digits of a tag's number: nought could be read as a letter."""

LEAST_SIZE_CSS, MOST_SIZE_CSS = 19.0, 34.0
RIM_CSS, GAP_CSS = 1.8, 5.0
RIMS = {"light": "#161a22", "dark": "#f4f6fa"}


@dataclass(frozen=True)
class Ask:
    """A field's question: how many of a shape or of a colour ``name``, or the tag's number."""

    kind: Kind
    name: str = ""

    def label(self, lang: str) -> str:
        """What stands above the field."""
        zh = lang == "zh"
        if self.kind == "tag":
            return "标签上的数字" if zh else "Number on the tag"
        if self.kind == "shape":
            name = NAMES[self.name][zh]
            return f"{name}的个数" if zh else f"{name.capitalize()}s"
        name = called(self.name, lang)
        return f"{name}图形的个数" if zh else f"{name.capitalize()} shapes"


@dataclass(frozen=True)
class Tag:
    """A paper tag about (x, y) with a number in a face."""

    number: str
    face: str
    x: float
    y: float

    @property
    def box(self) -> Box:
        """Its paper, CSS px from the picture's corner."""
        wide, high = TAG_CSS
        return Box.sized(self.x - wide / 2, self.y - high / 2, wide, high)


def choose_asks(stream: Stream, fields: int) -> list[Kind]:
    """Kinds of questions of so many fields, in the order of the fields."""
    pools: Mapping[int, tuple[tuple[Kind, ...], ...]] = {
        2: (("shape", "colour"), ("shape", "tag"), ("colour", "tag"), ("shape", "shape")),
        3: (("shape", "colour", "tag"), ("shape", "shape", "colour"), ("shape", "shape", "tag")),
        4: (("shape", "shape", "colour", "tag"),),
    }
    return stream.shuffled(stream.choice(pools[fields]))


def choose_figures(
    stream: Stream, shapes: Mapping[str, int], coloured: int
) -> tuple[list[str], list[str], str]:
    """Kinds and colours of figures, and the name of the colour that ``coloured`` of them have.

    ``shapes`` has so many of each kind; others are of kinds that it does not name.
    """
    kinds = [kind for kind, count in shapes.items() for _ in range(count)]
    more = max(stream.integer(*OTHERS), LEAST_FIGURES - len(kinds))
    rest = stream.shuffled([kind for kind in KINDS if kind not in shapes])[:3]
    kinds += [stream.choice(rest) for _ in range(more)]
    palette = named_palette(stream, SHOWN_COLOURS, names=COLOURS)
    name, *fillers = stream.shuffled(list(palette))
    fill = [palette[name]] * coloured
    fill += [palette[f] for f in islice(cycle(fillers), len(kinds) - coloured)]
    return kinds, stream.shuffled(fill), name


def place(
    stream: Stream, area: Box, kinds: Sequence[str], colours: Sequence[str]
) -> tuple[tuple[Figure, ...], Point]:
    """Figures and the middle of the tag in a picture, apart from each other."""
    wide, high = TAG_CSS
    inside = area.grown(-figures.EDGE_CSS - RIM_CSS)
    free = 0.9 * inside.width * inside.height - (wide + GAP_CSS) * (high + GAP_CSS)
    side = math.sqrt(0.62 * free / len(kinds)) - GAP_CSS
    size = round(min(MOST_SIZE_CSS, side / (2 * REACH)), 3)
    if size < LEAST_SIZE_CSS:
        raise Rejected("figure too small", value=size, limit=LEAST_SIZE_CSS)
    square = (2 * REACH * size, 2 * REACH * size)
    *spots, tag = layout.scatter_boxes(stream, inside, [square] * len(kinds) + [TAG_CSS], GAP_CSS)
    made = tuple(
        Figure(kind, at.x, at.y, size, figures.turned(stream, kind), colour)
        for kind, colour, at in zip(kinds, colours, spots, strict=True)
    )
    return made, tag


def answer(ask: Ask, things: Sequence[Figure], tag: Tag) -> str:
    """What is right for a field, counted off the picture's things."""
    if ask.kind == "tag":
        return tag.number
    if ask.kind == "shape":
        return str(sum(thing.kind == ask.name for thing in things))
    return str(sum(colour_name(thing.colour) == ask.name for thing in things))


def refuse_picture(things: Sequence[Figure], tag: Tag, area: Box) -> None:
    """``Rejected`` where figures crowd, leave the picture, lie under the tag or in no colour."""
    figures.refuse_figures(things, area, LEAST_SIZE_CSS, 2 * RIM_CSS)
    for thing in things:
        if colour_name(thing.colour) not in COLOURS:
            raise Rejected("a colour without a name")
        near = Box(thing.x, thing.y, thing.x, thing.y).grown(REACH * thing.size)
        if tag.box.overlaps(near):
            raise Rejected("the tag covers a figure")
    if not area.holds(tag.box):
        raise Rejected("the tag leaves the picture")


def tag_glyphs(tag: Tag) -> list[GlyphSpec]:
    """The digits, evenly spaced in the middle of the tag."""
    step = (TAG_CSS[0] - 12.0) / len(tag.number)
    start = tag.x - step * (len(tag.number) - 1) / 2
    style = Style(kind="fill", ink=PRINT)
    return [
        GlyphSpec(char, tag.face, TAG_FONT_CSS, start + k * step, tag.y, style)
        for k, char in enumerate(tag.number)
    ]


def paint_tag(canvas: Any, tag: Tag) -> None:
    """Paper, a thin edge, a soft shadow and the digits."""
    box = tag.box
    canvas.drawRRect(rounded(box.moved(0, 1.5), 5), ink((0, 0, 0), 0.3))
    canvas.drawRRect(rounded(box, 5), _paint(EDGE))
    canvas.drawRRect(rounded(box.grown(-0.8), 4.4), _paint(PAPER))
    glyphs.draw_glyphs(canvas, tag_glyphs(tag))


def _paint(colour: str) -> skia.Paint:
    return skia.Paint(Color=figures.rgb_colour(colour), AntiAlias=True)
