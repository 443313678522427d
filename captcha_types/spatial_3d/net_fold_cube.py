"""A net with six pictures, and cubes of which it makes some.

Rule
    Select the cube, or every cube where the panel says so, that the net makes when it is
    folded with its pictures outside.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    The net is one of the eleven of a cube. Over all 24 poses of the folded cube, right tiles
    show one of its views and wrong ones none: two pictures swapped, one of the opposite side,
    or one turned. Where turns matter every picture looks different after each quarter turn;
    where pictures look alike from all sides, turns are no fault. Every picture stands out
    from its face, measured on the decoded picture.
Source
    Nets of boxes as in NextGen-CAPTCHAs (Box_Folding) and Spatial-CAPTCHA-Bench
    (net_unfolding); set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.spatial_3d import _kit as kit
from captcha_types.spatial_3d import _net as nets
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.cells import Cells
from factory.core.mechanics.zones import Zone
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
from factory.draw import grounds, solid
from factory.draw.measure import pixel_fidelity
from factory.draw.solid.measure import mark_step
from factory.draw.tiles import Board, paint_gaps
from factory.draw.tokens import tokens_named

Mode = Literal["one", "all"]
MODES: tuple[Mode, ...] = ("one", "all")
MODE_SHARES = (0.6, 0.4)

SHARES = (0.34, 0.42)
"""Of the board's height that the net's tile takes."""

PAD_PX = 8.0
LEAST_STEP = 26.0
"""Levels of grey between a picture and its face, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the pictures beyond this."""

SIX_FROM = 0.4
"""Difficulty from which there are six cubes, four below."""

LEANING_FROM = 0.3
"""Difficulty from which turns of pictures matter."""

TRIES = 30
"""Spoiled views that are drawn for each wrong tile before the state is given up."""


class FoldState(State):
    """``options`` are views in reading order; px are CSS px from the board's corner."""

    mode: Mode
    order: tuple[int, ...]
    """The right tiles, in the order in which they were drawn by lot."""
    sheet: nets.Sheet
    options: tuple[nets.View, ...]
    board: Board
    net_box: tuple[float, float, float, float]
    """Where in the picture the net lies: left, top, right, bottom."""
    cameras: tuple[solid.Camera, ...]
    light: solid.Light
    ground: grounds.Ground
    feedback: Literal["tick", "outline"]


class FoldOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    options: Literal[4, 6] | None = None
    leaning: bool | None = Knob(default=None, description="whether turns of pictures matter")


