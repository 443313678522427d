"""The independent judge of ``motion_defined_select``: which way grains go, and what they outline.

The way that grains along the edges follow is that of what is around; where another way is
followed instead is the shape, which is held against templates of every size.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

film: Any = load_judge("grain_reading", Path(__file__).parent)
reading: Any = film.reading

MISREADS = 0.02
"""5 of 500; in three, looked at by the ways of the grains, the outlines are plainly the labels'."""

SHAPES = {"circle": "圆形", "square": "正方形", "triangle": "三角形", "cross": "十字形"}
WAYS = {"left": "向左", "right": "向右", "upwards": "向上", "downwards": "向下"}
MOVES = ("left", "right", "up", "down")
LARGEST = ("largest", "最大")


def solve(view: View) -> list[ActionBase]:
    """Click the tiles that show what the goal names."""
    goal = view.record.tasks[0].goal
    tiles = range(len(reading.numbered(view, "cell")))
    fields = [film.grains(view, reading.numbered(view, f"film{tile}")) for tile in tiles]
    for name, chinese in WAYS.items():
        if name in goal or chinese in goal:
            way = name.removesuffix("wards")
            return reading.answer(view, [t for t in tiles if _way(fields[t]) == way])
    shown = [_shape(one) for one in fields]
    if any(word in goal for word in LARGEST):
        return reading.answer(view, [max(tiles, key=lambda tile: shown[tile][2])])
    (name,) = [n for n, zh in SHAPES.items() if f"hidden {n}" in goal or f"藏有{zh}" in goal]
    if reading.one_asked(view):
        return reading.answer(view, [max(tiles, key=lambda tile: _lead(shown[tile][0], name))])
    return reading.answer(view, [t for t in tiles if shown[t][1] == name])


def _lead(scores: dict[str, float], name: str) -> float:
    """By how much a shape fits better than the next best."""
    return scores[name] - max(score for other, score in scores.items() if other != name)


def _way(found: Any) -> str:
    return max(MOVES, key=lambda name: float(film.followed(found, name).mean()))


def _shape(found: Any) -> tuple[dict[str, float], str, float]:
    """Scores of the shapes, the best of them, and how many grains it takes."""
    maps = {name: film.followed(found, name) for name in film.STEPS}
    rim = np.ones(found.shape[1:], bool)
    rim[3:-3, 3:-3] = False
    around = max(maps, key=lambda name: float(maps[name][rim].mean()))
    inner = max((n for n in MOVES if n != around), key=lambda n: float(maps[n].mean()))
    moved = maps[inner] - maps[around]
    rows, columns = moved.shape
    scores: dict[str, float] = {}
    best = (0.0, 0.0)
    for name in SHAPES:
        for reach in range(3, round(0.4 * min(rows, columns)) + 1):
            score = _matched(moved, _template(name, reach))
            scores[name] = max(scores.get(name, -1.0), score)
            if name == "circle":
                best = max(best, (score, float(reach)))
    return scores, max(scores, key=lambda name: scores[name]), best[1]


def _matched(moved: Any, template: Any) -> float:
    """The best correlation of a template, surrounded by as much again, with part of a map."""
    side = template.shape[0]
    pad = side // 2
    wide = cv2.copyMakeBorder(moved, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    return float(cv2.matchTemplate(wide, template, cv2.TM_CCOEFF_NORMED).max())


def _template(name: str, reach: int) -> Any:
    """A shape of about ``reach`` in a square half as large again, float32."""
    half = round(1.6 * reach)
    dy, dx = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32)
    if name == "circle":
        inside = np.hypot(dx, dy) <= reach + 0.5
    elif name == "square":
        inside = np.maximum(abs(dx), abs(dy)) <= 0.88 * reach
    elif name == "triangle":
        inside = (dy <= 0.93 * reach) & (dy >= 1.9 * abs(dx) - 1.28 * reach)
    else:
        near, far = np.minimum(abs(dx), abs(dy)), np.maximum(abs(dx), abs(dy))
        inside = (near <= 0.38 * reach) & (far <= 1.06 * reach)
    return inside.astype(np.float32)
