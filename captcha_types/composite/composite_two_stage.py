"""Two steps in one panel, of which the second opens when the first is done.

Rule
    Do what stands over the upper half; then the lower half opens. A step is to drag a knob
    into the ring on its track, to select every figure of the named colour, or to select
    figures by size in the order that is asked for.
Answer
    The actions of the first step, then those of the second. There is no button: a step is
    done with the action that solves it.
Validity
    Each step is valid by its own rule: the ring is within reach of the knob and never so near
    that the knob at rest would do; colours have names that nobody disputes; sizes that follow
    each other differ by a sixth or more. The steps are of two kinds, share no figure, and
    what the first lets pass does not move the second. Figures have a rim that stands out from
    the ground, which is measured for the first step on the decoded picture.
Source
    Ours: pages that ask for one thing after another. An episode, for the lower half may be
    hidden at first; slides within 6 CSS px, taps in the outlines. A wrong action is final,
    for without a button nothing resets the panel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.composite import _choose as lots
from captcha_types.composite import _halves as halves
from captcha_types.composite import _steps as steps
from captcha_types.composite._steps import OrderStep, PickStep, SlideStep
from factory.core.actions import ActionBase, Click, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.stage_checks import joined, split
from factory.core.mechanics.stages import Stages
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
from factory.draw import figures, grounds
from factory.draw.measure import pixel_fidelity

LEAST_INK = 12.0
"""Levels of the best channel between a figure and its rim, after decoding."""

FIDELITY_DB = 18.0
"""Encoding may not blur the picture beyond this."""


class StageState(State):
    """``hidden``: whether the lower half shows nothing but its head until it opens."""

    steps: tuple[SlideStep | PickStep | OrderStep, SlideStep | PickStep | OrderStep]
    hidden: bool
    ground: grounds.Ground
    rim: str
    size: tuple[float, float]
    lang: str

    @property
    def titles(self) -> list[str]:
        """What stands over the halves."""
        return [step.title(self.lang) for step in self.steps]

    def room(self, number: int) -> Box:
        """Where a step's content stands, CSS px from the slot's corner."""
        return halves.room(self.size, number)


class StageOptions(Options):
    """``hidden``: whether the second step is hidden at first, more often in harder puzzles."""

    hidden: bool | None = Knob(default=None)


@register("composite_two_stage", version=1, family="composite")
class CompositeTwoStage(PuzzleType[StageState, StageOptions]):
    """See the module."""

    State: ClassVar[type[State]] = StageState
    Options: ClassVar[type[Options]] = StageOptions
    mechanics = ("stages",)
    answer_kind = "sequence"
    single_shot = False
    images = lots.MOST_PICKED + lots.ORDERED[1]
    seen_side = 180

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="rect", ratio=(0.92, 1.0), width=(256, 300))

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> StageState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        size = (slot.width, slot.height)
        pair = rng.fixed("pair").choice(lots.PAIRS)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        hidden = rng.fresh("hidden").chance(0.25 + 0.5 * hard)
        made = [
            lots.choose_step(scene, number, kind, halves.room(size, number), hard)
            for number, kind in enumerate(pair)
        ]
        return StageState(
            steps=(made[0], made[1]),
            hidden=hidden if self.options.hidden is None else self.options.hidden,
            ground=ground,
            rim=halves.RIMS[ground.mood],
            size=size,
            lang=scene.placement.lang,
        )

    def check(self, state: StageState) -> None:
        first, second = state.steps
        if first.kind == second.kind:
            raise Rejected("two steps of one kind")
        for number, step in enumerate(state.steps):
            step.check(state.room(number))
        if not state.ground.tone.reads(state.rim):
            raise Rejected("figures do not stand out")

    def draw(self, state: StageState, placement: Placement) -> Artwork:
        slot, size = placement.boxes["slot"], state.size
        heads = [halves.head(title, size, k, placement) for k, title in enumerate(state.titles)]

        def ground(canvas: Any) -> None:
            grounds.draw_ground(canvas, state.ground, Box(0, 0, *size))
            halves.paint_divider(canvas, size, state.rim)

        def titles(canvas: Any) -> None:
            for number, (title, box) in enumerate(zip(state.titles, heads, strict=True)):
                halves.paint_head(canvas, title, box, number, placement)

        first, second = (
            halves.step_parts(step, number, size, state.rim, placement)
            for number, step in enumerate(state.steps)
        )
        head = Part("heads", slot, halves.in_slot(slot, titles))
        closed = halves.veil_part(1, size, placement, done=False)
        done = halves.veil_part(0, size, placement, done=True)
        before = first if state.hidden else [*first, *second]
        regions: dict[str, Box | Zone] = {"picture": slot}
        for number, step in enumerate(state.steps):
            regions[f"head.{number}"] = heads[number].moved(slot.x0, slot.y0)
            regions |= {f"thing{number}.{k}": box for k, box in steps.spots(step, slot).items()}
            if isinstance(step, SlideStep):
                area = state.room(number)
                regions[f"track.{number}"] = step.track(area).moved(slot.x0, slot.y0)
                regions[f"handle.{number}"] = step.knob(area).moved(slot.x0, slot.y0)
        return Artwork(
            parts=(Part("ground", slot, halves.in_slot(slot, ground)),),
            regions=regions,
            pages=((*before, closed, head), (*first, *second, done, head)),
        )

    def mechanic(self, state: StageState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Stages(
            stages=tuple(
                step.mechanic(state.room(number), slot) for number, step in enumerate(state.steps)
            )
        )

    def reason_slots(
        self, state: StageState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {"count": Slot("count", len(state.steps))}

    def explain(
        self, state: StageState, mechanic: AnyMechanic, gold: Sequence[ActionBase], rng: Rng,
        lang: str,
    ) -> tuple[ReasonStep, ...]:  # fmt: skip
        """That there are two steps; then for each what it asks and what is done, in order."""
        assert isinstance(mechanic, Stages)
        blocks, stream = self.wording.reasoning[lang], rng.fresh("reasoning")
        count = {"count": Slot("count", len(state.steps))}
        said = [ReasonStep(stream.choice(blocks["seen"]), count)]
        for number, (step, own) in enumerate(zip(state.steps, split(mechanic, gold), strict=True)):
            meant = {
                "number": Slot("count", number + 1),
                "meant": Slot("name", step.meant(lang)),
            }
            said.append(ReasonStep(stream.choice(blocks["asks"]), meant))
            said += [_done(action, blocks, stream.choice) for action in own]
        return tuple(said)

    def margins(self, state: StageState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        found = {"fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB)}
        first = state.steps[0]
        if not isinstance(first, SlideStep):
            least = min(figures.ink_step(seen, thing) for thing in first.things)
            found["step of figure and rim"] = (least, LEAST_INK)
        return found

    def identity(self, state: StageState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "steps": [[step.kind, step.facts()] for step in state.steps],
        }

    def wrong_responses(
        self, state: StageState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Stages)
        golds = [part.gold(rng.fresh(f"wrong {k}")) for k, part in enumerate(mechanic.parts)]
        found = [
            WrongResponse("the second step alone", tuple(golds[1])),
            WrongResponse("the first step alone", tuple(golds[0])),
            WrongResponse("the steps exchanged", tuple(joined(golds[::-1]))),
        ]
        for number, own in enumerate(golds):
            off = [*golds[:number], _missed(own), *golds[number + 1 :]]
            found.append(WrongResponse(f"step {number + 1} missed", tuple(joined(off))))
        return found

    def bad_states(self, state: StageState) -> Iterator[tuple[str, StageState]]:
        first, second = state.steps

        def changed(**more: Any) -> StageState:
            return state.model_copy(update=more)

        yield "two steps of one kind", changed(steps=(first, first))
        yield first.spoilt_by, changed(steps=(first.spoilt(), second))
        yield second.spoilt_by, changed(steps=(first, second.spoilt()))
        odd = next(rim for rim in halves.RIMS.values() if rim != state.rim)
        yield "figures do not stand out", changed(rim=odd)

    def solutions(self, state: StageState, mechanic: AnyMechanic) -> list[tuple[Any, ...]]:
        """What the drawing of each step asks for."""
        return [tuple(step.answer(state.room(k)) for k, step in enumerate(state.steps))]

    def labels(self, state: StageState, scene: Scene) -> Mapping[str, Label]:
        pair = tuple(step.kind for step in state.steps)
        found: dict[str, Label] = {"pair": Choice(lots.PAIRS.index(pair), len(lots.PAIRS))}
        for number, step in enumerate(state.steps):
            found |= {f"{step.kind} {number}: {k}": label for k, label in step.labels().items()}
        return found


def _done(action: ActionBase, blocks: Mapping[str, Sequence[str]], choose: Any) -> ReasonStep:
    """A sentence about an action."""
    if isinstance(action, Drag):
        ends = {"start": Slot("point", list(action.start)), "end": Slot("point", list(action.end))}
        return ReasonStep(choose(blocks["drag"]), ends)
    assert isinstance(action, Click)
    return ReasonStep(choose(blocks["tap"]), {"at": Slot("point", list(action.point))})


def _missed(own: Sequence[ActionBase]) -> list[ActionBase]:
    """A step's gold with its last action gone astray."""
    *before, last = own
    if isinstance(last, Drag):
        (x, y), end = last.start, last.end
        return [*before, Drag(last.start, Point(x + 0.6 * (end[0] - x), y))]
    assert isinstance(last, Click)
    return [*before, Click(Point(last.point[0], last.point[1] - 400.0))]
