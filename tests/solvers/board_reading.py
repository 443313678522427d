"""What the judges of boards share: tiles as printed, what stands on them against the bare ground.

The bare board (ground and scratches, no things) is drawn by the raster kit from the state's
ground; what the decoded picture shows beyond it is ink. What the ink means is for each judge.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw.clutter import draw_clutter
from factory.draw.grounds import draw_ground
from factory.testing import View

INKED = 42
"""Levels of some channel by which ink differs from the bare ground: above what JPEG leaves."""


THIN_CSS = 2.6
"""Scratches are thinner, and may be drawn a fraction of a px off; strokes are not."""


RIM_CSS = 1.6
"""The hairline inside a tile's edge, and what the encoder makes of it."""


def regions(view: View) -> dict[str, Box]:
    """The record's regions by name, canvas px."""
    return {region.name: Box(*region.box) for region in view.record.regions}


def tiles(view: View) -> list[Box]:
    """The tiles in reading order, canvas px."""
    found = regions(view)
    return [found[f"cell.{k}"] for k in range(len(found)) if f"cell.{k}" in found]


def answer(view: View, chosen: Iterable[int]) -> list[ActionBase]:
    """Clicks on tiles, then the button; or skip where nothing is chosen and that is drawn."""
    found, picked = regions(view), sorted(chosen)
    if not picked and "skip" in found:
        return [Click(found["skip"].center)]
    clicks: list[ActionBase] = [Click(tiles(view)[index].center) for index in picked]
    return clicks + ([Click(found["submit"].center)] if "submit" in found else [])


def bare(view: View, scratches: bool = True) -> Any:
    """The whole canvas with the bare board painted into its slot, BGR."""
    slot, board = regions(view)["picture"], view.state.board
    height, width = view.picture.shape[:2]
    buffer = np.zeros((height, width, 4), np.uint8)
    scale = slot.width / board.size[0]
    area = Box(0, 0, *board.size)
    with skia.Surface(buffer) as canvas:
        canvas.translate(slot.x0, slot.y0)
        canvas.scale(scale, scale)
        draw_ground(canvas, board.ground, area)
        if scratches:
            draw_clutter(canvas, board.clutter, area)
    return (
        buffer[..., :3] if skia.kN32_ColorType == skia.kBGRA_8888_ColorType else buffer[..., 2::-1]
    )


def beyond(view: View, least: int = INKED, scratches: bool = True) -> Any:
    """Where the picture differs from the bare board inside its tiles' rims, bool of the canvas."""
    ground = np.ascontiguousarray(bare(view, scratches))
    found = cv2.absdiff(view.picture, ground).max(axis=2) > least
    inside = np.zeros_like(found)
    for box in tiles(view):
        cut(inside, box, RIM_CSS * view.record.observations[0].dpr)[...] = True
    return found & inside


def inked(view: View, least: int = INKED, scratches: bool = True) -> Any:
    """The same without what is as thin as scratches."""
    thin = round(THIN_CSS * view.record.observations[0].dpr)
    found = beyond(view, least, scratches).astype(np.uint8)
    return cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8)) > 0


def filled(mask: Any, least: float) -> list[float]:
    """Areas of the outlines around pieces of a mask, holes filled, of ``least`` px or more."""
    found = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    areas = [cv2.contourArea(outline) for outline in found]
    return [area for area in areas if area >= least]


def cut(pixels: Any, box: Box, rim: float = 0.0) -> Any:
    """The px of a box without a rim."""
    x0, y0, x1, y1 = (round(v) for v in box.grown(-rim).as_list())
    return pixels[y0:y1, x0:x1]


def lab(pixels: Any) -> Any:
    """CIELAB of BGR px, float32, L in 0 to 100."""
    return cv2.cvtColor(
        np.ascontiguousarray(pixels, np.uint8).astype(np.float32) / 255, cv2.COLOR_BGR2LAB
    )


def alone(view: View, box: Box, ink: Any, ground: Any, rim: float = 2.0) -> Any:
    """A tile with everything but its ink flattened to one colour, the bare tile's usual one."""
    usual = np.median(cut(ground, box, rim).reshape(-1, 3), axis=0)
    return np.where(cut(ink, box, rim)[..., None], cut(view.picture, box, rim), usual).astype(
        np.uint8
    )
