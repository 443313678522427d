"""Kinds of things that can be asked for: who is of one beyond doubt, which are near."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from factory.draw.icons.catalogue import IconInfo, icons

BORDERLINE = frozenset(
    {
        "paw print", "feather", "bone", "paper crane", "spiral shell", "worm", "unicorn face",
        "long-necked dinosaur", "teddy bear", "piggy bank", "knight of chess", "fish hook",
        "pumpkin lantern", "ghost", "skull", "wheat", "bean", "mushroom", "baby bottle", "teapot",
        "pot of honey", "soup", "salad", "rocket", "satellite", "shopping cart", "flying saucer",
        "cable car", "caravan", "trailer", "hot-air balloon", "kayak", "canoe", "bell",
        "megaphone", "whistle", "loudspeaker", "loudspeaker sign", "radio", "metronome",
        "record", "cassette", "shield", "footprints", "ribbon", "eye mask", "shopping basket",
        "strong arm", "umbrella", "parasol", "tent", "tent by a tree", "ferris wheel", "bridge",
        "radio mast", "tombstone", "stage", "control tower", "pyramid", "birdhouse",
        "solar panel", "utility pole", "brick wall", "barrel", "amphora", "skateboard",
        "potted plant", "tower", "dome", "smart home", "roller coaster",
        "theatre masks", "plaster", "stethoscope", "ring", "briefcase",
        "snowman", "cone", "handbag", "backpack", "suitcase", "wallet", "shopping bag",
        "dna strand", "aries", "leo", "taurus", "gemini", "libra",
    }
)  # fmt: skip
"""Things of which people disagree what they are: they stand nowhere where kinds are asked for."""


@dataclass(frozen=True)
class Query:
    """What is asked for: in English and Chinese, and kinds that are too near to stand by."""

    en: str
    zh: str
    near: tuple[str, ...] = ()


QUERIES: Mapping[str, Query] = {
    "animal": Query("an animal", "动物", ("food", "person")),
    "food": Query("something to eat", "食物", ("plant", "drink", "animal", "kitchen")),
    "drink": Query("something to drink", "饮料", ("food", "kitchen", "science")),
    "plant": Query("a plant", "植物", ("food", "weather", "space")),
    "vehicle": Query("a vehicle", "交通工具", ("street", "game", "sport")),
    "music": Query("something for music", "音乐用品", ("device", "symbol")),
    "clothing": Query("something to wear", "穿戴用品", ("sport", "office", "person")),
    "building": Query("a building", "建筑物", ("street", "furniture", "game", "space")),
}
"""Kinds that a picture of one thing decides. Tools and weather are none: a key, a flame?"""


@cache
def pool(split: str, source: str, category: str) -> tuple[IconInfo, ...]:
    """Icons of a split without the borderline ones; ``source`` may be empty for both."""
    found = icons(split, source, category=category)
    return tuple(info for info in found if info.en not in BORDERLINE)


@cache
def queries(split: str) -> tuple[str, ...]:
    """The kinds that a split can ask for: two things of it at least."""
    return tuple(name for name in QUERIES if len(pool(split, "", name)) >= 2)


@cache
def rest(split: str, source: str, query: str) -> tuple[IconInfo, ...]:
    """What may stand beside things of a kind: nothing of it, and nothing near to it."""
    barred = {query, *QUERIES[query].near}
    return tuple(i for i in pool(split, source, "") if i.category not in barred)
