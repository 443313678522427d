"""A bar with one knob that has to be dragged to its far end.

Rule
    Drag the knob to the other end of its bar. The bar lies across or stands upright, and
    the knob starts at either end.
Answer
    One drag along the bar by its whole travel; the knob stops at the end.
Validity
    There is one knob; beside it are lines as of text that loads. The end stop is drawn and
    lies on the panel, and so does the space behind it, so that an overshoot is clamped and
    not lost. The travel is at least 40 grid units.
Source
    The drag-to-end task of VenusBench-CAPTCHA; solved from 97 % of the travel on, while its
    own rule (5 % of the length, 5 px) is kept as a parity score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from captcha_types.slider_drag import _bars as bars
from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import GRID, Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
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
    Uniform,
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.core.walk import place, share
from factory.draw.measure import pixel_fidelity

LEAST_UNITS = 40.0
"""Shortest travel in grid units: a 5 % window is then two units wide on each side."""

FIDELITY_DB = 24.0
"""Encoding may not blur the bar beyond this."""

LONGEST_KNOB = 57.0
"""No knob is longer, CSS px."""

LEAST_SHARE = 0.62
"""The shortest bar, as a share of the room."""

WAYS: tuple[tuple[Literal["x", "y"], Literal[1, -1]], ...] = (
    ("x", 1), ("x", -1), ("y", 1), ("y", -1),
)  # fmt: skip
"""Axis and sign of the drag, in the order of ``KINDS``."""

KINDS: tuple[Literal["right", "left", "down", "up"], ...] = ("right", "left", "down", "up")
WAY_WORDS = {
    "en": {"right": "right", "left": "left", "down": "down", "up": "up"},
    "zh": {"right": "右", "left": "左", "down": "下", "up": "上"},
}
END_WORDS = {
    "en": {"right": "right end", "left": "left end", "down": "bottom", "up": "top"},
    "zh": {"right": "最右端", "left": "最左端", "down": "底端", "up": "顶端"},
}

ACROSS, ALONG, THICK = 12, 8, 6
"""Steps in which bars differ in place and thickness."""

LOOKS = (
    len(bars.ICONS) * len(bars.STYLES) * len(bars.DRESSES) * bars.ARROWS * ACROSS * ALONG * THICK
)
"""Bars that are told apart whatever their direction and length."""


class EndState(State):
    """``track`` and ``handle`` as ``[x0, y0, x1, y1]`` in CSS px of the slot."""

    way: Literal["right", "left", "down", "up"]
    length: float
    track: tuple[float, float, float, float]
    handle: tuple[float, float, float, float]
    style: str
    icon: str
    dress: str
    arrow: int
    look: int
    clutter: int
    least_css: float


class EndOptions(Options):
    """``length``: the bar's share of its room; ``clutter``: things drawn beside it."""

    length: float | None = Field(default=None, ge=LEAST_SHARE, le=1.0)
    clutter: int | None = Field(default=None, ge=0, le=4)


