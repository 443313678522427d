"""Characters set out in frames of noise: the state, its windows, its noise, what it reads as."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import numpy as np

from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _letters as letters
from captcha_types.temporal_frames._spooks import STILL, WAYS, Way
from factory.core.geometry import Box
from factory.core.rng import Stream

COLUMNS = 2
PAD_CSS, GAP_CSS = 5.0, 6.0
EDGE = 2
"""Grains between the characters and the edge."""

MOST_RISE = 0.08
"""Of the frame's height that a character stands above or below the middle at most."""


class Lettering(kit.FrameState):
    """Characters stand in cells of ``cell`` grains with their ``corners``, from the frame's."""

    grain: int
    text: str
    face: str
    letter_size: float
    cell: tuple[int, int]
    corners: tuple[tuple[int, int], ...]
    way: Way
    around: Way | Literal["still"]
    noise: float
    seed: str
    colours: tuple[str, str]

    @property
    def steps(self) -> tuple[kit.Step, kit.Step]:
        """Of the characters and of what is around them."""
        return WAYS[self.way], STILL if self.around == "still" else WAYS[self.around]

    @property
    def windows(self) -> list[Box]:
        """Where frames are seen."""
        return windows(self.form, self.frames, self.size, self.grain)

    @property
    def glyph_boxes(self) -> list[Box]:
        """The cells of the characters in the first window."""
        window, (wide, high), side = self.windows[0], self.cell, self.grain
        return [
            Box.sized(window.x0 + side * x, window.y0 + side * y, side * wide, side * high)
            for x, y in self.corners
        ]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of grains in a frame."""
        window = self.windows[0]
        return round(window.height / self.grain), round(window.width / self.grain)


def windows(form: kit.Form, frames: int, size: tuple[float, float], grain: int) -> list[Box]:
    """Where frames are seen, whole numbers of grains wide and high: one window, or two columns."""
    columns, rows = (1, 1) if form == "frames" else (COLUMNS, -(-frames // COLUMNS))
    line = kit.BAR_CSS if form == "frames" else kit.NUMBER_CSS
    wide = (size[0] - 2 * PAD_CSS - GAP_CSS * (columns - 1)) / columns
    high = (size[1] - PAD_CSS) / rows - line
    wide, high = (float(int(length / grain) * grain) for length in (wide, high))
    left = (size[0] - columns * wide - GAP_CSS * (columns - 1)) / 2
    return [
        Box.sized(round(left + k % columns * (wide + GAP_CSS)),
                  round(line + k // columns * (size[1] - PAD_CSS) / rows), wide, high)
        for k in range(rows * columns if form == "sheet" else 1)
    ][:frames]  # fmt: skip


def set_out(
    stream: Stream, length: int, face: str, rows: int, columns: int
) -> tuple[float, tuple[int, int], tuple[tuple[int, int], ...]]:
    """Size, cell and corners of so many characters, as large as the frame allows."""
    wide = (columns - 2 * EDGE) // length
    size = min((wide - 2) / letters.widest(face), 0.8 * (rows - 2 * EDGE) / letters.CAPITAL)
    high = min(rows, int(size * (letters.CAPITAL + letters.STROKE / 100)) + 3)
    left = stream.integer(EDGE, columns - EDGE - length * wide + 1)
    middle = (rows - high) // 2
    free = min(middle, int(MOST_RISE * rows))
    corners = tuple(
        (left + k * wide, middle + stream.integer(-free, free + 1)) for k in range(length)
    )
    return round(size, 2), (wide, high), corners


def mask(state: Lettering) -> Any:
    """Which grains of a frame belong to characters."""
    return _mask(state.text, state.face, state.letter_size, state.cell, state.corners, state.shape)


@lru_cache(maxsize=32)
def _mask(
    text: str,
    face: str,
    size: float,
    cell: tuple[int, int],
    corners: tuple[tuple[int, int], ...],
    shape: tuple[int, int],
) -> Any:
    found = np.zeros(shape, bool)
    for char, (x, y) in zip(text, corners, strict=True):
        found[y : y + cell[1], x : x + cell[0]] |= letters.letter(face, char, size, *cell)
    return found


def field(state: Lettering) -> Any:
    """The noise of all frames, ``(frames, rows, columns)`` of 0 and 1; not to be changed."""
    shown = (state.text, state.face, state.letter_size, state.cell, state.corners, state.shape)
    return _field(shown, state.seed, state.frames, state.steps, state.noise)


@lru_cache(maxsize=16)
def _field(
    shown: Any, seed: str, frames: int, steps: tuple[kit.Step, kit.Step], noise: float
) -> Any:
    return kit.moving_shape(seed, frames, _mask(*shown), steps, noise)


def read(state: Lettering) -> str:
    """What the map of motion reads as, letter by letter."""
    moved = letters.moves(field(state), state.steps)
    return letters.read(moved, state.face, state.letter_size, *state.cell, state.corners)
