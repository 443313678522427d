"""Styles of icons whose lines read on their ground, or on the tile that lies between."""

from __future__ import annotations

from collections.abc import Sequence

from factory.core.rng import Stream
from factory.draw.colours import luminance, mix
from factory.draw.icons.icon import EMOJI_KINDS, LINE_KINDS, IconStyle
from factory.draw.tones import LARGE_GLYPHS, Tone, choose_ink, rim_for, shade

STROKES = (1.7, 2.5)
"""Line widths on the grid of 24."""

TILE_EDGE = 1.6
"""Least contrast of a tile to its ground, where the ground allows any: its icon reads anyway."""

STICKER_EDGES = ("#ffffff", "#ffffff", "#fff4d6", "#1b1e27")


def choose_icon_style(
    stream: Stream,
    tone: Tone,
    source: str = "icon",
    *,
    kinds: Sequence[str] = (),
    floor: float = LARGE_GLYPHS,
    hue_deg: float | None = None,
) -> IconStyle:
    """A style for ``icon`` or ``emoji3d``, of ``kinds`` or of all that its source has.

    On grounds where no flat ink reads, lines are rimmed or stand on tiles and
    emoji are stickers or stand on tiles, whatever ``kinds`` allows besides.
    """
    flat = bool(tone.ink_ranges(floor))
    allowed = kinds or (LINE_KINDS if source == "icon" else EMOJI_KINDS)
    if not flat:
        safe = ("rim", "disc", "badge") if source == "icon" else ("sticker", "disc", "badge")
        allowed = [kind for kind in allowed if kind in safe] or safe[:1]
    kind = stream.choice(allowed)
    stroke = stream.uniform(*STROKES)
    if kind in ("disc", "badge"):
        return _on_tile(stream, tone, kind, stroke, floor, hue_deg)
    if source != "icon":
        return IconStyle(kind, second=stream.choice(STICKER_EDGES) if kind == "sticker" else "")
    ink = choose_ink(stream, tone if flat else _either(stream), floor=floor, hue_deg=hue_deg)
    return IconStyle(kind, ink, _second(stream, kind, ink, tone, floor), stroke)


def _either(stream: Stream) -> Tone:
    """White or near-black, to choose a deep or a pale ink against."""
    return stream.choice((Tone(1.0, 1.0), Tone(0.008, 0.008)))


def _second(stream: Stream, kind: str, ink: str, tone: Tone, floor: float) -> str:
    if kind == "rim":
        return rim_for(ink, floor)
    if kind == "duotone":
        # Half-way to the ground, so that lines stand out from what they enclose.
        ground = mix("#ffffff", "#000000", 1.0 if luminance(ink) < tone.low else 0.0)
        return mix(shade(stream.uniform(0, 360), 0.8, 0.5), ground, stream.uniform(0.35, 0.6))
    if kind == "emboss":
        return mix("#ffffff" if luminance(ink) < tone.low else "#000000", ink, 0.65)
    return "#101018"


def _on_tile(
    stream: Stream, tone: Tone, kind: str, stroke: float, floor: float, hue_deg: float | None
) -> IconStyle:
    """A tile that is seen on the ground where one can be, and an ink that reads on the tile."""
    seen = tone.ink_ranges(TILE_EDGE)
    if seen:
        tile = choose_ink(stream, tone, floor=TILE_EDGE, hue_deg=hue_deg)
    else:
        tile = shade(stream.uniform(0, 360), 0.6, stream.choice((0.03, 0.06, 0.8, 0.9)))
    level = luminance(tile)
    return IconStyle(kind, choose_ink(stream, Tone(level, level), floor=floor), tile, stroke)
