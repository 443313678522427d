"""A figure of blocks, and views of which some show the same figure from another side.

Rule
    Select the view, or every view where the panel says so, that shows the figure of the
    large tile from another side. Figures stand upright; views differ in where one stands.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Every block of the figure shows a third or more of its sides in the large tile, so that
    none is hidden. The figure is not its own mirror image. What a wrong view shows, a mirror
    image or a figure with one block moved, differs from all four upright views of the figure
    by three half sides or more of what is seen. Where one view is right, no wrong figure comes
    twice, or the right one would be the one without a twin. Cameras keep off the blocks' axes.
Source
    Views of one object as in NextGen-CAPTCHAs (3D_Viewpoint) and Spatial-CAPTCHA-Bench
    (perspective_views, pyramid_views), after Shepard and Metzler (1971); set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.spatial_3d import _figures as figures
from captcha_types.spatial_3d import _kit as kit
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
from factory.core.rng import Rng
from factory.draw import grounds, solid
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.solid import lattice
from factory.draw.tiles import Board, paint_gaps
from factory.draw.tokens import tokens_named

Mode = Literal["one", "all"]
MODES: tuple[Mode, ...] = ("one", "all")
MODE_SHARES = (0.6, 0.4)

SHARES = (0.36, 0.43)
"""Of the board's height that the tile of the figure takes."""

PAD_PX = 9.0
BLOCKS = (5, 8)
LEAST_APART = 3
"""Half sides by which a wrong view differs from every right one."""

LEAST_STEP = 40.0
"""Levels of grey between the lightest and the darkest of a figure, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the edges of blocks beyond this."""

OFF_DEG = 17.0
"""How far cameras are beside the diagonal of the blocks at most."""

SIX_FROM = 0.45
"""Difficulty from which there are six views, four below."""


class ViewState(State):
    """``shown`` are the figures of the tiles; cameras look from above corners (``quadrants``)."""

    mode: Mode
    order: tuple[int, ...]
    """The right tiles, in the order in which they were drawn by lot."""
    figure: figures.Figure
    quadrant: int
    camera: solid.Camera
    shown: tuple[figures.Figure, ...]
    quadrants: str
    """One digit for each tile."""
    cameras: tuple[solid.Camera, ...]
    colours: tuple[str, str]
    aside_deg: float
    """The light stands so far to the left of each camera's corner."""
    board: Board
    ground: grounds.Ground
    feedback: Literal["tick", "outline"]


class ViewOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    options: Literal[4, 6] | None = None
    blocks: int | None = Knob(default=None, ge=BLOCKS[0], le=BLOCKS[1])


