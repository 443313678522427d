"""Boards on which somebody stands: seats, maps of squares, orbits; and their small copies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import skia

from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw.colours import mix
from factory.draw.panels.paint import ink
from factory.draw.solid.dice import symbol_path
from factory.draw.styles import rgb_colour
from factory.draw.tokens import RGB

Kind = Literal["seats", "squares", "orbits"]
KINDS: tuple[Kind, ...] = ("seats", "squares", "orbits")

LETTERS = "ABCDEFGH"
LABEL_CSS = 15.0
"""Beside and above a board, for its letters and numbers."""

EDGE_CSS = 6.0
PALE, DEEP = "#f7f8fb", "#1d212b"
CHECK = 0.3
"""How much of the tint every other place of a checked board has."""

SUN = 0.16
"""Radius of what is circled, by the outermost orbit."""

FIRST_ORBIT = 0.52
TICKS = 0.035


@dataclass(frozen=True)
class Board:
    """``columns`` x ``rows`` places, or ``rows`` orbits with ``columns`` places each. JSON-able.

    ``labelled`` boards have letters above and numbers beside them; ``tint`` colours the board, and
    every other place of ``checked`` ones.
    """

    kind: Kind
    columns: int
    rows: int
    labelled: bool
    face: str
    dark: bool
    tint: str
    checked: bool = False

    @property
    def places(self) -> int:
        """How many places it has, counted row by row."""
        return self.columns * self.rows

    @property
    def paper(self) -> str:
        """The colour of a place."""
        return DEEP if self.dark else PALE

    @property
    def line(self) -> str:
        """The colour of its lines, letters and numbers."""
        return mix(self.tint, "#ffffff" if self.dark else "#000000", 0.55)


def choose_board(stream: Stream, kind: Kind, labelled: bool, face: str, hard: float) -> Board:
    """A board that grows with difficulty."""
    columns, rows = (
        (6 + 2 * round(hard), 2) if kind == "orbits" else (5 + round(2 * hard), 3 + round(hard))
    )
    tint = stream.choice(("#2f6fde", "#1f8a5b", "#b4472f", "#7a4bc2", "#a07414", "#2b8a9a"))
    dark, checked = stream.chance(0.4), stream.chance(0.5) and kind != "orbits"
    return Board(kind, columns, rows, labelled, face, dark, tint, checked)


def field(board: Board, whole: Box) -> Box:
    """The part of a page, or of a card, that the places fill."""
    room = whole.grown(-EDGE_CSS)
    if board.kind == "orbits":
        half = min(room.width, room.height) / 2
        x, y = room.center
        return Box(x - half, y - half, x + half, y + half)
    if board.labelled:
        room = Box(room.x0 + LABEL_CSS, room.y0 + LABEL_CSS, room.x1, room.y1)
    side = min(room.width / board.columns, room.height / board.rows, 46.0)
    wide, high = side * board.columns, side * board.rows
    x, y = room.center
    return Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def spot(board: Board, area: Box, place: int) -> Point:
    """The middle of a place; ``area`` is the board's field."""
    row, column = divmod(place, board.columns)
    if board.kind != "orbits":
        side = area.width / board.columns
        return Point(area.x0 + (column + 0.5) * side, area.y0 + (row + 0.5) * side)
    reach, turn = orbit(board, area, row), 2 * math.pi * column / board.columns
    x, y = area.center
    return Point(x + reach * math.sin(turn), y - reach * math.cos(turn))


def orbit(board: Board, area: Box, row: int) -> float:
    """The radius of an orbit, the innermost first; a rim is left for who stands on the last."""
    last = area.width / 2 * (1.0 - 0.5 * (1.0 - FIRST_ORBIT) / board.rows)
    first = area.width / 2 * FIRST_ORBIT
    return first + (last - first) * row / (board.rows - 1)


def pitch(board: Board, area: Box) -> float:
    """The least distance between the middles of two places."""
    if board.kind != "orbits":
        return area.width / board.columns
    around = 2 * orbit(board, area, 0) * math.sin(math.pi / board.columns)
    return min(around, orbit(board, area, 1) - orbit(board, area, 0))


def code(board: Board, place: int) -> str:
    """What a place is called on a labelled board."""
    row, column = divmod(place, board.columns)
    return f"{LETTERS[column]}{row + 1}"


