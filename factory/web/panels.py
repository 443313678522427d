"""Panel layouts in whole CSS px, computed without a browser.

The layout decides where everything is; what is painted only has to agree.
Labels, regions and the raster kit read the same boxes.
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import blake2b
from typing import Any, Literal

import orjson

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw.tokens import Tokens, tokens_named
from factory.web.content import PageContent
from templates import PANELS

Surface = Literal["card", "sheet", "flat"]
Shape = Literal["circle", "rect"]

GOAL_FONT_PX, GOAL_LINE_PX, GOAL_LINES = 16, 22, 2
"""The goal area holds two lines of 16 px text."""

LEAST_WIDTH = 300
"""A narrower panel has no room for two lines of goal beside its padding."""

RING_PX = {"circle": 6, "rect": 1}
"""How far the slot's frame reaches beyond the slot."""

PAD_PX = {"sheet": 20, "flat": 20}
"""Padding where the panel is as wide as the phone's screen: the page's own margin."""

FOOTERS = ("none", "why", "new", "trouble", "why+new", "reference+why", "reference+new")


@dataclass(frozen=True)
class PanelStyle:
    """How a panel looks apart from its tokens."""

    goal_place: Literal["above", "below"]
    align: Literal["left", "center"]
    title: bool
    track_height: int
    handle: Literal["round", "pill", "square"]
    handle_inset: int
    handle_icon: str
    footer: str
    """One of ``FOOTERS``: what stands there; every control in it is a real one."""
    footer_place: Literal["top", "bottom"]
    footer_align: Literal["left", "right", "center"]
    divider: bool

    @classmethod
    def draw(cls, stream: Stream, tokens: Tokens) -> PanelStyle:
        """A style by chance that suits the tokens' corners."""
        soft = tokens.radius_px >= 12
        handle = stream.choice(("round", "pill") if soft else ("square", "square", "pill"))
        return cls(
            goal_place=stream.weighted(("above", "below"), (0.7, 0.3)),
            align=stream.weighted(("left", "center"), (0.6, 0.4)),
            title=stream.chance(0.45),
            track_height=stream.choice((36, 38, 40, 42, 44, 46, 48)),
            handle=handle,
            handle_inset=stream.choice((0, 3)),
            handle_icon=stream.choice(
                (
                    "arrow-right",
                    "chevrons-right",
                    "chevron-right",
                    "grip-vertical",
                    "move-horizontal",
                )
            ),
            footer=stream.choice(FOOTERS),
            footer_place=stream.weighted(("bottom", "top"), (0.75, 0.25)),
            footer_align=stream.choice(("left", "right", "center")),
            divider=stream.chance(0.4),
        )


@dataclass(frozen=True)
class FootItem:
    """One thing in the footer: ``role`` is ``link``, ``button`` or ``text``."""

    role: str
    text: str


@dataclass(frozen=True)
class PanelLayout:
    """A panel before it is painted. ``boxes`` are whole CSS px from its top-left corner:

    ``panel, goal, slot, track, handle, label`` always; ``grip`` on sheets,
    ``title``, ``divider`` and ``footer`` where the style has them. ``handle``
    is at rest, at the left end of the track.
    """

    width: int
    height: int
    boxes: dict[str, Box]
    style: PanelStyle
    surface: Surface
    shape: Shape
    tokens: str
    lang: str
    touch: bool
    title: str
    label: str
    foot: tuple[FootItem, ...]

    @property
    def ground(self) -> str:
        """The colour role behind the goal text."""
        return "page_bg" if self.surface == "flat" else "surface"

    @property
    def look(self) -> Tokens:
        """Its token set."""
        return tokens_named(self.tokens)

    @property
    def travel_px(self) -> int:
        """CSS px that the handle can move to the right."""
        track, handle = self.boxes["track"], self.boxes["handle"]
        return round(track.x1 - self.style.handle_inset - handle.x1)

    @property
    def margins(self) -> tuple[int, int, int, int]:
        """(left, top, right, bottom) CSS px around the panel that its shadow may reach."""
        if self.surface == "flat":
            return (0, 0, 0, 0)
        if self.surface == "sheet":
            return (0, 40, 0, 0)
        margin = max(2, self.look.shadow_margin_px)
        return (margin, margin, margin, margin)

    def to_json(self) -> dict[str, Any]:
        """JSON-able, boxes as ``[x0, y0, x1, y1]``."""
        data = asdict(self)
        data["boxes"] = {name: box.as_list() for name, box in self.boxes.items()}
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> PanelLayout:
        """The layout that ``to_json`` wrote."""
        return cls(
            **data
            | {
                "boxes": {name: Box(*edges) for name, edges in data["boxes"].items()},
                "style": PanelStyle(**data["style"]),
                "foot": tuple(FootItem(**item) for item in data["foot"]),
            }
        )

    def digest(self, dpr: int) -> str:
        """16 hex digits of the layout and the DPR."""
        text = orjson.dumps([self.to_json(), dpr], option=orjson.OPT_SORT_KEYS)
        return blake2b(text, digest_size=8).hexdigest()


