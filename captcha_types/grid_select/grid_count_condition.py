"""A board of tiles with things to count, and a condition on how many there are.

Rule
    Select every tile whose things meet the condition: exactly, more than or fewer than a
    number of them, of one colour where a colour is named, or dice whose pips add up to it.
Answer
    The set of tiles, in any order; a second click takes a selection back. Where no tile meets
    the condition, the button that says so.
Validity
    Things do not touch: gaps are above a floor. Counts are read off what stands there. Colours
    are named ones with guard bands; the ground is no thing and has no say.
Source
    Counting tasks of NextGen-CAPTCHAs and Halligan; set equality.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.grid_select import _boards as boards
from captcha_types.grid_select import _counters as counters
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw import layout
from factory.draw.colour_names import called, colour_name, named_palette
from factory.draw.measure import grey_step, pixel_fidelity

Condition = Literal["exactly", "more", "fewer"]
CONDITIONS: Mapping[Condition, float] = {"exactly": 0.5, "more": 0.25, "fewer": 0.25}

SUBJECTS: Mapping[str, float] = {"token": 0.4, "colour": 0.35, "dice": 0.25}
"""What is counted: things of any colour, things of one colour among others, pips."""

WORDS: Mapping[Condition, tuple[str, str, str]] = {
    "exactly": ("exactly", "恰好", "之和为"),
    "more": ("more than", "多于", "之和大于"),
    "fewer": ("fewer than", "少于", "之和小于"),
}

MOST = 7
"""Things on a tile."""

LEAST_GAP = 3.5
"""CSS px between two things."""

LEAST_STEP = 26.0
"""Levels of grey between things and their tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the things beyond this."""

EDGE_CSS = 3.0
"""CSS px of a tile's rim that things keep clear of."""


class CountState(boards.BoardState):
    """``tiles`` holds the things on each tile in reading order, CSS px from the board's corner."""

    subject: str
    condition: Condition
    number: int
    colour: str
    """The name of the colour that counts; empty for any."""
    tiles: tuple[tuple[counters.Counter, ...], ...]


class CountOptions(Options):
    """Each follows ``difficulty`` when it is not set."""

    near_misses: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("grid_count_condition", version=1, family="grid_select")
