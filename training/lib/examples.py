"""From a record and its picture to what a small model sees: the panel, reduced to one size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from factory.core.actions import ActionBase, Click
from factory.core.errors import SchemaMismatch
from factory.core.geometry import Point
from factory.core.mechanics import AnyMechanic, Similarity, from_payload
from factory.core.record import Record

SIDE_PX = 192
"""The longer side of a panel after the reduction: its title is still legible to a person."""

_REDUCED = ((4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2))
"""Reductions that the JPEG decoder makes for nothing, largest first."""

Picture = NDArray[np.uint8]
"""``(SIDE_PX, SIDE_PX, 3 * frames)``, each frame BGR; the panel stands at the top left, the rest
is black."""


@dataclass(frozen=True)
class Example:
    """One puzzle as the small model meets it.

    ``mechanic`` and ``gold`` are in canvas px; ``input_from_canvas`` leads to px of
    ``picture``. ``goal`` is the text that the panel shows, ``source`` the kind of content.
    """

    picture: Picture
    input_from_canvas: Similarity
    mechanic: AnyMechanic
    gold: tuple[ActionBase, ...]
    goal: str = ""
    source: str = ""

    @property
    def tag(self) -> str:
        """The mechanic's tag."""
        return str(type(self.mechanic).__struct_config__.tag)

    def share_of(self, point: tuple[float, float]) -> Point:
        """A canvas point as shares of the input's side."""
        x, y = self.input_from_canvas.point(point)
        return Point(x / SIDE_PX, y / SIDE_PX)

    def canvas_of(self, share: tuple[float, float]) -> Point:
        """The canvas point of shares of the input's side."""
        scale, dx, dy = self.input_from_canvas
        return Point((share[0] * SIDE_PX - dx) / scale, (share[1] * SIDE_PX - dy) / scale)

    def submitted(self, actions: list[ActionBase]) -> list[ActionBase]:
        """The actions, and a click on the submit button where there is one."""
        submit = getattr(self.mechanic, "submit", None)
        return actions if submit is None else [*actions, Click(submit.center)]


def example_of(images: Sequence[bytes], record: Record) -> Example:
    """The example of a record and its encoded pictures.

    Of an episode the first picture is seen, of anything else all frames. ``SchemaMismatch``
    when the record knows no panel.
    """
    boxes = [region.box for region in record.regions if region.name == "panel"]
    if not boxes:
        raise SchemaMismatch(f"record {record.key} has no region 'panel'")
    task = record.tasks[0]
    seen = images if len(task.steps) == 1 else images[:1]
    panels = [panel_of(image, boxes[0]) for image in seen]
    input_from_canvas = panels[0][1]
    return Example(
        picture=np.concatenate([picture for picture, _ in panels], axis=2),
        input_from_canvas=input_from_canvas,
        mechanic=from_payload(task.mechanic),
        gold=tuple(action for step in task.steps for action in step.actions),
        goal=task.goal,
        source=next((t.partition(":")[2] for t in record.tags if t.startswith("picture:")), ""),
    )


def panel_of(image: bytes, box: Sequence[float]) -> tuple[Picture, Similarity]:
    """The panel of an encoded canvas, and ``input_from_canvas``; ``box`` is in canvas px."""
    longer = max(box[2] - box[0], box[3] - box[1])
    by, flag = next(
        ((by, flag) for by, flag in _REDUCED if longer >= by * SIDE_PX), (1, cv2.IMREAD_COLOR)
    )
    canvas: Any = cv2.imdecode(np.frombuffer(image, np.uint8), flag)
    x0, y0, x1, y1 = (round(edge / by) for edge in box)
    panel = canvas[max(0, y0) : y1, max(0, x0) : x1]
    scale = SIDE_PX / max(panel.shape[:2])
    height, width = (min(SIDE_PX, max(1, round(side * scale))) for side in panel.shape[:2])
    picture = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    picture[:height, :width] = cv2.resize(panel, (width, height), interpolation=cv2.INTER_AREA)
    return picture, Similarity(scale / by, -max(0, x0) * scale, -max(0, y0) * scale)
