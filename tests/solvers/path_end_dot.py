"""The independent judge of ``path_end_dot``: walks along the ink from the icon.

From the icon's disc the walk sets out where ink leads away. A step goes along the arc that lies
most on ink, of the line's own colour if it has one, and bends least; so it goes straight on where
lines cross. It is over at a ring.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("path_reading", Path(__file__).parent)
"""What the judges of paths share."""

STEP, AHEAD = 2.4, np.linspace(2.0, 30.0, 13)
"""Px of the straightened picture: a step, and how far ahead arcs are looked at."""

NEARER = np.linspace(1.3, 0.7, 13) / 13
"""Weights of places on an arc: what is near decides."""

ARCS = np.radians(np.arange(-100, 101, 5.0))
"""How far an arc turns over its length."""

BENT, FOREIGN = 0.09, 0.5
"""What bending by a radian costs, and ink of a colour as far as can be, in shares of ink."""

MISREADS = 0.02
"""Where two lines cross and turn at once the walk may take the other: 2 of 240, each looked at."""

RING_CSS, MOST_STEPS = 8.0, 800


def solve(view: View) -> list[ActionBase]:
    """Click the end at which the walk arrives."""
    ends = sorted(
        (box for name, box in reading.regions(view).items()
         if name.partition(".")[0] in ("target", "distractor")),
        key=lambda box: box.center,
    )  # fmt: skip
    places = [reading.placed(view, box) for box in ends]
    x, y = _walked(view, places)
    nearest = min(range(len(ends)), key=lambda k: math.dist(places[k], (x, y)))
    boxes = reading.regions(view)
    return [
        Click(ends[nearest].center),
        *(Click(boxes["submit"].center) for _ in [0] if "submit" in boxes),
    ]


def _walked(view: View, ends: list[tuple[float, float]]) -> tuple[float, float]:
    """Where the walk is over."""
    picture, bare = reading.seen(view)
    ink = cv2.GaussianBlur(reading.inked(picture, bare).astype(np.float32), (0, 0), 1.2)
    start = reading.placed(view, reading.regions(view)["start"])
    radius = 0.5 * 30.0 * reading.SCALE
    around = np.radians(np.arange(0, 360, 3.0))
    out = np.linspace(radius + 2, radius + 22, 12)
    lit = reading.at(ink, *reading.rays(*start, around, out)).mean(axis=1)
    turn = float(around[int(lit.argmax())])
    x, y = start[0] + radius * math.cos(turn), start[1] + radius * math.sin(turn)
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.5).astype(np.float32)
    away = (x + 8 * math.cos(turn), y + 8 * math.sin(turn))
    own = smooth[min(int(away[1]), smooth.shape[0] - 1), min(int(away[0]), smooth.shape[1] - 1)]
    field = ink * (1.0 - FOREIGN * np.minimum(1.0, np.linalg.norm(smooth - own, axis=2) / 160.0))
    for _ in range(MOST_STEPS):
        if min(math.dist((x, y), end) for end in ends) < RING_CSS * reading.SCALE:
            break
        arcs = reading.rays(x, y, np.full(len(ARCS), turn), AHEAD, ARCS / AHEAD[-1])
        score = reading.at(field, *arcs) @ NEARER - BENT * np.abs(ARCS)
        best = float(ARCS[int(score.argmax())]) * STEP / AHEAD[-1]
        turn += best
        x, y = _centred(ink, x + STEP * math.cos(turn), y + STEP * math.sin(turn), turn)
    return x, y


def _centred(ink: Any, x: float, y: float, turn: float) -> tuple[float, float]:
    """The place drawn a little towards the middle of the line across the walk."""
    off = np.linspace(-4, 4, 9)
    xs, ys = x - off * math.sin(turn), y + off * math.cos(turn)
    weight = reading.at(ink, xs[None], ys[None])[0] ** 2
    shift = 0.25 * float((weight * off).sum() / max(float(weight.sum()), 1e-3))
    return x - shift * math.sin(turn), y + shift * math.cos(turn)
