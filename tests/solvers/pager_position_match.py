"""The independent judge of ``pager_position_match``: finds the figure on every page.

The figure is what differs from the empty board; where it stands follows from the board's box,
divided into rows and columns or into orbits. The first page is read off the decoded picture.
The card is read off it too: the marked place of a small board is its most filled one, letters
and numbers are matched with their font.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import skia

from captcha_types.pager_stepper.pager_position_match import page_raster
from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw import glyphs
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("page_reading", Path(__file__).parent)

SCALE = 3.0
SIDE = 40
EDGE_CSS = 6.0
"""Between the card's edge and the small board."""


def solve(view: View) -> list[ActionBase]:
    """Turn to the page whose figure stands where the card says, and confirm."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    state, start, px = view.state, view.state.pager.start, view.record.observations[0].dpr
    blank, pages = reading.read_pages(view, page_raster, SCALE)
    picture, board = regions["picture"], regions["board"]
    area = board.moved(-picture.x0, -picture.y0)
    area = Box(*(v * SCALE / px for v in area.as_list()))
    places = [nearest(_figure(page, blank), area, state.board) for page in pages]
    card = cv2.resize(_cut(view.picture, regions["card"]), None, fx=SCALE / px, fy=SCALE / px)
    wanted = _code(card, state.board) if state.style == "code" else _marked(card, state.board)
    target = places.index(wanted) if wanted in places else start
    arrow = regions["next" if target > start else "prev"].center
    taps = [Click(arrow._replace(x=arrow.x + k)) for k in range(abs(target - start))]
    return [*taps, Click(regions["submit"].center)]


def _cut(picture: Any, box: Box) -> Any:
    x0, y0, x1, y1 = box.outer_pixels()
    return picture[y0:y1, x0:x1]


def _figure(page: Any, blank: Any) -> tuple[float, float]:
    """Where most differs from the empty board."""
    apart = cv2.absdiff(cv2.GaussianBlur(page, (0, 0), 1.5), cv2.GaussianBlur(blank, (0, 0), 1.5))
    level = np.where(apart.max(axis=2) > 30, apart.max(axis=2), 0).astype(np.float32)
    side = round(14 * SCALE) | 1
    row, column = np.unravel_index(cv2.boxFilter(level, -1, (side, side)).argmax(), level.shape)
    window = level.copy()
    window[: max(0, row - side)] = window[row + side :] = 0
    window[:, : max(0, column - side)] = window[:, column + side :] = 0
    rows, columns = np.nonzero(window)
    return (columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2


def nearest(at: tuple[float, float], area: Box, board: Any) -> int:
    """The place whose middle is nearest."""
    return min(range(board.columns * board.rows),
               key=lambda place: math.dist(at, _middle(place, area, board)))  # fmt: skip


def _middle(place: int, area: Box, board: Any) -> tuple[float, float]:
    row, column = divmod(place, board.columns)
    if board.kind != "orbits":
        return (area.x0 + (column + 0.5) * area.width / board.columns,
                area.y0 + (row + 0.5) * area.height / board.rows)  # fmt: skip
    half, turn = area.width / 2, 2 * math.pi * column / board.columns
    last = half * (1 - 0.29 / board.rows)
    reach = half * 0.42 + (last - half * 0.42) * row / (board.rows - 1)
    return area.center.x + reach * math.sin(turn), area.center.y - reach * math.cos(turn)


def _marked(card: Any, board: Any) -> int:
    """The place of the small board that is filled most."""
    high, wide = card.shape[0] - 2 * EDGE_CSS * SCALE, card.shape[1] - 2 * EDGE_CSS * SCALE
    side = min(wide / board.columns, high / board.rows)
    across, down = (high, high) if board.kind == "orbits" else (
        side * board.columns, side * board.rows)  # fmt: skip
    x, y = card.shape[1] / 2, card.shape[0] / 2
    area = Box(x - across / 2, y - down / 2, x + across / 2, y + down / 2)
    paper = np.median(card.reshape(-1, 3), axis=0)
    far = cv2.blur(np.abs(card.astype(np.float32) - paper).max(axis=2), (9, 9))
    middles = [_middle(place, area, board) for place in range(board.columns * board.rows)]
    return int(np.argmax([far[round(y), round(x)] for x, y in middles]))


def _code(card: Any, board: Any) -> int:
    """The place whose letter and number look most like the card's."""
    cut = round(EDGE_CSS * SCALE)
    inner = card[cut:-cut, cut:-cut]
    far = np.abs(inner.astype(np.float32) - np.median(inner.reshape(-1, 3), axis=0)).max(axis=2)
    inked = (far > 0.45 * far.max()).astype(np.uint8)
    half = inked.shape[1] // 2
    letter, number = _ink(inked[:, :half]), _ink(inked[:, half:])
    best = max(
        product(range(board.rows), range(board.columns)),
        key=lambda at: (
            _overlap(letter, _drawn(board.face, "ABCDEFGH"[at[1]]))
            + _overlap(number, _drawn(board.face, str(at[0] + 1)))
        ),
    )
    return best[0] * board.columns + best[1]


def _ink(inked: Any) -> Any:
    rows, columns = np.nonzero(inked)
    return inked[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def _overlap(figure: Any, drawn: Any) -> float:
    ratio = figure.shape[1] / figure.shape[0] * drawn.shape[0] / drawn.shape[1]
    a, b = (cv2.resize(m, (SIDE, SIDE), interpolation=cv2.INTER_AREA) > 0 for m in (figure, drawn))
    return float((a & b).sum() / (a | b).sum()) * min(ratio, 1 / ratio)


@lru_cache(maxsize=512)
def _drawn(face: str, char: str) -> Any:
    """The mask of a letter or number, cut to its ink."""
    surface = skia.Surface(200, 200)
    with surface as canvas:
        canvas.translate(60, 140)
        paint = skia.Paint(Color=skia.ColorWHITE, AntiAlias=True)
        canvas.drawPath(glyphs.outline(face, char).path, paint)
    return _ink((np.asarray(surface.makeImageSnapshot().toarray())[..., 0] > 128).astype(np.uint8))
