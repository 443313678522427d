"""The independent judge of ``grid_orientation_check``: turns things until they fit.

Which rule holds is printed. A single thing is drawn anew by the icon kit at all turns and
compared with the tile; it is upright where a small turn fits best. Halves of a tile are
compared with each other, one of them flipped; both measures are of pixels alone.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase
from factory.draw import icons
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("board_reading", Path(__file__).parent)
"""What the judges of boards share."""

MISREADS = 0.01
"""2 of 500, both looked at: grapes, and a leopard on a badge."""

TURNS_DEG = sorted({*range(0, 360, 15), 4, 8, 352, 356})
UPRIGHT_DEG = 22.0
PAIRED, NEGATED = ("mirror", "镜像"), ("not", "没有", "不是")


def solve(view: View) -> list[ActionBase]:
    """Click the tiles that the printed rule asks for."""
    goal = view.record.tasks[0].goal
    paired = any(word in goal for word in PAIRED)
    negated = any(word in goal for word in NEGATED)
    boxes, bare = reading.tiles(view), reading.bare(view)
    ink = reading.inked(view, 26)
    tiles = [reading.alone(view, box, ink, bare) for box in boxes]
    if paired:
        good = {k for k, tile in enumerate(tiles) if _mirrored(tile) > 0.0}
    else:
        scale = boxes[0].width / view.state.board.tiles[0].width
        shown = zip(tiles, view.state.tiles, strict=True)
        good = {
            k for k, (tile, (spec,)) in enumerate(shown) if _turn(tile, spec, scale) <= UPRIGHT_DEG
        }
    return reading.answer(view, set(range(len(boxes))) - good if negated else good)


def _edges(pixels: Any) -> Any:
    colours = reading.lab(pixels)
    found = np.hypot(*(cv2.Sobel(colours, cv2.CV_32F, *way) for way in ((1, 0), (0, 1))))
    return cv2.GaussianBlur(np.minimum(found.max(axis=2), 60.0), (0, 0), 1.2)


def _mirrored(tile: Any) -> float:
    """How well the right half, flipped, fits the left, over how well it fits as it is."""
    middle, off = tile.shape[1] // 2, max(3, round(0.035 * tile.shape[1]))
    left, right = tile[:, : middle - off], tile[:, middle + off + tile.shape[1] % 2 :]
    own, other = _edges(left), _edges(right)
    pad = round(0.12 * own.shape[1])
    fits = []
    for one in (other[:, ::-1], other):
        heart = np.ascontiguousarray(one[pad:-pad, pad:-pad])
        fits.append(float(cv2.matchTemplate(own, heart, cv2.TM_CCOEFF_NORMED).max()))
    return fits[0] - fits[1]


def _turn(tile: Any, spec: icons.IconSpec, scale: float) -> float:
    """Degrees from upright at which the thing fits its tile best."""
    ground = np.median(tile[:: tile.shape[0] - 1, :: tile.shape[1] - 1].reshape(-1, 3), axis=0)
    fits: dict[int, float] = {}
    for turn in TURNS_DEG:
        drawn = _drawn(replace(spec, turn_deg=float(turn)), ground, scale)
        heart = drawn[: tile.shape[0] - 1, : tile.shape[1] - 1]
        fits[turn] = float(
            cv2.matchTemplate(_edges(tile), _edges(heart), cv2.TM_CCOEFF_NORMED).max()
        )
    best = max(fits, key=lambda turn: fits[turn])
    return float(min(best, 360 - best))


def _drawn(spec: icons.IconSpec, ground: Any, scale: float) -> Any:
    """The thing alone on a flat ground, cut to what it paints, BGR."""
    around = icons.icon_ink(spec).painted.grown(1.0)
    width, height = round(around.width * scale), round(around.height * scale)
    buffer = np.zeros((height, width, 4), np.uint8)
    blue, green, red = (int(v) for v in ground)
    with skia.Surface(buffer) as canvas:
        canvas.clear(skia.Color(red, green, blue))
        canvas.scale(scale, scale)
        canvas.translate(-around.x0, -around.y0)
        icons.draw_icon(canvas, spec)
    bgra = skia.kN32_ColorType == skia.kBGRA_8888_ColorType
    return np.ascontiguousarray(buffer[..., :3] if bgra else buffer[..., 2::-1])
