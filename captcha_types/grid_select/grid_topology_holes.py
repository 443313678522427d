"""A board of plates with holes, and a number of holes to look for.

Rule
    Select every tile whose plate has exactly (or at least, or fewer than) so many holes. Dents,
    which do not go through, are no holes.
Answer
    The set of tiles, in any order; a second click takes a selection back. Where no plate is
    right, the button that says so.
Validity
    Holes are counted on the raster of the plate by connected components, never taken from the
    plan; the plate is one piece; holes are larger and walls thicker than floors.
Source
    Hole counting of NextGen-CAPTCHAs and the hollow patterns of MCA-Bench; set equality.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.grid_select import _blobs as blobs
from captcha_types.grid_select import _boards as boards
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tones import choose_ink

Condition = Literal["exactly", "least", "fewer"]
CONDITIONS: Mapping[Condition, float] = {"exactly": 0.6, "least": 0.2, "fewer": 0.2}

WORDS: Mapping[Condition, tuple[str, str]] = {
    "exactly": ("exactly {} {}", "恰好有{}个通孔"),
    "least": ("at least {} {}", "至少有{}个通孔"),
    "fewer": ("fewer than {} {}", "通孔少于{}个"),
}

MOST = 6
"""Holes and dents of a plate together."""

LEAST_AREA = 16.0
"""CSS px^2 of a hole."""

LEAST_WALL = 2.4
"""CSS px of plate between two holes, and between a hole and the outline."""

LEAST_STEP = 40.0
"""Levels of grey between a plate and what shows through its holes, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the plates beyond this."""

COLOURS = 3


class HoleState(boards.BoardState):
    """``plates`` stand on the tiles in reading order, CSS px from the board's corner."""

    condition: Condition
    number: int
    plates: tuple[blobs.Blob, ...]


class HoleOptions(Options):
    """Each follows ``difficulty`` when it is not set."""

    dents: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("grid_topology_holes", version=1, family="grid_select")
