"""Cells: select the right tiles of a board.

A tap on a tile selects it, another one takes that back (``toggle``), or a tap selects
that tile alone (``radio``). The order of taps does not matter; what counts is the set at
the end. A tap between tiles, inside the board, does nothing, as on real pages; a tap
outside the board fails for good.

A ``skip`` button says that no tile is right, whatever is selected, and ends the answer;
where there is a submit button too, a click on it may confirm that, for panels do not say
which of the two it takes. On a board without a right tile, only a skip solves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from factory.core.actions import ActionBase, Click, from_grid, to_grid
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import Perturbation, Pose, register_mechanic, replay
from factory.core.mechanics.cell_checks import (
    cells_grid_safe,
    cells_perturbations,
    cells_quick_perturbations,
)
from factory.core.mechanics.tap_base import GROUND, SKIP, Tap, TapMechanic, TapWorld
from factory.core.mechanics.taps import around, near_center, outline, tick
from factory.core.rng import Stream

PARITY_JACCARD = 0.75
"""Halligan: the least overlap of selected and right tiles that passes, over their union."""


@register_mechanic
class Cells(TapMechanic, frozen=True, tag="cells", forbid_unknown_fields=True):
    """Tiles and the indices of the right ones; boxes in px of the frame.

    ``feedback`` says how a selected tile is marked: a tick in its corner, or its outline.
    """

    cells: tuple[Box, ...]
    answer: tuple[int, ...]
    mode: Literal["toggle", "radio"] = "toggle"
    skip: Box | None = None
    feedback: Literal["tick", "outline"] = "tick"

    def __post_init__(self) -> None:
        """Refuse answers that are no tiles, and boards that cannot be answered."""
        self.refuse_bad_frame([*self.cells, *([] if self.skip is None else [self.skip])])
        answer, count = self.answer, len(self.cells)
        if not self.cells or len(set(answer)) != len(answer):
            raise InvalidOptions(f"a board has tiles, and each is right once at most: {answer}")
        if not all(0 <= index < count for index in answer):
            raise InvalidOptions(f"an answer of {answer} on a board of {count} tiles")
        if not answer and self.skip is None:
            raise InvalidOptions("a board without a right tile needs a skip button")
        if self.mode == "radio" and len(answer) > 1:
            raise InvalidOptions(f"one tile can be selected, but {len(answer)} are right")

    def item_at(self, point: Point) -> int | None:
        for index, cell in enumerate(self.cells):
            if cell.contains(point):
                return index
        if self.skip is not None and self.skip.contains(point):
            return SKIP
        return GROUND if around(self.cells).contains(point) else None

    def controls(self) -> tuple[Box, ...]:
        return self.cells if self.skip is None else (*self.cells, self.skip)

    def selected(self, taps: Sequence[Tap]) -> set[int]:
        """The tiles that are selected after the taps."""
        on: set[int] = set()
        for tap in taps:
            if self.mode == "radio" or tap.control == SKIP:
                on = {tap.control} - {SKIP}
            else:
                on ^= {tap.control}
        return on

    def unsolved(self, taps: Sequence[Tap]) -> str:
        skipped = taps[-1].control == SKIP
        if not self.answer:
            return "" if skipped else "not_skipped"
        if skipped:
            return "skipped"
        on, right = self.selected(taps), set(self.answer)
        if on == right:
            return ""
        return "missing_cells" if on < right else "extra_cells" if on > right else "wrong_cells"

    def jaccard(self, world: TapWorld) -> float:
        """Selected and right tiles over selected or right ones; 1 when there are none of either."""
        on, right = self.selected(world.taps), set(self.answer)
        return len(on & right) / len(on | right) if on | right else 1.0

    def pose(self, world: TapWorld) -> Pose:
        mark = tick if self.feedback == "tick" else outline
        return Pose(marks=tuple(mark(self.cells[i]) for i in sorted(self.selected(world.taps))))

    def gold(self, stream: Stream) -> list[ActionBase]:
        """A click on each right tile, in the order of the answer, then submit; or skip alone."""
        if not self.answer and self.skip is not None:
            return [Click(near_center(self.skip, stream))]
        taps = [Click(near_center(self.cells[index], stream)) for index in self.answer]
        return self.submitted_after(taps, stream)

    def goal_slots(self) -> dict[str, str]:
        return {
            "handle": "tiles",
            "order": "any",
            "count": str(len(self.answer)),
            "select": "one" if self.mode == "radio" else "several",
            "skip": "none" if self.skip is None else "button",
            "submit": self.submit_slot(),
        }

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return cells_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return cells_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return cells_quick_perturbations(self, gold)

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        read = [from_grid(to_grid(action, width, height), width, height) for action in gold]
        return {"halligan": self.jaccard(replay(self, read)) >= PARITY_JACCARD}
