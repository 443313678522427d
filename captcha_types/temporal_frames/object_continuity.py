"""Films in which a thing passes behind a bar and comes out the same, or changed.

Rule
    Select the tiles, or the only tile, in which the named property (shape, colour, size or
    number) changes behind the bar; or stays, where the panel says so.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    The first and the last frame show all of the thing, before the bar and after it. It changes
    between two frames, or in one, in which the bar hides all of it. Only the named property
    changes, by a floor, and nothing else of any thing does.
Source
    Temporal object continuity of NextGen-CAPTCHAs, after the tunnel effect (Burke 1952); set
    equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.temporal_frames import _films as films
from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _passing as passing
from factory.core.actions import ActionBase
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Content, Options, Placement, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw import grounds
from factory.draw.colour_names import named_palette
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.picture_images import paint_image
from factory.draw.tones import choose_ink

TILES = (4, 6)
SIX_FROM = 0.5
"""Difficulty from which there are six tiles; four on a sheet, whose frames are small."""

STAY = 0.4
"""Chance that tiles without a change are asked for."""

COLOURS = 3
LEAST_STEP = 40.0
"""Levels of grey between things, bar and ground, after decoding."""

FIDELITY_DB = 20.0

WHAT: Mapping[str, Mapping[str, str]] = {
    "en": {
        "shape": "the shape", "colour": "the colour", "size": "the size", "count": "the number",
        "changes": "changes", "stays": "stays the same",
    },
    "zh": {
        "shape": "形状", "colour": "颜色", "size": "大小", "count": "数量",
        "changes": "改变", "stays": "不变",
    },
}  # fmt: skip


class PassState(films.FilmState):
    """``kind`` is what may change; ``stay`` says that tiles without a change are asked for."""

    kind: passing.Kind
    stay: bool
    passages: tuple[passing.Passage, ...]
    wall: str
    bar: float
    ground: grounds.Ground


class PassOptions(kit.FrameOptions):
    """Each knob follows ``difficulty`` when it is not set."""

    frames: int = Knob(default=6, ge=6, le=7)
    tiles: Literal[4, 6] | None = None
    change: passing.Kind | None = None
    bar: float | None = Knob(default=None, ge=passing.BAR[0], le=passing.BAR[1])


@register("object_continuity", version=1, family="temporal_frames")
class ObjectContinuity(films.FilmPuzzle[PassState, PassOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PassState
    Options: ClassVar[type[Options]] = PassOptions
    words: ClassVar = {
        "en": {"one": "the one {tile}", "all": "every {tile}"},
        "zh": {"one": "唯一的{one}", "all": "所有{tile}"},
    }

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> PassState:
        rng, hard, options = scene.rng, scene.difficulty, self.options
        six = hard >= SIX_FROM and scene.pictures > 1
        lot = self.deal(scene, options.tiles or TILES[six])
        dress, things = rng.fresh("dress"), rng.fresh("things")
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        low, high = passing.BAR
        kind, stay = options.change or things.choice(passing.KINDS), things.chance(STAY)
        colours = _colours(dress, kind, ground)
        passages = [
            _passage(things, kind, (tile in lot["order"]) != stay, colours)
            for tile in range(lot["count"])
        ]
        return PassState(
            **lot,
            grain=1,
            kind=kind,
            stay=stay,
            passages=tuple(passages),
            wall=choose_ink(dress, ground.tone, floor=2.2),
            bar=round(low + hard * (high - low) if options.bar is None else options.bar, 6),
            ground=ground,
        )

    def right_tiles(self, state: PassState) -> set[int]:
        return {
            index
            for index, own in enumerate(state.passages)
            if (own.before == own.after) == state.stay
        }

    def check(self, state: PassState) -> None:
        for own in state.passages:
            passing.refuse_change(own, state.kind)
            passing.refuse_places(own, state.frames, state.bar)
        self.check_lot(state)

    def solutions(self, state: PassState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles whose first and last frame agree in the named property, or do not."""
        last = state.frames - 1
        pairs = [
            (own.look(0, state.frames), own.look(last, state.frames)) for own in state.passages
        ]
        same = [getattr(a, state.kind) == getattr(b, state.kind) for a, b in pairs]
        return [tuple(i for i, alike in enumerate(same) if alike == state.stay)]

    def prepared(self, state: PassState, placement: Placement) -> Any:
        window = state.windows(0)[0]
        return kit.ground_image(state.ground, window.width, window.height, placement.px_per_css)

    def paint_film(
        self, canvas: Any, state: PassState, tile: int, frame: int, window: Box, prepared: Any
    ) -> None:
        canvas.save()
        kit.clip_window(canvas, window)
        paint_image(canvas, prepared, window)
        own = state.passages[tile]
        passing.paint(canvas, own, window, frame, state.frames, (state.wall, state.bar))
        canvas.restore()

    def goal_slots(self, state: PassState, lang: str) -> dict[str, str]:
        return {**super().goal_slots(state, lang), **self._words(state, lang)}

    def _words(self, state: PassState, lang: str) -> dict[str, str]:
        words = WHAT[lang]
        return {"what": words[state.kind], "turns": words["stays" if state.stay else "changes"]}

    def reason_slots(
        self, state: PassState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        words = {name: Slot("name", word) for name, word in self._words(state, lang).items()}
        return {**self.common_slots(state, gold, lang), **words}

    def margins(self, state: PassState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = [state.windows(tile)[0].grown(-1) for tile in range(state.count)]
        return {
            "step in a film": (
                min(grey_step(seen.decoded, seen.box(box)) for box in boxes), LEAST_STEP
            ),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }  # fmt: skip

    def identity(self, state: PassState) -> Json:
        def told(look: passing.Look) -> list[Any]:
            return [look.shape, look.colour, look.size, look.count]

        films_shown = [[told(p.before), told(p.after), p.up] for p in state.passages]
        return {"kind": [state.kind, state.stay], "films": films_shown, "ground": state.ground.seed}

    def bad_states(self, state: PassState) -> Iterator[tuple[str, PassState]]:
        own = state.passages[0]

        def changed(after: passing.Look) -> PassState:
            first = replace(own, after=after)
            return state.model_copy(update={"passages": (first, *state.passages[1:])})

        yield from self.bad_lots(state)
        other = next(shape for shape in passing.SHAPES if shape != own.before.shape)
        if state.kind == "shape":
            yield "more than one property changes", changed(replace(own.after, count=3))
        else:
            yield "more than one property changes", changed(replace(own.after, shape=other))
        if state.kind == "colour":
            near = own.before.colour[:-1] + ("0" if own.before.colour[-1] != "0" else "1")
            yield "a change that is hardly seen", changed(replace(own.before, colour=near))
        if state.kind == "size":
            yield "a change that is hardly seen", changed(replace(own.before, size=0.9))
        yield "a thing is not all hidden", state.model_copy(update={"bar": 0.2})
        yield "a thing is not all seen", state.model_copy(update={"bar": 0.6})


def _colours(stream: Stream, kind: passing.Kind, ground: grounds.Ground) -> list[str]:
    """Colours of things: far apart where they are what may change."""
    if kind == "colour":
        return list(named_palette(stream, COLOURS, ground.tone).values())
    return [choose_ink(stream, ground.tone) for _ in range(COLOURS)]


def _passage(
    stream: Stream, kind: passing.Kind, changes: bool, colours: Sequence[str]
) -> passing.Passage:
    """A thing that changes in one property, or in none."""
    large = 1.0 if kind != "size" else stream.choice((1.0, passing.SMALL))
    count = stream.choice((1, 2)) if kind == "count" else 1
    before = passing.Look(stream.choice(passing.SHAPES), stream.choice(list(colours)), large, count)
    others: Mapping[passing.Kind, Sequence[Any]] = {
        "shape": [shape for shape in passing.SHAPES if shape != before.shape],
        "colour": [colour for colour in colours if colour != before.colour],
        "size": [passing.SMALL if large == 1.0 else 1.0],
        "count": [3 - count],
    }
    after = replace(before, **{kind: stream.choice(others[kind])}) if changes else before
    return passing.Passage(before, after, round(stream.uniform(-1, 1), 6), stream.chance(0.5))
