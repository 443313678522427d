"""Lines that cross each other, of which one starts at an icon.

Rule
    Start at the icon, follow its line to the other end and tap there. Where lines cross, each
    goes straight on.
Answer
    One tap on the end of that line; where the panel has a button, a click on it. Start and
    end are drawn independently, so that neither says anything about the other.
Validity
    Lines meet only where they cross, at 38 degrees or more, and their turns are gentle, so
    that going straight on names one line. Ends lie 34 CSS px or more apart, 11 from every
    other line, and 18 inside the picture.
Source
    Dots to be put at the end of a path, as Place_Dot of Open CaptchaWorld and the mazes of
    Halligan. A tap counts within 15 CSS px of the end, or 3 % of the picture's diagonal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.path_trace import _kit as kit
from captcha_types.path_trace import _weave as weaving
from captcha_types.path_trace import _weave_art as weaving_art
from captcha_types.path_trace import _weave_lot as lot
from captcha_types.path_trace._weave import Weave
from factory.core import tapping
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.points import Points
from factory.core.mechanics.trace import end_tolerance_px
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import (
    Artwork,
    Choice,
    Content,
    Label,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    Seen,
    State,
    WrongResponse,
)
from factory.core.record import Json, ReasonStep, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.draw import grounds, icons
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.tones import LARGE_GLYPHS, choose_ink

LINES = (3, 5)
EXTRA = (1, 4)
"""Columns beyond those that the longest way between two lanes needs."""

WIDTHS_CSS = (3.0, 4.6)
ICON_CSS = 30.0
LEAST_STEP = 34.0
"""Levels between a line and what is beside it, after decoding."""


class PathState(State):
    """``start`` and ``end`` are lanes of the first and the last column of the weave;
    ``strokes`` go by the lane of the start. ``over`` says which of two is above, column by
    column from the seed of that name."""

    weave: Weave
    start: int
    end: int
    crossings: int
    strokes: tuple[kit.Stroke, ...]
    over: str
    icon: icons.IconSpec
    ground: grounds.Ground
    clutter: Clutter
    size: tuple[float, float]

    @property
    def ends(self) -> list[Point]:
        """Where lines end, the one to be found first."""
        all_ends = self.weave.ends()
        return [all_ends[self.end], *all_ends[: self.end], *all_ends[self.end + 1 :]]


class PathOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    lines: int | None = Knob(default=None, ge=LINES[0], le=LINES[1])
    extra: int | None = Knob(default=None, ge=EXTRA[0], le=EXTRA[1])
    colours: int | None = Knob(default=None, ge=1, le=LINES[1])
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("path_end_dot", version=1, family="path_trace")
class PathEndDot(PuzzleType[PathState, PathOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PathState
    Options: ClassVar[type[Options]] = PathOptions
    mechanics = ("points",)
    answer_kind = "point"
    seen_side = 150

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="rect", ratio=(0.7, 0.8), width=(256, 300), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return kit.contents()

    def sample(self, scene: Scene) -> PathState:
        rng, slot, knob, hard = (
            scene.rng, scene.placement.boxes["slot"], self.options, scene.difficulty,
        )  # fmt: skip
        area = Box(0, 0, slot.width, slot.height).grown(-lot.EDGE_CSS)
        lines = knob.lines or kit.stepped(LINES, hard)
        lines = min(lines, 1 + int(area.height / lot.PITCH_CSS[0]))
        start = rng.fixed("start").integer(0, lines)
        end = rng.fixed("end").integer(0, lines)
        extra = knob.extra or kit.stepped(EXTRA, hard)
        weave = lot.choose_weave(rng.fresh("weave"), area, start, end, lines, extra)
        ground = kit.flat_ground(scene, rng.fresh("ground"))
        colours = knob.colours or max(1, round(lines * (1.0 - hard)))
        amount = 0.7 * hard if knob.clutter is None else knob.clutter
        return PathState(
            weave=weave,
            start=start,
            end=end,
            crossings=lot.crossings(weave, start),
            strokes=_strokes(rng, ground, lines, colours),
            over=f"{rng.fresh('over').integer(0, 1 << 40):010x}",
            icon=kit.actor(
                rng.fresh("icon"), scene.split, ground.tone, weave.nodes[0][start], ICON_CSS
            ),
            ground=ground,
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, amount, width=1.2),
            size=(slot.width, slot.height),
        )

    def check(self, state: PathState) -> None:
        if state.weave.walk(state.start)[-1] != state.end:
            raise Rejected("line and end disagree", value=state.end, limit=state.start)
        lot.refuse_weave(state.weave, state.size)
        if not all(state.ground.tone.reads(stroke.ink, LARGE_GLYPHS) for stroke in state.strokes):
            raise Rejected("a line does not stand out")

    def draw(self, state: PathState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            whole = Box(0, 0, *state.size)
            grounds.draw_ground(canvas, state.ground, whole)
            draw_clutter(canvas, state.clutter, whole)
            weaving_art.paint_weave(canvas, state.weave, state.strokes, state.over, state.start)
            icons.draw_icon(canvas, state.icon)

        zones = _zones(state, slot)
        regions: dict[str, Box | Zone] = {
            "picture": slot,
            "start": _icon_box(state).moved(slot.x0, slot.y0),
            "target.0": zones[0],
        }
        regions |= {f"distractor.{k}": zone for k, zone in enumerate(zones[1:])}
        return Artwork(parts=(Part("lines", slot, paint),), regions=regions)

    def mechanic(self, state: PathState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        zones = _zones(state, slot)
        return Points(
            targets=zones[:1], others=zones[1:], area=slot, submit=placement.submit, grow_css_px=0.0
        )

    def reason_slots(
        self, state: PathState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        assert isinstance(mechanic, Points)
        return {
            "start": Slot("point", _start(state, mechanic.area)),
            "count": Slot("count", state.weave.lanes),
            "crossings": Slot("count", state.crossings),
        }

    def explain(
        self, state: PathState, mechanic: AnyMechanic, gold: Sequence[ActionBase], rng: Rng,
        lang: str,
    ) -> tuple[ReasonStep, ...]:  # fmt: skip
        slots = self.reason_slots(state, mechanic, gold, lang)
        blocks = self.wording.reasoning[lang]
        return tapping.explained(blocks, rng.fresh("reasoning"), slots, ("",), gold, lang)

    def margins(self, state: PathState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        on, beside = weaving_art.beside(state.weave, state.strokes[0].width)
        return {"step of line and ground": (kit.line_step(seen, on, beside), LEAST_STEP)}

    def identity(self, state: PathState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "swaps": [list(column) for column in state.weave.swaps],
            "ends": kit.binned(state.ends),
            "icon": state.icon.asset,
        }

    def wrong_responses(
        self, state: PathState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Points)
        target, send = mechanic.targets[0], tapping.send(mechanic.submit)
        middle, reach = target.center, 0.65 * target.box.width
        past = Point(middle.x, middle.y + (reach if middle.y < mechanic.area.center.y else -reach))
        start = Point(*_start(state, mechanic.area))
        return [
            *tapping.wrong_sets(mechanic, rng.fresh("wrong")),
            WrongResponse("beside the end", (Click(past), *send)),
            WrongResponse("the start", (Click(start), *send)),
        ]

    def bad_states(self, state: PathState) -> Iterator[tuple[str, PathState]]:
        other = (state.end + 1) % state.weave.lanes
        yield "line and end disagree", state.model_copy(update={"end": other})
        for reason, weave in lot.bad_weaves(state.weave, state.end, state.size):
            yield reason, state.model_copy(update={"weave": weave})
        faint = replace(state.strokes[0], ink=state.ground.colours[0])
        yield "a line does not stand out", state.model_copy(update={"strokes": (faint,)})

    def solutions(self, state: PathState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The zone that holds where one comes by going from curve to curve at touching ends."""
        assert isinstance(mechanic, Points)
        spot = Point(*state.weave.nodes[0][state.start])
        for row in weaving.pieces(state.weave):
            spot = min(row, key=lambda piece: math.dist(piece[0], spot))[3]
        place = Point(*kit.canvas_point(mechanic.area, state.size, spot))
        shown = (*mechanic.targets, *mechanic.others)
        return [(k,) for k, zone in enumerate(shown) if zone.contains(place)]

    def labels(self, state: PathState, scene: Scene) -> Mapping[str, Label]:
        return {f"end of {state.weave.lanes}": Choice(state.end, state.weave.lanes)}


