"""Colours that people name alike: CIELAB, CIEDE2000, eleven basic names with guard bands.

A colour has a name only where it is near a shade of that name and far from
every shade of other names; in between it has none, and no puzzle may ask for
it. Distances are CIEDE2000 (CIE 142-2001; Sharma, Wu and Dalal 2005).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from factory.core.errors import InvalidOptions, Rejected
from factory.core.rng import Stream
from factory.draw.colours import RGB, parse_hex, to_hex
from factory.draw.tones import LARGE_GLYPHS, Tone

NAMES: Mapping[str, tuple[str, str]] = {
    "red": ("red", "红色"), "orange": ("orange", "橙色"), "yellow": ("yellow", "黄色"),
    "green": ("green", "绿色"), "blue": ("blue", "蓝色"), "purple": ("purple", "紫色"),
    "pink": ("pink", "粉色"), "brown": ("brown", "棕色"), "black": ("black", "黑色"),
    "white": ("white", "白色"), "grey": ("grey", "灰色"),
}  # fmt: skip
"""Basic colours (Berlin and Kay 1969) with their names in English and Chinese."""

SHADES: Mapping[str, tuple[str, ...]] = {
    "red": ("#e01b24", "#c4161c", "#ff2a2a", "#a51218", "#ff0000"),
    "orange": ("#ff8a00", "#f57a0a", "#ff9a1f", "#ea6f00"),
    "yellow": ("#ffd900", "#ffe83b", "#f5cd00", "#fff06a"),
    "green": ("#1f9d3a", "#12782a", "#3cb84a", "#6cc94f", "#0c5c22", "#00b050"),
    "blue": ("#1f57d6", "#143ea8", "#2f7df0", "#5aa5ff", "#0f2f86"),
    "purple": ("#7d2fc4", "#9a45dd", "#5f1f9e", "#8a3ab0", "#b57be8"),
    "pink": ("#ff6fb5", "#ff94c8", "#f558a3", "#ffb3d6"),
    "brown": ("#7b4a1e", "#8f5a2a", "#5e3614", "#6f4326"),
    "black": ("#000000", "#16181c", "#22252a"),
    "white": ("#ffffff", "#f6f6f4"),
    "grey": ("#808285", "#9b9da0", "#65686c", "#b3b5b8"),
}
"""Shades that nobody calls otherwise, light to dark, on a neutral ground."""

NEAR = 13.0
"""Greatest distance to a shade of its name that a named colour may have."""

NEUTRALS = ("black", "white", "grey")
NEUTRAL_NEAR = 6.0
"""The same for neutrals, which a tint gives another name sooner."""

GUARD = 9.0
"""How much farther the nearest shade of another name must be: some four times what is seen side by
side."""

TELL_APART = 20.0
"""Distance from which two colours are told apart at a glance, small and on any ground."""

WHITE = np.array([0.95047, 1.0, 1.08883])
_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375],
                 [0.2126729, 0.7151522, 0.0721750],
                 [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip


def lab(rgb: Any) -> Any:
    """CIELAB (D65) of sRGB ``(..., 3)`` in 0 to 255."""
    levels = np.asarray(rgb, float) / 255.0
    linear = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    scaled = linear @ _XYZ.T / WHITE
    root = np.where(scaled > 216 / 24389, np.cbrt(scaled), (24389 / 27 * scaled + 16) / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def ciede2000(first: Any, second: Any) -> Any:
    """CIEDE2000 between CIELAB colours ``(..., 3)``, broadcast; rounded to 1e-6."""
    light1, a1, b1 = np.moveaxis(np.asarray(first, float), -1, 0)
    light2, a2, b2 = np.moveaxis(np.asarray(second, float), -1, 0)
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25.0**7))
    chroma1, hue1 = _polar(a1 * stretch, b1)
    chroma2, hue2 = _polar(a2 * stretch, b2)
    turn = hue2 - hue1
    turn = np.where(turn > 180, turn - 360, np.where(turn < -180, turn + 360, turn))
    turn = np.where(chroma1 * chroma2 == 0, 0.0, turn)
    hue = 2 * np.sqrt(chroma1 * chroma2) * np.sin(np.radians(turn) / 2)
    return np.round(
        _weighted(
            light2 - light1, chroma2 - chroma1, hue,
            (light1 + light2) / 2, (chroma1 + chroma2) / 2,
            _mean_hue(hue1, hue2, chroma1 * chroma2),
        ),
        6,
    )  # fmt: skip


def _polar(a: Any, b: Any) -> tuple[Any, Any]:
    return np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360


def _mean_hue(hue1: Any, hue2: Any, chromas: Any) -> Any:
    total, apart = hue1 + hue2, np.abs(hue1 - hue2)
    far = np.where(total < 360, (total + 360) / 2, (total - 360) / 2)
    return np.where(chromas == 0, total, np.where(apart <= 180, total / 2, far))


def _weighted(light: Any, chroma: Any, hue: Any, lights: Any, chromas: Any, hues: Any) -> Any:
    def cos(turn: Any) -> Any:
        return np.cos(np.radians(turn))

    shape = 1 - 0.17 * cos(hues - 30) + 0.24 * cos(2 * hues) + 0.32 * cos(3 * hues + 6)
    shape = shape - 0.20 * cos(4 * hues - 63)
    offset = (lights - 50) ** 2
    l_part = light / (1 + 0.015 * offset / np.sqrt(20 + offset))
    c_part = chroma / (1 + 0.045 * chromas)
    h_part = hue / (1 + 0.015 * chromas * shape)
    bend = 30 * np.exp(-(((hues - 275) / 25) ** 2))
    twist = -np.sin(np.radians(2 * bend)) * 2 * np.sqrt(chromas**7 / (chromas**7 + 25.0**7))
    return np.sqrt(l_part**2 + c_part**2 + h_part**2 + twist * c_part * h_part)


def distance(a: str | RGB, b: str | RGB) -> float:
    """CIEDE2000 of two sRGB colours."""
    pair = [parse_hex(c) if isinstance(c, str) else c for c in (a, b)]
    first, second = lab(pair)
    return float(ciede2000(first, second))


@cache
def _shades() -> tuple[tuple[str, ...], Any]:
    """Names and CIELAB of every shade."""
    names = tuple(name for name, shades in SHADES.items() for _ in shades)
    return names, lab([parse_hex(shade) for shades in SHADES.values() for shade in shades])


@lru_cache(maxsize=8192)
def colour_name(colour: str) -> str | None:
    """The basic name of a colour (a key of ``NAMES``); None in the guard bands between names."""
    names, shades = _shades()
    far = ciede2000(lab(parse_hex(colour)), shades)
    nearest = names[int(np.argmin(far))]
    others = min(float(d) for name, d in zip(names, far, strict=True) if name != nearest)
    best = float(far.min())
    near = NEUTRAL_NEAR if nearest in NEUTRALS else NEAR
    return nearest if best <= near and others - best >= GUARD else None


def called(name: str, lang: str) -> str:
    """A basic colour's name in ``en`` or ``zh``."""
    if name not in NAMES:
        raise InvalidOptions(f"no colour {name!r}; there are {', '.join(NAMES)}")
    return NAMES[name][lang == "zh"]


