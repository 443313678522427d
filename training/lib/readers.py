"""Readers: from a mechanic to the answer that a model is to predict, and back to actions.

What is known of single mechanics is in ``read_taps`` and ``read_drags``. A reader is given
what a person takes for granted (where the handle, the fields, the tiles and the buttons are)
and leaves to the model what the puzzle asks. A mechanic without a reader of its own is read
by the points of its gold, provided that it is one action.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from factory.core.actions import ActionBase, point_names, with_points
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box
from factory.core.mechanics.slide import Slide
from training.lib import read_drags as drags
from training.lib import read_taps as taps
from training.lib.answers import Answer, Kind, Spots
from training.lib.examples import Example


@dataclass(frozen=True)
class Reader:
    """How one mechanic is asked and answered.

    ``boxes`` gives what ``Picks`` choose from, in canvas px. ``ordered`` is about ``Spots``:
    whether the k-th means the same in every sample.
    """

    kind: Kind
    target: Callable[[Example], Answer]
    actions: Callable[[Example, Any], list[ActionBase]]
    boxes: Callable[[Any], tuple[Box, ...]] = lambda mechanic: ()
    ordered: bool = True


def _gold_points(example: Example) -> Spots:
    points = [
        getattr(action, name) for action in example.gold for name in point_names(type(action))
    ]
    return Spots(tuple(example.share_of(point) for point in points))


def _replaced(example: Example, answer: Spots) -> list[ActionBase]:
    """The gold with the answer's points instead of its own."""
    points = iter(answer.points)
    return [
        with_points(action, lambda own: example.canvas_of(next(points, example.share_of((0, 0)))))
        for action in example.gold
    ]


TURN = Reader("turn", drags.turn_needed, drags.turned)
SHARE = Reader("share", drags.share_needed, drags.slid_share)
POINTS_OF_GOLD = Reader("spots", _gold_points, _replaced)

READERS = {
    "ordered_points": Reader("spots", taps.zone_centers, taps.clicks),
    "points": Reader("spots", taps.set_of_spots, taps.clicks_needed, ordered=False),
    "cells": Reader("picks", taps.right_tiles, taps.tile_clicks, boxes=taps.tiles),
    "choice": Reader("picks", taps.right_option, taps.option_click, boxes=taps.options),
    "stepper": Reader("text", taps.steps_needed, taps.steps),
    "pairs": Reader("spots", drags.pair_spots, drags.pairings),
    "trace": Reader("spots", drags.bends, drags.strokes),
    "drop": Reader("spots", drags.drop_spots, drags.drops),
    "text_entry": Reader("text", taps.texts, taps.typed),
}
"""Readers by the tag of the mechanic; ``slide`` has several, see ``reader_of``."""


def reader_of(example: Example) -> Reader:
    """The reader of the example's mechanic; ``InvalidOptions`` when its gold is too long."""
    mechanic = example.mechanic
    if isinstance(mechanic, Slide):
        return {"angle": TURN, "end": POINTS_OF_GOLD}.get(mechanic.judge, SHARE)
    if example.tag in READERS:
        return READERS[example.tag]
    least = 1 if getattr(mechanic, "submit", None) is None else 2
    if len([action for action in example.gold if point_names(type(action))]) != least:
        raise InvalidOptions(
            f"what mechanic '{example.tag}' asks of a model is not known, since its gold is not "
            "one action; add a reader to training/lib/readers.py"
        )
    return POINTS_OF_GOLD


def constant_readers(example: Example) -> tuple[Reader, ...]:
    """The forms in which a constant may answer: an angle is also a share of the travel."""
    reader = reader_of(example)
    return (reader, SHARE) if reader is TURN else (reader,)
