"""A picture whose tiles change places stop by stop of a slider, and are whole at one stop.

Rule
    Drag the slider to the stop at which the picture is whole. The panel says how many stops
    there are and how many tiles each of them brings home: as many stops as it takes for all
    tiles that are out of place are needed. Behind that stop tiles leave their places again.
Answer
    One drag of the knob to a stop; stops are even parts of the track. The stop is drawn evenly
    from the first to the last that ``most`` leaves, for the tiles and the stops that there are.
Validity
    Up to the right stop each stop brings home as many tiles as is said, two for each swap, and
    no tile moves twice; beyond it every swap leads farther off. Each tile that is out of place
    joins its neighbours worse than the right one would, and so do the tiles that change places
    at the stop beyond: on a small raster of the picture, and for what is shown on the decoded
    slot too. Stops are four grid units apart at least.
Source
    The kaleidoscope puzzle of Halligan, whose frames only the slider shows; here the tiles out
    of place can be counted instead. The nearest stop counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from captcha_types.slider_drag import _scrambles as scrambles
from captcha_types.slider_drag import _slides as slides
from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.core.puzzle import (
    Artwork,
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
from factory.core.rng import Rng
from factory.core.wording import class_words
from factory.draw import low_pictures, picture_images, pictures, tile_joins

SHAPES = ((3, 3), (3, 4), (4, 4), (4, 5))
"""Rows and columns from easy to hard boards."""

STOPS = (6, 9)
"""Stops behind the first, easy and hard."""

MOVED = 0.36
"""Swaps that tiles are out of place by, at most, as a share of the tiles; others hold on."""

TWO_FROM, TWO_SHARE = 0.5, 0.5
"""Difficulty from which a stop may make two swaps, and how often it does."""

LEAST_UNITS = 4.0
"""Between two stops, grid units."""

LEAST_RISE = 16.0
"""Levels by which a wrong tile joins its neighbours worse than the right one, on the raster."""

LEAST_SEEN_RISE = 11.0
"""The same after decoding."""

SPARE = 2.0
"""Swaps are chosen so many levels past the floor."""

TRIES = 4
"""Sets of swaps that are tried for a part of the picture."""

FIDELITY_DB = 22.0
"""Encoding may not blur the picture beyond this."""


class UnscrambleState(State):
    """``lies`` is the arrangement at rest, ``stops`` the swaps of each stop, of which number
    ``answer`` makes the picture whole."""

    picture: dict[str, Any]
    board: tile_joins.TileBoard
    each: int
    lies: tuple[int, ...]
    stops: tuple[tuple[tuple[int, int], ...], ...]
    answer: int
    stop_css: float
    least_css: float

    @property
    def wrong(self) -> int:
        """How many tiles are out of place at rest."""
        return sum(place != tile for place, tile in enumerate(self.lies))


class UnscrambleOptions(Options):
    """``stops``: how many the slider has; ``each``: swaps of a stop; ``tiles``: how many.
    All follow difficulty."""

    stops: int | None = Field(default=None, ge=4, le=12)
    each: int | None = Field(default=None, ge=1, le=2)
    tiles: int | None = Field(default=None, ge=9, le=20)


@register("slider_unscramble_steps", version=1, family="slider_drag")
class SliderUnscrambleSteps(PuzzleType[UnscrambleState, UnscrambleOptions]):
    """See the module."""

    State: ClassVar[type[State]] = UnscrambleState
    Options: ClassVar[type[Options]] = UnscrambleOptions
    mechanics = ("slide",)
    answer_kind = "drag_x"
    seen_side = 180

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="none",
            ratio=(0.66, 0.8),
            width=(240, 288),
            controls=(Control("slider", words="step"),),
        )

    def contents(self, split: str) -> Sequence[Content]:
        return pictures.contents(split)

    def _plan(self, scene: Scene) -> tuple[tuple[int, int], int, int]:
        """(rows and columns, stops, swaps of a stop), fixed for a key."""
        options, hard = self.options, scene.difficulty
        level = min(len(SHAPES) - 1, int(len(SHAPES) * hard))
        if options.tiles:
            sizes = [rows * columns for rows, columns in SHAPES]
            level = sum(size < options.tiles for size in sizes)
        stops = options.stops or STOPS[0] + round((STOPS[1] - STOPS[0]) * hard)
        two = hard >= TWO_FROM and scene.rng.fixed("each").chance(TWO_SHARE)
        return SHAPES[level], stops, options.each or (2 if two else 1)

    def most(self, scene: Scene) -> int:
        """The last stop that may be the right one."""
        (rows, columns), stops, each = self._plan(scene)
        return min(stops - 1, int(MOVED * rows * columns / each))

    def sample(self, scene: Scene) -> UnscrambleState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        shape, stops, each = self._plan(scene)
        answer = 1 + rng.fixed("answer").integer(0, self.most(scene))
        dress, stream = rng.fresh("dress"), rng.fresh("swaps")
        picture = pictures.compose(
            scene.content_kind, scene.content_number, rng.fresh("picture"), scene.split,
            0.5 + 0.5 * hard,
        )  # fmt: skip
        key = low_pictures.key_of(picture.as_dict())
        look = tile_joins.choose_look(dress, slot.width, slot.height, shape, hard)
        found: list[tuple[scrambles.Stop, ...]] = []

        def good(board: tile_joins.TileBoard) -> bool:
            joined = tile_joins.joins(tile_joins.tile_edges(key, board))
            swaps = scrambles.plain_swaps(joined, board)
            for _ in range(TRIES):
                made = scrambles.toward(stream, swaps, answer, each, LEAST_RISE + SPARE)
                if made and _rise(joined, board, made) >= LEAST_RISE:
                    rest = scrambles.beyond(stream, swaps, board.count, stops - answer, each)
                    found.append((*made, *rest))
                    return True
            return False

        board = tile_joins.choose_view(dress, look, good)
        if not found:
            raise Rejected("too few tiles can be told apart", value=0, limit=answer * each)
        placement = scene.placement
        return UnscrambleState(
            picture=picture.as_dict(),
            board=board,
            each=each,
            lies=scrambles.before(board.count, found[0][:answer]),
            stops=found[0],
            answer=answer,
            stop_css=round(slides.travel_css(placement) / stops, 6),
            least_css=round(LEAST_UNITS * slides.unit_css(placement), 6),
        )

    def check(self, state: UnscrambleState) -> None:
        if state.stop_css < state.least_css:
            raise Rejected("stops too close", value=state.stop_css, limit=state.least_css)
        if not 0 < state.answer < len(state.stops):
            raise Rejected("answer at an end", value=state.answer, limit=len(state.stops))
        lying = scrambles.run(state.lies, state.stops)
        for stop, lies in enumerate(lying):
            off = abs(stop - state.answer) * state.each
            if scrambles.distance(lies) != off:
                raise Rejected("not nearer at every stop", value=stop, limit=off)
        if state.wrong != 2 * state.each * state.answer:
            raise Rejected("a tile moves twice", value=state.wrong, limit=state.answer)
        key = low_pictures.key_of(state.picture)
        joined = tile_joins.joins(tile_joins.tile_edges(key, state.board))
        shown = (lying[0], lying[state.answer - 1], lying[state.answer + 1])
        rise = min(tile_joins.rise(joined, lies, state.board) for lies in shown)
        if rise < LEAST_RISE:
            raise Rejected("a wrong tile joins its neighbours", value=rise, limit=LEAST_RISE)

    def draw(self, state: UnscrambleState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        spec = pictures.PictureSpec.from_dict(state.picture)
        whole = board.picture.moved(slot.x0, slot.y0)
        image = picture_images.picture_image(spec, whole, placement.px_per_css)
        places = [box.moved(slot.x0, slot.y0) for box in board.places]

        def page(lies: tuple[int, ...]) -> tuple[Part, ...]:
            def paint(canvas: Any) -> None:
                for at, tile in zip(places, lies, strict=True):
                    tile_joins.paint_tile(canvas, image, whole, places[tile], at, board.round)

            return (Part("tiles", slot, paint),)

        return Artwork(
            parts=(),
            regions={"picture": slot} | {f"cell.{k}": box for k, box in enumerate(places)},
            pages=tuple(page(lies) for lies in scrambles.run(state.lies, state.stops)),
        )

    def mechanic(self, state: UnscrambleState, placement: Placement) -> AnyMechanic:
        return Slide(
            handle=placement.boxes["handle"],
            track=placement.boxes["track"],
            travel_px=slides.travel_css(placement),
            judge="step",
            target=float(state.answer),
            tol=0.0,
            steps=len(state.stops) + 1,
        )

    def goal_slots(self, state: UnscrambleState, lang: str) -> dict[str, str]:
        words = class_words(__file__, lang)
        return {"stops": str(len(state.stops)), "per": words[f"per{state.each}"]}

    def reason_slots(
        self, state: UnscrambleState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drag = gold[0]
        assert isinstance(drag, Drag)
        return {
            "wrong": Slot("count", state.wrong),
            "per": Slot("name", class_words(__file__, lang)[f"per{state.each}"]),
            "answer": Slot("count", state.answer),
            "stops": Slot("count", len(state.stops)),
            "travel": Slot("length", [drag.start[0], drag.end[0]]),
            "start": Slot("point", list(drag.start)),
            "end": Slot("point", list(drag.end)),
        }

    def margins(self, state: UnscrambleState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        board, corner = state.board, (seen.slot.x0, seen.slot.y0)
        lying = tile_joins.edges_seen(seen.decoded, seen.px_per_css, corner, board)
        joined = tile_joins.joins(lying[np.argsort(state.lies)])
        whole = Box(0.0, 0.0, board.width, board.height)
        return {
            "rise at the worst tile": (tile_joins.rise(joined, state.lies, board), LEAST_SEEN_RISE),
            "fidelity in dB": (picture_images.picture_fidelity(seen, whole), FIDELITY_DB),
        }

    def identity(self, state: UnscrambleState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "lies": list(state.lies),
            "stops": len(state.stops),
        }

    def wrong_responses(
        self, state: UnscrambleState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Slide)
        off = rng.fresh("near").uniform(0.6, 0.9)
        stops = {
            "a stop short": state.answer - 1.0,
            "a stop far": state.answer + 1.0,
            "between two stops": state.answer + off,
            "the last stop": float(len(state.stops)),
        }
        if 2 * state.each * state.answer != state.answer:
            stops["a stop for every tile"] = float(state.wrong)
        return [
            WrongResponse(name, (slides.drag_by(mechanic, stop * state.stop_css),))
            for name, stop in stops.items()
            if stop > 0
        ]

    def bad_states(self, state: UnscrambleState) -> Iterator[tuple[str, UnscrambleState]]:
        def changed(**change: Any) -> UnscrambleState:
            return state.model_copy(update=change)

        yield "stops too close", changed(least_css=state.stop_css + 1.0)
        yield "answer at an end", changed(answer=len(state.stops))
        yield "not nearer at every stop", changed(lies=tuple(range(state.board.count)))
        if state.answer > 1 and state.each == 1:
            a, b = state.stops[0][0]
            c = state.stops[1][0][0]
            stops = (((a, b),), ((b, c),), *state.stops[2:])
            lies = scrambles.before(state.board.count, stops[: state.answer])
            yield "a tile moves twice", changed(stops=stops, lies=lies)
        near = replace(state.board, zoom=8.0, x=0.0, y=0.0)
        if _flat(state, near):
            yield "a wrong tile joins its neighbours", changed(board=near)

    def solutions(self, state: UnscrambleState, mechanic: AnyMechanic) -> list[float]:
        """Ways of the knob (CSS px) to every stop at which all tiles lie at home: by making the
        swaps of the stops one after the other."""
        lies, found = list(state.lies), list[float]()
        for number, stop in enumerate(state.stops, start=1):
            for a, b in stop:
                lies[a], lies[b] = lies[b], lies[a]
            if lies == sorted(lies):
                found.append(number * state.stop_css)
        return found

    def labels(self, state: UnscrambleState, scene: Scene) -> Mapping[str, Label]:
        most = self.most(scene)
        return {f"stop of {most} among {len(state.stops)}": Choice(state.answer - 1, most)}


def _rise(
    joined: tile_joins.Joins, board: tile_joins.TileBoard, stops: tuple[scrambles.Stop, ...]
) -> float:
    """The least rise of all tiles that these stops bring home, and of those of the last."""
    count = board.count
    shown = (scrambles.before(count, stops), scrambles.before(count, stops[-1:]))
    return min(tile_joins.rise(joined, lies, board) for lies in shown)


def _flat(state: UnscrambleState, board: tile_joins.TileBoard) -> bool:
    """Whether the swaps of a state would not be seen on this part of the picture."""
    joined = tile_joins.joins(tile_joins.tile_edges(low_pictures.key_of(state.picture), board))
    return tile_joins.rise(joined, state.lies, board) < LEAST_RISE
