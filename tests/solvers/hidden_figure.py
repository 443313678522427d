"""The independent judge of ``hidden_figure``: lays what differs in the stripes over every option.

The stripes outside are drawn from their numbers, which are printed as art; where the picture
differs from them lies the figure. An option is what differs from its tile's ground. All are
brought to one size; the option that covers the figure best is the one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw.grounds import draw_ground
from factory.testing import View
from factory.testing.suite import load_judge

stripes: Any = load_judge("stripe_reading", Path(__file__).parent)
"""What the judges of stripes share."""

MISREADS = 0.01
"""1 of 500, looked at: a kite of thin lines in a turned figure."""

SIDE = 64
"""Px of the longest side of what is compared."""


def solve(view: View) -> list[ActionBase]:
    """Click the option whose outline lies in the stripes."""
    state, boxes = view.state, {r.name: Box(*r.box) for r in view.record.regions}
    tiles = [boxes[f"cell.{k}"] for k in range(len(state.options))]
    scale = tiles[0].width / state.board.tiles[0].width
    asked = boxes["picture"]
    corner = (
        asked.x0 - scale * state.board.question.x0,
        asked.y0 - scale * state.board.question.y0,
    )
    bare = _bare(view, corner, scale)
    parts = [_cut(part, asked.grown(-3.0)) for part in (view.picture, bare)]
    figure = _normal(stripes.shape_in(*parts, state.ink, state.stripes, scale), scale)
    scores: list[float] = []
    for tile in tiles:
        shown, ground = (_cut(part, tile.grown(-3.0)) for part in (view.picture, bare))
        ink = (cv2.absdiff(shown, ground).max(axis=2) > 48).astype(np.uint8)
        option = _normal(ink, scale)
        scores.append(float((figure & option).sum() / max(1, (figure | option).sum())))
    clicks: list[ActionBase] = [Click(tiles[int(np.argmax(scores))].center)]
    return clicks + ([Click(boxes["submit"].center)] if "submit" in boxes else [])


def _bare(view: View, corner: tuple[float, float], scale: float) -> Any:
    """The canvas with the bare ground where the board lies, BGR."""
    high, wide = view.picture.shape[:2]
    buffer = np.zeros((high, wide, 4), np.uint8)
    info = skia.ImageInfo.Make(wide, high, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, buffer) as canvas:
        canvas.translate(*corner)
        canvas.scale(scale, scale)
        draw_ground(canvas, view.state.ground, view.state.board.whole)
    return np.ascontiguousarray(buffer[..., :3])


def _cut(pixels: Any, box: Box) -> Any:
    x0, y0, x1, y1 = (round(v) for v in box.as_list())
    return pixels[y0:y1, x0:x1]


def _normal(mask: Any, scale: float) -> Any:
    """The largest piece of a mask in the middle of a square, its longest side filling it."""
    size = max(1, round(1.5 * scale))
    clean = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    labels, stats = cv2.connectedComponentsWithStats(clean)[1:3]
    if len(stats) < 2:
        return np.zeros((SIDE, SIDE), bool)
    at = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    x, y, w, h = (int(v) for v in stats[at][:4])
    zoom = SIDE / max(w, h)
    matrix = np.array(
        [[zoom, 0, SIDE / 2 - zoom * (x + w / 2)], [0, zoom, SIDE / 2 - zoom * (y + h / 2)]]
    )
    own = (labels == at).astype(np.uint8) * 255
    return cv2.warpAffine(own, matrix, (SIDE, SIDE)) > 127
