"""A round picture whose centre is cut out and turned, and a slider that turns it back.

Rule
    Drag the slider's knob until the centre fits the picture around it. The panel says
    which way the slider turns the centre and by how many degrees over its whole length.
    Where there are two cuts, the ring between them turns as far the other way, which the
    panel says too, so that both fit at the same place of the knob.
Answer
    One drag of the knob. The turn still needed is drawn uniformly from the range
    that ``turn_range`` declares for the track at hand; the knob's travel is that
    turn over the gain (degrees per CSS px).
Validity
    The cuts show edges, and over all turns these edges meet best at the right one, by a
    margin: both are measured along the cuts of the decoded slot. The turn needed is at
    least 30 degrees and at least 20 grid units of travel, the knob stops short of the
    track's end by more than the tolerance, and no second full turn fits on the track.
    All parts are discs about one point, so no corner gives a cue.
Source
    The rotation tasks of go-captcha and tianai-captcha, where a part of a picture is
    turned; tolerance 6 degrees, which both of their verifiers accept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import cv2
import numpy as np
import skia
from numpy.typing import NDArray
from pydantic import Field

from captcha_types.rotate._turns import WAYS, TurnPuzzle, TurnState
from factory.core.actions import ActionBase
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import PartMotion, Slide
from factory.core.puzzle import (
    Artwork,
    Bitmap,
    Content,
    Control,
    Options,
    PanelRequest,
    Part,
    Placement,
    Scene,
    Seen,
    State,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.wording import class_words
from factory.draw import pictures
from factory.draw.measure import pixel_fidelity
from factory.draw.picture_images import picture_image

TOLERANCE_DEG = 6.0
"""Largest wrapped error that still counts as aligned; at 6 degrees steps at the cut show."""

TWO_RINGS_FROM = 0.6
"""Difficulty from which two cuts are made."""

CUTS = {1: ((0.46, 0.8),), 2: ((0.66, 0.8), (0.38, 0.52))}
"""Ranges of the diameters of the cuts, outermost first, as shares of the picture's."""

ANGLES = 120
"""Places along a cut that are measured: one each 3 degrees."""

REACHES = (0.03, 0.05)
"""How far inside and outside of a cut it is measured, as shares of the cut's radius."""

MEET_MARGIN = 0.05
"""How much better the sides of the cuts agree at the right turn than far from it, of 1."""

FAR_DEG = 15.0
"""Turns that differ by this must be told apart: two and a half tolerances."""

EDGE_LEVELS = 10.0
"""Least spread of grey along a cut, levels: below it no edge is seen."""

WITHOUT = "icon"
"""Signs with one figure in their middle: hardly any edge crosses a cut around it."""

FIDELITY_DB = 24.0
"""Least PSNR of the decoded slot against the drawn one; JPEG q90 4:4:4 gives 30 to 45."""

SEAM_CSS, SEAM_ALPHA = 1.3, 150
"""Width and opacity of the fine light line along a cut."""


class RingState(TurnState):
    """``cuts``: diameters of the cuts as shares of the picture's, outermost first."""

    cuts: tuple[float, ...]


class RingOptions(Options):
    """``rings``: how many cuts; ``detail``: how busy pictures are. Both follow ``difficulty``."""

    rings: int | None = Field(default=None, ge=1, le=2)
    detail: float | None = Field(default=None, ge=0, le=1)


