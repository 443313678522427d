"""How light a ground is, and which inks read on it.

A ground declares bounds of its luminance; an ink that keeps a contrast to both
bounds keeps it to every pixel in between. Colours are found by plain
arithmetic, so they may be part of a state.
"""

from __future__ import annotations

from dataclasses import dataclass

from factory.core.errors import Rejected
from factory.core.rng import Stream
from factory.draw.colours import contrast, luminance, to_hex

LARGE_GLYPHS = 3.0
"""The contrast that WCAG 2.2 asks of large text and of graphical objects (level AA)."""

OFFSET = 0.05
"""The constant of WCAG's contrast ratio."""

SPARE = 1.03
"""Inks are aimed past the floor by this factor, for colours come in whole levels."""

CHANNELS = (0.2126, 0.7152, 0.0722)
"""Shares of red, green and blue in WCAG's luminance."""

DEPTHS = 9
"""Halvings of the lightness: to half a grey level."""


@dataclass(frozen=True)
class Tone:
    """Bounds of a ground's WCAG luminance, 0 to 1."""

    low: float
    high: float

    def ink_ranges(self, floor: float) -> list[tuple[float, float]]:
        """Luminances of inks that keep the contrast ``floor`` to all of the ground."""
        dark = (self.low + OFFSET) / (floor * SPARE) - OFFSET
        light = (self.high + OFFSET) * (floor * SPARE) - OFFSET
        ranges = [(0.0, dark)] if dark > 0 else []
        return [*ranges, (light, 1.0)] if light < 1 else ranges

    def reads(self, colour: str, floor: float = LARGE_GLYPHS) -> bool:
        """Whether an ink keeps the contrast to all of the ground."""
        level = luminance(colour) + OFFSET
        return level * floor <= self.low + OFFSET or level >= floor * (self.high + OFFSET)


def shade(hue_deg: float, saturation: float, target: float) -> str:
    """The colour of a hue and HLS saturation whose WCAG luminance comes next to ``target``."""
    hue = hue_deg % 360.0 / 360.0
    r_way, g_way, b_way = _way(hue + 1 / 3), _way(hue), _way(hue - 1 / 3)
    r_share, g_share, b_share = CHANNELS
    low, high, middle, reach = 0.0, 1.0, 0.0, 0.0
    for _ in range(DEPTHS):
        middle = (low + high) / 2
        reach = saturation * (middle if middle <= 0.5 else 1.0 - middle)
        light = r_share * _linear(middle + r_way * reach)
        light += g_share * _linear(middle + g_way * reach)
        light += b_share * _linear(middle + b_way * reach)
        if light < target:
            low = middle
        else:
            high = middle
    red, green, blue = middle + r_way * reach, middle + g_way * reach, middle + b_way * reach
    return to_hex((255 * red, 255 * green, 255 * blue))


def _way(hue: float) -> float:
    """How far a channel of HLS lies from the lightness, -1 to 1 of its reach; hue in turns."""
    sector = 6.0 * (hue % 1.0)
    rise = sector if sector < 1.0 else 1.0 if sector < 3.0 else max(0.0, 4.0 - sector)
    return 2.0 * rise - 1.0


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def choose_ink(
    stream: Stream, tone: Tone, *, floor: float = LARGE_GLYPHS, hue_deg: float | None = None
) -> str:
    """An ink of a random hue (or the given one) that reads on the ground.

    ``Rejected`` when the ground is both too light and too dark for any flat
    ink; such a ground needs a rimmed style.
    """
    ranges = tone.ink_ranges(floor)
    if not ranges:
        raise Rejected("no flat ink reads on this ground", value=tone.high, limit=tone.low)
    low, high = stream.weighted(ranges, [0.02 + high - low for low, high in ranges])
    hue = stream.uniform(0.0, 360.0) if hue_deg is None else hue_deg
    near = stream.random() ** 1.6
    # Luminance is dense near black: the square root spreads shades as the eye does. Light inks
    # stay near their ground's bound, for far from it they are all white.
    bottom, top = low**0.5, high**0.5
    target = (top - 0.55 * near * (top - bottom)) ** 2 if low == 0.0 else (
        bottom + 0.7 * near * (top - bottom)
    ) ** 2  # fmt: skip
    return shade(hue, stream.uniform(0.45, 0.95), target)


def rim_for(ink: str, floor: float = LARGE_GLYPHS) -> str:
    """White or near-black, whichever stands out more from an ink."""
    pale, deep = "#ffffff", "#14161c"
    chosen = pale if contrast(ink, pale) >= contrast(ink, deep) else deep
    if contrast(ink, chosen) < floor:
        raise Rejected("no rim stands out", value=contrast(ink, chosen), limit=floor)
    return chosen
