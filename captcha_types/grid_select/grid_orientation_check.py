"""A board of things that stand upright or do not, or of pairs that are mirror images or not.

Rule
    Select every tile whose thing stands upright (or: does not), or every tile whose two
    halves mirror each other (or: do not), as the panel says.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Upright poses are metadata of the icons. A thing that counts as turned is turned far and
    does not look like itself there; what counts as upright leans by a few degrees at most.
    A false mirror image differs from the true one by the same measure.
Source
    Rotated-object tasks of Halligan, mirror tasks of NextGen-CAPTCHAs, visual reasoning of
    VenusBench; set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import skia
from pydantic import Field as Knob

from captcha_types.grid_select import _boards as boards
from captcha_types.grid_select import _kit as kit
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw import icons
from factory.draw.measure import grey_step, pixel_fidelity

RULES: Mapping[str, float] = {"upright": 0.22, "turned": 0.22, "mirror": 0.28, "no_mirror": 0.28}

WHAT: Mapping[str, tuple[str, str]] = {
    "upright": ("in which the thing stands upright", "物体端正朝上的"),
    "turned": ("in which the thing is not upright", "物体没有端正朝上的"),
    "mirror": ("whose halves mirror each other", "左右两边互为镜像的"),
    "no_mirror": ("whose halves do not mirror each other", "左右两边不是镜像的"),
}

LEAN_DEG = 6.0
"""By how much a thing may lean that counts as upright."""

LEAST_TURNS_DEG = (90.0, 45.0)
"""Least turn of what counts as turned, for difficulty 0 and 1."""

MOST_ALIKE = 0.68
"""How alike a thing may be to itself turned or mirrored, to be seen to be so."""

STEP_DEG = 15
"""Turns come near multiples of this, for which likeness is known."""

LEAST_STEP = 36.0
"""Levels of grey between a thing and its tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the things beyond this."""


class OrientState(boards.BoardState):
    """``tiles`` holds one thing a tile or two, CSS px from the board's corner."""

    rule: str
    tiles: tuple[tuple[icons.IconSpec, ...], ...]


class OrientOptions(Options):
    """Each follows ``difficulty`` when it is not set."""

    least_turn_deg: float | None = Knob(default=None, ge=45.0, le=120.0)


