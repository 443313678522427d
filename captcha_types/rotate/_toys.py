"""Toys of unit blocks that face one way, whichever side they are seen from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from factory.core.rng import Stream
from factory.draw.solid import Cell

PAINTS = (
    ("#d9483b", "#f2c14e"), ("#2f78c4", "#f0f3f7"), ("#3a9a5b", "#f4d35e"), ("#8a4fbf", "#f2a65a"),
    ("#e07b2c", "#2f4858"), ("#1f9aa0", "#f7b2ad"), ("#c2386e", "#f3e1b6"), ("#5b6ee1", "#ffd166"),
)  # fmt: skip
"""First and second colours that toys come in."""

FIXED = {
    "k": "#2a2d36", "w": "#f5f6f8", "y": "#ffd84d", "r": "#d63a3a", "g": "#a8d8ee",
    "o": "#f28c28", "n": "#b98a5a",
}  # fmt: skip
"""Colours that belong to a part: tyres, lamps, glass, beaks, planks."""

LAYERS: dict[str, tuple[str, ...]] = {
    "car": (
        "..... k...k ..... ..... ..... k...k .....",
        "yaaay aaaaa aaaaa aaaaa aaaaa aaaaa raaar",
        "..... ..... .ggg. gaaag gaaag .ggg. .....",
        "..... ..... ..... .bbb. .bbb. ..... .....",
    ),
    "dog": (
        "..... ..... .a.a. ..... ..... .a.a. .....",
        "..... ..... .aaa. .aaa. .aaa. .aaa. .....",
        "..k.. .bbb. .aaa. .aaa. .aaa. .aaa. ..a..",
        "..... .kak. .aaa. ..... ..... ..... ..a..",
        "..... .aaa. bb.bb ..... ..... ..... .....",
    ),
    "duck": (
        "..... .aaa. aaaaa aaaaa .aaa. ..a..",
        "..... .aaa. abaab abaab .aaa. ..a..",
        "..... .aaa. .aaa. ..... ..... ..a..",
        ".ooo. .kak. .aaa. ..... ..... .....",
        "..... .aaa. .aaa. ..... ..... .....",
    ),
    "boat": (
        "..... ..b.. .bbb. bbbbb bbbbb bbbbb bbbbb .bbb.",
        "..a.. .aaa. aanaa annna annna annna annna aaaaa",
        "..a.. ..... ..... ..... .www. .www. .www. .....",
        "..... ..... ..... ..... .ggg. .gwg. .www. .....",
        "..... ..... ..... ..... ..... .www. ..r.. .....",
        "..... ..... ..... ..... ..... ..... ..r.. .....",
    ),
    "plane": (
        "....k.... ....a.... ...aaa... bbbbabbbb bbbaaabbb ...aaa... ....a.... ...bbb... ....a....",
        "......... ....a.... ....g.... ....g.... ....a.... ....a.... ....a.... ....a.... ....a....",
        "......... ......... ......... ......... ......... ......... ......... ....b.... ....b....",
        "......... ......... ......... ......... ......... ......... ......... ......... ....b....",
    ),
    "train": (
        "..... k...k ..... k...k ..... k...k k...k .....",
        ".rrr. bbbbb bbbbb bbbbb bbbbb bbbbb bbbbb bbbbb",
        "..y.. .aaa. .aaa. .aaa. .aaa. aaaaa aaaaa aaaaa",
        "..... .aaa. .aaa. .aaa. .aaa. agaga gaaag aaaaa",
        "..... ..k.. ..... ..... ..... bbbbb bbbbb bbbbb",
        "..... ..k.. ..... ..... ..... ..... ..... .....",
    ),
}  # fmt: skip
"""Layers from the ground up; rows from the front to the back, each from left to right."""

NAMES = tuple(LAYERS)


@dataclass(frozen=True)
class Toy:
    """A toy and its colours. JSON-able."""

    name: str
    first: str
    second: str


@dataclass(frozen=True)
class Blocks:
    """Cells of a lattice with their colours; the front lies towards y. ``size`` counts them along
    x, y and z."""

    cells: tuple[Cell, ...]
    parts: str
    size: Cell


@cache
def blocks(name: str) -> Blocks:
    """The blocks of a toy."""
    layers = [layer.split() for layer in LAYERS[name]]
    long, wide = len(layers[0]), len(layers[0][0])
    found = {
        (x, long - 1 - row, z): part
        for z, rows in enumerate(layers)
        for row, line in enumerate(rows)
        for x, part in enumerate(line)
        if part != "."
    }
    cells = tuple(sorted(found))
    return Blocks(cells, "".join(found[cell] for cell in cells), (wide, long, len(layers)))


def choose_toy(stream: Stream) -> Toy:
    """Any toy in any of the colours."""
    return Toy(stream.choice(NAMES), *stream.choice(PAINTS))


def colours(toy: Toy) -> list[str]:
    """The colour of each of its blocks."""
    own = {**FIXED, "a": toy.first, "b": toy.second}
    return [own[part] for part in blocks(toy.name).parts]


def faces_one_way(name: str) -> bool:
    """Whether a toy that is turned by a quarter, a half or three is never the same again."""
    whole = blocks(name)
    wide, long, _ = whole.size
    found = set(zip(whole.cells, whole.parts, strict=True))
    half = {((wide - 1 - x, long - 1 - y, z), part) for (x, y, z), part in found}
    quarter = {((y, wide - 1 - x, z), part) for (x, y, z), part in found}
    return half != found and quarter != found
