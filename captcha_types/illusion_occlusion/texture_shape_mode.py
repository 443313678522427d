"""A board of shapes that only their stripes show, of which the most frequent is wanted.

Rule
    Select every tile with the shape that is seen most often, however it is turned.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Every other shape is on one tile less or fewer still. No shape is another one turned,
    mirrored or stretched. Inside a shape stripes run across, lie between or are bolder than
    outside; they stand out from the ground, measured on the decoded picture, and are fine
    enough for the shape's outline: nine or more cross it.
Source
    Rotation matches of NextGen-CAPTCHAs and visual reasoning of VenusBench; set equality.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.illusion_occlusion import _boards as boards
from captcha_types.illusion_occlusion import _stripes as textures
from captcha_types.illusion_occlusion._stripes import Stripes, Veiled, Way
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Options, PanelRequest, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw.figure_outlines import NAMES, REACH
from factory.draw.figures import Figure
from factory.draw.measure import grey_step
from factory.draw.tones import LARGE_GLYPHS, choose_ink

KINDS = ("circle", "triangle", "square", "star", "heart", "cross", "crescent")
"""Told apart through stripes in every pose."""

SHAPES = ((2, 3), (3, 3))
"""Rows and columns, easy and hard."""

WAYS: tuple[Way, ...] = ("bolder", "turned", "shifted")
"""What is otherwise inside a shape, from easy to hard."""

PERIODS_CSS = (4.1, 4.7)
SIZES = (0.88, 0.8)
"""Of shapes by the tile's side, from easy to hard."""

SHARE = 0.4
LEAST_ACROSS = 9.0
"""Stripes from one side of a shape to the other at least."""

LEAST_PERIOD_CSS = 3.9
LEAST_STEP = 20.0
"""Levels of grey between stripes and ground, after decoding and reduction."""


class ModeState(boards.BoardState):
    """``tiles``: the shape of each tile in its stripes, CSS px from the board's corner."""

    tiles: tuple[Veiled, ...]


class ModeOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    shape: int | None = Knob(default=None, ge=0, le=len(SHAPES) - 1)
    ways: int | None = Knob(default=None, ge=1, le=len(WAYS))
    size: float | None = Knob(default=None, ge=SIZES[1], le=SIZES[0])