@cache
def _wording() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((PANELS / "text.toml").read_text(encoding="utf-8"))


def _foot(style: PanelStyle, lang: str, stream: Stream) -> tuple[FootItem, ...]:
    words = _wording()[lang]
    roles = {"why": "link", "trouble": "link", "new": "button", "reference": "text"}
    items = []
    for name in () if style.footer == "none" else style.footer.split("+"):
        text = stream.choice(words[name])
        if name == "reference":
            text = f"{text} {PageContent('', lang, stream.name).code('reference')}"
        items.append(FootItem(roles[name], text))
    return tuple(items)


def slider_panel(
    content_w: int,
    content_h: int,
    *,
    tokens: Tokens,
    lang: str,
    style: PanelStyle,
    stream: Stream,
    kind: str = "turn",
    shape: Shape = "circle",
    surface: Surface = "card",
    touch: bool = False,
    width: int | None = None,
) -> PanelLayout:
    """The layout of a panel with one picture and one slider.

    ``content_w`` and ``content_h`` are the slot in CSS px; ``kind`` chooses
    the track's wording (``turn`` or ``shift``); ``width`` is for sheets and
    full screens. ``InvalidOptions`` when the picture is wider than the panel.
    """
    pad, ring = PAD_PX.get(surface, 2 * tokens.unit_px), RING_PX[shape]
    wide = width if width is not None else max(LEAST_WIDTH, content_w + 2 * (pad + ring))
    if content_w + 2 * ring > wide:
        raise InvalidOptions(f"a picture of {content_w} px does not fit a panel of {wide} px")
    if style.footer_place == "top":
        # Beside the title there is room for one thing only.
        style = replace(style, title=True, align="left", footer=style.footer.split("+")[-1])
    words = _wording()[lang]
    foot = _foot(style, lang, stream.child("foot"))
    boxes, height = _stack(content_w, content_h, wide, pad, ring, style, surface, bool(foot))
    return PanelLayout(
        width=wide,
        height=height,
        boxes=boxes,
        style=style,
        surface=surface,
        shape=shape,
        tokens=tokens.name,
        lang=lang,
        touch=touch,
        title=stream.child("title").choice(words["title"]) if style.title else "",
        label=stream.child("label").choice(words[kind]),
        foot=foot,
    )


def _stack(
    content_w: int,
    content_h: int,
    wide: int,
    pad: int,
    ring: int,
    style: PanelStyle,
    surface: str,
    has_foot: bool,
) -> tuple[dict[str, Box], int]:
    """The boxes from top to bottom, and the panel's height."""
    gap, inner = pad - 2, wide - 2 * pad
    boxes: dict[str, Box] = {}
    y = pad
    if surface == "sheet":
        boxes["grip"] = Box.sized((wide - 40) // 2, 9, 40, 5)
        y = 26
    top_foot = has_foot and style.footer_place == "top"
    if style.title:
        boxes["title"] = Box.sized(pad, y, inner // 2 if top_foot else inner, 20)
        if top_foot:
            boxes["footer"] = Box.sized(pad + inner // 2, y, inner - inner // 2, 20)
        y += 20 + gap - 4
    goal_height = GOAL_LINES * GOAL_LINE_PX
    if style.goal_place == "above":
        boxes["goal"] = Box.sized(pad, y, inner, goal_height)
        y += goal_height + gap - 2
    boxes["slot"] = Box.sized((wide - content_w) // 2, y + ring, content_w, content_h)
    y += content_h + 2 * ring + gap
    if style.goal_place == "below":
        boxes["goal"] = Box.sized(pad, y, inner, goal_height)
        y += goal_height + gap - 4
    boxes |= _slider(pad, y, inner, style)
    y += style.track_height
    if has_foot and not top_foot:
        if style.divider:
            boxes["divider"] = Box.sized(pad, y + gap, inner, 1)
            y += gap + 1
        boxes["footer"] = Box.sized(pad, y + gap - 4, inner, 24)
        y += gap + 20
    height = y + (pad + 10 if surface == "sheet" else pad)
    boxes["panel"] = Box.sized(0, 0, wide, height)
    return boxes, height


def _slider(x: int, y: int, inner: int, style: PanelStyle) -> dict[str, Box]:
    """Track, handle at rest and the label to the right of it."""
    tall = style.track_height - 2 * style.handle_inset
    long = {"round": tall, "pill": tall + 14, "square": tall + 6}[style.handle]
    handle = Box.sized(x + style.handle_inset, y + style.handle_inset, long, tall)
    return {
        "track": Box.sized(x, y, inner, style.track_height),
        "handle": handle,
        "label": Box(handle.x1 + 4, y, x + inner - 8, y + style.track_height),
    }
