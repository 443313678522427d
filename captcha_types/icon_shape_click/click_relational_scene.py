"""Solids on a floor; the one that stands in a certain relation to another is tapped.

Rule
    Tap the object that the panel describes by another one: what stands just left of it, just
    right, in front or behind; what has its colour or its shape; or what stands next to that.
Answer
    One tap on that object; where the panel has a button, a click on it.
Validity
    The question is followed through the scene: it starts from one object only, every step of
    it leads to one only, and so does the whole. Objects stand in rows and columns, a quarter
    of the way from one to the next off their line at most; colours keep their names in light
    and shade; outlines in the picture do not meet.
Source
    Spatial relations as in VenusBench-CAPTCHA, CAPTCHA-X, Halligan and Open CaptchaWorld. A
    tap counts in the outline of an object, grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from pydantic import Field as Knob

from captcha_types.icon_shape_click import _kit as kit
from captcha_types.icon_shape_click import _scenes as scenes
from captcha_types.icon_shape_click import _solids as solids
from captcha_types.icon_shape_click._solids import Question, Thing
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Choice, Label, Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.draw import solid
from factory.draw.figures import colours_at

SHOWN = (5, 10)
"""How many objects stand on the floor, at the easy and at the hard end."""

TILTS_DEG = (46.0, 54.0)
LIGHT_DEG, RISE_DEG = (100.0, 160.0), (48.0, 60.0)
APART_CSS = 1.0
"""Between the boxes around outlines, on one axis."""

LEAST_STEP = 34.0
"""Levels of the best channel between an object's middle and the ground beside it, decoded."""


class SolidState(scenes.TapState):
    """``things`` of the floor as seen by ``camera`` under ``light``; ``answer`` first."""

    question: Question
    answer: Thing
    others: tuple[Thing, ...]
    cell: solids.Cell
    camera: solid.Camera
    light: solid.Light

    @property
    def wanted(self) -> Sequence[Thing]:
        return (self.answer,)

    @property
    def rest(self) -> Sequence[Thing]:
        return self.others


class SolidOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    objects: int | None = Knob(default=None, ge=4, le=12)
    steps: int | None = Knob(default=None, ge=1, le=2)


