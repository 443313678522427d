"""A piece cut out of a picture, and a slider that moves it into its gap.

Rule
    Drag the slider until the piece fills the gap of its own shape at its own height. The
    panel says how the piece follows the knob: as far as the knob goes, or to the picture's
    right edge at the track's end; without that, one picture would not decide the answer.
Answer
    One drag of the knob. Its length is drawn uniformly from the range that ``drag_range``
    declares for track, picture and piece.
Validity
    The gap can be told from the picture around it by a step in brightness along its outline,
    measured on the decoded slot. Other gaps have another shape or lie too high or too low
    for the piece by a third of its size. The gap does not touch the piece at rest, and the
    drag stops short of the track's end by more than the tolerance.
Source
    Slider puzzles as in MCA-Bench, Open CaptchaWorld, VenusBench-CAPTCHA, Halligan and the
    open generators; tolerance 6 CSS px or two grid units, within all of their verifiers
    (5 to 15 px, 2 to 5 % of the width).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field

from captcha_types.slider_drag import _kit as kit
from captcha_types.slider_drag import _slides as slides
from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
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
from factory.draw import picture_images, pictures
from factory.draw.measure import edge_contrast

TOLERANCE_CSS = 6.0
"""Error of the piece's place that still counts: the house's table."""

LEAST_UNITS = 40.0
"""Shortest drag in grid units: a 5 % window is then two units wide on each side."""

REST_CSS = 3.0
"""The piece rests so near the picture's left edge; gaps stay as far from the right one."""

CLEAR_CSS = 6.0
"""Between the piece at rest and the nearest gap."""

OTHER_HEIGHT = 1 / 3
"""Gaps of the piece's shape differ from it in height by this share of its size at least."""

LEAST_STEP = 9.0
"""Levels of grey that the outline of the gap steps by; fainter rims are missed by people too."""

FIDELITY_DB = 24.0
"""Encoding may not blur the picture beyond this."""

BIN_CSS = 12.0
"""Two gaps nearer than this are the same puzzle: twice the tolerance."""


Map = Literal["even", "edges"]
"""How far the piece goes: as far as the knob, or to the right edge over the whole track."""

MAPS: tuple[Map, ...] = ("even", "edges")


