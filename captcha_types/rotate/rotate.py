"""A round picture, turned away from upright, and a slider that turns it.

Rule
    Drag the slider's knob until the picture stands upright. The panel says which
    way the slider turns the picture and by how many degrees over its whole
    length; without both, one picture would not decide the answer.
Answer
    One drag of the knob. The turn still needed is drawn uniformly from the range
    that ``turn_range`` declares for the track at hand; the knob's travel is that
    turn over the gain (degrees per CSS px).
Validity
    The picture has one upright pose: turned copies of it differ from it by a
    margin, measured on the decoded slot. The turn needed is at least 30 degrees
    and at least 20 grid units of travel, the knob stops short of the track's end
    by more than the tolerance, and no second full turn fits on the track. The
    disc hides the picture's corners. Pictures carry no text.
Source
    Rotation CAPTCHAs as in MCA-Bench, Halligan and tianai-captcha; tolerance 10
    degrees (tianai: 10.8, Halligan: 15), so every one of their verifiers accepts
    what passes here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import GRID, Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import PartMotion, Slide
from factory.core.puzzle import (
    Artwork,
    Bitmap,
    Choice,
    Content,
    Control,
    Label,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    Seen,
    State,
    Uniform,
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.draw import pictures
from factory.draw.measure import pixel_fidelity, turn_margin

TOLERANCE_DEG = 10.0
"""Largest wrapped error that still counts as upright (10.8 and 15 in peers' verifiers)."""

COS_TOLERANCE = math.cos(math.radians(TOLERANCE_DEG))

LEAST_TURN_DEG = 30.0
"""Below this a picture may look upright to somebody: three tolerances."""

LEAST_TRAVEL_UNITS = 20
"""Grid units of travel below which the quantised drag would be coarse."""

SPARE_DEG = 5.0
"""Kept between the answer's tolerance and the end stop, so that clamping solves nothing."""

TURN_MARGIN = 0.035
"""Least distance to any copy turned by 30 degrees or more, as a share of the spread."""

FIDELITY_DB = 24.0
"""Least PSNR of the decoded slot against the drawn one; JPEG q90 4:4:4 gives 30 to 45."""

WAYS = {
    "en": {1: "clockwise", -1: "anticlockwise"},
    "zh": {1: "顺时针", -1: "逆时针"},
}
"""What a direction of the slider is called."""

LABEL_BIN_DEG = 10.0
"""Labels closer than the tolerance are the same puzzle."""


class RotateState(State):
    """``lean_deg``: how far the picture is turned clockwise; ``way``: +1 when the slider turns
    it clockwise; ``gain``: degrees per CSS px of travel; ``need_deg``: the turn still needed."""

    picture: dict[str, Any]
    lean_deg: float
    need_deg: float
    way: int
    gain: float
    travel_css: float
    least_deg: float


class RotateOptions(Options):
    """``track_turn_deg``: whole degrees that the track turns; ``detail``: how busy pictures are.

    Both follow ``difficulty`` when not set.
    """

    track_turn_deg: float | None = Field(default=None, ge=120, le=360, multiple_of=1)
    detail: float | None = Field(default=None, ge=0, le=1)


@register("rotate", version=1, family="rotate")
class Rotate(PuzzleType[RotateState, RotateOptions]):
    """See the module."""

    State: ClassVar[type[State]] = RotateState
    Options: ClassVar[type[Options]] = RotateOptions
    mechanics = ("slide",)
    answer_kind = "drag_x"
    seen_in_grey = True

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="circle",
            ratio=(1, 1),
            width=(180, 256),
            controls=(Control("slider", words="turn"),),
        )

    def contents(self, split: str) -> Sequence[Content]:
        return pictures.contents(split)

    def track_turn(self, difficulty: float) -> float:
        """Degrees that the whole track turns; the panel says how many.

        One full turn up to the middle of the scale, then less of one in steps of 15
        degrees, which takes a second step of arithmetic.
        """
        if self.options.track_turn_deg is not None:
            return self.options.track_turn_deg
        return 360.0 - 15.0 * math.floor(12.0 * max(0.0, difficulty - 0.5))

    def goal_slots(self, state: RotateState, lang: str) -> dict[str, str]:
        return {
            "way": WAYS[lang][state.way],
            "track_deg": str(round(state.gain * state.travel_css)),
        }

    def turn_range(self, scene: Scene) -> tuple[float, float]:
        """The turns still needed, degrees, that a track of this length can ask for."""
        track_turn = self.track_turn(scene.difficulty)
        low = self._least_turn(scene.placement, track_turn)
        high = min(360.0 - low, track_turn - TOLERANCE_DEG - SPARE_DEG)
        return low, high

    def _least_turn(self, placement: Placement, track_turn: float) -> float:
        unit_css = placement.width_px / GRID / placement.px_per_css
        gain = track_turn / _travel(placement)
        return max(LEAST_TURN_DEG, LEAST_TRAVEL_UNITS * unit_css * gain)

    def sample(self, scene: Scene) -> RotateState:
        rng, detail = scene.rng, self.options.detail
        low, high = self.turn_range(scene)
        need = round(rng.fixed("need").uniform(low, high), 6)
        way = rng.fixed("way").choice((1, -1))
        travel = _travel(scene.placement)
        picture = pictures.compose(
            scene.content_kind,
            scene.content_number,
            rng.fresh("picture"),
            scene.split,
            scene.difficulty if detail is None else detail,
        )
        return RotateState(
            picture=picture.as_dict(),
            lean_deg=round(-way * need % 360.0, 6),
            need_deg=need,
            way=way,
            gain=round(self.track_turn(scene.difficulty) / travel, 6),
            travel_css=travel,
            least_deg=round(low, 6),
        )

    def check(self, state: RotateState) -> None:
        if state.way not in (1, -1):
            raise Rejected("direction is neither way", value=state.way, limit=1)
        if state.need_deg < state.least_deg - 1e-6:
            raise Rejected("turn too small to see", value=state.need_deg, limit=state.least_deg)
        if state.need_deg > 360.0 - LEAST_TURN_DEG + 1e-6:
            raise Rejected("nearly upright already", value=state.need_deg, limit=330.0)
        reach = state.gain * state.travel_css
        if state.need_deg + TOLERANCE_DEG > reach:
            raise Rejected("answer at the end stop", value=reach, limit=state.need_deg)
        if state.need_deg + 360.0 - TOLERANCE_DEG <= reach:
            raise Rejected("second turn fits the track", value=reach, limit=state.need_deg + 360.0)
        if abs((state.lean_deg + state.way * state.need_deg + 180.0) % 360.0 - 180.0) > 1e-5:
            raise Rejected("lean and turn disagree", value=state.lean_deg, limit=state.need_deg)

    def draw(self, state: RotateState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        spec = pictures.PictureSpec.from_dict(state.picture)

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            pictures.draw(canvas, spec, slot.width)

        return Artwork(
            parts=(Part(name="disc", home=slot, draw=paint, clip="circle"),),
            regions={"picture": slot},
        )

    def mechanic(self, state: RotateState, placement: Placement) -> AnyMechanic:
        return Slide(
            handle=placement.boxes["handle"],
            track=placement.boxes["track"],
            travel_px=state.travel_css,
            judge="angle",
            target=0.0,
            tol=TOLERANCE_DEG,
            start_value=state.lean_deg,
            gain_per_px=state.way * state.gain,
            parts=(
                PartMotion(
                    name="disc",
                    turn_deg_at_rest=state.lean_deg,
                    turn_deg_per_px=state.way * state.gain,
                ),
            ),
        )

    def reason_slots(
        self, state: RotateState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
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

    def margins(self, state: RotateState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        return {
            "one upright pose": (turn_margin(seen.decoded, seen.slot, LEAST_TURN_DEG), TURN_MARGIN),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: RotateState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "lean": int(state.lean_deg // LABEL_BIN_DEG),
            "way": state.way,
        }

    def wrong_responses(
        self, state: RotateState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Slide)
        start = mechanic.handle.center
        px_per_deg = mechanic.travel_px / (state.gain * state.travel_css)
        mirrored = 360.0 - state.need_deg
        near = rng.fresh("near").uniform(TOLERANCE_DEG + 2.0, TOLERANCE_DEG + 15.0)
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

    def bad_states(self, state: RotateState) -> Iterator[tuple[str, RotateState]]:
        def changed(need: float, **more: float) -> RotateState:
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

    def solutions(self, state: RotateState, mechanic: AnyMechanic) -> list[float]:
        """Centres of the travel ranges (CSS px) where the turned up-vector points up.

        By turning the picture's up-vector at every px of the track, not
        by the arithmetic of the sampler.
        """
        steps = np.arange(0.0, state.travel_css + 1.0, 1.0)
        turn = np.radians(state.lean_deg + state.way * state.gain * steps)
        upright = np.flatnonzero(np.cos(turn) >= COS_TOLERANCE)
        if not upright.size:
            return []
        breaks = np.flatnonzero(upright[1:] - upright[:-1] > 1)
        first = [0, *(breaks + 1)]
        last = [*breaks, upright.size - 1]
        return [
            float(steps[upright[a]] + steps[upright[b]]) / 2
            for a, b in zip(first, last, strict=True)
        ]

    def labels(self, state: RotateState, scene: Scene) -> Mapping[str, Label]:
        low, high = self.turn_range(scene)
        return {
            "need": Uniform(state.need_deg, low, high),
            "way": Choice((1, -1).index(state.way), 2),
        }


def _travel(placement: Placement) -> float:
    """How far the knob can go, CSS px."""
    track, handle = placement.boxes["track"], placement.boxes["handle"]
    inset = handle.x0 - track.x0
    return track.x1 - inset - handle.x1


def upright_raster(state: RotateState, size_px: int) -> Bitmap:
    """The solved pose ``(size_px, size_px, 3)`` BGR: what a judge may ask of the class."""
    from factory.core.mechanics import PartPose
    from factory.draw.compose import opaque, rasterise

    home = Box.sized(0, 0, size_px, size_px)
    spec = pictures.PictureSpec.from_dict(state.picture)
    part = Part(name="disc", home=home, draw=lambda c: pictures.draw(c, spec, size_px))
    return opaque(rasterise(part, PartPose(), 1.0, (size_px, size_px)))
