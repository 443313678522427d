"""Where elements stand to each other and on the screen, yes or no with a margin, else undecided.

What lies inside a margin is a judgement call: it is ``None``, and no task may rest on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

Box = tuple[float, float, float, float]
Truth = bool | None
"""Yes, no, or undecided (Kleene's third value)."""

Side = Literal["left_of", "right_of", "above", "below", "row"]
SIDES: tuple[Side, ...] = ("left_of", "right_of", "above", "below")
OPPOSITE: dict[str, Side] = {
    "left_of": "right_of", "right_of": "left_of", "above": "below", "below": "above",
}  # fmt: skip

MARGIN_PX = 24.0
"""By which centres, rows and gaps must differ: WCAG's smallest target (2.5.8)."""
NEXT_PX = 160.0
"""Greatest gap of neighbours; beyond twice of it, nobody would call them so."""
IN_LINE = 0.5
"""Share of the smaller side by which two boxes lie in one row or column."""
SLACK_PX = 1.0

EDGE, FAR_FROM_EDGE = 0.22, 0.28
"""Shares of the viewport: what has its middle nearer to an edge than the first is at it; what keeps
all of itself farther than the second is not."""
ZONES: dict[str, tuple[int, int]] = {
    "top_left": (-1, -1), "top": (0, -1), "top_right": (1, -1), "left": (-1, 0), "right": (1, 0),
    "bottom_left": (-1, 1), "bottom": (0, 1), "bottom_right": (1, 1),
}  # fmt: skip
"""Which edge, across and down; 0 is anywhere along it."""


def every(truths: Sequence[Truth]) -> Truth:
    """Whether all hold: no as soon as one does not, undecided as long as one is."""
    if False in truths:
        return False
    return None if None in truths else True


def in_zone(zone: str, box: Box, size: tuple[float, float]) -> Truth:
    """Whether a box lies at an edge or in a corner of a viewport of ``size``."""
    across, down = ZONES[zone]
    return every([
        _at_edge(across, box[0] / size[0], box[2] / size[0]),
        _at_edge(down, box[1] / size[1], box[3] / size[1]),
    ])  # fmt: skip


def _at_edge(edge: int, start: float, end: float) -> Truth:
    """Of a span in shares of the viewport, at its start (-1), its end (1) or anywhere (0)."""
    if edge == 0:
        return True
    middle = (start + end) / 2
    near, from_edge = (start, middle) if edge < 0 else (1 - end, 1 - middle)
    return True if from_edge <= EDGE else False if near >= FAR_FROM_EDGE else None


def stands(side: str, box: Box, anchor: Box) -> Truth:
    """Whether ``box`` is a neighbour of ``anchor`` on that side, or in one ``row`` with it."""
    if _holds(box, anchor) or _holds(anchor, box):
        return False
    if side == "row":
        return _one_row(box, anchor)
    ahead, gap, shared, apart = _measures(side, box, anchor)
    if ahead <= -MARGIN_PX or apart >= MARGIN_PX or gap >= 2 * NEXT_PX:
        return False
    close = -SLACK_PX <= gap <= NEXT_PX
    return True if ahead >= MARGIN_PX and close and shared >= IN_LINE else None


def gap_px(side: str, box: Box, anchor: Box) -> float:
    """The gap between two neighbours along the line that they share; 0 for those of a row."""
    return 0.0 if side == "row" else _measures(side, box, anchor)[1]


def margin_px(side: str, box: Box, anchor: Box) -> float:
    """By how much the answer of ``stands`` is clear, CSS px: of the centres, or of the rows."""
    if _holds(box, anchor) or _holds(anchor, box):
        return MARGIN_PX
    if side == "row":
        return _apart(box, anchor)[1]
    ahead, gap, _, apart = _measures(side, box, anchor)
    return max(abs(ahead), apart, gap - 2 * NEXT_PX + MARGIN_PX)


def _measures(side: str, box: Box, anchor: Box) -> tuple[float, float, float, float]:
    """How far its centre is ahead on that side, the gap, the share of the line, the rows apart."""
    along = 0 if side in ("left_of", "right_of") else 1
    first, second = (box, anchor) if side in ("left_of", "above") else (anchor, box)
    ahead = (second[along] + second[along + 2] - first[along] - first[along + 2]) / 2
    across = 1 - along
    overlap = min(box[across + 2], anchor[across + 2]) - max(box[across], anchor[across])
    smaller = min(box[across + 2] - box[across], anchor[across + 2] - anchor[across])
    return ahead, second[along] - first[along + 2], overlap / max(smaller, 1e-9), -overlap


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer[0] - SLACK_PX <= inner[0] and outer[1] - SLACK_PX <= inner[1]
        and outer[2] + SLACK_PX >= inner[2] and outer[3] + SLACK_PX >= inner[3]
    )  # fmt: skip


def _one_row(box: Box, anchor: Box) -> Truth:
    overlap, centres = _apart(box, anchor)
    smaller = min(box[3] - box[1], anchor[3] - anchor[1])
    if overlap <= 0:
        return False if centres >= MARGIN_PX else None
    return True if overlap >= IN_LINE * smaller else None


def _apart(box: Box, anchor: Box) -> tuple[float, float]:
    """The height that two boxes share, and how far their middles are apart down the screen."""
    overlap = min(box[3], anchor[3]) - max(box[1], anchor[1])
    return overlap, abs(box[1] + box[3] - anchor[1] - anchor[3]) / 2


def reading_order(boxes: Sequence[Box]) -> tuple[int, ...] | None:
    """Indices along the one row or column in which all boxes lie; None when they do not."""
    for along in (1, 0):
        order = sorted(range(len(boxes)), key=lambda i: boxes[i][along])
        pairs = [(boxes[i], boxes[j]) for i, j in pairwise(order)]
        if all(_follows(first, second, along) for first, second in pairs):
            return tuple(order)
    return None


def _follows(first: Box, second: Box, along: int) -> bool:
    across = 1 - along
    shared = min(first[across + 2], second[across + 2]) - max(first[across], second[across])
    smaller = min(first[across + 2] - first[across], second[across + 2] - second[across])
    return second[along] >= first[along + 2] - SLACK_PX and shared >= IN_LINE * smaller
