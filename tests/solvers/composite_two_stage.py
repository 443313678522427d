"""The independent judge of ``composite_two_stage``: does what stands over each half.

The lower half is looked at in the picture that follows the last action of the upper one. A
ring is what is darkest or lightest on its track beside the knob; figures are told by colour
and by the px that they cover.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Box, Point
from factory.draw.colour_names import NAMES
from factory.testing import View
from factory.testing.suite import load_judge

figures: Any = load_judge("figure_reading", Path(__file__).parent)

STANDS_OUT = 0.5
"""Share of the greatest step from the track's own colour that a ring's px have."""


def solve(view: View) -> list[ActionBase]:
    """The first step, then the second as it looks once the first is done."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    actions: list[ActionBase] = []
    for number, title in enumerate(view.state.titles):
        picture = view.pictures[len(actions)]
        if f"track.{number}" in boxes:
            track, knob = boxes[f"track.{number}"], boxes[f"handle.{number}"]
            ring = Point(_ring(picture, track, knob), knob.center.y)
            actions.append(Drag(knob.center, ring))
        else:
            things = [box for name, box in boxes.items() if name.startswith(f"thing{number}.")]
            actions += [Click(box.center) for box in _chosen(picture, things, title)]
    return actions


def _chosen(picture: Any, things: list[Box], title: str) -> list[Box]:
    """Figures of the colour that the title names, or all of them by size."""
    named = [name for name, words in NAMES.items() if any(word in title for word in words)]
    if named:
        return [box for box in things if figures.figure(picture, box)[1] == named[0]]
    falling = title.endswith("to small") or title.startswith("由大")
    return sorted(things, key=lambda box: figures.extent(picture, box), reverse=falling)


def _ring(picture: Any, track: Box, knob: Box) -> float:
    """The middle of the ring along the track, px."""
    x0, y0, x1, y1 = track.grown(-0.12 * track.height).outer_pixels()
    bar = picture[y0:y1, x0:x1].astype(float)
    step = np.abs(bar - np.median(bar.reshape(-1, 3), axis=0)).max(axis=2)
    k0, k1 = (max(0, int(x - x0)) for x in (knob.x0 - 3, knob.x1 + 4))
    step[:, k0:k1] = 0
    step[:, : int(track.height / 3)] = step[:, -int(track.height / 3) :] = 0
    columns = np.flatnonzero((step > STANDS_OUT * step.max()).sum(axis=0) > 1)
    return x0 + float(columns[0] + columns[-1] + 1) / 2
