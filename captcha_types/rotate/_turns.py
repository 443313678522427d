"""What puzzles share in which a slider turns a picture, or a part of it, until it stands right."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np

from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import GRID, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.core.puzzle import (
    Choice,
    Content,
    Label,
    Options,
    Placement,
    PuzzleType,
    Scene,
    State,
    Uniform,
    WrongResponse,
)
from factory.core.record import Slot
from factory.core.rng import Rng
from factory.draw import pictures

LEAST_TURN_DEG = 30.0
"""Below this a picture may look right to somebody: three tolerances or more."""

LEAST_TRAVEL_UNITS = 20
"""Grid units of travel below which the quantised drag would be coarse."""

SPARE_DEG = 5.0
"""Kept between the answer's tolerance and the end stop, so that clamping solves nothing."""

WAYS = {
    "en": {1: "clockwise", -1: "anticlockwise"},
    "zh": {1: "顺时针", -1: "逆时针"},
}
"""What a direction of the slider is called."""


class TurnState(State):
    """What a picture, its turn and the slider are, in degrees and CSS px of travel."""

    picture: dict[str, Any]
    lean_deg: float
    need_deg: float
    way: int
    gain: float
    travel_css: float
    least_deg: float


StateT = TypeVar("StateT", bound=TurnState)
OptionsT = TypeVar("OptionsT", bound=Options)


