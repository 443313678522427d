"""The pictures of a sample that has several: frames of a puzzle, or what an episode goes through.

An episode has one action for each picture: picture i is what is seen before action i, so all
that a decision rests on is in the sample. Samples of a shard have equally many pictures; those
left over after the last action show how the episode ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import cv2
import msgspec
import numpy as np

from factory.core.actions import ActionBase
from factory.core.errors import VerificationFailed
from factory.core.mechanics import AnyMechanic, Pose, replay
from factory.core.puzzle import Artwork, Bitmap, PuzzleType
from factory.draw.compose import Plate, encode_state, opaque, paint_state


def poses_of(
    puzzle: PuzzleType[Any, Any], mechanic: AnyMechanic, gold: Sequence[ActionBase], count: int
) -> list[Pose]:
    """What each of ``count`` pictures shows; the first is what is seen before anything is done.

    ``VerificationFailed`` when an episode's gold has more actions than there are pictures.
    """
    if puzzle.single_shot:
        start = mechanic.pose(mechanic.start())
        return [msgspec.structs.replace(start, frame=frame) for frame in range(count)]
    if len(gold) > count:
        raise VerificationFailed(f"a gold of {len(gold)} actions for {count} pictures")
    seen = [mechanic.pose(replay(mechanic, gold[:done])) for done in range(len(gold) + 1)]
    return [seen[min(turn, len(gold))] for turn in range(count)]


def picture_parts(count: int, image_format: str) -> tuple[str, ...]:
    """The names of a sample's pictures: ``jpg``, or ``i00.jpg``, ``i01.jpg`` ..."""
    if count == 1:
        return (image_format,)
    return tuple(f"i{number:02d}.{image_format}" for number in range(count))


def encode_poses(
    plate: Plate,
    artwork: Artwork,
    poses: Sequence[Pose],
    goal: str,
    first: bytes,
    candidates: Sequence[Pose] = (),
) -> tuple[list[bytes], list[Bitmap]]:
    """Each pose encoded, and the panels (BGR) for the contact sheet.

    Those are of the ``candidates`` or, where there are none, of the poses that differ from the
    one before. ``first`` is the picture of the first pose, encoded.
    """
    images: list[bytes] = []
    panels: list[tuple[Pose, Bitmap]] = []
    for pose, alike in groupby(poses):
        pixels = paint_state(plate, artwork, pose, goal)
        data = encode_state(plate, pixels) if images else first
        images += [data for _ in alike]
        panels.append((pose, _panel_of(plate, pixels)))
    for pose in candidates:
        if all(pose != seen for seen, _ in panels):
            panels.append((pose, _panel_of(plate, paint_state(plate, artwork, pose, goal))))
    shown = candidates or [pose for pose, _ in panels]
    return images, [next(panel for seen, panel in panels if seen == pose) for pose in shown]


def _panel_of(plate: Plate, pixels: Bitmap) -> Bitmap:
    """The panel (BGR) in ``pixels`` of ``paint_state``, as far as it lies on the canvas."""
    assert plate.bare is not None
    panel = plate.placement.canvas_from_panel.box(plate.placement.boxes["panel"])
    x0, y0, x1, y1 = panel.outer_pixels()
    left, top = max(0, x0 - plate.bare.x), max(0, y0 - plate.bare.y)
    return opaque(pixels[top : y1 - plate.bare.y, left : x1 - plate.bare.x])


def contact_sheet(panels: Sequence[Bitmap], image_format: str, quality: int) -> bytes:
    """Panels of one size on one encoded sheet, left to right and top to bottom."""
    columns = math.ceil(math.sqrt(len(panels)))
    cells = [*panels, *[np.zeros_like(panels[0])] * (-len(panels) % columns)]
    rows = [np.hstack(cells[at : at + columns]) for at in range(0, len(cells), columns)]
    flags = [cv2.IMWRITE_JPEG_QUALITY, quality] if image_format == "jpg" else []
    done, data = cv2.imencode(f".{image_format}", np.vstack(rows), flags)
    assert done
    return data.tobytes()
