"""How a panel looks apart from its tokens: drawn by chance, once a plate."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from factory.core.rng import Stream
from factory.draw.tokens import Tokens

FOOTERS = ("none", "why", "new", "trouble", "why+new", "reference+why", "reference+new")
ROLES = {"why": "link", "trouble": "link", "new": "button", "reference": "text"}
"""What each thing of a footer is."""

REFERENCE_LETTERS = "ACDEFHJKMNPRTWXY3479"
"""Letters and digits of a reference that are not taken for each other."""

_WORDS = Path(__file__).with_name("words.toml")


@dataclass(frozen=True)
class FootItem:
    """One thing in the footer: ``role`` is ``link``, ``button`` or ``text``."""

    role: str
    text: str


@dataclass(frozen=True)
class PanelStyle:
    """The choices that a designer would make once for a site."""

    goal_place: Literal["above", "below"]
    align: Literal["left", "center"]
    title: bool
    control_height: int
    handle: Literal["round", "pill", "square"]
    handle_inset: int
    handle_icon: str
    arrow_icon: str
    submit_place: Literal["full", "right", "inline"]
    footer: str
    footer_place: Literal["top", "bottom"]
    footer_align: Literal["left", "right", "center"]
    divider: bool

    @classmethod
    def draw(cls, stream: Stream, tokens: Tokens) -> PanelStyle:
        """A style by chance that suits the tokens' corners."""
        soft = tokens.radius_px >= 12
        return cls(
            handle=stream.choice(("round", "pill") if soft else ("square", "square", "pill")),
            goal_place=stream.weighted(("above", "below"), (0.7, 0.3)),
            align=stream.weighted(("left", "center"), (0.6, 0.4)),
            title=stream.chance(0.45),
            control_height=stream.choice((36, 38, 40, 42, 44, 46, 48)),
            handle_inset=stream.choice((0, 3)),
            handle_icon=stream.choice(
                ("arrow-right", "chevrons-right", "chevron-right", "grip-vertical")
            ),
            arrow_icon=stream.choice(("chevron", "arrow")),
            submit_place=stream.choice(("full", "right", "inline")),
            footer=stream.choice(FOOTERS),
            footer_place=stream.weighted(("bottom", "top"), (0.75, 0.25)),
            footer_align=stream.choice(("left", "right", "center")),
            divider=stream.chance(0.4),
        )


@cache
def words(lang: str) -> dict[str, list[str]]:
    """The panels' own wording in a language; goals are not in it."""
    return tomllib.loads(_WORDS.read_text(encoding="utf-8"))[lang]


def foot_items(footer: str, lang: str, stream: Stream) -> tuple[FootItem, ...]:
    """What a footer shows; every control in it is a real one."""
    items: list[FootItem] = []
    for name in () if footer == "none" else footer.split("+"):
        text = stream.choice(words(lang)[name])
        if name == "reference":
            text = f"{text} {_reference(stream.child('reference'))}"
        items.append(FootItem(ROLES[name], text))
    return tuple(items)


def _reference(stream: Stream) -> str:
    """A reference such as ``7KQ4-M2XD``."""
    halves = ("".join(stream.choice(REFERENCE_LETTERS) for _ in range(4)) for _ in range(2))
    return "-".join(halves)
