"""The independent judge of ``moving_target_click``: finds the ball in each frame and goes on.

Of what frames show beyond their median the patch nearest to the colour in the goal is the ball.
Its places are fitted by each law; of those that fit, the simplest tells the next place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.draw.colour_names import NAMES, SHADES, ciede2000, lab
from factory.draw.colours import parse_hex
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("frame_reading", Path(__file__).parent)

LEAST = 26
"""Levels from the usual: more than the encoder leaves."""

FITS = 0.014
"""Of the area's width: what reading small frames leaves of an exact law."""


def solve(view: View) -> list[ActionBase]:
    """Click where the ball comes next, and the button where there is one."""
    boxes = reading.numbered(view, "frame")
    goal = view.record.tasks[0].goal
    (name,) = [n for n, words in NAMES.items() if any(f"{w}小球" in goal or f" {w} ball" in goal
                                                      for w in words)]  # fmt: skip
    shown = reading.moments(view, boxes, 1.0)
    usual = np.median(np.stack(shown), axis=0).astype(np.uint8)
    height, width = usual.shape[:2]
    seen = np.array([_ball(one, usual, name) for one in shown]) / width
    radius = view.state.radius / view.state.area.width
    room = (radius, radius, 1 - radius, height / width - radius)
    fits = list(_fits(seen, room))
    good = [place for error, place in fits if error < FITS]
    x, y = good[0] if good else min(fits, key=lambda fit: fit[0])[1]
    area: Box = boxes[-1].grown(-1)
    place = Click(Point(float(area.x0 + x * area.width), float(area.y0 + y * area.width)))
    found = reading.regions(view)
    return [place, *([Click(found["submit"].center)] if "submit" in found else [])]


def _ball(frame: Any, usual: Any, name: str) -> tuple[float, float]:
    """The middle of the patch whose colour is nearest to a name's."""
    apart = (reading.beyond(frame, usual) > LEAST).astype(np.uint8)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(apart)
    if count == 1:
        return (0.0, 0.0)
    shades = lab([parse_hex(shade) for shade in SHADES[name]])
    largest = stats[1:, cv2.CC_STAT_AREA].max()

    def unlike(k: int) -> float:
        core = cv2.erode((labels == k).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        core = core if core.any() else labels == k
        colour = np.median(frame[core], axis=0)[::-1]
        small = stats[k, cv2.CC_STAT_AREA] < 0.25 * largest
        return float(ciede2000(lab(colour), shades).min()) + 100.0 * small

    x, y = middles[min(range(1, count), key=unlike)]
    return float(x + 0.5), float(y + 0.5)


def _fits(seen: Any, room: tuple[float, ...]) -> Iterator[tuple[float, Any]]:
    """Worst error and next place of each law, the simplest first."""
    count = len(seen)
    t = np.arange(count + 1.0)
    for degree in (1, 2):
        yield _fitted(seen, np.stack([t**k for k in range(degree + 1)], axis=1))
    turns = (-1.0) ** t
    yield _fitted(seen, np.stack([np.ones_like(t), t, turns], axis=1))
    yield _folded(seen, t, room)
    yield _circled(seen, t)


def _fitted(seen: Any, basis: Any) -> tuple[float, Any]:
    known, next_row = basis[: len(seen)], basis[len(seen)]
    parts = np.linalg.lstsq(known, seen, rcond=None)[0]
    return _worst(known @ parts, seen), next_row @ parts


def _worst(found: Any, seen: Any) -> float:
    return float(np.linalg.norm(found - seen, axis=1).max())


def _folded(seen: Any, t: Any, room: tuple[float, ...]) -> tuple[float, Any]:
    """A line that runs back and forth in each direction: a speed and a start for x and for y."""
    tracks = []
    for axis in (0, 1):
        low, high = room[axis], room[axis + 2]
        speeds = np.linspace(-0.3, 0.3, 241)
        starts = seen[0, axis] + np.linspace(-0.02, 0.02, 9)
        there = (starts[:, None, None] - low + speeds[:, None] * t) % (2 * (high - low))
        track = low + np.minimum(there, 2 * (high - low) - there)
        errors = np.abs(track[..., :-1] - seen[:, axis]).max(axis=2)
        tracks.append(track[np.unravel_index(int(errors.argmin()), errors.shape)])
    found = np.stack(tracks, axis=1)
    return _worst(found[:-1], seen), found[-1]


def _circled(seen: Any, t: Any) -> tuple[float, Any]:
    """A circle through the places, run at the mean turn."""
    x, y = seen.T
    a, b, c = np.linalg.lstsq(np.stack([2 * x, 2 * y, np.ones_like(x)], axis=1), x * x + y * y,
                              rcond=None)[0]  # fmt: skip
    radius = float(np.sqrt(max(1e-9, c + a * a + b * b)))
    angles = np.unwrap(np.arctan2(y - b, x - a))
    turn, start = np.polyfit(t[:-1], angles, 1)
    ways = start + turn * t
    found = np.stack([a + radius * np.cos(ways), b + radius * np.sin(ways)], axis=1)
    return _worst(found[:-1], seen), found[-1]
