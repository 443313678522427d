"""Sliders with scales, one of which has to be set to a value.

Rule
    Drag the knob of the slider that the panel names until its middle stands at the value that
    the panel asks for. Scales are even, change their step at a labelled tick, double or grow
    tenfold from tick to tick, and run either way.
Answer
    One drag along that slider. Which of the sliders it is, and which of the ticks that may be
    asked for, is drawn evenly; ticks are drawn at even distances.
Validity
    The value stands at a labelled tick or at the tick midway between two labels, and at that
    one only. Names differ, labels do not touch. Ticks are 14 CSS px and seven grid units apart
    at least, and the tick asked for is neither the first two nor the last, where the end stop
    would help. The knob begins at the first.
Source
    The house's own; half a tick to either side is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

from pydantic import Field

from captcha_types.slider_drag import _faders as faders
from captcha_types.slider_drag import _quantities as quantities
from captcha_types.slider_drag._quantities import Row
from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import GRID, Point
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
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng, Stream
from factory.core.walk import place, share
from factory.core.wording import class_words
from factory.draw.measure import grey_step, pixel_fidelity

LEAST_GAP_CSS, LEAST_GAP_UNITS = 14.0, 7.0
"""Between two ticks: half of it is the tolerance, three grid units and a half."""

TICKS = (5, quantities.MOST_TICKS)
"""Ticks after the first, on easy and on hard scales."""

FEWEST = 4
"""Ticks after the first on a scale that has little room, or few values."""

LEAST_STEP = 60.0
"""Levels of grey between a tick and its ground."""

FIDELITY_DB = 20.0
"""Encoding may not blur the card beyond this."""

FALLS = 0.5
"""Share of the scales that run against the usual way at the hard end."""


class CalibrationState(State):
    """``rows[row]`` is the slider to set, from its first tick to ``tick``; CSS px of a content of
    ``width`` x ``height``."""

    way: faders.Way
    look: faders.Look
    width: float
    height: float
    rows: tuple[Row, ...]
    row: int
    tick: int
    wanted: str
    least_gap: float

    @property
    def lying(self) -> list[faders.Fader]:
        """Where the sliders lie."""
        return faders.faders(self.width, self.height, self.way, len(self.rows))

    @property
    def own(self) -> Row:
        """The slider to set."""
        return self.rows[self.row]

    @property
    def gap(self) -> float:
        """Between two of its ticks."""
        return self.lying[self.row].travel / (len(self.own.values) - 1)


class CalibrationOptions(Options):
    """``ticks``: after the first, as many as have room; ``every``: each so-manieth is labelled;
    ``sliders``: how many there are. All follow difficulty."""

    ticks: int | None = Field(default=None, ge=FEWEST, le=TICKS[1])
    every: int | None = Field(default=None, ge=1, le=4)
    sliders: int | None = Field(default=None, ge=2, le=3)


@register("slider_calibration", version=1, family="slider_drag")
class SliderCalibration(PuzzleType[CalibrationState, CalibrationOptions]):
    """See the module."""

    State: ClassVar[type[State]] = CalibrationState
    Options: ClassVar[type[Options]] = CalibrationOptions
    mechanics = ("slide",)
    answer_kind = "drag_x"
    seen_in_grey = True
    seen_side = 150
    pictorial = False

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.6, 0.7), width=(252, 300))

    def contents(self, split: str) -> Sequence[Content]:
        return [Content("scales", 1.0, share(split, quantities.space()))]

    def _way(self, scene: Scene) -> faders.Way:
        return scene.rng.fixed("way").choice(faders.WAYS)

    def _least_gap(self, scene: Scene) -> float:
        place, level = scene.placement, self._way(scene) in ("right", "left")
        unit = (place.width_px if level else place.height_px) / GRID / place.px_per_css
        return round(max(LEAST_GAP_CSS, LEAST_GAP_UNITS * unit), 6)

    def count(self, scene: Scene) -> int:
        """How many sliders there are."""
        slot, wanted = scene.placement.boxes["slot"], self.options.sliders
        room = faders.room_for(slot.width, slot.height, self._way(scene))
        return max(2, min(3, room, wanted or 2 + round(scene.difficulty)))

    def fitted(self, scene: Scene, scale: quantities.Scale) -> tuple[tuple[int, ...], int]:
        """The values of a scale that have room, ascending, and how often one is labelled."""
        slot, way, options = scene.placement.boxes["slot"], self._way(scene), self.options
        fader = faders.faders(slot.width, slot.height, way, self.count(scene))[0]
        low, high = TICKS
        wanted = options.ticks or low + round((high - low) * scene.difficulty)
        room = int(fader.travel / self._least_gap(scene))
        values = scale.values(max(FEWEST, min(wanted, room)))
        every = options.every or (1, 2, 4)[min(2, int(3 * scene.difficulty))]
        every = 2 if every == 3 or (every == 4 and len(values) < 9) else every
        while True:
            ticks = (len(values) - 1) // every * every
            texts = [quantities.text_of(value) for value in values[: ticks + 1 : every]]
            apart = every * fader.travel / ticks
            if every == 4 or faders.labels_fit(texts, apart, scene.placement, level=fader.level):
                return values[: ticks + 1], every
            every *= 2

    def sample(self, scene: Scene) -> CalibrationState:
        rng, slot = scene.rng, scene.placement.boxes["slot"]
        number = place(scene.content_number, scene.split, quantities.space(), "scales")
        own, beside = quantities.pair(number)
        count, stream = self.count(scene), rng.fresh("rows")
        others = _companions(stream, own, beside, count - 1)
        which = rng.fixed("which").integer(0, count)
        rows = [self._row(scene, stream, scale) for scale in others]
        mine = self._row(scene, stream, own).model_copy(update={"at": 0})
        asked = quantities.readable(mine)
        tick = asked[rng.fixed("tick").integer(0, len(asked))]
        dress = rng.fresh("look")
        return CalibrationState(
            way=self._way(scene),
            look=faders.Look(
                dress.choice(faders.KNOBS), dress.choice(faders.RAILS), dress.choice(faders.TICKS)
            ),
            width=slot.width,
            height=slot.height,
            rows=(*rows[:which], mine, *rows[which:]),
            row=which,
            tick=tick,
            wanted=quantities.text_of(mine.values[tick]),
            least_gap=self._least_gap(scene),
        )

    def _row(self, scene: Scene, stream: Stream, scale: quantities.Scale) -> Row:
        values, every = self.fitted(scene, scale)
        usual = self._way(scene) in ("right", "up")
        if usual == stream.chance(FALLS * scene.difficulty):
            values = values[::-1]
        at = stream.integer(0, len(values))
        name, unit = scale.quantity.name, scale.quantity.unit
        return Row(name=name, unit=unit, values=values, every=every, at=at)

    def check(self, state: CalibrationState) -> None:
        names = [row.name for row in state.rows]
        if len(set(names)) < len(names):
            raise Rejected("two sliders of one name", value=len(names), limit=len(set(names)))
        if state.gap < state.least_gap - 1e-6:
            raise Rejected("ticks too close", value=state.gap, limit=state.least_gap)
        own = state.own
        rising = own.values if own.values[0] < own.values[-1] else own.values[::-1]
        if any(a >= b for a, b in pairwise(rising)):
            raise Rejected("values do not rise", value=rising[0], limit=rising[-1])
        if quantities.text_of(own.values[state.tick]) != state.wanted:
            raise Rejected(
                "tick and value disagree", value=state.tick, limit=own.values[state.tick]
            )
        if state.tick not in quantities.readable(own):
            raise Rejected("tick that cannot be asked for", value=state.tick, limit=len(own.values))
        if own.at != 0:
            raise Rejected("knob not at its end", value=own.at, limit=0)

    def draw(self, state: CalibrationState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        painter, names = (
            faders.Painter(placement, state.look),
            class_words(__file__, placement.lang),
        )
        lying = [replace(fader, cell=fader.cell.moved(slot.x0, slot.y0)) for fader in state.lying]
        own = lying[state.row]

        def ground(canvas: Any) -> None:
            for number, (fader, row) in enumerate(zip(lying, state.rows, strict=True)):
                painter.scale(canvas, fader, row, names[row.name])
                if number != state.row:
                    painter.knob(canvas, fader, _share(row, row.at))

        home, there = own.knob(0.0, state.look), _share(state.own, state.tick)
        return Artwork(
            parts=(
                Part("ground", slot, ground),
                Part("handle", home, lambda canvas: painter.knob(canvas, own, 0.0)),
            ),
            regions={"track": own.track, "handle": home, "target": own.tick(there).grown(3.0)}
            | {f"slider.{k}": fader.cell for k, fader in enumerate(lying)}
            | {
                f"distractor.{k}": fader.knob(_share(row, row.at), state.look)
                for k, (fader, row) in enumerate(zip(lying, state.rows, strict=True))
                if k != state.row
            },
        )

    def mechanic(self, state: CalibrationState, placement: Placement) -> AnyMechanic:
        slot, own = placement.boxes["slot"], state.lying[state.row]
        axis, sign = faders.SIGNS[state.way]
        return Slide(
            handle=own.knob(0.0, state.look).moved(slot.x0, slot.y0),
            track=own.track.moved(slot.x0, slot.y0),
            travel_px=own.travel,
            judge="offset",
            target=round(state.tick * state.gap, 6),
            tol=round(state.gap / 2, 6),
            axis=axis,
            sign=sign,
        )

    def goal_slots(self, state: CalibrationState, lang: str) -> dict[str, str]:
        unit = f" {state.own.unit}" if state.own.unit else ""
        return {"name": class_words(__file__, lang)[state.own.name], "value": state.wanted + unit}

    def reason_slots(
        self, state: CalibrationState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drag, words = gold[0], class_words(__file__, lang)
        assert isinstance(drag, Drag)
        on, near = state.tick % state.own.every == 0, state.tick - state.own.every // 2
        ends = (near, near + state.own.every)
        low, high = (state.wanted,) * 2 if on else (state.own.label(tick) for tick in ends)
        where = words["at_label" if on else "midway"].format(low=low, high=high)
        return {
            "name": Slot("name", words[state.own.name]),
            "value": Slot("name", self.goal_slots(state, lang)["value"]),
            "first": Slot("name", state.own.label(0)),
            "where": Slot("name", where),
            "start": Slot("point", list(drag.start)),
            "end": Slot("point", list(drag.end)),
        }

    def margins(self, state: CalibrationState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        tick = state.lying[state.row].tick(_share(state.own, state.tick)).grown(3.0)
        return {
            "tick against its ground": (grey_step(seen.decoded, seen.box(tick)), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: CalibrationState) -> Json:
        return {
            "rows": [[row.name, list(row.values)] for row in state.rows],
            "asked": [state.row, state.tick],
            "way": state.way,
        }

    def wrong_responses(
        self, state: CalibrationState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Slide)
        gap, off = state.gap, rng.fresh("near").uniform(0.6, 0.9)
        lengths = {
            "a tick short": (state.tick - 1) * gap,
            "a tick far": (state.tick + 1) * gap,
            "just beside": (state.tick + off) * gap,
            "the whole way": mechanic.travel_px / mechanic.px_per_css,
        }
        turned = len(state.own.values) - 1 - state.tick
        if turned != state.tick:
            lengths["counted from the other end"] = turned * gap
        wrong = [_drag(mechanic, Point(0.0, 0.0), length) for length in lengths.values()]
        found = [WrongResponse(n, (d,)) for n, d in zip(lengths, wrong, strict=True)]
        lying, mine = state.lying, state.lying[state.row].knob(0.0, state.look).center
        for k, (fader, row) in enumerate(zip(lying, state.rows, strict=True)):
            if k != state.row:
                there = fader.knob(_share(row, row.at), state.look).center
                away = Point(there.x - mine.x, there.y - mine.y)
                drag = _drag(mechanic, away, state.tick * gap)
                found.append(WrongResponse(f"another slider {k}", (drag,)))
        return found

    def bad_states(self, state: CalibrationState) -> Iterator[tuple[str, CalibrationState]]:
        def with_row(**change: Any) -> CalibrationState:
            rows = list(state.rows)
            rows[state.row] = state.own.model_copy(update=change)
            return state.model_copy(update={"rows": tuple(rows)})

        other = state.rows[1 if state.row == 0 else 0]
        yield "two sliders of one name", with_row(name=other.name)
        yield "ticks too close", state.model_copy(update={"least_gap": state.gap + 1.0})
        values = list(state.own.values)
        values[1] = values[2]
        yield "values do not rise", with_row(values=tuple(values))
        yield "tick and value disagree", state.model_copy(update={"tick": state.tick - 1})
        first = {"tick": 1, "wanted": state.own.label(1)}
        yield "tick that cannot be asked for", state.model_copy(update=first)
        yield "knob not at its end", with_row(at=1)

    def solutions(self, state: CalibrationState, mechanic: AnyMechanic) -> list[float]:
        """The way in CSS px from the knob to every tick of the named slider that has the value:
        by reading all ticks."""
        fader, (x, y) = state.lying[state.row], state.lying[state.row].spot(0.0)
        spots = [fader.spot(_share(state.own, tick)) for tick in range(len(state.own.values))]
        return [
            abs(spot.x - x) + abs(spot.y - y)
            for spot, value in zip(spots, state.own.values, strict=True)
            if quantities.text_of(value) == state.wanted
        ]

    def labels(self, state: CalibrationState, scene: Scene) -> Mapping[str, Label]:
        asked = quantities.readable(state.own)
        return {
            "way": Choice(faders.WAYS.index(state.way), len(faders.WAYS)),
            f"slider of {len(state.rows)}": Choice(state.row, len(state.rows)),
            f"tick of {len(asked)}": Choice(asked.index(state.tick), len(asked)),
        }


def _companions(
    stream: Stream, own: quantities.Scale, beside: quantities.Scale, count: int
) -> list[quantities.Scale]:
    """The scales beside the one that is asked for, of other names."""
    found: list[quantities.Scale] = []
    queue = [beside, *stream.shuffled(quantities.scales())]
    for scale in queue:
        names = {own.quantity.name, *(other.quantity.name for other in found)}
        if scale.quantity.name not in names and len(found) < count:
            found.append(scale)
    return stream.shuffled(found)


def _share(row: Row, tick: int) -> float:
    return tick / (len(row.values) - 1)


def _drag(mechanic: Slide, away: Point, length_css: float) -> Drag:
    """A drag along the sliders by so much, from a point so far (CSS px) from the knob."""
    scale, (x, y) = mechanic.px_per_css, mechanic.handle.center
    start, reach = Point(x + away.x * scale, y + away.y * scale), mechanic.sign * length_css * scale
    end = (start.x + reach, start.y) if mechanic.axis == "x" else (start.x, start.y + reach)
    return Drag(start, Point(*end))
