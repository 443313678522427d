"""A board of interlaced closed ribbons, and a number of ribbons to look for.

Rule
    Select every tile that shows exactly so many closed ribbons.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Ribbons are counted as the closed lines that are drawn. None crosses itself, two cross at
    35 degrees or more, one over the other, no crossing reaches into another, and ribbons that
    do not cross keep apart. Ribbons are wide enough and stand out from the ground.
Source
    Illusory ribbons of NextGen-CAPTCHAs; set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.illusion_occlusion import _boards as boards
from captcha_types.illusion_occlusion import _ribbons as ribbons
from captcha_types.illusion_occlusion._ribbons import Ribbon
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw.colours import mix
from factory.draw.measure import grey_step
from factory.draw.tones import LARGE_GLYPHS, choose_ink

SHAPES = ((2, 2), (2, 3))
"""Rows and columns, easy and hard."""

LOOPS = (2, 5)
WIDTHS_CSS = (5.5, 4.2)
"""Of ribbons from easy to hard, where crossings leave so much room."""

LEAST_WIDTH_CSS = 2.4

LEAST_ANGLE_DEG = 35.0
LEAST_APART_WIDTHS = 1.3
"""Crossings, and ribbons that do not cross, are so many widths apart."""

ROUNDED = 1e-5
"""What rounding may add to the width of the state, CSS px."""

LEAST_STEP = 34.0
"""Levels of grey between ribbons and ground, after decoding."""


class RibbonState(boards.BoardState):
    """``tiles`` hold the ribbons of each tile; ``asked`` is the number to look for."""

    tiles: tuple[tuple[Ribbon, ...], ...]
    asked: int
    width: float
    case: str
    over: str


class RibbonOptions(Options):
    """Each knob follows ``difficulty`` when it is not set. ``hues``: inks on a tile at most."""

    shape: int | None = Knob(default=None, ge=0, le=len(SHAPES) - 1)
    hues: int | None = Knob(default=None, ge=1, le=LOOPS[1])
    width: float | None = Knob(default=None, ge=LEAST_WIDTH_CSS, le=WIDTHS_CSS[0])


@register("ribbon_loops_count", version=1, family="illusion_occlusion")
class RibbonLoopsCount(boards.BoardPuzzle[RibbonState, RibbonOptions]):
    """See the module."""

    State: ClassVar[type[State]] = RibbonState
    Options: ClassVar[type[Options]] = RibbonOptions

    def sample(self, scene: Scene) -> RibbonState:
        knob, hard = self.options, scene.difficulty
        at = int(hard >= 0.4) if knob.shape is None else knob.shape
        board = self.deal(scene, *SHAPES[at])
        stream = scene.rng.fresh("ribbons")
        asked = stream.integer(LOOPS[0], LOOPS[1] + 1)
        others = [n for n in range(LOOPS[0], LOOPS[1] + 1) if n != asked]
        width = WIDTHS_CSS[0] + hard * (WIDTHS_CSS[1] - WIDTHS_CSS[0])
        width = round(width if knob.width is None else knob.width, 6)
        hues = knob.hues or (1 if stream.chance(hard) else 1 + round(4 * (1.0 - hard)))
        inks = [choose_ink(stream, board.ground.tone, floor=LARGE_GLYPHS) for _ in range(hues)]
        tiles: list[tuple[Ribbon, ...]] = []
        for index, tile in enumerate(board.tiles):
            count = asked if index in board.order else stream.choice(others)
            own = stream.shuffled([inks[k % hues] for k in range(count)])
            tiles.append(ribbons.choose_ribbons(stream, tile, count, own, width, hard))
        width = round(min([width, *(ribbons.widest(own) for own in tiles)]), 6)
        pale = board.ground.mood == "light"
        return RibbonState(
            board=board,
            tiles=tuple(tiles),
            asked=asked,
            width=width,
            case=mix("#ffffff" if pale else "#14161c", inks[0], 0.9),
            over=f"{stream.integer(0, 1 << 40):010x}",
        )

    def right_tiles(self, state: RibbonState) -> set[int]:
        return {k for k, tile in enumerate(state.tiles) if len(tile) == state.asked}

    def check(self, state: RibbonState) -> None:
        self.check_board(state)
        if state.width < LEAST_WIDTH_CSS:
            raise Rejected("ribbons too thin", value=state.width, limit=LEAST_WIDTH_CSS)
        for tile, own in zip(state.board.tiles, state.tiles, strict=True):
            room = tile.grown(-state.width / 2 - 1.0)
            if not all(room.holds(ribbons.box_of(ribbon)) for ribbon in own):
                raise Rejected("a ribbon leaves its tile")
            angle = ribbons.least_angle_deg(own)
            if angle < LEAST_ANGLE_DEG:
                raise Rejected("ribbons cross too acutely", value=angle, limit=LEAST_ANGLE_DEG)
            apart = ribbons.least_apart(own) / state.width
            if apart < LEAST_APART_WIDTHS:
                raise Rejected("ribbons too near", value=apart, limit=LEAST_APART_WIDTHS)
            most = ribbons.widest(own)
            if state.width > most + ROUNDED:
                raise Rejected("ribbons too near", value=state.width, limit=most)
            if not all(state.board.ground.tone.reads(r.ink, LARGE_GLYPHS) for r in own):
                raise Rejected("a ribbon does not stand out")

    def paint(self, canvas: Any, state: RibbonState) -> None:
        stream = Stream(f"ribbons|{state.over}")
        for own in state.tiles:
            ribbons.paint_ribbons(canvas, own, state.width, state.case, stream)

    def goal_slots(self, state: RibbonState, lang: str) -> dict[str, str]:
        return {"number": str(state.asked)}

    def reason_slots(
        self, state: RibbonState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            **self.tile_slots(state, gold, lang),
            "number": Slot("count", state.asked),
            "tiles": Slot("count", len(state.tiles)),
        }

    def margins(self, state: RibbonState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [
            grey_step(seen.decoded, seen.box(Box(r.x, r.y, r.x, r.y).grown(r.radius + state.width)))
            for own in state.tiles
            for r in own
        ]
        return {"step of ribbon and ground": (min(steps), LEAST_STEP)}

    def identity(self, state: RibbonState) -> Json:
        ground = state.board.ground
        return {
            "ground": [ground.kind, ground.seed],
            "asked": state.asked,
            "loops": [len(own) for own in state.tiles],
        }

    def bad_states(self, state: RibbonState) -> Iterator[tuple[str, RibbonState]]:
        def changed(own: tuple[Ribbon, ...], at: int = 0) -> RibbonState:
            tiles = (*state.tiles[:at], own, *state.tiles[at + 1 :])
            return state.model_copy(update={"tiles": tiles})

        own = state.tiles[0]
        first, second, *rest = own
        yield from self.bad_boards(state)
        yield "a ribbon leaves its tile", changed((replace(first, x=0.0), *own[1:]))
        touching = replace(
            second, x=first.x + 0.01, y=first.y, radius=0.97 * first.radius,
            wobble=0.08, lobes=2, phase=0.0,
        )  # fmt: skip
        yield "ribbons cross too acutely", changed((replace(first, wobble=0.0), touching, *rest))
        at = next((k for k, tile in enumerate(state.tiles) if len(tile) == 2), None)
        if at is not None:
            one = replace(state.tiles[at][0], wobble=0.0)
            yield "ribbons too near", changed((one, replace(one, radius=one.radius - 3.0)), at)
        yield "ribbons too thin", state.model_copy(update={"width": LEAST_WIDTH_CSS - 0.5})
        faint = replace(first, ink=state.board.ground.colours[0])
        yield "a ribbon does not stand out", changed((faint, *own[1:]))
