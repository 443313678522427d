"""Boards of squares and the pieces on them: stones, cut gems, line icons or 3-D emoji."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal

import cv2
import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.puzzle import Seen
from factory.core.rng import Stream
from factory.draw import colour_names, grounds, icons, layout
from factory.draw.colours import luminance, mix, parse_hex
from factory.draw.panels.paint import bordered, ink, rounded
from factory.draw.tones import Tone

Sort = Literal["stones", "gems", "icon", "emoji3d"]
SORTS: Mapping[Sort, float] = {"stones": 0.25, "gems": 0.25, "icon": 0.22, "emoji3d": 0.28}

EDGE_SHARE = 0.55
"""How much of a square's own colour is in its edge, which shows it on a ground of that colour."""

RIM_CSS = 8.0
"""Between the squares and the edge of the board."""

PLATES = ("#f6f3ea", "#e9eef5", "#fdfdfd", "#efe6d8", "#23283a", "#1f2d2b", "#33263a", "#15181f")
"""Colours of squares."""

NAMED = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown")
"""Colours that pieces may have: black, white and grey are the colours of grounds."""

GEMS = ("triangle", "square", "pentagon", "star", "hexagon", "drop", "cross", "ring")
FILLS: Mapping[Sort, float] = {"stones": 0.74, "gems": 0.72, "icon": 0.66, "emoji3d": 0.76}
"""Share of a square's side that a piece takes."""

INK_FLOOR = 3.0
"""Contrast of pieces to their squares."""

CHECKED = 0.35
"""Share of boards whose squares have two tones in turn."""

MEASURED_PX = 8
"""Squares are compared at so many px a side, as at a glance."""


@dataclass(frozen=True)
class Piece:
    """How one kind looks. ``form`` is the outline of a gem or the asset of an icon. JSON-able."""

    form: str
    colour: str
    name_en: str
    name_zh: str

    def called(self, lang: str) -> str:
        """What it is in ``en`` or ``zh``."""
        return self.name_zh if lang == "zh" else self.name_en


@dataclass(frozen=True)
class PieceBoard:
    """``side`` x ``side`` squares on a ground, with a piece for each kind. CSS px. JSON-able."""

    width: float
    height: float
    side: int
    gap: float
    round: float
    plates: tuple[str, str]
    sort: Sort
    pieces: tuple[Piece, ...]
    stroke: float
    ground: grounds.Ground

    @property
    def squares(self) -> list[Box]:
        """The squares in reading order, from the slot's corner."""
        wide = min(self.width, self.height) - 2 * RIM_CSS
        left, top = (self.width - wide) / 2, (self.height - wide) / 2
        area = Box(left, top, left + wide, top + wide)
        return layout.tiles(area, self.side, self.side, self.gap)

    @property
    def whole(self) -> Box:
        """The slot, from its own corner."""
        return Box(0.0, 0.0, self.width, self.height)


def choose_board(
    stream: Stream, size: tuple[float, float], side: int, kinds: int, split: str,
    ground: grounds.Ground, *, likeness: float,
) -> PieceBoard:  # fmt: skip
    """Squares and ``kinds`` pieces that differ; ``likeness`` from 0 to 1: icons of one category."""
    plate = stream.choice(PLATES)
    other = mix(plate, "#808080", 0.86) if stream.chance(CHECKED) else plate
    levels = luminance(plate), luminance(other)
    tone = Tone(min(levels), max(levels))
    sort = stream.weighted(tuple(SORTS), tuple(SORTS.values()))
    return PieceBoard(
        width=size[0],
        height=size[1],
        side=side,
        gap=float(stream.choice((2, 3, 4, 5))),
        round=float(stream.choice((2, 6, 10))),
        plates=(plate, other),
        sort=sort,
        pieces=_choose_pieces(stream, sort, kinds, split, tone, likeness),
        stroke=round(stream.uniform(1.8, 2.4), 6),
        ground=ground,
    )


def _choose_pieces(
    stream: Stream, sort: Sort, kinds: int, split: str, tone: Tone, likeness: float
) -> tuple[Piece, ...]:
    if sort in ("stones", "gems"):
        palette = colour_names.named_palette(stream, kinds, tone, names=NAMED, floor=INK_FLOOR)
        forms = stream.sample(GEMS, kinds) if sort == "gems" else ["stone"] * kinds
        return tuple(
            Piece(form, colour, colour_names.called(name, "en"), colour_names.called(name, "zh"))
            for form, (name, colour) in zip(forms, palette.items(), strict=True)
        )
    pool = icons.icons(split, sort)
    if stream.chance(likeness):
        few = [own for own in icons.categories(split, sort).values() if len(own) >= 3 * kinds]
        pool = stream.choice(few) if few else pool
    chosen = icons.choose_distinct(stream, pool, kinds)
    inks = [""] * kinds
    if sort == "icon":
        inks = list(
            colour_names.named_palette(stream, kinds, tone, names=NAMED, floor=INK_FLOOR).values()
        )
        if stream.chance(0.5 * likeness):
            inks = inks[:1] * kinds
    return tuple(
        Piece(info.asset, colour, info.en, info.zh)
        for info, colour in zip(chosen, inks, strict=True)
    )


