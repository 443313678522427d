"""The independent judge of ``rotate_ring_align``: solves it from the picture and the goal.

It reads which way and how far the slider turns the centre off the goal text, unrolls
narrow bands on both sides of every cut of the decoded picture, tries every turn that the
track allows, and drags the knob to the one at which colours and their changes along the
bands agree best. The places of the discs are the record's; their turns are not looked at.
"""

from __future__ import annotations

import re

import cv2
import numpy as np

from factory.core.actions import ActionBase, Drag
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.testing import View

CLOSE = 4.0
"""Degrees within which two ways of measuring a turn agree."""

STEPS = 720
"""Turns that are tried: half a degree apart."""

BANDS = (0.022, 0.035, 0.06, 0.1)
"""Distances from a cut, as shares of its radius, that are looked at on either side."""

WEIGHTS = np.array([1.0, 0.8, 0.4, 0.2])
WAY = re.compile(r"anticlockwise|clockwise|逆时针|顺时针")
"""Where two ways are named, the first is the centre's."""


def solve(view: View) -> list[ActionBase]:
    """Drag the knob by the turn that the centre still needs."""
    goal = view.record.tasks[0].goal
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    way = -1 if WAY.findall(goal)[0] in ("anticlockwise", "逆时针") else 1
    track_deg = float(re.findall(r"\d+", goal)[-1])
    need = _needed(view.picture, regions, way, track_deg)
    knob, track = regions["handle"], regions["track"]
    travel = track.width - knob.width - 2 * (knob.x0 - track.x0)
    start = knob.center
    return [Drag(start=start, end=Point(start.x + travel * need / track_deg, start.y))]


def error(mechanic: AnyMechanic, actions: list[ActionBase]) -> float:
    """Degrees from fitting after the drag."""
    assert isinstance(mechanic, Slide)
    drag = actions[0]
    assert isinstance(drag, Drag)
    return mechanic.error_at(mechanic.clamped(drag.end[0] - drag.start[0]))


def _needed(picture: np.ndarray, regions: dict[str, Box], way: int, track_deg: float) -> float:
    """Degrees by which the disc turns ``way`` until everything fits."""
    turns = np.arange(STEPS)
    if "ring" in regions:  # it turns against the disc, so the inner cut closes twice as fast
        apart = _apart(picture, regions["ring"])[-way * turns % STEPS]
        apart = apart + _apart(picture, regions["disc"])[2 * way * turns % STEPS]
    else:
        apart = _apart(picture, regions["disc"])[way * turns % STEPS]
    allowed = turns * 360.0 / STEPS <= track_deg
    return float(np.where(allowed, apart, np.inf).argmin()) * 360.0 / STEPS


def _apart(picture: np.ndarray, disc: Box) -> np.ndarray:
    """``[turn]``: how much the sides of the cut differ once the inner one is turned clockwise."""
    total = np.zeros(STEPS)
    for share, weight in zip(BANDS, WEIGHTS, strict=True):
        inside, outside = _circle(picture, disc, 1 - share), _circle(picture, disc, 1 + share)
        spread = float(inside.std() + outside.std()) + 1.0
        first, second = np.fft.rfft(inside, axis=0), np.fft.rfft(outside, axis=0)
        match = np.fft.irfft(first.conj() * second, n=STEPS, axis=0).sum(axis=1)
        total -= weight * match / (STEPS * spread**2)
    return total


def _circle(picture: np.ndarray, disc: Box, share: float) -> np.ndarray:
    """Colours along a circle ``(STEPS, 3)``, clockwise, without their mean, a little smoothed."""
    angle = np.arange(STEPS) * (2 * np.pi / STEPS)
    radius = share * disc.width / 2
    x = (disc.center.x - 0.5 + radius * np.cos(angle)).astype(np.float32)[None]
    y = (disc.center.y - 0.5 + radius * np.sin(angle)).astype(np.float32)[None]
    line = cv2.remap(picture, x, y, cv2.INTER_LINEAR)[0].astype(np.float32)
    smooth = cv2.GaussianBlur(np.concatenate([line[-9:], line, line[:9]]), (1, 9), 2.0)[9:-9]
    return smooth - smooth.mean(axis=0)
