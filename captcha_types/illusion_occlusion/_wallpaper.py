"""Figures in rows that repeat a motif, and a cover over some of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw.colours import mix
from factory.draw.figures import Figure
from factory.draw.styles import rgb_colour

FILLING = 0.66
"""Size of a figure by the distance of two."""

PALE, DEEP = "#ffffff", "#14161c"
COVER_ROUND_CSS = 7.0


@dataclass(frozen=True)
class Paper:
    """``cells``: indices of kinds along the rows; ``motif`` and ``shift``: the law that a row
    begins ``shift`` places further on in the motif than the row above. JSON-able."""

    rows: int
    columns: int
    cells: tuple[int, ...]
    motif: tuple[int, ...]
    shift: int

    def by_law(self) -> tuple[int, ...]:
        """The cells that the law asks for."""
        return tuple(
            self.motif[(column + self.shift * row) % len(self.motif)]
            for row in range(self.rows)
            for column in range(self.columns)
        )


@dataclass(frozen=True)
class Cover:
    """Rows ``top`` to ``bottom`` and columns ``left`` to ``right`` are under it, ends not
    included; ``opacity`` 1 hides what is there. JSON-able."""

    top: int
    left: int
    bottom: int
    right: int
    opacity: float
    colour: str

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell lies under it."""
        return self.top <= row < self.bottom and self.left <= column < self.right


def covered(paper: Paper, cover: Cover) -> list[int]:
    """Places of the cells under a cover."""
    return [
        k for k in range(len(paper.cells)) if cover.holds(k // paper.columns, k % paper.columns)
    ]


def pitch(paper: Paper, size: tuple[float, float]) -> tuple[float, float]:
    """The distance of two columns and of two rows, CSS px."""
    return size[0] / paper.columns, size[1] / paper.rows


def figures_of(
    paper: Paper, kinds: Sequence[str], inks: Sequence[str], size: tuple[float, float]
) -> list[Figure]:
    """The figures in their places, CSS px from the picture's corner."""
    wide, tall = pitch(paper, size)
    side = FILLING * min(wide, tall)
    return [
        Figure(
            kinds[kind], round((k % paper.columns + 0.5) * wide, 6),
            round((k // paper.columns + 0.5) * tall, 6), round(side, 6), 0.0, inks[kind],
        )
        for k, kind in enumerate(paper.cells)
    ]  # fmt: skip


def cover_box(paper: Paper, cover: Cover, size: tuple[float, float]) -> Box:
    """What is covered, CSS px from the picture's corner: it cuts no figure."""
    wide, tall = pitch(paper, size)
    return Box(cover.left * wide, cover.top * tall, cover.right * wide, cover.bottom * tall)


def spans(rows: int, columns: int) -> list[tuple[int, int, int, int]]:
    """Covers that leave a rim of the paper free and hide two rows and columns or more."""
    return [
        (top, left, bottom, right)
        for top in range(1, rows - 2)
        for bottom in range(top + 2, rows)
        for left in range(1, columns - 2)
        for right in range(left + 2, columns)
    ]


def choose_motif(stream: Stream, kinds: int, long: bool) -> tuple[tuple[int, ...], int]:
    """A motif in which every kind comes, and the shift from row to row."""
    motif = stream.shuffled(range(kinds))
    if long:
        extra = stream.integer(0, kinds)
        motif = [*motif, extra] if motif[-1] != extra and motif[0] != extra else motif
    return tuple(motif), stream.integer(1, len(motif))


def broken(
    stream: Stream, cells: Sequence[int], under: Sequence[int], asked: int, wanted: int, kinds: int
) -> tuple[int, ...]:
    """The cells with some under the cover changed, so that ``wanted`` of them are as asked."""
    found = list(cells)
    right = [k for k in under if found[k] == asked]
    wrong = [k for k in under if found[k] != asked]
    for k in stream.sample(right, max(0, len(right) - wanted)):
        found[k] = stream.choice([kind for kind in range(kinds) if kind != asked])
    for k in stream.sample(wrong, max(0, wanted - len(right))):
        found[k] = asked
    return tuple(found)


def choose_cover(stream: Stream, paper: Paper, asked: int, number: int | None, most: int) -> Cover:
    """Where a cover lies: where it hides ``number`` figures as asked for, or where so many and
    ``most`` of them have room for None."""

    def fits(span: tuple[int, int, int, int]) -> bool:
        under = covered(paper, Cover(*span, 1.0, ""))
        if number is not None:
            return sum(paper.cells[k] == asked for k in under) == number
        return 2 * most > len(under) - 2 >= most

    found = [span for span in spans(paper.rows, paper.columns) if fits(span)]
    if not found:
        raise Rejected("no cover hides so many", value=number or most, limit=0)
    return Cover(*stream.choice(found), 1.0, "")


def refuse_cover(paper: Paper, cover: Cover, asked: int, number: int, most: int) -> None:
    """``Rejected`` where what is covered is not the number, or cannot be told."""
    under = covered(paper, cover)
    found = sum(paper.cells[k] == asked for k in under)
    if found != number or not 1 <= found <= most:
        raise Rejected("number and cover disagree", value=found, limit=number)
    span = (cover.top, cover.left, cover.bottom, cover.right)
    if span not in spans(paper.rows, paper.columns):
        raise Rejected("the cover leaves no rim", value=cover.bottom, limit=paper.rows)
    if cover.opacity >= 1.0 and paper.cells != paper.by_law():
        raise Rejected("the pattern is broken under a card")
    if asked not in {kind for k, kind in enumerate(paper.cells) if k not in under}:
        raise Rejected("the kind is seen nowhere else")


def bad_covers(
    paper: Paper, cover: Cover, asked: int, number: int, kinds: int
) -> Iterator[tuple[str, Paper, Cover]]:
    """Papers and covers that ``refuse_cover`` refuses."""
    other = (asked + 1) % kinds
    every = replace(cover, top=0, left=0, bottom=paper.rows, right=paper.columns)
    lone = tuple(asked if k < number else other for k in range(len(paper.cells)))
    yield "the cover leaves no rim", replace(paper, cells=lone), every
    under = covered(paper, cover)
    rimless = tuple(
        other if k not in under and kind == asked else kind for k, kind in enumerate(paper.cells)
    )
    card = "the pattern is broken under a card"
    reason = card if cover.opacity >= 1.0 else "the kind is seen nowhere else"
    yield reason, replace(paper, cells=rimless), cover


def paint_cover(canvas: Any, box: Box, cover: Cover) -> None:
    """A card, or a pane of tinted glass with a bright edge."""
    rect = skia.Rect.MakeLTRB(*box.as_list())
    solid = cover.opacity >= 1.0
    if solid:
        shade = skia.Paint(Color=rgb_colour("#05070c", 90), AntiAlias=True)
        canvas.drawRoundRect(rect.makeOffset(1.0, 3.0), COVER_ROUND_CSS, COVER_ROUND_CSS, shade)
    fill = skia.Paint(Color=rgb_colour(cover.colour, round(255 * cover.opacity)), AntiAlias=True)
    canvas.drawRoundRect(rect, COVER_ROUND_CSS, COVER_ROUND_CSS, fill)
    edge = mix(DEEP if cover.colour == PALE else PALE, cover.colour, 0.35)
    line = skia.Paint(
        Color=rgb_colour(edge), AntiAlias=True, Style=skia.Paint.kStroke_Style, StrokeWidth=2.0
    )
    canvas.drawRoundRect(rect.makeInset(1.0, 1.0), COVER_ROUND_CSS, COVER_ROUND_CSS, line)
