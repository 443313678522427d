"""The independent judge of ``read_clock_gauge``: finds pointers, columns and bars by colour.

Where the scale lies is taken from the instrument as it was built; what it shows is measured
on the decoded picture: the direction in which a ring of a face is crossed by a hand, the
place where a column, a pencil or a bar ends.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.draw.colours import parse_hex
from factory.testing import View

CLOSE = 40.0
"""Levels (sum over channels) by which a px may differ from a colour that it is taken for."""


def solve(view: View) -> list[ActionBase]:
    """The reading, typed into the field."""
    eye = _Eye(view)
    text = {"clock": _clock, "dial": _dial, "thermometer": _thermometer, "ruler": _ruler,
            "bars": _bars}[eye.one.scale.kind](eye)  # fmt: skip
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    clicks = [Click(boxes[name].center) for name in ("field", "submit") if name in boxes]
    return [clicks[0], Type(text), *clicks[1:]]


class _Eye:
    """The picture in CSS px from the slot's corner."""

    def __init__(self, view: View) -> None:
        boxes = {region.name: Box(*region.box) for region in view.record.regions}
        self.goal, self.one = view.record.tasks[0].goal, view.state.instrument
        self.slot = boxes["picture"]
        self.scale = self.slot.width / view.state.size[0]
        self.picture = view.picture.astype(np.float32)

    def at(self, spots: Any) -> Any:
        """Colours at points ``(n, 2)``, RGB."""
        where = np.asarray(spots) * self.scale + (self.slot.x0 - 0.5, self.slot.y0 - 0.5)
        across, down = (where[:, k : k + 1].astype(np.float32) for k in (0, 1))
        return cv2.remap(self.picture, across, down, cv2.INTER_LINEAR)[:, 0, ::-1]

    def off(self, spots: Any, colour: str) -> Any:
        """How far colours at points are from one, sum over channels."""
        return np.abs(self.at(spots) - np.array(parse_hex(colour), np.float32)).sum(axis=1)

    def turned(self, spots: Any) -> Any:
        """Points beside an upright instrument, as they are seen."""
        turn, middle = math.radians(self.one.turn_deg), np.array(self.one.area.center)
        c, s = math.cos(turn), math.sin(turn)
        return (np.asarray(spots) - middle) @ np.array([[c, s], [-s, c]]) + middle

    def ring(self, share: float, turns_deg: Any) -> Any:
        """Points of a circle about the middle of a face."""
        turns = np.radians(turns_deg)
        reach = share * (min(self.one.area.width, self.one.area.height) / 2 - 5.0)
        middle = np.array(self.one.area.center)
        return middle + reach * np.stack([np.cos(turns), np.sin(turns)], axis=1)

    def number(self, value: float) -> str:
        """A value at its nearest mark."""
        low, step = self.one.scale.low, self.one.scale.step
        return f"{low + step * round((value - low) / step):.2f}"


def _weights(eye: _Eye, turns: Any, shares: tuple[float, ...]) -> Any:
    """How much of a hand's colours there is in each direction, over some rings."""
    total = np.zeros(len(turns))
    for share in shares:
        total += np.minimum(eye.off(eye.ring(share, turns), eye.one.paper), 250.0)
    return total


def _hand(eye: _Eye, value: float, shares: tuple[float, ...], colour: str) -> float:
    """How far from a hand's colour its middle line is, for a direction."""
    return sum(float(eye.off(eye.ring(share, [value]), colour)[0]) for share in shares)


def _clock(eye: _Eye) -> str:
    one = eye.one
    outer, inner = (0.56, 0.72, 0.76), (0.2, 0.26, 0.32, 0.38, 0.44)
    costs = []
    for minute in np.arange(0, 60, one.scale.step):
        turn = one.turn_deg - 90.0 + 6.0 * minute
        costs.append((_hand(eye, turn, (*inner, *outer), one.accent), int(minute)))
    minute = min(costs)[1]
    hours = [
        (_hand(eye, one.turn_deg - 90.0 + 30.0 * hour + minute / 2.0, inner, one.ink), hour)
        for hour in range(12)
    ]
    near = [
        (cost, hour)
        for cost, hour in hours
        if abs((30.0 * hour - 5.5 * minute + 180.0) % 360.0 - 180.0) > 8.0
    ]
    hour = min(near)[1]
    hidden = [h for _, h in hours if h not in {h for _, h in near}]
    if min(near)[0] > CLOSE * len(inner) and hidden:
        hour = hidden[0]
    return f"{hour or 12}:{minute:02d}"


