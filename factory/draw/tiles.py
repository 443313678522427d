"""Tiles on a panel: where they lie, and the gaps between them in the panel's own colour.

A ground is painted over the whole slot, what stands on the tiles over that, and the gaps last:
cheaper than clipping to every tile. ``Placement.ground`` names the panel's colour role.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import skia

from factory.core.geometry import Box
from factory.draw import layout
from factory.draw.colours import RGB

GAP_CSS = 6.0
"""Between two tiles."""

ROUND_CSS = 8.0


@dataclass(frozen=True)
class Board:
    """A tile across the top (or, ``flipped``, the foot), ``share`` of the height, that shows a
    question; and tiles in reading order in ``columns`` and ``rows``. CSS px. JSON-able."""

    width: float
    height: float
    share: float
    columns: int
    rows: int
    flipped: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", round(self.share, 6))

    @property
    def whole(self) -> Box:
        """The slot, from its own corner."""
        return Box(0.0, 0.0, self.width, self.height)

    @property
    def question(self) -> Box:
        """The tile of the question."""
        tall = float(round(self.share * self.height))
        return Box(0.0, self.height - tall, self.width, self.height) if self.flipped else (
            Box(0.0, 0.0, self.width, tall)
        )  # fmt: skip

    @property
    def tiles(self) -> list[Box]:
        """The tiles of the answers."""
        asked = self.question
        rest = (
            Box(0.0, 0.0, self.width, asked.y0 - GAP_CSS)
            if self.flipped
            else Box(0.0, asked.y1 + GAP_CSS, self.width, self.height)
        )
        return layout.tiles(rest, self.rows, self.columns, GAP_CSS)


def paint_gaps(canvas: skia.Canvas, slot: Box, boxes: Sequence[Box], colour: RGB) -> None:
    """Everything of a slot that lies outside its rounded tiles."""
    path = skia.Path()
    path.addRect(skia.Rect.MakeLTRB(slot.x0, slot.y0, slot.x1, slot.y1))
    for box in boxes:
        rect = skia.Rect.MakeLTRB(box.x0, box.y0, box.x1, box.y1)
        path.addRoundRect(rect, ROUND_CSS, ROUND_CSS)
    path.setFillType(skia.PathFillType.kEvenOdd)
    canvas.drawPath(path, skia.Paint(Color=skia.Color(*colour), AntiAlias=True))
