"""A shape of squares on a card, and pieces of squares on tiles: where they lie, their painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import skia

from captcha_types.spatial_3d._polyominoes import Cell, Set, Shape, beside, extent, poses
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw.colours import mix, parse_hex
from factory.draw.panels.paint import ink, rounded

APART = 0.8
"""Between pieces on a tile, in squares."""

PAD_CSS = 7.0
"""Between what lies on a tile and its edge."""

LARGEST_CSS, LARGE_CSS, LEAST_CSS = 17.0, 9.5, 8.0
"""Sides of the squares of pieces: at most, as is aimed at, and at least."""

HALO_CSS = 4.6
"""Width of the white line under outlines: half of it is seen around a piece, on any ground."""

TURNS_TRIED = 24


@dataclass(frozen=True)
class Row:
    """Pieces of a set side by side, each with its lower left corner on a line; in squares from
    the row's corner. JSON-able."""

    pieces: Set
    corners: tuple[tuple[float, float], ...]
    width: float
    height: float


def in_row(pieces: Set) -> Row:
    """Pieces side by side, in the middle of the row's height."""
    sizes = [extent(piece) for piece in pieces]
    tall, x, corners = max(rows for _, rows in sizes), 0.0, list[tuple[float, float]]()
    for columns, rows in sizes:
        corners.append((round(x, 6), (tall - rows) / 2))
        x += columns + APART
    return Row(pieces, tuple(corners), round(x - APART, 6), float(tall))


def choose_rows(stream: Stream, sets: Sequence[Set], tile: Box) -> tuple[Row, ...]:
    """Each set turned at random, until its squares are as large as they need be on the tile."""
    rows: list[Row] = []
    for pieces in sets:
        best = _turned(stream, pieces)
        for _ in range(TURNS_TRIED):
            if side_in(best, tile) >= LARGE_CSS:
                break
            best = max(best, _turned(stream, pieces), key=lambda row: side_in(row, tile))
        rows.append(best)
    return tuple(rows)


def _turned(stream: Stream, pieces: Set) -> Row:
    turned = [stream.choice(poses(piece, mirrored=False)) for piece in stream.shuffled(pieces)]
    return in_row(tuple(turned))


def side_in(row: Row, tile: Box) -> float:
    """The side of squares with which a row fits a tile, CSS px."""
    width, height = tile.width - 2 * PAD_CSS, tile.height - 2 * PAD_CSS
    return min(width / row.width, height / row.height, LARGEST_CSS)


def common_side(rows: Sequence[Row], tile: Box) -> float:
    """The side with which all rows fit; ``Rejected`` when that is too small to count squares."""
    side = min(side_in(row, tile) for row in rows)
    if side < LEAST_CSS:
        raise Rejected("squares too small", value=side, limit=LEAST_CSS)
    return side


def paint_row(canvas: Any, row: Row, tile: Box, side: float, colours: Sequence[str]) -> None:
    """A row of pieces in the middle of a tile."""
    left = tile.center.x - row.width * side / 2
    top = tile.center.y - row.height * side / 2
    for piece, (x, y), colour in zip(row.pieces, row.corners, colours, strict=False):
        _paint_shape(canvas, piece, (left + x * side, top + y * side), side, colour)


def _paint_shape(
    canvas: Any, shape: Shape, corner: tuple[float, float], side: float, colour: str
) -> None:
    """Squares with a light upper edge, lines between them and a dark outline."""
    canvas.save()
    canvas.translate(*corner)
    canvas.scale(side, side)
    squares = skia.Path()
    for x, y in shape:
        squares.addRect(skia.Rect(x, y, x + 1, y + 1))
    canvas.drawPath(outline(shape), _stroke("#ffffff", HALO_CSS / side))
    canvas.drawPath(squares, ink(parse_hex(colour)))
    canvas.drawPath(squares, _stroke(mix(colour, "#000000", 0.74), 0.8 / side))
    canvas.drawPath(outline(shape), _stroke(mix(colour, "#000000", 0.42), 1.9 / side))
    canvas.restore()


def _stroke(colour: str, width: float) -> Any:
    paint = skia.Paint(AntiAlias=True, Color=skia.Color(*parse_hex(colour)))
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(width)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    paint.setStrokeCap(skia.Paint.kRound_Cap)
    return paint


def outline(shape: Shape) -> Any:
    """The edges between a shape and what is beside it, in squares."""
    path, around = skia.Path(), set(beside(shape))
    for x, y in shape:
        for near, a, b in (
            ((x, y - 1), (x, y), (x + 1, y)), ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x, y + 1), (x + 1, y + 1)), ((x - 1, y), (x, y), (x, y + 1)),
        ):  # fmt: skip
            if near in around:
                path.moveTo(*a)
                path.lineTo(*b)
    return path


def target_side(shape: Shape, card: Box) -> float:
    """The side of the squares of the shape on its card, CSS px."""
    columns, rows = extent(shape)
    return min((card.width - 22.0) / columns, (card.height - 18.0) / rows, 24.0)


def target_corner(shape: Shape, card: Box) -> Cell | tuple[float, float]:
    """Where the shape's corner lies, CSS px."""
    (columns, rows), side = extent(shape), target_side(shape, card)
    return card.center.x - columns * side / 2, card.center.y - rows * side / 2


def paint_target(
    canvas: Any, shape: Shape, card: Box, paper: str, line: str, *, squares: bool
) -> None:
    """The shape on its card: filled, outlined, with its squares where they are to be seen."""
    side = target_side(shape, card)
    canvas.drawRRect(rounded(card, 8.0), ink(parse_hex(paper)))
    canvas.save()
    canvas.translate(*target_corner(shape, card))
    canvas.scale(side, side)
    filled = skia.Path()
    for x, y in shape:
        filled.addRect(skia.Rect(x, y, x + 1, y + 1))
    plain = ink(parse_hex(mix(line, paper, 0.22)))
    plain.setAntiAlias(False)
    canvas.drawPath(filled, plain)
    if squares:
        canvas.drawPath(filled, _stroke(mix(line, paper, 0.5), 0.8 / side))
    canvas.drawPath(outline(shape), _stroke(line, 2.0 / side))
    canvas.restore()