@register("grid_orientation_check", version=1, family="grid_select")
class GridOrientationCheck(boards.BoardPuzzle[OrientState, OrientOptions]):
    """See the module."""

    State: ClassVar[type[State]] = OrientState
    Options: ClassVar[type[Options]] = OrientOptions
    modes: ClassVar[Mapping[boards.Mode, float]] = {"all": 0.8, "one": 0.2}
    shapes = ((2, 3), (3, 3))
    hard_shapes = ((3, 3),)  # smaller tiles have no room for a pair, and the rule may not tell

    def least_turn(self, difficulty: float) -> float:
        """Degrees by which turned things are turned at least."""
        low, high = LEAST_TURNS_DEG
        return self.options.least_turn_deg or low + (high - low) * difficulty

    def sample(self, scene: Scene) -> OrientState:
        board = self.deal(scene)
        stream = scene.rng.fresh("things")
        rule = stream.weighted(tuple(RULES), tuple(RULES.values()))
        paired = rule in ("mirror", "no_mirror")
        source = stream.choice([s for s in ("icon", "emoji3d") if pool(scene.split, s, paired)])
        infos = kit.some(stream, pool(scene.split, source, paired), board.count)
        looks = kit.styles(stream, board.ground, source)
        least = self.least_turn(scene.difficulty)
        tiles: list[tuple[icons.IconSpec, ...]] = []
        for index, (info, tile) in enumerate(zip(infos, board.tiles, strict=True)):
            meant = (index in board.order) == (rule in ("upright", "mirror"))
            style = stream.choice(looks)
            make = _pair if paired else _single
            tiles.append(make(stream, info, tile, style, meant, least))
        return OrientState(board=board, rule=rule, tiles=tuple(tiles))

    def right_tiles(self, state: OrientState) -> set[int]:
        """The tiles that the rule asks for, by the poses of what stands on them."""
        good = {index for index, things in enumerate(state.tiles) if poised(things)}
        every = set(range(len(state.tiles)))
        return good if state.rule in ("upright", "mirror") else every - good

    def check(self, state: OrientState) -> None:
        if len(state.tiles) != state.board.count:
            raise Rejected("tiles missing", value=len(state.tiles), limit=state.board.count)
        self.check_board(state)
        for things, tile in zip(state.tiles, state.board.tiles, strict=True):
            if not all(tile.grown(-1).holds(icons.icon_ink(spec).box) for spec in things):
                raise Rejected("a thing leaves its tile")
            if not all(icons.icon_info(spec.asset).upright for spec in things):
                raise Rejected("a thing without an upright pose")
            if not poised(things) and posed_likeness(things) > MOST_ALIKE:
                raise Rejected("looks the same either way", value=posed_likeness(things))

    def paint(self, canvas: Any, state: OrientState) -> None:
        for things, tile in zip(state.tiles, state.board.tiles, strict=True):
            if len(things) == 2:
                _mirror_line(canvas, tile)
            icons.draw_icons(canvas, things)

    def goal_slots(self, state: OrientState, lang: str) -> dict[str, str]:
        ask = boards.ASKS[lang][state.board.mode]
        return {"all": ask, "what": WHAT[state.rule][lang == "zh"]}

    def reason_slots(
        self, state: OrientState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", WHAT[state.rule][lang == "zh"]),
            "count": Slot("count", len(state.board.order)),
            "places": boards.places_slot(state.board, lang),
            "first": boards.first_slot(gold),
        }

    def margins(self, state: OrientState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = (icons.icon_ink(spec).box.grown(2) for things in state.tiles for spec in things)
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of thing and tile": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: OrientState) -> Json:
        shown = [
            [[spec.asset, round(spec.turn_deg / 20), spec.mirrored] for spec in things]
            for things in state.tiles
        ]
        return {"rule": state.rule, "board": shown}

    def bad_states(self, state: OrientState) -> Iterator[tuple[str, OrientState]]:
        def first(*things: icons.IconSpec) -> OrientState:
            return state.model_copy(update={"tiles": (things, *state.tiles[1:])})

        yield "tiles missing", state.model_copy(update={"tiles": state.tiles[1:]})
        yield from self.bad_boards(state)
        own = state.tiles[0]
        yield "a thing leaves its tile", first(replace(own[0], x=-20.0), *own[1:])
        flat = next(i for i in icons.icons("train") if not i.upright)
        small = [replace(spec, asset=flat.asset, size=8.0) for spec in own]
        yield "a thing without an upright pose", first(*small)


def poised(things: Sequence[icons.IconSpec]) -> bool:
    """Whether one thing stands upright, or the second is the mirror image of the first."""
    first = things[0]
    if len(things) == 1:
        return turned(first.turn_deg, 0.0) <= LEAN_DEG + 1e-6
    second = things[1]
    aligned = turned(first.turn_deg, -second.turn_deg) <= 1e-6
    return first.asset == second.asset and first.mirrored != second.mirrored and aligned


def posed_likeness(things: Sequence[icons.IconSpec]) -> float:
    """How alike a turned thing is to its upright self, or a false mirror image to the true one."""
    first = things[0]
    if len(things) == 1:
        return kit.self_likeness(first.asset, _stepped(first.turn_deg))
    second = things[1]
    turn = -first.turn_deg - second.turn_deg
    return kit.self_likeness(first.asset, _stepped(turn), first.mirrored == second.mirrored)


def turned(a: float, b: float) -> float:
    """Degrees between two turns, 0 to 180."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


def _stepped(turn: float) -> float:
    return round(turn / STEP_DEG) * STEP_DEG % 360.0


@cache
def pool(split: str, source: str, paired: bool) -> tuple[icons.IconInfo, ...]:
    """Icons that show how they stand, or which way they face: like themselves in no other pose."""
    found = [i for i in icons.icons(split, source, upright=True) if i.category != "symbol"]
    if paired:
        return tuple(i for i in found if kit.self_likeness(i.asset, 0.0, True) <= MOST_ALIKE)
    far = range(3 * STEP_DEG, 360 - 3 * STEP_DEG + 1, STEP_DEG)
    return tuple(
        i for i in found if max(kit.self_likeness(i.asset, float(t)) for t in far) <= MOST_ALIKE
    )


def _single(
    stream: Stream, info: icons.IconInfo, tile: Box, style: icons.IconStyle, upright: bool,
    least: float,
) -> tuple[icons.IconSpec, ...]:  # fmt: skip
    """One thing, upright or turned."""
    spec = kit.on_tile(stream, info, tile, style, 0.3)
    lean = stream.uniform(-LEAN_DEG, LEAN_DEG)
    turn = 0.0
    if not upright:
        turn = stream.uniform(least + LEAN_DEG, 360.0 - least - LEAN_DEG)
    return (replace(spec, turn_deg=turn + lean),)


def _pair(
    stream: Stream, info: icons.IconInfo, tile: Box, style: icons.IconStyle, true: bool,
    least: float,
) -> tuple[icons.IconSpec, ...]:  # fmt: skip
    """A thing and its mirror image beside it, or a copy of it that is none."""
    half = (tile.width - 10.0) / 2
    reach = icons.icon_reach(info.asset, 1.0, style.kind)
    size = min(0.49 * half, 0.45 * tile.height) / reach
    turn = float(stream.choice((0, 0, STEP_DEG, -STEP_DEG, 2 * STEP_DEG, -2 * STEP_DEG)))
    if kit.self_likeness(info.asset, -2.0 * turn % 360.0, True) > MOST_ALIKE:
        turn = 0.0
    mirrored = stream.chance(0.5)
    y = tile.center.y + stream.uniform(-0.5, 0.5) * max(0.0, tile.height - 2 * size * reach - 6)
    off = half / 2 + 3.0
    left = icons.IconSpec(info.asset, size, tile.center.x - off, y, style, turn, mirrored)
    right = replace(left, x=tile.center.x + off)
    return (left, replace(right, turn_deg=-turn, mirrored=not mirrored) if true else right)


def _mirror_line(canvas: Any, tile: Box) -> None:
    """A line down the middle of a tile: a pale core in a dark edge, seen on any ground."""
    x = tile.center.x
    for width, colour in ((2.4, skia.Color(16, 18, 26, 190)), (1.2, skia.Color(246, 248, 252))):
        paint = skia.Paint(Color=colour, AntiAlias=True, StrokeWidth=width)
        canvas.drawLine(x, tile.y0 + 4, x, tile.y1 - 4, paint)
