"""The independent judge of ``click_chars_in_order``: reads strip and picture by their pixels.

Where characters stand is taken from the regions, sorted from left to right, so that their names
and order say nothing. What they are is found by typesetting every character that the class may
use with another library, in every typeface, turned: the best is the one whose ink,
rim and rest part the px of a spot into the most different heaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    wanted = _read(_windows(view.picture, shown), view.record.lang)
    seen = _windows(view.picture, spots)
    fits = np.array([_fit(seen, _turned(char)) for char in wanted])
    fits -= np.mean([_fit(seen, _turned(char)) for char in _usual(wanted[0])], axis=0)
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


@dataclass(frozen=True)
class Windows:
    """The windows of spots: px without their mean ``(SIDE * SIDE, spots * 3)``, their variance
    and their widths over heights ``(spots,)``."""

    pixels: np.ndarray
    spread: np.ndarray
    ratios: np.ndarray


def _windows(picture: np.ndarray, boxes: Sequence[Box]) -> Windows:
    found = []
    for box in boxes:
        x0, y0, x1, y1 = box.outer_pixels()
        window = cv2.resize(picture[y0:y1, x0:x1], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        pixels = window.reshape(-1, 3).astype(np.float32)
        found.append(pixels - pixels.mean(axis=0))
    spread = np.array([(pixels**2).sum() for pixels in found])
    ratios = np.array([box.width / box.height for box in boxes])
    return Windows(np.concatenate(found, axis=1), spread, ratios)


def _read(shown: Windows, lang: str) -> list[str]:
    """The characters of the strip: of all that there are, the ones that fit best."""
    chars = list(LATIN) + (list(all_han()) if lang == "zh" else [])
    rough = np.array([_fit(shown, _upright(char)) for char in chars])
    found = []
    for place, fits in enumerate(rough.T):
        first = [chars[k] for k in np.argsort(-fits, kind="stable")[:SHORTLIST]]
        found.append(max(first, key=lambda char: _fit(shown, _leaning(char))[place]))
    return found


@dataclass(frozen=True)
class Drawings:
    """A character in ``n`` faces and turns: ``masks`` of its ink, and of this with a rim and of
    the insides of hollow ones where these are looked for ``(n * masks, SIDE * SIDE)``; how many
    px each mask has ``(masks, n)``, and the ratios of their sides ``(n,)``."""

    masks: np.ndarray
    sizes: np.ndarray
    ratios: np.ndarray


def _fit(windows: Windows, drawings: Drawings) -> np.ndarray:
    """How well the best drawing parts the px of each window into heaps: the share of variance
    between them. Px have no mean, so what lies outside a mask sums to less what lies in it."""
    count, n = drawings.sizes.shape
    sums = (drawings.masks @ windows.pixels).reshape(count, n, -1, 3)
    ink, size, whole = sums[0], drawings.sizes[0], SIDE * SIDE
    ways = [_between([(ink, size), (-ink, whole - size)])] if count == 1 else []
    if count > 1:
        wide, wider = sums[1], drawings.sizes[1]
        ways.append(_between([(ink, size), (wide - ink, wider - size), (-wide, whole - wider)]))
    for core, small in zip(sums[2:], drawings.sizes[2:], strict=True):
        ways.append(_between([(ink - core, size - small), (core, small), (-ink, whole - size)]))
    shape = np.exp(-4 * np.abs(np.log(drawings.ratios[:, None] / windows.ratios)))
    return (np.max(ways, axis=0) * shape).max(axis=0) / windows.spread


def _between(heaps: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The variance between heaps of px, by their sums ``(n, windows, 3)`` and sizes ``(n,)``."""
    return np.sum([(sums**2).sum(axis=2) / (size[:, None] + 1.0) for sums, size in heaps], axis=0)


@lru_cache(maxsize=4096)
def _upright(char: str) -> Drawings:
    """In every face."""
    return _inked(*_drawn(char, (0,)))


@lru_cache(maxsize=256)
def _leaning(char: str) -> Drawings:
    """The same, turned as characters of strips are, which have no rims."""
    return _inked(*_drawn(char, STRIP_TURNS))


def _inked(*drawn: np.ndarray) -> Drawings:
    ink, ratios = drawn
    return Drawings(ink, ink.sum(axis=1)[None], ratios)


@lru_cache(maxsize=96)
def _turned(char: str) -> Drawings:
    """In every face and turn: also with a rim, and hollow with thin and thick lines."""
    ink, ratios = _drawn(char, SCENE_TURNS)
    tiles = ink.reshape(-1, SIDE, SIDE)
    masks = [ink, np.array([cv2.dilate(tile, np.ones((5, 5))).ravel() for tile in tiles])]
    for line_px in (1, 2):
        brush = np.ones((2 * line_px + 1, 2 * line_px + 1))
        masks.append(np.array([cv2.erode(tile, brush).ravel() for tile in tiles]))
    return Drawings(np.concatenate(masks), np.array([mask.sum(axis=1) for mask in masks]), ratios)


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
