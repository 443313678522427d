"""The independent judge of ``slider_unscramble_steps``: swaps tiles while the joints get smoother.

The colours along the edges of all tiles as they lie say how well any tile would join any other.
Swaps of tiles that have not moved yet are made, best first, a few arrangements side by side;
the smoothest tells how many swaps it takes, and with what the goal prints how many stops.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Drag
from factory.core.geometry import Box, Point
from factory.testing import View

MISREADS = 0.03
"""Joints are all it looks at: halves that join alike along a sky it takes for the right ones."""

TWO = re.compile(r"\bfour\b|四")
BEAM = 24
INSIDE_CSS = (2.0, 4.0)
"""Where colours along an edge are read: two lines, of which the nearer one is drawn out."""

STRONG = 40.0
"""A difference in CIELAB beyond which a joint is broken, however far."""

GAIN = 20.0
"""Swaps that smooth their joints by less, summed over the joints of one, are none."""


def solve(view: View) -> list[ActionBase]:
    """Drag the knob by as many stops as there are swaps to make."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    goal = view.record.tasks[0].goal
    tiles = [boxes[f"cell.{k}"] for k in range(len(boxes)) if f"cell.{k}" in boxes]
    each = 2 if TWO.search(goal) else 1
    stops = int(re.findall(r"\d+", goal)[0])
    swaps = _swaps(_costs(view, tiles), tiles, each, stops)
    knob, track = boxes["handle"], boxes["track"]
    travel = track.width - knob.width - 2 * (knob.x0 - track.x0)
    start = knob.center
    return [Drag(start, Point(start.x + travel * round(swaps / each) / stops, start.y))]


def _swaps(costs: tuple[Any, Any], tiles: list[Box], each: int, stops: int) -> int:
    """How many swaps of tiles that move once lead to the smoothest arrangement."""
    columns = sum(tile.y0 == tiles[0].y0 for tile in tiles)
    count, pairs = len(tiles), list(combinations(range(len(tiles)), 2))
    beside = [(k, k + 1) for k in range(count) if (k + 1) % columns]
    above = [(k, k + columns) for k in range(count - columns)]

    def cost(lies: list[int]) -> float:
        across = sum(costs[0][lies[a], lies[b]] for a, b in beside)
        return across + sum(costs[1][lies[a], lies[b]] for a, b in above)

    def after(lies: list[int], a: int, b: int) -> list[int]:
        other = lies.copy()
        other[a], other[b] = other[b], other[a]
        return other

    first = list(range(count))
    beam = [(cost(first), first)]
    best, swaps = beam[0][0], 0
    for made in range(1, min(count // 2, each * (stops - 1)) + 1):
        found: dict[tuple[int, ...], float] = {}
        for _, lies in beam:
            for a, b in pairs:
                if lies[a] == a and lies[b] == b:
                    other = after(lies, a, b)
                    found.setdefault(tuple(other), cost(other))
        ranked = sorted((value, list(lies)) for lies, value in found.items())
        beam = ranked[:BEAM]
        if beam and beam[0][0] < best - GAIN * (made - swaps):
            best, swaps = beam[0][0], made
    return swaps


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
    return [one + 0.25 * (one - two) for one, two in lines]


def _line(lab: Any, box: Box, side: int) -> Any:
    shares = (np.arange(40, dtype=np.float32) + 0.5) / 40
    x, y = box.x0 + shares * box.width, box.y0 + shares * box.height
    xs = [np.full_like(x, box.x0), x, np.full_like(x, box.x1), x][side]
    ys = [y, np.full_like(y, box.y0), y, np.full_like(y, box.y1)][side]
    across, down = ((part - 0.5).astype(np.float32)[:, None] for part in (xs, ys))
    return cv2.remap(lab, across, down, cv2.INTER_LINEAR).reshape(-1, 3)
