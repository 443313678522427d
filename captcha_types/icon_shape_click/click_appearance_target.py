"""Figures of many colours or shades: those of one colour are tapped, or the lightest or darkest.

Rule
    Tap what the panel says: every figure of a colour, every figure in the colour of a sample
    card above them, or the one figure that is the lightest or the darkest.
Answer
    One tap on each such figure, in any order; where the panel has a button, a click on it.
Validity
    Colours have names that nobody disputes and are told apart at a glance (CIEDE2000 of 20 or
    more); the lightest and the darkest differ from the next by 11 L* or more, in one hue.
    All figures have the same rim, which keeps a contrast of 3 to the ground, so that no
    ground changes what is lighter. Differences are measured again on the decoded picture.
Source
    Colour and brightness puzzles of MCA-Bench, Geometry_Click of Open CaptchaWorld. A tap
    counts in the filled outline of a figure, grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from pydantic import Field as Knob

from captcha_types.icon_shape_click import _kit as kit
from captcha_types.icon_shape_click import _scenes as scenes
from captcha_types.icon_shape_click import _shades as shades
from captcha_types.icon_shape_click._shades import MODES, Mode
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Choice, Label, Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.draw import figures
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.colour_names import TELL_APART, ciede2000, colour_name, distance, lab
from factory.draw.figure_outlines import REACH
from factory.draw.figures import Figure

SHOWN = (6, 11)
SHARE = 3
"""One in this many figures, at most, is to be tapped."""

MOST_SIZE_CSS, LEAST_SIZE_CSS = 50.0, 18.0
SPREADS = (0.95, 0.72)
"""The smallest figure by the largest, at the easy and at the hard end."""

GAP = 0.2
RIM_CSS = 1.6
PALE, DEEP = "#ffffff", "#14161c"
STEPS = (20.0, 12.0)
"""L* between the lightest (or darkest) and the next, at the easy and at the hard end."""

CLUTTER, CLUTTER_CSS = (0.0, 0.4), 1.0
LEAST_SEEN = {"colour": 12.0, "lightness": 6.0}
"""CIEDE2000 and L* after decoding: little over half of what was drawn."""

PATCH_CSS = 3.0
"""Half the side of the patch in the middle of a figure where its colour is measured."""


class ShadeState(scenes.TapState):
    """``asked`` is a name, the sample's colour, or empty; ``kinds`` of figures are free."""

    mode: Mode
    asked: str
    targets: tuple[Figure, ...]
    others: tuple[Figure, ...]
    rim: str
    clutter: Clutter

    @property
    def wanted(self) -> Sequence[Figure]:
        return self.targets

    @property
    def rest(self) -> Sequence[Figure]:
        return self.others

    @property
    def room(self) -> Box:
        """What the sample card, if any, leaves for figures."""
        top = shades.CARD_CSS if self.mode == "sample" else 0.0
        return Box(0, top, *self.size)