@register("texture_shape_mode", version=1, family="illusion_occlusion")
class TextureShapeMode(boards.BoardPuzzle[ModeState, ModeOptions]):
    """See the module."""

    State: ClassVar[type[State]] = ModeState
    Options: ClassVar[type[Options]] = ModeOptions
    seen_side = 230

    def counts(self, tiles: int) -> range:
        """How many tiles may be right: enough for the other kinds to be rarer."""
        return range(2 if tiles < len(KINDS) else 3, tiles // 2 + 1)

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.86, 1.0), width=(244, 276), submit="either")

    def sample(self, scene: Scene) -> ModeState:
        knob, hard = self.options, scene.difficulty
        at = int(hard >= 0.45) if knob.shape is None else knob.shape
        board = self.deal(scene, *SHAPES[at])
        stream = scene.rng.fresh("shapes")
        wanted, *others = stream.shuffled(KINDS)
        most = len(board.order)
        rest = iter(stream.shuffled([kind for kind in others for _ in range(most - 1)]))
        ways = WAYS[: knob.ways or 1 + int(hard * 2.99)]
        size = SIZES[0] + hard * (SIZES[1] - SIZES[0]) if knob.size is None else knob.size
        one_ink = choose_ink(stream, board.ground.tone, floor=LARGE_GLYPHS)
        mixed = stream.chance(0.5)
        tiles: list[Veiled] = []
        for index, tile in enumerate(board.tiles):
            kind = wanted if index in board.order else next(rest)
            ink = choose_ink(stream, board.ground.tone, floor=LARGE_GLYPHS) if mixed else one_ink
            tiles.append(_veiled(stream, tile, kind, stream.choice(ways), size, ink))
        return ModeState(board=board, tiles=tuple(tiles))

    def right_tiles(self, state: ModeState) -> set[int]:
        """Tiles with a shape that no other is seen more often than."""
        counts = Counter(one.figure.kind for one in state.tiles)
        most = max(counts.values())
        return {k for k, one in enumerate(state.tiles) if counts[one.figure.kind] == most}

    def check(self, state: ModeState) -> None:
        kinds = [one.figure.kind for one in state.tiles]
        often = [count for _, count in Counter(kinds).most_common(2)]
        if len(often) > 1 and often[0] == often[1]:
            raise Rejected("two shapes are as frequent", value=often[0], limit=often[1])
        self.check_board(state)
        for tile, one in zip(state.board.tiles, state.tiles, strict=True):
            figure, stripes = one.figure, one.stripes
            around = Box(figure.x, figure.y, figure.x, figure.y).grown(REACH * figure.size)
            if not tile.grown(-1).holds(around):
                raise Rejected("a shape leaves its tile")
            across = figure.size / stripes.period
            if across < LEAST_ACROSS:
                raise Rejected("stripes too wide", value=across, limit=LEAST_ACROSS)
            if stripes.period < LEAST_PERIOD_CSS:
                raise Rejected("stripes too fine", value=stripes.period, limit=LEAST_PERIOD_CSS)
            if not state.board.ground.tone.reads(figure.colour, LARGE_GLYPHS):
                raise Rejected("stripes do not stand out")

    def paint(self, canvas: Any, state: ModeState) -> None:
        for tile, one in zip(state.board.tiles, state.tiles, strict=True):
            textures.paint_veiled(canvas, tile, one)

    def reason_slots(
        self, state: ModeState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        kind = state.tiles[state.board.order[0]].figure.kind
        return {
            **self.tile_slots(state, gold, lang),
            "shape": Slot("name", NAMES[kind][lang == "zh"]),
            "tiles": Slot("count", len(state.tiles)),
        }

    def margins(self, state: ModeState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [grey_step(seen.decoded, seen.box(tile.grown(-8))) for tile in state.board.tiles]
        return {"step of stripes and ground": (min(steps), LEAST_STEP)}

    def identity(self, state: ModeState) -> Json:
        ground = state.board.ground
        return {
            "ground": [ground.kind, ground.seed],
            "shapes": [[one.figure.kind, round(one.figure.turn_deg / 15)] for one in state.tiles],
        }

    def bad_states(self, state: ModeState) -> Iterator[tuple[str, ModeState]]:
        def changed(one: Veiled, at: int = 0) -> ModeState:
            tiles = (*state.tiles[:at], one, *state.tiles[at + 1 :])
            return state.model_copy(update={"tiles": tiles})

        each = [replace(one, figure=replace(one.figure, kind="circle")) for one in state.tiles]
        half = len(each) // 2
        other = [replace(one, figure=replace(one.figure, kind="star")) for one in each[:half]]
        third = replace(each[-1], figure=replace(each[-1].figure, kind="heart"))
        even = [*other, *each[half : 2 * half], *([third] if len(each) % 2 else [])]
        yield "two shapes are as frequent", state.model_copy(update={"tiles": tuple(even)})
        yield from self.bad_boards(state)
        own = state.tiles[0]
        yield "a shape leaves its tile", changed(replace(own, figure=replace(own.figure, x=0.0)))
        for reason, period in (("stripes too wide", 9.0), ("stripes too fine", 2.0)):
            yield reason, changed(replace(own, stripes=replace(own.stripes, period=period)))
        faint = replace(own.figure, colour=state.board.ground.colours[0])
        yield "stripes do not stand out", changed(replace(own, figure=faint))


def _veiled(stream: Stream, tile: Box, kind: str, way: Way, size: float, ink: str) -> Veiled:
    """A shape somewhere on its tile, turned anyhow."""
    side = min(tile.width, tile.height)
    most = (side / 2 - 2.0) / REACH
    own = round(min(size * side, most), 6)
    free = max(0.0, side / 2 - 2.0 - REACH * own)
    x, y = tile.center
    figure = Figure(
        kind, round(x + stream.uniform(-free, free), 6), round(y + stream.uniform(-free, free), 6),
        own, round(stream.uniform(-180.0, 180.0), 3), ink,
    )  # fmt: skip
    stripes = Stripes(
        round(stream.uniform(0.0, 180.0), 3), round(stream.uniform(*PERIODS_CSS), 3),
        round(stream.uniform(0.0, 1.0), 3), SHARE,
    )  # fmt: skip
    return Veiled(figure, way, stripes)
