"""A puzzle's panel as the whole canvas: for models too small to find it on a page.

Everything geometric moves along: gold, reasoning, mechanic, regions. What comes out is a
record like any other, judged by the same mechanic.
"""

from __future__ import annotations

import io
from collections.abc import Mapping

import msgspec
from PIL import Image

from factory.core.actions import with_points
from factory.core.errors import ShardCorrupt
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import from_payload, to_payload
from factory.core.record import Observation, ReasonStep, Record, Region, Slot, Step, Task

PANEL = "panel"
"""The region of a record that names its panel; pages have none and stay as they are."""


def cropped(record: Record, parts: Mapping[str, bytes]) -> tuple[Record, dict[str, bytes]]:
    """The record and its pictures (PNG) with the panel as canvas; pages come back unchanged."""
    boxes = [Box(*region.box) for region in record.regions if region.name == PANEL]
    if not boxes:
        return record, dict(parts)
    seen = {one.part for one in record.observations}
    first = record.observations[0]
    x0, y0, x1, y1 = boxes[0].outer_pixels()
    frame = (max(0, x0), max(0, y0), min(first.width, x1), min(first.height, y1))
    pictures = {part: _cut(parts[part], frame, record.key) for part in sorted(seen & set(parts))}
    return moved(record, frame), {**parts, **pictures}


def _cut(data: bytes, frame: tuple[int, int, int, int], key: str) -> bytes:
    try:
        with Image.open(io.BytesIO(data)) as picture:
            panel = picture.convert("RGB").crop(frame)
    except (OSError, SyntaxError) as error:
        raise ShardCorrupt(f"a picture of {key} cannot be read: {error}") from error
    out = io.BytesIO()
    panel.save(out, "PNG", compress_level=1)
    return out.getvalue()


def moved(record: Record, frame: tuple[int, int, int, int]) -> Record:
    """The record with ``frame`` (x0, y0, x1, y1, canvas px) as its canvas; pictures not touched."""
    x0, y0, x1, y1 = frame
    move = PlaneMap.translate(-x0, -y0)
    return msgspec.structs.replace(
        record,
        observations=tuple(_resized(one, x1 - x0, y1 - y0) for one in record.observations),
        regions=tuple(_moved_region(region, move) for region in record.regions),
        tasks=tuple(_moved_task(task, move) for task in record.tasks),
    )


def _resized(seen: Observation, width: int, height: int) -> Observation:
    return msgspec.structs.replace(seen, width=width, height=height)


def _moved_region(region: Region, move: PlaneMap) -> Region:
    corners = zip(region.polygon[::2], region.polygon[1::2], strict=True)
    (x0, y0), (x1, y1) = move((region.box[0], region.box[1])), move((region.box[2], region.box[3]))
    outline = [value for corner in corners for value in move(corner)]
    return msgspec.structs.replace(region, polygon=outline, box=[x0, y0, x1, y1])


def _moved_task(task: Task, move: PlaneMap) -> Task:
    mechanic = from_payload(task.mechanic)
    return msgspec.structs.replace(
        task,
        mechanic=to_payload(mechanic.mapped(move)),
        steps=tuple(_moved_step(step, move) for step in task.steps),
    )


def _moved_step(step: Step, move: PlaneMap) -> Step:
    def shift(point: Point) -> Point:
        return move(point)

    return msgspec.structs.replace(
        step,
        actions=tuple(with_points(action, shift) for action in step.actions),
        reasoning=tuple(_moved_reason(reason, move) for reason in step.reasoning),
    )


def _moved_reason(reason: ReasonStep, move: PlaneMap) -> ReasonStep:
    slots = {name: _moved_slot(slot, move) for name, slot in reason.slots.items()}
    return msgspec.structs.replace(reason, slots=slots)


def _moved_slot(slot: Slot, move: PlaneMap) -> Slot:
    if slot.kind != "point":
        return slot  # a length keeps its ends' distance under a shift
    return msgspec.structs.replace(slot, value=list(move((slot.value[0], slot.value[1]))))
