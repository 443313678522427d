"""Plain figures of several kinds, colours, fills and sizes, of which those described are tapped.

Rule
    Tap every figure that is what the panel says: of a kind, a colour, solid or hollow, large
    or small, or several of these at once. All others agree in some of it, not in all.
Answer
    One tap on each such figure, in any order; where the panel has a button, a click on it.
Validity
    Each attribute is re-read from the figures. Kinds cannot be taken for one another; colours
    have names that nobody disputes and are told apart at a glance, and read on the ground at
    a contrast of 3; where sizes count there are two of them, one 1.5 times the other; lines
    of hollow figures are 2.2 CSS px wide or more. Figures keep apart.
Source
    Geometric shapes and hollow patterns of MCA-Bench, Geometry_Click of Open CaptchaWorld,
    visual reasoning of VenusBench-CAPTCHA. A tap counts in the filled outline of a figure,
    grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.icon_shape_click import _kit as kit
from captcha_types.icon_shape_click import _profiles as profiles
from captcha_types.icon_shape_click import _scenes as scenes
from captcha_types.icon_shape_click._profiles import Profile
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Choice, Label, Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw import figures
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.colour_names import TELL_APART, colour_name, distance
from factory.draw.figures import Figure

SHOWN = (6, 11)
"""How many figures stand in a picture, at the easy and at the hard end."""

SHARE = 3
"""One in this many figures, at most, is to be tapped."""

MOST_SIZE_CSS = 52.0
LEAST_SIZE_CSS = 15.0
"""Of small ones: a star of 15 CSS px still has five points."""

STRAYS = {"large": (0.95, 1.0), "small": (0.57, 0.6), "": (0.74, 1.0)}
"""Sizes by the largest: tiers where sizes count, anything from the last where they do not."""

LEAST_TIER_RATIO = 1.5
GAP = 0.14
"""Between figures, by the largest size."""

STROKES = (0.1, 0.13)
CLUTTER, CLUTTER_CSS = (0.0, 0.4), 1.0
LEAST_STEP = 34.0
"""Levels of the best channel between ink and ground, after decoding."""


class ShapeState(scenes.TapState):
    """``asked`` has empty strings for what does not count."""

    asked: Profile
    targets: tuple[Figure, ...]
    others: tuple[Figure, ...]
    largest: float
    shadow: bool
    clutter: Clutter

    @property
    def wanted(self) -> Sequence[Figure]:
        return self.targets

    @property
    def rest(self) -> Sequence[Figure]:
        return self.others


class ShapeOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    figures: int | None = Knob(default=None, ge=4, le=14)
    attributes: int | None = Knob(default=None, ge=1, le=3)
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_shape_attribute", version=1, family="icon_shape_click")
class ClickShapeAttribute(scenes.TapPuzzle[ShapeState, ShapeOptions]):
    """See the module."""

    State: ClassVar[type[State]] = ShapeState
    Options: ClassVar[type[Options]] = ShapeOptions
    hull = staticmethod(figures.hull)
    seen_side = 150

    def sample(self, scene: Scene) -> ShapeState:
        rng, knob, hard = scene.rng, self.options, scene.difficulty
        shown = knob.figures or kit.stepped(SHOWN, hard)
        count = 1 + rng.fixed("count").integer(0, shown // SHARE)
        order = rng.fixed("order").shuffled(range(shown))
        level = knob.attributes or kit.stepped((1, 3), hard)
        counted = rng.fixed("counted").choice(profiles.sets_of(level))
        ground = scenes.flat_ground(scene, rng.fresh("ground"))
        stream = rng.fresh("figures")
        kind = rng.fixed("kind").choice(profiles.KINDS)
        cast = profiles.choose_cast(stream, kind, ground.tone)
        asked, found = profiles.deal(stream, cast, counted, kind, shown, count)
        slot = scene.placement.boxes["slot"]
        area = Box(0, 0, slot.width, slot.height)
        size = figures.largest_size(area, shown, MOST_SIZE_CSS, GAP)
        spots = figures.places(stream.child("places"), area, size, shown, GAP)
        sized = "size" in counted
        made = [
            _figure(stream, profile, spots[rank], size, cast.colours, sized)
            for profile, rank in zip(found, order, strict=True)
        ]
        amount = kit.between(CLUTTER, hard) if knob.clutter is None else knob.clutter
        return ShapeState(
            ground=ground,
            size=(area.width, area.height),
            asked=asked,
            targets=tuple(made[:count]),
            others=tuple(made[count:]),
            largest=size,
            shadow=stream.chance(0.5),
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, amount, width=CLUTTER_CSS),
        )

    def profile(self, state: ShapeState, figure: Figure) -> Profile:
        """What a figure is, read off it."""
        large = figure.size > state.largest * STRAYS["small"][1] * 1.2
        return Profile(
            size="large" if large else "small",
            fill=figure.fill,
            colour=colour_name(figure.colour) or "",
            kind=figure.kind,
        )

    def is_right(self, state: ShapeState, thing: Figure) -> bool:
        return self.profile(state, thing).meets(state.asked)

    def check(self, state: ShapeState) -> None:
        self.check_lot(state, len(state.things) // SHARE)
        figures.refuse_figures(state.things, state.area, LEAST_SIZE_CSS, GAP * state.largest)
        for figure in state.things:
            if colour_name(figure.colour) is None:
                raise Rejected("a colour without a name")
            if not state.ground.tone.reads(figure.colour):
                raise Rejected("a figure does not stand out")
        for a, b in combinations(sorted({f.colour for f in state.things}), 2):
            if distance(a, b) < TELL_APART:
                raise Rejected("colours too near", value=distance(a, b), limit=TELL_APART)
        if state.asked.size:
            sizes = sorted(figure.size for figure in state.things)
            ratio = max(b / a for a, b in pairwise(sizes))
            if ratio < LEAST_TIER_RATIO:
                raise Rejected("sizes too near", value=ratio, limit=LEAST_TIER_RATIO)

    def paint(self, canvas: Any, state: ShapeState) -> None:
        draw_clutter(canvas, state.clutter, state.area)
        figures.paint_figures(canvas, state.things, shadow=state.shadow)

    def names(self, state: ShapeState, things: Sequence[Any], lang: str) -> Sequence[str]:
        whole = [self.profile(state, figure) for figure in things]
        if not state.asked.size:
            whole = [replace(profile, size="") for profile in whole]
        return [profile.called(lang) for profile in whole]

    def goal_slots(self, state: ShapeState, lang: str) -> dict[str, str]:
        return {"what": state.asked.called(lang)}

    def reason_slots(
        self, state: ShapeState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", state.asked.called(lang)),
            "count": Slot("count", len(state.targets)),
            "rest": Slot("count", len(state.others)),
        }

    def margins(self, state: ShapeState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [figures.ink_step(seen, figure) for figure in state.things]
        return {"step of figure and ground": (min(steps), LEAST_STEP)}

    def identity(self, state: ShapeState) -> Json:
        return {
            **scenes.lot_of(state),
            "asked": state.asked.called("en"),
            "all": [[f.kind, f.fill, *spot] for f, spot in
                    zip(state.things, scenes.binned(state.things), strict=True)],
        }  # fmt: skip

    def bad_states(self, state: ShapeState) -> Iterator[tuple[str, ShapeState]]:
        first, *rest = state.targets
        other = state.others[0]

        def changed(figure: Figure, **more: Any) -> ShapeState:
            return state.model_copy(update={"targets": (figure, *rest), **more})

        yield (
            "targets and rule disagree",
            state.model_copy(update={"targets": (first, *rest, other)}),
        )
        yield "figures too close", changed(replace(first, x=other.x, y=other.y))
        yield "a figure leaves the picture", changed(replace(first, x=0.0))
        if not state.asked.fill:
            yield "lines too thin", changed(replace(first, stroke=1.0))
        if not state.asked.colour:
            pale = "#ffffff" if state.ground.mood == "light" else "#000000"
            yield "a figure does not stand out", changed(replace(first, colour=pale))
            yield "a colour without a name", changed(replace(first, colour="#b08a90"))

    def labels(self, state: ShapeState, scene: Scene) -> Mapping[str, Label]:
        level = profiles.sets_of(len(profiles.counted(state.asked)))
        found = self.lot_labels(state, len(state.things) // SHARE)
        found[f"attributes of {len(level)}"] = Choice(
            level.index(profiles.counted(state.asked)), len(level)
        )
        if state.asked.kind:
            found["kind"] = Choice(profiles.KINDS.index(state.asked.kind), len(profiles.KINDS))
        return found


def _figure(
    stream: Stream,
    profile: Profile,
    at: Point,
    largest: float,
    colours: Mapping[str, str],
    sized: bool,
) -> Figure:
    """A figure of a profile at a place; sizes that do not count are free."""
    size = round(largest * stream.uniform(*STRAYS[profile.size if sized else ""]), 3)
    stroke = 0.0
    if profile.fill == "hollow":
        stroke = round(max(figures.LEAST_STROKE_CSS, size * stream.uniform(*STROKES)), 3)
    turn = figures.turned(stream, profile.kind)
    return Figure(profile.kind, at.x, at.y, size, turn, colours[profile.colour], stroke)
