"""Dice on a table, whose upper faces are to be added up.

Rule
    Add up the numbers on the upper faces of all dice and type the total. Faces at the
    sides do not count.
Answer
    A click on the field and the total as a whole number; where the panel has a button, a
    click on it.
Validity
    The camera looks down so steeply that the upper face of a die is the largest that is
    seen of it. No die hides any of another's upper face, for dice stand apart and are of
    nearly one height. Sides are darker than the upper face, and its marks stand out from
    it, measured on the decoded picture.
Source
    Dice to be added up as in Open CaptchaWorld (Dice_Count) and CaptchaBench (dice_count);
    compared as whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.count_read import _dice as kit
from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.mechanics.zones import Zone
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
from factory.draw import grounds, solid
from factory.draw.measure import pixel_fidelity
from factory.draw.solid.dress import Dress, choose_dress
from factory.draw.solid.measure import mark_step

DICE = (2, 7)
LEAST_SIDE_PX = 30.0
"""Side of the smallest die, CSS px: its pips are then six px wide."""

LEAST_GAP = 0.04
"""Between the circles around two dice, by the side of a die."""

TALLER = 0.12
"""By how much two dice may differ in height: less than hides a face across the least gap."""

LEAST_SHADE = 0.1
"""By how much of its colour a side is darker than the upper face."""

LEAST_STEP = 34.0
"""Levels of grey between marks and their face, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the marks beyond this."""


class DiceState(State):
    """Dice in the world of ``camera``, whose px are CSS px from the picture's corner."""

    total: int
    values: tuple[int, ...]
    """What is on top of each die."""
    dice: tuple[solid.Cube, ...]
    dress: tuple[Dress, ...]
    camera: solid.Camera
    light: solid.Light
    ground: grounds.Ground
    size: tuple[float, float]


class DiceOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    dice: int | None = Knob(default=None, ge=DICE[0], le=DICE[1])
    gap: float | None = Knob(default=None, ge=LEAST_GAP, le=0.6)
    tilt_deg: float | None = Knob(default=None, ge=50.0, le=70.0)
    mix: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("count_dice_sum", version=1, family="count_read")