@cache
def _maps() -> dict[str, dict[str, str]]:
    """How the panel says what the knob does, by language and map."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {lang: block["maps"] for lang, block in tomllib.loads(text).items()}


class JigsawState(State):
    """Lengths in CSS px of the picture. ``drag_css`` is how far the knob has to go."""

    picture: dict[str, Any]
    shape: str
    size_css: float
    map: Map
    gain: float
    drag_css: float
    gap_x: float
    gap_y: float
    decoys: tuple[tuple[str, float, float], ...]
    tolerance_css: float
    least_css: float
    most_css: float


class JigsawOptions(Options):
    """``size_css``: side of the piece; ``decoys``: how many other gaps; both follow difficulty."""

    size_css: float | None = Field(default=None, ge=36, le=72)
    decoys: int | None = Field(default=None, ge=0, le=3)


@register("slider_jigsaw_gap", version=1, family="slider_drag")
class SliderJigsawGap(PuzzleType[JigsawState, JigsawOptions]):
    """See the module."""

    State: ClassVar[type[State]] = JigsawState
    Options: ClassVar[type[Options]] = JigsawOptions
    mechanics = ("slide",)
    answer_kind = "drag_x"
    seen_in_grey = True
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

    def _size(self, scene: Scene) -> float:
        """Side of the piece, whole CSS px: 60 at the easy end, 42 at the hard one."""
        if self.options.size_css is not None:
            return self.options.size_css
        return float(round(60 - 18 * scene.difficulty))

    def _shape_of(self, scene: Scene) -> tuple[Map, float, float]:
        """(map, gain, tolerance in CSS px of the piece), fixed for a key."""
        slot, travel = scene.placement.boxes["slot"], slides.travel_css(scene.placement)
        kind: Map = scene.rng.fixed("map").choice(MAPS)
        reach = slot.width - REST_CSS - self._size(scene)
        gain = 1.0 if kind == "even" else round(reach / travel, 6)
        return kind, gain, max(TOLERANCE_CSS, 2.2 * gain * slides.unit_css(scene.placement))

    def drag_range(self, scene: Scene) -> tuple[float, float]:
        """The lengths of drags, CSS px, that track, picture and piece leave."""
        placement, size = scene.placement, self._size(scene)
        _, gain, tolerance = self._shape_of(scene)
        low, high = displacement_range(
            slides.travel_css(placement),
            slides.unit_css(placement),
            tolerance / gain,
            floor_px=max(LEAST_UNITS * slides.unit_css(placement), (size + CLEAR_CSS) / gain),
        )
        reach = placement.boxes["slot"].width - 2 * REST_CSS - size
        return low, min(high, reach / gain)

    def sample(self, scene: Scene) -> JigsawState:
        rng, slot, size = scene.rng, scene.placement.boxes["slot"], self._size(scene)
        kind, gain, tolerance = self._shape_of(scene)
        low, high = self.drag_range(scene)
        drag = round(rng.fixed("drag").uniform(low, high), 6)
        place = rng.fresh("place")
        gap_y = round(place.uniform(REST_CSS, slot.height - size - REST_CSS), 6)
        picture = pictures.compose(
            scene.content_kind,
            scene.content_number,
            rng.fresh("picture"),
            scene.split,
            scene.difficulty,
        )
        return JigsawState(
            picture=picture.as_dict(),
            shape=place.choice(kit.SHAPES),
            size_css=size,
            map=kind,
            gain=gain,
            drag_css=drag,
            gap_x=round(REST_CSS + gain * drag, 6),
            gap_y=gap_y,
            decoys=self._decoys(scene, slot, size, gap_y),
            tolerance_css=round(tolerance, 6),
            least_css=round(low, 6),
            most_css=round(high, 6),
        )

    def _decoys(
        self, scene: Scene, slot: Box, size: float, gap_y: float
    ) -> tuple[tuple[str, float, float], ...]:
        """Other gaps, kept clear of the piece's height and of each other: one a row."""
        stream = scene.rng.fresh("decoys")
        wanted = self.options.decoys
        count = round(2 * scene.difficulty) if wanted is None else wanted
        heights = kit.spread_heights(
            stream, 4 * count + 4, REST_CSS, slot.height - size - REST_CSS, size + 3
        )
        free = [y for y in heights if abs(y - gap_y) >= size + 3][:count]
        left, right = REST_CSS + size + CLEAR_CSS, slot.width - size - REST_CSS
        return tuple(
            (stream.choice(kit.SHAPES), round(stream.uniform(left, right), 6), y) for y in free
        )

    def check(self, state: JigsawState) -> None:
        if state.drag_css < state.least_css - 1e-6:
            raise Rejected("drag too short", value=state.drag_css, limit=state.least_css)
        if state.drag_css > state.most_css + 1e-6:
            raise Rejected("gap out of reach", value=state.drag_css, limit=state.most_css)
        if abs(REST_CSS + state.gain * state.drag_css - state.gap_x) > 1e-5:
            raise Rejected("gap and drag disagree", value=state.gap_x, limit=state.drag_css)
        for shape, _, y in state.decoys:
            apart = abs(y - state.gap_y)
            if shape == state.shape and apart < OTHER_HEIGHT * state.size_css:
                raise Rejected("another gap fits the piece", value=apart, limit=state.size_css / 3)

    def draw(self, state: JigsawState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        spec = pictures.PictureSpec.from_dict(state.picture)
        image = picture_images.picture_image(spec, slot, placement.px_per_css)
        light = picture_images.brightness(image) < kit.NIGHT
        gap, rest = _gap(state, slot), Point(slot.x0 + REST_CSS, slot.y0 + state.gap_y)
        path = kit.outline(state.shape, state.size_css)

        def ground(canvas: Any) -> None:
            picture_images.paint_image(canvas, image, slot)
            for shape, x, y in state.decoys:
                corner = Point(slot.x0 + x, slot.y0 + y)
                kit.paint_hole(canvas, kit.outline(shape, state.size_css), corner, light=light)
            kit.paint_hole(canvas, path, gap, light=light)

        def piece(canvas: Any) -> None:
            kit.paint_piece(canvas, image, slot, path, gap, rest)

        home = Box.sized(rest.x, rest.y, state.size_css, state.size_css)
        return Artwork(
            parts=(Part("ground", slot, ground), Part("piece", home, piece)),
            regions={
                "picture": slot,
                "piece": home,
                "target": Box.sized(gap.x, gap.y, state.size_css, state.size_css),
            },
        )

    def mechanic(self, state: JigsawState, placement: Placement) -> AnyMechanic:
        return Slide(
            handle=placement.boxes["handle"],
            track=placement.boxes["track"],
            travel_px=slides.travel_css(placement),
            judge="offset",
            target=state.gap_x,
            tol=state.tolerance_css,
            start_value=REST_CSS,
            gain_per_px=state.gain,
            parts=(PartMotion(name="piece", dx_per_px=state.gain),),
        )

    def goal_slots(self, state: JigsawState, lang: str) -> dict[str, str]:
        return {"how": _maps()[lang][state.map]}

    def reason_slots(
        self, state: JigsawState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drag = gold[0]
        assert isinstance(drag, Drag) and isinstance(mechanic, Slide)
        scale = mechanic.px_per_css
        gap_x = drag.start[0] + (state.gap_x - REST_CSS) * scale
        return {
            "shift": Slot("length", [drag.start[0], gap_x]),
            "travel": Slot("length", [drag.start[0], drag.end[0]]),
            "how": Slot("name", _maps()[lang][f"{state.map}_reason"]),
            "start": Slot("point", list(drag.start)),
            "end": Slot("point", list(drag.end)),
        }

    def margins(self, state: JigsawState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        scale = seen.px_per_css
        slot = Box.sized(0.0, 0.0, seen.slot.width / scale, seen.slot.height / scale)
        hole = seen.box(Box.sized(state.gap_x, state.gap_y, state.size_css, state.size_css))
        rim = [
            (Point(hole.x0 + hole.width * x, hole.y0 + hole.width * y), normal)
            for (x, y), normal in kit.edge(state.shape)
        ]
        return {
            "step at the gap's edge": (edge_contrast(seen.decoded, rim, 2.5 * scale), LEAST_STEP),
            "fidelity in dB": (picture_images.picture_fidelity(seen, slot), FIDELITY_DB),
        }

    def identity(self, state: JigsawState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "shape": state.shape,
            "gap": [int(state.gap_x // BIN_CSS), int(state.gap_y // BIN_CSS)],
            "map": state.map,
        }

    def wrong_responses(
        self, state: JigsawState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Slide)
        start, scale = mechanic.handle.center, mechanic.px_per_css
        near = state.tolerance_css / state.gain + rng.fresh("near").uniform(2.0, 10.0)
        lengths = {
            "a little short": state.drag_css - near,
            "a little far": state.drag_css + near,
            "the track's end": max(slides.travel_css_of(mechanic), state.drag_css + near),
        }
        lengths |= {
            f"gap {number} of another piece": (x - REST_CSS) / state.gain
            for number, (_, x, _) in enumerate(state.decoys, start=1)
            if abs(x - state.gap_x) > state.tolerance_css + 2.0
        }
        return [
            WrongResponse(name, (Drag(start, Point(start.x + length * scale, start.y)),))
            for name, length in lengths.items()
        ]

    def bad_states(self, state: JigsawState) -> Iterator[tuple[str, JigsawState]]:
        def changed(drag: float, **more: Any) -> JigsawState:
            gap = round(REST_CSS + state.gain * drag, 6)
            return state.model_copy(update={"drag_css": drag, "gap_x": gap, **more})

        yield "drag too short", changed(state.least_css - 1.0)
        yield "gap out of reach", changed(state.most_css + 1.0)
        yield "gap and drag disagree", state.model_copy(update={"gap_x": state.gap_x + 9.0})
        twin = ((state.shape, state.gap_x + 70.0, state.gap_y + 1.0),)
        yield "another gap fits the piece", changed(state.drag_css, decoys=twin)

    def solutions(self, state: JigsawState, mechanic: AnyMechanic) -> list[float]:
        """Drags (CSS px) that bring the piece over a gap of its shape at its height.

        By going through all gaps of the picture, not through the label.
        """
        gaps = [(state.shape, state.gap_x, state.gap_y), *state.decoys]
        return [
            (x - REST_CSS) / state.gain
            for shape, x, y in gaps
            if shape == state.shape and abs(y - state.gap_y) < OTHER_HEIGHT * state.size_css
        ]

    def labels(self, state: JigsawState, scene: Scene) -> Mapping[str, Label]:
        low, high = self.drag_range(scene)
        return {"drag": Uniform(state.drag_css, low, high)}


def _gap(state: JigsawState, slot: Box) -> Point:
    """The corner of the gap in panel CSS px."""
    return Point(slot.x0 + state.gap_x, slot.y0 + state.gap_y)
