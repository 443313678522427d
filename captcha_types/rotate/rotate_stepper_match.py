"""A toy on a turntable that arrows turn step by step, and an arrow that shows where to face.

Rule
    Tap the arrow buttons until the toy faces the way in which the arrow on the small plate
    points; both plates are seen from the same side. The panel says by how many degrees a tap
    turns the toy, and which button turns it clockwise. Then confirm, where there is a button.
Answer
    Taps on one button, the fewest that lead there, then the button that confirms. How many
    steps clockwise the arrow is away is drawn evenly over all but none; which button turns
    clockwise, evenly.
Validity
    Headings differ from the arrow's by whole steps, of 30 degrees or more. No toy looks the same
    after a quarter or a half turn, and it is seen from well above. It stands out from its plate,
    measured on the decoded slot.
Source
    Rotation matching as in Open CaptchaWorld and CaptchaBench and the 3-D ball of Halligan, but
    with the step printed, so that one picture decides; the last heading counts, modulo 360.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from captcha_types.rotate import _toys as toys
from captcha_types.rotate import _turntable as turntable
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.stepper import Stepper
from factory.core.puzzle import (
    Artwork,
    Bitmap,
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
from factory.core.rng import Rng, Stream
from factory.core.wording import class_words
from factory.draw import grounds
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.picture_images import raster
from factory.draw.text import Face, draw_line
from factory.draw.tokens import chinese_font, tokens_named

COUNTS = (6, 8, 12)
"""Headings of easy, middling and hard turntables."""

TILTS = (60.0, 38.0)
"""Degrees above the horizon that it is seen from, easy and hard."""

LOWEST_TILT = 35.0
"""From lower down headings are foreshortened too much to be told by steps of 30 degrees."""

EDGE_CSS = 7.0
"""Between the plate and the edge of its picture."""

SPOT_HIGH, SPOT_WIDE = (0.66, 0.96), 1.3
"""Height of the box that holds plate and toy, as a share of the room; and width over height."""

PLATE_CSS = 6.0
"""Between the small plate and the edges of its strip."""

LEAST_STEP = 60.0
"""Levels of some channel between a toy and its plate, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the picture beyond this."""

WAYS = (1, -1)
"""Whether the right-hand button turns clockwise, or against it."""


class MatchState(State):
    """Headings in degrees clockwise from straight away; the arrow is ``steps`` steps clockwise of
    the toy, ``turn_deg`` degrees the shorter way round. ``spot`` is the box that holds plate and
    toy, ``(x0, y0, x1, y1)`` CSS px of a picture of ``size``."""

    toy: toys.Toy
    plate: turntable.Plate
    ground: grounds.Ground
    count: int
    step_deg: float
    way: int
    start_deg: float
    goal_deg: float
    steps: int
    turn_deg: float
    size: tuple[float, float]
    spot: tuple[float, float, float, float]

    @property
    def target(self) -> int:
        """The position, in taps of the right-hand button, that faces the arrow's way."""
        return self.way * self.steps % self.count


class MatchOptions(Options):
    """``count``: headings in a round; ``tilt_deg``: how steeply it is seen. Both follow
    difficulty."""

    count: int | None = Field(default=None, ge=4, le=12)
    tilt_deg: float | None = Field(default=None, ge=LOWEST_TILT, le=75.0)


