"""A corridor from a dot to a star, with dead ends beside it.

Rule
    Draw a line from the dot through the corridor to the star, and leave the corridor nowhere.
Answer
    Strokes along the one corridor that joins them. The cell to start in is drawn evenly; the
    way from there follows from a keyed walk, so that no rejection moves it.
Validity
    Corridors branch like a tree, so one way leads from dot to star. They are 18 CSS px wide
    or wider, their walls 12 or thicker; the way has three to eight legs. What is judged is
    what is drawn: the pen stays within half the width of the corridor's middle.
Source
    Mazes to be drawn through, as on paper. Our own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import skia
from pydantic import Field as Knob

from captcha_types.path_trace import _corridors as corridors
from captcha_types.path_trace import _kit as kit
from captcha_types.path_trace._corridors import Maze
from factory.core.actions import ActionBase, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.trace import Trace
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
from factory.core.tapping import send
from factory.draw import grounds
from factory.draw.styles import rgb_colour
from factory.draw.tones import LARGE_GLYPHS, choose_ink, rim_for

SHAPES = ((3, 4), (4, 5), (4, 6))
"""Rows and columns of cells from easy to hard."""

CELLS = (5, 9)
"""Cells on the way, from easy to hard."""

HALVES = (0.25, 0.225)
"""Half the width of a corridor at the easy and the hard end, by the distance of two cells."""

CLOSED = (0.25, 1.0)
"""Share of the free cells that dead ends lead to, from easy to hard."""

BENDS = (0.0, 0.1)
"""How far cells stray from their places, by their size: corridors are straight, or bend anew at
every cell."""

EDGE_CSS = 1.6
DOT_SHARE, STAR_SHARE = 0.5, 0.78
"""Radii of the dot and the star, by half the corridor's width."""

LEAST_STEP = 34.0
"""Levels between a corridor and its walls, after decoding."""


class MazeState(State):
    """``ink`` fills the corridors of ``maze``, ``mark`` is the dot's and the star's colour."""

    maze: Maze
    ink: str
    edge: str
    mark: str
    dashed: bool
    ground: grounds.Ground
    size: tuple[float, float]


class MazeOptions(Options):
    """Each knob follows ``difficulty`` when it is not set. ``shape``: a place in the shapes."""

    shape: int | None = Knob(default=None, ge=0, le=len(SHAPES) - 1)
    cells: int | None = Knob(default=None, ge=CELLS[0], le=CELLS[1])
    half: float | None = Knob(default=None, ge=HALVES[1], le=HALVES[0])
    bent: float | None = Knob(default=None, ge=0.0, le=BENDS[1])
    branches: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("trace_path_drag", version=1, family="path_trace")