class CountDiceSum(PuzzleType[DiceState, DiceOptions]):
    """See the module."""

    State: ClassVar[type[State]] = DiceState
    Options: ClassVar[type[Options]] = DiceOptions
    mechanics = ("text_entry",)
    answer_kind = "click_type"
    seen_in_grey = True
    seen_side = 150

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.60, 0.72),
            width=(244, 300),
            controls=(Control("field"),),
            submit="either",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def count(self, difficulty: float) -> int:
        """How many dice lie on the table."""
        low, high = DICE
        return self.options.dice or low + min(high - low, int(difficulty * (high - low + 1)))

    def sample(self, scene: Scene) -> DiceState:
        rng, slot, knob, hard = (
            scene.rng, scene.placement.boxes["slot"], self.options, scene.difficulty,
        )  # fmt: skip
        count = self.count(hard)
        total = rng.fixed("total").integer(count, 6 * count + 1)
        values = kit.values_of_total(rng.fixed("values"), count, total)
        dress = choose_dress(
            rng.fresh("dress"), count, scene.split,
            unrest=hard if knob.mix is None else knob.mix, kinds=("pips", "numerals"),
        )  # fmt: skip
        tilt = 66.0 - 13.0 * hard if knob.tilt_deg is None else knob.tilt_deg
        gap = 0.34 - 0.28 * hard if knob.gap is None else knob.gap
        table = kit.set_table(
            rng.fresh("table"), Box(0, 0, slot.width, slot.height), count, tilt, gap, hard
        )
        poses = rng.fresh("poses")
        dice = tuple(
            replace(die, pose=kit.pose_of(poses, d, value), colour=d.body)
            for die, d, value in zip(table.dice, dress, values, strict=True)
        )
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        return DiceState(
            total=total,
            values=tuple(values),
            dice=dice,
            dress=dress,
            camera=table.camera,
            light=table.light,
            ground=ground,
            size=(slot.width, slot.height),
        )

    def check(self, state: DiceState) -> None:
        room = Box(0, 0, *state.size).grown(-1)
        values = kit.upper_values(state.dice, state.dress)
        if list(state.values) != values or sum(values) != state.total:
            raise Rejected("total and dice disagree", value=sum(values), limit=state.total)
        kit.refuse_hidden_tops(state.dice, LEAST_GAP, TALLER)
        for die in state.dice:
            if not all(room.contains(p) for p in solid.cube_outline(state.camera, die)):
                raise Rejected("a die leaves the picture")
            px = state.camera.scale_at(die.middle) * die.side
            if px < LEAST_SIDE_PX:
                raise Rejected("a die too small to read", value=px, limit=LEAST_SIDE_PX)
            kit.refuse_doubtful_top(state.camera, state.light, die, LEAST_SHADE)

    def draw(self, state: DiceState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, Box(0, 0, *state.size))
            shadows = solid.cube_shadows(state.camera, state.light, state.dice)
            solid.paint_shadows(canvas, shadows)
            art = [dress.art for dress in state.dress]
            solid.paint_cubes(canvas, state.camera, state.light, state.dice, art)

        regions: dict[str, Box | Zone] = {"picture": slot}
        for index, die in enumerate(state.dice):
            top = solid.facing(die.pose, (0.0, 0.0, 1.0))
            zone = die.face_zone(state.camera, top)
            regions[f"top.{index}"] = Zone(
                tuple(Point(round(x + slot.x0, 6), round(y + slot.y0, 6)) for x, y in zone)
            )
        return Artwork(parts=(Part("table", slot, paint),), regions=regions)

    def mechanic(self, state: DiceState, placement: Placement) -> AnyMechanic:
        field = Field(placement.boxes["field"], (str(state.total),), kind="number")
        return TextEntry(fields=(field,), submit=placement.submit)

    def reason_slots(
        self, state: DiceState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        click = gold[0]
        assert isinstance(click, Click)
        order = sorted(range(len(state.dice)), key=lambda k: state.camera.seen(state.dice[k].at)[0])
        read = [str(state.values[k]) for k in order]
        return {
            "count": Slot("count", len(read)),
            "listed": Slot("name", (", " if lang == "en" else "、").join(read)),
            "added": Slot("name", " + ".join(read)),
            "total": Slot("count", state.total),
            "field": Slot("point", list(click.point)),
        }

    def margins(self, state: DiceState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        tops = [
            die.face_zone(state.camera, solid.facing(die.pose, kit.UPWARDS)) for die in state.dice
        ]
        steps = [mark_step(seen, top) for top in tops]
        return {
            "step of marks and face": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: DiceState) -> Json:
        return {
            "ground": state.ground.seed,
            "dice": [
                [die.pose, int(die.spin_deg // 15), dress.marks]
                for die, dress in zip(state.dice, state.dress, strict=True)
            ],
        }

    def wrong_responses(
        self, state: DiceState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        values = state.values
        seen = [dress.values[face] for die, dress in zip(state.dice, state.dress, strict=True)
                for face in die.shown(state.camera)]  # fmt: skip
        totals = {
            "one more": state.total + 1,
            "one less": state.total - 1,
            "a die left out": state.total - rng.fresh("wrong").choice(values),
            "a die counted twice": state.total + rng.fresh("twice").choice(values),
            "every face that is seen": sum(seen),
            "the lower faces": 7 * len(values) - state.total,
        }
        field = Click(mechanic.fields[0].box.center)
        confirm = [] if mechanic.submit is None else [Click(mechanic.submit.center)]
        return [
            WrongResponse(name, (field, Type(str(total)), *confirm))
            for name, total in totals.items()
            if total != state.total
        ]

    def bad_states(self, state: DiceState) -> Iterator[tuple[str, DiceState]]:
        def changed(**more: Any) -> DiceState:
            return state.model_copy(update=more)

        first, second, *rest = state.dice
        yield "total and dice disagree", changed(total=state.total + 1)
        yield "a die leaves the picture", changed(size=(state.size[0] / 3, state.size[1]))
        far = replace(state.camera, focus=state.camera.focus / 3)
        yield "a die too small to read", changed(camera=far)
        near = replace(second, at=(first.at[0] + 0.9 * first.side, first.at[1], 0.0))
        yield "dice too near each other", changed(dice=(first, near, *rest))
        low = replace(first, side=second.side - 1.2 * TALLER)
        yield "a die stands out above another", changed(dice=(low, second, *rest))
        yield "sides as light as the top", changed(light=solid.Light(-80.0, 18.0))
        yield "the top is not the largest face", changed(camera=kit.lowered(state.camera))

    def solutions(self, state: DiceState, mechanic: AnyMechanic) -> list[str]:
        """The total over the face of each die that has the highest middle."""
        total = 0
        for die, dress in zip(state.dice, state.dress, strict=True):
            heights = [die.square(face)[0][2] for face in range(6)]
            total += dress.values[heights.index(max(heights))]
        return [str(total)]

    def labels(self, state: DiceState, scene: Scene) -> Mapping[str, Label]:
        count = len(state.dice)
        return {f"total of {count} dice": Choice(state.total - count, 5 * count + 1)}