@register("rotate_stepper_match", version=1, family="rotate")
class RotateStepperMatch(PuzzleType[MatchState, MatchOptions]):
    """See the module."""

    State: ClassVar[type[State]] = MatchState
    Options: ClassVar[type[Options]] = MatchOptions
    mechanics = ("stepper",)
    answer_kind = "stepper"
    seen_side = 110

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.58, 0.68),
            width=(236, 300),
            controls=(Control("stepper"),),
            strip=62,
            submit="either",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def headings(self, scene: Scene) -> int:
        """How many headings a round has."""
        wanted = self.options.count or COUNTS[min(2, int(3 * scene.difficulty))]
        return wanted if 360 % wanted == 0 else COUNTS[1]

    def sample(self, scene: Scene) -> MatchState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        count = self.headings(scene)
        step = 360.0 / count
        steps = 1 + rng.fixed("steps").integer(0, count - 1)
        tilt = self.options.tilt_deg or TILTS[0] + (TILTS[1] - TILTS[0]) * hard
        start = round(rng.fresh("start").uniform(0.0, 360.0), 6) % 360.0
        dress = rng.fresh("dress")
        return MatchState(
            toy=toys.choose_toy(rng.fresh("toy")),
            plate=turntable.choose_plate(dress, tilt),
            ground=grounds.compose(
                scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
            ),
            count=count,
            step_deg=round(step, 6),
            way=rng.fixed("way").choice(WAYS),
            start_deg=start,
            goal_deg=round((start + steps * step) % 360.0, 6),
            steps=steps,
            turn_deg=round(min(steps, count - steps) * step, 6),
            size=(slot.width, slot.height),
            spot=_spot(rng.fresh("spot"), slot.width, slot.height),
        )

    def check(self, state: MatchState) -> None:
        if not 0 < state.steps < state.count:
            raise Rejected("faces the arrow's way already", value=state.steps, limit=1)
        if state.step_deg < 30.0 - 1e-6:
            raise Rejected("step too small", value=state.step_deg, limit=30.0)
        off = (state.start_deg + state.steps * state.step_deg - state.goal_deg + 180.0) % 360.0
        if abs(off - 180.0) > 1e-4 or abs(state.count * state.step_deg - 360.0) > 1e-4:
            raise Rejected("steps and headings disagree", value=off - 180.0, limit=0.0)
        if state.plate.tilt_deg < LOWEST_TILT:
            raise Rejected("seen too low", value=state.plate.tilt_deg, limit=LOWEST_TILT)

    def draw(self, state: MatchState, placement: Placement) -> Artwork:
        slot, strip, counter = (placement.boxes[n] for n in ("slot", "strip", "counter"))

        def page(position: int) -> tuple[Part, ...]:
            heading = state.start_deg + state.way * position * state.step_deg

            def paint(canvas: Any) -> None:
                canvas.translate(slot.x0, slot.y0)
                paint_scene(canvas, state, heading)

            return (Part("toy", slot, paint),)

        def small(canvas: Any) -> None:
            canvas.translate(strip.x0, strip.y0)
            paint_reference(canvas, state, strip.moved(-strip.x0, -strip.y0), state.goal_deg)

        def step(canvas: Any) -> None:
            look = tokens_named(placement.tokens)
            faces = Face(str(look.font.path()), 600), Face(str(chinese_font(500)), 400)
            text = f"{round(state.step_deg)}\N{DEGREE SIGN}"
            draw_line(canvas, text, faces, 15.0, look.rgb("text"), counter)

        return Artwork(
            parts=(
                Part("arrow", strip, small, area="strip"),
                Part("step", counter, step, area="counter"),
            ),
            regions={"picture": slot, "reference": _small(strip)},
            pages=tuple(page(position) for position in range(state.count)),
        )

    def mechanic(self, state: MatchState, placement: Placement) -> AnyMechanic:
        boxes = placement.boxes
        return Stepper.of(
            next=boxes["next"],
            prev=boxes["prev"],
            count=state.count,
            targets=(state.target,),
            submit=placement.submit,
        )

    def goal_slots(self, state: MatchState, lang: str) -> dict[str, str]:
        words = class_words(__file__, lang)
        return {
            "thing": words[state.toy.name],
            "step": str(round(state.step_deg)),
            "way": words["clockwise" if state.way > 0 else "anticlockwise"],
        }

    def reason_slots(
        self, state: MatchState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        assert isinstance(mechanic, Stepper)
        taps, side = mechanic.axes[0].shortest()
        first, words = gold[0], class_words(__file__, lang)
        assert isinstance(first, Click)
        turns = {1: words["clockwise"], -1: words["anticlockwise"]}
        return {
            "thing": Slot("name", words[state.toy.name]),
            "turn": Slot("angle", round(state.turn_deg)),
            "step": Slot("angle", round(state.step_deg)),
            "way": Slot("name", turns[state.way * side]),
            "side": Slot("name", words["right" if side > 0 else "left"]),
            "taps": Slot("name", words[f"taps{taps}"]),
            "button": Slot("point", list(first.point)),
        }

    def margins(self, state: MatchState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        spot = Box(*state.spot)
        box = seen.box(spot.grown(-0.28 * spot.height))
        step = max(grey_step(seen.decoded[..., channel], box) for channel in range(3))
        return {
            "step of toy and plate": (step, LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: MatchState) -> Json:
        return {
            "ground": state.ground.seed,
            "toy": state.toy.name,
            "headings": [int(state.start_deg // 15.0), int(state.goal_deg // 15.0)],
            "answer": [state.count, state.target],
        }

    def wrong_responses(
        self, state: MatchState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Stepper)
        taps, side = mechanic.axes[0].shortest()
        ways = {
            "a step short": (taps - 1, side),
            "a step far": (taps + 1, side),
            "the other way": (taps, -side),
            "half a turn off": (taps + state.count // 2, side),
        }
        wrong = [
            WrongResponse(name, _taps(mechanic, *way))
            for name, way in ways.items()
            if way[0] > 0 and (way[1] * way[0] - state.target) % state.count
        ]
        if mechanic.submit is not None:
            wrong.append(WrongResponse("not confirmed", _taps(mechanic, taps, side)[:-1]))
        return wrong

    def bad_states(self, state: MatchState) -> Iterator[tuple[str, MatchState]]:
        def changed(**change: Any) -> MatchState:
            return state.model_copy(update=change)

        yield "faces the arrow's way already", changed(steps=0, goal_deg=state.start_deg)
        yield "step too small", changed(step_deg=15.0, count=24)
        off = (state.goal_deg + 10.0) % 360.0
        yield "steps and headings disagree", changed(goal_deg=off)
        low = turntable.Plate(**{**vars(state.plate), "tilt_deg": 20.0})
        yield "seen too low", changed(plate=low)

    def solutions(self, state: MatchState, mechanic: AnyMechanic) -> list[int]:
        """Positions at which the toy's heading is the arrow's: by turning it step by step."""
        found, heading = list[int](), state.start_deg
        for position in range(state.count):
            if abs((heading - state.goal_deg + 180.0) % 360.0 - 180.0) < state.step_deg / 4:
                found.append(position)
            heading += state.way * state.step_deg
        return found

    def labels(self, state: MatchState, scene: Scene) -> Mapping[str, Label]:
        return {
            f"steps of {state.count}": Choice(state.steps - 1, state.count - 1),
            "way": Choice(WAYS.index(state.way), 2),
        }


def _taps(mechanic: Stepper, count: int, side: int) -> tuple[ActionBase, ...]:
    """Taps on one side, a px apart, and the button where there is one; canvas px."""
    axis = mechanic.axes[0]
    arrow = axis.next if side > 0 or axis.prev is None else axis.prev
    at = arrow.center
    taps = [Click(at._replace(x=at.x + k - count / 2)) for k in range(count)]
    return (*taps, *(() if mechanic.submit is None else (Click(mechanic.submit.center),)))


def _spot(stream: Stream, width: float, height: float) -> tuple[float, float, float, float]:
    """A box for plate and toy anywhere in a picture."""
    room = Box(0.0, 0.0, width, height).grown(-EDGE_CSS)
    high = stream.uniform(*SPOT_HIGH) * room.height
    wide = min(SPOT_WIDE * high, room.width)
    x = stream.uniform(room.x0, room.x1 - wide)
    y = stream.uniform(room.y0, room.y1 - high)
    x0, y0, x1, y1 = (round(edge, 6) for edge in (x, y, x + wide, y + high))
    return x0, y0, x1, y1


def _small(strip: Box) -> Box:
    """The box of the small plate in its strip."""
    high = strip.height - 2 * PLATE_CSS
    x, y = strip.center
    return Box.sized(x - 0.8 * high, y - high / 2, 1.6 * high, high)


def paint_scene(canvas: Any, state: MatchState, heading_deg: float) -> None:
    """The toy at a heading, on a canvas with the picture's corner as origin."""
    whole = Box(0.0, 0.0, *state.size)
    grounds.draw_ground(canvas, state.ground, whole)
    spot = Box(*state.spot)
    turntable.paint_toy(canvas, state.toy, state.plate, spot, heading_deg, state.count)


def paint_reference(canvas: Any, state: MatchState, strip: Box, heading_deg: float) -> None:
    """The arrow on its plate in the middle of a strip."""
    turntable.paint_arrow(canvas, state.plate, _small(strip), heading_deg, state.count)


def scene_raster(state: MatchState, heading_deg: float, scale: float) -> Bitmap:
    """The picture with the toy at a heading; BGR, for whoever finds the heading by its pixels."""
    return raster(lambda canvas: paint_scene(canvas, state, heading_deg), state.size, scale)


def reference_raster(
    state: MatchState, size: tuple[float, float], heading_deg: float, scale: float
) -> Bitmap:
    """The strip, of a size, with the arrow at a heading; BGR."""
    strip = Box(0.0, 0.0, *size)
    return raster(lambda canvas: paint_reference(canvas, state, strip, heading_deg), size, scale)
