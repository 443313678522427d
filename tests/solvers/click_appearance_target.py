"""The independent judge of ``click_appearance_target``: compares patches inside figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone
from factory.draw.colour_names import NAMES, SHADES, ciede2000, lab
from factory.draw.colours import parse_hex
from factory.testing import View

ALIKE = 10.0
"""CIEDE2000 below which two patches are of one colour: half of what tells two apart."""


def solve(view: View) -> list[ActionBase]:
    """Click the figures that the goal asks for, then the button."""
    goal = view.record.tasks[0].goal
    zones = [Zone(tuple(map(Point, r.polygon[::2], r.polygon[1::2])))
             for r in view.record.regions if r.role in ("target", "distractor")]  # fmt: skip
    names = {r.name: Box(*r.box) for r in view.record.regions}
    seen = [_patch(view.picture, zone.center, zone.core_px / 2) for zone in zones]
    light = [float(colour[0]) for colour in seen]
    if "lightest" in goal or "最浅" in goal:
        right = [level == max(light) for level in light]
    elif "darkest" in goal or "最深" in goal:
        right = [level == min(light) for level in light]
    elif "reference.0" in names:
        box = names["reference.0"]
        sample = _patch(view.picture, box.center, box.height / 4)
        right = [float(ciede2000(sample, colour)) < ALIKE for colour in seen]
    else:
        asked = next(name for name, own in NAMES.items() if any(word in goal for word in own))
        right = [_name(colour) == asked for colour in seen]
    chosen = [Click(zone.center) for zone, fits in zip(zones, right, strict=True) if fits]
    return [*chosen, *([Click(names["submit"].center)] if "submit" in names else [])]


def _patch(picture: Any, at: tuple[float, float], half: float) -> Any:
    """CIELAB of the median about a place."""
    x0, y0, x1, y1 = Box(*at, *at).grown(max(1.0, half)).outer_pixels()
    return lab(np.median(picture[y0:y1, x0:x1].reshape(-1, 3), axis=0)[::-1])


def _name(colour: Any) -> str:
    """The basic name of a colour."""
    near = {
        name: min(float(ciede2000(colour, lab(parse_hex(shade)))) for shade in shades)
        for name, shades in SHADES.items()
    }
    return min(near, key=lambda name: near[name])
