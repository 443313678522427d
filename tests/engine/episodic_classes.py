"""Test-only classes: a stepper, whose samples are episodes, and lamps that blink in frames."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import skia

from factory.core.geometry import Box
from factory.core.mechanics.points import Points
from factory.core.mechanics.stepper import Stepper
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import (
    Artwork,
    Choice,
    Content,
    Control,
    Options,
    PanelRequest,
    Part,
    PuzzleType,
    State,
    Wording,
)
from factory.core.record import Slot

LAMPS = 4
FRAMES = 4
POSITIONS = 6


class CountState(State):
    target: int
    number: int


class TestClass(PuzzleType[Any, Any]):
    """What the two share."""

    State: ClassVar[type[State]] = CountState
    Options: ClassVar[type[Options]] = Options
    family = "test_only"
    version = 1
    low, high = 0, LAMPS
    goal = "Do the thing"

    @classmethod
    def wording_of_class(cls) -> Wording:
        lines = {"seen": ("It is number {target}.",)}
        goals = {lang: (cls.goal,) for lang in ("en", "zh")}
        return Wording(goals, goals, {lang: lines for lang in goals}, {})

    @property
    def wording(self) -> Wording:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.wording_of_class()

    def contents(self, split):
        return [Content("plain", 1.0, 100_000)]

    def sample(self, scene):
        target = scene.rng.fixed("target").integer(self.low, self.high)
        return CountState(target=target, number=scene.content_number)

    def check(self, state): ...

    def reason_slots(self, state, mechanic, gold, lang):
        return {"target": Slot("count", state.target)}

    def margins(self, state, seen):
        return {}

    def identity(self, state):
        return {"target": state.target, "number": state.number}

    def wrong_responses(self, state, mechanic, rng):
        return []

    def bad_states(self, state):
        return iter(())

    def solutions(self, state, mechanic):
        return [state.target]

    def labels(self, state, scene):
        return {"target": Choice(state.target - self.low, self.high - self.low)}


class ArrowCount(TestClass):
    """Step to the page whose bar is as long as the slot."""

    id = "arrow_count"
    mechanics = ("stepper",)
    answer_kind = "stepper"
    single_shot = False
    images = POSITIONS
    low, high = 1, POSITIONS
    goal = "Step with the arrows until the bar is red"

    @classmethod
    def panel(cls):
        return PanelRequest(
            frame="rect", ratio=(0.5, 0.6), controls=(Control("stepper"),), submit="always"
        )

    def draw(self, state, placement):
        slot = placement.boxes["slot"]

        def page(index: int) -> tuple[Part, ...]:
            colour = 0xFFCC2222 if index == state.target else 0xFF2244AA
            bar = Box(slot.x0, slot.y0, slot.x0 + slot.width * (index + 1) / POSITIONS, slot.y1)
            return (Part("bar", slot, lambda canvas: fill(canvas, bar, colour)),)

        ground = Part("ground", slot, lambda canvas: fill(canvas, slot, 0xFFE8E8EE))
        pages = tuple(page(index) for index in range(POSITIONS))
        return Artwork(parts=(ground,), regions={"picture": slot}, pages=pages)

    def mechanic(self, state, placement):
        boxes = placement.boxes
        return Stepper.of(
            next=boxes["next"], prev=boxes["prev"], count=POSITIONS, targets=(state.target,),
            wrap=False, submit=placement.submit,
        )  # fmt: skip


class BlinkingLamp(TestClass):
    """Click the lamp that lights up in one of the frames."""

    id = "blinking_lamp"
    mechanics = ("points",)
    answer_kind = "point"
    images = FRAMES
    lit_in = 2
    goal = "Click the lamp that lights up"

    @classmethod
    def panel(cls):
        return PanelRequest(frame="rect", ratio=(0.5, 0.6))

    def lamps(self, slot: Box) -> list[Box]:
        wide = slot.width / LAMPS
        return [
            Box.sized(slot.x0 + wide * k, slot.y0 + 20, wide, wide).grown(-8) for k in range(LAMPS)
        ]

    def draw(self, state, placement):
        slot = placement.boxes["slot"]
        lamps = self.lamps(slot)

        def frame(number: int) -> tuple[Part, ...]:
            def paint(canvas: Any) -> None:
                fill(canvas, slot, 0xFF202428)
                for index, lamp in enumerate(lamps):
                    lit = index == state.target and number == self.lit_in
                    fill(canvas, lamp, 0xFFFFDD44 if lit else 0xFF555B66)

            return (Part("lamps", slot, paint),)

        regions = {"picture": slot} | {f"lamp.{k}": lamp for k, lamp in enumerate(lamps)}
        return Artwork(
            parts=(), regions=regions, frames=tuple(frame(number) for number in range(FRAMES))
        )

    def mechanic(self, state, placement):
        slot = placement.boxes["slot"]
        zones = [Zone.of_box(lamp) for lamp in self.lamps(slot)]
        others = tuple(zone for index, zone in enumerate(zones) if index != state.target)
        return Points(targets=(zones[state.target],), area=slot, others=others)


class LampOnStrip(BlinkingLamp):
    """The same lamps, every second time in frames and else on one picture, one row a frame."""

    id = "lamp_on_strip"

    def forms(self):
        return (FRAMES, 1)

    def sample(self, scene):
        state = super().sample(scene)
        return state.model_copy(update={"number": scene.pictures})

    def draw(self, state, placement):
        art = super().draw(state, placement)
        if state.number > 1:
            return art
        rows = tuple(part for frame in art.frames for part in frame)
        return replace(art, parts=rows, frames=())


def fill(canvas: Any, box: Box, colour: int) -> None:
    paint = skia.Paint(AntiAlias=True, Color=colour)
    canvas.drawRect(skia.Rect.MakeLTRB(box.x0, box.y0, box.x1, box.y1), paint)
