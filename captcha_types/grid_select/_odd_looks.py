"""What odd tiles differ in: looks before places, the audit of respects, and plain differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from captcha_types.grid_select import _boards as boards
from captcha_types.grid_select import _kit as kit
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import icons, layout
from factory.draw.colour_names import TELL_APART, distance, named_palette
from factory.draw.colours import contrast

MOST_ALIKE = {"turn": 0.62, "mirror": 0.58}
"""How alike a thing may be to itself turned or mirrored, to be seen to be so."""

LEAST_TURN_DEG, JITTER_DEG = 45.0, 4.0
"""Turns that differ; and by how much turns that count as one may stray."""

EDGE_CSS, APART_CSS = 3.0, 5.0
"""CSS px that things keep clear of a tile's rim, and of one another."""

SIZES = (0.58, 0.7)
"""Smaller things, by the size of the others, for difficulty 0 and 1."""

RULES: Mapping[str, float] = {
    "colour": 0.18, "number": 0.16, "size": 0.12, "turn": 0.16, "mirror": 0.12, "thing": 0.16,
    "plate": 0.10,
}  # fmt: skip

VARIES: Mapping[str, str] = {
    "colour": "thing", "plate": "thing", "number": "colour", "size": "colour", "turn": "colour",
    "mirror": "colour", "thing": "colour",
}  # fmt: skip
"""In what else tiles may vary, by rule."""

Same = Callable[[icons.IconSpec, icons.IconSpec], bool]


@dataclass(frozen=True)
class Look:
    """What a tile shows, before places are drawn."""

    asset: str
    colour: str
    kind: str
    count: int = 1
    turn_deg: float = 0.0
    mirrored: bool = False
    scale: float = 1.0


PLAIN = {"icon": ("line", "shadow", "emboss", "disc", "badge"),
         "emoji3d": ("plain", "shadow", "sticker", "disc", "badge")}  # fmt: skip


@cache
def pool_of(split: str, source: str, rule: str) -> tuple[icons.IconInfo, ...]:
    """Icons that a rule may use: where turns count, those with an upright pose that show one."""
    if rule not in MOST_ALIKE:
        return icons.icons(split, source)
    turn = 0.0 if rule == "mirror" else 180.0
    return tuple(
        info
        for info in icons.icons(split, source, upright=True)
        if kit.self_likeness(info.asset, turn, rule == "mirror") <= MOST_ALIKE[rule]
    )


def varied(
    stream: Stream, looks: list[Look], what: str, split: str, board: boards.Board
) -> list[Look]:
    """Looks that also differ at random: each its own thing, or colours that none prevails in."""
    if what == "thing":
        source = looks[0].asset.partition("/")[0]
        infos = icons.choose_distinct(stream, icons.icons(split, source), len(looks))
        return [replace(look, asset=info.asset) for look, info in zip(looks, infos, strict=True)]
    colours = list(named_palette(stream, 3, board.ground.tone).values())
    dealt = stream.shuffled([colours[k % 3] for k in range(len(looks))])
    return [replace(look, colour=colour) for look, colour in zip(looks, dealt, strict=True)]


def sized(looks: Sequence[Look], side: float) -> float:
    """Size of things of scale 1, the same on all tiles: the widest has room however turned."""
    reach = max(icons.icon_reach(look.asset, 1.0, look.kind) for look in looks)
    crowd = max(look.count for look in looks)
    across = _across(crowd)
    cell = (side - 2 * EDGE_CSS - (across - 1) * APART_CSS) / across
    if crowd > 1:
        return 0.49 * cell / reach
    tiled = looks[0].kind in ("disc", "badge")
    return min((0.84 if tiled else 0.7) * side, 0.49 * cell / reach)


def _across(crowd: int) -> int:
    """Cells across a tile that holds at most so many things."""
    return 1 if crowd == 1 else 2 if crowd <= 4 else 3