@register("net_fold_cube", version=1, family="spatial_3d")
class NetFoldCube(PuzzleType[FoldState, FoldOptions]):
    """See the module."""

    State: ClassVar[type[State]] = FoldState
    Options: ClassVar[type[Options]] = FoldOptions
    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 200

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(1.0, 1.08), width=(252, 288), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def count(self, difficulty: float) -> int:
        """How many cubes stand below the net."""
        return self.options.options or (6 if difficulty >= SIX_FROM else 4)

    def sample(self, scene: Scene) -> FoldState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        tiles = self.count(hard)
        mode = rng.fixed("mode").weighted(MODES, MODE_SHARES)
        right = 1 if mode == "one" else rng.fixed("count").choice(_counts(tiles))
        order = tuple(rng.fixed("order").sample(range(tiles), right))
        leaning = hard >= LEANING_FROM if self.options.leaning is None else self.options.leaning
        fold = rng.fresh("fold")
        net = nets.laid(fold, fold.integer(0, len(nets.NETS)))
        symbols = fold.sample(sorted(nets.LEANING if leaning else nets.FREE), 6)
        dress = rng.fresh("dress")
        paper, inks = kit.choose_paper(dress, colourful=dress.random() > hard)
        board = Board(slot.width, slot.height, dress.uniform(*SHARES), tiles // 2, 2,
                      dress.chance(0.4))  # fmt: skip
        return FoldState(
            mode=mode,
            order=order,
            sheet=nets.Sheet(net, tuple(symbols), not leaning, paper, inks),
            options=_options(rng.fresh("views"), net, order, tiles, hard, free=not leaning),
            board=board,
            net_box=kit.somewhere(dress, board.question.grown(-PAD_PX), 0.84),
            cameras=tuple(kit.cube_camera(dress, box.grown(-PAD_PX)) for box in board.tiles),
            light=solid.Light(dress.uniform(-160.0, -110.0), dress.uniform(50.0, 62.0), 0.6),
            ground=grounds.compose(
                scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
            ),
            feedback=dress.choice(("tick", "outline")),
        )

    def check(self, state: FoldState) -> None:
        if not nets.is_net(state.sheet.cells):
            raise Rejected("the net makes no cube")
        if len(set(state.sheet.symbols)) < 6:
            raise Rejected("a picture comes twice")
        if any((name in nets.FREE) != state.sheet.free for name in state.sheet.symbols):
            raise Rejected("a picture that hides or shows its turn")
        fits = nets.views(state.sheet.cells, state.sheet.free)
        right = {i for i, v in enumerate(state.options) if nets.plain(v, state.sheet.free) in fits}
        if right != set(state.order):
            raise Rejected("tiles and net disagree", value=len(right), limit=len(state.order))
        if len(set(state.options)) < len(state.options):
            raise Rejected("two tiles are alike")
        if len(right) != 1 and (
            state.mode == "one" or len(right) not in _counts(len(state.options))
        ):
            raise Rejected("count and mode disagree", value=len(right), limit=1)

    def draw(self, state: FoldState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        board = state.board
        cells = nets.net_boxes(state.sheet.cells, Box(*state.net_box))
        cube = solid.Cube((0.0, 0.0, 0.0), 1.0, 0.0, 0, state.sheet.paper)

        def paint(canvas: Any) -> None:
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, board.whole)
            nets.paint_net(canvas, cells, state.sheet)
            for camera, view in zip(state.cameras, state.options, strict=True):
                solid.paint_shadows(canvas, solid.cube_shadows(camera, state.light, [cube]))
                art = nets.art_of(view, state.sheet)
                solid.paint_cube(canvas, camera, state.light, cube, art)
            look = tokens_named(placement.tokens)
            paint_gaps(canvas, board.whole, [board.question, *board.tiles],
                       look.rgb(placement.ground))  # fmt: skip
            canvas.restore()

        regions: dict[str, Box | Zone] = {"picture": slot}
        for index, box in enumerate(cells):
            regions[f"net.{index}"] = box.moved(slot.x0, slot.y0)
        for index, camera in enumerate(state.cameras):
            regions[f"cell.{index}"] = board.tiles[index].moved(slot.x0, slot.y0)
            for place, side in enumerate(nets.SIDES):
                zone = cube.face_zone(camera, side)
                regions[f"face.{3 * index + place}"] = kit.moved_zone(zone, slot)
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: FoldState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Cells(
            cells=tuple(box.moved(slot.x0, slot.y0) for box in state.board.tiles),
            answer=tuple(sorted(state.order)),
            mode="radio" if state.mode == "one" else "toggle",
            submit=placement.submit,
            feedback=state.feedback,
        )

    def goal_slots(self, state: FoldState, lang: str) -> dict[str, str]:
        return {"cubes": CUBES[lang][state.mode]}

    def reason_slots(
        self, state: FoldState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first = gold[0]
        assert isinstance(first, Click)
        cube = nets.folded(state.sheet.cells)
        named = [state.sheet.symbols[cube[side][0]] for side in (0, 1, 2, 3)]
        words = [name if lang == "en" else SYMBOLS_ZH[name] for name in named]
        return {
            "a": Slot("name", words[0]),
            "b": Slot("name", words[1]),
            "c": Slot("name", words[2]),
            "d": Slot("name", words[3]),
            "count": Slot("count", len(state.order)),
            "first": Slot("point", list(first.point)),
        }

    def margins(self, state: FoldState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        cube = solid.Cube((0.0, 0.0, 0.0), 1.0, 0.0, 0, state.sheet.paper)
        darker = min(nets.SIDES[1:], key=lambda side: state.light.level(cube.out(side)))
        steps = [mark_step(seen, cube.face_zone(camera, darker)) for camera in state.cameras]
        return {
            "step of pictures and faces": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: FoldState) -> Json:
        return {
            "net": [
                [*cell, name]
                for cell, name in zip(state.sheet.cells, state.sheet.symbols, strict=True)
            ],
            "options": [[list(mark) for mark in view] for view in state.options],
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: FoldState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        return kit.wrong_tiles(rng, mechanic, state.order, one=state.mode == "one")

    def bad_states(self, state: FoldState) -> Iterator[tuple[str, FoldState]]:
        def changed(**more: Any) -> FoldState:
            return state.model_copy(update=more)

        wrong = next(i for i in range(len(state.options)) if i not in state.order)
        yield "tiles and net disagree", changed(order=(*state.order, wrong))
        row = tuple((x, 0) for x in range(6))
        yield "the net makes no cube", changed(sheet=replace(state.sheet, cells=row))
        doubled = (*state.sheet.symbols[:5], state.sheet.symbols[0])
        yield "a picture comes twice", changed(sheet=replace(state.sheet, symbols=doubled))
        yield (
            "a picture that hides or shows its turn",
            changed(sheet=replace(state.sheet, free=not state.sheet.free)),
        )
        twin = list(state.options)
        other = next(i for i in range(len(twin)) if i not in (wrong, state.order[0]))
        twin[other] = twin[wrong if other not in state.order else state.order[0]]
        yield "two tiles are alike", changed(options=tuple(twin))
        spread = _spread(state)
        yield "count and mode disagree", changed(options=spread, order=(0, 1), mode="one")

    def solutions(self, state: FoldState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles whose three faces meet in a corner of the net's cube the same way round.

        By opposite sides, by the sense of rotation at the corner, and by each picture's turn
        against its neighbour, instead of by enumerating poses.
        """
        cube = nets.folded(state.sheet.cells)
        return [
            tuple(i for i, view in enumerate(state.options) if kit.corner_fits(
                cube, view, free=state.sheet.free))
        ]  # fmt: skip

    def labels(self, state: FoldState, scene: Scene) -> Mapping[str, Label]:
        tiles = len(state.options)
        found: dict[str, Label] = {
            "mode": Choice(MODES.index(state.mode), 2, MODE_SHARES),
            f"a tile of {tiles}": Choice(state.order[0], tiles),
        }
        if state.mode == "all":
            counts = _counts(tiles)
            found[f"count of {tiles}"] = Choice(counts.index(len(state.order)), len(counts))
        return found


CUBES = {
    "en": {"one": "the cube", "all": "every cube"},
    "zh": {"one": "唯一的立方体", "all": "所有立方体"},
}
SYMBOLS_ZH = {
    "disc": "圆点", "ring": "圆环", "square": "方块", "frame": "方框",
    "plus": "十字", "star": "星形", "four dots": "四点", "arrow": "箭头", "heart": "心形",
    "moon": "月牙", "quarter": "扇形", "house": "房子", "boat": "帆船", "tee": "丁字",
    "flag": "旗子", "angle": "直角", "triangle": "三角", "bowl": "半圆",
}  # fmt: skip


def _counts(tiles: int) -> tuple[int, ...]:
    """How many cubes may be right where several are asked for."""
    return tuple(range(1, tiles - 1))


def _options(
    stream: Stream,
    net: tuple[nets.Cell, ...],
    order: tuple[int, ...],
    tiles: int,
    hard: float,
    *,
    free: bool,
) -> tuple[nets.View, ...]:
    """Views by tile: different right ones at ``order``, one fault in each of the others."""
    fits = nets.views(net, free)
    ways = ["far", "swapped"] if free else ["swapped", "turned"]
    if not free and stream.random() > hard:
        ways.append("far")
    cube = nets.folded(net)
    poses = stream.sample(range(24), tiles)
    shown = [nets.plain(nets.view_of(cube, pose), free) for pose in poses]
    for tile in range(tiles):
        if tile in order:
            continue
        for _ in range(TRIES):
            view = nets.spoiled(stream, shown[tile], net, stream.choice(ways))
            view = nets.plain(view, free)
            if view not in fits and view not in shown:
                shown[tile] = view
                break
    return tuple(shown)


def _spread(state: FoldState) -> tuple[nets.View, ...]:
    """Options of which the first two are right and no others."""
    wrong = [v for i, v in enumerate(state.options) if i not in state.order]
    fits = sorted(nets.views(state.sheet.cells, state.sheet.free))
    return (fits[0], fits[1], *wrong[:2])
