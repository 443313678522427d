"""What boards of tiles have in common, whatever moves on them: lot, mechanic, mistakes, labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

from captcha_types.temporal_frames import _kit as kit
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.cells import Cells
from factory.core.puzzle import (
    Artwork,
    Choice,
    Label,
    PanelRequest,
    Placement,
    PuzzleType,
    Scene,
    WrongResponse,
)
from factory.core.record import Slot
from factory.core.rng import Rng
from factory.core.tapping import send

Mode = Literal["one", "all"]
MODES: tuple[Mode, ...] = ("one", "all")
MODE_SHARES = (0.45, 0.55)


class TileState(kit.FrameState):
    """``order`` holds the right tiles in the order in which they were drawn by lot."""

    mode: Mode
    order: tuple[int, ...]
    count: int
    feedback: Literal["tick", "outline"]


S = TypeVar("S", bound=TileState)
Opts = TypeVar("Opts", bound=kit.FrameOptions)


class TilePuzzle(PuzzleType[S, Opts], Generic[S, Opts]):
    """A class of tiles: ``right_tiles`` re-reads the answer off what they show."""

    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 120
    images = 6
    words: ClassVar[Mapping[str, Mapping[Mode, str]]]
    """What a goal calls the right tiles."""

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.96, 1.04), width=(264, 292), submit="either")

    def forms(self) -> tuple[int, ...]:
        return kit.forms(self.options)

    def counts(self, mode: Mode, tiles: int) -> tuple[int, ...]:
        """How many tiles may be right, evenly."""
        return tuple(range(1, tiles // 2 + 1)) if mode == "all" else (1,)

    def deal(self, scene: Scene, tiles: int) -> dict[str, Any]:
        """The fields of ``TileState``; labels come from fixed streams."""
        rng = scene.rng
        mode = rng.fixed("mode").weighted(MODES, MODE_SHARES)
        count = rng.fixed("count").choice(self.counts(mode, tiles))
        return {
            **kit.framing(self.options, scene),
            "mode": mode,
            "order": tuple(rng.fixed("order").sample(range(tiles), count)),
            "count": tiles,
            "feedback": rng.fresh("feedback").choice(("tick", "outline")),
        }

    @abstractmethod
    def cells(self, state: S) -> list[Box]:
        """The tiles in reading order, CSS px from the slot's corner."""

    @abstractmethod
    def right_tiles(self, state: S) -> set[int]:
        """The right tiles, by what they show; never by the lot."""

    @abstractmethod
    def paint(self, canvas: Any, state: S, placement: Placement, shown: Sequence[int]) -> None:
        """Paint the frames ``shown`` from the slot's corner: one of them, or all."""

    def windows(self, state: S) -> dict[str, Box]:
        """Where frames are seen, by the names of their regions."""
        return {}

    def check_lot(self, state: S) -> None:
        """``Rejected`` unless the lot is what the tiles show, and the count suits the mode."""
        right = self.right_tiles(state)
        if right != set(state.order):
            raise Rejected("tiles and rule disagree", value=len(right), limit=len(state.order))
        if len(right) not in self.counts(state.mode, state.count):
            raise Rejected("count and mode disagree", value=len(right), limit=1)

    def bad_lots(self, state: S) -> Iterator[tuple[str, S]]:
        """States that ``check_lot`` refuses."""
        free = next(tile for tile in range(state.count) if tile not in state.order)
        more = (*state.order, free)
        yield "tiles and rule disagree", state.model_copy(update={"order": more})
        if len(state.order) > 1:
            yield "count and mode disagree", state.model_copy(update={"mode": "one"})

    def draw(self, state: S, placement: Placement) -> Artwork:
        def paint(canvas: Any, shown: Sequence[int]) -> None:
            self.paint(canvas, state, placement, shown)

        cells = {f"cell.{index}": box for index, box in enumerate(self.cells(state))}
        return kit.artwork(state, placement, {**cells, **self.windows(state)}, paint)

    def mechanic(self, state: S, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Cells(
            cells=tuple(box.moved(slot.x0, slot.y0) for box in self.cells(state)),
            answer=tuple(sorted(state.order)),
            mode="radio" if state.mode == "one" else "toggle",
            submit=placement.submit,
            feedback=state.feedback,
        )

    def goal_slots(self, state: S, lang: str) -> dict[str, str]:
        return {"tiles": self.words[lang][state.mode]}

    def common_slots(self, state: S, gold: Sequence[ActionBase], lang: str) -> dict[str, Slot]:
        """How many tiles are right and where the first click goes."""
        first = gold[0]
        assert isinstance(first, Click)
        return {
            "count": Slot("count", len(state.order)),
            "frames": Slot("count", state.frames),
            "first": Slot("point", list(first.point)),
        }

    def labels(self, state: S, scene: Scene) -> Mapping[str, Label]:
        tiles = state.count
        found: dict[str, Label] = {
            "mode": Choice(MODES.index(state.mode), 2, MODE_SHARES),
            f"a tile of {tiles}": Choice(state.order[0], tiles),
        }
        counts = self.counts(state.mode, tiles)
        if len(counts) > 1:
            found[f"count of {tiles}"] = Choice(counts.index(len(state.order)), len(counts))
        return found

    def wrong_responses(self, state: S, mechanic: AnyMechanic, rng: Rng) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        right = list(state.order)
        wrong = [tile for tile in range(state.count) if tile not in right]
        extra = rng.fresh("wrong").choice(wrong)
        sets: dict[str, Sequence[int]] = {"another tile": [extra]}
        if state.mode == "all":
            sets = {
                "one tile too many": [*right, extra],
                "all but one": right[1:] or [extra],
                "the other tiles": wrong,
            }
        return [
            WrongResponse(name, tuple(_taps(mechanic, sorted(tiles))))
            for name, tiles in sets.items()
        ]


def _taps(mechanic: Cells, tiles: Sequence[int]) -> list[ActionBase]:
    """Clicks on tiles, then on the button where there is one; canvas px."""
    clicks: list[ActionBase] = [Click(mechanic.cells[index].center) for index in tiles]
    return [*clicks, *send(mechanic.submit)]