def placed(
    stream: Stream, look: Look, tile: Box, style: icons.IconStyle, size: float, crowd: int
) -> tuple[icons.IconSpec, ...]:
    """The things of a look somewhere on a tile, each in a cell of its own."""
    across = _across(crowd)
    cells = layout.tiles(tile.grown(-EDGE_CSS), across, across, APART_CSS)
    room = 2 * size * icons.icon_reach(look.asset, 1.0, look.kind)
    spots = layout.jittered(stream, cells, look.count, room)
    tiled = look.kind in ("disc", "badge")
    inks = {"second": look.colour, "ink": _on(look.colour)} if tiled else {"ink": look.colour}
    dress = replace(style, kind=look.kind, **inks)
    turn = look.turn_deg + stream.uniform(-JITTER_DEG, JITTER_DEG)
    near = size * look.scale * stream.uniform(0.97, 1.0)
    return tuple(
        icons.IconSpec(look.asset, near, x, y, dress, turn, look.mirrored) for x, y in spots
    )


def _on(plate: str) -> str:
    """The ink on a plate: white or near-black."""
    return max(("#ffffff", "#14161c"), key=lambda ink: contrast(ink, plate))


def _colour(spec: icons.IconSpec) -> str:
    """What a thing's colour is: its plate's, its ink's, or its own."""
    if spec.tiled:
        return spec.style.second
    return spec.style.ink if spec.asset.startswith("icon/") else ""


def _turned(a: float, b: float) -> float:
    """Degrees between two turns, 0 to 180."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


RESPECTS: Mapping[str, Same] = {
    "colour": lambda a, b: _colour(a) == _colour(b),
    "size": lambda a, b: max(a.size, b.size) <= 1.1 * min(a.size, b.size),
    "turn": lambda a, b: _turned(a.turn_deg, b.turn_deg) <= 3 * JITTER_DEG,
    "mirror": lambda a, b: a.mirrored == b.mirrored,
    "thing": lambda a, b: a.asset == b.asset,
    "plate": lambda a, b: a.style.kind == b.style.kind,
}
"""When two things agree in a respect; numbers are told by the tiles."""


def audit(tiles: Sequence[Sequence[icons.IconSpec]]) -> dict[str, set[int]]:
    """The tiles that each respect singles out, for those that do."""
    first = [things[0] for things in tiles]
    found = {name: kit.minority(first, same) for name, same in RESPECTS.items()}
    found["number"] = kit.minority([len(things) for things in tiles], lambda a, b: a == b)
    return {name: few for name, few in found.items() if few}


def check_difference(rule: str, usual: icons.IconSpec, odd: icons.IconSpec) -> None:
    """``Rejected`` where the difference might be missed."""
    if rule == "colour" and distance(_colour(usual), _colour(odd)) < TELL_APART:
        raise Rejected("colours too near", value=distance(_colour(usual), _colour(odd)))
    if rule == "size" and odd.size > SIZES[1] * 1.04 * usual.size:
        raise Rejected("sizes too near", value=odd.size / usual.size, limit=SIZES[1])
    if rule == "thing" and not icons.distinct(
        icons.icon_info(usual.asset), icons.icon_info(odd.asset), turned=True
    ):
        raise Rejected("things look alike")
    if rule in ("turn", "mirror"):
        turn = round((odd.turn_deg - usual.turn_deg) / 15.0) * 15.0
        alike = kit.self_likeness(usual.asset, turn, odd.mirrored != usual.mirrored)
        if rule == "turn" and _turned(turn, 0.0) < LEAST_TURN_DEG:
            raise Rejected("turned too little", value=_turned(turn, 0.0), limit=LEAST_TURN_DEG)
        if alike > MOST_ALIKE[rule]:
            raise Rejected("looks the same either way", value=alike, limit=MOST_ALIKE[rule])


def around(things: Sequence[icons.IconSpec]) -> Box:
    """The box around all things of a tile."""
    found = [icons.icon_ink(spec).box for spec in things]
    return Box(min(b.x0 for b in found), min(b.y0 for b in found),
               max(b.x1 for b in found), max(b.y1 for b in found))  # fmt: skip