@register("rotate_ring_align", version=1, family="rotate")
class RotateRingAlign(TurnPuzzle[RingState, RingOptions]):
    """See the module."""

    State: ClassVar[type[State]] = RingState
    Options: ClassVar[type[Options]] = RingOptions
    tol_deg = TOLERANCE_DEG
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="circle",
            ratio=(1, 1),
            width=(190, 256),
            controls=(Control("slider", words="turn"),),
            goal_lines=3,
        )

    def contents(self, split: str) -> Sequence[Content]:
        kept = [content for content in super().contents(split) if content.kind != WITHOUT]
        whole = sum(content.share for content in kept)
        return [replace(content, share=content.share / whole) for content in kept]

    def sample(self, scene: Scene) -> RingState:
        detail, rings = self.options.detail, self.options.rings
        count = rings or (2 if scene.difficulty >= TWO_RINGS_FROM else 1)
        stream = scene.rng.fresh("cuts")
        picture = pictures.compose(
            scene.content_kind,
            scene.content_number,
            scene.rng.fresh("picture"),
            scene.split,
            scene.difficulty if detail is None else detail,
        )
        return RingState(
            picture=picture.as_dict(),
            cuts=tuple(round(stream.uniform(low, high), 6) for low, high in CUTS[count]),
            **self.turning(scene),
        )

    def goal_slots(self, state: RingState, lang: str) -> dict[str, str]:
        slots = {**super().goal_slots(state, lang), "other_way": WAYS[lang][-state.way]}
        said = class_words(__file__, lang)
        cuts = len(state.cuts)
        return {
            "parts": said[f"parts{cuts}"],
            "turns": said[f"turns{cuts}"].format_map(slots),
        }

    def reason_parts(self, state: RingState) -> Sequence[str]:
        return ("seen", "implies", "act") if len(state.cuts) == 1 else ("seen2", "implies2", "act")

    def reason_slots(
        self, state: RingState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        slots = super().reason_slots(state, mechanic, gold, lang)
        return {**slots, "other_way": Slot("name", WAYS[lang][-state.way])}

    def draw(self, state: RingState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        spec = pictures.PictureSpec.from_dict(state.picture)
        image = picture_image(spec, slot, placement.px_per_css)

        def paint(canvas: Any) -> None:
            smooth = skia.SamplingOptions(skia.FilterMode.kLinear)
            canvas.drawImageRect(image, skia.Rect.MakeLTRB(*slot.as_list()), smooth)

        homes = [_home(slot, cut) for cut in state.cuts]
        discs = [
            Part(name=name, home=home, draw=paint, clip="circle")
            for name, home in zip(_names(state), homes, strict=True)
        ]
        return Artwork(
            parts=(
                Part(name="picture", home=slot, draw=paint, clip="circle"),
                *discs,
                Part(name="seams", home=slot, draw=lambda canvas: _seams(canvas, homes)),
            ),
            regions={"picture": slot, **dict(zip(_names(state), homes, strict=True))},
        )

    def mechanic(self, state: RingState, placement: Placement) -> AnyMechanic:
        ways = {"disc": state.way, "ring": -state.way}
        return Slide(
            handle=placement.boxes["handle"],
            track=placement.boxes["track"],
            travel_px=state.travel_css,
            judge="angle",
            target=0.0,
            tol=TOLERANCE_DEG,
            start_value=state.lean_deg,
            gain_per_px=state.way * state.gain,
            parts=tuple(
                PartMotion(
                    name=name,
                    turn_deg_at_rest=round(-ways[name] * state.need_deg % 360.0, 6),
                    turn_deg_per_px=ways[name] * state.gain,
                )
                for name in _names(state)
            ),
        )

    def margins(self, state: RingState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        pairs = [_along(seen.decoded, seen.slot, cut) for cut in state.cuts]
        spread = max(min(float(side.std()) for side in pair) for pair in pairs)
        meeting = _meeting(pairs, state.way)
        right = round(state.need_deg / 360.0 * ANGLES)
        first = round(FAR_DEG / 360.0 * ANGLES)
        rest = np.roll(meeting, -right)[first : ANGLES - first + 1].max()
        return {
            "edges along the cut": (spread, EDGE_LEVELS),
            "edges meet at one turn": (float(meeting[right % ANGLES] - rest), MEET_MARGIN),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: RingState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "lean": int(state.lean_deg // TOLERANCE_DEG),
            "way": state.way,
            "rings": len(state.cuts),
        }


def _names(state: RingState) -> tuple[str, ...]:
    """The parts that turn, outermost first."""
    return ("disc",) if len(state.cuts) == 1 else ("ring", "disc")


def _home(slot: Box, cut: float) -> Box:
    """The box of the disc inside a cut."""
    return slot.grown(-(1.0 - cut) * slot.width / 2)


def _seams(canvas: Any, homes: Sequence[Box]) -> None:
    """A fine light line along each cut."""
    paint = skia.Paint(AntiAlias=True, Color=skia.Color(255, 255, 255, SEAM_ALPHA))
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(SEAM_CSS)
    for home in homes:
        canvas.drawCircle(*home.center, home.width / 2, paint)


def _along(pixels: Bitmap, slot: Box, cut: float) -> tuple[NDArray[np.float32], ...]:
    """Grey just inside and just outside a cut ``(reach, angle)``, angles clockwise, zero mean."""
    angles = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    shares = [1.0 + sign * reach for sign in (-1, 1) for reach in REACHES]
    radii = np.array(shares)[:, None] * (cut * slot.width / 2)
    x = (slot.center.x - 0.5 + radii * np.cos(angles)).astype(np.float32)
    y = (slot.center.y - 0.5 + radii * np.sin(angles)).astype(np.float32)
    grey = cv2.remap(pixels, x, y, cv2.INTER_LINEAR).astype(np.float32)
    grey -= grey.mean(axis=1, keepdims=True)
    return grey[: len(REACHES)].mean(axis=0), grey[len(REACHES) :].mean(axis=0)


def _meeting(pairs: Sequence[tuple[NDArray[np.float32], ...]], way: int) -> NDArray[np.float64]:
    """How well both sides of all cuts agree, at most 1, for each turn of ``ANGLES``.

    With two cuts the ring turns against the disc: the outer cut closes by one turn the other
    way, the inner one by two.
    """
    factors = (-way,) if len(pairs) == 1 else (way, -2 * way)
    total, norm = np.zeros(ANGLES), 1e-9
    for (inside, outside), factor in zip(pairs, factors, strict=True):
        match = np.fft.irfft(np.fft.rfft(outside).conj() * np.fft.rfft(inside), n=ANGLES)
        total += match[np.arange(ANGLES) * factor % ANGLES]
        norm += float(np.linalg.norm(inside) * np.linalg.norm(outside))
    return total / norm
