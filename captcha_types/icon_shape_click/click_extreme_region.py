"""A picture cut into areas, or islands in it, of which one is the largest or the smallest.

Rule
    Tap the area that the panel asks for: the largest, the smallest or the second largest.
Answer
    One tap inside that area; where the panel has a button, a click on it.
Validity
    Areas are re-measured from their outlines. The one that is asked for exceeds the next (or
    is below it) by a quarter or more, and by more at lower difficulties; so does the largest
    the second largest where that is asked for. Every area is outlined at a contrast of 3 to
    what it encloses and to the ground, holds a disc of 12 CSS px, and lies in the picture.
Source
    Largest-region puzzles as Pick_Area of Open CaptchaWorld. A tap counts inside the outline,
    2 CSS px or more from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.icon_shape_click import _cuts as cuts
from captcha_types.icon_shape_click import _kit as kit
from captcha_types.icon_shape_click import _regions as shapes
from captcha_types.icon_shape_click import _scenes as scenes
from captcha_types.icon_shape_click._regions import Region
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Choice, Label, Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw.tones import LARGE_GLYPHS

Ask = Literal["largest", "smallest", "second"]
ASKS: Mapping[Ask, float] = {"largest": 0.4, "smallest": 0.35, "second": 0.25}
WORDS: Mapping[Ask, tuple[str, str]] = {
    "largest": ("largest", "最大"),
    "smallest": ("smallest", "最小"),
    "second": ("second largest", "第二大"),
}

Form = Literal["shards", "rooms", "islands"]
FORMS: tuple[Form, ...] = ("shards", "rooms", "islands")
COUNTS: Mapping[Form, tuple[int, int]] = {"shards": (4, 8), "rooms": (4, 8), "islands": (3, 5)}

RATIOS = (1.6, 1.27)
"""By how much an area exceeds the next, where that decides, at the easy and the hard end."""

LEAST_RATIO = 1.25
SPREADS: Mapping[Form, float] = {"shards": 2.0, "rooms": 2.0, "islands": 1.2}
"""The areas that do not decide differ by this factor at most."""

LEAST_DISC_CSS = 12.0
INSIDE_CSS = -2.0
"""Taps keep this far inside, so that no one has to say whose a line is."""

OPACITIES = (0.92, 0.72)
"""Of the tints over the ground: what shows through is noise."""

PALE, DEEP = "#ffffff", "#14161c"
LINES_CSS = (2.0, 3.2)
INSET_CSS = 5.0

LEAST_STEP = 34.0
"""Levels between outline and area after decoding: a contrast of 3 is 60 and more, of which a
line of 2 px loses up to half in a picture of a third of its size."""

LEVELS = {DEEP: (0.25, 0.8), PALE: (0.02, 0.2)}
"""Luminances of tints, by the line on them."""


class RegionState(scenes.TapState):
    """``answer`` is the place in ``regions``, which are in the order of their making."""

    ask: Ask
    form: Form
    regions: tuple[Region, ...]
    answer: int
    opacity: float
    line: str
    width: float

    @property
    def wanted(self) -> Sequence[Region]:
        return (self.regions[self.answer],)

    @property
    def rest(self) -> Sequence[Region]:
        return (*self.regions[: self.answer], *self.regions[self.answer + 1 :])


class RegionOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    regions: int | None = Knob(default=None, ge=3, le=9)
    ratio: float | None = Knob(default=None, ge=LEAST_RATIO + 0.02, le=2.0)
    opacity: float | None = Knob(default=None, ge=OPACITIES[1], le=1.0)


@register("click_extreme_region", version=1, family="icon_shape_click")
class ClickExtremeRegion(scenes.TapPuzzle[RegionState, RegionOptions]):
    """See the module."""

    State: ClassVar[type[State]] = RegionState
    Options: ClassVar[type[Options]] = RegionOptions
    hull = staticmethod(shapes.hull)
    grow_css = INSIDE_CSS
    ratio = (0.68, 0.8)
    seen_side = 150

    def sample(self, scene: Scene) -> RegionState:
        rng, slot, knob = scene.rng, scene.placement.boxes["slot"], self.options
        ask = rng.fixed("ask").weighted(tuple(ASKS), tuple(ASKS.values()))
        form = rng.fixed("form").choice(FORMS)
        count = knob.regions or kit.stepped(COUNTS[form], scene.difficulty)
        answer = rng.fixed("answer").integer(0, count)
        ratio = knob.ratio or kit.between(RATIOS, scene.difficulty)
        opacity = knob.opacity or kit.between(OPACITIES, scene.difficulty)
        ground = scenes.flat_ground(scene, rng.fresh("ground"))
        stream = rng.fresh("regions")
        weights = _weights(stream, ask, count, answer, ratio, SPREADS[form])
        bare = RegionState(
            ground=ground,
            size=(slot.width, slot.height),
            ask=ask,
            form=form,
            regions=(),
            answer=answer,
            opacity=opacity,
            line=DEEP if ground.mood == "light" else PALE,
            width=round(stream.uniform(*LINES_CSS), 3),
        )
        if form == "islands":
            found = cuts.islands(stream, bare.area, weights)
        else:
            found = shapes.cut_roomy(
                stream, bare.area, weights, LEAST_DISC_CSS, upright=form == "rooms"
            )
        tints = shapes.choose_tints(
            rng.fresh("tints"),
            count,
            LEVELS[bare.line],
            lambda tint: shapes.under(tint, ground, opacity).reads(bare.line, LARGE_GLYPHS),
        )
        regions = tuple(Region(c, t) for c, t in zip(found, tints, strict=True))
        return bare.model_copy(update={"regions": regions})

    def is_right(self, state: RegionState, thing: Region) -> bool:
        larger = sum(other.area > thing.area for other in state.regions)
        return larger == {"largest": 0, "second": 1, "smallest": len(state.regions) - 1}[state.ask]

    def check(self, state: RegionState) -> None:
        self.check_lot(state, 1)
        ratio = _deciding(state)
        if ratio < LEAST_RATIO:
            raise Rejected("sizes too near", value=ratio, limit=LEAST_RATIO)
        for region in state.regions:
            shapes.refuse_region(region, state.area, LEAST_DISC_CSS)
            tones = [shapes.under(region.colour, state.ground, state.opacity)]
            if state.form == "islands":
                tones.append(state.ground.tone)
            if not all(tone.reads(state.line, LARGE_GLYPHS) for tone in tones):
                raise Rejected("an outline does not stand out")

    def paint(self, canvas: Any, state: RegionState) -> None:
        shapes.paint_regions(canvas, state.regions, state.opacity, state.line, state.width)

    def names(self, state: RegionState, things: Sequence[Any], lang: str) -> Sequence[str]:
        return [WORDS[state.ask][lang == "zh"] for _ in things]

    def goal_slots(self, state: RegionState, lang: str) -> dict[str, str]:
        return {"which": WORDS[state.ask][lang == "zh"]}

    def reason_slots(
        self, state: RegionState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "which": Slot("name", WORDS[state.ask][lang == "zh"]),
            "count": Slot("count", len(state.regions)),
        }

    def margins(self, state: RegionState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [shapes.outline_step(seen, region, INSET_CSS) for region in state.regions]
        return {"step of outline and area": (min(steps), LEAST_STEP)}

    def identity(self, state: RegionState) -> Json:
        return {
            **scenes.lot_of(state),
            "ask": state.ask,
            "form": state.form,
            "all": scenes.binned(state.regions),
        }

    def bad_states(self, state: RegionState) -> Iterator[tuple[str, RegionState]]:
        def changed(region: Region, **more: Any) -> RegionState:
            own = (*state.regions[: state.answer], region, *state.regions[state.answer + 1 :])
            return state.model_copy(update={"regions": own, **more})

        first = state.wanted[0]
        other = (state.answer + 1) % len(state.regions)
        yield "targets and rule disagree", state.model_copy(update={"answer": other})
        yield "sizes too near", changed(_scaled(first, state))
        line = state.line
        yield "an outline does not stand out", changed(replace(first, colour=line), opacity=1.0)
        far = tuple((x + 2 * state.size[0], y) for x, y in first.corners)
        yield "an area leaves the picture", changed(replace(first, corners=far))

    def labels(self, state: RegionState, scene: Scene) -> Mapping[str, Label]:
        count = len(state.regions)
        return {
            "ask": Choice([*ASKS].index(state.ask), len(ASKS), tuple(ASKS.values())),
            f"place of {count} {state.form}": Choice(state.answer, count),
        }


def _weights(
    stream: Stream, ask: Ask, count: int, answer: int, ratio: float, spread: float
) -> list[float]:
    """Areas by the one that is asked for, at its place; one of the others is as near as can be."""
    if ask == "smallest":
        rest = [ratio] + [ratio * stream.uniform(1.0, spread) for _ in range(count - 2)]
    else:
        rest = [1 / ratio] + [1 / ratio / stream.uniform(1.0, spread) for _ in range(count - 2)]
    if ask == "second":
        rest[-1] = ratio
    rest = stream.shuffled(rest)
    return [*rest[:answer], 1.0, *rest[answer:]]


def _deciding(state: RegionState) -> float:
    """The least ratio of two areas between which the answer is decided."""
    sizes = sorted((region.area for region in state.regions), reverse=True)
    at = {"largest": [0], "second": [0, 1], "smallest": [len(sizes) - 2]}[state.ask]
    return min(sizes[k] / sizes[k + 1] for k in at)


def _scaled(region: Region, state: RegionState) -> Region:
    """The region so near to the next in size that the ratio does not decide, at its place."""
    others = sorted((other.area for other in state.rest), reverse=True)
    aim = {"largest": 1.1 * others[0], "second": 1.1 * others[min(1, len(others) - 1)],
           "smallest": others[-1] / 1.1}[state.ask]  # fmt: skip
    by, (x, y) = (aim / region.area) ** 0.5, region.middle
    moved = tuple((x + by * (a - x), y + by * (b - y)) for a, b in region.corners)
    return replace(region, corners=moved)
