"""A lattice of dots, and above it a small copy with a line through some of them.

Rule
    Draw the line of the small copy on the large dots: from the big dot, through every dot
    that the line passes, to the arrow's tip, touching no other dot.
Answer
    Strokes from dot to dot. The dot to start at is drawn evenly; the others follow from a
    keyed walk over neighbours, so that no rejection moves them.
Validity
    The line goes from neighbour to neighbour, straight or diagonally, so it skips no dot
    that it passes; it visits no dot twice and crosses itself nowhere, so its order can be
    read; a big dot and an arrow say which end is which. Dots lie 40 CSS px apart or more.
Source
    Unlock patterns of phones, drawn from a printed copy. Our own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, ClassVar

import numpy as np
import skia
from pydantic import Field

from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.trace import Trace
from factory.core.puzzle import (
    Artwork,
    Choice,
    Content,
    Label,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    Seen,
    State,
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng, Stream
from factory.core.walk import place, share
from factory.draw.panels.paint import bordered, ink
from factory.draw.tokens import tokens_named

BOARDS = 1_000_000
"""Dresses and walks that are told apart by their number."""

LEAST_DOTS, MOST_DOTS = 4, 7
LARGE_FROM = 0.5
"""Difficulty from which the lattice is 4 x 4 instead of 3 x 3."""

LEAST_PITCH_CSS = 40.0
"""Dots lie so far apart at least: more than a finger's target of 24 px and its gap."""

HIT_SHARE = 0.32
"""How far from a dot's middle the line may pass, by the pitch: neighbours' discs stay apart,
and a diagonal passes the dots beside it at 0.7."""

DOT_SHARES = (0.13, 0.16, 0.19)
DRESSES = ("disc", "ring", "square")
COPY_CSS = 56
"""Height of the strip with the small copy."""

START_SHARE, HEAD_SHARE = 0.3, 0.42
"""Radius of the big dot and length of the arrow's head, by the copy's pitch."""

SEEN_LEVELS = 40.0
"""Least step in grey between a dot and the ground."""


class PatternState(State):
    """``path``: dots in order, counted along the rows of a lattice of ``side`` x ``side``;
    ``copy_at``: where in its strip the copy stands, from 0, left, to 1."""

    side: int
    path: tuple[int, ...]
    pitch_css: float
    dress: str
    dot_share: float
    copy_at: float
    board: int


class PatternOptions(Options):
    """``side`` of the lattice; ``dots`` on the line. Both follow ``difficulty`` when not set."""

    side: int | None = Field(default=None, ge=3, le=4)
    dots: int | None = Field(default=None, ge=LEAST_DOTS, le=MOST_DOTS)


