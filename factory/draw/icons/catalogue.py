"""What every icon is: its names, its category, whether it has an upright pose, what it is like."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS
from factory.draw.pictures.spec import partition

HERE = Path(__file__).parent

SOURCES: Mapping[str, str] = {"icon": "lucide.toml", "emoji3d": "emoji.toml"}
"""Line icons and 3-D emoji, with their tables. Assets are named as pictures name them, so that
an icon belongs to the same split wherever it is shown."""


@dataclass(frozen=True)
class IconInfo:
    """One icon. ``asset`` is ``icon/cat`` or ``emoji3d/1f408``; ``upright``: it has one pose."""

    asset: str
    en: str
    zh: str
    category: str
    upright: bool

    @property
    def source(self) -> str:
        """``icon`` or ``emoji3d``."""
        return self.asset.partition("/")[0]

    @property
    def name(self) -> str:
        """Its name in its package."""
        return self.asset.partition("/")[2]

    def called(self, lang: str) -> str:
        """What it is in ``en`` or ``zh``."""
        return self.zh if lang == "zh" else self.en


CATEGORY_NAMES: Mapping[str, tuple[str, str]] = {
    "animal": ("animals", "动物"), "food": ("food", "食物"), "drink": ("drinks", "饮料"),
    "plant": ("plants", "植物"), "vehicle": ("vehicles", "交通工具"), "tool": ("tools", "工具"),
    "music": ("music and sound", "音乐与声音"), "weather": ("weather", "天气"),
    "space": ("earth and sky", "天地"), "sport": ("sports", "运动"),
    "game": ("games and toys", "游戏与玩具"), "clothing": ("things to wear or carry", "穿戴用品"),
    "furniture": ("furniture", "家具"), "kitchen": ("kitchen and bath", "厨卫用品"),
    "building": ("buildings", "建筑"), "street": ("things in the street", "街道设施"),
    "device": ("electronic devices", "电子设备"), "office": ("stationery", "办公用品"),
    "science": ("science and medicine", "科学与医学"), "person": ("people and hands", "人与手势"),
    "symbol": ("signs and symbols", "符号"),
}  # fmt: skip
"""Categories with their names in English and Chinese."""


@cache
def _table() -> dict[str, IconInfo]:
    found: dict[str, IconInfo] = {}
    for source, file in SOURCES.items():
        text = (HERE / file).read_text(encoding="utf-8")
        for category, entries in tomllib.loads(text).items():
            for name, names in entries.items():
                en, zh = names.removesuffix("^").split("|")
                asset = f"{source}/{name}"
                found[asset] = IconInfo(asset, en, zh, category, names.endswith("^"))
    return found


def icon_info(asset: str) -> IconInfo:
    """One icon; ``InvalidOptions`` when there is none of this name."""
    if asset not in _table():
        raise InvalidOptions(f"no icon {asset!r}; `icons.icons(split)` lists them")
    return _table()[asset]


@cache
def icons(
    split: str, source: str = "", *, category: str = "", upright: bool = False
) -> tuple[IconInfo, ...]:
    """Icons that a split owns: of one source and category where given, with ``upright`` those
    that have one upright pose. In the tables' order."""
    if split not in SPLITS:
        raise InvalidOptions(f"no split {split!r}; there are {', '.join(SPLITS)}")
    return tuple(
        info
        for info in _table().values()
        if partition(info.asset) == split
        and source in ("", info.source)
        and category in ("", info.category)
        and (info.upright or not upright)
    )


@cache
def categories(split: str, source: str = "") -> dict[str, tuple[IconInfo, ...]]:
    """Icons of a split by category, categories without icons left out."""
    return {
        category: found
        for category in CATEGORY_NAMES
        if (found := icons(split, source, category=category))
    }


@cache
def _groups() -> dict[str, frozenset[str]]:
    """For every name the names it must not stand beside."""
    text = (HERE / "look_alikes.toml").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for group in tomllib.loads(text)["groups"]:
        for name in group.split():
            found.setdefault(name, set()).update(group.split())
    return {name: frozenset(names) for name, names in found.items()}


def alike(a: str, b: str) -> bool:
    """Whether two assets are one thing, look alike or are called alike; symmetric."""
    first, second = icon_info(a), icon_info(b)
    return (
        first.en == second.en
        or first.zh == second.zh
        or second.name in _groups().get(first.name, frozenset())
    )