def _strokes(rng: Rng, ground: grounds.Ground, lines: int, colours: int) -> tuple[kit.Stroke, ...]:
    """Lines of a few colours, all of one dress and width."""
    stream = rng.fresh("strokes")
    dress, width = stream.choice(kit.DRESSES), round(stream.uniform(*WIDTHS_CSS), 3)
    hue = stream.uniform(0, 360)
    inks = [
        choose_ink(stream, ground.tone, floor=LARGE_GLYPHS, hue_deg=hue + 360.0 * k / colours)
        for k in range(colours)
    ]
    dealt = stream.shuffled([inks[k % colours] for k in range(lines)])
    return tuple(kit.Stroke(dress, ink, kit.case_of(ink, ground), width) for ink in dealt)


def _icon_box(state: PathState) -> Box:
    """Around the icon's disc."""
    (x, y), half = state.weave.nodes[0][state.start], ICON_CSS / 2
    return Box(x - half, y - half, x + half, y + half)


def _start(state: PathState, area: Box) -> list[float]:
    """Where the line begins, canvas px; ``area`` is the picture there."""
    return kit.canvas_point(area, state.size, state.weave.nodes[0][state.start])


def _zones(state: PathState, slot: Box) -> tuple[Zone, ...]:
    """Discs about the ends in panel px, the right one first."""
    reach = end_tolerance_px(math.hypot(*state.size), 1.0)
    return tuple(Zone.disc((slot.x0 + x, slot.y0 + y), reach) for x, y in state.ends)