class ShadeOptions(Options):
    """Each knob follows ``difficulty`` when it is not set; ``spread`` of sizes."""

    figures: int | None = Knob(default=None, ge=4, le=12)
    step: float | None = Knob(default=None, ge=STEPS[1], le=24.0)
    spread: float | None = Knob(default=None, ge=SPREADS[1], le=1.0)
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_appearance_target", version=1, family="icon_shape_click")
class ClickAppearanceTarget(scenes.TapPuzzle[ShadeState, ShadeOptions]):
    """See the module."""

    State: ClassVar[type[State]] = ShadeState
    Options: ClassVar[type[Options]] = ShadeOptions
    hull = staticmethod(figures.hull)
    seen_side = 120

    def sample(self, scene: Scene) -> ShadeState:
        rng, knob, hard = scene.rng, self.options, scene.difficulty
        slot, stream = scene.placement.boxes["slot"], rng.fresh("figures")
        mode = rng.fixed("mode").weighted(tuple(MODES), tuple(MODES.values()))
        shown = knob.figures or kit.stepped(SHOWN, hard)
        count = 1 + rng.fixed("count").integer(0, _most(mode, shown))
        order = rng.fixed("order").shuffled(range(shown))
        ground = scenes.flat_ground(scene, rng.fresh("ground"))
        amount = kit.between(CLUTTER, hard) if knob.clutter is None else knob.clutter
        bare = ShadeState(
            ground=ground,
            size=(slot.width, slot.height),
            mode=mode,
            asked="",
            targets=(),
            others=(),
            rim=DEEP if ground.mood == "light" else PALE,
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, amount, width=CLUTTER_CSS),
        )
        step = knob.step or kit.between(STEPS, hard)
        asked, colours = shades.choose_colours(stream, mode, shown, count, step)
        size = figures.largest_size(bare.room, shown, MOST_SIZE_CSS, GAP)
        spots = figures.places(stream.child("places"), bare.room, size, shown, GAP)
        least = knob.spread or kit.between(SPREADS, hard)
        kinds = shades.choose_kinds(stream, shown)
        made: list[Figure] = []
        for kind, colour, rank in zip(kinds, colours, order, strict=True):
            own = round(size * stream.uniform(least, 1.0), 3)
            at = spots[rank]
            made.append(Figure(kind, at.x, at.y, own, figures.turned(stream, kind), colour))
        found = {"targets": tuple(made[:count]), "others": tuple(made[count:])}
        return bare.model_copy(update={"asked": asked, **found})

    def is_right(self, state: ShadeState, thing: Figure) -> bool:
        if state.mode == "named":
            return colour_name(thing.colour) == state.asked
        if state.mode == "sample":
            return distance(thing.colour, state.asked) < TELL_APART / 2
        ranks = sorted(shades.lightness(figure.colour) for figure in state.things)
        return shades.lightness(thing.colour) == ranks[-1 if state.mode == "lightest" else 0]

    def check(self, state: ShadeState) -> None:
        self.check_lot(state, _most(state.mode, len(state.things)))
        figures.refuse_figures(state.things, state.room, LEAST_SIZE_CSS, 2 * RIM_CSS)
        if not state.ground.tone.reads(state.rim):
            raise Rejected("a figure does not stand out")
        first = state.targets[0].colour
        if state.mode in ("named", "sample"):
            far = min(distance(first, figure.colour) for figure in state.others)
            if far < TELL_APART:
                raise Rejected("colours too near", value=far, limit=TELL_APART)
            return
        step = min(abs(shades.lightness(first) - shades.lightness(f.colour)) for f in state.others)
        if step < shades.LEAST_STEP:
            raise Rejected("shades too near", value=step, limit=shades.LEAST_STEP)

    def paint(self, canvas: Any, state: ShadeState) -> None:
        draw_clutter(canvas, state.clutter, state.area)
        figures.paint_rimmed(canvas, state.things, state.rim, RIM_CSS)
        if state.mode == "sample":
            shades.paint_card(canvas, state.size[0], state.asked, state.ground.mood)

    def more_regions(self, state: ShadeState, slot: Box) -> dict[str, Box]:
        if state.mode != "sample":
            return {}
        return {"reference.0": shades.chip(state.size[0]).moved(slot.x0, slot.y0)}

    def names(self, state: ShadeState, things: Sequence[Any], lang: str) -> Sequence[str]:
        return [figures.called(figure, lang) for figure in things]

    def goal_slots(self, state: ShadeState, lang: str) -> dict[str, str]:
        return {"what": shades.what(state.mode, state.asked, lang)}

    def reason_slots(
        self, state: ShadeState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", shades.what(state.mode, state.asked, lang)),
            "rest": Slot("count", len(state.others)),
        }

    def margins(self, state: ShadeState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        colours = lab(np.array([_patch(seen, figure) for figure in state.things]))
        right, wrong = colours[: len(state.targets)], colours[len(state.targets) :]
        if state.mode in ("named", "sample"):
            far = float(ciede2000(right[:, None], wrong[None]).min())
            return {"colours apart": (far, LEAST_SEEN["colour"])}
        step = float(np.abs(right[0, 0] - wrong[:, 0]).min())
        return {"lightness apart": (step, LEAST_SEEN["lightness"])}

    def identity(self, state: ShadeState) -> Json:
        return {
            **scenes.lot_of(state),
            "mode": state.mode,
            "asked": state.asked,
            "all": scenes.binned(state.things),
        }

    def bad_states(self, state: ShadeState) -> Iterator[tuple[str, ShadeState]]:
        first, other, *more = state.targets[0], *state.others

        def changed(figure: Figure, **also: Any) -> ShadeState:
            return state.model_copy(update={"others": (figure, *more), **also})

        yield "targets and rule disagree", changed(replace(other, colour=first.colour))
        yield "figures too close", changed(replace(other, x=first.x, y=first.y))
        yield "a figure leaves the picture", changed(replace(other, x=REACH))
        yield "figure too small", changed(replace(other, size=LEAST_SIZE_CSS - 1))
        wrong = PALE if state.rim == DEEP else DEEP
        yield "a figure does not stand out", changed(other, rim=wrong)
        if state.mode in ("lightest", "darkest"):
            near = shades.nudged(first.colour, state.mode)
            yield "shades too near", changed(replace(other, colour=near))

    def labels(self, state: ShadeState, scene: Scene) -> Mapping[str, Label]:
        found = self.lot_labels(state, _most(state.mode, len(state.things)))
        found["mode"] = Choice([*MODES].index(state.mode), len(MODES), tuple(MODES.values()))
        return found


def _most(mode: Mode, shown: int) -> int:
    """How many of so many figures may be asked for."""
    return shown // SHARE if mode in ("named", "sample") else 1


def _patch(seen: Seen, figure: Figure) -> Any:
    """The mean colour in the middle of a figure, decoded, RGB."""
    middle = Box(figure.x, figure.y, figure.x, figure.y).grown(PATCH_CSS)
    x0, y0, x1, y1 = seen.box(middle).outer_pixels()
    return seen.decoded[y0:y1, x0:x1].reshape(-1, 3).mean(axis=0)[::-1]
