"""The independent judge of ``drag_sort_to_bins``: names every thing by its pixels.

Things are rendered anew from their files and held against the tiles as the judge of
``grid_category_select`` does. Named bins take the kinds that the catalogue knows; a silhouette
is laid over the outlines of the things that were named, in all ways.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Box
from factory.draw import icons
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("grid_category_select", Path(__file__).parent)
"""How things look in discs and badges."""

GHOST_PX = 48
"""Silhouettes are compared at this size."""

STEP = 40.0
"""Levels (sum over channels) between a silhouette and its bin."""


def solve(view: View) -> list[ActionBase]:
    """Drag each thing to the middle of its bin, then click the button where there is one."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    things = [boxes[f"piece.{k}"] for k in range(len(boxes)) if f"piece.{k}" in boxes]
    cards = [boxes[f"bin.{k}"] for k in range(len(boxes)) if f"bin.{k}" in boxes]
    printed = [one.kind for one in view.state.bins]
    homes = _by_kind(view, things, printed) if any(printed) else _by_shape(view, things, cards)
    drags = [Drag(box.center, cards[home].center) for box, home in zip(things, homes, strict=True)]
    return [*drags, *([Click(boxes["submit"].center)] if "submit" in boxes else [])]


def _by_kind(view: View, things: list[Box], printed: list[str]) -> list[int]:
    pool = tuple(
        info.asset for kind in printed for info in icons.icons(view.record.split, category=kind)
    )
    named = [_named(view.picture, box, pool) for box in things]
    return [printed.index(icons.icon_info(asset).category) for asset in named]


def _by_shape(view: View, things: list[Box], cards: list[Box]) -> list[int]:
    """The way to lay the things on the silhouettes in which most px are covered alike."""
    pool = tuple(info.asset for info in icons.icons(view.record.split, "emoji3d"))
    own = [_shape(reading._art(_named(view.picture, box, pool))[..., 3] > 128) for box in things]
    ghosts = [_ghost(view.picture, card) for card in cards]
    alike = np.array([[(a & b).sum() / (a | b).sum() for b in ghosts] for a in own])
    ways = permutations(range(len(cards)), len(things))
    return list(max(ways, key=lambda way: sum(alike[k, home] for k, home in enumerate(way))))


def _named(picture: Any, box: Box, pool: tuple[str, ...]) -> str:
    """The thing of a pool that explains a tile best."""
    window = reading._window(picture, box)
    grouped = reading._grouped(window)
    best: list[tuple[float, str]] = []
    for source, ahead in (("icon/", 0.0), ("emoji3d/", reading.HEAD_START)):
        found = _templates(tuple(asset for asset in pool if asset.startswith(source)))
        if not found.poses:
            continue
        if source == "icon/":
            score = reading.line_scores(found, [grouped])[:, 0]
        else:
            score = reading.colour_scores(found, [window])[:, 0]
        top = int(score.argmax())
        best.append((float(score[top]) + ahead, found.poses[top].asset))
    return max(best)[1]


@lru_cache(maxsize=64)
def _templates(pool: tuple[str, ...]) -> Any:
    poses = [
        reading.Pose(asset, dress, False, 0.0) for asset in pool for dress in ("disc", "badge")
    ]
    return reading._drawn(poses) if poses else reading.Templates([], *(np.zeros(0),) * 7)


def _ghost(picture: Any, card: Box) -> Any:
    """The silhouette in a bin."""
    x0, y0, x1, y1 = card.grown(-0.1 * card.height).outer_pixels()
    seen = picture[y0:y1, x0:x1].astype(np.float32)
    paper = np.median(seen[[2, -3]].reshape(-1, 3), axis=0)
    inked = (np.abs(seen - paper).sum(axis=2) > STEP).astype(np.uint8)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(inked)
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()) if count > 1 else 0
    return _shape(marks == largest)


def _shape(inked: Any) -> Any:
    """A mask in its bounding box, brought to one size with its proportions."""
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    cut = inked[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.uint8)
    scale = GHOST_PX / max(cut.shape)
    size = (max(1, round(cut.shape[1] * scale)), max(1, round(cut.shape[0] * scale)))
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA) > 0
    whole = np.zeros((GHOST_PX, GHOST_PX), bool)
    y, x = (GHOST_PX - size[1]) // 2, (GHOST_PX - size[0]) // 2
    whole[y : y + size[1], x : x + size[0]] = small
    return whole