@register("viewpoint_match_3d", version=1, family="spatial_3d")
class ViewpointMatch3d(PuzzleType[ViewState, ViewOptions]):
    """See the module."""

    State: ClassVar[type[State]] = ViewState
    Options: ClassVar[type[Options]] = ViewOptions
    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(1.0, 1.08), width=(252, 288), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def blocks(self, difficulty: float) -> int:
        """How many blocks the figure has."""
        low, high = BLOCKS
        return self.options.blocks or low + min(high - low, int(difficulty * (high - low + 1)))

    def sample(self, scene: Scene) -> ViewState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        tiles = self.options.options or (6 if hard >= SIX_FROM else 4)
        mode = rng.fixed("mode").weighted(MODES, MODE_SHARES)
        right = 1 if mode == "one" else rng.fixed("count").choice(_counts(tiles))
        order = tuple(rng.fixed("order").sample(range(tiles), right))
        dress, view = rng.fresh("dress"), rng.fresh("view")
        quadrant = view.integer(0, 4)
        marks = view.integer(0, 3) if view.random() > hard else 0
        figure = figures.grown(rng.fresh("figure"), self.blocks(hard), quadrant, marks)
        corners = [view.choice(_corners(quadrant, hard)) for _ in range(tiles)]
        least = LEAST_APART + round(3 * (1 - hard) * view.random())
        edits, wrong = rng.fresh("edits"), dict[int, figures.Figure]()
        for tile in sorted({*range(tiles)} - {*order}):
            others = tuple(wrong.values()) if mode == "one" else ()
            wrong[tile] = figures.changed(
                edits, figure, corners[tile], least, 0.15 + 0.35 * hard, others
            )
        shown = tuple(wrong.get(tile, figure) for tile in range(tiles))
        board = Board(slot.width, slot.height, dress.uniform(*SHARES), tiles // 2, 2,
                      dress.chance(0.4))  # fmt: skip
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        boxes = [box.grown(-PAD_PX) for box in board.tiles]
        return ViewState(
            mode=mode,
            order=order,
            figure=figure,
            quadrant=quadrant,
            camera=figures.camera_of(view, quadrant, figure,
                                     Box(*kit.somewhere(view, board.question.grown(-PAD_PX), 0.9)),
                                     OFF_DEG),
            shown=shown,
            quadrants="".join(map(str, corners)),
            cameras=tuple(figures.camera_of(view, corner, own, box, OFF_DEG)
                          for corner, own, box in zip(corners, shown, boxes, strict=True)),
            colours=kit.choose_blocks(dress, ground.tone),
            aside_deg=round(view.choice((-1, 1)) * view.uniform(35.0, 75.0), 6),
            board=board,
            ground=ground,
            feedback=dress.choice(("tick", "outline")),
        )  # fmt: skip

    def check(self, state: ViewState) -> None:
        if not all(figures.joined(f.cells) for f in (state.figure, *state.shown)):
            raise Rejected("a figure falls apart")
        if not figures.readable(state.figure, state.quadrant):
            raise Rejected("a block is hidden, or the figure is its own mirror image")
        forms = lattice.upright_forms(state.figure.cells)
        right = {i for i, f in enumerate(state.shown) if lattice.rested(f.cells) in forms}
        if right != set(state.order):
            raise Rejected("tiles and figure disagree", value=len(right), limit=len(state.order))
        others = [
            lattice.upright_forms(f.cells) for i, f in enumerate(state.shown) if i not in right
        ]
        if state.mode == "one" and len(set(others)) < len(others):
            raise Rejected("a wrong figure comes twice", value=len(set(others)), limit=len(others))
        for index, own in enumerate(state.shown):
            if index in right:
                continue
            apart = figures.apart(state.figure, own, int(state.quadrants[index]))
            if apart < LEAST_APART:
                raise Rejected("a change that is hardly seen", value=apart, limit=LEAST_APART)
        counts = (1,) if state.mode == "one" else _counts(len(state.shown))
        if len(right) not in counts:
            raise Rejected("count and mode disagree", value=len(right), limit=1)
        rooms = [state.board.question, *state.board.tiles]
        for room, camera, own in zip(rooms, (state.camera, *state.cameras),
                                     (state.figure, *state.shown), strict=True):  # fmt: skip
            if not all(room.contains(p) for p in kit.block_outline(camera, own.cells)):
                raise Rejected("a figure leaves its tile")

    def draw(self, state: ViewState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board

        def paint(canvas: Any) -> None:
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, board.whole)
            views = zip(
                (state.quadrant, *map(int, state.quadrants)),
                (state.camera, *state.cameras),
                (state.figure, *state.shown),
                strict=True,
            )
            for corner, camera, own in views:
                light = kit.corner_light(corner, state.aside_deg)
                kit.paint_figure(canvas, camera, light, own.cells, own.marked, state.colours)
            look = tokens_named(placement.tokens)
            paint_gaps(canvas, board.whole, [board.question, *board.tiles],
                       look.rgb(placement.ground))  # fmt: skip
            canvas.restore()

        regions: dict[str, Box | Zone] = {
            "picture": slot,
            "figure": kit.moved_zone(kit.block_outline(state.camera, state.figure.cells), slot),
        }
        for index, box in enumerate(board.tiles):
            regions[f"cell.{index}"] = box.moved(slot.x0, slot.y0)
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: ViewState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Cells(
            cells=tuple(box.moved(slot.x0, slot.y0) for box in state.board.tiles),
            answer=tuple(sorted(state.order)),
            mode="radio" if state.mode == "one" else "toggle",
            submit=placement.submit,
            feedback=state.feedback,
        )

    def goal_slots(self, state: ViewState, lang: str) -> dict[str, str]:
        return {"views": VIEWS[lang][state.mode]}

    def reason_slots(
        self, state: ViewState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first = gold[0]
        assert isinstance(first, Click)
        return {
            "blocks": Slot("count", len(state.figure.cells)),
            "count": Slot("count", len(state.order)),
            "first": Slot("point", list(first.point)),
        }

    def margins(self, state: ViewState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = [kit.bounds(kit.block_outline(camera, own.cells))
                 for camera, own in zip(state.cameras, state.shown, strict=True)]  # fmt: skip
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of sides": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: ViewState) -> Json:
        return {
            "figure": [list(cell) for cell in state.figure.cells],
            "shown": [[list(cell) for cell in own.cells] for own in state.shown],
            "quadrants": state.quadrants,
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: ViewState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        return kit.wrong_tiles(rng, mechanic, state.order, one=state.mode == "one")

    def bad_states(self, state: ViewState) -> Iterator[tuple[str, ViewState]]:
        def changed(**more: Any) -> ViewState:
            return state.model_copy(update=more)

        wrong = next(i for i in range(len(state.shown)) if i not in state.order)
        yield "tiles and figure disagree", changed(order=(*state.order, wrong))
        x, y, z = state.figure.cells[-1]
        loose = (*state.figure.cells[:-1], (x + 9, y, z))
        yield "a figure falls apart", changed(figure=replace(state.figure, cells=loose))
        bar = figures.Figure(tuple((i, 0, 0) for i in range(4)))
        yield "a block is hidden, or the figure is its own mirror image", changed(figure=bar)
        twin = replace(state.figure, marked=state.figure.cells[:1])
        same = [own if i != wrong else twin for i, own in enumerate(state.shown)]
        yield "tiles and figure disagree", changed(shown=tuple(same))
        near = replace(state.camera, focus=3 * state.camera.focus)
        yield "a figure leaves its tile", changed(camera=near)
        if state.mode == "one":
            other = next(i for i in range(len(state.shown)) if i not in (*state.order, wrong))
            again = [state.shown[other] if i == wrong else f for i, f in enumerate(state.shown)]
            yield "a wrong figure comes twice", changed(shown=tuple(again))
            both = [state.figure if i == wrong else own for i, own in enumerate(state.shown)]
            yield (
                "count and mode disagree",
                changed(shown=tuple(both), order=(*state.order, wrong)),
            )

    def solutions(self, state: ViewState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles whose view is one of the figure's four: by what is seen, not by the blocks."""
        return [
            tuple(
                index
                for index, own in enumerate(state.shown)
                if figures.apart(state.figure, own, int(state.quadrants[index])) == 0
            )
        ]

    def labels(self, state: ViewState, scene: Scene) -> Mapping[str, Label]:
        tiles = len(state.shown)
        found: dict[str, Label] = {
            "mode": Choice(MODES.index(state.mode), 2, MODE_SHARES),
            f"a tile of {tiles}": Choice(state.order[0], tiles),
        }
        if state.mode == "all":
            counts = _counts(tiles)
            found[f"count of {tiles}"] = Choice(counts.index(len(state.order)), len(counts))
        return found


VIEWS = {
    "en": {"one": "the view", "all": "every view"},
    "zh": {"one": "视图", "all": "所有视图"},
}


def _counts(tiles: int) -> tuple[int, ...]:
    """How many views may be right where several are asked for."""
    return tuple(range(1, tiles - 1))


def _corners(quadrant: int, hard: float) -> tuple[int, ...]:
    """Corners that views look from: beside the large tile's own, and the far one when hard."""
    beside = ((quadrant + 1) % 4, (quadrant + 3) % 4)
    return beside if hard < 1 / 3 else (*beside, (quadrant + 2) % 4)
