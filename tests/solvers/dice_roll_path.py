"""The independent judge of ``dice_roll_path``: reads three faces off the picture and rolls them.

Each face that is seen is pulled straight out of the decoded picture and compared with the six
that the die could have. Then a die of six numbers is tipped along the path that is drawn.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.draw import solid
from factory.testing import View

SIDE = 64
ENDS = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
TURNS = {(1, 0): "WTEB", (-1, 0): "ETWB", (0, 1): "STNB", (0, -1): "NTSB"}
"""Sides that each step moves on: the first comes up, the top goes where the third was."""


def solve(view: View) -> list[ActionBase]:
    """What the side asked for shows after the last step."""
    die = _die(view)
    path = view.state.path
    for a, b in itertools.pairwise(path):
        behind, up, ahead, down = TURNS[b[0] - a[0], b[1] - a[1]]
        old = dict(die)
        die[up], die[ahead], die[down], die[behind] = old[behind], old[up], old[ahead], old[down]
    asked = "S" if re.search("front|正面", view.record.tasks[0].goal) else "T"
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    clicks = [Click(boxes[name].center) for name in ("field", "submit") if name in boxes]
    return [clicks[0], Type(str(die[asked])), *clicks[1:]]


def _die(view: View) -> dict[str, int]:
    """Values on top, bottom, and the sides towards north, south, east and west."""
    found: dict[str, int] = {}
    zones = [np.array(r.polygon, np.float32).reshape(-1, 2) for r in view.record.regions
             if r.name.startswith("face.")]  # fmt: skip
    zones.sort(key=lambda z: z[:, 1].mean())
    # The top is the highest; of the other two the one nearer to the board's front is wider.
    lower = sorted(zones[1:], key=lambda z: -np.ptp(z[:, 0]))
    for side, zone in zip("TS", (zones[0], lower[0]), strict=True):
        found[side] = _read(view, zone)
    right = lower[1][:, 0].mean() > lower[0][:, 0].mean()
    found["E" if right else "W"] = _read(view, lower[1])
    for a, b in ("TB", "SN", "EW"):
        for one, other in ((a, b), (b, a)):
            if one not in found:
                found[one] = 7 - found[other]
    return found


def _read(view: View, zone: np.ndarray) -> int:
    """The value whose drawing is nearest to what a face shows."""
    matrix = cv2.getPerspectiveTransform(zone, ENDS)
    straight = cv2.warpPerspective(view.picture, matrix, (SIDE, SIDE))
    face = cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY)[6:-6, 6:-6].astype(np.float32)
    scores = [
        abs(cv2.matchTemplate(np.pad(face, 3, mode="edge"), _drawn(view.state.dress, v),
                              cv2.TM_CCOEFF_NORMED)).max()
        for v in range(1, 7)
    ]  # fmt: skip
    return 1 + int(np.argmax(scores))


def _drawn(dress: Any, value: int) -> np.ndarray:
    """A face of the die as its maker draws it, white on black."""
    surface = skia.Surface(SIDE, SIDE)
    values = (value,) * 6
    look = (solid.pips(values, "#ffffff") if dress.marks == "pips"
            else solid.numerals(values, "#ffffff", dress.face))  # fmt: skip
    with surface as canvas:
        canvas.clear(skia.ColorBLACK)
        canvas.translate(SIDE / 2, SIDE / 2)
        canvas.scale(SIDE, SIDE)
        look(canvas, 0)
    grey = np.asarray(surface.makeImageSnapshot().toarray())[6:-6, 6:-6, 0]
    return cv2.GaussianBlur(grey, (0, 0), 1.5).astype(np.float32)
