"""The answers of a board: the set of tiles that are selected, empty for skip.

``solutions`` gives tuples of indices of tiles; the empty one means the skip button.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.core.mechanics.cells import Cells
from factory.core.rng import Stream
from factory.testing.answers.space import AnswerSpace, Room, clicks_of, one_of, quadrant

ALL_SETS = 10
"""Boards of so many tiles have all their sets tried."""

SAMPLED = 200

ONE_PICTURE_CSS = 3.0
"""Tiles that lie no farther apart are cut from one picture: the gaps between pictures are wider."""

Tiles = frozenset[int]


class Space(AnswerSpace[Cells, Tiles]):
    """See the module."""

    def of(self, actions: Sequence[ActionBase]) -> Tiles:
        points = clicks_of(actions)
        found: set[int] = set()
        for point in points:
            for index, cell in enumerate(self.mechanic.cells):
                if cell.contains(point):
                    found ^= {index}
        return frozenset(found)

    def at(self, answer: Tiles) -> list[ActionBase]:
        board = self.mechanic
        if not answer and board.skip is not None:
            return [Click(board.skip.center)]
        sent = [] if board.submit is None else [Click(board.submit.center)]
        return [*(Click(board.cells[index].center) for index in sorted(answer)), *sent]

    def of_solution(self, found: Sequence[int]) -> Tiles:
        return frozenset(found)

    def same(self, answer: Tiles, right: Tiles) -> bool:
        return answer == right

    def candidates(self, stream: Stream, right: Sequence[Tiles]) -> Iterator[Tiles]:
        count = len(self.mechanic.cells)
        tiles = range(count)
        if self.mechanic.mode == "radio":
            yield from (frozenset({index}) for index in tiles)
            return
        if count <= ALL_SETS:
            for size in range(count + 1):
                yield from map(frozenset, itertools.combinations(tiles, size))
            return
        for answer in right:
            yield from (answer ^ {index} for index in tiles)
            yield from (answer - {out} | {new} for out in answer for new in tiles)
        for _ in range(SAMPLED):
            size = max(1, len(right[0]) + stream.integer(-1, 2)) if right else 1
            yield frozenset(stream.sample(tiles, min(size, count)))

    def chance(self, room: Room) -> float:
        """Any set of so many tiles; where tiles are parts of one picture, whose right ones hang
        together, as many pieces as there are, each of its shape and at any tile."""
        count, answer = len(self.mechanic.cells), self.mechanic.answer
        dealt = 1.0 / math.comb(count, len(answer))
        if not answer or not self.is_one_picture():
            return dealt
        return max(dealt, float(count) ** -self._pieces())

    def is_one_picture(self) -> bool:
        """Whether neighbours all but touch, as the cells of a grid over one picture do."""
        first, second = self.mechanic.cells[:2]
        return 0 <= second.x0 - first.x1 <= ONE_PICTURE_CSS * self.mechanic.px_per_css

    def _pieces(self) -> int:
        """How many pieces the right tiles make that hang together edge to edge."""
        near = ONE_PICTURE_CSS * self.mechanic.px_per_css
        left, pieces = [self.mechanic.cells[index] for index in self.mechanic.answer], 0
        while left:
            piece = [left.pop()]
            for own in piece:
                joined = [cell for cell in left if _share_an_edge(own, cell, near)]
                left = [cell for cell in left if cell not in joined]
                piece += joined
            pieces += 1
        return pieces

    def anchors(self) -> Sequence[Box]:
        board = self.mechanic
        boxes = [board.cells[index] for index in board.answer]
        return [*boxes, *(box for box in (board.submit, board.skip) if box is not None)]

    def carried(self, answer: Tiles, other: Any) -> Tiles | None:
        if any(index >= len(self.mechanic.cells) for index in answer):
            return None
        return None if not answer and self.mechanic.skip is None else answer

    def place(self, answer: Tiles) -> Hashable:
        if not answer:
            return None
        return quadrant(self.mechanic.cells[one_of(sorted(answer))].center, self.slot)


def _share_an_edge(a: Box, b: Box, near: float) -> bool:
    """Whether two tiles lie side by side or one above the other, ``near`` px apart at most."""
    across = min(a.x1, b.x1) - max(a.x0, b.x0)
    down = min(a.y1, b.y1) - max(a.y0, b.y0)
    return min(across, down) >= -near and max(across, down) > 0
