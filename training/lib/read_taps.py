"""Readers of the mechanics that are tapped or typed into.

A stepper's answer is a sign for each dial: "0" for no step forward, "1" for one, and so on.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import msgspec

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from training.lib.answers import FIELD_BREAK, Picks, Spots, Text
from training.lib.examples import Example

UNREAD = "?"
"""Typed into a field that the answer has no text for, since an empty field is no answer."""


def clicks(example: Example, answer: Spots) -> list[ActionBase]:
    return example.submitted([Click(example.canvas_of(point)) for point in answer.points])


def zone_centers(example: Example) -> Spots:
    mechanic: Any = example.mechanic
    return Spots(tuple(example.share_of(zone.center) for zone in mechanic.targets))


def set_of_spots(example: Example) -> Spots:
    """All targets where any so many will do, else the ones that gold taps."""
    points: Any = example.mechanic
    if points.need is not None:
        return zone_centers(example)
    taps = [action.point for action in example.gold if isinstance(action, Click)]
    taps = taps if points.submit is None else taps[:-1]
    return Spots(tuple(sorted(map(example.share_of, taps))))


def clicks_needed(example: Example, answer: Spots) -> list[ActionBase]:
    """Clicks on the surest spots where so many will do, else on all of them."""
    points: Any = example.mechanic
    return clicks(example, Spots(answer.points[: points.need]))


def right_option(example: Example) -> Picks:
    choice: Any = example.mechanic
    return Picks((choice.answer[0],))


def option_click(example: Example, answer: Picks) -> list[ActionBase]:
    choice: Any = example.mechanic
    options = [choice.options[k] for k in answer.chosen if k < len(choice.options)]
    return example.submitted([Click(option.center) for option in options[:1]])


def tiles(mechanic: Any) -> tuple[Box, ...]:
    """The tiles, and the skip button after them."""
    return mechanic.cells if mechanic.skip is None else (*mechanic.cells, mechanic.skip)


def options(mechanic: Any) -> tuple[Box, ...]:
    return mechanic.options


def right_tiles(example: Example) -> Picks:
    cells: Any = example.mechanic
    return Picks(tuple(sorted(cells.answer)) or (len(cells.cells),))


def tile_clicks(example: Example, answer: Picks) -> list[ActionBase]:
    """Tiles, then submit; the skip button alone when nothing else is chosen."""
    cells: Any = example.mechanic
    tiles = [index for index in answer.chosen if index < len(cells.cells)]
    if not tiles:
        return [] if cells.skip is None else [Click(cells.skip.center)]
    return example.submitted([Click(cells.cells[index].center) for index in tiles])


def steps_needed(example: Example) -> Text:
    stepper: Any = example.mechanic
    runs = [axis.shortest() for axis in stepper.axes]
    steps = [
        way * count % axis.count for axis, (count, way) in zip(stepper.axes, runs, strict=True)
    ]
    return Text("".join(chr(ord("0") + count) for count in steps))


def steps(example: Example, answer: Text) -> list[ActionBase]:
    """Each dial stepped the shorter way to where the answer leads."""
    stepper: Any = example.mechanic
    taps: list[ActionBase] = []
    for axis, sign in zip(stepper.axes, answer.text, strict=False):
        target = (axis.start + ord(sign) - ord("0")) % axis.count
        led = msgspec.structs.replace(axis, targets=(target,))
        if led.prev is None and not led.wrap and target < led.start:
            continue
        count, way = led.shortest()
        arrow = led.next if way > 0 or led.prev is None else led.prev
        taps += [Click(arrow.center)] * count
    return example.submitted(taps)


def texts(example: Example) -> Text:
    entry: Any = example.mechanic
    text = FIELD_BREAK.join(field.answers[0] for field in entry.fields)
    return Text(text if entry.case_sensitive else text.casefold())


def typed(example: Example, answer: Text) -> list[ActionBase]:
    entry: Any = example.mechanic
    actions: list[ActionBase] = []
    for field, text in zip_longest(entry.fields, answer.text.split(FIELD_BREAK), fillvalue=None):
        if field is not None:
            actions += [Click(field.box.center), Type(text or UNREAD)]
    return example.submitted(actions)
