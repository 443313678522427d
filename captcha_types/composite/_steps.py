"""The steps of a panel: a knob for a ring, figures of a colour, figures by size.

All lengths and places are CSS px from the slot's corner.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

from factory.core import tapping
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.points import Points
from factory.core.mechanics.slide import Slide
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Choice, Label, Uniform
from factory.draw import figures
from factory.draw.colour_names import called, colour_name
from factory.draw.figures import Figure

Kind = Literal["slide", "pick", "order"]

TRACK_CSS, KNOB_CSS, INSET_CSS = 40.0, 34.0, 3.0
"""Height of the track, width of the knob, and its distance from the track's end."""

LEAST_SIZE_CSS, RIM_CSS, GAP_CSS = 20.0, 1.8, 7.0
LEAST_RATIO = 1.17
"""Of the sizes of two figures that follow each other: a fifth in height is seen at once."""

ROW_CSS = 34.0
TITLES: Mapping[str, tuple[str, str]] = {
    "slide": ("Drag the knob into the ring", "将滑块拖入圆环"),
    "pick": ("Select every {} shape", "选出所有{}图形"),
    "rising": ("Select from small to large", "由小到大依次点选"),
    "falling": ("Select from large to small", "由大到小依次点选"),
}
MEANT: Mapping[str, tuple[str, str]] = {
    "slide": ("the knob belongs into the ring", "滑块要放进圆环"),
    "pick": ("every {} shape counts", "要选{}图形"),
    "rising": ("the order is from small to large", "顺序为由小到大"),
    "falling": ("the order is from large to small", "顺序为由大到小"),
}


class Step(ABC):
    """One step; what is asked of the class of the panel is asked of each step in its area."""

    kind: ClassVar[Kind]

    @property
    @abstractmethod
    def sort(self) -> str:
        """Its key in ``TITLES``."""

    @property
    def name(self) -> str:
        """The colour that it asks for, if any."""
        return ""

    def title(self, lang: str) -> str:
        """What the panel writes over the step."""
        return TITLES[self.sort][lang == "zh"].format(called(self.name, lang) if self.name else "")

    def meant(self, lang: str) -> str:
        """The same as part of a sentence."""
        return MEANT[self.sort][lang == "zh"].format(called(self.name, lang) if self.name else "")

    @abstractmethod
    def check(self, area: Box) -> None:
        """``Rejected`` where the step is ambiguous or cannot be done."""

    @abstractmethod
    def mechanic(self, area: Box, slot: Box) -> AnyMechanic:
        """The step's judge in panel px; ``slot`` is the whole slot there."""

    @abstractmethod
    def answer(self, area: Box) -> Any:
        """What is right, off the drawing, in terms of the mechanic."""

    @abstractmethod
    def labels(self) -> Mapping[str, Label]:
        """The answer as labels."""

    @abstractmethod
    def facts(self) -> Any:
        """What makes it this step, binned."""

    @abstractmethod
    def spoilt(self) -> Step:
        """A step near it that ``check`` refuses."""

    spoilt_by: ClassVar[str]


