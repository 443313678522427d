"""Tiles of noise in which something shows only while it moves.

Rule
    Select the tiles, or the only tile, that the panel names: those with a hidden shape, those
    whose noise drifts one way, or the one with the largest hidden circle.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Each frame alone is fair coin flips, inside the shape as outside of it. From frame to frame
    what is inside follows a step of one grain that what is outside does not follow, by a floor;
    ways are at right angles; of circles one is larger than the others by a third.
Source
    Spooky_Circle, Spooky_Circle_Grid, Spooky_Shape_Grid and Spooky_Size of NextGen-CAPTCHAs;
    random dot kinematograms (Julesz 1971); set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.temporal_frames import _films as films
from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _spooks as spooks
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Content, Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.pictures.spec import seeded_asset

Ask = Literal["shape", "way", "size"]

GRAIN: Mapping[kit.Form, int] = {"frames": 3, "sheet": 2}
"""Side of a grain, CSS px."""

CAPACITY = 1 << 28
TILES = (4, 6)
SIX_FROM = 0.5
"""Difficulty from which there are six tiles; four on a sheet, whose frames are small."""

NOISE = (0.04, 0.24)
"""Share of grains that each frame draws anew, from easy to hard."""

LEAST_TELL = 0.14
MOST_GIVEN = 4.5
"""Standard deviations: of forty frames, one in a thousand boards has one beyond by chance."""

REACH = (0.30, 0.36)
"""Of a shape, in shorter sides of a frame."""

SMALLER = (0.58, 0.72)
"""Reaches of smaller circles, in that of the largest."""

LEAST_STEP = 60.0
FIDELITY_DB = 14.0
"""Grains of two px are blurred by encoding, but stay what they are."""


class SpookState(films.FilmState):
    """``wanted`` is a shape or a way, or ``size`` for the largest circle."""

    ask: Ask
    wanted: str
    spooks: tuple[spooks.Spook, ...]
    noise: float
    seed: str
    colours: tuple[str, str]

    def field(self, tile: int) -> Any:
        """The noise of a tile, ``(frames, rows, columns)``."""
        name, (rows, columns) = f"{self.seed}|{tile}", self.shape
        return spooks.field(name, self.spooks[tile], self.frames, rows, columns, self.noise)


class SpookOptions(kit.FrameOptions):
    """Each knob follows ``difficulty`` when it is not set."""

    tiles: Literal[4, 6] | None = None
    noise: float | None = Knob(default=None, ge=0.0, le=NOISE[1])


@register("motion_defined_select", version=1, family="temporal_frames")
class MotionDefinedSelect(films.FilmPuzzle[SpookState, SpookOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SpookState
    Options: ClassVar[type[Options]] = SpookOptions
    pictorial = False
    small_model_reach = False  # a single picture says nothing
    words: ClassVar = {
        "en": {"one": "the only {tile}", "all": "every {tile}"},
        "zh": {"one": "唯一的", "all": "所有"},
    }

    def contents(self, split: str) -> Sequence[Content]:
        return [Content("noise", 1.0, CAPACITY)]

    def sample(self, scene: Scene) -> SpookState:
        rng, hard, options = scene.rng, scene.difficulty, self.options
        six = hard >= SIX_FROM and scene.pictures > 1
        lot = self.deal(scene, options.tiles or TILES[six])
        ask: Ask = rng.fresh("ask").choice(
            ("shape", "way", "size") if lot["mode"] == "one" else ("shape", "way")
        )
        noise = options.noise
        state = SpookState(
            **lot,
            grain=GRAIN[lot["form"]],
            ask=ask,
            wanted="size",
            spooks=(),
            noise=round(NOISE[0] + hard * (NOISE[1] - NOISE[0]) if noise is None else noise, 6),
            seed=seeded_asset("grain", scene.content_number, scene.split),
            colours=kit.choose_grain(rng.fresh("dress")),
        )
        wanted, found = _spooks(rng.fresh("spooks"), state, hard)
        return state.model_copy(update={"wanted": wanted, "spooks": found})

    def right_tiles(self, state: SpookState) -> set[int]:
        if state.ask == "size":
            largest = max(spook.reach for spook in state.spooks)
            return {i for i, spook in enumerate(state.spooks) if spook.reach == largest}
        shown = [s.shape if state.ask == "shape" else s.way for s in state.spooks]
        return {i for i, what in enumerate(shown) if what == state.wanted}

    def check(self, state: SpookState) -> None:
        rows, columns = state.shape
        for tile, spook in enumerate(state.spooks):
            wide = spook.reach * (0 if spook.shape == "whole" else 1.3)
            if not (wide <= spook.x < columns - wide and wide <= spook.y < rows - wide):
                raise Rejected("a shape leaves its tile", value=spook.x, limit=columns)
            found = state.field(tile)
            tell, given = spooks.tell(found, spook), spooks.given_away(found, spook)
            if tell < LEAST_TELL:
                raise Rejected("motion is too weak", value=tell, limit=LEAST_TELL)
            if given > MOST_GIVEN:
                raise Rejected("a single frame shows it", value=given, limit=MOST_GIVEN)
        reaches = sorted(spook.reach for spook in state.spooks)
        if state.ask == "size" and reaches[-2] > SMALLER[1] * reaches[-1] + 0.5:
            raise Rejected("circles alike in size", value=reaches[-2], limit=reaches[-1])
        self.check_lot(state)

    def solutions(self, state: SpookState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles by what moves in their noise."""
        fields = [state.field(tile) for tile in range(state.count)]
        if state.ask == "way":
            return [tuple(i for i, f in enumerate(fields) if spooks.read_way(f) == state.wanted)]
        pairs = list(zip(fields, state.spooks, strict=True))
        if state.ask == "shape":
            read = [spooks.read_shape(*pair) for pair in pairs]
            return [tuple(i for i, shape in enumerate(read) if shape == state.wanted)]
        areas = [spooks.read_area(*pair) for pair in pairs]
        return [(areas.index(max(areas)),)]

    def paint_film(
        self, canvas: Any, state: SpookState, tile: int, frame: int, window: Box, prepared: Any
    ) -> None:
        kit.paint_cells(canvas, state.field(tile)[frame], window, state.colours)

    def goal_slots(self, state: SpookState, lang: str) -> dict[str, str]:
        return {**super().goal_slots(state, lang), "what": spooks.NAMES[lang][state.wanted]}

    def reason_slots(
        self, state: SpookState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        what = spooks.NAMES[lang][state.wanted]
        return {**self.common_slots(state, gold, lang), "what": Slot("name", what)}

    def margins(self, state: SpookState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        box = seen.box(state.windows(0)[0].grown(-4))
        return {
            "step of grains": (grey_step(seen.decoded, box), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: SpookState) -> Json:
        shown = [[s.shape, s.x, s.y, s.reach, s.way, s.around] for s in state.spooks]
        return {"seed": state.seed, "wanted": state.wanted, "tiles": shown}

    def bad_states(self, state: SpookState) -> Iterator[tuple[str, SpookState]]:
        def changed(first: spooks.Spook) -> SpookState:
            return state.model_copy(update={"spooks": (first, *state.spooks[1:])})

        own = state.spooks[0]
        yield from self.bad_lots(state)
        yield "a shape leaves its tile", changed(replace(own, x=-9))
        if own.shape != "whole":
            yield "motion is too weak", changed(replace(own, around=own.way))
        if state.ask == "size":
            twins = tuple(replace(s, reach=min(s.reach for s in state.spooks))
                          for s in state.spooks)  # fmt: skip
            yield "circles alike in size", state.model_copy(update={"spooks": twins})


def _spooks(stream: Stream, state: SpookState, hard: float) -> tuple[str, tuple[spooks.Spook, ...]]:
    """What is asked for, and what moves on each tile."""
    ways = tuple(spooks.WAYS)
    options: Sequence[str] = {"shape": spooks.SHAPES, "way": ways, "size": ("size",)}[state.ask]
    wanted = stream.choice(options)
    others = [option for option in options if option != wanted]
    found: list[spooks.Spook] = []
    for tile in range(state.count):
        right = tile in state.order
        what = wanted if right or state.ask == "size" else stream.choice(others)
        if state.ask == "way":
            found.append(_whole(state, what))
            continue
        shape = "circle" if state.ask == "size" else what
        share = 1.0 if right or state.ask == "shape" else stream.uniform(*SMALLER)
        found.append(_spook(stream, state, shape, share, moving=stream.random() < hard))
    return wanted, tuple(found)


def _whole(state: SpookState, way: Any) -> spooks.Spook:
    rows, columns = state.shape
    return spooks.Spook("whole", columns // 2, rows // 2, 0, way, "still")


def _spook(
    stream: Stream, state: SpookState, shape: Any, share: float, *, moving: bool
) -> spooks.Spook:
    """A shape somewhere on a tile, around which noise stands still or is ``moving`` too."""
    rows, columns = state.shape
    full = REACH[1] if state.ask == "size" else stream.uniform(*REACH)
    reach = max(3, int(full * share * min(rows, columns)))
    room = int(1.3 * reach) + 1
    way, other = stream.sample(tuple(spooks.WAYS), 2)
    return spooks.Spook(
        shape,
        stream.integer(room, max(room + 1, columns - room)),
        stream.integer(room, max(room + 1, rows - room)),
        reach,
        way,
        other if moving else "still",
    )
