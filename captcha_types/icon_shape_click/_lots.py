"""Icons by lot: those of a kind, one thing, or of a colour, among others that are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from captcha_types.icon_shape_click import _kit as kit
from factory.core.errors import Rejected
from factory.core.puzzle import Scene
from factory.core.rng import Stream
from factory.draw import grounds, icons
from factory.draw.colour_names import named_palette
from factory.draw.icons import IconInfo, IconSpec, kinds

Mode = Literal["kind", "thing", "colour"]
MODES: Mapping[Mode, float] = {"kind": 0.45, "thing": 0.3, "colour": 0.25}

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white")
SHOWN_COLOURS = 3
COLOUR_STYLES = ("line", "shadow")
"""Styles in which an icon has one colour."""

SOURCES, SOURCE_SHARES = ("emoji3d", "icon", ""), (0.45, 0.35, 0.2)
DRAWS = 30


def mistaken(asset: str, other: str) -> bool:
    """Whether a thing may be taken for another, by looks or by name."""
    words = set(icons.icon_info(asset).en.split()) & set(icons.icon_info(other).en.split())
    return bool(words) or kit.taken_for(asset, other)


def _some(stream: Stream, pool: Sequence[IconInfo], count: int) -> list[IconInfo]:
    """``count`` icons, different ones while there are enough."""
    found: list[IconInfo] = []
    while len(found) < count:
        found += stream.sample(pool, min(len(pool), count - len(found)))
    return found


def choose(
    scene: Scene, stream: Stream, mode: Mode, shown: int, count: int
) -> tuple[str, list[IconInfo]]:
    """What is asked for, and icons of which the first ``count`` are that."""
    source = "icon" if mode == "colour" else stream.weighted(SOURCES, SOURCE_SHARES)
    pool = kinds.pool(scene.split, source, "")
    if mode == "kind":
        query = scene.rng.fixed("query").choice(kinds.queries(scene.split))
        right = kinds.pool(scene.split, source, query) or kinds.pool(scene.split, "", query)
        wrong = kinds.rest(scene.split, source, query) or kinds.rest(scene.split, "", query)
        return query, [*_some(stream, right, count), *_some(stream, wrong, shown - count)]
    if mode == "colour":
        return "", _some(stream, pool, shown)
    first = stream.choice(pool)
    alike = [info for info in pool if info.source == first.source]
    drawn = [stream.choice(alike) for _ in range(DRAWS)]
    wrong = [info for info in drawn if not mistaken(first.asset, info.asset)]
    if not wrong:
        raise Rejected("nothing that looks otherwise")
    return first.asset, [*[first] * count, *_some(stream, wrong, shown - count)]


def coloured(
    stream: Stream, specs: Sequence[IconSpec], count: int, ground: grounds.Ground
) -> tuple[str, list[IconSpec]]:
    """The icons in colours that have names; the first ``count`` in the one that is asked for."""
    palette = named_palette(stream, SHOWN_COLOURS, ground.tone, names=COLOURS)
    asked, *rest = palette
    kind = stream.choice(COLOUR_STYLES)
    inks = [asked if k < count else stream.choice(rest) for k in range(len(specs))]
    return asked, [
        replace(spec, style=replace(spec.style, kind=kind, ink=palette[ink], second="#101018"))
        for spec, ink in zip(specs, inks, strict=True)
    ]
