"""The verified table of a screen: what was measured joined with what the template meant.

Everything later (queries, instructions, refusals, answers) reads this table and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from factory.scenarios.catalog import RTL
from factory.scenarios.elements import Box, Element, Seen, under_lids, with_effects
from factory.scenarios.loose_icons import loose_icons
from factory.scenarios.page import Item, ScenePage
from factory.scenarios.tints import ANY, COLOURED, NO_TINT, Tint, tint_of
from factory.web.paint import Pixels
from factory.web.verdict.alike import normal
from factory.web.verdict.pixels import rgb_of
from factory.web.verdict.types import Ink, PageVerdict, Reason, Rejection, Target

ROLES: Mapping[str, str] = {
    "button": "button", "link": "link", "tab": "tab", "checkbox": "checkbox", "switch": "switch",
    "radio": "radio", "textbox": "field", "searchbox": "field", "spinbutton": "field",
    "combobox": "select", "listbox": "select", "slider": "slider", "menuitem": "menuitem",
    "menuitemcheckbox": "menuitem", "menuitemradio": "menuitem", "option": "option", "row": "row",
    "treeitem": "row", "cell": "cell", "gridcell": "cell", "img": "image", "image": "image",
}  # fmt: skip
"""What an accessible role is to a person (types of ``page.Role``)."""

SHUT = {Reason.DISABLED, Reason.ARIA_DISABLED}
"""In plain view, but no press is taken."""

UNSEEN = {
    Reason.CSS_HIDDEN, Reason.NO_BOX, Reason.OFF_VIEWPORT, Reason.SCROLLED_OUT, Reason.NO_INK,
}  # fmt: skip
LARGEST_ICON = 64.0
"""CSS px of a side: larger pictures are charts and photographs."""

TICKED = ("checkbox", "switch", "radio")
"""Roles whose words are drawn beside them, by a label."""

STATES = ("checked", "selected", "expanded", "pressed")
"""States that the page's markup and the item both tell, as ``true`` or ``false``."""
UNFOLDED = ("row", "select")
"""Roles that one calls folded or not; a button that opens a menu has ``aria-expanded`` as well."""