class TurnPuzzle(PuzzleType[StateT, OptionsT]):
    """A picture turned by ``lean_deg``, and a slider that turns it by ``need_deg`` to stand right.

    ``tol_deg`` is the largest wrapped error that still counts as right.
    """

    mechanics = ("slide",)
    answer_kind = "drag_x"
    seen_in_grey = True
    tol_deg: ClassVar[float]

    def contents(self, split: str) -> Sequence[Content]:
        return pictures.contents(split)

    def track_turn(self, difficulty: float) -> float:
        """Degrees that the whole track turns; the panel says how many.

        From the middle of the scale on one full turn; less of one, in steps of 15 degrees,
        where it is easier: a px of travel turns less, so that the hand may be less exact.
        """
        return 360.0 - 15.0 * math.floor(12.0 * max(0.0, 0.5 - difficulty))

    def goal_slots(self, state: StateT, lang: str) -> dict[str, str]:
        return {
            "way": WAYS[lang][state.way],
            "track_deg": str(round(state.gain * state.travel_css)),
        }

    def turn_range(self, scene: Scene) -> tuple[float, float]:
        """The turns still needed, degrees, that a track of this length can ask for."""
        track_turn = self.track_turn(scene.difficulty)
        low = _least_turn(scene.placement, track_turn)
        high = min(360.0 - low, track_turn - self.tol_deg - SPARE_DEG)
        return low, high

    def turning(self, scene: Scene) -> dict[str, Any]:
        """The fields of a ``TurnState`` but the picture."""
        low, high = self.turn_range(scene)
        need = round(scene.rng.fixed("need").uniform(low, high), 6)
        way = scene.rng.fixed("way").choice((1, -1))
        travel = travel_css(scene.placement)
        return {
            "lean_deg": round(-way * need % 360.0, 6),
            "need_deg": need,
            "way": way,
            "gain": round(self.track_turn(scene.difficulty) / travel, 6),
            "travel_css": travel,
            "least_deg": round(low, 6),
        }

    def check(self, state: StateT) -> None:
        if state.way not in (1, -1):
            raise Rejected("direction is neither way", value=state.way, limit=1)
        if state.need_deg < state.least_deg - 1e-6:
            raise Rejected("turn too small to see", value=state.need_deg, limit=state.least_deg)
        if state.need_deg > 360.0 - LEAST_TURN_DEG + 1e-6:
            raise Rejected("nearly upright already", value=state.need_deg, limit=330.0)
        reach = state.gain * state.travel_css
        if state.need_deg + self.tol_deg > reach:
            raise Rejected("answer at the end stop", value=reach, limit=state.need_deg)
        if state.need_deg + 360.0 - self.tol_deg <= reach:
            raise Rejected("second turn fits the track", value=reach, limit=state.need_deg + 360.0)
        if abs((state.lean_deg + state.way * state.need_deg + 180.0) % 360.0 - 180.0) > 1e-5:
            raise Rejected("lean and turn disagree", value=state.lean_deg, limit=state.need_deg)

    def reason_slots(
        self, state: StateT, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drag = gold[0]
        assert isinstance(drag, Drag)
        lean = round(state.lean_deg) % 360
        need = -state.way * lean % 360  # of the whole degrees that the text shows
        track = round(state.gain * state.travel_css)
        return {
            "lean_deg": Slot("angle", lean),
            "need_deg": Slot("angle", need),
            "track_deg": Slot("angle", track),
            "share": Slot("count", math.floor(100 * need / track + 0.5)),
            "turn_way": Slot("name", WAYS[lang][state.way]),
            "travel": Slot("length", [drag.start[0], drag.end[0]]),
            "start": Slot("point", list(drag.start)),
            "end": Slot("point", list(drag.end)),
        }

    def wrong_responses(
        self, state: StateT, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Slide)
        start = mechanic.handle.center
        px_per_deg = mechanic.travel_px / (state.gain * state.travel_css)
        mirrored = 360.0 - state.need_deg
        near = rng.fresh("near").uniform(self.tol_deg + 2.0, self.tol_deg + 15.0)
        turns = {
            "wrong way round": mirrored if abs(mirrored - state.need_deg) > 12 else 15.0,
            "upside down": (state.need_deg + 180.0) % 360.0,
            "a little short": state.need_deg - near,
            "a little far": state.need_deg + near,
        }
        return [
            WrongResponse(
                name=name,
                actions=(Drag(start=start, end=Point(start.x + turn * px_per_deg, start.y)),),
            )
            for name, turn in turns.items()
        ]

    def bad_states(self, state: StateT) -> Iterator[tuple[str, StateT]]:
        def changed(need: float, **more: float) -> StateT:
            lean = round(-state.way * need % 360.0, 6)
            return state.model_copy(update={"need_deg": need, "lean_deg": lean, **more})

        yield "turn too small to see", changed(state.least_deg - 1.0)
        yield "nearly upright already", changed(359.0)
        yield "answer at the end stop", changed(200.0, gain=205.0 / state.travel_css)
        yield "second turn fits the track", changed(state.need_deg, gain=3.0 * state.gain)
        yield (
            "lean and turn disagree",
            state.model_copy(update={"lean_deg": (state.lean_deg + 20.0) % 360.0}),
        )
        yield "direction is neither way", changed(state.need_deg, way=0)

    def solutions(self, state: StateT, mechanic: AnyMechanic) -> list[float]:
        """Centres of the travel ranges (CSS px) where the turned up-vector points up.

        By turning the picture's up-vector at every px of the track, not
        by the arithmetic of the sampler.
        """
        steps = np.arange(0.0, state.travel_css + 1.0, 1.0)
        turn = np.radians(state.lean_deg + state.way * state.gain * steps)
        upright = np.flatnonzero(np.cos(turn) >= math.cos(math.radians(self.tol_deg)))
        if not upright.size:
            return []
        breaks = np.flatnonzero(upright[1:] - upright[:-1] > 1)
        first = [0, *(breaks + 1)]
        last = [*breaks, upright.size - 1]
        return [
            float(steps[upright[a]] + steps[upright[b]]) / 2
            for a, b in zip(first, last, strict=True)
        ]

    def labels(self, state: StateT, scene: Scene) -> Mapping[str, Label]:
        low, high = self.turn_range(scene)
        return {
            "need": Uniform(state.need_deg, low, high),
            "way": Choice((1, -1).index(state.way), 2),
        }


def _least_turn(placement: Placement, track_turn: float) -> float:
    unit_css = placement.width_px / GRID / placement.px_per_css
    gain = track_turn / travel_css(placement)
    return max(LEAST_TURN_DEG, LEAST_TRAVEL_UNITS * unit_css * gain)


def travel_css(placement: Placement) -> float:
    """How far the knob can go, CSS px."""
    track, handle = placement.boxes["track"], placement.boxes["handle"]
    inset = handle.x0 - track.x0
    return track.x1 - inset - handle.x1
