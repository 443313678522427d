"""Faults that tell the answer without its content: orders, pages, colours, sizes, words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import skia

from captcha_types.rotate.rotate import Rotate, RotateState
from factory.core.puzzle import Artwork, Content, Part, Placement, Scene
from factory.core.rng import SampleKey
from factory.draw import pictures
from factory.testing.answers.space import one_of
from saboteurs.plain.bars import ASKED, Bars, BarsState
from saboteurs.plain.board import SIDE, Board, BoardState
from saboteurs.plain.code import Code, CodeState
from saboteurs.plain.lamps import Lamps, LampsState


class TargetsFirst(Bars):
    """The bars that are asked for are the first of the state's list."""

    caught_by, because = "C9", "'order' holds"

    def sample(self, scene: Scene) -> BarsState:
        order = tuple(scene.rng.fixed("order").shuffled(range(ASKED)))
        return super().sample(scene).model_copy(update={"order": order})


class FramesInOrder(Lamps):
    """Lamps always light up from the left to the right."""

    caught_by, because = "C9", "'order' begins with 0"

    def sample(self, scene: Scene) -> LampsState:
        state = super().sample(scene)
        return state.model_copy(update={"order": tuple(sorted(state.order))})


class ByIndex(Board):
    """The right tile walks over the board with the index."""

    caught_by, because = "C9", "from key and page is guessed"

    def sample(self, scene: Scene) -> BoardState:
        state = super().sample(scene)
        tile = SampleKey.parse(scene.rng.root).index % 4 * 2
        other = (state.asked + 1) % 3
        tiles = [(other, size) for _, size in state.tiles]
        tiles[tile] = (state.asked, state.tiles[tile][1])
        return state.model_copy(update={"tiles": tuple(tiles), "drawn": (tile,)})


class ByPanel(Board):
    """Wide panels have the right tile on the right."""

    caught_by, because = "C9", "from key and page is guessed"

    def sample(self, scene: Scene) -> BoardState:
        state, wide = super().sample(scene), scene.placement.boxes["slot"].width > 260
        column = 2 if wide else 0
        tile = column + SIDE * scene.rng.fixed("row").integer(0, SIDE)
        other = (state.asked + 1) % 3
        tiles = [(other, size) for _, size in state.tiles]
        tiles[tile] = (state.asked, state.tiles[tile][1])
        return state.model_copy(update={"tiles": tuple(tiles), "drawn": (tile,)})


class ByColour(Bars):
    """The ground is darker where the first bar lies in the left half."""

    caught_by, because = "C9", "from colours and file size is guessed"

    def sample(self, scene: Scene) -> BarsState:
        state, slot = super().sample(scene), scene.placement.boxes["slot"]
        left = state.bars[state.order[0]].x < slot.width / 2
        return state.model_copy(update={"ground": 215 if left else 250})


class ByFileSize(Board):
    """Boards have the finer speckles the farther up and to the left a right tile is."""

    caught_by, because = "C9", "from colours and file size is guessed"

    def draw(self, state: BoardState, placement: Placement) -> Artwork:
        art, slot = super().draw(state, placement), placement.boxes["slot"]
        ink = skia.Paint(Color=skia.Color(120, 120, 120))
        row, column = divmod(one_of(sorted(state.drawn)), SIDE)
        step = (3, 6, 12, 40)[2 * (row > 0) + (column > 0)]

        def speckle(canvas: Any) -> None:
            for x in range(int(slot.x0), int(slot.x1), step):
                for y in range(int(slot.y0), int(slot.y1), step):
                    canvas.drawRect(skia.Rect.MakeXYWH(x, y, 1, 1), ink)

        return replace(art, parts=(*art.parts, Part("speckle", slot, speckle)))


class ShowsTheCode(Code):
    """The goal, which is in the prompt, holds the text."""

    caught_by, because = "C9", "state a number or text of the answer"
    asks: ClassVar[Mapping[str, str]] = {
        "en": "type the four capital letters {code}", "zh": "输入四个大写字母{code}"
    }  # fmt: skip

    def goal_slots(self, state: CodeState, lang: str) -> dict[str, str]:
        return {"code": state.code}


class FewKinds(Rotate):
    """All pictures come from two sources."""

    caught_by, because = "C2", "kinds of content"

    def contents(self, split: str) -> Sequence[Content]:
        return super().contents(split)[:2]


class OnePicture(Rotate):
    """The same picture is drawn whatever the state says."""

    caught_by, because = "C2", "slots look alike"

    def draw(self, state: RotateState, placement: Placement) -> Artwork:
        other = state.model_copy(update={"picture": self._first(state)})
        return super().draw(other, placement)

    def _first(self, state: RotateState) -> dict[str, Any]:
        if not hasattr(type(self), "kept"):
            type(self).kept = pictures.PictureSpec.from_dict(state.picture).as_dict()
        return type(self).kept


SABOTEURS = (
    TargetsFirst, FramesInOrder, ByIndex, ByPanel, ByColour, ByFileSize, ShowsTheCode, FewKinds,
    OnePicture,
)  # fmt: skip
