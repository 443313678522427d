"""The independent judge of ``click_chars_in_order``: reads strip and picture by their pixels.

Where characters stand is taken from the regions, sorted from left to right, so that their names
and order say nothing. What they are is found by typesetting every character that the class may
use with another library, in every typeface, turned: the best is the one whose ink,
rim and rest part the px of a spot into the most different heaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import permutations

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw.glyphs import FACES, all_han
from factory.testing import View

LATIN = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
SIDE = 28
MISREADS = 0.03
"""Turned narrow letters with a rim are now and then taken for others; 1 of 40 when measured."""

STRIP_TURNS = tuple(range(-9, 10, 3))
SCENE_TURNS = tuple(range(-80, 81, 5))
SHORTLIST = 40
"""Chinese characters that a strip may mean after a first look without turns."""


def solve(view: View) -> list[ActionBase]:
    """A click on each character of the strip, found in the picture, then the button."""
    names = {region.name: Box(*region.box) for region in view.record.regions}
    shown = _boxes(names, "reference")
    spots = _boxes(names, "target", "distractor")
    wanted = [_read(_pixels(view.picture, box), view.record.lang) for box in shown]
    seen = [_pixels(view.picture, box) for box in spots]
    fits = np.array([[_fit(window, *_turned(char)) for window in seen] for char in wanted])
    usual = [[_fit(window, *_turned(char)) for window in seen] for char in _usual(wanted[0])]
    fits -= np.mean(usual, axis=0)
    best = max(
        permutations(range(len(spots)), len(shown)),
        key=lambda places: sum(fits[k, place] for k, place in enumerate(places)),
    )
    clicks: list[ActionBase] = [Click(spots[place].center) for place in best]
    return [*clicks, *([Click(names["submit"].center)] if "submit" in names else [])]


def _usual(char: str) -> str:
    """Characters that tell how well any character fits a spot: dense ones hide in all."""
    return "".join(all_han()[::40]) if ord(char) > 0x3000 else LATIN[::3]


def _boxes(names: dict[str, Box], *roles: str) -> list[Box]:
    found = [box for name, box in names.items() if name.partition(".")[0] in roles]
    return sorted(found, key=lambda box: box.center.x)


def _pixels(picture: np.ndarray, box: Box) -> tuple[np.ndarray, float]:
    """The window of a spot as ``(SIDE * SIDE, 3)`` without its mean, and its width over height."""
    x0, y0, x1, y1 = box.outer_pixels()
    window = cv2.resize(picture[y0:y1, x0:x1], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    pixels = window.reshape(-1, 3).astype(np.float32)
    return pixels - pixels.mean(axis=0), box.width / box.height


def _read(window: tuple[np.ndarray, float], lang: str) -> str:
    """The character of the strip: of all that there are, the one that fits best."""
    chars = list(LATIN) + (list(all_han()) if lang == "zh" else [])
    first = sorted(chars, key=lambda char: -_fit(window, *_upright(char)))[:SHORTLIST]
    return max(first, key=lambda char: _fit(window, *_leaning(char)))


def _fit(
    window: tuple[np.ndarray, float], ways: Sequence[Sequence[np.ndarray]], ratios: np.ndarray
) -> float:
    """How well the best drawing parts the px into heaps: the share of variance between them."""
    pixels, ratio = window
    shape = np.exp(-4 * np.abs(np.log(ratios / ratio))) / (pixels**2).sum()
    between = [
        sum(((heap @ pixels) ** 2).sum(axis=1) / (heap.sum(axis=1) + 1.0) for heap in heaps)
        for heaps in ways
    ]
    return float((np.max(between, axis=0) * shape).max())


Drawings = tuple[Sequence[Sequence[np.ndarray]], np.ndarray]
"""Heaps of px for each way to ink the drawings of a character, and the ratios of their sides."""


@lru_cache(maxsize=2048)
def _upright(char: str) -> Drawings:
    """Ink and rest of a character in every face."""
    ink, ratios = _drawn(char, (0,))
    return [(ink, 1 - ink)], ratios


@lru_cache(maxsize=64)
def _leaning(char: str) -> Drawings:
    """The same, turned as characters of strips are, which have no rims."""
    ink, ratios = _drawn(char, STRIP_TURNS)
    return [(ink, 1 - ink)], ratios


@lru_cache(maxsize=64)
def _turned(char: str) -> Drawings:
    """In every face and turn: ink, rim and rest, or line, inside and rest of a hollow one."""
    ink, ratios = _drawn(char, SCENE_TURNS)
    tiles = ink.reshape(-1, SIDE, SIDE)
    wide = np.array([cv2.dilate(tile, np.ones((5, 5))).ravel() for tile in tiles])
    ways = [(ink, wide - ink, 1 - wide)]
    for line_px in (1, 2):
        brush = np.ones((2 * line_px + 1, 2 * line_px + 1))
        core = np.array([cv2.erode(tile, brush).ravel() for tile in tiles])
        ways.append((ink - core, core, 1 - ink))
    return ways, ratios


def _drawn(char: str, turns: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """A character in every face and turn, filling a square, and the ratios of its sides."""
    masks, ratios = [], []
    for font in _fonts("han" if ord(char) > 0x3000 else "latin"):
        tile = Image.new("L", (200, 200))
        ImageDraw.Draw(tile).text((100, 100), char, fill=255, font=font, anchor="mm")
        upright = np.asarray(tile)
        for turn in turns:
            about = cv2.getRotationMatrix2D((100, 100), -turn, 1.0)
            turned = cv2.warpAffine(upright, about, (200, 200))
            x, y, w, h = cv2.boundingRect((turned > 100).astype(np.uint8))
            if w and h:
                cut = turned[y : y + h, x : x + w]
                cut = cv2.resize(cut, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
                masks.append(cut.ravel() / np.float32(255))
                ratios.append(w / h)
    return np.array(masks, np.float32), np.array(ratios)


@cache
def _fonts(script: str) -> list[ImageFont.FreeTypeFont]:
    faces = [face for face in FACES if script in face.scripts and face.plain]
    return [ImageFont.truetype(str(path), 100) for face in faces for path in face.paths()[:1]]
