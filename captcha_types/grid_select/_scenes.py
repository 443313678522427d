"""Pictures that things stand on: which kinds show nothing of a thing's sort, and its dress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from captcha_types.grid_select import _cover as cover
from captcha_types.grid_select._kit import BORDERLINE
from factory.core.errors import Rejected
from factory.core.puzzle import Content
from factory.core.rng import Stream
from factory.draw import icons, pictures
from factory.draw.icons import IconInfo, IconSpec, IconStyle

EVERYWHERE = ("music", "sport", "game", "tool", "science")
SUITS: Mapping[str, tuple[str, ...]] = {
    "landscape": (*EVERYWHERE, "clothing", "device", "food", "drink", "office"),
    "street": (*EVERYWHERE, "animal", "food", "drink", "office"),
    "room": (*EVERYWHERE, "animal"),
    "sea": (*EVERYWHERE, "clothing", "device", "food", "drink", "office"),
    "garden": (*EVERYWHERE, "clothing", "device", "office", "drink"),
}
"""Categories of things that pictures of a kind do not show."""

UNFIT = frozenset({"ring", "yo-yo", "kite", "balloon", "glasses", "scissors", "paper clip"})
"""Things that are mostly holes or threads, or that fly about in pictures."""

EDGES = ("#ffffff", "#ffffff", "#fff4d6", "#1b1e27")
STICKERS = 0.7
"""Share of things with the edge of a sticker; the rest throw a shadow."""


def contents(split: str) -> list[Content]:
    """The kinds of pictures in equal shares."""
    return [Content(kind, 1.0 / len(SUITS), pictures.capacity(kind, split)) for kind in SUITS]


@cache
def pool(split: str, kind: str) -> tuple[IconInfo, ...]:
    """Things for pictures of a kind."""
    return tuple(
        info
        for category in SUITS[kind]
        for info in icons.icons(split, "emoji3d", category=category)
        if info.en not in BORDERLINE and info.en not in UNFIT
    )


def choose_kinds(stream: Stream, split: str, kind: str, count: int) -> list[IconInfo]:
    """Kinds of things of which no two are called or look alike, however turned."""
    found = icons.choose_distinct(stream, pool(split, kind), count, turned=True)
    if len(found) < count:
        raise Rejected("too few kinds of things", value=len(found), limit=count)
    return found


def dressed(stream: Stream, info: IconInfo) -> IconSpec:
    """A thing as a sticker or with a shadow, not yet in its place."""
    style = IconStyle("shadow")
    if stream.chance(STICKERS):
        style = IconStyle("sticker", second=stream.choice(EDGES))
    return IconSpec(info.asset, 1.0, 0.0, 0.0, style, mirrored=stream.chance(0.5))


def strewn(
    stream: Stream, probes: Sequence[IconSpec], lattice: cover.Lattice,
    taken: Sequence[IconSpec], sizes: tuple[float, float], count: int,
) -> list[IconSpec]:  # fmt: skip
    """Up to ``count`` other things, as many as find a place."""
    found: list[IconSpec] = []
    for _ in range(count):
        try:
            found.append(
                cover.place(
                    stream, stream.choice(probes), lattice, [*taken, *found], sizes,
                    part=None, band=None,
                )
            )  # fmt: skip
        except Rejected:
            break
    return found
