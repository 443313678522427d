"""The words of instructions that belong to no app: ``templates/scenarios/_wording.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def wording() -> Mapping[str, Any]:
    """The parsed file; read once, never changed."""
    path = files("templates").joinpath("scenarios/_wording.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def words(lang: str) -> Mapping[str, Any]:
    """The block of a language."""
    return wording()[lang]


@cache
def _icon_kinds() -> Mapping[str, str]:
    """The kind of each icon that has a name people use."""
    return {icon: kind for kind, row in wording()["icons"].items() for icon in row[2:]}


def icon_kind(icon: str) -> str | None:
    """What kind of thing an icon shows; icons of one kind are not told apart."""
    return _icon_kinds().get(icon)


def plain_icons() -> tuple[str, ...]:
    """One icon of each kind."""
    return tuple(row[2] for row in wording()["icons"].values())


def icon_phrase(icon: str, lang: str) -> str | None:
    """What people call an icon; None for one that has no plain name."""
    kind = icon_kind(icon)
    return wording()["icons"][kind][lang == "zh"] if kind else None


def same_icon(first: str, second: str) -> bool:
    """Whether two icons look alike or mean the same."""
    kind = icon_kind(first)
    return bool(first) and (first == second or (kind is not None and kind == icon_kind(second)))


@cache
def _canon(lang: str) -> Mapping[str, str]:
    return {word: row[0] for row in wording()["synonyms"][lang] for word in row}


def canonical(text: str) -> str:
    """A normal text with each word replaced by the first of those that mean the same."""
    known = {**_canon("en"), **_canon("ar")}
    text = " ".join(known.get(word, word) for word in text.split())
    for word, first in _canon("zh").items():
        text = text.replace(word, first)
    return text


def siblings(lang: str) -> Sequence[Sequence[str]]:
    """Rows of terms of one kind."""
    return wording()["siblings"][lang]
