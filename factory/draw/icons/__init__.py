"""Icons for puzzles: line icons and 3-D emoji with names, categories and look-alikes.

::

    pool = icons.icons(split, "icon")          # or "emoji3d", or both; category=, upright=True
    chosen = icons.choose_distinct(stream, pool, 6)          # no two look or are called alike
    style = icons.choose_icon_style(stream, ground.tone, chosen[0].source)   # reads on the ground
    spec = icons.IconSpec(chosen[0].asset, size, x, y, style, turn_deg=20.0)
    found = icons.icon_ink(spec)               # .hull: the zone, .box, .painted: with rims
    icons.draw_icons(canvas, [spec])

``size`` is the longest side of the ink (of the tile in ``disc`` and ``badge``
styles); ``icon_reach`` is the radius that it needs however it is turned. An
``IconInfo`` has ``en``, ``zh``, ``category`` and ``upright``; categories are
named by ``CATEGORY_NAMES`` and exclude each other. ``alike`` goes by tables,
``icon_likeness`` and ``tell_apart`` by pixels, over turns when asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from factory.core.errors import Rejected
from factory.core.rng import Stream
from factory.draw.icons.catalogue import (
    CATEGORY_NAMES,
    IconInfo,
    alike,
    categories,
    icon_info,
    icons,
)
from factory.draw.icons.dress import choose_icon_style
from factory.draw.icons.icon import (
    EMOJI_KINDS,
    LINE_KINDS,
    IconInk,
    IconSpec,
    IconStyle,
    draw_icon,
    draw_icons,
    icon_ink,
    icon_reach,
)
from factory.draw.icons.likeness import TOO_ALIKE, icon_likeness, tell_apart
from factory.draw.icons.shapes import icon_shape

__all__ = [
    "CATEGORY_NAMES",
    "EMOJI_KINDS",
    "LINE_KINDS",
    "TOO_ALIKE",
    "IconInfo",
    "IconInk",
    "IconSpec",
    "IconStyle",
    "alike",
    "categories",
    "choose_distinct",
    "choose_icon_style",
    "distinct",
    "draw_icon",
    "draw_icons",
    "icon_info",
    "icon_ink",
    "icon_likeness",
    "icon_reach",
    "icon_shape",
    "icons",
    "tell_apart",
]

DRAWS = 12
"""Icons drawn for each one wanted before the pool is called too uniform."""


def choose_distinct(
    stream: Stream,
    pool: Sequence[IconInfo],
    count: int,
    *,
    besides: Sequence[IconInfo] = (),
    turned: bool = False,
) -> list[IconInfo]:
    """``count`` icons of which no two, and none with ``besides``, are alike by table or by shape.

    ``turned`` compares shapes over all turns, as scenes with turned icons
    need. ``Rejected`` when the pool does not give so many in a bounded number
    of draws.
    """
    chosen: list[IconInfo] = []
    for _ in range(DRAWS * count):
        if len(chosen) == count:
            return chosen
        info = stream.choice(pool)
        if all(distinct(info, other, turned=turned) for other in (*besides, *chosen)):
            chosen.append(info)
    if len(chosen) == count:
        return chosen
    raise Rejected("too few distinct icons", value=len(chosen), limit=count)


def distinct(a: IconInfo, b: IconInfo, *, turned: bool = False) -> bool:
    """Whether two icons are different by table and by looks."""
    return not alike(a.asset, b.asset) and tell_apart(a.asset, b.asset, turned=turned)