@register("click_relational_scene", version=1, family="icon_shape_click")
class ClickRelationalScene(scenes.TapPuzzle[SolidState, SolidOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SolidState
    Options: ClassVar[type[Options]] = SolidOptions
    hull = staticmethod(solids.hull)
    ratio = (0.66, 0.78)

    def sample(self, scene: Scene) -> SolidState:
        rng, knob, hard = scene.rng, self.options, scene.difficulty
        slot, stream = scene.placement.boxes["slot"], rng.fresh("scene")
        steps = knob.steps or kit.stepped((1, 2), hard)
        kind = rng.fixed("type").choice(solids.TYPES[steps])
        side = rng.fixed("side").choice(solids.SIDES[steps]) if "beside" in kind else ""
        cell = rng.fixed("cell").choice(solids.cells_for(side))
        shown = knob.objects or kit.stepped(SHOWN, hard)
        question, looks = solids.cast(stream, kind, side, cell, shown)
        size = (slot.width, slot.height)
        camera = solids.camera_for(round(stream.uniform(*TILTS_DEG), 1), size)
        made = {
            at: solids.seen_as(camera, solids.body_at(stream, at, colour, shape))
            for at, (colour, shape) in looks.items()
        }
        light = solid.Light(
            round(stream.uniform(*LIGHT_DEG), 3), round(stream.uniform(*RISE_DEG), 3), 0.5
        )
        return SolidState(
            ground=scenes.flat_ground(scene, rng.fresh("ground")),
            size=size,
            question=question,
            answer=made.pop(cell),
            others=tuple(stream.shuffled([*made.values()])),
            cell=cell,
            camera=camera,
            light=light,
        )

    def is_right(self, state: SolidState, thing: Thing) -> bool:
        return any(thing is found for found in solids.answers(state.question, state.things))

    def check(self, state: SolidState) -> None:
        begun = solids.starts(state.question, state.things)
        if len(begun) != 1:
            raise Rejected("not one object to start from", value=len(begun), limit=1)
        found = solids.answers(state.question, state.things)
        if len(found) != 1:
            raise Rejected("not one answer", value=len(found), limit=1)
        self.check_lot(state, 1)
        for thing in state.things:
            if not thing.colour:
                raise Rejected("a colour without a name")
            if not state.area.holds(_around(thing)):
                raise Rejected("an object leaves the picture")
            if thing != solids.seen_as(state.camera, thing.body):
                raise Rejected("an outline is not where the camera sees it")
        for a, b in combinations(state.things, 2):
            if _around(a).grown(APART_CSS / 2).overlaps(_around(b).grown(APART_CSS / 2)):
                raise Rejected("objects too close")

    def paint(self, canvas: Any, state: SolidState) -> None:
        bodies = [thing.body for thing in state.things]
        solid.paint_shadows(canvas, solid.shadow_paths(state.camera, state.light, bodies))
        solid.paint_solids(canvas, state.camera, state.light, bodies)

    def names(self, state: SolidState, things: Sequence[Any], lang: str) -> Sequence[str]:
        return [
            Question("beside", "", thing.colour, thing.body.shape).words(lang) for thing in things
        ]

    def goal_slots(self, state: SolidState, lang: str) -> dict[str, str]:
        return {"what": state.question.words(lang)}

    def reason_slots(
        self, state: SolidState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", state.question.words(lang)),
            "rest": Slot("count", len(state.others)),
        }

    def margins(self, state: SolidState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [_step(seen, thing) for thing in state.things]
        return {"step of object and ground": (min(steps), LEAST_STEP)}

    def identity(self, state: SolidState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "asked": state.question.words("en"),
            "all": sorted([t.colour, t.body.shape, int(t.x), int(t.y)] for t in state.things),
        }

    def bad_states(self, state: SolidState) -> Iterator[tuple[str, SolidState]]:
        first, other = state.answer, state.others[0]
        start = solids.starts(state.question, state.others)[0]

        def moved(thing: Thing, x: float, y: float) -> Thing:
            return solids.seen_as(state.camera, replace(thing.body, at=(x, y, 0.0)))

        def changed(**more: Any) -> SolidState:
            return state.model_copy(update=more)

        twin = moved(start, start.body.at[0] + 4.0, start.body.at[1] + 9.0)
        yield "not one object to start from", changed(others=(*state.others, twin))
        yield (
            "not one answer",
            changed(others=(start,), answer=moved(first, 40.0, 40.0))
            if (state.question.side)
            else changed(others=(*state.others, moved(first, 8.0, 8.0))),
        )
        yield "targets and rule disagree", changed(answer=other, others=(first, *state.others[1:]))
        close = replace(state.camera, focus=4 * state.camera.focus)
        big = [solids.seen_as(close, thing.body) for thing in state.things]
        yield (
            "an object leaves the picture",
            changed(camera=close, answer=big[0], others=tuple(big[1:])),
        )
        yield "an outline is not where the camera sees it", changed(answer=replace(first, x=1.0))

    def labels(self, state: SolidState, scene: Scene) -> Mapping[str, Label]:
        question, cells = state.question, solids.cells_for(state.question.side)
        types, sides = solids.TYPES[question.steps], solids.SIDES[question.steps]
        found: dict[str, Label] = {
            f"type of {len(types)}": Choice(types.index(question.type), len(types)),
            f"cell {question.side}": Choice(cells.index(state.cell), len(cells)),
        }
        if question.side:
            found[f"side of {len(sides)}"] = Choice(sides.index(question.side), len(sides))
        return found


def _around(thing: Thing) -> Box:
    """The box around a thing's outline, CSS px."""
    xs, ys = [x for x, _ in thing.outline], [y for _, y in thing.outline]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _step(seen: Seen, thing: Thing) -> float:
    """Levels of the best channel between a thing's middle and what is beside its outline."""
    box = _around(thing)
    middle = np.array([[thing.x, thing.y]])
    beside = np.array([[box.x0 - 2.0, box.y0 + 2.0], [box.x1 + 2.0, box.y0 + 2.0]])
    return float(np.abs(colours_at(seen, beside) - colours_at(seen, middle)).max(axis=1).min())
