"""Colour schemes that every scene can be painted in.

A palette is a time of day, a season or a mood. ``palette(name, shift)`` turns
its hues by a few degrees, so that two dusks are not the same dusk.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from functools import lru_cache

from factory.core.rng import Stream

SHIFT_DEG = 5.0
SHIFTS = 2
"""Hues turn by up to this many steps of ``SHIFT_DEG`` either way."""


@dataclass(frozen=True)
class Palette:
    """Colours as 0xAARRGGBB; tuples run from the common to the rare."""

    sky: tuple[int, ...]
    sun: int
    cloud: int
    far: int
    near: int
    ground: int
    leaf: tuple[int, ...]
    trunk: int
    wall: tuple[int, ...]
    roof: tuple[int, ...]
    glass: int
    water: int
    accent: tuple[int, ...]
    lit: int
    night: bool


# name: sky top..horizon | sun cloud | far near ground | leaves | trunk | walls | roofs
#       | glass water | accents | lit window, night
_SCHEMES = {
    "morning": "8ec5f0 bfe0f5 fdf0dc|ffe08a ffffff|b9cfe4 7fae9a 5f9a6a|4f8f5b 6fb06a 3d7650|7a5a44"
    "|fff6ea f3d9c2 dfe9ee|c9564a 8a4f43 4c6f8c|5b86a6 6fb3d2|f4a83d e4572e 3d7ea6|ffe9a8 0",
    "noon": "3f9fe8 7cc3f3 d5effb|fff3b0 ffffff|8fb8d8 6aa96b 4d9152|3c8048 5da04f 2f6a43|7d5a3c"
    "|fdfdf8 f5d76e e8eef2|d94f3d 3f6fa3 7a4a3a|4f7fa8 3e9fcb|ffb627 e63946 2a9d8f|fff0b3 0",
    "golden": "f6a94a fbcb7a fff0c4|fff6d0 fff0d9|dba878 b98045 8f6534|7d7a35 a08a3c 5e6330|5c3d2a"
    "|fff1d8 f0cda0 e9dcc6|a8402f 7a3b2c 5b4a45|7f5c4a d9a066|e2582c 8a3033 f2c14e|ffe08a 0",
    "dusk": "3b2f6b 8d4f8a f59a7b|ffd9a0 c98aa6|8466a2 5f4a8a 463670|4f7d92 6a9aa0 3f687f|5a3d5c"
    "|c09ab0 9a7aa4 d6a7a0|75396a 8f4068 553a78|ffcf7d 6f5a9c|ff8f5a ffd166 e56b9f|ffd27a 1",
    "night": "0b1437 1b2c5e 3f5c96|f3efdc 8fa3c8|4a68a6 35538c 2b4270|3f8a84 56a394 34726f|4d4560"
    "|8fa0c6 6f82b0 b5c0da|4a5290 6d4c80 3a4678|ffd76a 27477f|ffb84d 7ad3ff e86a92|ffd76a 1",
    "aurora": "071a2f 0f4a56 49b39a|eafff2 6fc0b0|2a6c74 20586a 1a4658|2f8a68 45a47a 26735c|453f48"
    "|c4d8d6 93b3b8 e0ebe6|34687c 7a4464 2a5468|ffe08a 1d6a78|8df5c0 ffd166 ff7b9c|ffe39a 1",
    "autumn": "9fc4d8 d3dfd8 f8e6c8|fff0c0 fffaf0|b3a49a c08a4a a86a34|c8612a e09a3a 9a3f2a|5a3a28"
    "|fbeedb e2c9a8 d9d4c8|7a3328 54433c 9a5a3a|5f7a88 7fa5b0|d1382c f2b134 5a7d4a|ffe6a0 0",
    "winter": "8fb2d6 bdd5ea eef4fa|fff8e0 ffffff|b6cbe2 d5e2f0 f4f8fc|3f6a6a 5a8583 2f5257|5c4a44"
    "|e9dfd2 c98f70 d5dde6|9a3b3b 5a6a84 f2f6fb|6f8fb0 a8cbe4|d64545 f2b84b 3f7fb5|ffe4a0 0",
    "frost": "101a44 2c3f7c 7f93c9|fdf6e0 a9b9e0|5f78b5 9db2dd d7e2f7|2a4a68 3a5f7c 1f3853|2f2a3d"
    "|8a7f9a 6a6488 b5b2cc|e2eaf8 b9c6e6 8a3a55|ffd98a 6f8fcf|ff9b6a ffe08a 9ad0ff|ffd98a 1",
    "spring": "a5dcf2 d3eef0 fff4ee|fff2b8 ffffff|c5d9c0 9cca7a 79b55c|f2a3b8 8cc66a f7c9d5|86604f"
    "|fffaf3 fde2d6 e5f0e8|e57f84 6f9bc0 b86f6f|7fa8c4 86cde0|f77f9a ffcf56 6c9ee0|fff0c0 0",
    "desert": "f2b279 f8d6a4 fdeed2|fff6dd fdf0e0|d98f63 c46a42 e0a868|6f8a4a 8aa058 55703f|8a5a3a"
    "|f3d3a8 e0a878 fbeacc|b0562f 8a4a34 cf7a4a|6a5a58 58aab0|d9432f 2f8f8a f5c04f|ffe0a0 0",
    "mist": "a9b8c0 c9d3d6 e9ecea|fbf7ea f6f8f7|aebcc0 7f969a 56706f|3f5e5a 58766c 2f4a48|4a4440"
    "|e2e2da c2c8c6 f0ece0|6a5a58 4a5a66 8f4f46|6f858f 8fa8ad|d9784f e5b45a 4f7f8c|ffe8b8 0",
    "jade": "0f5f63 2f9188 bfe3c4|fff4c8 d7f0e2|4f9f93 2c7a6d 17574f|1f6a4f 3a8a5a 124a3f|3f3a30"
    "|f5ecd7 d9c9a8 e8f0e4|d9583f 24495a b5862f|ffe9b0 2f9aa0|f58a4b f6d365 e4f0d0|fff0b8 0",
    "candy": "ff9eb5 ffc7b8 ffeccb|fffbe0 fff5f5|c79ad6 9a7fd0 6d66c0|4fb3a5 6fcbb4 3a8f92|6a4a78"
    "|fff2e6 ffd3c4 e6ddff|e8557f 5a63b8 ff9158|6a78c8 74c7e5|ff5d73 ffc145 5bc0be|fff0b0 0",
    "poster": "17375e 2f6a8f e9c46a|f4a261 f0e2c0|2a6f7f 1f5a5a e0b050|264653 2a7f70 1a3540|3a2a24"
    "|f6ead0 e9c46a e0d4b8|e76f51 264653 b5443a|ffe9b0 2a9d8f|e76f51 f4a261 f6ead0|ffe9b0 0",
    "storm": "3a4756 5f7180 9fb0b4|e9efe8 7d8c98|64747f 52666a 42585c|4f8570 6a9a84 3f7062|5a4f4a"
    "|c9cdc8 98a3a6 e0ddd0|7a4038 3a4a5a 5a5048|ffd88a 4f6a78|f2a03d d95c4a 7fb0c0|ffd88a 1",
}  # fmt: skip

NAMES = tuple(_SCHEMES)


def choose_palette(stream: Stream) -> dict[str, int | str]:
    """Palette parameters of a scene."""
    return {
        "palette": stream.choice(NAMES),
        "shift": stream.integer(-SHIFTS, SHIFTS + 1),
    }


@lru_cache(maxsize=256)
def palette(name: str, shift: int = 0) -> Palette:
    """A scheme with its hues turned by ``shift * SHIFT_DEG`` degrees."""
    groups = [part.split() for part in _SCHEMES[name].split("|")]

    def color(text: str) -> int:
        return turned(int(text, 16), shift * SHIFT_DEG)

    sky, light, land, leaf, trunk, wall, roof, wet, accent, (lit, night) = groups
    return Palette(
        sky=tuple(map(color, sky)),
        sun=color(light[0]),
        cloud=color(light[1]),
        far=color(land[0]),
        near=color(land[1]),
        ground=color(land[2]),
        leaf=tuple(map(color, leaf)),
        trunk=color(trunk[0]),
        wall=tuple(map(color, wall)),
        roof=tuple(map(color, roof)),
        glass=color(wet[0]),
        water=color(wet[1]),
        accent=tuple(map(color, accent)),
        lit=color(lit),
        night=night == "1",
    )


def turned(rgb: int, degrees: float) -> int:
    """An opaque colour with its hue turned."""
    h, light, s = colorsys.rgb_to_hls(
        (rgb >> 16 & 255) / 255, (rgb >> 8 & 255) / 255, (rgb & 255) / 255
    )
    r, g, b = colorsys.hls_to_rgb((h + degrees / 360) % 1.0, light, s)
    return 0xFF000000 | round(r * 255) << 16 | round(g * 255) << 8 | round(b * 255)
