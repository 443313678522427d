"""The independent judge of ``polyomino_fit``: reads squares off the picture and lays pieces.

The shape's squares are found from its outline, at the size at which as many squares fit as the
pieces have; the squares of pieces are those in the pieces' colours. Every set is laid into the
shape, square by square, until one covers it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw.colours import parse_hex
from factory.testing import View

Cells = frozenset[tuple[int, int]]

CLOSE = 40.0
"""Levels of RGB by which the middle of a square may be off the colour of its piece."""

FILLED, OUTLINED = 24.0, 90.0
"""Levels of RGB by which the shape and its outline differ from the card."""

APART, PAD_CSS, LARGEST_CSS = 0.8, 7.0, 17.0
FLIPS = ("turned and flipped", "旋转和翻面")


def solve(view: View) -> list[ActionBase]:
    """Click the tile whose pieces cover the shape."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    tiles = [boxes[f"cell.{k}"] for k in range(len(view.state.rows))]
    css = view.record.observations[0].dpr
    flips = any(words in view.record.tasks[0].goal for words in FLIPS)
    side = min(_side(row, tile, css) for row, tile in zip(view.state.rows, tiles, strict=True))
    sets = [
        _pieces(view, row, tile, side) for row, tile in zip(view.state.rows, tiles, strict=True)
    ]
    target = _target(view, boxes["shape"], sum(len(piece) for piece in sets[0]))
    right = [tile for tile, own in zip(tiles, sets, strict=True) if _covers(target, own, flips)]
    clicks: list[ActionBase] = [Click(tile.center) for tile in right[:1]]
    return clicks + ([Click(boxes["submit"].center)] if "submit" in boxes else [])


def _side(row: Any, tile: Box, css: float) -> float:
    """The side of squares with which a row fits its tile, canvas px."""
    pad = 2 * PAD_CSS * css
    return min((tile.width - pad) / row.width, (tile.height - pad) / row.height, LARGEST_CSS * css)


def _pieces(view: View, row: Any, tile: Box, side: float) -> list[Cells]:
    """The pieces of a tile: squares whose middle has the piece's colour."""
    left = tile.center.x - row.width * side / 2
    top = tile.center.y - row.height * side / 2
    ends = [*(x - APART for x, _ in row.corners[1:]), row.width]
    found: list[Cells] = []
    for (x, y), end, name in zip(row.corners, ends, view.state.colours, strict=True):
        colour = np.array(parse_hex(name)[::-1], float)
        cells = {
            (a, b)
            for a in range(round(end - x))
            for b in range(round(row.height))
            if np.linalg.norm(
                _seen(view, left + (x + a + 0.5) * side, top + (y + b + 0.5) * side) - colour
            ) < CLOSE
        }  # fmt: skip
        found.append(frozenset(cells))
    return found


def _seen(view: View, x: float, y: float) -> Any:
    """The colour about a point, the median of nine px."""
    px, py = int(x), int(y)
    return np.median(view.picture[py - 1 : py + 2, px - 1 : px + 2].reshape(-1, 3), axis=0)


def _target(view: View, card: Box, count: int) -> Cells:
    """The shape of so many squares on the card."""
    x0, y0, x1, y1 = card.grown(-0.06 * card.height).outer_pixels()
    area = view.picture[y0:y1, x0:x1].astype(float)
    paper = np.median(area[:3].reshape(-1, 3), axis=0)
    off = np.linalg.norm(area - paper, axis=2)
    inked, drawn = off > FILLED, off > OUTLINED
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    css = view.record.observations[0].dpr  # half of the outline lies outside the squares
    left, right = columns[0] + css, columns[-1] + 1 - css
    top, foot = rows[0] + css, rows[-1] + 1 - css
    best: tuple[float, Cells] = (1.0, frozenset())
    for across in range(1, 8):
        side = (right - left) / across
        down = round((foot - top) / side)
        if down < 1 or abs((foot - top) / side - down) > 0.16:
            continue
        cells = frozenset(
            (a, b)
            for a in range(across)
            for b in range(down)
            if inked[int(top + (b + 0.3) * side), int(left + (a + 0.3) * side)]
        )
        skew = abs((foot - top) / side - down)
        if len(cells) == count and skew < best[0]:
            best = (skew, cells)
    return best[1]


def _turns(piece: Cells, flips: bool) -> set[Cells]:
    """A piece in all its poses, about the corner."""
    found: set[Cells] = set()
    for mirror in (1, -1)[: 1 + flips]:
        cells = [(mirror * x, y) for x, y in piece]
        for _ in range(4):
            cells = [(-y, x) for x, y in cells]
            left, top = min(x for x, _ in cells), min(y for _, y in cells)
            found.add(frozenset((x - left, y - top) for x, y in cells))
    return found


def _covers(free: Cells, pieces: list[Cells], flips: bool) -> bool:
    """Whether the pieces, the first anywhere, fill what is free."""
    if not pieces:
        return not free
    for pose in _turns(pieces[0], flips):
        for x, y in free:
            for a, b in pose:
                laid = frozenset((c - a + x, d - b + y) for c, d in pose)
                if laid <= free and _covers(free - laid, pieces[1:], flips):
                    return True
    return False