def _dial(eye: _Eye) -> str:
    scale = eye.one.scale
    steps = np.arange(-0.5, scale.steps + 0.5, 0.05)
    turns = eye.one.turn_deg + 135.0 + 270.0 * steps / scale.steps
    rings = [eye.off(eye.ring(share, turns), eye.one.accent) for share in (0.3, 0.4, 0.5, 0.7)]
    found = np.minimum(np.stack(rings), 300.0).sum(axis=0)
    best = found <= found.min() + 60.0
    near = np.abs(steps - steps[found.argmin()]) < 1.0
    return eye.number(scale.low + scale.step * float(steps[best & near].mean()))


def _end(eye: _Eye, line: Any, colour: str) -> float:
    """Where along a line a colour ends for good, 0 to 1."""
    off = eye.off(eye.turned(line), colour)
    inside = np.flatnonzero(off < CLOSE)
    return float(inside[-1] + 0.5) / len(off)


def _thermometer(eye: _Eye) -> str:
    area, scale, many = eye.one.area, eye.one.scale, 600
    if eye.one.upright:
        x, low, high = area.x0 + 0.32 * area.width, area.y1 - 30.0, area.y0 + 16.0
        line = np.stack([np.full(many, x), np.linspace(low, high, many)], axis=1)
    else:
        y, low, high = area.y0 + 0.36 * area.height, area.x0 + 30.0, area.x1 - 16.0
        line = np.stack([np.linspace(low, high, many), np.full(many, y)], axis=1)
    return eye.number(scale.low + (scale.high - scale.low) * _end(eye, line, eye.one.accent))


def _ruler(eye: _Eye) -> str:
    """From where the pencil's colour begins to the dotted line beyond its point."""
    area, scale, many = eye.one.area, eye.one.scale, 900
    x = np.linspace(area.x0 + 12.0, area.x1 - 12.0, many)
    y = area.center.y
    dots = [
        eye.off(eye.turned(np.stack([x, np.full(many, y - up)], axis=1)), eye.one.accent)
        for up in (1.5, 2.5, 3.5, 4.0, 24.0, 25.5, 26.5)
    ]
    dotted = np.minimum(np.stack(dots), 200.0).mean(axis=0)
    shaft = eye.off(eye.turned(np.stack([x, np.full(many, y - 8.0)], axis=1)), eye.one.accent)
    body = np.flatnonzero(shaft < CLOSE)
    first, last = body[0], body[-1]
    css = many / (area.width - 24.0)
    reach = dotted[last : last + int(17.0 * css)]
    left, right = first - 0.6 * css, last + int(reach.argmin())
    return eye.number((right - left) / many * (scale.high - scale.low))


def _bars(eye: _Eye) -> str:
    one = eye.one
    named = [c for c in "ABCDE" if f"bar {c}" in eye.goal or f"{c}柱" in eye.goal]
    place = "ABCDE".index(named[0])
    room = (one.area.x1 - 8.0 - one.area.x0 - 34.0) / one.bars
    x = one.area.x0 + 34.0 + room * (place + 0.5)
    low, high, many = one.area.y1 - 22.0, one.area.y0 + 12.0, 600
    line = np.stack([np.full(many, x), np.linspace(low - 1.5, high, many)], axis=1)
    own = eye.at(line[10:16]).mean(axis=0)
    same = np.abs(eye.at(line) - own).sum(axis=1) < CLOSE
    end = float(np.flatnonzero(same)[-1] + 0.5) / many * (low - 1.5 - high) + 1.5
    return eye.number(one.scale.low + (one.scale.high - one.scale.low) * end / (low - high))