SAID_TRUE, SAID_FALSE = {"true", "yes", "on", "1", "page", "step"}, {"false", "no", "off", "0", ""}


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The elements of one screen in document order; ``size`` is the viewport in CSS px."""

    elements: tuple[Element, ...]
    size: tuple[float, float]
    app: str = ""
    screen: str = ""
    platform: str = "web"
    lang: str = "en"
    title: str = ""
    facts: dict[str, str] = {}

    @property
    def rtl(self) -> bool:
        """Whether the page runs from the right."""
        return self.lang in RTL

    @property
    def targets(self) -> tuple[Element, ...]:
        """What can be pressed."""
        return tuple(e for e in self.elements if e.target)

    def by_id(self, id: str) -> Element | None:
        """The element of a selector, if there is one."""
        return next((e for e in self.elements if e.id == id), None)


def table_of(page: ScenePage, verdict: PageVerdict, png: bytes) -> Table:
    """The table of a page from its verdict and the picture that the verdict is about."""
    pixels, dpr = rgb_of(png), verdict.window["dpr"]
    items = {f"#{id}": item for id, item in page.items.items()}
    rows = [_accepted(t, items.get(t.selector), pixels, dpr) for t in verdict.accepted]
    rows += [_rejected(r, items.get(r.selector), pixels, dpr) for r in verdict.rejected]
    judged = {row.id for row in rows}
    rows += [_unjudged(id, item) for id, item in items.items() if id not in judged]
    rows = _with_loose_icons(rows, loose_icons(page))
    scene = page.scene
    return Table(
        elements=with_effects(under_lids(rows)),
        size=(verdict.window["width"], verdict.window["height"]),
        app=scene.app, screen=scene.screen, platform=scene.platform, lang=scene.lang,
        title=page.title, facts=dict(page.facts),
    )  # fmt: skip


def _with_loose_icons(rows: Sequence[Element], icons: tuple[str, ...]) -> list[Element]:
    """The rows, with what unmarked pictures may show, where they are no larger than icons are."""
    return [
        msgspec.structs.replace(row, shows=icons)
        if not row.marked and row.kind == "image" and (row.box is None or _small(row.box)) else row
        for row in rows
    ]  # fmt: skip


def inked(ink: Ink | None) -> float | None:
    """CSS px2 of ink to two digits: one pixel at the threshold must not make another record."""
    return float(f"{ink.area:.2g}") if ink else None


def _small(box: Box) -> bool:
    return max(box[2] - box[0], box[3] - box[1]) <= LARGEST_ICON


def _accepted(target: Target, item: Item | None, pixels: Pixels, dpr: float) -> Element:
    box = _box(target.box_xyxy_css)
    meant = _meant(item, target.role, target.kind)
    tint = _tint(pixels, box, dpr) if meant["role"] in COLOURED else NO_TINT
    said = (target.visible_text, target.dom_text, target.name, target.generated_text, target.alt)
    state, unsure = joined_state(target.state, item, shut=False)
    text, quotable = _drawn_text(target, item)
    return Element(
        **meant, id=target.selector, kind=target.kind,
        text=text, name=target.name,
        words=_words(item, said), ink=inked(target.ink), box=box,
        hit_box=_box(target.hit_box_xyxy_css),
        click=(target.click_xy_css[0], target.click_xy_css[1]),
        grid=(target.grid[0], target.grid[1]), state=state, unsure=unsure, colour=tint.name,
        label_boxes=tuple(_box(b) for b in target.alt_boxes), near=tint.near,
        quotable=quotable,
        target=target.kind in ("control", "generic"),
    )  # fmt: skip


def _drawn_text(target: Target, item: Item | None) -> tuple[str, bool]:
    """What is drawn as its text, and whether that may be quoted.

    Where the label is drawn among counts and details, it is the label; of a box to tick, the label
    beside it.
    """
    text = target.visible_text or target.generated_text
    label = item.label if item else ""
    if item and not text and item.role in TICKED:
        beside = bool(target.alt_boxes) or target.by_label
        same = beside and bool(normal(label)) and normal(label) == normal(target.name)
        return (label, True) if same else ("", False)
    within = normal(label) and f" {normal(label)} " in f" {normal(text)} "
    return label if within else text, target.quotable and not target.generated_text


def _rejected(no: Rejection, item: Item | None, pixels: Pixels, dpr: float) -> Element:
    box = _box(no.box_xyxy_css) if no.box_xyxy_css else None
    seen = _seen(no)
    meant = _meant(item, no.role, no.kind)
    measured = seen != "no" and meant["role"] in COLOURED
    tint = NO_TINT if not measured else _tint(pixels, box, dpr) if box else ANY
    state, unsure = joined_state(no.state, item, shut=no.reason in SHUT)
    return Element(
        **meant, id=no.selector, kind=no.kind,
        text=item.label if item else "", name=no.name, words=_words(item, (no.name,)), seen=seen,
        target=False, reason=str(no.reason), ink=inked(no.ink), box=box,
        state=state, unsure=unsure, colour=tint.name, near=tint.near, quotable=False,
    )  # fmt: skip


def _unjudged(id: str, item: Item) -> Element:
    """An item that the verdict never looked at: a static one on a page of controls."""
    return Element(
        **_meant(item, "", ""), id=id, kind="unjudged", text=item.label, words=_words(item, ()),
        seen="no" if item.hidden else "doubt", target=False, reason="unjudged",
        state=dict(item.state), near=ANY.near, quotable=False,
    )  # fmt: skip


def _meant(item: Item | None, role: str, kind: str) -> dict[str, Any]:
    """What the template says, or what the page's roles say where it says nothing."""
    if item is None:
        shown = kind if kind in ("text", "image") else "other"
        return {"role": ROLES.get(role, shown), "marked": False}
    kept = ("role", "fn", "args", "icon", "section", "group", "place", "of", "hidden")
    return {name: getattr(item, name) for name in kept}


def _seen(no: Rejection) -> Seen:
    """What is scrolled out but for an edge can still be seen; what covers an element may let it
    shine through, which is decided by ``under_lids``."""
    if no.reason in UNSEEN:
        return "doubt" if no.reason is Reason.SCROLLED_OUT and no.value else "no"
    return "yes" if no.reason in SHUT else "doubt"


def _words(item: Item | None, said: Iterable[str]) -> tuple[str, ...]:
    texts = [normal(text) for text in (*said, item.label if item else "")]
    return tuple(dict.fromkeys(text for text in texts if text))


def joined_state(
    dom: Mapping[str, str], item: Item | None, *, shut: bool
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The state in terms of ``true`` and ``false``, and on what page and template disagree."""
    page = {key: value for key, raw in dom.items() if (value := _told(key, raw)) is not None}
    if "current" in dom:
        page.setdefault("selected", str(_flag(dom["current"]) != "false").lower())
    meant = {key: _flag(raw) for key, raw in item.state.items()} if item else {}
    if item and item.role not in UNFOLDED:
        page.pop("expanded", None)
        meant.pop("expanded", None)
    page["disabled"] = str(shut).lower()
    meant.setdefault("disabled", "false" if item else page["disabled"])
    unsure = tuple(k for k in ("disabled", *STATES) if k in meant and meant[k] != page.get(k))
    return {**meant, **page}, unsure


def _told(key: str, raw: str) -> str | None:
    return _flag(raw) if key in STATES else raw if key in ("value", "readonly") else None


def _flag(raw: str) -> str:
    folded = raw.casefold()
    return "true" if folded in SAID_TRUE else "false" if folded in SAID_FALSE else raw


def _box(box: Sequence[float]) -> Box:
    return (box[0], box[1], box[2], box[3])


def _tint(pixels: Pixels, box: Box, dpr: float) -> Tint:
    return tint_of(pixels, tuple(round(v * dpr) for v in box))  # pyright: ignore[reportArgumentType]
