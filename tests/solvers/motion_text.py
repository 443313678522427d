"""The independent judge of ``motion_text``: reads the map of what moves otherwise than the rest.

Regions say where characters stand. In each of these, letters of all faces of the split are held
against the map; the face that fits all characters best together tells what they are.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.draw import glyphs, inkmasks
from factory.draw.styles import Style
from factory.testing import View
from factory.testing.suite import load_judge

film: Any = load_judge("grain_reading", Path(__file__).parent)
reading: Any = film.reading

MISREADS = 0.01
"""1 of 500, looked at by the ways of the grains: a turned H taken for N."""

LETTERS = "".join(c for c in glyphs.safe_alphabet("upper_digits") if c not in "MW347")
STROKE = 13.5
"""Hundredths of the size to which strokes are thickened."""

CELL = 0.835
"""Height of a cell in the size of its letter, without the three grains more."""


def solve(view: View) -> list[ActionBase]:
    """Click the field, type what moves, submit where a button is drawn."""
    found = reading.regions(view)
    windows = reading.numbered(view, "frame")
    field = film.grains(view, windows)
    moved = _moved(field)
    side = windows[0].width / moved.shape[1]
    cells = []
    for box in reading.numbered(view, "glyph"):
        x, y = (box.x0 - windows[0].x0) / side, (box.y0 - windows[0].y0) / side
        wide, high = round(box.width / side), round(box.height / side)
        cells.append(moved[round(y) : round(y) + high, round(x) : round(x) + wide])
    typed: list[ActionBase] = [Click(found["field"].center), Type(_read(cells, view.record.split))]
    return typed + ([Click(found["submit"].center)] if "submit" in found else [])


def _moved(field: Any) -> Any:
    """How much more grains go the way of some than the way of most at the rim."""
    maps = {name: film.followed(field, name) for name in film.STEPS}
    rim = np.ones(field.shape[1:], bool)
    rim[2:-2, 2:-2] = False
    around = max(maps, key=lambda name: float(maps[name][rim].mean()))
    others = [name for name in maps if name not in (around, "still")]
    inner = max(others, key=lambda name: float(maps[name].mean()))
    return (maps[inner] - maps[around]).astype(np.float32)


def _read(cells: list[Any], split: str) -> str:
    """The text of the face that fits all cells best."""
    best = (-9.0, "")
    for face in glyphs.faces(split, "latin", plain=True):
        total, text = 0.0, ""
        for cell in cells:
            score, char = _best(cell, face.name)
            total, text = total + score, text + char
        best = max(best, (total, text))
    return best[1]


def _best(cell: Any, face: str) -> tuple[float, str]:
    high, wide = cell.shape
    rows = _templates(face, wide, high)
    flat = cell.ravel() - cell.mean()
    scores = rows @ flat / (np.linalg.norm(flat) or 1.0)
    at = int(scores.argmax())
    return float(scores[at]), LETTERS[at]


@lru_cache(maxsize=1024)
def _templates(face: str, wide: int, high: int) -> Any:
    """The letters of a face in the middle of a cell, a row each, without mean, of length 1."""
    size = (high - 2.5) / CELL
    weight = max(0.0, STROKE - glyphs.stroke(face))
    rows = []
    for char in LETTERS:
        spec = glyphs.GlyphSpec(
            char, face, size, wide / 2, high / 2, Style("fill", "#000000"), weight=weight
        )
        ink = inkmasks.mask(glyphs.ink(spec).path, Box(0, 0, wide, high)).astype(np.float32)
        ink = ink.ravel()
        rows.append((ink - ink.mean()) / (ink.std() * ink.size**0.5))
    return np.stack(rows)
