"""The independent judge of ``click_icons_in_order``: knows icons from their packages' own files.

Where icons stand is taken from the regions, sorted from left to right, so that their names and
order say nothing. The icons of the strip are named out of all that there are, at a glance and
then closely, and what they may be is sought in the picture.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("icon_reading", Path(__file__).parent)
"""How icons look, and how well they fit."""

MISREADS = 0.02
"""Pale baskets and thin animals on turned badges, a dozen px tall, are now and then taken for
others; 6 of 440 when measured, before tiles were compared by what differs from them."""

SHORTLIST, MEANT = 16, 6
"""So many icons of a source are looked at closely, and so many then sought in the picture."""

DOUBT = 0.2
"""How much worse than the best an icon may fit the strip that is sought as well."""

NAMED = 2.0
"""What a fit in the strip counts, in those in the picture: there icons are smaller, on more."""


def solve(view: View) -> list[ActionBase]:
    """A click on each icon of the strip, found in the picture, then the button."""
    names = {region.name: Box(*region.box) for region in view.record.regions}
    spots = _boxes(names, "target", "distractor")
    seen = [reading.window(view.picture, box) for box in spots]
    shown = [reading.window(view.picture, box) for box in _boxes(names, "reference")]
    fits = np.array([_found(window, seen) for window in shown])
    best = max(
        permutations(range(len(spots)), len(shown)),
        key=lambda places: sum(fits[k, place] for k, place in enumerate(places)),
    )
    outlines = {Box(*region.box): region.polygon for region in view.record.regions}
    clicks: list[ActionBase] = [Click(_inside(outlines[spots[place]])) for place in best]
    return [*clicks, *([Click(names["submit"].center)] if "submit" in names else [])]


def _boxes(names: dict[str, Box], *roles: str) -> list[Box]:
    found = [box for name, box in names.items() if name.partition(".")[0] in roles]
    return sorted(found, key=lambda box: box.center.x)


def _inside(polygon: list[float]) -> Point:
    """The point of an outline that lies deepest in it: the middle of a magnet is in none."""
    corners = np.array(polygon, np.float32).reshape(-1, 2)
    low = np.floor(corners.min(axis=0)) - 1
    room = np.zeros(np.ceil(np.ptp(corners, axis=0) + 4).astype(int)[::-1], np.uint8)
    cv2.fillPoly(room, [np.round(corners - low).astype(np.int32)], 1)
    y, x = np.unravel_index(cv2.distanceTransform(room, cv2.DIST_L2, 5).argmax(), room.shape)
    return Point(float(x + low[0] + 0.5), float(y + low[1] + 0.5))


def _found(shown: np.ndarray, seen: list[np.ndarray]) -> np.ndarray:
    """How well each spot shows what a window of the strip shows, whatever icon that may be."""
    meant = sorted([*_named(shown, "icon/"), *_named(shown, "emoji3d/")])
    rows = [
        [_there(window, asset) - NAMED * unlike for window in seen]
        for unlike, asset in meant
        if unlike < meant[0][0] + DOUBT
    ]
    return np.max(rows, axis=0)


def _named(window: np.ndarray, source: str) -> list[tuple[float, str]]:
    """The icons of a source that a window of the strip may show, with how little they fit."""
    assets = reading.assets(source)
    first = [assets[k] for k in np.argsort(-reading.glance(window, source))[:SHORTLIST]]
    return sorted((1 - reading.fit(window, asset, "strip"), asset) for asset in first)[:MEANT]


def _there(window: np.ndarray, asset: str) -> float:
    """How well a spot of the picture shows an icon, bare or on a tile."""
    return max(reading.fit(window, asset, way) for way in ("bare", "disc", "badge"))
