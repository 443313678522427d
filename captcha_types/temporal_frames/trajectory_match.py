"""A ball that moves from frame to frame, and drawings of paths of which some are its own.

Rule
    Select the drawing, or every drawing where the panel says so, of the way the ball takes. A
    ring marks where it starts, in the frames as in the drawings.
Answer
    The set of drawings, in any order; a second click takes a selection back.
Validity
    The ball is seen at every turn of its way, so that straight legs between what the frames show
    are the way. Each wrong drawing keeps a discrete Frechet distance from it. Drawings differ in
    line and colour, and wrong ones are repeated as often as right ones, so that likeness of
    drawings says nothing.
Source
    Trajectory recovery of NextGen-CAPTCHAs; set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

import skia
from pydantic import Field as Knob

from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _path_art as art
from captcha_types.temporal_frames import _paths as paths
from captcha_types.temporal_frames import _tiles as tiles
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Content, Options, Placement, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.draw import grounds
from factory.draw.colours import parse_hex
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.panels.paint import ink
from factory.draw.tiles import Board, paint_gaps
from factory.draw.tones import choose_ink

SHARES: Mapping[kit.Form, tuple[float, float]] = {"frames": (0.38, 0.47), "sheet": (0.44, 0.49)}
"""Of the slot's height that the film takes."""

LEAST_APART = 0.22
"""Heights of a drawing that a wrong one keeps from the ball's way: 15 CSS px."""

EASY_APART = 0.36

SAME = 0.02
"""Heights: drawings this near are one, for coordinates are rounded to 1e-6 only."""

WIDEST = 1.45
"""Width of a drawing in heights: frames on a sheet would be too low beyond."""

TURNS = (2, 4)
SIX_FROM = 0.4
"""Difficulty from which there are six drawings, four below."""

LEAST_STEP = 40.0
"""Levels of grey between the lightest and the darkest of a drawing, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur lines beyond this."""


class PathState(tiles.TileState):
    """``way`` is the ball's, in heights of a frame; ``width`` is the frame's in the same unit."""

    way: paths.Path
    turns: int
    width: float
    drawings: tuple[art.Drawing, ...]
    board: Board
    ball: str
    film: tuple[str, str, str]
    ground: grounds.Ground

    @property
    def seen_at(self) -> paths.Path:
        """Where the ball is in each frame."""
        return paths.stops(self.way, self.frames)


class PathOptions(kit.FrameOptions):
    """Each knob follows ``difficulty`` when it is not set."""

    frames: int = Knob(default=8, ge=6, le=9)
    turns: int | None = Knob(default=None, ge=TURNS[0], le=TURNS[1])
    options: Literal[4, 6] | None = None
    distance: float | None = Knob(default=None, ge=LEAST_APART, le=EASY_APART)


