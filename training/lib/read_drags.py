"""Readers of the mechanics that are dragged: slide, drop, pairs and trace."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Point
from factory.core.mechanics.slide import Slide
from training.lib.answers import Amount, Spots
from training.lib.examples import Example


def _slid(example: Example, displacement_px: float) -> list[ActionBase]:
    slide = example.mechanic
    assert isinstance(slide, Slide)
    x, y = slide.handle.center
    way = slide.sign * displacement_px
    end = Point(x + way, y) if slide.axis == "x" else Point(x, y + way)
    return example.submitted([Drag(Point(x, y), end)])


def turn_needed(example: Example) -> Amount:
    slide: Any = example.mechanic
    return Amount((slide.target - slide.start_value) / slide.period % 1.0)


def turned(example: Example, answer: Amount) -> list[ActionBase]:
    """The shortest way that turns by the answer; the answer is clockwise, the slider may not be."""
    slide: Any = example.mechanic
    once = slide.period / abs(slide.slope)
    return _slid(example, answer.value * slide.period / slide.slope % once)


def share_needed(example: Example) -> Amount:
    slide: Any = example.mechanic
    return Amount(slide.solutions()[0] / slide.travel_px)


def slid_share(example: Example, answer: Amount) -> list[ActionBase]:
    return _slid(example, answer.value * getattr(example.mechanic, "travel_px", 0.0))


def _dropped_in(example: Example) -> list[tuple[Any, Point]]:
    """Required pieces with their places (canvas px), in reading order of where they lie at rest."""
    drop: Any = example.mechanic
    places = [(drop.pieces[index], spot) for index, _, spot in drop.plan]
    return sorted(places, key=lambda place: (place[0].home.y0, place[0].home.x0))


def drop_spots(example: Example) -> Spots:
    return Spots(tuple(example.share_of(spot) for _, spot in _dropped_in(example)))


def drops(example: Example, answer: Spots) -> list[ActionBase]:
    spots = {
        piece.name: example.canvas_of(point)
        for (piece, _), point in zip(_dropped_in(example), answer.points, strict=False)
    }
    drop: Any = example.mechanic
    pieces = [drop.pieces[index] for index, _, _ in drop.plan]
    return example.submitted(
        [_carry(piece, spots[piece.name]) for piece in pieces if piece.name in spots]
    )


def _carry(piece: Any, spot: Point) -> Drag:
    """A drag that brings the centre of the piece to the spot, wherever it is held."""
    hold = (piece.home if piece.grab is None else piece.grab).center
    x, y = piece.home.center
    return Drag(hold, Point(hold[0] + spot.x - x, hold[1] + spot.y - y))


def pair_spots(example: Example) -> Spots:
    """Both items of every pair in turn; the upper left one first where it does not matter."""
    pairs: Any = example.mechanic
    centers = [example.share_of(zone.center) for zone in pairs.items]
    found = pairs.pairs or (pairs.moves[0] if pairs.moves else tuple(pairs.swaps()))
    ends = [(centers[a], centers[b]) for a, b in found]
    if not pairs.moves:
        ends = sorted(tuple(sorted(pair)) for pair in ends)
    elif not pairs.directed:
        ends = [tuple(sorted(pair)) for pair in ends]
    return Spots(tuple(point for pair in ends for point in pair))


def pairings(example: Example, answer: Spots) -> list[ActionBase]:
    """The items nearest to the spots, two by two."""
    pairs: Any = example.mechanic
    centers = [zone.center for zone in pairs.items]
    spots = map(example.canvas_of, answer.points)
    items = [min(centers, key=lambda center: math.dist(center, spot)) for spot in spots]
    actions: list[ActionBase] = []
    for start, end in zip(items[::2], items[1::2], strict=False):
        actions += [Drag(start, end)] if pairs.drag else [Click(start), Click(end)]
    return example.submitted(actions)


def bends(example: Example) -> Spots:
    """Where the pen turns; from the upper left end where either may be the first."""
    trace: Any = example.mechanic
    points = [example.share_of(trace.path[k]) for k in trace.bends]
    if trace.direction == "free" and points[-1] < points[0]:
        points.reverse()
    return Spots(tuple(points))


def strokes(example: Example, answer: Spots) -> list[ActionBase]:
    pen = [example.canvas_of(point) for point in answer.points]
    return example.submitted([Drag(a, b) for a, b in pairwise(pen)])