class TracePathDrag(PuzzleType[MazeState, MazeOptions]):
    """See the module."""

    State: ClassVar[type[State]] = MazeState
    Options: ClassVar[type[Options]] = MazeOptions
    mechanics = ("trace",)
    answer_kind = "polyline"
    seen_side = 110

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="rect", ratio=(0.72, 0.8), width=(256, 300))

    def contents(self, split: str) -> Sequence[Content]:
        return kit.contents()

    def sample(self, scene: Scene) -> MazeState:
        rng, slot, knob, hard = (
            scene.rng, scene.placement.boxes["slot"], self.options, scene.difficulty,
        )  # fmt: skip
        at = kit.stepped((0, len(SHAPES) - 1), hard) if knob.shape is None else knob.shape
        rows, columns = SHAPES[at]
        size = (slot.width, slot.height)
        start = rng.fixed("start").integer(0, rows * columns)
        count = knob.cells or kit.stepped(CELLS, hard)
        path = corridors.walk(rng.fixed("walk"), (start,), rows, columns, count)
        stream = rng.fresh("maze")
        share = CLOSED[0] + hard * (CLOSED[1] - CLOSED[0])
        share = share if knob.branches is None else knob.branches
        half = HALVES[0] + hard * (HALVES[1] - HALVES[0]) if knob.half is None else knob.half
        bent = stream.choice(BENDS) if knob.bent is None else knob.bent
        spurs = corridors.spurs(
            stream, path, rows, columns, round(share * (rows * columns - count))
        )
        ground = kit.flat_ground(scene, rng.fresh("ground"))
        ink = choose_ink(rng.fresh("ink"), ground.tone, floor=LARGE_GLYPHS)
        return MazeState(
            maze=Maze(
                columns=columns,
                cells=corridors.lattice(stream, size, rows, columns, bent),
                path=path,
                spurs=spurs,
                half=round(half * min(size[0] / columns, size[1] / rows), 6),
            ),
            ink=ink,
            edge=kit.case_of(ink, ground),
            mark=rim_for(ink),
            dashed=rng.fresh("dress").chance(0.35),
            ground=ground,
            size=size,
        )

    def check(self, state: MazeState) -> None:
        corridors.refuse_maze(state.maze, state.size)
        if not state.ground.tone.reads(state.ink, LARGE_GLYPHS):
            raise Rejected("corridors do not stand out")

    def draw(self, state: MazeState, placement: Placement) -> Artwork:
        slot, maze = placement.boxes["slot"], state.maze

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, Box(0, 0, *state.size))
            _paint(canvas, state)

        def around(cell: int) -> Box:
            x, y = maze.cells[cell]
            return Box(x, y, x, y).grown(maze.half).moved(slot.x0, slot.y0)

        return Artwork(
            parts=(Part("maze", slot, paint),),
            regions={
                "picture": slot,
                "start": around(maze.path[0]),
                "end": around(maze.path[-1]),
            },
        )

    def mechanic(self, state: MazeState, placement: Placement) -> AnyMechanic:
        slot, maze = placement.boxes["slot"], state.maze
        line = maze.line(maze.path)
        return Trace(
            path=tuple(Point(slot.x0 + x, slot.y0 + y) for x, y in line),
            tol_px=maze.half,
            mode="follow",
            submit=placement.submit,
        )

    def reason_slots(
        self, state: MazeState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drags = [action for action in gold if isinstance(action, Drag)]
        return {
            "start": Slot("point", list(drags[0].start)),
            "end": Slot("point", list(drags[-1].end)),
            "turn": Slot("point", list(drags[0].end)),
            "strokes": Slot("count", len(drags)),
        }

    def margins(self, state: MazeState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        maze = state.maze
        on = [_between(maze.cells[a], maze.cells[b]) for a, b in maze.links]
        wall = [
            _between(maze.cells[k], maze.cells[k + maze.columns + 1])
            for k in range(len(maze.cells) - maze.columns - 1)
            if (k + 1) % maze.columns
        ]
        walls = [wall[k % len(wall)] for k in range(len(on))]
        return {"step of corridor and wall": (kit.line_step(seen, on, walls), LEAST_STEP)}

    def identity(self, state: MazeState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "path": list(state.maze.path),
            "spurs": [list(spur) for spur in state.maze.spurs],
        }

    def wrong_responses(
        self, state: MazeState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Trace)
        path = mechanic.path
        half = len(path) // 2
        out = [Point(x, y + 3 * mechanic.tol_px) for x, y in path[half : half + 1]]
        lines = {
            "the other way": path[::-1],
            "straight to the star": (path[0], path[-1]),
            "half way only": path[: half + 1],
            "out and back": (*path[: half + 1], *out, *path[half:]),
        }
        return [
            WrongResponse(name, (*(Drag(a, b) for a, b in pairwise(line)), *send(mechanic.submit)))
            for name, line in lines.items()
        ]

    def bad_states(self, state: MazeState) -> Iterator[tuple[str, MazeState]]:
        for reason, maze in corridors.bad_mazes(state.maze, state.size):
            yield reason, state.model_copy(update={"maze": maze})
        faint = state.ground.colours[0]
        yield "corridors do not stand out", state.model_copy(update={"ink": faint})

    def solutions(self, state: MazeState, mechanic: AnyMechanic) -> list[tuple[Point, ...]]:
        """The middle of the way that a search through all corridors finds."""
        return [tuple(state.maze.line(corridors.way_by_search(state.maze)))]

    def labels(self, state: MazeState, scene: Scene) -> Mapping[str, Label]:
        count = len(state.maze.cells)
        return {f"start of {count}": Choice(state.maze.path[0], count)}


def _between(a: tuple[float, float], b: tuple[float, float]) -> Point:
    return Point((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _paint(canvas: Any, state: MazeState) -> None:
    """Edges of all corridors, then what they enclose, the dot and the star."""
    maze, path = state.maze, skia.Path()
    for way in (maze.path, *maze.spurs):
        path.addPoly([skia.Point(*point) for point in maze.line(way)], False)
    for colour, width in ((state.edge, 2 * (maze.half + EDGE_CSS)), (state.ink, 2 * maze.half)):
        pen = kit.paint_of(colour, width)
        pen.setStrokeCap(skia.Paint.kRound_Cap)
        canvas.drawPath(path, pen)
    if state.dashed:
        pen = kit.paint_of(state.edge, 1.4)
        pen.setPathEffect(skia.DashPathEffect.Make([5.0, 5.0], 0.0))
        canvas.drawPath(path, pen)
    mark = skia.Paint(Color=rgb_colour(state.mark), AntiAlias=True)
    for cell in (maze.path[0], maze.path[-1]):
        canvas.drawCircle(
            *maze.cells[cell],
            0.9 * maze.half,
            skia.Paint(Color=rgb_colour(state.ink), AntiAlias=True),
        )
    canvas.drawCircle(*maze.cells[maze.path[0]], DOT_SHARE * maze.half, mark)
    canvas.drawPath(_star(maze.cells[maze.path[-1]], STAR_SHARE * maze.half), mark)


def _star(at: tuple[float, float], radius: float) -> skia.Path:
    """Five points, one upwards."""
    path = skia.Path()
    corners: list[Any] = []
    for k in range(10):
        far, turn = (radius if k % 2 == 0 else 0.42 * radius), math.pi * (k / 5 - 0.5)
        corners.append(skia.Point(at[0] + far * math.cos(turn), at[1] + far * math.sin(turn)))
    path.addPoly(corners, True)
    return path
