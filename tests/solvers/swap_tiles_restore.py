"""The independent judge of ``swap_tiles_restore``: makes the joints between tiles smooth.

The colours of CIELAB along the edges of all tiles as they lie say how well any tile would
join any other. Starting from what is shown, the arrangements that as many swaps as the goal
prints lead to are searched, best joints first; the smoothest is made by drags or clicks.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Box
from factory.testing import View

COUNTS = {"one swap": 1, "two swaps": 2, "three swaps": 3, "一次": 1, "两次": 2, "三次": 3}
DRAGS = ("Drag", "拖")
MISREADS = 0.02
"""Of halves that join alike along the sky it takes the wrong one: joints are all it looks at."""

BEAM = 400
INSIDE_CSS = (1.5, 3.5)
"""Where colours along an edge are read: two lines, of which the nearer one is drawn out."""

STRONG = 40.0
"""A difference in CIELAB beyond which a joint is broken, however far."""


def solve(view: View) -> list[ActionBase]:
    """The swaps that smooth the picture."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    tiles = [boxes[f"cell.{k}"] for k in range(len(boxes)) if f"cell.{k}" in boxes]
    goal = view.record.tasks[0].goal
    swaps = next(count for word, count in COUNTS.items() if word in goal)
    actions: list[ActionBase] = []
    for a, b in _best(view, tiles, swaps):
        ends = tiles[a].center, tiles[b].center
        drag = any(word in goal for word in DRAGS)
        actions += [Drag(*ends)] if drag else [Click(end) for end in ends]
    return [*actions, *([Click(boxes["submit"].center)] if "submit" in boxes else [])]


def _best(view: View, tiles: list[Box], swaps: int) -> tuple[tuple[int, int], ...]:
    """The swaps whose arrangement joins best."""
    columns = sum(tile.y0 == tiles[0].y0 for tile in tiles)
    across, down = _costs(view, tiles)
    count, pairs = len(tiles), list(combinations(range(len(tiles)), 2))
    beside = [k for k in range(count) if (k + 1) % columns]
    above = [k for k in range(count) if k + columns < count]

    def cost(lies: Any) -> Any:
        right, foot = np.add(beside, 1), np.add(above, columns)
        return across[lies[:, beside], lies[:, right]].sum(axis=1) + down[
            lies[:, above], lies[:, foot]
        ].sum(axis=1)

    found: list[tuple[list[int], tuple[tuple[int, int], ...]]] = [([*range(count)], ())]
    for _ in range(swaps):
        after: dict[tuple[int, ...], tuple[tuple[int, int], ...]] = {}
        for lies, made in found:
            for a, b in pairs:
                other = lies.copy()
                other[a], other[b] = other[b], other[a]
                after.setdefault(tuple(other), (*made, (a, b)))
        keys = list(after)
        ranked = np.argsort(cost(np.array(keys)), kind="stable")[:BEAM]
        found = [([*keys[k]], after[keys[k]]) for k in ranked]
    return found[0][1]


def _costs(view: View, tiles: list[Box]) -> tuple[Any, Any]:
    """Cost of each tile (first) left of, and above, each other one."""
    dpr = view.record.observations[0].dpr
    lab = cv2.cvtColor(view.picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    reduced = [_sides(lab, tile, dpr) for tile in tiles]
    left, top, right, foot = (np.stack([one[k] for one in reduced]) for k in range(4))
    return _apart(right, left), _apart(foot, top)


def _apart(mine: Any, other: Any) -> Any:
    off = np.linalg.norm(mine[:, None] - other[None], axis=3)
    return np.minimum(off, STRONG).mean(axis=2)


def _sides(lab: Any, tile: Box, dpr: float) -> list[Any]:
    """Colours along left, top, right and foot, drawn out to the edge."""
    near, far = (off * dpr for off in INSIDE_CSS)
    lines = [[_line(lab, tile.grown(-off), k) for off in (near, far)] for k in range(4)]
    return [one + 0.5 * (one - two) for one, two in lines]


def _line(lab: Any, box: Box, side: int) -> Any:
    shares = (np.arange(40, dtype=np.float32) + 0.5) / 40
    x, y = box.x0 + shares * box.width, box.y0 + shares * box.height
    xs = [np.full_like(x, box.x0), x, np.full_like(x, box.x1), x][side]
    ys = [y, np.full_like(y, box.y0), y, np.full_like(y, box.y1)][side]
    across, down = ((part - 0.5).astype(np.float32)[:, None] for part in (xs, ys))
    return cv2.remap(lab, across, down, cv2.INTER_LINEAR).reshape(-1, 3)
