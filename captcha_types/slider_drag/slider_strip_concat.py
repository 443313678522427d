"""A picture cut across into strips, one of them out of line, and a slider that shifts it.

Rule
    Drag the slider until the strip that is out of line joins the others. What leaves the
    picture on the right comes back on the left. The panel says how the strip follows the
    knob, as far as the knob goes or once around over the whole track; and of two parts,
    which one moves.
Answer
    One drag of the knob. Its length is drawn uniformly from the range that ``drag_range``
    declares for track and picture.
Validity
    Along the cuts of the strip the picture joins best by far where it belongs: colours on
    both sides of them, compared for all shifts, differ less there than at any shift beyond
    two tolerances. That is measured on a small raster of the picture, and on the decoded
    slot. The shift is four tolerances or more either way around, and the drag stops short of
    the track's end by more than the tolerance.
Source
    The concat puzzle of tianai-captcha (5 % of the width) and the alignment sliders of
    MCA-Bench; 6 CSS px or two grid units are within 2 % of the width or little above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar, Literal

import skia
from pydantic import Field

from captcha_types.slider_drag import _slides as slides
from captcha_types.slider_drag import _strips as strips
from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import PartMotion, Slide, displacement_range
from factory.core.puzzle import (
    Artwork,
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
from factory.core.wording import class_words
from factory.draw import low_pictures, picture_images, pictures

TOLERANCE_CSS = 6.0
"""Error of the strip's place that still counts: the house's table."""

LEAST_UNITS = 40.0
"""Shortest drag in grid units: a 5 % window is then two units wide on each side."""

LEAST_SHIFT_CSS = 24.0
"""Four tolerances: nobody takes the strip for being in line already."""

LEAST_LEAD = 9.0
"""Levels by which strips join worse at any wrong shift, averaged along the cuts, on the raster."""

LEAST_SEEN_LEAD = 5.0
"""The same after decoding."""

FIDELITY_DB = 24.0
"""Encoding may not blur the picture beyond this."""

BIN_CSS = 12.0
"""Two shifts nearer than this are the same puzzle: twice the tolerance."""

Map = Literal["even", "around"]
"""How the strip follows: as far as the knob, or once around over the whole track."""

MAPS: tuple[Map, ...] = ("even", "around")


class StripState(State):
    """Lengths in CSS px of the picture. ``shift_css`` is how far the strip has to move to the
    right, ``drag_css`` how far the knob has to go."""

    picture: dict[str, Any]
    width: float
    height: float
    cuts: tuple[float, ...]
    moving: int
    map: Map
    gain: float
    drag_css: float
    shift_css: float
    tolerance_css: float
    least_css: float
    most_css: float


class StripOptions(Options):
    """``strips``: into how many the picture is cut; it follows difficulty."""

    strips: int | None = Field(default=None, ge=strips.COUNTS[0], le=strips.COUNTS[1])


@register("slider_strip_concat", version=1, family="slider_drag")
class SliderStripConcat(PuzzleType[StripState, StripOptions]):
    """See the module."""

    State: ClassVar[type[State]] = StripState
    Options: ClassVar[type[Options]] = StripOptions
    mechanics = ("slide",)
    answer_kind = "drag_x"
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.56, 0.68),
            width=(232, 300),
            controls=(Control("slider", words="shift"),),
        )

    def contents(self, split: str) -> Sequence[Content]:
        return pictures.contents(split)

    def _map_of(self, scene: Scene) -> tuple[Map, float, float]:
        """(map, gain, tolerance in CSS px of the strip), fixed for a key."""
        kind: Map = scene.rng.fixed("map").choice(MAPS)
        width = scene.placement.boxes["slot"].width
        gain = 1.0 if kind == "even" else round(width / slides.travel_css(scene.placement), 6)
        return kind, gain, max(TOLERANCE_CSS, 2.2 * gain * slides.unit_css(scene.placement))

    def drag_range(self, scene: Scene) -> tuple[float, float]:
        """The lengths of drags, CSS px, that track and picture leave."""
        placement, unit = scene.placement, slides.unit_css(scene.placement)
        _, gain, tolerance = self._map_of(scene)
        least = max(LEAST_SHIFT_CSS, 4 * tolerance) / gain
        low, high = displacement_range(
            slides.travel_css(placement),
            unit,
            tolerance / gain,
            floor_px=max(LEAST_UNITS * unit, least),
        )
        return low, min(high, placement.boxes["slot"].width / gain - least)

    def sample(self, scene: Scene) -> StripState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        kind, gain, tolerance = self._map_of(scene)
        low, high = self.drag_range(scene)
        drag = round(rng.fixed("drag").uniform(low, high), 6)
        picture = pictures.compose(
            scene.content_kind, scene.content_number, rng.fresh("picture"), scene.split, hard
        )
        least, most = strips.COUNTS
        count = self.options.strips or least + min(most - least, int(hard * (most - least + 1)))
        key = low_pictures.key_of(picture.as_dict())
        cuts, moving = strips.choose(
            rng.fresh("strips"), key, (slot.width, slot.height), count, LEAST_LEAD
        )
        return StripState(
            picture=picture.as_dict(),
            width=slot.width,
            height=slot.height,
            cuts=cuts,
            moving=moving,
            map=kind,
            gain=gain,
            drag_css=drag,
            shift_css=round(gain * drag, 6),
            tolerance_css=round(tolerance, 6),
            least_css=round(low, 6),
            most_css=round(high, 6),
        )

    def check(self, state: StripState) -> None:
        if state.drag_css < state.least_css - 1e-6:
            raise Rejected("drag too short", value=state.drag_css, limit=state.least_css)
        if state.drag_css > state.most_css + 1e-6:
            raise Rejected("strip out of reach", value=state.drag_css, limit=state.most_css)
        if abs(state.gain * state.drag_css - state.shift_css) > 1e-5:
            raise Rejected("shift and drag disagree", value=state.shift_css, limit=state.drag_css)
        edges = (0.0, *state.cuts, state.height)
        thinnest = min(b - a for a, b in pairwise(edges))
        if thinnest < strips.THINNEST * state.height - 1e-6:
            raise Rejected("strip too thin", value=thinnest, limit=strips.THINNEST * state.height)
        lead = strips.lead_of(
            low_pictures.key_of(state.picture), (state.width, state.height), _borders(state)
        )
        if lead < LEAST_LEAD:
            raise Rejected("another shift joins as well", value=lead, limit=LEAST_LEAD)

    def draw(self, state: StripState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        spec = pictures.PictureSpec.from_dict(state.picture)
        image = picture_images.picture_image(spec, slot, placement.px_per_css)
        home = _strip(state).moved(slot.x0, slot.y0)

        def ground(canvas: Any) -> None:
            picture_images.paint_image(canvas, image, slot)

        def strip(canvas: Any) -> None:
            rows = skia.Rect.MakeLTRB(slot.x0 - slot.width, home.y0, slot.x1 + slot.width, home.y1)
            canvas.clipRect(rows)
            for turn in (-1, 0, 1):
                off = turn * slot.width - state.shift_css
                picture_images.paint_image(canvas, image, slot.moved(off, 0.0))

        def cuts(canvas: Any) -> None:
            for y in state.cuts:
                strips.paint_cut(canvas, slot, slot.y0 + y)

        return Artwork(
            parts=(
                Part("ground", slot, ground),
                Part("strip", home, strip),
                Part("cuts", slot, cuts),
            ),
            regions={"picture": slot, "strip": home},
        )

    def mechanic(self, state: StripState, placement: Placement) -> AnyMechanic:
        return Slide(
            handle=placement.boxes["handle"],
            track=placement.boxes["track"],
            travel_px=slides.travel_css(placement),
            judge="offset",
            target=state.shift_css,
            tol=state.tolerance_css,
            gain_per_px=state.gain,
            parts=(PartMotion(name="strip", dx_per_px=state.gain),),
        )

    def goal_slots(self, state: StripState, lang: str) -> dict[str, str]:
        own = class_words(__file__, lang)
        return {"part": own[_part(state)], "how": own[state.map]}

    def reason_slots(
        self, state: StripState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drag, own = gold[0], class_words(__file__, lang)
        assert isinstance(drag, Drag) and isinstance(mechanic, Slide)
        home = drag.start[0] + state.shift_css * mechanic.px_per_css
        return {
            "part": Slot("name", own[_part(state)]),
            "shift": Slot("length", [drag.start[0], home]),
            "travel": Slot("length", [drag.start[0], drag.end[0]]),
            "how": Slot("name", own[f"{state.map}_reason"]),
            "start": Slot("point", list(drag.start)),
            "end": Slot("point", list(drag.end)),
        }

    def margins(self, state: StripState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        lead = strips.seen_lead(seen, (state.width, state.height), _borders(state), state.shift_css)
        whole = Box(0.0, 0.0, state.width, state.height)
        return {
            "lead of the right shift": (lead, LEAST_SEEN_LEAD),
            "fidelity in dB": (picture_images.picture_fidelity(seen, whole), FIDELITY_DB),
        }

    def identity(self, state: StripState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "shift": int(state.shift_css // BIN_CSS),
            "strips": [len(state.cuts) + 1, state.moving],
            "map": state.map,
        }

    def wrong_responses(
        self, state: StripState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Slide)
        near = state.tolerance_css / state.gain + rng.fresh("near").uniform(2.0, 10.0)
        around = (state.width - state.shift_css) / state.gain
        lengths = {
            "a little short": state.drag_css - near,
            "a little far": state.drag_css + near,
            "the track's end": max(slides.travel_css_of(mechanic), state.drag_css + near),
        }
        if abs(around - state.drag_css) > near:
            lengths["the other way around"] = around
        return [
            WrongResponse(name, (slides.drag_by(mechanic, length),))
            for name, length in lengths.items()
        ]

    def bad_states(self, state: StripState) -> Iterator[tuple[str, StripState]]:
        def changed(drag: float) -> StripState:
            shift = round(state.gain * drag, 6)
            return state.model_copy(update={"drag_css": drag, "shift_css": shift})

        yield "drag too short", changed(state.least_css - 1.0)
        yield "strip out of reach", changed(state.most_css + 1.0)
        off = state.model_copy(update={"shift_css": state.shift_css + 9.0})
        yield "shift and drag disagree", off
        thin = (0.5 * strips.THINNEST * state.height, *state.cuts[1:])
        yield "strip too thin", state.model_copy(update={"cuts": thin})
        key, size = low_pictures.key_of(state.picture), (state.width, state.height)
        for row in range(round(0.3 * state.height), round(0.7 * state.height), 4):
            if strips.lead_of(key, size, strips.borders((float(row),), 0)) < LEAST_LEAD:
                plain = {"cuts": (float(row),), "moving": 0}
                yield "another shift joins as well", state.model_copy(update=plain)
                break

    def solutions(self, state: StripState, mechanic: AnyMechanic) -> list[float]:
        """Drags (CSS px) after which the strip is as far as it began from where it belongs, or
        by whole pictures farther: by counting rounds, not through the drag."""
        assert isinstance(mechanic, Slide)
        reach, found = slides.travel_css_of(mechanic), list[float]()
        moved = state.shift_css % state.width
        while moved / state.gain <= reach:
            found.append(moved / state.gain)
            moved += state.width
        return found

    def labels(self, state: StripState, scene: Scene) -> Mapping[str, Label]:
        low, high = self.drag_range(scene)
        return {"drag": Uniform(state.drag_css, low, high)}


def _strip(state: StripState) -> Box:
    """The strip that moves, from the picture's corner."""
    edges = (0.0, *state.cuts, state.height)
    return Box(0.0, edges[state.moving], state.width, edges[state.moving + 1])


def _borders(state: StripState) -> tuple[strips.Border, ...]:
    """The cuts that bound the strip that moves."""
    return strips.borders(state.cuts, state.moving)


def _part(state: StripState) -> str:
    """What the strip that moves is called: of two parts by its place, else as the odd one."""
    if len(state.cuts) > 1:
        return "strip"
    return "lower" if state.moving else "upper"
