"""The app that a model's content is: its functions in the terms of ``catalog.App``.

A model's words decide nothing. A phrase of what a function does is kept only where it shares words
with the function's own label and with nothing else that can be pressed, so that anybody can tell
from the screen which control is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from factory.llm.plan import Content, Deed
from factory.scenarios import catalog
from factory.scenarios.catalog import App, Function, ScreenKind, Words
from factory.scenarios.page import PLATFORMS
from factory.scenarios.search import shared_meaning

OWN = "own_"
"""Before the keys of a model's functions, apart from those that every app has."""
ALIKE = 0.5
"""Share of words in common from which two functions may be taken for each other."""

COMMON: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "entry": ("row", {"en": "open {name}", "zh": "打开{name}"}),
    "entry_card": ("card", {"en": "open {name}", "zh": "打开{name}"}),
    "fill": ("field", {"en": "fill in {caption}", "zh": "填写{caption}"}),
    "choose": ("select", {"en": "change {caption}", "zh": "更改{caption}"}),
    "switch": ("checkbox", {"en": "", "zh": ""}),
}
"""Functions that every plan has: what their controls are, and what they do."""

CHROME = (
    "back", "cancel", "go_back", "go_forward", "reload", "address", "bookmark", "new_tab",
    "browser_tab", "close_tab", "extensions", "browser_menu", "browser_profile", "minimize",
    "maximize", "close_window", "start", "taskbar_app", "tray_sound", "tray_network", "clock",
    "app_menu", "system_menu", "control_centre", "dock_app",
)  # fmt: skip
"""Functions of windows, browsers and dialogs, which stand around every screen."""

_SLUG = re.compile(r"[^a-z0-9]+")


def slug(name: str) -> str:
    """A name for an address: ``tidepool-books``; ``app`` where nothing of it is Latin."""
    return _SLUG.sub("-", name.casefold()).strip("-") or "app"


def app_of(content: Content, screen: str) -> App:
    """The app of a content, with one screen."""
    own = {OWN + deed.key: _function(deed, content) for deed in content.functions}
    return App(
        name=slug(content.app_name),
        names=_both(content.app_name),
        icon=content.icon,
        group="written",
        platforms=PLATFORMS,
        screens={screen: ScreenKind(screen, PLATFORMS, ("plain", "dialog"))},
        fn={**catalog.common_functions(), **_common(), **own},
        absent=_both(*(phrase for phrase in content.missing if _is_absent(phrase, content))),
        questions={
            f"value{i}": {
                "en": (f"What value is given for {entry.title}?",),
                "zh": (f"“{entry.title}”对应的数值是什么？",),
            }
            for i, entry in enumerate(content.entries)
        },
        words={lang: {} for lang in catalog.LANGS},
    )


def _both(*words: str) -> Words:
    return {lang: words for lang in catalog.LANGS}


def _common() -> dict[str, Function]:
    return {
        key: Function(
            key=key, role=role, icon=(), label={lang: () for lang in catalog.LANGS},  # type: ignore[arg-type]
            do={lang: (phrase,) if phrase else () for lang, phrase in do.items()},
        )
        for key, (role, do) in COMMON.items()
    }  # fmt: skip


def _function(deed: Deed, content: Content) -> Function:
    clear = is_clear(deed, content)
    return Function(
        key=OWN + deed.key, role="button", icon=(deed.icon,), label=_both(deed.label),
        do=_both(deed.does) if clear else _both(),
    )  # fmt: skip


def is_clear(deed: Deed, content: Content) -> bool:
    """Whether the words of a phrase lead to this function's label and to no other one."""
    others = [one for one in content.functions if one.key != deed.key]
    rivals = [text for one in others for text in (one.label, one.does)]
    return shared_meaning(deed.does, deed.label) >= ALIKE and not any(
        shared_meaning(deed.does, text) >= ALIKE or shared_meaning(deed.label, text) >= ALIKE
        for text in (*rivals, *chrome_phrases())
    )


def chrome_phrases() -> tuple[str, ...]:
    """What the functions around a screen do, in all languages."""
    functions = [catalog.common_functions()[key] for key in CHROME]
    return tuple(phrase for one in functions for lang in catalog.LANGS for phrase in one.do[lang])


def _is_absent(phrase: str, content: Content) -> bool:
    """Whether a function that the app is said to lack is like none that it has."""
    has = [text for one in content.functions for text in (one.label, one.does)]
    return not any(shared_meaning(phrase, text) >= ALIKE for text in has)
