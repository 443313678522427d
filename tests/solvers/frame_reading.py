"""What the judges of frames share: the same area at every moment, whichever form it is shown in.

Samples of several pictures show a thing in one region of each of them; on one picture, each
frame has a region of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw.grounds import draw_ground
from factory.testing import View


def regions(view: View) -> dict[str, Box]:
    """The record's regions by name, canvas px."""
    return {region.name: Box(*region.box) for region in view.record.regions}


def numbered(view: View, name: str) -> list[Box]:
    """The regions ``name.0``, ``name.1`` ... in their order, canvas px."""
    found = regions(view)
    return [found[f"{name}.{k}"] for k in range(len(found)) if f"{name}.{k}" in found]


def cut(picture: Any, box: Box, inset: float = 0.0) -> Any:
    """The px of a box without so many at its edges."""
    x0, y0, x1, y1 = box.grown(-inset).outer_pixels()
    return picture[max(0, y0) : y1, max(0, x0) : x1]


def moments(view: View, boxes: Iterable[Box], inset: float = 0.0) -> list[Any]:
    """What is seen frame by frame: in one box of all pictures, or in a box a frame of one."""
    boxes = list(boxes)
    if len(view.pictures) > 1:
        return [cut(picture, boxes[0], inset) for picture in view.pictures]
    found = [cut(view.picture, box, inset) for box in boxes]
    height, width = found[0].shape[:2]
    return [cv2.resize(one, (width, height), interpolation=cv2.INTER_AREA) for one in found]


def beyond(picture: Any, usual: Any) -> Any:
    """By how much a picture differs from another at most, were that moved by up to a px."""
    shifts = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    found = [cv2.absdiff(picture, np.roll(usual, s, axis=(0, 1))).max(axis=2) for s in shifts]
    return np.minimum.reduce(found)


def ground(view: View, box: Box) -> Any:
    """The bare ground of the state as it fills a box of the canvas, BGR."""
    scale = view.record.observations[0].dpr
    buffer = np.zeros((round(box.height), round(box.width), 4), np.uint8)
    with skia.Surface(buffer) as canvas:
        canvas.scale(scale, scale)
        draw_ground(canvas, view.state.ground, Box(0, 0, box.width / scale, box.height / scale))
    rgb = skia.kN32_ColorType != skia.kBGRA_8888_ColorType
    return np.ascontiguousarray(buffer[..., 2::-1] if rgb else buffer[..., :3])


def answer(view: View, chosen: Iterable[int]) -> list[ActionBase]:
    """Clicks on tiles, then the button where there is one."""
    found, cells = regions(view), numbered(view, "cell")
    clicks: list[ActionBase] = [Click(cells[index].center) for index in sorted(chosen)]
    return clicks + ([Click(found["submit"].center)] if "submit" in found else [])


def one_asked(view: View) -> bool:
    """Whether exactly one tile is right, as the mechanic's panel says."""
    return view.record.tasks[0].mechanic["mode"] == "radio"


def grey(picture: Any) -> Any:
    """A picture as float32 levels of grey."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
