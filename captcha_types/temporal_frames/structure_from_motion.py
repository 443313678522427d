"""Tiles of dots, some of which lie on a solid that turns and shows by that alone.

Rule
    Select the tiles, or the only tile, in which the named solid (ball, cylinder, cone or
    hourglass) turns about the vertical.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    In each frame dots lie evenly, on the solid as around it, and live three frames. The turn of
    the right solid explains far more of what dots do from frame to frame than that of any
    other. No dot is larger or lighter than another.
Source
    Structure From Motion of NextGen-CAPTCHAs; the kinetic depth effect (Wallach and O'Connell
    1953; Ullman 1979); set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

import skia
from pydantic import Field as Knob

from captcha_types.temporal_frames import _films as films
from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _spinning as spinning
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Content, Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw.colours import parse_hex
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.panels.paint import ink
from factory.draw.pictures.spec import seeded_asset

CAPACITY = 1 << 28
TILES = (4, 6)
SIX_FROM = 0.5
"""Difficulty from which there are six tiles; four on a sheet, whose frames are small."""

TURN_DEG = (11.0, 16.0)
"""By how much a solid turns from frame to frame."""

STRAY = (0.0, 0.2)
"""Share of dots that are somewhere else in every frame, from easy to hard."""

DOT_CSS: Mapping[kit.Form, float] = {"frames": 3.0, "sheet": 1.9}
DOT_ROOM: Mapping[kit.Form, float] = {"frames": 105.0, "sheet": 30.0}
"""CSS px^2 of a frame for each dot."""

NEAR_CSS = 0.5
"""Within this a dot is where a spin has brought it."""

LEAST_LEAD = 0.2
"""By so much more dots the right solid explains than the next."""

MOST_GIVEN = 4.5
"""Standard deviations by which a single frame may hold more dots on a solid by chance."""

LEAST_STEP = 60.0
FIDELITY_DB = 15.0

NAMES: Mapping[str, Mapping[spinning.Solid, str]] = {
    "en": {"ball": "a ball", "cylinder": "a cylinder", "cone": "a cone",
           "hourglass": "an hourglass"},
    "zh": {"ball": "球体", "cylinder": "圆柱体", "cone": "圆锥体", "hourglass": "沙漏"},
}  # fmt: skip


class SpinState(films.FilmState):
    """``spins`` turn on the tiles; ``dots`` is how many each frame has."""

    wanted: spinning.Solid
    spins: tuple[spinning.Spin, ...]
    dots: int
    stray: float
    seed: str
    colours: tuple[str, str]

    @property
    def unit(self) -> float:
        """Half the shorter side of a frame, CSS px."""
        window = self.windows(0)[0]
        return min(window.width, window.height) / 2

    @property
    def half(self) -> tuple[float, float]:
        """Half the sides of a frame in that unit."""
        window = self.windows(0)[0]
        return window.width / 2 / self.unit, window.height / 2 / self.unit

    def field(self, tile: int) -> spinning.Dots:
        """The dots of a tile."""
        name, spin = f"{self.seed}|{tile}", self.spins[tile]
        return spinning.dots(name, spin, self.frames, self.half, self.dots, self.stray)


class SpinOptions(kit.FrameOptions):
    """Each knob follows ``difficulty`` when it is not set."""

    frames: int = Knob(default=6, ge=6, le=7)
    tiles: Literal[4, 6] | None = None
    stray: float | None = Knob(default=None, ge=0.0, le=STRAY[1])


@register("structure_from_motion", version=1, family="temporal_frames")
class StructureFromMotion(films.FilmPuzzle[SpinState, SpinOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SpinState
    Options: ClassVar[type[Options]] = SpinOptions
    pictorial = False
    small_model_reach = False  # a single picture says nothing
    words: ClassVar = {
        "en": {"one": "the one {tile}", "all": "every {tile}"},
        "zh": {"one": "唯一的{one}", "all": "所有{tile}"},
    }

    def contents(self, split: str) -> Sequence[Content]:
        return [Content("dots", 1.0, CAPACITY)]

    def sample(self, scene: Scene) -> SpinState:
        rng, hard, options = scene.rng, scene.difficulty, self.options
        six = hard >= SIX_FROM and scene.pictures > 1
        lot = self.deal(scene, options.tiles or TILES[six])
        stream = rng.fresh("solids")
        wanted: spinning.Solid = stream.choice(spinning.SOLIDS)
        stray = STRAY[0] + hard * (STRAY[1] - STRAY[0]) if options.stray is None else options.stray
        state = SpinState(
            **lot,
            grain=1,
            wanted=wanted,
            spins=tuple(
                _spin(stream, wanted, right=tile in lot["order"]) for tile in range(lot["count"])
            ),
            dots=1,
            stray=round(stray, 6),
            seed=seeded_asset("dots", scene.content_number, scene.split),
            colours=kit.choose_grain(rng.fresh("dress")),
        )
        window = state.windows(0)[0]
        count = round(window.width * window.height / DOT_ROOM[state.form])
        return state.model_copy(update={"dots": count})

    def right_tiles(self, state: SpinState) -> set[int]:
        return {i for i, spin in enumerate(state.spins) if spin.solid == state.wanted}

    def check(self, state: SpinState) -> None:
        for tile, spin in enumerate(state.spins):
            turn = abs(spin.turn_deg)
            if not TURN_DEG[0] <= turn <= TURN_DEG[1]:
                raise Rejected("turns too little or too much", value=turn, limit=TURN_DEG[0])
            lead = _scores(state, tile)
            best = lead.pop(spin.solid)
            if best - max(lead.values()) < LEAST_LEAD:
                raise Rejected("another solid explains it", value=best, limit=LEAST_LEAD)
            given = spinning.given_away(state.field(tile), spin.solid, state.half)
            if given > MOST_GIVEN:
                raise Rejected("a single frame shows it", value=given, limit=MOST_GIVEN)
        self.check_lot(state)

    def solutions(self, state: SpinState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles whose dots the named solid explains best."""
        scores = [_scores(state, tile) for tile in range(state.count)]
        best = [max(one, key=lambda solid: one[solid]) for one in scores]
        return [tuple(i for i, solid in enumerate(best) if solid == state.wanted)]

    def paint_film(
        self, canvas: Any, state: SpinState, tile: int, frame: int, window: Box, prepared: Any
    ) -> None:
        field, (x0, y0), unit = state.field(tile), window.center, state.unit
        ground, colour = (parse_hex(colour) for colour in state.colours)
        canvas.save()
        canvas.clipRect(skia.Rect.MakeLTRB(*window.as_list()))
        canvas.drawRect(skia.Rect.MakeLTRB(*window.as_list()), ink(ground))
        paint = ink(colour)
        paint.setStrokeWidth(DOT_CSS[state.form])
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        places = field.places[frame][field.seen[frame]]
        spots = [skia.Point(x0 + unit * x, y0 + unit * y) for x, y in places.tolist()]
        canvas.drawPoints(skia.Canvas.PointMode.kPoints_PointMode, spots, paint)
        canvas.restore()

    def goal_slots(self, state: SpinState, lang: str) -> dict[str, str]:
        return {**super().goal_slots(state, lang), "solid": NAMES[lang][state.wanted]}

    def reason_slots(
        self, state: SpinState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        solid = Slot("name", NAMES[lang][state.wanted])
        return {**self.common_slots(state, gold, lang), "solid": solid}

    def margins(self, state: SpinState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        box = seen.box(state.windows(0)[0].grown(-3))
        return {
            "step of dots": (grey_step(seen.decoded, box), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: SpinState) -> Json:
        shown = [[spin.solid, round(spin.turn_deg)] for spin in state.spins]
        return {"seed": state.seed, "wanted": state.wanted, "tiles": shown}

    def bad_states(self, state: SpinState) -> Iterator[tuple[str, SpinState]]:
        own = state.spins[0]
        yield from self.bad_lots(state)
        slow = (replace(own, turn_deg=2.0), *state.spins[1:])
        yield "turns too little or too much", state.model_copy(update={"spins": slow})
        yield "another solid explains it", state.model_copy(update={"stray": 1.0})


def _spin(stream: Stream, wanted: spinning.Solid, *, right: bool) -> spinning.Spin:
    others: list[spinning.Solid] = [solid for solid in spinning.SOLIDS if solid != wanted]
    turn = stream.choice((-1, 1)) * stream.uniform(*TURN_DEG)
    return spinning.Spin(wanted if right else stream.choice(others), round(turn, 6))


def _scores(state: SpinState, tile: int) -> dict[spinning.Solid, float]:
    """The share of a tile's dots that each solid explains, turning as the tile's own does."""
    seen_twice, turn = spinning.pairs(state.field(tile)), state.spins[tile].turn_deg
    near = NEAR_CSS / state.unit
    return {
        solid: spinning.explained(seen_twice, spinning.Spin(solid, turn), near)
        for solid in spinning.SOLIDS
    }
