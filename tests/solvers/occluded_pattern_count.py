"""The independent judge of ``occluded_pattern_count``: names every figure, and carries rows on.

A cell's figure is what differs from the cell's rim; it is called after the outline that it fills
best. Through glass this is done as well. Where a card lies, the shortest motif and the shift that
all free cells keep say what is under it.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.draw.figure_outlines import NAMES
from factory.draw.figures import FINE, Figure, placed
from factory.testing import View

SIDE = 48
"""Px of the square that a cell is brought to."""

CARD = ("card", "卡片")


def solve(view: View) -> list[ActionBase]:
    """The number of the kind under the cover, typed into the field."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    goal, paper = view.record.tasks[0].goal, view.state.pattern
    asked = next(kind for kind in view.state.kinds if any(n in goal for n in _names(kind)))
    slot, cover = boxes["picture"], boxes["cover"]
    wide, tall = slot.width / paper.columns, slot.height / paper.rows
    free: dict[tuple[int, int], str] = {}
    under: list[tuple[int, int]] = []
    seen: list[str] = []
    card = any(word in goal for word in CARD)
    for row in range(paper.rows):
        for column in range(paper.columns):
            x, y = slot.x0 + (column + 0.5) * wide, slot.y0 + (row + 0.5) * tall
            covered = cover.contains((x, y))  # pyright: ignore[reportArgumentType]
            if covered:
                under.append((row, column))
            if covered and card:
                continue
            kind = _kind(view.picture, x, y, min(wide, tall), view.state.kinds)
            if covered:
                seen.append(kind)
            else:
                free[row, column] = kind
    found = _by_law(free, under) if card else seen
    clicks = [Click(boxes[name].center) for name in ("field", "submit") if name in boxes]
    return [clicks[0], Type(str(found.count(asked))), *clicks[1:]]


def _names(kind: str) -> tuple[str, str]:
    english, chinese = NAMES[kind]
    return f"{english}s", chinese


def _kind(picture: Any, x: float, y: float, pitch: float, kinds: tuple[str, ...]) -> str:
    """The kind whose outline the figure of a cell fills best."""
    half = 0.46 * pitch
    x0, y0 = round(x - half), round(y - half)
    cell = picture[max(0, y0) : round(y + half), max(0, x0) : round(x + half)]
    cell = cv2.resize(cell, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    inner = cell[SIDE // 3 : -SIDE // 3, SIDE // 3 : -SIDE // 3].reshape(-1, 3)
    ink = np.median(inner, axis=0)
    off = np.linalg.norm(cell - ink, axis=2)
    rim = np.concatenate(
        [off[:3].ravel(), off[-3:].ravel(), off[:, :3].ravel(), off[:, -3:].ravel()]
    )
    mask = off < 0.5 * np.median(rim)
    scores = [_overlap(mask, _mask(kind)) for kind in kinds]
    return kinds[int(np.argmax(scores))]


def _overlap(a: Any, b: Any) -> float:
    return float((a & b).sum() / max(1, (a | b).sum()))


@lru_cache(maxsize=32)
def _mask(kind: str) -> Any:
    """A kind's outline filled, as it lies in its cell."""
    size = 0.66 / 0.92 * SIDE
    corners = placed(Figure(kind, SIDE / 2, SIDE / 2, size, 0.0, "#000000"), FINE)
    filled = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillPoly(filled, [np.round(np.array(corners)).astype(np.int32)], 1)
    return filled.astype(bool)


def _by_law(free: dict[tuple[int, int], str], under: list[tuple[int, int]]) -> list[str]:
    """The kinds under a card, by the motif and shift with the fewest exceptions."""
    best: tuple[float, list[str]] = (float("inf"), [])
    for length in (2, 3, 4, 5):
        for shift in range(1, length):
            votes: dict[int, Counter[str]] = {k: Counter() for k in range(length)}
            for (row, column), kind in free.items():
                votes[(column + shift * row) % length][kind] += 1
            motif = [vote.most_common(1)[0][0] if vote else "" for vote in votes.values()]
            wrong = sum(
                motif[(column + shift * row) % length] != kind
                for (row, column), kind in free.items()
            )
            score = wrong + 0.1 * length
            if score < best[0]:
                best = (score, [motif[(c + shift * r) % length] for r, c in under])
    return best[1]
