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

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from captcha_types.rotate._turns import LEAST_TURN_DEG, TurnPuzzle, TurnState
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import PartMotion, Slide
from factory.core.puzzle import (
    Artwork,
    Bitmap,
    Control,
    Options,
    PanelRequest,
    Part,
    Placement,
    Scene,
    Seen,
    State,
)
from factory.core.record import Json
from factory.core.registry import register
from factory.draw import pictures
from factory.draw.measure import pixel_fidelity, turn_margin

TOLERANCE_DEG = 10.0
"""Largest wrapped error that still counts as upright (10.8 and 15 in peers' verifiers)."""

TURN_MARGIN = 0.035
"""Least distance to any copy turned by 30 degrees or more, as a share of the spread."""

FIDELITY_DB = 24.0
"""Least PSNR of the decoded slot against the drawn one; JPEG q90 4:4:4 gives 30 to 45."""

LABEL_BIN_DEG = 10.0
"""Labels closer than the tolerance are the same puzzle."""


class RotateState(TurnState):
    """``lean_deg``: how far the picture is turned clockwise; ``way``: +1 when the slider turns
    it clockwise; ``gain``: degrees per CSS px of travel; ``need_deg``: the turn still needed."""


class RotateOptions(Options):
    """``track_turn_deg``: whole degrees that the track turns; ``detail``: how busy pictures are.

    Both follow ``difficulty`` when not set.
    """

    track_turn_deg: float | None = Field(default=None, ge=120, le=360, multiple_of=1)
    detail: float | None = Field(default=None, ge=0, le=1)


@register("rotate", version=1, family="rotate")
class Rotate(TurnPuzzle[RotateState, RotateOptions]):
    """See the module."""

    State: ClassVar[type[State]] = RotateState
    Options: ClassVar[type[Options]] = RotateOptions
    tol_deg = TOLERANCE_DEG

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="circle",
            ratio=(1, 1),
            width=(180, 256),
            controls=(Control("slider", words="turn"),),
        )

    def track_turn(self, difficulty: float) -> float:
        if self.options.track_turn_deg is not None:
            return self.options.track_turn_deg
        return super().track_turn(difficulty)

    def sample(self, scene: Scene) -> RotateState:
        detail = self.options.detail
        picture = pictures.compose(
            scene.content_kind,
            scene.content_number,
            scene.rng.fresh("picture"),
            scene.split,
            scene.difficulty if detail is None else detail,
        )
        return RotateState(picture=picture.as_dict(), **self.turning(scene))

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


def upright_raster(state: RotateState, size_px: int) -> Bitmap:
    """The solved pose ``(size_px, size_px, 3)`` BGR: what a judge may ask of the class."""
    from factory.core.mechanics import PartPose
    from factory.draw.compose import opaque, rasterise

    home = Box.sized(0, 0, size_px, size_px)
    spec = pictures.PictureSpec.from_dict(state.picture)
    part = Part(name="disc", home=home, draw=lambda c: pictures.draw(c, spec, size_px))
    return opaque(rasterise(part, PartPose(), 1.0, (size_px, size_px)))
