"""The independent judge of ``viewpoint_match_3d``: paints the figure over each tile.

From the camera of a tile the figure that is asked about is painted over what the decoded
picture shows there. Where nothing changes but noise, the tile
shows the figure.
"""

from __future__ import annotations

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw import solid
from factory.testing import View

MISREADS = 0.04
"""10 of 500; two were looked at: grounds of the colour of a side of the figure, taken for a part
of it."""

CHANGED = 24.0
"""Levels by which a px that shows another side of a block differs, and one of noise does not."""

SAME = 7
"""Levels by which compression moves the colour of a flat side."""

MOST = 0.015
"""Share of the figure's px that compression and its edges may change."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles over which the figure can be painted without a change."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    state, slot = view.state, boxes["picture"]
    scale = slot.width / state.board.width
    right = [
        tile for tile in range(len(state.cameras)) if _unchanged(view, tile, slot, scale) <= MOST
    ]
    clicks = [Click(boxes[f"cell.{tile}"].center) for tile in right]
    return [*clicks, *([Click(boxes["submit"].center)] if "submit" in boxes else [])]


def _unchanged(view: View, tile: int, slot: Box, scale: float) -> float:
    """The share of the painted figure's px that differ from the picture."""
    state = view.state
    camera, tile_box = state.cameras[tile], state.board.tiles[tile]
    corner = int(state.quadrants[tile])
    light = solid.Light(45.0 + 90.0 * corner + state.aside_deg, 52.0, 0.42)
    width, height = round(slot.width), round(slot.height)
    surface = skia.Surface(width, height)
    with surface as canvas:
        canvas.clear(skia.ColorTRANSPARENT)
        canvas.scale(scale, scale)
        marks = state.figure.marked
        colours = [state.colours[cell in marks] for cell in state.figure.cells]
        solid.paint_blocks(canvas, camera, light, state.figure.cells, colours)
    drawn = np.asarray(surface.makeImageSnapshot().toarray(colorType=skia.kBGRA_8888_ColorType))
    x0, y0 = round(slot.x0), round(slot.y0)
    picture = view.picture[y0 : y0 + height, x0 : x0 + width]
    whole = cv2.erode((drawn[..., 3] == 255).astype(np.uint8), np.ones((3, 3), np.uint8))
    x0, y0, x1, y1 = (round(scale * edge) for edge in tile_box.as_list())
    inside = np.zeros_like(whole)
    inside[y0:y1, x0:x1] = whole[y0:y1, x0:x1]
    apart = np.abs(drawn[..., :3].astype(int) - picture.astype(int)).mean(axis=2)
    apart = cv2.medianBlur(np.minimum(apart, 255).astype(np.uint8), 3)
    changed = int(((apart > CHANGED) & (inside > 0)).sum())
    return (changed + _beyond(picture, drawn, (x0, y0, x1, y1))) / int(inside.sum())


def _beyond(picture: np.ndarray, drawn: np.ndarray, tile: tuple[int, int, int, int]) -> int:
    """Px of the tile beside the painted figure that have the very colour of one of its sides."""
    x0, y0, x1, y1 = tile
    there, own = picture[y0:y1, x0:x1].astype(int), drawn[y0:y1, x0:x1]
    sides, counts = np.unique(own[own[..., 3] == 255][:, :3], axis=0, return_counts=True)
    sides = sides[counts > 0.03 * counts.sum()].astype(int)
    near = (np.abs(there[:, :, None] - sides).max(axis=3) <= SAME).any(axis=2).astype(np.uint8)
    near = cv2.erode(near, np.ones((3, 3), np.uint8))
    beside = cv2.dilate((own[..., 3] > 0).astype(np.uint8), np.ones((5, 5), np.uint8)) == 0
    return int((near.astype(bool) & beside).sum())