STRAY, NEUTRAL_STRAY = 14, 4
"""Levels of each channel by which a drawn shade strays from a listed one."""

TRIES = 8


def named_colour(
    stream: Stream, name: str, tone: Tone | None = None, *, floor: float = LARGE_GLYPHS
) -> str:
    """A shade of a name, a little off a listed one; of those that read on ``tone`` where given.

    ``Rejected`` when no listed shade reads there (yellow on white).
    """
    called(name, "en")
    shades = [s for s in SHADES[name] if tone is None or tone.reads(s, floor)]
    if not shades:
        raise Rejected(
            f"no {name} reads on this ground", value=tone.low if tone else 0, limit=floor
        )
    shade = stream.choice(shades)
    stray = NEUTRAL_STRAY if name in NEUTRALS else STRAY
    for _ in range(TRIES):
        red, green, blue = (v + stream.integer(-stray, stray + 1) for v in parse_hex(shade))
        colour = to_hex((red, green, blue))
        if colour_name(colour) == name and (tone is None or tone.reads(colour, floor)):
            return colour
    return shade


def named_palette(
    stream: Stream,
    count: int,
    tone: Tone | None = None,
    *,
    names: Sequence[str] = tuple(NAMES),
    floor: float = LARGE_GLYPHS,
) -> dict[str, str]:
    """``{name: colour}`` of ``count`` basic names, every two ``TELL_APART`` or more apart.

    With ``tone`` all of them read on that ground. ``Rejected`` when too few do.
    """
    best = 0
    for _ in range(TRIES):
        chosen = _picked(stream, count, tone, names, floor)
        if len(chosen) == count:
            return chosen
        best = max(best, len(chosen))
    raise Rejected("too few colours read here", value=best, limit=count)


def _picked(
    stream: Stream, count: int, tone: Tone | None, names: Sequence[str], floor: float
) -> dict[str, str]:
    """Up to ``count`` colours in random order, each taken if far enough from those before."""
    chosen: dict[str, str] = {}
    for name in stream.shuffled(names):
        if len(chosen) == count:
            break
        if tone is not None and not any(tone.reads(s, floor) for s in SHADES[name]):
            continue
        colour = named_colour(stream, name, tone, floor=floor)
        if all(distance(colour, other) >= TELL_APART for other in chosen.values()):
            chosen[name] = colour
    return chosen
