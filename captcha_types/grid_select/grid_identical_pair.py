"""A board of pairs, some of which are two of the same.

Rule
    Select every tile whose two things are the same thing, however they are turned, or whose
    two dice show the same number.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Things of a pair are of one style and colour, so that nothing but the thing can differ; two
    different ones are told apart by table and by shape at any turn. Dice differ in their pips.
Source
    Square-icon, dice-pair and card tasks of Halligan; set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.grid_select import _boards as boards
from captcha_types.grid_select import _counters as counters
from captcha_types.grid_select import _kit as kit
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw import icons
from factory.draw.colour_names import named_palette
from factory.draw.measure import grey_step, pixel_fidelity

KINDS: Mapping[str, float] = {"things": 0.68, "dice": 0.32}

WHAT: Mapping[str, tuple[str, str]] = {
    "things": ("two of the same thing", "两个物体相同的"),
    "dice": ("two dice that show the same", "两颗骰子点数相同的"),
}

STYLES = {
    "icon": ("line", "shadow"),
    "emoji3d": ("sticker",),
}
"""Looks of which every part is seen on any ground, without plates, which would be alike."""

SCALES = (0.86, 1.0)
"""The smaller thing of a pair, by the size of the larger."""

LEAST_STEP = 34.0
"""Levels of grey between things and their tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the things beyond this."""

EDGE_CSS = 3.0
"""CSS px of a tile's rim, and of its middle line, that things keep clear of."""

DIE_SHARE = 0.4
"""Side of a die, by the shorter side of a tile."""

Thing = icons.IconSpec | counters.Counter


class PairState(boards.BoardState):
    """``pairs`` holds two things a tile, ``dice`` two dice; one of them is empty.

    CSS px from the board's corner.
    """

    pairs: tuple[tuple[icons.IconSpec, icons.IconSpec], ...]
    dice: tuple[tuple[counters.Counter, counters.Counter], ...]

    @property
    def things(self) -> Sequence[tuple[Thing, Thing]]:
        """The pairs, whatever they are of."""
        return self.pairs or self.dice


class PairOptions(Options):
    """Each follows ``difficulty`` when it is not set."""

    most_turn_deg: float | None = Knob(default=None, ge=0.0, le=180.0)


