"""The independent judge of ``count_dice_sum``: reads the upper faces off the picture.

Each upper face is pulled straight out of the decoded picture. Pips are counted as spots;
a numeral is the one of six, drawn with the font of the dice, that it correlates with best.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.draw import glyphs
from factory.testing import View

SIDE = 96
PLAIN = 0.42
"""Half of a face's side inside which nothing of its edge is seen."""


def solve(view: View) -> list[ActionBase]:
    """The sum of what the faces show, typed into the field."""
    zones = [r for r in view.record.regions if r.name.startswith("top.")]
    total = 0
    for region in zones:
        dress = view.state.dress[int(region.name.partition(".")[2])]
        face = _straight(view.picture, np.array(region.polygon, np.float32).reshape(-1, 2))
        total += _pips(face) if dress.marks == "pips" else _numeral(face, dress.face)
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    clicks = [Click(boxes[name].center) for name in ("field", "submit") if name in boxes]
    return [clicks[0], Type(str(total)), *clicks[1:]]


def _straight(picture: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The face as a square of grey, its marks bright on dark, without its edge."""
    ends = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, ends)
    grey = cv2.cvtColor(cv2.warpPerspective(picture, matrix, (SIDE, SIDE)), cv2.COLOR_BGR2GRAY)
    cut = round(SIDE * (0.5 - PLAIN))
    inner = cv2.GaussianBlur(grey, (0, 0), 1.2)[cut:-cut, cut:-cut].astype(np.float32)
    apart = inner - float(np.median(inner))
    return np.abs(apart) * (np.sign(apart) == np.sign(apart.ravel()[np.abs(apart).argmax()]))


def _pips(face: np.ndarray) -> int:
    """Spots larger than a third of a pip."""
    spots = (face > 0.5 * face.max()).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(spots)
    return int((stats[1:, cv2.CC_STAT_AREA] > 0.01 * SIDE * SIDE).sum())


def _numeral(face: np.ndarray, name: str) -> int:
    scores = [cv2.matchTemplate(np.pad(face, 6), _drawn(name, v), cv2.TM_CCOEFF_NORMED).max()
              for v in range(1, 7)]  # fmt: skip
    return 1 + int(np.argmax(scores))


@lru_cache(maxsize=256)
def _drawn(name: str, value: int) -> np.ndarray:
    """A numeral as it stands on a face, the 6 over its line."""
    shape = glyphs.outline(name, str(value))
    side = round(2 * PLAIN * SIDE)
    surface = skia.Surface(side, side)
    scale = 0.6 * SIDE / max(shape.ink.height, shape.ink.width)
    with surface as canvas:
        canvas.translate(side / 2, side / 2 - (0.055 * SIDE if value == 6 else 0))
        canvas.scale(scale, scale)
        canvas.translate(-shape.ink.center.x, -shape.ink.center.y)
        canvas.drawPath(shape.path, skia.Paint(Color=skia.ColorWHITE, AntiAlias=True))
        if value == 6:
            foot = shape.ink.y1 + 0.08 * SIDE / scale
            half, middle = 0.17 * SIDE / scale, shape.ink.center.x
            bar = skia.Rect(middle - half, foot, middle + half, foot + 0.05 * SIDE / scale)
            canvas.drawRect(bar, skia.Paint(Color=skia.ColorWHITE, AntiAlias=True))
    grey = np.asarray(surface.makeImageSnapshot().toarray())[..., 0]
    return cv2.GaussianBlur(grey, (0, 0), 1.2).astype(np.float32)