@register("trajectory_match", version=1, family="temporal_frames")
class TrajectoryMatch(tiles.TilePuzzle[PathState, PathOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PathState
    Options: ClassVar[type[Options]] = PathOptions
    images = 8
    words: ClassVar = {
        "en": {"one": "the drawing", "all": "every drawing"},
        "zh": {"one": "唯一的图", "all": "所有图"},
    }

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> PathState:
        rng, hard, options = scene.rng, scene.difficulty, self.options
        lot = self.deal(scene, options.options or (6 if hard >= SIX_FROM else 4))
        dress, way = rng.fresh("dress"), rng.fresh("way")
        wide, tall = lot["size"]
        board = Board(
            wide, tall, dress.uniform(*SHARES[lot["form"]]), lot["count"] // 2, 2, dress.chance(0.5)
        )
        width = round(min(WIDEST, board.tiles[0].width / board.tiles[0].height), 6)
        low, high = TURNS
        turns = options.turns or low + min(high - low, int(hard * (high - low + 1)))
        own = paths.wander(way, turns, width)
        least = options.distance or EASY_APART - hard * (EASY_APART - LEAST_APART)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        colours = [choose_ink(dress, ground.tone, floor=3.6) for _ in range(3)]
        every: list[tuple[str, art.Line]] = [(c, line) for c in colours for line in art.LINES]
        looks = dress.sample(every, lot["count"])
        count, others = lot["count"], rng.fresh("others")
        wrong = paths.wrong_paths(others, own, width, least, count, lot["order"])
        return PathState(
            **lot,
            way=own,
            turns=turns,
            width=width,
            drawings=tuple(
                art.Drawing(wrong.get(tile, own), *looks[tile]) for tile in range(count)
            ),
            board=board,
            ball=choose_ink(dress, ground.tone, floor=3.6),
            film=dress.choice(kit.FILMS),
            ground=ground,
        )

    def right_tiles(self, state: PathState) -> set[int]:
        return {
            index
            for index, drawing in enumerate(state.drawings)
            if paths.frechet(state.way, drawing.path) <= SAME
        }

    def check(self, state: PathState) -> None:
        every = (state.way, *(drawing.path for drawing in state.drawings))
        if not all(paths.fits(path) and paths.inside(path, state.width) for path in every):
            raise Rejected("a path that is hard to read")
        if len(paths.turns_of(state.way)) != state.turns:
            raise Rejected("turns miscounted", value=len(state.way) - 2, limit=state.turns)
        if not set(state.way) <= set(state.seen_at):
            raise Rejected("a turn between two frames", value=state.frames, limit=len(state.way))
        for index, drawing in enumerate(state.drawings):
            apart = paths.frechet(state.way, drawing.path)
            if index not in state.order and SAME < apart < LEAST_APART:
                raise Rejected("a drawing too near", value=apart, limit=LEAST_APART)
        self.check_lot(state)

    def solutions(self, state: PathState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The drawings that pass every place where a frame shows the ball, in that order."""
        return [
            tuple(i for i, d in enumerate(state.drawings) if paths.passes(d.path, state.seen_at))
        ]

    def cells(self, state: PathState) -> list[Box]:
        return state.board.tiles

    def windows(self, state: PathState) -> dict[str, Box]:
        frames = {f"frame.{k}": box for k, box in enumerate(_windows(state))}
        return frames | {
            f"drawing.{k}": box for k, box in enumerate(art.screens(state.board.tiles, state.width))
        }

    def paint(
        self, canvas: Any, state: PathState, placement: Placement, shown: Sequence[int]
    ) -> None:
        board, look = state.board, kit.look_of(placement)
        backing, lit, unlit = (parse_hex(colour) for colour in state.film)
        film, tile = board.question, art.screens(state.board.tiles, state.width)[0]
        image = kit.ground_image(state.ground, tile.width, tile.height, placement.px_per_css)
        canvas.drawRect(skia.Rect.MakeLTRB(*board.whole.as_list()), ink(backing))
        for k, box in zip(shown, _windows(state), strict=True):
            kit.paint_window(canvas, image, box)
            art.paint_area(canvas, box, state.way[0], state.ball)
            art.paint_ball(canvas, box, state.seen_at[k], state.ball)
            if len(shown) > 1:
                kit.paint_number(canvas, k + 1, box, look, lit)
        if len(shown) == 1:
            bar = Box(film.x0, film.y0, film.x1, film.y0 + kit.BAR_CSS)
            kit.paint_bar(canvas, bar, shown[0], state.frames, (lit, unlit))
        for box, drawing in zip(
            art.screens(state.board.tiles, state.width), state.drawings, strict=True
        ):
            canvas.drawImageRect(image, skia.Rect.MakeLTRB(*box.as_list()))
            art.paint_area(canvas, box, drawing.path[0], state.ball)
            art.paint_drawing(canvas, drawing, box)
        paint_gaps(canvas, board.whole, [film, *board.tiles], look.rgb(placement.ground))

    def reason_slots(
        self, state: PathState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {**self.common_slots(state, gold, lang), "turns": Slot("count", state.turns)}

    def margins(self, state: PathState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [
            grey_step(seen.decoded, seen.box(box.grown(-4)))
            for box in art.screens(state.board.tiles, state.width)
        ]
        return {
            "step of line and ground": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: PathState) -> Json:
        def binned(path: paths.Path) -> list[list[int]]:
            return [[round(50 * x), round(50 * y)] for x, y in path]

        return {
            "way": binned(state.way),
            "drawings": [binned(drawing.path) for drawing in state.drawings],
            "ground": state.ground.seed,
        }

    def bad_states(self, state: PathState) -> Iterator[tuple[str, PathState]]:
        def changed(**more: Any) -> PathState:
            return state.model_copy(update=more)

        yield from self.bad_lots(state)
        yield "turns miscounted", changed(turns=state.turns + 1)
        yield "a path that is hard to read", changed(way=(state.way[0], *state.way))
        (x, y), wrong = state.way[-1], next(
            i for i in range(state.count) if i not in state.order
        )  # fmt: skip
        for dx, dy in ((0.07, 0.0), (-0.07, 0.0), (0.0, 0.07), (0.0, -0.07)):
            near = (*state.way[:-1], (round(x + dx, 6), round(y + dy, 6)))
            if paths.fits(near) and paths.inside(near, state.width):
                drawn = list(state.drawings)
                drawn[wrong] = art.Drawing(near, drawn[wrong].colour, drawn[wrong].line)
                yield "a drawing too near", changed(drawings=tuple(drawn))


def _windows(state: PathState) -> list[Box]:
    """Where the film shows frames: one window, or one for each."""
    film = state.board.question
    if state.form == "frames":
        return [art.screen(film, state.width)]
    return art.strip(film, state.width, state.frames)
