"""Boards whose tiles are films: pictures that change together, or rows of all their frames."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

import skia

from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _tiles as tiles
from factory.core.actions import ActionBase
from factory.core.geometry import Box
from factory.core.puzzle import Placement
from factory.core.record import Slot
from factory.draw import layout
from factory.draw.panels.paint import ink
from factory.draw.tiles import GAP_CSS, paint_gaps

PAD_CSS = 4.0
"""Between a row and its frames, and between two frames."""

ROW_GAP_CSS = 5.0


TILES = {
    "en": {"frames": ("tile", "tile"), "sheet": ("row", "row")},
    "zh": {"frames": ("方格", "方格"), "sheet": ("行", "一行")},
}
"""What goals call a film, and one of them: on a sheet its frames are a row of small tiles."""


class FilmState(tiles.TileState):
    """Windows of films are whole numbers of ``grain`` CSS px wide and high."""

    grain: int

    @property
    def cells(self) -> list[Box]:
        """The tiles: a board of them, or one below the other."""
        return list(_cells(self.form, self.size, self.count))

    def windows(self, tile: int) -> list[Box]:
        """Where a tile shows its frames: all in one place, or side by side."""
        box = _cells(self.form, self.size, self.count)[tile]
        return list(_windows(box, 1 if self.form == "frames" else self.frames, self.grain))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of grains in a frame."""
        window = self.windows(0)[0]
        return round(window.height / self.grain), round(window.width / self.grain)


@lru_cache(maxsize=64)
def _cells(form: kit.Form, size: tuple[float, float], count: int) -> tuple[Box, ...]:
    width, height = size
    if form == "frames":
        area = Box(0, kit.BAR_CSS, width, height)
        return tuple(layout.tiles(area, 2, count // 2, GAP_CSS))
    return tuple(layout.tiles(Box(0, kit.NUMBER_CSS, width, height), count, 1, ROW_GAP_CSS))


@lru_cache(maxsize=512)
def _windows(box: Box, count: int, grain: int) -> tuple[Box, ...]:
    if count == grain == 1:
        return (box,)
    room = box if count == 1 else box.grown(-PAD_CSS)
    wide = float(int((room.width - PAD_CSS * (count - 1)) / count / grain) * grain)
    high = float(int(room.height / grain) * grain)
    pitch = (room.width - wide) / max(1, count - 1)
    top = round(room.center.y - high / 2)
    left = room.x0 if count > 1 else room.center.x - wide / 2
    return tuple(Box.sized(round(left + k * pitch), top, wide, high) for k in range(count))


S = TypeVar("S", bound=FilmState)
Opts = TypeVar("Opts", bound=kit.FrameOptions)


class FilmPuzzle(tiles.TilePuzzle[S, Opts], Generic[S, Opts]):
    """A class of films: ``paint_film`` draws a tile at a moment into a window."""

    backing = kit.FILM

    def cells(self, state: S) -> list[Box]:
        return state.cells

    def goal_slots(self, state: S, lang: str) -> dict[str, str]:
        tile, one = TILES[lang][state.form]
        asked = self.words[lang][state.mode].format(tile=tile, one=one)
        return {"tiles": asked, "tile": tile}

    def common_slots(self, state: S, gold: Sequence[ActionBase], lang: str) -> dict[str, Slot]:
        """How many films are right, what one is called, and where the first click goes."""
        tile = Slot("name", TILES[lang][state.form][0])
        return {**super().common_slots(state, gold, lang), "tile": tile}

    def windows(self, state: S) -> dict[str, Box]:
        return {
            f"film{tile}.{k}": box
            for tile in range(state.count)
            for k, box in enumerate(state.windows(tile))
        }

    def prepared(self, state: S, placement: Placement) -> Any:
        """What all films of a board need, made once a picture."""
        return None

    @abstractmethod
    def paint_film(
        self, canvas: Any, state: S, tile: int, frame: int, window: Box, prepared: Any
    ) -> None:
        """Paint a tile at a moment; nothing outside its window."""

    def paint(self, canvas: Any, state: S, placement: Placement, shown: Sequence[int]) -> None:
        look, whole = kit.look_of(placement), Box(0, 0, *state.size)
        canvas.drawRect(skia.Rect.MakeWH(*state.size), ink(self.backing))
        prepared = self.prepared(state, placement)
        for tile in range(state.count):
            for frame, window in zip(shown, state.windows(tile), strict=True):
                self.paint_film(canvas, state, tile, frame, window, prepared)
        paint_gaps(canvas, whole, state.cells, look.rgb(placement.ground))
        if len(shown) == 1:
            colours = (look.rgb("accent"), look.rgb("border"))
            bar = Box(0, 0, whole.width, kit.BAR_CSS - 2)
            kit.paint_bar(canvas, bar, shown[0], state.frames, colours)
            return
        for frame, window in zip(shown, state.windows(0), strict=True):
            above = Box(window.x0, kit.NUMBER_CSS - 1, window.x1, kit.NUMBER_CSS - 1)
            kit.paint_number(canvas, frame + 1, above, look, look.rgb("muted"))
