"""Letters of grains: where they stand in a field of noise, and which letters motion shows."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from captcha_types.temporal_frames import _kit as kit
from factory.core.geometry import Box
from factory.draw import glyphs, inkmasks
from factory.draw.styles import Style

ALPHABET = "".join(c for c in glyphs.safe_alphabet("upper_digits") if c not in "MW347")
"""No M and no W: for these wide two all others would be small. No digits, which few expect."""

STROKE = 13.5
"""How thick strokes are made, hundredths of the size: 2.5 grains and more."""

FINE = (
    "serif", "typewriter", "slab", "didone", "comic", "hand", "marker", "mono", "terminal",
    "condensed",
)  # fmt: skip
"""Designs with parts that grains do not show, or letters that they make alike."""

WIDEST = 0.75
"""Of a face's letters, in sizes."""

CAPITAL = 0.7
"""Height of a capital in the size."""

INKED = 128


@lru_cache(maxsize=8)
def faces(split: str) -> tuple[str, ...]:
    """Plain faces of a split that are not wide."""
    return tuple(
        face.name
        for face in glyphs.faces(split, "latin", plain=True)
        if not any(word in face.design for word in FINE) and widest(face.name) <= WIDEST
    )


@lru_cache(maxsize=64)
def widest(face: str) -> float:
    """The width of a face's widest letter, in sizes."""
    thicker = _thicker(face) / 100.0
    return max(glyphs.extent(face, char, 1.0)[0] for char in ALPHABET) + thicker


def _thicker(face: str) -> float:
    return round(max(0.0, STROKE - glyphs.stroke(face)), 3)


@lru_cache(maxsize=2048)
def letter(face: str, char: str, size: float, wide: int, high: int) -> Any:
    """Which grains of a cell a letter in its middle covers, bool ``(high, wide)``."""
    spec = glyphs.GlyphSpec(
        char, face, size, wide / 2, high / 2, Style("fill", "#000000"), weight=_thicker(face)
    )
    return inkmasks.mask(glyphs.ink(spec).path, Box(0, 0, wide, high)) >= INKED


@lru_cache(maxsize=512)
def _templates(face: str, size: float, wide: int, high: int) -> Any:
    """All letters, a row each, without mean and of length 1."""
    rows = np.stack([letter(face, c, size, wide, high).ravel() for c in ALPHABET]).astype(float)
    rows -= rows.mean(axis=1, keepdims=True)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def read(moved: Any, face: str, size: float, wide: int, high: int, corners: Any) -> str:
    """The letters that fit best a map of what moves, cell by cell."""
    known = _templates(face, size, wide, high)
    cells = [moved[y : y + high, x : x + wide].ravel() for x, y in corners]
    return "".join(ALPHABET[int((known @ cell).argmax())] for cell in cells)


def moves(found: Any, steps: tuple[kit.Step, kit.Step]) -> Any:
    """How much more grains follow the first step than the second."""
    inner, outer = (kit.followed(found, step).mean(axis=0) for step in steps)
    return inner - outer
