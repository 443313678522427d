"""Balls that move from frame to frame: click where the one that is named will be next.

Rule
    Click where the ball of the colour that the panel names will be in the frame after the last.
    It moves by one law: straight on, bouncing off the edges, around a circle, falling in an arc,
    or in two steps that take turns.
Answer
    One click within the ball's radius and 4 px (or 15 % of it) of its next place.
Validity
    Every law that explains the places seen says the same next place. It lies two radii or more
    inside the area and farther from the last place than a click may be off. A bounce is asked
    for only of a ball that has been seen to bounce.
Source
    The moving dot of NextGen-CAPTCHAs (Red_Dot) in a form that needs no clock; radius tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.temporal_frames import _dots as dots
from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _motions as motions
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.timed_point import Keyframe, TimedPoint
from factory.core.puzzle import (
    Artwork,
    Content,
    Label,
    Options,
    PanelRequest,
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
from factory.core.tapping import send
from factory.draw import grounds
from factory.draw.colour_names import called, named_palette
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tones import choose_ink

RADIUS_CSS = (15.0, 10.0)
"""Of balls, from easy to hard."""

STRIDE_CSS = (8.0, 16.0)
"""By how much steps are longer than a click may be off, from easy to hard."""

OTHERS = 2

LEAST_STEP = 40.0
"""Levels of grey between a ball and its ground, after decoding."""

FIDELITY_DB = 20.0


class DotOptions(kit.FrameOptions):
    """Each knob follows ``difficulty`` when it is not set."""

    radius: float | None = Knob(default=None, ge=RADIUS_CSS[1], le=RADIUS_CSS[0])
    others: int | None = Knob(default=None, ge=0, le=OTHERS)


@register("moving_target_click", version=1, family="temporal_frames")
class MovingTargetClick(PuzzleType[dots.DotState, DotOptions]):
    """See the module."""

    State: ClassVar[type[State]] = dots.DotState
    Options: ClassVar[type[Options]] = DotOptions
    mechanics = ("timed_point",)
    answer_kind = "point"
    images = 6
    seen_in_grey = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.84, 0.96), width=(264, 292), submit="either")

    def forms(self) -> tuple[int, ...]:
        return kit.forms(self.options)

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def radius(self, difficulty: float) -> float:
        """Of the balls, CSS px."""
        easy, hard = RADIUS_CSS
        return self.options.radius or round(easy + (hard - easy) * difficulty, 6)

    def sample(self, scene: Scene) -> dots.DotState:
        rng, hard = scene.rng, scene.difficulty
        frame, radius, dress = (
            kit.framing(self.options, scene),
            self.radius(hard),
            rng.fresh("dress"),
        )
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        area = dots.area_of(frame["form"], frame["frames"], frame["size"])
        state = dots.DotState(
            **frame, balls=(), radius=radius, area=area, ground=ground,
            line=choose_ink(dress, ground.tone, floor=3.0), film=dress.choice(kit.FILMS),
        )  # fmt: skip
        bounds, fixed = state.bounds, rng.fixed("place")
        place = (
            round(fixed.uniform(bounds.x0, bounds.x1), 6),
            round(fixed.uniform(bounds.y0, bounds.y1), 6),
        )
        least = dots.reach(radius) + STRIDE_CSS[0] + hard * (STRIDE_CSS[1] - STRIDE_CSS[0])
        stride = (least, 1.5 * least)
        others = self.options.others
        count = min(OTHERS, int(hard * (OTHERS + 1))) if others is None else others
        colours = named_palette(dress, 1 + count, ground.tone)
        balls = dots.moving(rng.fresh("motion"), state, place, stride, hard, colours)
        return state.model_copy(update={"balls": balls})

    def check(self, state: dots.DotState) -> None:
        ball, room = state.balls[0], state.room
        seen, place = ball.places[: state.frames], ball.places[state.frames]
        if ball.law not in motions.nexts(seen, room):
            raise Rejected("not the law of its places")
        far = motions.disagreement(seen, place, room)
        if far > motions.AGREE_CSS:
            raise Rejected("laws disagree", value=far, limit=motions.AGREE_CSS)
        if not state.bounds.grown(1e-6).contains(Point(*place)):
            raise Rejected("next place at the edge")
        step = math.dist(place, seen[-1])
        if step < dots.reach(state.radius) + dots.EXTRA_CSS:
            raise Rejected("next place too near", value=step, limit=dots.reach(state.radius))
        for other in state.balls[1:]:
            if other.name == ball.name:
                raise Rejected("two balls of a colour")
            if dots.nearest(ball, other, state.frames) < state.apart:
                raise Rejected("balls cover each other")

    def draw(self, state: dots.DotState, placement: Placement) -> Artwork:
        def paint(canvas: Any, shown: Sequence[int]) -> None:
            dots.paint(canvas, state, placement, shown)

        (x, y), r = state.place, dots.reach(state.radius)
        regions = {f"frame.{k}": box for k, box in enumerate(dots.windows(state))}
        regions["next.0"] = Box(x - r, y - r, x + r, y + r)
        return kit.artwork(state, placement, regions, paint)

    def mechanic(self, state: dots.DotState, placement: Placement) -> AnyMechanic:
        slot, (x, y) = placement.boxes["slot"], state.place
        return TimedPoint(
            keyframes=(Keyframe(0.0, slot.x0 + x, slot.y0 + y),),
            radius_px=state.radius,
            submit=placement.submit,
        )

    def goal_slots(self, state: dots.DotState, lang: str) -> dict[str, str]:
        return {"colour": called(state.balls[0].name, lang)}

    def reason_slots(
        self, state: dots.DotState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        ball, first = state.balls[0], gold[0]
        assert isinstance(first, Click)
        return {
            "colour": Slot("name", called(ball.name, lang)),
            "how": Slot("name", dots.HOW[lang][ball.law]),
            "frames": Slot("count", state.frames),
            "next": Slot("point", list(first.point)),
        }

    def margins(self, state: dots.DotState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        shown = 0 if state.form == "frames" else state.frames - 1
        spots = [ball.places[shown] for ball in state.balls]
        boxes = [
            Box(x, y, x, y).grown(state.radius + 3).moved(state.area.x0, state.area.y0)
            for x, y in spots
        ]
        return {
            "step of ball and ground": (
                min(grey_step(seen.decoded, seen.box(box)) for box in boxes), LEAST_STEP
            ),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }  # fmt: skip

    def identity(self, state: dots.DotState) -> Json:
        def binned(ball: dots.Ball) -> list[list[int]]:
            return [[round(x / 8), round(y / 8)] for x, y in ball.places]

        return {
            "balls": [[ball.name, binned(ball)] for ball in state.balls],
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: dots.DotState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TimedPoint)
        place, reach = Point(*mechanic.keyframes[0][1:]), mechanic.reach_px
        last, scale = state.balls[0].places[state.frames - 1], mechanic.px_per_css
        x, y = state.balls[0].places[state.frames]
        there = Point(place.x + scale * (last[0] - x), place.y + scale * (last[1] - y))
        way = rng.fresh("wrong").uniform(0.0, math.tau)
        off = 1.25 * reach
        beside = Point(place.x + off * math.cos(way), place.y + off * math.sin(way))
        return [
            WrongResponse(name, (Click(point), *send(mechanic.submit)))
            for name, point in (("where it is last seen", there), ("just beside", beside))
        ]

    def bad_states(self, state: dots.DotState) -> Iterator[tuple[str, dots.DotState]]:
        ball, others = state.balls[0], state.balls[1:]
        end = ball.places[state.frames]

        def with_places(*places: motions.Spot) -> dots.DotState:
            own = replace(ball, places=places)
            return state.model_copy(update={"balls": (own, *others)})

        yield "not the law of its places", with_places(*ball.places[:2], *ball.places[::-1][:-2])
        yield "laws disagree", with_places(*ball.places[:-1], (end[0] + 9.0, end[1]))
        still = tuple((30.0 + k, 40.0) for k in range(state.frames + 1))
        slow = replace(ball, law="line", places=still)
        yield (
            "next place too near",
            state.model_copy(update={"balls": (slow,), "area": Box(0, 0, 250.0, 200.0)}),
        )
        twin = replace(ball, places=tuple((x + 3.0, y) for x, y in ball.places))
        yield "two balls of a colour", state.model_copy(update={"balls": (ball, twin)})
        other = replace(twin, name="none")
        yield "balls cover each other", state.model_copy(update={"balls": (ball, other)})

    def solutions(self, state: dots.DotState, mechanic: AnyMechanic) -> list[tuple[float, float]]:
        """Where the places seen lead, by the law that explains them."""
        ball = state.balls[0]
        x, y = motions.nexts(ball.places[: state.frames], state.room)[ball.law]
        return [(state.area.x0 + x, state.area.y0 + y)]

    def labels(self, state: dots.DotState, scene: Scene) -> Mapping[str, Label]:
        (x, y), bounds = state.balls[0].places[state.frames], state.bounds
        return {"x": Uniform(x, bounds.x0, bounds.x1), "y": Uniform(y, bounds.y0, bounds.y1)}