@register("grid_identical_pair", version=1, family="grid_select")
class GridIdenticalPair(boards.BoardPuzzle[PairState, PairOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PairState
    Options: ClassVar[type[Options]] = PairOptions
    modes: ClassVar[Mapping[boards.Mode, float]] = {"all": 0.65, "one": 0.35}
    shapes = ((2, 3), (3, 3))
    hard_shapes = ((3, 3),)
    moods = ("light", "dark")
    noise = 0.8

    def most_turn(self, difficulty: float) -> float:
        """Degrees by which a thing may be turned either way."""
        own = self.options.most_turn_deg
        return 15.0 + 165.0 * difficulty if own is None else own

    def sample(self, scene: Scene) -> PairState:
        board = self.deal(scene)
        stream = scene.rng.fresh("things")
        kind = stream.weighted(tuple(KINDS), tuple(KINDS.values()))
        if kind == "dice":
            return PairState(board=board, pairs=(), dice=tuple(_dice(stream, board)))
        source = stream.choice(("icon", "emoji3d"))
        infos = kit.some(stream, icons.icons(scene.split, source), board.count)
        looks = [_style(stream, board, source) for _ in range(kit.STYLES)]
        pairs: list[tuple[icons.IconSpec, icons.IconSpec]] = []
        for index, (info, tile) in enumerate(zip(infos, board.tiles, strict=True)):
            other = info
            if index not in board.order:
                others = icons.icons(scene.split, source)
                (other,) = icons.choose_distinct(stream, others, 1, besides=[info], turned=True)
            turn = self.most_turn(scene.difficulty)
            pairs.append(_pair(stream, info, other, tile, stream.choice(looks), turn))
        return PairState(board=board, pairs=tuple(pairs), dice=())

    def right_tiles(self, state: PairState) -> set[int]:
        """The tiles whose two things are one, by what they are."""
        return {index for index, (a, b) in enumerate(state.things) if _name(a) == _name(b)}

    def check(self, state: PairState) -> None:
        if len(state.things) != state.board.count:
            raise Rejected("tiles missing", value=len(state.things), limit=state.board.count)
        self.check_board(state)
        for (first, second), tile in zip(state.things, state.board.tiles, strict=True):
            if not all(tile.grown(-1).holds(_box(thing)) for thing in (first, second)):
                raise Rejected("a thing leaves its tile")
            if _look(first) != _look(second):
                raise Rejected("things of a pair differ in their looks")
            if _name(first) != _name(second) and not _distinct(first, second):
                raise Rejected("things look alike")

    def paint(self, canvas: Any, state: PairState) -> None:
        for pair in state.pairs:
            icons.draw_icons(canvas, pair)
        for dice in state.dice:
            counters.draw_counters(canvas, dice)

    def goal_slots(self, state: PairState, lang: str) -> dict[str, str]:
        return {"all": boards.ASKS[lang][state.board.mode], "what": self._what(state, lang)}

    def _what(self, state: PairState, lang: str) -> str:
        return WHAT["dice" if state.dice else "things"][lang == "zh"]

    def reason_slots(
        self, state: PairState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", self._what(state, lang)),
            "count": Slot("count", len(state.board.order)),
            "places": boards.places_slot(state.board, lang),
            "first": boards.first_slot(gold),
        }

    def margins(self, state: PairState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = (_box(thing).grown(2) for pair in state.things for thing in pair)
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of thing and tile": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: PairState) -> Json:
        ground = state.board.ground
        shown = [[_name(thing) for thing in pair] for pair in state.things]
        return {"ground": [ground.kind, ground.seed], "board": shown}

    def bad_states(self, state: PairState) -> Iterator[tuple[str, PairState]]:
        field = "dice" if state.dice else "pairs"

        def first(a: Thing, b: Thing) -> PairState:
            return state.model_copy(update={field: ((a, b), *state.things[1:])})

        yield "tiles missing", state.model_copy(update={field: state.things[1:]})
        yield from self.bad_boards(state)
        one, other = state.things[0]
        yield "a thing leaves its tile", first(replace(one, x=-30.0), other)
        if isinstance(one, counters.Counter):
            yield (
                "things of a pair differ in their looks",
                first(replace(one, colour="#010203"), other),
            )
        else:
            style = replace(one.style, second="#010203", ink="#010203")
            yield "things of a pair differ in their looks", first(replace(one, style=style), other)


def _style(stream: Stream, board: boards.Board, source: str) -> icons.IconStyle:
    """A look that is seen all around: stickers have an edge against the ground."""
    tone = board.ground.tone
    style = icons.choose_icon_style(stream, tone, source, kinds=STYLES[source])
    if style.kind != "sticker":
        return style
    return replace(style, second="#1b1e27" if tone.reads("#1b1e27") else "#ffffff")


def _name(thing: Thing) -> str:
    """What a thing is, or what a die shows."""
    return str(thing.pips) if isinstance(thing, counters.Counter) else thing.asset


def _look(thing: Thing) -> str | icons.IconStyle:
    return thing.colour if isinstance(thing, counters.Counter) else thing.style


def _box(thing: Thing) -> Box:
    return thing.box if isinstance(thing, counters.Counter) else icons.icon_ink(thing).box


def _distinct(a: Thing, b: Thing) -> bool:
    """Whether two different things are told apart at any turn."""
    if isinstance(a, counters.Counter) or isinstance(b, counters.Counter):
        return True
    return icons.distinct(icons.icon_info(a.asset), icons.icon_info(b.asset), turned=True)


def _spots(stream: Stream, tile: Box, reach: float) -> tuple[Point, Point]:
    """Places for two things, one in each half of a tile along its longer side."""
    wide = tile.width >= tile.height
    half = (tile.width if wide else tile.height) / 2
    found: list[Point] = []
    for part in (0, 1):
        if wide:
            room = Box(tile.x0 + part * half, tile.y0, tile.x0 + (part + 1) * half, tile.y1)
        else:
            room = Box(tile.x0, tile.y0 + part * half, tile.x1, tile.y0 + (part + 1) * half)
        free = room.grown(-EDGE_CSS / 2 - reach)
        x = stream.uniform(free.x0, free.x1) if free.width > 0 else free.center.x
        y = stream.uniform(free.y0, free.y1) if free.height > 0 else free.center.y
        found.append(Point(round(x, 6), round(y, 6)))
    return found[0], found[1]


def _pair(
    stream: Stream, info: icons.IconInfo, other: icons.IconInfo, tile: Box,
    style: icons.IconStyle, most_turn: float,
) -> tuple[icons.IconSpec, icons.IconSpec]:  # fmt: skip
    """Two things side by side, turned at random."""
    half = max(tile.width, tile.height) / 2
    reach = max(icons.icon_reach(i.asset, 1.0, style.kind) for i in (info, other))
    size = (half - EDGE_CSS) / 2 / reach
    spots = _spots(stream, tile, size * reach)
    specs = [
        icons.IconSpec(
            i.asset, size * stream.uniform(*SCALES), spot.x, spot.y, style,
            turn_deg=stream.uniform(-most_turn, most_turn),
        )
        for i, spot in zip((info, other), spots, strict=True)
    ]  # fmt: skip
    return specs[0], specs[1]


def _dice(
    stream: Stream, board: boards.Board
) -> Iterator[tuple[counters.Counter, counters.Counter]]:
    """Two dice of one colour a tile; where it is right they show the same."""
    colours = list(named_palette(stream, 3, board.ground.tone).items())
    size = DIE_SHARE * board.side
    for index, tile in enumerate(board.tiles):
        first = stream.integer(1, 7)
        others = [pips for pips in range(1, 7) if pips != first]
        second = first if index in board.order else stream.choice(others)
        name, colour = stream.choice(colours)
        probe = counters.Counter("die", 0, 0, size, colour, name)
        spots = _spots(stream, tile, probe.reach)
        a, b = (
            replace(probe, x=spot.x, y=spot.y, pips=pips, turn_deg=stream.uniform(-30, 30))
            for spot, pips in zip(spots, (first, second), strict=True)
        )
        yield a, b
