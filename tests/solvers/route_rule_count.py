"""The independent judge of ``route_rule_count``: finds lines by their colour and tries all routes.

Two stops are joined where everything between them is of one ink; which ink has which name the
state prints, as a palette. A and B are the large stops. Routes are followed one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Type
from factory.draw.colour_names import called
from factory.draw.colours import parse_hex
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("path_reading", Path(__file__).parent)
"""What the judges of paths share."""

BETWEEN = np.linspace(0.0, 1.0, 15)
NEAR_LAB = 22.0
"""CIELAB distance within which a px is of an ink: half of what two inks differ by, and JPEG's."""

ALIKE_SHARE = 0.85
"""Share of places between two stops that have to be of one ink."""

AVOID = ("no ", "不走")


def solve(view: View) -> list[ActionBase]:
    """The number of routes, typed into the field."""
    boxes, goal = reading.regions(view), view.record.tasks[0].goal
    names = [
        name for name in view.state.names if any(called(name, x) in goal for x in ("en", "zh"))
    ]
    named = view.state.names.index(names[0])
    stops = [boxes[f"stop.{k}"] for k in range(len(boxes)) if f"stop.{k}" in boxes]
    large = sorted(range(len(stops)), key=lambda k: -stops[k].width)[:2]
    avoid = any(re.search(rf"(?i){word}", goal.replace("no stop", "")) for word in AVOID)
    links = [
        {a, b} for a, b, ink in _links(view, stops) if (ink != named if avoid else ink == named)
    ]
    count = sum(1 for _ in _routes(links, [large[0]], large[1]))
    clicks = [Click(boxes[name].center) for name in ("field", "submit") if name in boxes]
    return [clicks[0], Type(str(count)), *clicks[1:]]


def _links(view: View, stops: list[Any]) -> Iterator[tuple[int, int, int]]:
    """Two stops and the ink between them."""
    inks = _lab(np.array([[parse_hex(ink)[::-1] for ink in view.state.inks]], np.uint8))[0]
    smooth = _lab(cv2.GaussianBlur(view.picture, (0, 0), 0.5 * view.record.observations[0].dpr))
    for a, b in combinations(range(len(stops)), 2):
        (x0, y0), (x1, y1) = stops[a].center, stops[b].center
        far = float(np.hypot(x1 - x0, y1 - y0))
        if _passes(stops, a, b):
            continue
        ends = [(0.5 * stop.width + 3) / far for stop in (stops[a], stops[b])]
        if sum(ends) > 0.8:
            continue
        t = ends[0] + (1 - ends[0] - ends[1]) * BETWEEN
        found = smooth[(y0 + t * (y1 - y0)).astype(int), (x0 + t * (x1 - x0)).astype(int)]
        off = np.linalg.norm(found[:, None] - inks[None], axis=2)
        ink = int(np.bincount(off.argmin(axis=1)).argmax())
        if (off[:, ink] < NEAR_LAB).mean() >= ALIKE_SHARE:
            yield a, b, ink


def _passes(stops: list[Any], a: int, b: int) -> bool:
    """Whether another stop lies on the way from a stop to another."""
    start, way = np.array(stops[a].center), np.subtract(stops[b].center, stops[a].center)
    for k in set(range(len(stops))) - {a, b}:
        off = np.subtract(stops[k].center, start)
        share = float(np.clip(off @ way / (way @ way), 0, 1))
        if np.linalg.norm(off - share * way) < 0.5 * stops[k].width + 2:
            return True
    return False


def _lab(pixels: Any) -> Any:
    return cv2.cvtColor(pixels.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)


def _routes(links: list[set[int]], way: list[int], end: int) -> Iterator[list[int]]:
    """Ways on to the end that pass no stop twice."""
    if way[-1] == end:
        yield way
        return
    for link in links:
        for stop in link - {way[-1]} if way[-1] in link else ():
            if stop not in way:
                yield from _routes(links, [*way, stop], end)
