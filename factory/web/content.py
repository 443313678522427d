"""Keyed page content: the same recipe always says and shows the same things.

Templates call these functions by name; each call has a stream of its own
(``variant`` and the call's name), so adding a word to one place moves no other.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from factory.core.errors import DependencyMissing
from factory.core.rng import Stream, permuted_index
from factory.draw.assets import npm_package
from factory.web.art import picture
from templates import BACKDROPS, BASE, ROOT

ICON_PACKAGE = "lucide-static"
CURRENCIES = {"en": ("£", "$", "€"), "zh": ("¥",)}
TASKBAR_ICONS = ("folder", "mail", "calendar", "camera", "map", "music")
SHORTCUT_ICONS = (
    "file-text", "image", "folder", "download", "archive", "notebook-text", "music", "mic",
)  # fmt: skip
_ICON_HEAD = re.compile(r"^.*?<svg[^>]*>", re.DOTALL)


@cache
def icon(name: str, size_px: int = 20) -> str:
    """A line icon as inline SVG in the current colour."""
    path = npm_package(ICON_PACKAGE) / "icons" / f"{name}.svg"
    if not path.is_file():
        raise DependencyMissing(f"{ICON_PACKAGE} has no icon {name!r}; run `factory setup`")
    inner = _ICON_HEAD.sub("", path.read_text(encoding="utf-8"))
    stroke = 1.75 if size_px <= 24 else 1.6
    return (
        f'<svg width="{size_px}" height="{size_px}" viewBox="0 0 24 24" fill="none" '
        f'stroke="currentColor" stroke-width="{stroke}" stroke-linecap="round" '
        f'stroke-linejoin="round" aria-hidden="true">{inner}'
    )


@cache
def wording(template: str) -> dict[str, Any]:
    """``content.toml`` of a template: ``{"icons": {...}, "en": {...}, "zh": {...}}``."""
    return tomllib.loads((BACKDROPS / template / "content.toml").read_text(encoding="utf-8"))


@cache
def common_wording() -> dict[str, Any]:
    """Wording that any page may use, by language."""
    return tomllib.loads((BASE / "content.toml").read_text(encoding="utf-8"))


@cache
def environment() -> Environment:
    """The Jinja environment over ``templates/``; an unknown name is an error."""
    return Environment(
        loader=FileSystemLoader(ROOT),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )


@dataclass(frozen=True)
class Person:
    """A made-up person."""

    name: str
    initials: str
    mail: str


@dataclass(frozen=True)
class PageContent:
    """What one page says. ``root`` names its streams, ``lang`` is ``en`` or ``zh``.

    ``turn`` counts the pages of the same template and language before it: the
    next page says something else wherever there is more than one wording.
    """

    template: str
    lang: str
    root: str
    turn: int = 0

    def stream(self, name: str) -> Stream:
        """The stream of one call."""
        return Stream(f"{self.root}:{name}")

    def pool(self, name: str) -> list[Any]:
        """All wordings of ``name``: the template's own, else the common ones."""
        own = wording(self.template)[self.lang]
        return own[name] if name in own else common_wording()[self.lang][name]

    def say(self, name: str) -> Any:
        """One wording of ``name``, the same at every call.

        A name that ``follows`` another one in the template's TOML takes the
        wording that belongs to the other's: a picture's caption, say.
        """
        leader = wording(self.template).get("follows", {}).get(name, name)
        size = len(self.pool(leader))
        block, place = divmod(self.turn, size)
        return self.pool(name)[permuted_index(place, size, f"{self.template}/{leader}/{block}")]

    def some(self, name: str, count: int) -> list[Any]:
        """``count`` different wordings of ``name``."""
        return self.stream(f"some {name}").sample(self.pool(name), count)

    def option(self, name: str, *choices: Any) -> Any:
        """One of the layout choices."""
        return self.stream(f"option {name}").choice(choices)

    def number(self, name: str, low: int, high: int) -> int:
        """An integer in ``[low, high)``."""
        return self.stream(f"number {name}").integer(low, high)

    def price(self, name: str, low: float, high: float) -> float:
        """An amount of money in whole, half or .90 units; ten times as much in Chinese."""
        scale = 8 if self.lang == "zh" else 1
        stream = self.stream(f"price {name}")
        return stream.integer(int(low * scale), int(high * scale)) + stream.choice((0, 0.5, 0.9))

    def money(self, amount: float) -> str:
        """``£1,204.50`` in the page's currency."""
        return f"{self.stream('currency').choice(CURRENCIES[self.lang])}{amount:,.2f}"

    def person(self, name: str) -> Person:
        """A person by key."""
        stream = self.stream(f"person {name}")
        first, last = stream.choice(self.pool("first")), stream.choice(self.pool("last"))
        digits = stream.integer(10, 99)
        if self.lang == "zh":
            return Person(last + first, last, f"user{digits}***@post.example")
        mail = f"{first.lower()}.{last[0].lower()}***@post.example"
        return Person(f"{first} {last}", first[0] + last[0], mail)

    def date(self, name: str, later: int = 0) -> str:
        """``12 June`` or ``6 月 12 日``; ``later`` days (6 at most) after the keyed one."""
        stream = self.stream(f"date {name}")
        month, day = stream.choice(self.pool("month")), stream.integer(1, 23) + later
        return f"{month} {day} 日" if self.lang == "zh" else f"{day} {month}"

    def clock(self, name: str) -> str:
        """``14:05``."""
        stream = self.stream(f"clock {name}")
        return f"{stream.integer(7, 22):02d}:{stream.integer(0, 12) * 5:02d}"

    def code(self, name: str, groups: int = 2) -> str:
        """A reference such as ``7KQ4-M2XD``, without letters that look like digits."""
        stream = self.stream(f"code {name}")
        letters = "ACDEFHJKMNPRTWXY3479"
        return "-".join("".join(stream.choice(letters) for _ in range(4)) for _ in range(groups))

    def art(self, name: str, width: int, height: int, kind: str = "") -> str:
        """A procedural picture as inline SVG."""
        return picture(self.stream(f"art {name}"), width, height, kind)

    def pick_icon(self, name: str) -> str:
        """One of the template's icons for ``name``."""
        return self.stream(f"icon {name}").choice(wording(self.template)["icons"][name])

    def shortcuts(self) -> list[tuple[str, str]]:
        """(icon, label) of the desktop's shortcuts."""
        pairs = list(zip(SHORTCUT_ICONS, self.pool("shortcut"), strict=True))
        return self.stream("shortcuts").sample(pairs, 4)

    def taskbar(self) -> list[tuple[str, str]]:
        """(icon, name) of the programs on the taskbar; the last one is in use."""
        pairs = list(zip(TASKBAR_ICONS, self.pool("app"), strict=True))
        own = (self.pick_icon("logo"), self.say("brand"))
        return [*self.stream("taskbar").sample(pairs, 4), own]

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What templates may call, by name."""
        names = (
            "say", "some", "option", "number", "price", "money", "person", "date", "clock",
            "code", "art", "pick_icon", "pool", "shortcuts", "taskbar",
        )  # fmt: skip
        return {"icon": icon, "zip": zip} | {name: getattr(self, name) for name in names}
