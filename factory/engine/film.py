"""A film strip: the panel before the gold trace, after each of its actions, and within drags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from factory.core.action_text import format_actions
from factory.core.actions import ActionBase, to_grid
from factory.core.mechanics import Verdict
from factory.core.mechanics.events import Event, Move, Press, lower
from factory.core.puzzle import Bitmap
from factory.core.rng import SampleKey
from factory.draw.compose import opaque, paint_state
from factory.engine.make import draft, make_record
from factory.engine.studio import Studio

MID_DRAG = 0.5
"""The share of a drag at which the strip shows the part on its way."""


@dataclass(frozen=True)
class FilmFrame:
    """One state: the panel's pixels (BGR), what was just done, and the verdict on that state."""

    image: Bitmap
    caption: str
    verdict: Verdict


def film_strip(key: SampleKey, studio: Studio) -> list[FilmFrame]:
    """The states of the gold trace of a sample of this studio, in order.

    Where the sample has frames, all is done on the last of them.
    """
    made = draft(key, studio, make_record(key, studio).record.attempts - 1)
    config = studio.config
    plate = studio.plates.build(
        made.plate.facts["id"], format=config.format, quality=config.quality, states=True
    )
    frames: list[FilmFrame] = []
    mechanic, world = made.mechanic, made.mechanic.start()
    last = made.plan.pictures - 1 if studio.puzzle.single_shot else 0
    size = plate.placement.width_px, plate.placement.height_px
    for caption, events in _scenes(made.gold, *size):
        for event in events:
            world = mechanic.step(world, event)
        pose = mechanic.pose(world)
        pose = msgspec.structs.replace(pose, frame=last) if last else pose
        pixels = paint_state(plate, made.artwork, pose, made.goal)
        frames.append(FilmFrame(opaque(pixels), caption, mechanic.verdict(world)))
    return frames


def _scenes(gold: list[ActionBase], width: int, height: int) -> Iterator[tuple[str, list[Event]]]:
    """What happens between two pictures: a caption and its events."""
    yield "start", []
    seen = 0
    for count, action in enumerate(gold, start=1):
        events = lower(gold[:count])[seen:]
        seen += len(events)
        caption = format_actions([to_grid(action, width, height)], "point")
        way = _half_way(events)
        if way:
            yield "on the way", way
            yield caption, events[1:]
        else:
            yield caption, events


def _half_way(events: list[Event]) -> list[Event]:
    """The press of a drag and the first half of its move; nothing for other actions."""
    if len(events) < 3 or not isinstance(events[0], Press) or not isinstance(events[1], Move):
        return []
    press, move = events[0], events[1]
    half = Move(
        press.x + MID_DRAG * (move.x - press.x),
        press.y + MID_DRAG * (move.y - press.y),
        press.t_ms + MID_DRAG * (move.t_ms - press.t_ms),
    )
    return [press, half]
