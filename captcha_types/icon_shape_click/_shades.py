"""Colours to be told apart: by name, by a sample, or by lightness; and the sample's card."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import skia

from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw.colour_names import called, named_palette
from factory.draw.colours import luminance, mix
from factory.draw.figure_outlines import NAMES
from factory.draw.styles import rgb_colour
from factory.draw.tones import shade

Mode = Literal["named", "sample", "lightest", "darkest"]
MODES: Mapping[Mode, float] = {"named": 0.28, "sample": 0.24, "lightest": 0.24, "darkest": 0.24}

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown")
SHOWN_COLOURS = 4

KINDS = tuple(kind for kind in NAMES if kind != "crescent")
"""Kinds that hold their own middle, where colours are measured."""

LIGHTNESS = (24.0, 86.0)
"""L* of the darkest and of the lightest figure at most; farther out no hue is left."""

LEAST_STEP = 11.0
CARD_CSS = 34.0
"""Height of the band above the figures that shows the sample."""

CHIP_CSS = (58.0, 18.0)
CARDS = {"light": ("#f7f8fa", "#c3c8d1"), "dark": ("#20242c", "#454c59")}
"""Papers and edges of the band, by the ground's mood."""

WORDS: Mapping[str, tuple[str, str]] = {
    "named": ("every {} shape", "所有{}图形"),
    "sample": ("every shape in the sample's colour", "与样本同色的所有图形"),
    "lightest": ("the lightest shape", "颜色最浅的图形"),
    "darkest": ("the darkest shape", "颜色最深的图形"),
}


def what(mode: Mode, asked: str, lang: str) -> str:
    """What is asked for, in words."""
    words = WORDS[mode][lang == "zh"]
    return words.format(called(asked, lang)) if mode == "named" else words


@lru_cache(maxsize=4096)
def lightness(colour: str) -> float:
    """L* of a colour, 0 to 100, by plain arithmetic."""
    level = luminance(colour)
    return round(116.0 * level ** (1 / 3) - 16.0 if level > 216 / 24389 else level * 24389 / 27, 6)


def _level(light: float) -> float:
    """The luminance of an L* above 8."""
    return ((light + 16.0) / 116.0) ** 3


def choose_kinds(stream: Stream, shown: int) -> list[str]:
    """Kinds of figures: one for all, or any, so that they say nothing."""
    if stream.chance(0.5):
        return [stream.choice(KINDS)] * shown
    return [stream.choice(KINDS) for _ in range(shown)]


def choose_colours(
    stream: Stream, mode: Mode, shown: int, count: int, step: float
) -> tuple[str, list[str]]:
    """What is asked for, and colours of which the first ``count`` are that."""
    if mode in ("lightest", "darkest"):
        return "", _graded(stream, shown, step, darkest=mode == "darkest")
    palette = named_palette(stream, SHOWN_COLOURS, names=COLOURS)
    asked, *rest = palette
    found = [asked if k < count else stream.choice(rest) for k in range(shown)]
    return (asked if mode == "named" else palette[asked]), [palette[name] for name in found]


def _graded(stream: Stream, shown: int, step: float, *, darkest: bool) -> list[str]:
    """Shades of one hue: first the one asked for, then one nearest to it, then any others."""
    low, high = LIGHTNESS
    hue, saturation = stream.uniform(0.0, 360.0), stream.uniform(0.4, 0.75)
    first = stream.uniform(low, low + 12.0) if darkest else stream.uniform(high - 12.0, high)
    away, end = (1.0, high) if darkest else (-1.0, low)
    near = first + away * (step + 1.0)
    rest = [near] + [near + stream.random() * (end - near) for _ in range(shown - 2)]
    return [shade(hue, saturation, _level(light)) for light in (first, *stream.shuffled(rest))]


def nudged(colour: str, mode: Mode) -> str:
    """A colour a little less light (or dark) than another."""
    return mix("#ffffff" if mode == "darkest" else "#000000", colour, 0.06)


def chip(width: float) -> Box:
    """The sample on its band, CSS px from the picture's corner."""
    wide, high = CHIP_CSS
    return Box.sized((width - wide) / 2, (CARD_CSS - high) / 2, wide, high)


def paint_card(canvas: Any, width: float, colour: str, mood: str) -> None:
    """The band at the top of the picture with the sample on it."""
    paper, edge = CARDS[mood]
    canvas.drawRect(skia.Rect.MakeWH(width, CARD_CSS), skia.Paint(Color=rgb_colour(paper)))
    line = skia.Rect.MakeXYWH(0, CARD_CSS - 1.5, width, 1.5)
    canvas.drawRect(line, skia.Paint(Color=rgb_colour(edge)))
    box = chip(width)
    for grow, ink in ((1.5, edge), (0.0, colour)):
        area = box.grown(grow)
        rect = skia.Rect.MakeLTRB(area.x0, area.y0, area.x1, area.y1)
        canvas.drawRoundRect(rect, 5, 5, skia.Paint(Color=rgb_colour(ink), AntiAlias=True))
