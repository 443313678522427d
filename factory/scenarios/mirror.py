"""Icons that have a direction, as pages show them that run from the right.

What points back or onward is drawn as its counterpart, and is called by that name, so that a left
arrow is always one that points to the left. Pictures without a counterpart (a paper plane, lines of
a list) are turned and keep their names. Signs of players run from the left everywhere, as a tape.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from factory.scenarios.wording import icon_kind
from factory.web.content import icon

_PAIRS = (
    ("arrow-left", "arrow-right"), ("chevron-left", "chevron-right"), ("undo", "redo"),
    ("undo-2", "redo-2"), ("reply", "forward"), ("panel-left", "panel-right"),
    ("arrow-up-right", "arrow-up-left"), ("arrow-down-left", "arrow-down-right"),
)  # fmt: skip
_COUNTERPART: Mapping[str, str] = {
    name: other for pair in _PAIRS for name, other in (pair, pair[::-1])
}
_TURNED = frozenset({
    "send", "log-in", "log-out", "list", "list-checks", "list-filter", "list-plus", "reply-all",
    "volume-2", "volume-x", "signal", "file-text", "text-cursor-input", "folder-input",
    "external-link", "plane", "plane-takeoff", "plane-landing", "circle-question-mark",
})  # fmt: skip
"""The question mark, too: Arabic has it the other way round."""
BENT = ("undo", "redo")
"""Kinds of icons whose plain names say onward or back, which is no side of the screen."""


def drawn_as(name: str) -> str:
    """The icon that stands for ``name`` on a page that runs from the right."""
    return _COUNTERPART.get(name, name)


@cache
def icon_from_the_right(name: str, size_px: int = 20) -> str:
    """``web.content.icon`` for such pages."""
    drawn = icon(drawn_as(name), size_px)
    if name not in _TURNED:
        return drawn
    return drawn.replace("<svg ", '<svg style="transform:scaleX(-1)" ', 1)


def is_bent(name: str | None) -> bool:
    """Whether nobody knows which side people mean by the icon's plain name, from the right."""
    return bool(name) and icon_kind(name or "") in BENT
