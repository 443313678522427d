"""The verified table of a screen: what was measured joined with what the template meant.

Everything later (queries, instructions, refusals, answers) reads this table and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from factory.scenarios.page import Item, ScenePage
from factory.scenarios.tints import ANY, Tint, tint_of
from factory.web.paint import Pixels
from factory.web.verdict.alike import normal
from factory.web.verdict.pixels import rgb_of
from factory.web.verdict.types import PageVerdict, Reason, Rejection, Target

Box = tuple[float, float, float, float]
"""``(x0, y0, x1, y1)``, half-open, CSS px of the viewport."""

Seen = Literal["yes", "doubt", "no"]

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
COVERED = {Reason.OCCLUDED, Reason.BEHIND_BACKDROP, Reason.INERT, Reason.NOT_HIT}
"""Not to be pressed; whether something shines through, only the template knows."""

STATES = ("checked", "selected", "expanded", "pressed")
"""States that the page's markup and the item both tell, as ``true`` or ``false``."""
SAID_TRUE, SAID_FALSE = {"true", "yes", "on", "1", "page", "step"}, {"false", "no", "off", "0", ""}


class Element(msgspec.Struct, frozen=True, kw_only=True):
    """One element of a screen. ``target`` says that a press works and can be seen to work.

    ``seen`` is ``doubt`` where an honest person might or might not call it visible: such an element
    makes a positive ambiguous and a negative unproven. ``words`` are all texts by which somebody
    may look for it, normal. ``effect`` is shared by elements that do the same. ``unsure`` names
    states on which page and template disagree. Boxes are null where nothing was measured.
    """

    id: str
    role: str
    kind: str = "control"
    marked: bool = True
    fn: str = ""
    args: dict[str, str] = {}
    icon: str = ""
    section: str = ""
    group: str = ""
    place: int = 0
    of: int = 0
    hidden: str = ""
    text: str = ""
    name: str = ""
    words: tuple[str, ...] = ()
    seen: Seen = "yes"
    target: bool = True
    reason: str = ""
    ink: float | None = None
    box: Box | None = None
    hit_box: Box | None = None
    click: tuple[float, float] | None = None
    grid: tuple[int, int] | None = None
    label_boxes: tuple[Box, ...] = ()
    state: dict[str, str] = {}
    unsure: tuple[str, ...] = ()
    colour: str | None = None
    near: tuple[str, ...] = ()
    quotable: bool = True
    effect: str = ""


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
    scene = page.scene
    return Table(
        elements=with_effects(rows), size=(verdict.window["width"], verdict.window["height"]),
        app=scene.app, screen=scene.screen, platform=scene.platform, lang=scene.lang,
        title=page.title, facts=dict(page.facts),
    )  # fmt: skip


def _accepted(target: Target, item: Item | None, pixels: Pixels, dpr: float) -> Element:
    box = _box(target.box_xyxy_css)
    tint = _tint(pixels, box, dpr)
    said = (target.visible_text, target.dom_text, target.name, target.generated_text, target.alt)
    state, unsure = joined_state(target.state, item, shut=False)
    return Element(
        **_meant(item, target.role, target.kind), id=target.selector, kind=target.kind,
        text=target.visible_text or target.generated_text, name=target.name,
        words=_words(item, said), ink=target.ink.area if target.ink else None, box=box,
        hit_box=_box(target.hit_box_xyxy_css),
        click=(target.click_xy_css[0], target.click_xy_css[1]),
        grid=(target.grid[0], target.grid[1]), state=state, unsure=unsure, colour=tint.name,
        label_boxes=tuple(_box(b) for b in target.alt_boxes), near=tint.near,
        quotable=target.quotable and not target.generated_text,
        target=target.kind in ("control", "generic"),
    )  # fmt: skip


def _rejected(no: Rejection, item: Item | None, pixels: Pixels, dpr: float) -> Element:
    box = _box(no.box_xyxy_css) if no.box_xyxy_css else None
    seen = _seen(no.reason, item)
    tint = Tint(None, ()) if seen == "no" else _tint(pixels, box, dpr) if box else ANY
    state, unsure = joined_state(no.state, item, shut=no.reason in SHUT)
    return Element(
        **_meant(item, no.role, no.kind), id=no.selector, kind=no.kind,
        text=item.label if item else "", name=no.name, words=_words(item, (no.name,)), seen=seen,
        target=False, reason=str(no.reason), ink=no.ink.area if no.ink else None, box=box,
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


def _seen(reason: Reason, item: Item | None) -> Seen:
    if reason in UNSEEN:
        return "no"
    if reason in COVERED:
        return "no" if item and item.hidden == "cover" else "doubt"
    return "yes" if reason in SHUT else "doubt"


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


def with_effects(rows: Sequence[Element]) -> tuple[Element, ...]:
    """The rows with ``effect``: links to one address, and one function outside of any group.

    Boxes of other elements leave ``label_boxes``, which keeps those of labels.
    """
    leader = {row.id: row.id for row in rows}
    by_box = {row.box: row.id for row in rows if row.target and row.box}
    by_fn: dict[object, str] = {}
    for row in rows:
        others = [by_box[box] for box in row.label_boxes if box in by_box]
        if row.fn and not row.group:
            others.append(by_fn.setdefault((row.fn, *sorted(row.args.items())), row.id))
        for other in others:
            _join(leader, row.id, other)
    return tuple(
        msgspec.structs.replace(
            row, effect=_root(leader, row.id),
            label_boxes=tuple(b for b in row.label_boxes if b not in by_box),
        )
        for row in rows
    )  # fmt: skip


def _root(leader: dict[str, str], id: str) -> str:
    while leader[id] != id:
        id = leader[id]
    return id


def _join(leader: dict[str, str], one: str, other: str) -> None:
    first, second = sorted((_root(leader, one), _root(leader, other)))
    leader[second] = first