@lru_cache(maxsize=256)
def _paint(colour: str, stroke: float = 0.0, alpha: int = 255) -> Any:
    paint = skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
    return paint


def paint_board(canvas: Any, board: Board, whole: Box) -> None:
    """The board without anybody on it, on its page."""
    area = field(board, whole)
    under = area.grown(EDGE_CSS - 1.0)
    if board.labelled:
        under = Box(under.x0 - LABEL_CSS, under.y0 - LABEL_CSS, under.x1, under.y1)
    if board.kind == "orbits":
        _orbits(canvas, board, area)
        return
    rect = skia.Rect.MakeLTRB(*under.as_list())
    canvas.drawRoundRect(rect, 7, 7, _paint(mix(board.tint, board.paper, 0.22)))
    side = area.width / board.columns
    papers = board.paper, mix(board.tint, board.paper, CHECK if board.checked else 0.0)
    for place in range(board.places):
        x, y = spot(board, area, place)
        paper = papers[sum(divmod(place, board.columns)) % 2]
        half = side / 2 - (2.0 if board.kind == "seats" else 0.0)
        tile = skia.Rect(x - half, y - half, x + half, y + half)
        round_by = 6.0 if board.kind == "seats" else 0.0
        canvas.drawRoundRect(tile, round_by, round_by, _paint(paper))
        canvas.drawRoundRect(tile, round_by, round_by, _paint(board.line, 1.0, 150))
        if board.kind == "seats":
            back = skia.Rect(x - 0.6 * half, y + half - 3.5, x + 0.6 * half, y + half - 1.5)
            canvas.drawRoundRect(back, 1, 1, _paint(board.line, 0.0, 130))
    if board.labelled:
        _labels(canvas, board, area, side)


def _labels(canvas: Any, board: Board, area: Box, side: float) -> None:
    for column in range(board.columns):
        at = (area.x0 + (column + 0.5) * side, area.y0 - LABEL_CSS / 2 - 1)
        _letter(canvas, board, LETTERS[column], at)
    for row in range(board.rows):
        at = (area.x0 - LABEL_CSS / 2 - 1, area.y0 + (row + 0.5) * side)
        _letter(canvas, board, str(row + 1), at)


def _letter(canvas: Any, board: Board, char: str, at: tuple[float, float]) -> None:
    canvas.save()
    canvas.translate(*at)
    canvas.drawPath(symbol_path(board.face, char, 10.0), _paint(board.line))
    canvas.restore()


def _orbits(canvas: Any, board: Board, area: Box) -> None:
    x, y = area.center
    canvas.drawCircle(x, y, area.width / 2 + 2, _paint(board.paper))
    canvas.drawCircle(x, y, area.width / 2 + 2, _paint(board.line, 1.2, 160))
    for row in range(board.rows):
        canvas.drawCircle(x, y, orbit(board, area, row), _paint(board.line, 1.3, 170))
    for place in range(board.places):
        canvas.drawCircle(*spot(board, area, place), TICKS * area.width / 2, _paint(board.line))
    canvas.drawCircle(x, y, SUN * area.width / 2, _paint(board.tint))


def paint_small(canvas: Any, board: Board, area: Box, place: int, line: RGB, mark: RGB) -> None:
    """A small copy of a board with one place marked, in a panel's own colours."""
    stroke = ink(line)
    stroke.setStyle(skia.Paint.kStroke_Style)
    stroke.setStrokeWidth(0.9)
    x, y = spot(board, area, place)
    if board.kind == "orbits":
        for row in range(board.rows):
            canvas.drawCircle(*area.center, orbit(board, area, row), stroke)
        canvas.drawCircle(*area.center, SUN * area.width / 2, stroke)
        canvas.drawCircle(x, y, 4.2, ink(mark))
        return
    side = area.width / board.columns
    for column in range(board.columns + 1):
        canvas.drawLine(area.x0 + column * side, area.y0, area.x0 + column * side, area.y1, stroke)
    for row in range(board.rows + 1):
        canvas.drawLine(area.x0, area.y0 + row * side, area.x1, area.y0 + row * side, stroke)
    half = side / 2
    canvas.drawRect(skia.Rect(x - half, y - half, x + half, y + half), ink(mark))
