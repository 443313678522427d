"""What a scenario is before a browser sees it: the scene that a key chose, its page, its items.

The grammar makes a ``ScenePage``; the verdict measures it; tasks are compiled from both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from factory.web.verdict.types import Window

Platform = Literal["web", "ios", "android", "windows", "macos"]
PLATFORMS: tuple[Platform, ...] = ("web", "ios", "android", "windows", "macos")

Role = Literal[
    "button", "link", "tab", "checkbox", "switch", "radio", "field", "select", "slider", "menuitem",
    "option", "row", "cell", "card", "image", "text",
]  # fmt: skip
"""What an item is to a person; ``image`` and ``text`` are no controls."""

Hidden = Literal["", "menu", "scroll", "cover", "blank"]
"""Why an item is not seen, where that is meant: in a closed menu, scrolled out, behind a dialog, or
painting nothing."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """What a template says of an element that it marks; ``id`` is the element's id in the page.

    ``fn`` is a function of the app (``compose``) whose phrases ``args`` fill; content has none.
    ``label`` is the text drawn on it, ``icon`` the name of the icon drawn on it. The item is
    number ``place`` of ``of`` in ``group``, from 1, in reading order; ``section`` is the part of
    the screen that it stands in. ``state`` has ``checked``, ``selected``, ``expanded``,
    ``pressed``, ``disabled``, ``value`` where they mean something, as text.
    """

    id: str
    role: Role
    fn: str = ""
    args: dict[str, str] = {}
    label: str = ""
    icon: str = ""
    section: str = ""
    group: str = ""
    place: int = 0
    of: int = 0
    state: dict[str, str] = {}
    hidden: Hidden = ""


@dataclass(frozen=True)
class Scene:
    """Everything that a key fixes before markup: cells of the mixture, in the terms of records."""

    app: str
    screen: str
    platform: Platform
    kit: str
    tokens: str
    theme: str
    lang: str
    density: str
    state: str
    """What is special about the moment: ``plain``, ``dialog``, ``menu``, ``toast``, ``error``,
    ``selected``, ``loading``."""
    window: Window
    root: str
    """Root of the names of all streams of this page."""


@dataclass(frozen=True)
class ScenePage:
    """A page ready to be shown: ``body`` is the inner HTML for the shell of ``scene.kit``."""

    scene: Scene
    body: str
    items: Mapping[str, Item]
    """By id, in the order in which the template marked them."""
    title: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What a screen question may ask: ``unread`` = ``3``; keys are of the app's questions."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """What its maker wants kept in the record."""