class GridTopologyHoles(boards.BoardPuzzle[HoleState, HoleOptions]):
    """See the module."""

    State: ClassVar[type[State]] = HoleState
    Options: ClassVar[type[Options]] = HoleOptions
    modes: ClassVar[Mapping[boards.Mode, float]] = {"all": 0.74, "one": 0.18, "none": 0.08}
    shapes = ((2, 3), (3, 3))
    hard_shapes = ((3, 3), (3, 4))
    moods = ("light", "dark")
    noise = 0.7

    def sample(self, scene: Scene) -> HoleState:
        board = self.deal(scene)
        stream = scene.rng.fresh("things")
        condition = stream.weighted(tuple(CONDITIONS), tuple(CONDITIONS.values()))
        number = stream.integer(1, 5) if condition == "exactly" else stream.integer(2, 5)
        chance = self.options.dents
        chance = 0.15 + 0.55 * scene.difficulty if chance is None else chance
        colours = [choose_ink(stream, board.ground.tone, floor=3.0) for _ in range(COLOURS)]
        plates = []
        for index, tile in enumerate(board.tiles):
            fit = [v for v in range(5) if meets(condition, v, number) == (index in board.order)]
            holes = stream.choice(fit)
            room = MOST - holes - 1
            dents = stream.integer(1, min(2, room) + 1) if stream.chance(chance) else 0
            plates.append(_plate(stream, tile, stream.choice(colours), holes, dents))
        return HoleState(board=board, condition=condition, number=number, plates=tuple(plates))

    def right_tiles(self, state: HoleState) -> set[int]:
        """The tiles whose plates, as rastered, meet the condition."""
        return {
            index
            for index, plate in enumerate(state.plates)
            if meets(state.condition, len(rastered(plate)[1]), state.number)
        }

    def check(self, state: HoleState) -> None:
        if len(state.plates) != state.board.count:
            raise Rejected("tiles missing", value=len(state.plates), limit=state.board.count)
        for plate, tile in zip(state.plates, state.board.tiles, strict=True):
            if not tile.grown(-1).holds(plate.box):
                raise Rejected("a plate leaves its tile")
            _check_plate(plate)
        self.check_board(state)

    def paint(self, canvas: Any, state: HoleState) -> None:
        blobs.draw_blobs(canvas, state.plates)

    def goal_slots(self, state: HoleState, lang: str) -> dict[str, str]:
        return {"all": boards.ASKS[lang][state.board.mode], "what": self._what(state, lang)}

    def _what(self, state: HoleState, lang: str) -> str:
        """The condition in words: ``exactly 3 holes``."""
        english, chinese = WORDS[state.condition]
        if lang == "zh":
            return chinese.format(state.number)
        return english.format(state.number, "hole" if state.number == 1 else "holes")

    def reason_slots(
        self, state: HoleState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", self._what(state, lang)),
            "count": Slot("count", len(state.board.order)),
            "places": boards.places_slot(state.board, lang),
            "first": boards.first_slot(gold),
        }

    def margins(self, state: HoleState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [grey_step(seen.decoded, seen.box(plate.box.grown(3))) for plate in state.plates]
        return {
            "step of plate and tile": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: HoleState) -> Json:
        ground = state.board.ground
        shown = [[len(p.holes), len(p.dents), round(p.radii[0])] for p in state.plates]
        return {
            "ask": [state.condition, state.number],
            "ground": [ground.kind, ground.seed],
            "board": shown,
        }

    def bad_states(self, state: HoleState) -> Iterator[tuple[str, HoleState]]:
        def first(plate: blobs.Blob) -> HoleState:
            return state.model_copy(update={"plates": (plate, *state.plates[1:])})

        yield "tiles missing", state.model_copy(update={"plates": state.plates[1:]})
        yield from self.bad_boards(state)
        own = state.plates[0]
        yield "a plate leaves its tile", first(replace(own, x=-5.0))
        speck = blobs.Hole("round", own.x, own.y, 1.0, 1.0)
        yield "a hole too small", first(replace(own, holes=(speck,), dents=()))
        nested = [blobs.Hole("round", own.x, own.y, half, half) for half in (6.0, 3.0)]
        yield "raster and plan disagree", first(replace(own, holes=tuple(nested), dents=()))
        pair = [blobs.Hole("round", own.x + off, own.y, 4.0, 4.0) for off in (-4.4, 4.4)]
        yield "a wall too thin", first(replace(own, holes=tuple(pair), dents=()))


def meets(condition: Condition, holes: int, number: int) -> bool:
    """Whether a number of holes meets a condition."""
    if condition == "exactly":
        return holes == number
    return holes >= number if condition == "least" else holes < number


@lru_cache(maxsize=64)
def rastered(plate: blobs.Blob) -> tuple[int, list[float]]:
    """Pieces of a plate and areas of its holes, counted on its raster."""
    return blobs.counted_holes(plate)


def _check_plate(plate: blobs.Blob) -> None:
    """``Rejected`` unless raster and plan agree and nothing is too fine to see."""
    pieces, areas = rastered(plate)
    if pieces != 1 or len(areas) != len(plate.holes):
        raise Rejected("raster and plan disagree", value=len(areas), limit=len(plate.holes))
    if min(areas, default=LEAST_AREA) < LEAST_AREA:
        raise Rejected("a hole too small", value=min(areas), limit=LEAST_AREA)
    walls = [_wall(a, b) for a, b in combinations((*plate.holes, *plate.dents), 2)]
    low = min(plate.radii) * 0.97
    walls += [
        low - math.hypot(h.x - plate.x, h.y - plate.y) - max(h.half_w, h.half_h)
        for h in (*plate.holes, *plate.dents)
    ]
    if min(walls, default=LEAST_WALL) < LEAST_WALL:
        raise Rejected("a wall too thin", value=min(walls), limit=LEAST_WALL)


def _wall(a: blobs.Hole, b: blobs.Hole) -> float:
    """CSS px between two holes at least, as if both were as wide all around as at most."""
    reach = [max(h.half_w, h.half_h) * (1.3 if h.shape == "square" else 1.0) for h in (a, b)]
    return math.hypot(a.x - b.x, a.y - b.y) - sum(reach)


def _plate(stream: Stream, tile: Box, colour: str, holes: int, dents: int) -> blobs.Blob:
    """A plate about the middle of a tile."""
    side = min(tile.width, tile.height)
    radius = side * stream.uniform(0.40, 0.43)
    free = max(0.0, side / 2 - 2.0 - radius * 1.02 * (1 + blobs.WOBBLE))
    x, y = tile.center
    middle = Point(x + stream.uniform(-free, free), y + stream.uniform(-free, free))
    return blobs.choose_blob(stream, middle, radius, colour, holes, dents)
