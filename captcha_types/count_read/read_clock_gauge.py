"""A clock, a dial, a thermometer, a ruler or a bar chart, to be read.

Rule
    Read the instrument to its nearest mark and type what it shows: the time on a clock, the
    value of a dial or a thermometer, the length of what lies at a ruler, the value of the
    bar that the panel names.
Answer
    A click on the field, and the reading: a time as hours and minutes (7:05, a 0 before the
    hour may be typed), else a number; where the panel has a button, a click on it.
Validity
    Readings are whole marks, and pointers lie within a quarter of the way to the nearest one.
    Marks are four CSS px or more apart. The hour hand stands where the minutes want it, and
    is five eighths as long as the minute hand. Pointers and marks stand out from what is
    behind them, measured on the decoded picture.
Source
    Ours. Numbers within half of the distance of two marks; times to the minute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.count_read import _instruments as instruments
from captcha_types.count_read import _readings as readings
from captcha_types.count_read import _scales as scales
from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.puzzle import (
    Artwork,
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
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.core.tapping import send
from factory.draw import grounds
from factory.draw.measure import grey_step, pixel_fidelity

LEAST_SPACING = 3.9
"""CSS px between two marks; finer ones run together on phones at one device px."""

MOST_OFF = 0.25
"""How far from its mark a pointer may stand, in distances of two marks."""

HALF = 0.49
"""Of the distance of two marks: numbers so near to the reading are taken for it."""

LEAST_STEPS = {"pointer": 34.0, "marks": 26.0}
"""Levels of grey around them, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the marks beyond this."""


class GaugeState(State):
    """``shown`` are the values that are shown: one, or one a bar; ``index`` the reading of the
    one that is asked for, in marks."""

    index: int
    instrument: scales.Instrument
    shown: tuple[float, ...]
    asked: int
    """Which of ``shown``."""
    start: float
    """Where the thing at a ruler begins."""
    ground: grounds.Ground
    size: tuple[float, float]

    @property
    def text(self) -> str:
        """The answer as gold types it."""
        scale = self.instrument.scale
        value = scale.value(self.index)
        return scales.clock_text(value) if scale.kind == "clock" else scale.text(value)


class GaugeOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    instrument: scales.Kind | None = None
    level: int | None = Knob(default=None, ge=0, le=2)
    turn_deg: float | None = Knob(default=None, ge=0.0, le=30.0)
    glare: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("read_clock_gauge", version=1, family="count_read")
class ReadClockGauge(PuzzleType[GaugeState, GaugeOptions]):
    """See the module."""

    State: ClassVar[type[State]] = GaugeState
    Options: ClassVar[type[Options]] = GaugeOptions
    mechanics = ("text_entry",)
    answer_kind = "click_type"
    accepts_many = True
    seen_in_grey = True
    seen_side = 170

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.62, 0.74),
            width=(252, 300),
            controls=(Control("field"),),
            submit="either",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> GaugeState:
        rng, slot, hard, knob = (
            scene.rng, scene.placement.boxes["slot"], scene.difficulty, self.options,
        )  # fmt: skip
        kind = knob.instrument or rng.fixed("instrument").weighted(
            tuple(scales.KINDS), tuple(scales.KINDS.values())
        )
        level = min(2, int(3 * hard)) if knob.level is None else knob.level
        scale = rng.fixed("scale").choice(scales.SCALES[kind][level])
        index = scale.first + rng.fixed("index").integer(0, scale.readings)
        size, dress = (slot.width, slot.height), rng.fresh("dress")
        unrest = readings.Unrest(
            turn=30.0 * hard if knob.turn_deg is None else knob.turn_deg,
            glare=hard if knob.glare is None else knob.glare,
            off=hard,
        )
        instrument = readings.choose_instrument(dress, scale, size, scene.split, unrest)
        show = rng.fresh("shown")
        shown, asked = readings.choose_shown(show, instrument, index, unrest.off)
        start = readings.choose_start(show, scale, index) if level else scale.low
        return GaugeState(
            index=index,
            instrument=instrument,
            shown=shown,
            asked=asked,
            start=start if kind == "ruler" else 0.0,
            ground=grounds.compose(
                scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
            ),
            size=size,
        )

    def check(self, state: GaugeState) -> None:
        one = state.instrument
        if len(state.shown) != one.bars or not 0 <= state.asked < one.bars:
            raise Rejected("bars missing", value=len(state.shown), limit=one.bars)
        steps = (state.shown[state.asked] - one.scale.low) / one.scale.step
        if round(steps) != state.index:
            raise Rejected("pointer and reading disagree", value=steps, limit=state.index)
        if abs(steps - state.index) > MOST_OFF:
            raise Rejected("between two marks", value=abs(steps - state.index), limit=MOST_OFF)
        if scales.spacing(one) < LEAST_SPACING:
            raise Rejected("marks run together", value=scales.spacing(one), limit=LEAST_SPACING)
        if not Box(0, 0, *state.size).holds(readings.painted(one)):
            raise Rejected("the instrument leaves the picture", value=one.x0, limit=0.0)
        if state.start + state.shown[state.asked] > one.scale.high + one.scale.step:
            raise Rejected("longer than the ruler", value=state.start, limit=one.scale.high)

    def draw(self, state: GaugeState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            grounds.draw_ground(canvas, state.ground, slot)
            canvas.translate(slot.x0, slot.y0)
            instruments.paint_instrument(canvas, state.instrument, state.shown, state.start)

        area = readings.painted(state.instrument).moved(slot.x0, slot.y0)
        regions = {"picture": slot, "instrument": area}
        return Artwork(parts=(Part("instrument", slot, paint),), regions=regions)

    def mechanic(self, state: GaugeState, placement: Placement) -> AnyMechanic:
        box, scale = placement.boxes["field"], state.instrument.scale
        field = Field(box, _typed(state))
        if scale.kind != "clock":
            field = Field(box, _typed(state), kind="number", tol=round(HALF * scale.step, 6))
        return TextEntry(fields=(field,), submit=placement.submit)

    def goal_slots(self, state: GaugeState, lang: str) -> dict[str, str]:
        words = readings.words(__file__, lang)
        kind, letter = state.instrument.scale.kind, instruments.LETTERS[state.asked]
        return {"the": words[kind].format(letter=letter), "form": words[f"{kind}_form"]}

    def reason_parts(self, state: GaugeState) -> Sequence[str]:
        return (f"{state.instrument.scale.kind}_seen", "implies", "act")

    def reason_slots(
        self, state: GaugeState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        click, one = gold[0], state.instrument
        assert isinstance(click, Click)
        found = {
            "the": Slot("name", self.goal_slots(state, lang)["the"]),
            "letter": Slot("name", instruments.LETTERS[state.asked]),
            "value": Slot("name", state.text),
            "field": Slot("point", list(click.point)),
        }
        if one.scale.kind == "clock":
            hour, minute = state.text.split(":")
            found |= {"hour": Slot("count", int(hour)), "minute": Slot("count", int(minute))}
        return found

    def margins(self, state: GaugeState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        spots = readings.deciding(state.instrument, state.shown[state.asked], state.asked,
                                  state.start)  # fmt: skip
        found = {
            name: (grey_step(seen.decoded, seen.box(box)), LEAST_STEPS[name])
            for name, box in spots.items()
        }
        fidelity = pixel_fidelity(seen.decoded, seen.drawn)
        return {**found, "fidelity in dB": (fidelity, FIDELITY_DB)}

    def identity(self, state: GaugeState) -> Json:
        scale = state.instrument.scale
        return {
            "scale": [scale.kind, scale.low, scale.high, scale.step],
            "shown": [round((value - scale.low) / scale.step) for value in state.shown],
            "start": round(state.start / scale.step),
            "face": state.instrument.face,
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: GaugeState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        texts = readings.near_misses(state.instrument, state.index, state.shown, state.start)
        field = Click(mechanic.fields[0].box.center)
        return [
            WrongResponse(name, (field, Type(text), *send(mechanic.submit)))
            for name, text in texts.items()
            if not mechanic.fields[0].accepts(text, True)
        ]

    def bad_states(self, state: GaugeState) -> Iterator[tuple[str, GaugeState]]:
        def changed(**more: Any) -> GaugeState:
            return state.model_copy(update=more)

        def showing(value: float) -> GaugeState:
            own = [value if k == state.asked else v for k, v in enumerate(state.shown)]
            return changed(shown=tuple(own))

        one, scale = state.instrument, state.instrument.scale
        yield "bars missing", changed(shown=(*state.shown, scale.low))
        yield "pointer and reading disagree", showing(scale.value(state.index + 1.2))
        yield "between two marks", showing(scale.value(state.index + 0.4))
        fine = {"instrument": replace(one, scale=replace(scale, step=scale.step / 40))}
        exact = showing(scale.value(state.index)).model_copy(update=fine)
        yield "marks run together", exact.model_copy(update={"index": 40 * state.index})
        away = replace(one, x0=one.x0 - state.size[0], x1=one.x1 - state.size[0])
        yield "the instrument leaves the picture", changed(instrument=away)
        if scale.kind == "ruler":
            yield "longer than the ruler", changed(start=scale.high)

    def solutions(self, state: GaugeState, mechanic: AnyMechanic) -> list[str]:
        """What the marks nearest to the pointer's end say, by where both are in the picture."""
        one, value = state.instrument, state.shown[state.asked]
        if one.scale.kind != "clock":
            return [one.scale.text(readings.nearest_mark(one, value, state.asked, state.start))]
        return list(_spellings(readings.time_by_hands(one, value)))

    def labels(self, state: GaugeState, scene: Scene) -> Mapping[str, Label]:
        scale = state.instrument.scale
        name = f"{scale.kind} {scale.low:g} to {scale.high:g} by {scale.step:g}"
        return {name: Choice(state.index - scale.first, scale.readings)}


def _typed(state: GaugeState) -> tuple[str, ...]:
    """All texts that are the reading."""
    clock = state.instrument.scale.kind == "clock"
    return _spellings(state.text) if clock else (state.text,)


def _spellings(time: str) -> tuple[str, ...]:
    """A time as it may be written: with and without a 0 before the hour."""
    return (time,) if time.index(":") > 1 else (time, f"0{time}")