@register("pattern_swipe", version=1, family="gesture")
class PatternSwipe(PuzzleType[PatternState, PatternOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PatternState
    Options: ClassVar[type[Options]] = PatternOptions
    mechanics = ("trace",)
    answer_kind = "polyline"
    seen_in_grey = True
    seen_side = 88
    pictorial = False

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="rect", ratio=(1, 1), width=(184, 232), strip=COPY_CSS)

    def contents(self, split: str) -> Sequence[Content]:
        return [Content("board", 1.0, share(split, BOARDS))]

    def side(self, difficulty: float) -> int:
        """Dots along a side of the lattice."""
        return self.options.side or (4 if difficulty >= LARGE_FROM else 3)

    def sample(self, scene: Scene) -> PatternState:
        board = place(scene.content_number, scene.split, BOARDS, "swipe boards")
        side, stream = self.side(scene.difficulty), Stream(f"swipe board {board}")
        dots = self.options.dots or LEAST_DOTS + round(3 * scene.difficulty)
        start = scene.rng.fixed("start").integer(0, side * side)
        return PatternState(
            side=side,
            path=_walk(scene.rng.fixed("walk"), side, (start,), dots),
            pitch_css=round(scene.placement.boxes["slot"].width / side, 6),
            dress=stream.child("dress").choice(DRESSES),
            dot_share=stream.child("dot").choice(DOT_SHARES),
            copy_at=round(stream.child("copy").uniform(0.0, 1.0), 6),
            board=board,
        )

    def check(self, state: PatternState) -> None:
        path, side = state.path, state.side
        if state.pitch_css < LEAST_PITCH_CSS:
            raise Rejected("dots too near", value=state.pitch_css, limit=LEAST_PITCH_CSS)
        if len(path) < LEAST_DOTS or not all(0 <= dot < side * side for dot in path):
            raise Rejected("too few dots on the line", value=len(path), limit=LEAST_DOTS)
        if len(set(path)) < len(path):
            raise Rejected("a dot comes twice", value=len(set(path)), limit=len(path))
        for a, b in pairwise(path):
            (row, column), (other, there) = divmod(a, side), divmod(b, side)
            if max(abs(row - other), abs(column - there)) != 1:
                raise Rejected("not a neighbour", value=a, limit=b)
        if _crosses(path, side):
            raise Rejected("the line crosses itself", value=1, limit=0)

    def draw(self, state: PatternState, placement: Placement) -> Artwork:
        slot, copy = placement.boxes["slot"], _copy_box(state, placement.boxes["strip"])
        dots = _places(slot, state.side)
        reach = HIT_SHARE * state.pitch_css
        return Artwork(
            parts=(
                Part("dots", slot, lambda canvas: _paint_dots(canvas, dots, state, placement)),
                Part("copy", copy, lambda c: _paint_copy(c, copy, state, placement), area="strip"),
            ),
            regions={
                "picture": slot,
                "reference": copy,
                **{
                    f"dot.{k}": Box.sized(x - reach, y - reach, 2 * reach, 2 * reach)
                    for k, (x, y) in enumerate(dots)
                },
            },
        )

    def mechanic(self, state: PatternState, placement: Placement) -> AnyMechanic:
        dots = _places(placement.boxes["slot"], state.side)
        return Trace(
            path=tuple(dots[k] for k in state.path),
            extras=tuple(dot for k, dot in enumerate(dots) if k not in state.path),
            tol_px=HIT_SHARE * state.pitch_css,
            mode="waypoints",
        )

    def reason_slots(
        self, state: PatternState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drags = [action for action in gold if isinstance(action, Drag)]
        return {
            "count": Slot("count", len(state.path)),
            "legs": Slot("count", len(state.path) - 1),
            "start": Slot("point", list(drags[0].start)),
            "next": Slot("point", list(drags[0].end)),
            "end": Slot("point", list(drags[-1].end)),
        }

    def margins(self, state: PatternState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        row, column = divmod(state.path[0], state.side)
        pitch = state.pitch_css
        x0, y0, x1, y1 = seen.box(
            Box.sized(column * pitch, row * pitch, pitch, pitch).grown(-0.2 * pitch)
        ).outer_pixels()
        levels = float(np.ptp(seen.decoded[y0:y1, x0:x1]))
        return {"dots on their ground": (levels, SEEN_LEVELS)}

    def identity(self, state: PatternState) -> Json:
        return {"board": state.board, "side": state.side, "path": list(state.path)}

    def wrong_responses(
        self, state: PatternState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Trace)
        path, extra = mechanic.path, rng.fresh("extra").choice(mechanic.extras)
        return [
            WrongResponse("the other way", _strokes(path[::-1])),
            WrongResponse("one dot short", _strokes(path[:-1])),
            WrongResponse("straight to the end", _strokes((path[0], path[-1]))),
            WrongResponse("a dot too many", _strokes((*path, extra))),
        ]

    def bad_states(self, state: PatternState) -> Iterator[tuple[str, PatternState]]:
        def walked(*path: int) -> PatternState:
            return state.model_copy(update={"path": path})

        side = state.side
        yield "dots too near", state.model_copy(update={"pitch_css": LEAST_PITCH_CSS - 1.0})
        yield "too few dots on the line", walked(*state.path[:3])
        yield "a dot comes twice", walked(0, 1, 0, side)
        yield "not a neighbour", walked(0, 2, side + 2, side + 1)
        yield "the line crosses itself", walked(0, side + 1, side, 1)

    def solutions(self, state: PatternState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """Dots of the mechanic in the order in which the copied line passes them.

        By laying the line of the copy over the mechanic's dots, whatever their order there.
        """
        assert isinstance(mechanic, Trace)
        dots = (*mechanic.path, *mechanic.extras)
        left, top = min(x for x, _ in dots), min(y for _, y in dots)
        pitch = (max(x for x, _ in dots) - left) / (state.side - 1)
        copied = _places(Box.sized(0, 0, state.side, state.side), state.side)
        laid = [
            Point(left + pitch * (copied[k].x - 0.5), top + pitch * (copied[k].y - 0.5))
            for k in state.path
        ]
        return [tuple(min(range(len(dots)), key=lambda i: math.dist(dots[i], p)) for p in laid)]

    def labels(self, state: PatternState, scene: Scene) -> Mapping[str, Label]:
        count = state.side**2
        return {f"start of {count}": Choice(state.path[0], count)}


def _neighbours(dot: int, side: int) -> list[int]:
    row, column = divmod(dot, side)
    return [
        r * side + c
        for r in range(max(0, row - 1), min(side, row + 2))
        for c in range(max(0, column - 1), min(side, column + 2))
        if (r, c) != (row, column)
    ]


def _walk(stream: Stream, side: int, begun: tuple[int, ...], dots: int) -> tuple[int, ...]:
    """The line grown to ``dots`` dots by neighbours in keyed order, stepping back from dead ends;
    empty where there is no way on."""
    if len(begun) == dots:
        return begun
    for dot in stream.shuffled(_neighbours(begun[-1], side)):
        if dot not in begun and not _crosses((*begun, dot), side):
            found = _walk(stream, side, (*begun, dot), dots)
            if found:
                return found
    return ()


def _crosses(path: Sequence[int], side: int) -> bool:
    """Whether two diagonals cross: those whose ends have one middle."""
    middles = [
        tuple(m + n for m, n in zip(divmod(a, side), divmod(b, side), strict=True))
        for a, b in pairwise(path)
    ]
    return any(m == n for m, n in combinations(middles, 2))


def _places(box: Box, side: int) -> list[Point]:
    """Middles of the cells of a square lattice, along the rows."""
    pitch = box.width / side
    return [
        Point(box.x0 + (column + 0.5) * pitch, box.y0 + (row + 0.5) * pitch)
        for row in range(side)
        for column in range(side)
    ]


def _copy_box(state: PatternState, strip: Box) -> Box:
    """The square of the copy in its strip."""
    room = strip.width - strip.height
    return Box.sized(strip.x0 + state.copy_at * room, strip.y0, strip.height, strip.height)


def _strokes(points: Sequence[Point]) -> tuple[ActionBase, ...]:
    return tuple(Drag(a, b) for a, b in pairwise(points))


def _paint_dots(
    canvas: Any, dots: Sequence[Point], state: PatternState, placement: Placement
) -> None:
    """The large dots, all alike."""
    look, radius = tokens_named(placement.tokens), state.dot_share * state.pitch_css
    slot = placement.boxes["slot"]
    canvas.drawRect(skia.Rect.MakeLTRB(*slot.as_list()), ink(look.rgb("raised")))
    paint = ink(look.rgb("muted"))
    for x, y in dots:
        if state.dress == "square":
            side = 1.8 * radius
            canvas.drawRect(skia.Rect.MakeXYWH(x - side / 2, y - side / 2, side, side), paint)
            continue
        canvas.drawCircle(x, y, radius, paint)
        if state.dress == "ring":
            canvas.drawCircle(x, y, 0.55 * radius, ink(look.rgb("raised")))


def _paint_copy(canvas: Any, box: Box, state: PatternState, placement: Placement) -> None:
    """The small lattice with the line, its big first dot and its arrow."""
    look = tokens_named(placement.tokens)
    bordered(canvas, box, 6.0, look.rgb("border"), look.rgb("raised"))
    dots, pitch = _places(box.grown(-3.0), state.side), (box.width - 6.0) / state.side
    for x, y in dots:
        canvas.drawCircle(x, y, 0.09 * pitch, ink(look.rgb("muted")))
    points = [dots[k] for k in state.path]
    paint = ink(look.rgb("text"))
    (x0, y0), (x1, y1) = points[-2:]
    far = math.dist(points[-2], points[-1])
    ux, uy = (x1 - x0) / far, (y1 - y0) / far
    long, wide = HEAD_SHARE * pitch, 0.55 * HEAD_SHARE * pitch
    neck = Point(x1 - long * ux, y1 - long * uy)
    head = skia.Path()
    head.addPoly(
        [
            skia.Point(x1, y1),
            skia.Point(neck.x - wide * uy, neck.y + wide * ux),
            skia.Point(neck.x + wide * uy, neck.y - wide * ux),
        ],
        True,
    )
    canvas.drawPath(head, paint)
    canvas.drawCircle(*points[0], START_SHARE * pitch, paint)
    line = skia.Path()
    line.addPoly([skia.Point(*p) for p in (*points[:-1], neck)], False)
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(2.0)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    canvas.drawPath(line, paint)
