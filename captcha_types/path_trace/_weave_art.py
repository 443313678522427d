"""How woven strands are painted, and where on the picture that is measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import skia

from captcha_types.path_trace import _kit as kit
from captcha_types.path_trace._weave import Piece, Weave, at, pieces
from factory.core.geometry import Point
from factory.core.rng import Stream

START_CSS, END_CSS = 3.6, 6.5
"""Radii of the dots at starts without an icon, and of the rings at ends."""

SEAM_CSS = 0.7
ASIDE = 1.4
"""How far beside a line its ground is looked at: its width, and so many CSS px."""


def paint_weave(
    canvas: Any, weave: Weave, strokes: Sequence[kit.Stroke], over: str, start: int
) -> None:
    """Strands piece by piece, so that each lies over some and under others; then the dots.

    ``strokes`` go by the lane of the start; ``over`` names the stream of who lies over whom.
    """
    stream, owner = Stream(f"weave|{over}"), list(range(weave.lanes))
    for column, row in enumerate(pieces(weave)):
        for lane in stream.shuffled(range(weave.lanes)):
            kit.paint_stroke(canvas, _path(row[lane]), strokes[owner[lane]])
        moved = {weave.lane_after(column, lane): own for lane, own in enumerate(owner)}
        owner = [moved[lane] for lane in range(weave.lanes)]
    for lane, node in enumerate(weave.nodes[0]):
        if lane != start:
            ink = strokes[lane].ink
            kit.dot(canvas, Point(*node), START_CSS, ink, ink)
    for lane, node in enumerate(weave.nodes[-1]):
        stroke = strokes[owner[lane]]
        kit.dot(canvas, Point(*node), END_CSS, stroke.ink, stroke.case)


def _path(piece: Piece) -> skia.Path:
    """The curve, begun a little early: else a seam is seen where two curves meet."""
    a, b, c, d = piece
    back = SEAM_CSS / math.dist(a, b)
    path = skia.Path()
    path.moveTo(a.x + back * (a.x - b.x), a.y + back * (a.y - b.y))
    path.lineTo(*a)
    path.cubicTo(*b, *c, *d)
    return path


def beside(weave: Weave, width: float) -> tuple[list[Point], list[Point]]:
    """Places on the strands, at the nodes between columns, and places beside them; CSS px."""
    on: list[Point] = []
    off: list[Point] = []
    for row in pieces(weave)[:-1]:
        for piece in row:
            here, before = piece[3], at(piece, 0.9)
            far = math.dist(here, before)
            away = (width + ASIDE) / far
            on.append(here)
            off.append(
                Point(here.x - away * (here.y - before.y), here.y + away * (here.x - before.x))
            )
    return on, off