def paint_board(canvas: Any, board: PieceBoard, slot: Box) -> None:
    """Ground and squares, in panel CSS px."""
    canvas.save()
    canvas.clipRRect(rounded(slot, 10.0), True)
    grounds.draw_ground(canvas, board.ground, slot)
    canvas.restore()
    for index, box in enumerate(board.squares):
        row, column = divmod(index, board.side)
        plate = board.plates[(row + column) % 2]
        colour, edge = parse_hex(plate), parse_hex(mix(plate, "#808080", EDGE_SHARE))
        bordered(canvas, box.moved(slot.x0, slot.y0), board.round, edge, colour)


def paint_piece(canvas: Any, board: PieceBoard, kind: int, at: Box) -> None:
    """A piece in the middle of a square."""
    piece, size = board.pieces[kind], FILLS[board.sort] * at.width
    x, y = at.center
    if board.sort in ("icon", "emoji3d"):
        style = icons.IconStyle("plain")
        if board.sort == "icon":
            style = icons.IconStyle("line", piece.colour, stroke=board.stroke)
        icons.draw_icon(canvas, icons.IconSpec(piece.form, size, x, y, style))
        return
    canvas.save()
    canvas.translate(x, y)
    canvas.scale(size, size)
    _shaded(canvas, gem(piece.form), piece.colour)
    canvas.restore()


def _shaded(canvas: Any, path: Any, colour: str) -> None:
    """An outline of unit size in a colour, with a shadow, a lighter upper part and a dark edge."""
    canvas.save()
    canvas.translate(0.02, 0.045)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 70)))
    canvas.restore()
    canvas.drawPath(path, ink(parse_hex(colour)))
    canvas.save()
    canvas.clipPath(path, skia.ClipOp.kIntersect, True)
    canvas.drawOval(
        skia.Rect(-0.42, -0.62, 0.3, 0.02), skia.Paint(AntiAlias=True, Color=0x38FFFFFF)
    )
    canvas.restore()
    edge = skia.Paint(AntiAlias=True, Color=skia.Color(*parse_hex(mix(colour, "#000000", 0.72))))
    edge.setStyle(skia.Paint.kStroke_Style)
    edge.setStrokeWidth(0.035)
    canvas.drawPath(path, edge)


@lru_cache(maxsize=16)
def gem(form: str) -> Any:
    """An outline about the origin, one across. Shared: never change it."""
    path = skia.Path()
    if form == "stone":
        path.addCircle(0, 0, 0.5)
    elif form == "square":
        path.addRoundRect(skia.Rect(-0.42, -0.42, 0.42, 0.42), 0.1, 0.1)
    elif form == "ring":
        path.addCircle(0, 0, 0.5)
        path.addCircle(0, 0, 0.22)
        path.setFillType(skia.PathFillType.kEvenOdd)
    elif form == "cross":
        path.addPoly(_cross(), True)
    elif form == "drop":
        path.moveTo(0, -0.5)
        path.cubicTo(0.14, -0.24, 0.38, -0.06, 0.38, 0.14)
        path.cubicTo(0.38, 0.36, 0.2, 0.5, 0, 0.5)
        path.cubicTo(-0.2, 0.5, -0.38, 0.36, -0.38, 0.14)
        path.cubicTo(-0.38, -0.06, -0.14, -0.24, 0, -0.5)
        path.close()
    else:
        corners, inner = {"triangle": (3, 1.0), "pentagon": (5, 1.0), "star": (5, 0.42),
                          "hexagon": (6, 1.0)}[form]  # fmt: skip
        path.addPoly(_star(corners, inner), True)
    return path


def _cross() -> list[skia.Point]:
    a, b = 0.16, 0.46
    ends = [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a),
            (-b, a), (-b, -a), (-a, -a)]  # fmt: skip
    return [skia.Point(x, y) for x, y in ends]


def _star(corners: int, inner: float) -> list[skia.Point]:
    """A regular polygon, or a star whose inner corners lie nearer."""
    many = corners if inner == 1.0 else 2 * corners
    low = 0.06 if corners == 3 else 0.0
    points: list[skia.Point] = []
    for k in range(many):
        radius = 0.52 * (inner if many > corners and k % 2 else 1.0)
        angle = -math.pi / 2 + 2 * math.pi * k / many
        points.append(skia.Point(radius * math.cos(angle), low + radius * math.sin(angle)))
    return points


def with_alike(board: PieceBoard) -> PieceBoard:
    """The board with two kinds that look the same; for states to be refused."""
    first, second, *rest = board.pieces
    twin = replace(second, form=first.form, colour=first.colour)
    return replace(board, pieces=(first, twin, *rest))


def looks(board: PieceBoard) -> int:
    """How many kinds look different."""
    return len({(piece.form, piece.colour) for piece in board.pieces})


def seen_difference(board: PieceBoard, squares: Sequence[int], seen: Seen) -> float:
    """The least mean difference of squares with pieces of two kinds on the decoded slot, levels.

    A square without a piece counts as a kind.
    """
    first = {kind: place for place, kind in reversed(list(enumerate(squares)))}
    boxes = board.squares
    shown = [_glance(seen, boxes[place]) for place in first.values()]
    return min(float(np.abs(a - b).max(axis=2).mean()) for a, b in combinations(shown, 2))


def _glance(seen: Seen, box: Box) -> Any:
    x0, y0, x1, y1 = (round(v) for v in seen.box(box.grown(-2.0)).as_list())
    size = (MEASURED_PX, MEASURED_PX)
    return cv2.resize(seen.decoded[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA).astype(float)
