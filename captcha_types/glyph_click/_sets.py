"""What classes share in which all characters of some sort are tapped, in any order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from captcha_types.glyph_click import _kit as kit
from captcha_types.glyph_click import _places as places
from captcha_types.glyph_click._scenes import GlyphPuzzle, GlyphState
from factory.core import tapping
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.points import Points
from factory.core.puzzle import Choice, Label, Options, Placement, Scene, WrongResponse
from factory.core.rng import Rng, Stream
from factory.draw.glyphs import GlyphSpec

ROW_CSS = 34.0
"""Characters of one row, for the order in which golds tap them."""

GRIDS: Sequence[tuple[int, int]] = ((3, 2), (4, 2), (4, 3), (5, 3), (6, 3))
"""Columns and rows, from easy to hard."""

SCATTERED = (6, 12)
"""How many characters are scattered."""

LEAST_HEIGHT = 17.5
"""CSS px that characters are planned to be high: the widest are drawn a tenth smaller."""

LEAST_SIZE, APART = (
    LEAST_HEIGHT / kit.INK_HEIGHT["latin"], kit.LEAST_GAP * kit.INK_HEIGHT["latin"],
)  # fmt: skip
"""The size and the gap that go with it, of letters and digits; Chinese characters need less."""


def laid_out(
    stream: Stream,
    shape: tuple[int, int],
    area: Box,
    size: float,
    gap: float,
    script: kit.Script = "latin",
) -> tuple[float, list[Point]]:
    """Size and places of characters on a grid, or scattered; ``gap`` by the height of the ink.

    They stand nearer where that would leave them too small.
    """
    height = kit.INK_HEIGHT[script]
    roomy = places.most_apart(shape, area, LEAST_HEIGHT / height) / height
    apart = min(gap, max(kit.LEAST_GAP, roomy)) * height
    if shape[0]:
        return places.gridded(stream, shape, area, size, apart)
    return places.scattered(stream, shape[1], area, size, apart)


class SetState(GlyphState):
    """``targets`` in the order in which they were drawn by lot; ``columns`` is 0 for no grid."""

    columns: int


S = TypeVar("S", bound=SetState)
Opts = TypeVar("Opts", bound=Options)


class SetPuzzle(GlyphPuzzle[S, Opts], Generic[S, Opts]):
    """``is_right`` re-reads off a character whether it is to be tapped."""

    mechanics = ("points",)
    answer_kind = "points"

    @abstractmethod
    def is_right(self, state: S, spec: GlyphSpec) -> bool:
        """Whether a character of the picture is asked for, by what it is; never by the lot."""

    @abstractmethod
    def most(self, shown: int) -> int:
        """How many of so many characters may be asked for; one at least."""

    def shape(self, scene: Scene, shown: int | None) -> tuple[int, int]:
        """(columns, rows) of the grid, or (0, characters) where they are scattered.

        No more than have room on the slot.
        """
        area = kit.whole(scene.placement.boxes["slot"])
        if scene.rng.fixed("layout").chance(0.5):
            count = kit.stepped(SCATTERED, scene.difficulty) if shown is None else shown
            return 0, min(count, places.most_scattered(area, LEAST_SIZE, APART))
        fit = [grid for grid in GRIDS if places.grid_size(grid, area, APART) >= LEAST_SIZE]
        if shown is None:
            return fit[kit.stepped((0, len(fit) - 1), scene.difficulty)]
        return min(fit, key=lambda grid: abs(grid[0] * grid[1] - shown))

    def check_lot(self, state: S) -> None:
        """``Rejected`` unless exactly the targets are what is asked for."""
        right = sum(self.is_right(state, spec) for spec in state.scene)
        if right != len(state.targets) or not all(self.is_right(state, s) for s in state.targets):
            raise Rejected("targets and rule disagree", value=right, limit=len(state.targets))
        if not 1 <= right <= self.most(len(state.scene)):
            raise Rejected("too many to tap", value=right, limit=self.most(len(state.scene)))

    def aimed(self, state: S) -> Sequence[GlyphSpec]:
        return tapping.reading_order(state.targets, ROW_CSS)

    def mechanic(self, state: S, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Points(
            targets=self.zones(self.aimed(state), slot),
            others=self.zones(self.beside(state), slot),
            area=slot,
            submit=placement.submit,
        )

    def reason_names(self, state: S, lang: str) -> Sequence[str]:
        return [spec.char for spec in self.aimed(state)]

    def solutions(self, state: S, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """All characters of the picture that are asked for."""
        shown = [*self.aimed(state), *state.others]
        return [tuple(k for k, spec in enumerate(shown) if self.is_right(state, spec))]

    def wrong_responses(self, state: S, mechanic: AnyMechanic, rng: Rng) -> list[WrongResponse]:
        assert isinstance(mechanic, Points)
        return tapping.wrong_sets(mechanic, rng.fresh("wrong"))

    def labels(self, state: S, scene: Scene) -> Mapping[str, Label]:
        shown, count = len(state.scene), len(state.targets)
        most = self.most(shown)
        counts = {f"count of {shown}": Choice(count - 1, most)} if most > 1 else {}
        layout = f"grid of {shown}" if state.columns else str(shown)
        return {**counts, f"place of a target of {layout}": Choice(_place(state), shown)}


def _place(state: SetState) -> int:
    """The place of the first target drawn: its tile in reading order, or its rank from the left."""
    first, shown = state.targets[0], state.scene
    if not state.columns:
        return sorted((spec.x, spec.y) for spec in shown).index((first.x, first.y))
    rows = len(shown) // state.columns
    row, column = first.y * rows // state.size[1], first.x * state.columns // state.size[0]
    return int(row) * state.columns + int(column)
