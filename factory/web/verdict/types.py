"""What a verdict says: targets with their evidence, rejections with their measured reason.

All boxes are half-open ``[x0, y0, x1, y1]`` in CSS px of the main frame's
viewport, rounded to 1e-4. Nothing here knows a browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from factory.core.errors import InvalidOptions

BoxList = list[float]


@dataclass(frozen=True)
class Window:
    """A viewport: size in CSS px, device px per CSS px (fractions allowed)."""

    width: int = 1280
    height: int = 800
    dpr: float = 1.0

    def __post_init__(self) -> None:
        if not (16 <= self.width <= 8192 and 16 <= self.height <= 8192):
            raise InvalidOptions(f"a viewport of {self.width}x{self.height}; 16 to 8192 px a side")
        if not 0.5 <= self.dpr <= 4:
            raise InvalidOptions(f"a DPR of {self.dpr}; use 0.5 to 4")

    @property
    def size_px(self) -> tuple[float, float]:
        """(width, height) of its screenshot in device px, before rounding."""
        return self.width * self.dpr, self.height * self.dpr


class Reason(StrEnum):
    """Why a candidate is no target, in the order of the gates. docs/grounding.md explains each."""

    CSS_HIDDEN = "css_hidden"
    NO_BOX = "no_box"
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"
    OFF_VIEWPORT = "off_viewport"
    SCROLLED_OUT = "scrolled_out"
    CLIPPED = "clipped"
    POINTER_EVENTS_NONE = "pointer_events_none"
    OCCLUDED = "occluded"
    BEHIND_BACKDROP = "behind_backdrop"
    STOLEN = "stolen"
    NOT_HIT = "not_hit"
    PARTLY_HIT = "partly_hit"
    CLICK_MISSED = "click_missed"
    DISABLED = "disabled"
    ARIA_DISABLED = "aria_disabled"
    INERT = "inert"
    ARIA_HIDDEN = "aria_hidden"
    MOVES_ON_HOVER = "moves_on_hover"
    NO_INK = "no_ink"
    LOW_INK = "low_ink"
    PAINTS_ELSEWHERE = "paints_elsewhere"
    OFF_GRID = "off_grid"


class PageReason(StrEnum):
    """Why a whole page is given up."""

    NOT_LOADED = "not_loaded"
    NOT_SETTLED = "not_settled"
    BROKEN_IMAGE = "broken_image"
    UNSTABLE = "unstable"
    NAVIGATED = "navigated"
    HUNG = "hung"
    CRASHED = "crashed"
    WRONG_SIZE = "wrong_size"
    ZOOMED = "zoomed"


class PageFault(Exception):
    """A page that gets no verdict: ``reason`` and the measured ``detail``."""

    def __init__(self, reason: PageReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class Evidence(msgspec.Struct, kw_only=True):
    """One candidate as the probe measured it. ``reason`` is the first gate that failed."""

    selector: str
    tag: str
    kind: str
    why: str
    state: dict[str, str]
    type: str = ""
    role: str = ""
    name: str = ""
    small: bool = False
    reason: str | None = None
    value: float | None = None
    limit: float | None = None
    by: str | None = None
    by_label: bool = False
    hit_box: BoxList | None = None
    quad: list[float] | None = None
    mask: str = ""
    hits: str = ""
    fraction: float = 0.0
    fragments: int = 0
    dom_text: str = ""
    visible_text: str = ""
    visible_share: float = 0.0
    placeholder: bool = False
    generated_text: str = ""
    alt: str = ""
    surface: bool = False
    text_box: BoxList | None = None
    quotable: bool = False
    href: str = ""
    risky: bool = False
    box: BoxList | None = None
    click: list[float] | None = None
    grid: list[int] | None = None
    label_boxes: list[BoxList] = []


class PageFacts(msgspec.Struct):
    """The page at the time of its measurement."""

    width: float
    height: float
    scale: float
    dpr: float
    scroll: list[float]
    frames: int
    unreachable: list[str]


class Measured(msgspec.Struct):
    """A measurement: the candidates in document order, and the page."""

    candidates: list[Evidence]
    page: PageFacts


class HitReport(msgspec.Struct, frozen=True):
    """The nine points, row-major: ``mask`` of 0 and 1, ``hits`` of letters (50_hits.js)."""

    mask: str
    hits: str
    visible_fraction: float


class Ink(msgspec.Struct, frozen=True):
    """What goes when the target goes: CSS px2 in its box, its bounds, and the share outside."""

    area: float
    box: BoxList | None
    stray: float
    iou: float


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """An element that can be pressed and seen. ``box_xyxy_css`` is the box to publish."""

    selector: str
    tag: str
    type: str
    kind: str
    why: str
    role: str
    name: str
    box_xyxy_css: BoxList
    click_xy_css: list[float]
    grid: list[int]
    hit_box_xyxy_css: BoxList
    text_box_xyxy_css: BoxList | None
    quad_css: list[float] | None
    report: HitReport
    ink: Ink | None
    state: dict[str, str]
    dom_text: str
    visible_text: str
    generated_text: str
    placeholder: bool
    alt: str
    quotable: bool
    small: bool
    by_label: bool
    same_text: int
    same_name: int
    alt_boxes: list[BoxList]


class Rejection(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate that is no target, with the first reason and its measured value."""

    selector: str
    tag: str
    kind: str
    role: str
    name: str
    reason: Reason
    value: float | None
    limit: float | None
    by: str | None
    box_xyxy_css: BoxList | None
    report: HitReport | None
    state: dict[str, str]
    ink: Ink | None = None


class PageVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one page at one window."""

    url: str
    window: dict[str, float]
    scroll: list[float]
    png_size: list[int]
    browser: str
    proof: bool
    frames: int
    unreachable_frames: list[str]
    hover_tested: int
    proof_shots: int
    accepted: list[Target]
    rejected: list[Rejection]

    def to_json(self) -> dict[str, Any]:
        """JSON-able builtins; each row has ``reason``, ``hits`` (a count) and ``click_xy_css``."""
        out = msgspec.to_builtins(self)
        for row in out["accepted"] + out["rejected"]:
            row["hits"] = row["report"]["mask"].count("1") if row["report"] else None
            row.setdefault("reason", None)
            row.setdefault("click_xy_css", None)
        return out
