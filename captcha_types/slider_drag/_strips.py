"""Pictures cut across: how well a strip joins what is above and below it, shift by shift.

A strip between two cuts is shifted along them with what leaves on one side coming back on the
other, so that shifts are compared by rolling rows of colours. Lengths are CSS px.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.puzzle import Seen
from factory.core.rng import Stream
from factory.draw import low_pictures

COUNTS = (2, 4)
"""Strips of easy and of hard puzzles."""

THINNEST = 0.15
"""The thinnest strip, as a share of the picture's height."""

TRIES = 14
"""Ways of cutting that are tried; most pictures are good along most rows."""

REACH_CSS = 1.5
"""How far above and below a cut colours are read: beyond the line along it."""

COLUMNS = 96
"""Places along a cut that are compared."""

FAR_CSS = 12.0
"""Shifts that differ by this must be told apart: two tolerances."""

SPARE = 0.5
"""Cuts are chosen so many levels past the floor."""

_TURNS = (np.arange(COLUMNS)[:, None] + np.arange(COLUMNS)) % COLUMNS
"""For each shift the place along the cut that comes to lie at each place."""


def choose(
    stream: Stream, key: bytes, size: tuple[float, float], count: int, floor: float
) -> tuple[tuple[float, ...], int]:
    """Cuts into ``count`` strips, and the strip that moves; the best where none is good."""
    best, found = -1.0, ((), 0)
    for _ in range(TRIES):
        cuts, moving = _cuts(stream, size[1], count), stream.integer(0, count)
        lead = lead_of(key, size, borders(cuts, moving))
        if lead > best:
            best, found = lead, (cuts, moving)
        if lead >= floor + SPARE:
            break
    return found


def _cuts(stream: Stream, height: float, count: int) -> tuple[float, ...]:
    """Rows at which the picture is cut, about evenly, in whole CSS px."""
    play = (1.0 / count - THINNEST) / 2
    shares = [k / count + stream.uniform(-play, play) for k in range(1, count)]
    return tuple(float(round(share * height)) for share in shares)


class Border(NamedTuple):
    """A cut at ``y`` that bounds the strip that moves: it lies ``below`` the cut, or above."""

    y: float
    below: bool


def borders(cuts: Sequence[float], moving: int) -> tuple[Border, ...]:
    """Where strip ``moving`` meets the others."""
    sides = ((moving - 1, True), (moving, False))
    return tuple(Border(cuts[k], below) for k, below in sides if 0 <= k < len(cuts))


@lru_cache(maxsize=64)
def lead_of(key: bytes, size: tuple[float, float], cuts: tuple[Border, ...]) -> float:
    """How much worse the strip joins at any shift beyond ``FAR_CSS`` than where it belongs, levels.

    On the small raster of a picture; the mean along the cuts, of the channel that differs most.
    """
    low = low_pictures.low_raster(key, *size)
    return _lead(low, low_pictures.LOW_SCALE, (0.0, 0.0), size, cuts, 0.0)


def seen_lead(
    seen: Seen, size: tuple[float, float], cuts: Sequence[Border], shift_css: float
) -> float:
    """The same on the decoded slot, where the strip lies ``shift_css`` left of its place."""
    corner = (seen.slot.x0, seen.slot.y0)
    return _lead(seen.decoded, seen.px_per_css, corner, size, cuts, shift_css)


def _lead(
    pixels: Any, scale: float, corner: Sequence[float], size: tuple[float, float],
    cuts: Sequence[Border], shift_css: float,
) -> float:  # fmt: skip
    width, _ = size
    x = (np.arange(COLUMNS) + 0.5) / COLUMNS * width

    def row(y: float, along: Any) -> Any:
        spots = scale * np.stack([along, y + 0 * x], axis=1) + corner
        return low_pictures.colours_at(pixels, spots).T.astype(np.float32)

    costs = np.zeros(COLUMNS)
    for y, below in cuts:
        side = REACH_CSS if below else -REACH_CSS
        own, other = row(y + side, (x - shift_css) % width), row(y - side, x)
        unlike = np.maximum.reduce(np.abs(own[:, _TURNS] - other[:, None]))
        costs += unlike.mean(axis=1) / len(cuts)
    first = round(FAR_CSS / width * COLUMNS)
    return float(costs[first : COLUMNS - first + 1].min() - costs[0])


def paint_cut(canvas: Any, slot: Box, y: float) -> None:
    """A fine light line with a shade below it, from edge to edge."""
    paint = skia.Paint(AntiAlias=True)
    for top, high, colour in (
        (y - 1.0, 1.0, skia.Color(255, 255, 255, 150)),
        (y, 1.0, skia.Color(0, 0, 0, 90)),
    ):
        paint.setColor(colour)
        canvas.drawRect(skia.Rect.MakeXYWH(slot.x0, top, slot.width, high), paint)