@dataclass(frozen=True)
class SlideStep(Step):
    """The knob stands at the left end, or at the right one when ``back``; the ring ``aim`` away.

    ``low`` and ``high`` are the range of the aim, ``tol`` what is let pass. The track is
    ``length`` long and stands at shares ``across`` and ``down`` of the room that it has.
    """

    aim: float
    low: float
    high: float
    tol: float
    back: bool
    length: float
    across: float
    down: float
    type: Literal["slide"] = "slide"

    kind: ClassVar[Kind] = "slide"
    spoilt_by: ClassVar[str] = "the ring is out of reach"

    @property
    def sort(self) -> str:
        return "slide"

    def track(self, area: Box) -> Box:
        """The bar."""
        x = area.x0 + self.across * (area.width - self.length)
        y = area.y0 + self.down * (area.height - TRACK_CSS)
        return Box.sized(x, y, self.length, TRACK_CSS)

    def knob(self, area: Box) -> Box:
        """The knob at rest."""
        bar, side = self.track(area), KNOB_CSS
        x = bar.x1 - INSET_CSS - side if self.back else bar.x0 + INSET_CSS
        return Box.sized(x, bar.center.y - side / 2, side, side)

    def ring(self, area: Box) -> Point:
        """The middle of the ring."""
        at = self.knob(area).center
        return Point(round(at.x + (-self.aim if self.back else self.aim), 6), at.y)

    def check(self, area: Box) -> None:
        if not self.low - 1e-6 <= self.aim <= self.high + 1e-6:
            raise Rejected("the ring is out of reach", value=self.aim, limit=self.high)

    def mechanic(self, area: Box, slot: Box) -> AnyMechanic:
        return Slide(
            handle=self.knob(area).moved(slot.x0, slot.y0),
            track=self.track(area).moved(slot.x0, slot.y0),
            travel_px=travel(self.length),
            judge="offset",
            target=self.aim,
            tol=self.tol,
            sign=-1 if self.back else 1,
        )

    def answer(self, area: Box) -> float:
        return abs(self.ring(area).x - self.knob(area).center.x)

    def labels(self) -> Mapping[str, Label]:
        return {"aim": Uniform(self.aim, self.low, self.high), "side": Choice(int(self.back), 2)}

    def facts(self) -> Any:
        return [int(self.aim // 6), self.back]

    def spoilt(self) -> SlideStep:
        return replace(self, aim=self.high + 4.0)


@dataclass(frozen=True)
class PickStep(Step):
    """Figures of which all of the colour ``asked`` are wanted; ``count`` of them, ``most`` ever."""

    things: tuple[Figure, ...]
    asked: str
    count: int
    most: int
    type: Literal["pick"] = "pick"

    kind: ClassVar[Kind] = "pick"
    spoilt_by: ClassVar[str] = "figures and step disagree"

    @property
    def sort(self) -> str:
        return "pick"

    @property
    def name(self) -> str:
        return self.asked

    def check(self, area: Box) -> None:
        refuse_figures(self.things, area)
        names = [colour_name(thing.colour) for thing in self.things]
        if None in names or names.count(self.asked) != self.count:
            found = names.count(self.asked)
            raise Rejected("figures and step disagree", value=found, limit=self.count)

    def mechanic(self, area: Box, slot: Box) -> AnyMechanic:
        wanted = tapping.reading_order([self.things[k] for k in self.right], ROW_CSS)
        rest = [thing for thing in self.things if thing not in wanted]
        return Points(
            targets=tuple(tapping.zone_of(thing, slot, figures.hull) for thing in wanted),
            others=tuple(tapping.zone_of(thing, slot, figures.hull) for thing in rest),
            area=area.moved(slot.x0, slot.y0),
        )

    @property
    def right(self) -> list[int]:
        """Places in ``things`` of what is wanted."""
        return [k for k, thing in enumerate(self.things) if colour_name(thing.colour) == self.asked]

    def answer(self, area: Box) -> tuple[int, ...]:
        return tuple(range(len(self.right)))

    def labels(self) -> Mapping[str, Label]:
        lefts = sorted((thing.x, thing.y) for thing in self.things)
        first = self.things[0]
        return {
            "count": Choice(self.count - 1, self.most),
            f"place of a target of {len(lefts)}": Choice(
                lefts.index((first.x, first.y)), len(lefts)
            ),
        }

    def facts(self) -> Any:
        wanted = [self.things[k] for k in self.right]
        return [self.asked, [[int(t.x // 16), int(t.y // 16)] for t in wanted]]

    def spoilt(self) -> PickStep:
        first, *rest = self.things
        other = next(thing for thing in rest if colour_name(thing.colour) != self.asked)
        return replace(self, things=(replace(first, colour=other.colour), *rest))


@dataclass(frozen=True)
class OrderStep(Step):
    """Figures of one kind in different sizes, to be selected by size, ``falling`` or rising."""

    things: tuple[Figure, ...]
    falling: bool
    type: Literal["order"] = "order"

    kind: ClassVar[Kind] = "order"
    spoilt_by: ClassVar[str] = "sizes too near"

    @property
    def sort(self) -> str:
        return "falling" if self.falling else "rising"

    def check(self, area: Box) -> None:
        refuse_figures(self.things, area)
        sizes = sorted(thing.size for thing in self.things)
        least = min(b / a for a, b in pairwise(sizes))
        if least < LEAST_RATIO:
            raise Rejected("sizes too near", value=least, limit=LEAST_RATIO)

    def mechanic(self, area: Box, slot: Box) -> AnyMechanic:
        order = sorted(self.things, key=lambda thing: thing.size, reverse=self.falling)
        return OrderedPoints(
            targets=tuple(tapping.zone_of(thing, slot, figures.hull) for thing in order),
            area=area.moved(slot.x0, slot.y0),
        )

    def answer(self, area: Box) -> tuple[int, ...]:
        """The order by the reach of the outlines as drawn."""
        drawn = [max(x for x, _ in figures.hull(replace(thing, turn_deg=0.0))) - thing.x
                 for thing in self.things]  # fmt: skip
        order = sorted(range(len(drawn)), key=lambda k: drawn[k], reverse=self.falling)
        by_size = sorted(self.things, key=lambda thing: thing.size, reverse=self.falling)
        return tuple(by_size.index(self.things[k]) for k in order)

    def labels(self) -> Mapping[str, Label]:
        lefts = sorted((thing.x, thing.y) for thing in self.things)
        least = min(self.things, key=lambda thing: thing.size)
        return {
            f"place of the smallest of {len(lefts)}": Choice(
                lefts.index((least.x, least.y)), len(lefts)
            ),
            "falling": Choice(int(self.falling), 2),
        }

    def facts(self) -> Any:
        order = sorted(self.things, key=lambda thing: thing.size)
        return [self.falling, [[int(t.x // 16), int(t.y // 16)] for t in order]]

    def spoilt(self) -> OrderStep:
        first, second, *rest = self.things
        return replace(self, things=(replace(first, size=1.02 * second.size), second, *rest))


AnyStep = SlideStep | PickStep | OrderStep


def travel(length: float) -> float:
    """How far the knob of a track of some length can move."""
    return length - KNOB_CSS - 2 * INSET_CSS


def refuse_figures(things: Sequence[Figure], area: Box) -> None:
    """``Rejected`` where figures crowd, leave their area or are too small."""
    figures.refuse_figures(things, area, LEAST_SIZE_CSS, 2 * RIM_CSS)


def spots(step: AnyStep, slot: Box) -> Mapping[str, Zone]:
    """The outlines of a step's figures, in panel px, by their place in ``things``."""
    if isinstance(step, SlideStep):
        return {}
    zones = [tapping.zone_of(thing, slot, figures.hull) for thing in step.things]
    return {str(k): zone for k, zone in enumerate(zones)}