@register("slider_drag_to_end", version=1, family="slider_drag")
class SliderDragToEnd(PuzzleType[EndState, EndOptions]):
    """See the module."""

    State: ClassVar[type[State]] = EndState
    Options: ClassVar[type[Options]] = EndOptions
    mechanics = ("slide",)
    answer_kind = "drag_x"
    seen_in_grey = True
    pictorial = False

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.56, 0.66), width=(252, 300))

    def contents(self, split: str) -> Sequence[Content]:
        return [Content("bar", 1.0, share(split, LOOKS))]

    def _way(self, scene: Scene) -> Literal["right", "left", "down", "up"]:
        return KINDS[scene.rng.fixed("way").integer(0, len(KINDS))]

    def length_range(self, scene: Scene) -> tuple[float, float]:
        """Lengths of the bar, CSS px: shorter ones are for harder puzzles."""
        way = self._way(scene)
        room = _room(scene.placement.boxes["slot"], way)
        least = max(LEAST_SHARE, 0.9 - 0.28 * scene.difficulty) * room
        travel = LEAST_UNITS * _unit_css(scene.placement, way)
        return min(room, max(least, travel + LONGEST_KNOB + 2 * bars.INSET + 1.0)), room

    def sample(self, scene: Scene) -> EndState:
        slot, way = scene.placement.boxes["slot"], self._way(scene)
        number = place(scene.content_number, scene.split, LOOKS, "bars")
        look = Look.of(number)
        low, high = self.length_range(scene)
        length = round(scene.rng.fixed("length").uniform(low, high), 6)
        if self.options.length is not None:
            length = round(self.options.length * high, 6)
        thick = 38 + 2 * look.thick - round(10 * scene.difficulty)
        across_room = slot.height if way in ("right", "left") else slot.width
        along = look.along / (ALONG - 1) * (high - length)
        across = (0.2 + 0.6 * look.across / (ACROSS - 1)) * (across_room - thick)
        track = _laid(way, along + bars.MARGIN, across, length, thick)
        clutter = self.options.clutter
        return EndState(
            way=way,
            length=length,
            track=_rounded(track),
            handle=_rounded(bars.handle_box(track, way, look.style)),
            style=look.style,
            icon=look.icon,
            dress=look.dress,
            arrow=look.arrow,
            look=number,
            clutter=round(3 * scene.difficulty) if clutter is None else clutter,
            least_css=round(LEAST_UNITS * _unit_css(scene.placement, way), 6),
        )

    def check(self, state: EndState) -> None:
        track, handle = Box(*state.track), Box(*state.handle)
        if not track.holds(handle):
            raise Rejected("knob off its bar", value=handle.x0, limit=track.x0)
        if _travel(state) < state.least_css:
            raise Rejected("bar too short", value=_travel(state), limit=state.least_css)
        if not _at_start(state):
            raise Rejected("knob not at its end", value=handle.x0, limit=track.x0)

    def draw(self, state: EndState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        track, handle = _on(slot, state.track), _on(slot, state.handle)
        art = bars.Bar(
            placement, track, handle, state.way, state.style, state.icon, state.dress, state.arrow
        )
        return Artwork(
            parts=(
                Part("ground", slot, lambda canvas: art.ground(canvas, state.look, state.clutter)),
                Part("handle", handle, art.handle_art),
            ),
            regions={"track": track, "handle": handle, "target.end": art.end_box()},
        )

    def mechanic(self, state: EndState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        axis, sign = WAYS[KINDS.index(state.way)]
        return Slide(
            handle=_on(slot, state.handle),
            track=_on(slot, state.track),
            travel_px=_travel(state),
            judge="end",
            axis=axis,
            sign=sign,
        )

    def goal_slots(self, state: EndState, lang: str) -> dict[str, str]:
        return {"way": WAY_WORDS[lang][state.way], "end": END_WORDS[lang][state.way]}

    def reason_slots(
        self, state: EndState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drag = gold[0]
        assert isinstance(drag, Drag)
        return {
            "way": Slot("name", WAY_WORDS[lang][state.way]),
            "end_name": Slot("name", END_WORDS[lang][state.way]),
            "start": Slot("point", list(drag.start)),
            "end": Slot("point", list(drag.end)),
        }

    def margins(self, state: EndState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        return {"fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB)}

    def identity(self, state: EndState) -> Json:
        return {"way": state.way, "look": state.look}

    def wrong_responses(
        self, state: EndState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Slide)
        start, travel = mechanic.handle.center, mechanic.travel_px
        short = rng.fresh("short").uniform(0.5, 0.9)
        lengths = {"half way": short, "almost there": 0.955, "the other way": -1.0}
        return [
            WrongResponse(name, (Drag(start, _moved(mechanic, start, share_of * travel)),))
            for name, share_of in lengths.items()
        ]

    def bad_states(self, state: EndState) -> Iterator[tuple[str, EndState]]:
        x0, y0, x1, y1 = state.handle
        level = state.way in ("right", "left")
        off = (x0, y0 - 60, x1, y1 - 60) if level else (x0 - 60, y0, x1 - 60, y1)
        yield "knob off its bar", state.model_copy(update={"handle": off})
        yield "bar too short", state.model_copy(update={"least_css": _travel(state) + 1.0})
        axis, sign = WAYS[KINDS.index(state.way)]
        step = 12.0 * sign
        dx, dy = (step, 0.0) if axis == "x" else (0.0, step)
        moved = (x0 + dx, y0 + dy, x1 + dx, y1 + dy)
        yield "knob not at its end", state.model_copy(update={"handle": moved})

    def solutions(self, state: EndState, mechanic: AnyMechanic) -> list[float]:
        """The travel in CSS px, measured between knob and far end of the bar."""
        return [_travel(state)]

    def labels(self, state: EndState, scene: Scene) -> Mapping[str, Label]:
        low, high = self.length_range(scene)
        return {
            "length": Uniform(state.length, low, high),
            "way": Choice(KINDS.index(state.way), len(KINDS)),
        }


@dataclass(frozen=True)
class Look:
    """What of a bar its number decides."""

    icon: str
    style: str
    dress: str
    arrow: int
    across: int
    along: int
    thick: int

    @classmethod
    def of(cls, number: int) -> Look:
        """The look of a content number."""
        digits: list[int] = []
        sizes = (len(bars.ICONS), len(bars.STYLES), len(bars.DRESSES), bars.ARROWS, ACROSS, ALONG)
        for size in sizes:
            number, digit = divmod(number, size)
            digits.append(digit)
        icon, style, dress, *rest = digits
        return cls(bars.ICONS[icon], bars.STYLES[style], bars.DRESSES[dress], *rest, thick=number)


def _room(slot: Box, way: str) -> float:
    """CSS px along the drag that a bar may take, margins left out."""
    return (slot.width if way in ("right", "left") else slot.height) - 2 * bars.MARGIN


def _laid(way: str, along: float, across: float, length: float, thick: float) -> Box:
    if way in ("right", "left"):
        return Box.sized(along, across, length, thick)
    return Box.sized(across, along, thick, length)


def _rounded(box: Box) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box.as_list()
    return x0, y0, x1, y1


def _on(slot: Box, edges: tuple[float, float, float, float]) -> Box:
    return Box(*edges).moved(slot.x0, slot.y0)


def _travel(state: EndState) -> float:
    """CSS px from the knob's leading side to the far end, less the inset that it rests with."""
    track, handle = Box(*state.track), Box(*state.handle)
    if state.way in ("right", "left"):
        return round(track.width - handle.width - 2 * bars.INSET, 6)
    return round(track.height - handle.height - 2 * bars.INSET, 6)


def _at_start(state: EndState) -> bool:
    track, handle = Box(*state.track), Box(*state.handle)
    gap = {
        "right": handle.x0 - track.x0,
        "left": track.x1 - handle.x1,
        "down": handle.y0 - track.y0,
        "up": track.y1 - handle.y1,
    }[state.way]
    return abs(gap - bars.INSET) < 1e-3


def _unit_css(placement: Placement, way: str) -> float:
    """One unit of the grid along the drag, CSS px."""
    size = placement.width_px if way in ("right", "left") else placement.height_px
    return size / GRID / placement.px_per_css


def _moved(mechanic: Slide, start: Point, length: float) -> Point:
    reach = mechanic.sign * length
    if mechanic.axis == "x":
        return Point(start.x + reach, start.y)
    return Point(start.x, start.y + reach)
