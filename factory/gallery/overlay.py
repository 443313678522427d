"""Overlays: what a record says about its picture, as shapes in image px.

A layer is told from another by its dash pattern and its label as well as by its
colour. Labels avoid each other as far as four places around a box allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from factory.core.actions import Action, Click, Drag, Swipe, point_names
from factory.core.geometry import Box, Point
from factory.core.record import Region
from factory.gallery.shown import Shown

LAYERS = {
    "target": "Targets", "negative": "Hard negatives", "cell": "Cells", "reference": "Reference",
    "picture": "Picture", "control": "Controls", "text": "Goal text", "panel": "Panel",
    "refused": "Refused candidates", "points": "Nine points", "ink": "Paint masks",
    "other": "Other regions", "path": "Drag path", "click": "Click points",
}  # fmt: skip
"""Every layer with its name for people, in the order of the toggles."""

LAYER_OF_ROLE = {
    **{name: name for name in LAYERS}, "handle": "control", "track": "control",
    "distractor": "negative", "decoy": "negative", "hard_negative": "negative",
}  # fmt: skip
"""The layer of a region's role; roles that are not here are other regions."""

SHOWN_AT_FIRST = ("target", "negative", "path", "click")

LABEL_PX = (7.0, 14.0)
"""Width of a letter and height of a label, screen px: enough to keep labels apart."""

USUAL_STAGE_PX = 760.0
"""The height at which a picture is usually shown, which sets the size of labels."""


class Shape(NamedTuple):
    """An outline with its label's place; ``anchor`` is the label's SVG text-anchor."""

    layer: str
    name: str
    points: str
    label_x: float
    label_y: float
    anchor: str


class Mark(NamedTuple):
    """A numbered point: ``kind`` is start, end or click."""

    layer: str
    kind: str
    x: float
    y: float
    text: str


class Stroke(NamedTuple):
    """The straight path of a drag."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class Overlay:
    """All that is drawn over one observation."""

    shapes: list[Shape]
    strokes: list[Stroke]
    marks: list[Mark]

    @property
    def layers(self) -> list[str]:
        """The layers that hold something."""
        held = {item.layer for item in (*self.shapes, *self.marks)}
        return [layer for layer in LAYERS if layer in held]


def layer_of(region: Region) -> str:
    """The layer of a region's role."""
    return LAYER_OF_ROLE.get(region.role, "other")


def overlay_of(shown: Shown, observation: int) -> Overlay:
    """The overlay of an observation of a sample."""
    seen = shown.record.observations[observation]
    scale = max(1.0, seen.height / USUAL_STAGE_PX)
    actions = [act for step in shown.steps_on(observation) for act in step.actions]
    marks = list(_marks(actions))
    taken = [_spoken_for(mark, scale) for mark in marks]
    canvas = Box(0, 0, seen.width, seen.height)
    return Overlay(
        shapes=list(_shapes(shown.record.regions, scale, canvas, taken)),
        strokes=[Stroke(*act.start, *act.end) for act in actions if isinstance(act, Drag | Swipe)],
        marks=marks,
    )


def _spoken_for(mark: Mark, scale: float) -> Box:
    """Where the label of a mark stands: below an end, above anything else."""
    letter, line = LABEL_PX[0] * scale, LABEL_PX[1] * scale
    width = letter * len(mark.text)
    top = mark.y + 0.7 * line if mark.kind == "end" else mark.y - 1.9 * line
    return Box.sized(mark.x - width / 2, top, width, line)


def _marks(actions: Iterable[Action]) -> Iterator[Mark]:
    for number, action in enumerate(actions, start=1):
        if isinstance(action, Drag | Swipe):
            yield Mark("path", "start", *action.start, f"{number} start")
            yield Mark("path", "end", *action.end, f"{number} end")
            continue
        told = "" if isinstance(action, Click) else f" {type(action).__name__}"
        for name in point_names(type(action)):
            point: Point = getattr(action, name)
            yield Mark("click", "click", point[0], point[1], f"{number}{told}")


def _shapes(
    regions: Iterable[Region], scale: float, canvas: Box, taken: list[Box]
) -> Iterator[Shape]:
    for region in sorted(regions, key=lambda r: -Box(*r.box).width * Box(*r.box).height):
        place, x, y, anchor = _free_place(Box(*region.box), region.name, scale, canvas, taken)
        taken.append(place)
        corners = [f"{value:g}" for value in region.polygon]
        points = " ".join(f"{a},{b}" for a, b in zip(corners[::2], corners[1::2], strict=True))
        yield Shape(layer_of(region), region.name, points, x, y, anchor)


def _free_place(
    box: Box, name: str, scale: float, canvas: Box, taken: list[Box]
) -> tuple[Box, float, float, str]:
    """The first of the places above and below a box where its label hits no other label."""
    letter, line = LABEL_PX[0] * scale, LABEL_PX[1] * scale
    width = letter * len(name)
    above, below = box.y0 - line, box.y1
    places = [
        (Box.sized(box.x0, above, width, line), "start"),
        (Box.sized(box.x1 - width, above, width, line), "end"),
        (Box.sized(box.x0, below, width, line), "start"),
        (Box.sized(box.x1 - width, below, width, line), "end"),
    ]
    free = (p for p in places if canvas.holds(p[0]) and not any(p[0].overlaps(t) for t in taken))
    place, anchor = next(free, (Box.sized(box.x0, box.y0, width, line), "start"))
    x = place.x0 if anchor == "start" else place.x1
    return place, round(x, 2), round(place.y1 - 0.25 * line, 2), anchor
