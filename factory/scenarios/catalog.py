"""The apps that scenarios are of: what each is called, can do, cannot do and may be asked.

An app is a folder of ``templates/scenarios`` with ``app.toml`` and one template a screen.
A function stands there as ``key = { icon = [...], role = "...", en = [labels, phrases] }``:
the words that may be drawn on its control, and phrases of what pressing it does, in words of the
user. Functions that many apps have lie in ``_common.toml``.

Every app has English and Chinese. A language written from the right is a file more, ``<lang>.toml``
beside ``app.toml``, with the words that are drawn; its pages are asked about in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args

from factory.core.errors import InvalidOptions
from factory.scenarios.page import PLATFORMS, Platform, Role
from templates import SCENARIOS

LANGS = ("en", "zh")
"""Languages that every app has, and that instructions are in."""
RTL = ("ar",)
"""Languages written from the right: of pages of the apps that have them, never of instructions."""
ROLES: tuple[str, ...] = get_args(Role)
STATES = ("plain", "dialog", "menu", "toast", "error", "selected", "loading")

Words = Mapping[str, tuple[str, ...]]
"""By language."""


@dataclass(frozen=True)
class Function:
    """Something that an app can do, or a kind of thing in it that can be pressed."""

    key: str
    role: Role
    icon: tuple[str, ...]
    """Names of line icons that may stand for it; empty for one that never has an icon."""
    label: Words
    """Words that may be drawn on its control; empty where the content decides."""
    do: Words
    """What pressing it does, as an infinitive without "to"; may hold ``{slots}``."""


@dataclass(frozen=True)
class ScreenKind:
    """A screen of an app: where it exists, and what may be special about the moment."""

    name: str
    platforms: tuple[Platform, ...]
    states: tuple[str, ...]


@dataclass(frozen=True)
class App:
    """A parsed ``app.toml``."""

    name: str
    names: Words
    icon: str
    group: str
    """What kind of software it is: ``office``, ``media``, ``commerce``, ..."""
    platforms: tuple[Platform, ...]
    screens: Mapping[str, ScreenKind]
    fn: Mapping[str, Function]
    absent: Words
    """Plausible functions that no screen of the app has, as phrases like ``Function.do``."""
    questions: Mapping[str, Words]
    """By the key of a fact: questions that the fact answers."""
    words: Mapping[str, Mapping[str, Any]]
    """By language: pools of content."""
    langs: tuple[str, ...] = LANGS
    """Languages that its pages may be in."""


@cache
def apps() -> tuple[str, ...]:
    """Every app, sorted."""
    return tuple(sorted(path.parent.name for path in SCENARIOS.glob("*/app.toml")))


@cache
def common() -> dict[str, Any]:
    """``_common.toml``: functions, sections and words of every app."""
    return tomllib.loads((SCENARIOS / "_common.toml").read_text(encoding="utf-8"))


def asked_in(lang: str) -> str:
    """The language of instructions about a page in ``lang``."""
    return "en" if lang in RTL else lang


@cache
def common_words(lang: str) -> Mapping[str, Any]:
    """Pools of content of every app in a language."""
    return _own(SCENARIOS, f"_{lang}")["words"] if lang in RTL else common()["words"][lang]


@cache
def common_functions() -> Mapping[str, Function]:
    """Functions that every app has, by key."""
    drawn = {lang: _own(SCENARIOS, f"_{lang}")["fn"] for lang in RTL}
    return {key: _function(key, value, drawn) for key, value in common()["fn"].items()}


@cache
def sections() -> Mapping[str, Words]:
    """What people call the parts of a screen, by ``Item.section``.

    A section that is not here is a heading, drawn as it stands.
    """
    return {key: _words(value) for key, value in common()["section"].items()}


@cache
def app(name: str) -> App:
    """One app; ``InvalidOptions`` with the known names when there is none."""
    if name not in apps():
        raise InvalidOptions(f"no app {name!r}; there are {', '.join(apps())}")
    data = _own(SCENARIOS / name, "app")
    more = {lang: _own(SCENARIOS / name, lang) for lang in RTL if _has(name, lang)}
    drawn = {lang: words["fn"] for lang, words in more.items()}
    platforms = tuple(data["platforms"])
    own = {key: _function(key, value, drawn) for key, value in data["fn"].items()}
    return App(
        name=name,
        names={**_words(data["name"]), **{lang: tuple(one["name"]) for lang, one in more.items()}},
        icon=data["icon"],
        group=data["group"],
        platforms=platforms,
        screens={key: _screen(key, value, platforms) for key, value in data["screen"].items()},
        fn={**common_functions(), **own},
        absent=_words(data["absent"]),
        questions={key: _words(value) for key, value in data.get("questions", {}).items()},
        words={
            **data.get("words", {lang: {} for lang in LANGS}),
            **{lang: one["words"] for lang, one in more.items()},
        },
        langs=(*LANGS, *more),
    )


def _has(name: str, lang: str) -> bool:
    return (SCENARIOS / name / f"{lang}.toml").is_file()


@cache
def _own(folder: Path, name: str) -> dict[str, Any]:
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))


def _words(value: Mapping[str, list[str]]) -> Words:
    return {lang: tuple(value[lang]) for lang in LANGS}


def _screen(name: str, value: dict[str, Any], platforms: tuple[Platform, ...]) -> ScreenKind:
    chosen = tuple(value.get("platforms", platforms))
    states = tuple(value.get("states", ("plain",)))
    if not set(chosen) <= set(PLATFORMS) or not set(states) <= set(STATES):
        raise InvalidOptions(f"screen {name!r} has platforms {chosen} and states {states}")
    return ScreenKind(name, chosen, states)


def _function(
    key: str, value: dict[str, Any], drawn: Mapping[str, Mapping[str, list[str]]]
) -> Function:
    """``drawn`` has the labels of languages that instructions are not in."""
    role = value.get("role", "button")
    if role not in ROLES:
        raise InvalidOptions(f"function {key!r} has the role {role!r}; there are {ROLES}")
    return Function(
        key=key,
        role=role,
        icon=tuple(value.get("icon", ())),
        label={
            **{lang: tuple(value[lang][0]) for lang in LANGS},
            **{lang: tuple(words.get(key, ())) for lang, words in drawn.items()},
        },
        do={lang: tuple(value[lang][1]) for lang in LANGS},
    )
