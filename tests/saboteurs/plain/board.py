"""Nine tiles with a shape on each; all tiles with the shape of the goal are selected.

Rule
    Select all tiles with the shape of the goal.
Answer
    Taps on tiles.
Validity
    Only the right tiles hold the shape.
Source
    Made for the tests of the contract suite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.cells import Cells
from factory.core.puzzle import Artwork, Choice, Label, PanelRequest, Part, Placement, Scene, State
from factory.core.record import Json
from saboteurs.plain.base import Plain, fill

SHAPES = ("square", "disc", "triangle")
WORDS = {"en": ("squares", "discs", "triangles"), "zh": ("方块", "圆", "三角形")}
SIDE, MOST = 3, 3
INK = (40, 70, 150)


class BoardState(State):
    """``tiles``: shape, size (CSS px) of each tile; ``drawn``: right tiles as they were drawn."""

    tiles: tuple[tuple[int, float], ...]
    asked: int
    drawn: tuple[int, ...]
    ground: int


class Board(Plain[BoardState]):
    """See the module."""

    id = "board"
    State: ClassVar[type[State]] = BoardState
    mechanics = ("cells",)
    asks: ClassVar[Mapping[str, str]] = {"en": "tap all {shape}", "zh": "点击所有{shape}"}
    says: ClassVar[Mapping[str, str]] = {"en": "I select them.", "zh": "选中它们。"}

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.9, 1.0), submit="either")

    def sample(self, scene: Scene) -> BoardState:
        rng, count = scene.rng, SIDE * SIDE
        wanted = rng.fixed("count").integer(1, MOST + 1)
        drawn = tuple(rng.fixed("tiles").sample(range(count), wanted))
        stream = rng.fresh("board")
        asked = stream.integer(0, len(SHAPES))
        others = [k for k in range(len(SHAPES)) if k != asked]
        tiles = tuple(
            (asked if k in drawn else stream.choice(others), round(stream.uniform(28, 44), 6))
            for k in range(count)
        )
        return BoardState(tiles=tiles, asked=asked, drawn=drawn, ground=stream.integer(220, 250))

    def check(self, state: BoardState) -> None:
        right = {k for k, (shape, _) in enumerate(state.tiles) if shape == state.asked}
        if right != set(state.drawn):
            raise Rejected("other tiles hold the shape")
        if not right:
            raise Rejected("no tile is right")

    def tile(self, index: int, slot: Box) -> Box:
        """A tile's box, whole CSS px."""
        row, column = divmod(index, SIDE)
        width, height = slot.width // SIDE, slot.height // SIDE
        return Box.sized(
            slot.x0 + column * width + 2, slot.y0 + row * height + 2, width - 4, height - 4
        )

    def draw(self, state: BoardState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        boxes = [self.tile(k, slot) for k in range(len(state.tiles))]

        def paint(canvas: Any) -> None:
            canvas.clear(skia.Color(255, 255, 255))
            for box, (shape, size) in zip(boxes, state.tiles, strict=True):
                canvas.drawRect(skia.Rect.MakeLTRB(*box.as_list()), fill((state.ground,) * 3))
                _paint_shape(canvas, SHAPES[shape], box, size)

        regions = {f"cell.{k}": box for k, box in enumerate(boxes)}
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: BoardState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Cells(
            cells=tuple(self.tile(k, slot) for k in range(len(state.tiles))),
            answer=tuple(sorted(state.drawn)),
            submit=placement.submit,
        )

    def goal_slots(self, state: BoardState, lang: str) -> dict[str, str]:
        return {"shape": WORDS[lang][state.asked]}

    def identity(self, state: BoardState) -> Json:
        return {"tiles": [[shape, round(size)] for shape, size in state.tiles], "of": state.asked}

    def bad_states(self, state: BoardState) -> Iterator[tuple[str, BoardState]]:
        shown = tuple((state.asked, size) for _, size in state.tiles)
        yield "other tiles hold the shape", state.model_copy(update={"tiles": shown})
        none = tuple(((state.asked + 1) % len(SHAPES), size) for _, size in state.tiles)
        yield "no tile is right", state.model_copy(update={"tiles": none, "drawn": ()})

    def solutions(self, state: BoardState, mechanic: AnyMechanic) -> Sequence[tuple[int, ...]]:
        return [tuple(k for k, (shape, _) in enumerate(state.tiles) if shape == state.asked)]

    def labels(self, state: BoardState, scene: Scene) -> Mapping[str, Label]:
        return {
            "count": Choice(len(state.drawn) - 1, MOST),
            "tile": Choice(state.drawn[0], SIDE * SIDE),
        }


def _paint_shape(canvas: Any, shape: str, box: Box, size: float) -> None:
    x, y, half = box.center.x, box.center.y, size / 2
    if shape == "square":
        canvas.drawRect(skia.Rect.MakeLTRB(x - half, y - half, x + half, y + half), fill(INK))
    elif shape == "disc":
        canvas.drawCircle(x, y, half, fill(INK))
    else:
        path = skia.Path()
        path.addPoly(
            [
                skia.Point(x - half, y + half),
                skia.Point(x + half, y + half),
                skia.Point(x, y - half),
            ],
            True,
        )
        canvas.drawPath(path, fill(INK))
