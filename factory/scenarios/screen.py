"""What templates call to mark what they draw: ids, functions, sections, groups, facts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from factory.core.errors import InvalidOptions
from factory.scenarios.catalog import RTL, App, Function
from factory.scenarios.content import SceneContent
from factory.scenarios.kits import Kit
from factory.scenarios.mirror import drawn_as
from factory.scenarios.page import Hidden, Item, Role, Scene
from factory.scenarios.vocabulary import is_arabic

BLANK_SHARE = 0.12
"""Pages on which one icon button paints nothing, as a missing icon font leaves it."""

CLOSED_MENU_SHARE = 0.5
"""Pages that hold their menus while these are closed, as some frameworks do."""


class Screen:
    """The one object ``s`` of a template; it collects the items in the order they are marked."""

    def __init__(self, scene: Scene, app: App, kit: Kit, content: SceneContent) -> None:
        self.scene, self.app, self.kit, self.content = scene, app, kit, content
        self.items: dict[str, Item] = {}
        self.facts: dict[str, str] = {}
        self.phone = scene.platform in ("ios", "android")
        self.wide = scene.window.width >= 1600
        self.width, self.height = scene.window.width, scene.window.height
        self.rtl = scene.lang in RTL
        self.start, self.end = ("right", "left") if self.rtl else ("left", "right")
        self.ltr = ' dir="ltr"' if self.rtl else ""
        """An attribute for what runs from the left in every language."""
        self._section = ""
        self._hidden: Hidden = ""
        self._keeps_menus = content.stream("closed menus").chance(CLOSED_MENU_SHARE)
        self._blank_left = content.stream("blank").chance(BLANK_SHARE)

    def fn(self, key: str) -> Function:
        """A function of the app; ``InvalidOptions`` for one that ``app.toml`` lacks."""
        if key not in self.app.fn:
            raise InvalidOptions(f"{self.app.name}/{self.scene.screen} uses no function {key!r}")
        return self.app.fn[key]

    def label(self, key: str) -> str:
        """The words drawn for a function on this page."""
        labels = self.fn(key).label.get(self.scene.lang)
        if not labels:
            raise InvalidOptions(f"{self.app.name}: function {key!r} has no label")
        return self.content.stream(f"label {key}").choice(labels)

    def icon(self, key: str) -> str:
        """The icon drawn for a function on this page, or empty."""
        icons = self.fn(key).icon
        return self.content.stream(f"icon {key}").choice(icons) if icons else ""

    def cls(self, part: str, tone: str = "") -> str:
        """The CSS classes of a part in the page's kit."""
        return self.kit.parts(part, tone)

    def has(self, *states: str) -> bool:
        """Whether this is the moment of one of ``states``."""
        return self.scene.state in states

    def menu(self) -> bool:
        """Whether the page holds its menus: it has to when one is open."""
        return self._keeps_menus or self.has("menu")

    def on(self, *platforms: str) -> bool:
        """Whether the page is for one of ``platforms``."""
        return self.scene.platform in platforms

    @property
    def section(self) -> str:
        """The part of the screen that marks stand in now."""
        return self._section

    def enter(self, section: str) -> str:
        """What is marked from now on stands in ``section``."""
        self._section = section
        return ""

    def hide(self, why: Hidden = "") -> str:
        """What is marked from now on is not seen, and why; empty ends it."""
        self._hidden = why
        return ""

    def cover(self) -> str:
        """What was marked so far lies behind what comes now."""
        for key, item in self.items.items():
            if not item.hidden:
                self.items[key] = msgspec.structs.replace(item, hidden="cover")
        return ""

    def run(self, text: str) -> str:
        """An attribute for a text that runs from the left on a page that does not."""
        return "" if is_arabic(text) else self.ltr

    def fact(self, key: str, value: Any) -> str:
        """Something that a question of the app may ask of this page."""
        if key not in self.app.questions:
            raise InvalidOptions(f"{self.app.name} has no question for the fact {key!r}")
        self.facts[key] = str(value)
        return ""

    def blank(self, icon: str) -> bool:
        """Whether this icon button is the one that paints nothing; at most one a page."""
        if not (self._blank_left and icon and self.content.flip(f"blank {len(self.items)}", 0.2)):
            return False
        self._blank_left = False
        return True

    def item(
        self,
        fn: str = "",
        *,
        role: Role | str = "",
        label: str = "",
        icon: str = "",
        args: dict[str, str] | None = None,
        group: str = "",
        hidden: Hidden = "",
        **state: Any,
    ) -> str:
        """Mark an element: `` id="x12"``, to be written into its tag. ``state`` by its words."""
        known = self.fn(fn).role if fn else "text"
        key = f"x{len(self.items) + 1}"
        self.items[key] = Item(
            id=key,
            role=role or known,  # type: ignore[arg-type]
            fn=fn,
            args={name: str(value) for name, value in (args or {}).items()},
            label=str(label),
            icon=drawn_as(icon) if self.rtl else icon,
            section=self._section,
            group=group,
            state=_said(state),
            hidden=hidden or self._hidden,
        )
        return f' id="{key}"'

    def placed(self) -> dict[str, Item]:
        """The items with ``place`` and ``of`` inside their group and section."""
        sizes = Counter((i.section, i.group) for i in self.items.values() if i.group)
        met: Counter[tuple[str, str]] = Counter()
        out: dict[str, Item] = {}
        for key, item in self.items.items():
            where = (item.section, item.group)
            if item.group:
                met[where] += 1
                item = msgspec.structs.replace(item, place=met[where], of=sizes[where])
            out[key] = item
        return out


def _said(state: dict[str, Any]) -> dict[str, str]:
    """States as text: booleans as ``true`` and ``false``, None left out."""
    named = {name: str(v).lower() if isinstance(v, bool) else str(v) for name, v in state.items()}
    return {name: named[name] for name, value in state.items() if value is not None}
