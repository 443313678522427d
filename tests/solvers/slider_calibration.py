"""The independent judge of ``slider_calibration``: finds knob, ticks and labels by their ink.

Which texts are printed, and across which lines knobs and ticks stand, is taken from the card as
it was built; where they stand along it is measured on the decoded picture. The value is looked
up among the labels, or midway between two of them.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from captcha_types.slider_drag import slider_calibration
from factory.core.actions import ActionBase, Drag
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.testing import View

CLOSE = 2.0
"""CSS px between two ways of finding a tick."""

KNOB_CSS, TICK_CSS, EDGE_CSS = 8.0, 16.0, 14.0
"""How far from the rail a knob and ticks are looked for, and how far beyond its ends."""

WORDING = Path(slider_calibration.__file__).with_suffix(".toml")
"""What sliders are called."""

INKED = 40.0
"""Levels (sum over channels) between ink and its ground."""


def solve(view: View) -> list[ActionBase]:
    """Drag the named slider's knob to the tick of the value."""
    eye = _Eye(view)
    knob, ticks = eye.knob(), eye.ticks()
    labels = [k for k, tick in enumerate(ticks) if eye.labelled(tick)]
    texts = [eye.row.label(tick) for tick in range(0, len(eye.row.values), eye.row.every)]
    if eye.against:
        texts.reverse()
    assert len(labels) == len(texts), (labels, texts)
    return [Drag(eye.point(knob), eye.point(_place(eye.asked, texts, [ticks[k] for k in labels])))]


def error(mechanic: AnyMechanic, actions: list[ActionBase]) -> float:
    """CSS px from the tick after the drag."""
    assert isinstance(mechanic, Slide)
    drag = actions[0]
    assert isinstance(drag, Drag)
    along = 0 if mechanic.axis == "x" else 1
    gone = mechanic.clamped(mechanic.sign * (drag.end[along] - drag.start[along]))
    return mechanic.error_at(gone) / mechanic.px_per_css


def _place(asked: str, texts: list[str], spots: list[float]) -> float:
    """Where a value stands along a scale."""
    if asked in texts:
        return spots[texts.index(asked)]
    values = [_number(text) for text in texts]
    for k in range(len(values) - 1):
        if min(values[k : k + 2]) < _number(asked) < max(values[k : k + 2]):
            return (spots[k] + spots[k + 1]) / 2
    raise AssertionError((asked, texts))


def _number(text: str) -> float:
    plain = text.replace("\N{MINUS SIGN}", "-")
    return 1000.0 * float(plain[:-1]) if plain.endswith("k") else float(plain)


class _Eye:
    """The named slider, as lines along it from one end of its rail to the other."""

    def __init__(self, view: View) -> None:
        state, goal = view.state, view.record.tasks[0].goal
        boxes = {region.name: Box(*region.box) for region in view.record.regions}
        words = tomllib.loads(WORDING.read_text(encoding="utf-8")).values()
        which = next(
            k
            for k, row in enumerate(state.rows)
            if any(re.search(rf"(?<![a-z]){block['words'][row.name]}", goal) for block in words)
        )
        self.row, fader = state.rows[which], state.lying[which]
        self.asked = re.findall(r"[\N{MINUS SIGN}-]?\d+k?", goal)[-1]
        self.picture, cell = view.picture.astype(np.float32), boxes[f"slider.{which}"]
        self.level, self.scale = fader.level, cell.width / fader.cell.width
        corner = (cell.x0 - fader.cell.x0 * self.scale, cell.y0 - fader.cell.y0 * self.scale)
        ends = [np.multiply(fader.spot(share), self.scale) + corner for share in (0.0, 1.0)]
        self.against = sum(ends[1]) < sum(ends[0])
        first, last = sorted(ends, key=sum)
        (self.x, self.y), self.length = first, sum(last) - sum(first)

    def point(self, along: float) -> Point:
        """A place on the rail, canvas px."""
        there = (self.x + along, self.y) if self.level else (self.x, self.y + along)
        return Point(float(there[0]), float(there[1]))

    def _seen(self, along: Any, across: Any) -> Any:
        """Colours at places from the rail's first end (canvas px) and from the rail (CSS px)."""
        along, across = np.broadcast_arrays(along, across * self.scale)
        x, y = (along, across) if self.level else (across, along)
        x, y = (np.add(v, at - 0.5).astype(np.float32) for v, at in ((x, self.x), (y, self.y)))
        return cv2.remap(self.picture, x, y, cv2.INTER_LINEAR)

    def _runs(self, across_css: float) -> list[tuple[float, float]]:
        """Where there is ink on a line beside the rail, from end to end."""
        reach = EDGE_CSS * self.scale
        steps = np.arange(-reach, self.length + reach, 0.25)
        seen = self._seen(steps[None], across_css)[0]
        ink = np.abs(seen - np.median(seen, axis=0)).sum(axis=1) > INKED
        edges = np.flatnonzero(np.diff(np.concatenate([[False], ink, [False]])))
        return [
            (float(steps[a]), float(steps[b - 1]))
            for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]

    def knob(self) -> float:
        """The middle of the widest ink where only a knob reaches."""
        low, high = max(self._runs(KNOB_CSS), key=lambda run: run[1] - run[0])
        return (low + high) / 2

    def ticks(self) -> list[float]:
        """The middles of the ticks in order."""
        return [(low + high) / 2 for low, high in self._runs(TICK_CSS)]

    def labelled(self, tick: float) -> bool:
        """Whether something is written at a tick."""
        if self.level:
            along, across = np.arange(-8.0, 8.0, 0.5)[:, None], np.arange(21.0, 33.0, 0.5)
        else:
            along, across = np.arange(-4.0, 4.0, 0.5)[:, None], np.arange(24.0, 34.0, 0.5)
        seen = self._seen(tick + along * self.scale, across)
        return bool(np.ptp(seen.sum(axis=2)) > 2 * INKED)