class GridCountCondition(boards.BoardPuzzle[CountState, CountOptions]):
    """See the module."""

    State: ClassVar[type[State]] = CountState
    Options: ClassVar[type[Options]] = CountOptions
    modes: ClassVar[Mapping[boards.Mode, float]] = {"all": 0.72, "one": 0.2, "none": 0.08}
    shapes = ((2, 3), (3, 3))
    hard_shapes = ((3, 3), (3, 4))
    moods = ("light", "dark")
    noise = 0.8

    def sample(self, scene: Scene) -> CountState:
        board = self.deal(scene)
        stream = scene.rng.fresh("things")
        subject = stream.weighted(tuple(SUBJECTS), tuple(SUBJECTS.values()))
        condition = stream.weighted(tuple(CONDITIONS), tuple(CONDITIONS.values()))
        number = stream.integer(*_numbers(subject, condition))
        misses = 0.3 + 0.6 * scene.difficulty
        misses = misses if self.options.near_misses is None else self.options.near_misses
        values = [
            _value(stream, subject, condition, number, tile in board.order, misses)
            for tile in range(board.count)
        ]
        palette = named_palette(stream, 3, board.ground.tone)
        colour = next(iter(palette)) if subject == "colour" else ""
        shape = "die" if subject == "dice" else stream.choice(counters.TOKENS)
        tiles = [
            _filled(stream, tile, shape, value, palette, colour)
            for tile, value in zip(board.tiles, values, strict=True)
        ]
        return CountState(
            board=board,
            subject=subject,
            condition=condition,
            number=number,
            colour=colour,
            tiles=tuple(tiles),
        )

    def right_tiles(self, state: CountState) -> set[int]:
        """The tiles that meet the condition, counted anew."""
        return {
            index
            for index, things in enumerate(state.tiles)
            if meets(state.condition, counted(things, state.colour), state.number)
        }

    def check(self, state: CountState) -> None:
        if len(state.tiles) != state.board.count:
            raise Rejected("tiles missing", value=len(state.tiles), limit=state.board.count)
        self.check_board(state)
        for things, tile in zip(state.tiles, state.board.tiles, strict=True):
            if not all(tile.grown(-1).holds(thing.box) for thing in things):
                raise Rejected("a thing leaves its tile")
            for a, b in combinations(things, 2):
                apart = math.hypot(a.x - b.x, a.y - b.y) - a.reach - b.reach
                if apart < LEAST_GAP - 1e-5:
                    raise Rejected("things touch", value=apart, limit=LEAST_GAP)
            if any(colour_name(thing.colour) != thing.name for thing in things):
                raise Rejected("a colour without a name")

    def paint(self, canvas: Any, state: CountState) -> None:
        for things in state.tiles:
            counters.draw_counters(canvas, things)

    def goal_slots(self, state: CountState, lang: str) -> dict[str, str]:
        ask = boards.ASKS[lang][state.board.mode]
        return {"all": ask, "what": self._what(state, lang)}

    def _what(self, state: CountState, lang: str) -> str:
        """The condition in words: ``more than 3 red balls``."""
        english, chinese, summed = WORDS[state.condition]
        one, several, measured = counters.NAMES[state.tiles[0][0].shape]
        if state.subject == "dice":
            if lang == "zh":
                return f"骰子点数{summed}{state.number}"
            return f"dice that show {english} {state.number} dots in all"
        named = called(state.colour, lang) if state.colour else ""
        if lang == "zh":
            return f"{chinese}{state.number}{measured[0]}{named}{measured[1:]}"
        noun = one if state.number == 1 else several
        return " ".join(word for word in (english, str(state.number), named, noun) if word)

    def reason_slots(
        self, state: CountState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", self._what(state, lang)),
            "count": Slot("count", len(state.board.order)),
            "places": boards.places_slot(state.board, lang),
            "first": boards.first_slot(gold),
        }

    def margins(self, state: CountState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = (thing.box for things in state.tiles for thing in things)
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of thing and tile": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: CountState) -> Json:
        shown = [
            [[t.shape, t.name, t.pips, round(t.x / 8), round(t.y / 8)] for t in things]
            for things in state.tiles
        ]
        return {"ask": [state.condition, state.number, state.colour], "ground":
                [state.board.ground.kind, state.board.ground.seed], "board": shown}  # fmt: skip

    def bad_states(self, state: CountState) -> Iterator[tuple[str, CountState]]:
        def first(*things: counters.Counter) -> CountState:
            return state.model_copy(update={"tiles": (things, *state.tiles[1:])})

        yield "tiles missing", state.model_copy(update={"tiles": state.tiles[1:]})
        yield from self.bad_boards(state)
        own = state.tiles[0]
        yield "a thing leaves its tile", first(replace(own[0], x=-9.0), *own[1:])
        yield "a colour without a name", first(replace(own[0], colour="#8fa3ad"), *own[1:])
        if len(own) > 1:
            beside = replace(own[1], x=own[0].x + 1.0, y=own[0].y)
            yield "things touch", first(own[0], beside, *own[2:])


def counted(things: Sequence[counters.Counter], colour: str) -> int:
    """What the things of a colour (of any, where empty) are worth together."""
    return sum(thing.worth for thing in things if colour in ("", thing.name))


def meets(condition: Condition, value: int, number: int) -> bool:
    """Whether a value meets a condition."""
    if condition == "exactly":
        return value == number
    return value > number if condition == "more" else value < number


def _numbers(subject: str, condition: Condition) -> tuple[int, int]:
    """Numbers that a condition may name, as a half-open range."""
    if subject == "dice":
        return 5, 10
    if subject == "colour":
        return (2, 5) if condition != "exactly" else (1, 5)
    return (3, 6) if condition != "exactly" else (2, 7)


def _value(
    stream: Stream, subject: str, condition: Condition, number: int, right: bool, misses: float
) -> int:
    """A value that meets the condition or does not; by ``misses`` one that is next to it."""
    low, high = {"token": (1, MOST), "colour": (0, 5), "dice": (2, 12)}[subject]
    fit = [v for v in range(low, high + 1) if meets(condition, v, number) == right]
    near = [v for v in fit if abs(v - number) <= 1]
    return stream.choice(near if near and stream.chance(misses) else fit)


def _filled(
    stream: Stream, tile: Box, shape: str, value: int, palette: Mapping[str, str], colour: str
) -> tuple[counters.Counter, ...]:
    """Things on a tile that are worth ``value``, others among them where a colour counts."""
    side = min(tile.width, tile.height)
    if shape == "die":
        first = stream.integer(max(1, value - 6), min(6, value - 1) + 1)
        pips, size = [first, value - first], 0.37 * side
        names = [stream.choice(tuple(palette))] * 2
    else:
        others = [name for name in palette if name != colour]
        extra = stream.integer(1, MOST - value + 1) if colour else 0
        names = [stream.choice(others) for _ in range(extra)]
        names += [colour] * value if colour else [stream.choice(tuple(palette))] * value
        pips, size = [0] * len(names), 0.215 * side
    probe = counters.Counter(shape, 0, 0, size, "", "")
    spots = layout.scatter(
        stream, tile.grown(-EDGE_CSS), [probe.reach] * len(names), LEAST_GAP + 0.01
    )
    return tuple(
        replace(
            probe,
            x=spot.x,
            y=spot.y,
            name=name,
            colour=palette[name],
            turn_deg=stream.uniform(-25, 25),
            pips=pip,
        )
        for spot, name, pip in zip(spots, names, pips, strict=True)
    )
