"""The independent judge of ``click_chars_in_order``: reads strip and picture by their pixels.

Where characters stand is taken from the regions, sorted from left to right, so that their names
and order say nothing. What they are is found by typesetting every character that the class may
use with another library, in every typeface, turned: the best is the one whose ink,
rim and rest part the px of a spot into the most different heaps.
"""

from __future__ import annotations

from functools import cache
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
    fits = np.array([[_fit(window, char, SCENE_TURNS) for window in seen] for char in wanted])
    usual = [[_fit(window, char, SCENE_TURNS) for window in seen] for char in _usual(wanted[0])]
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
    first = sorted(chars, key=lambda char: -_fit(window, char, (0,)))[:SHORTLIST]
    return max(first, key=lambda char: _fit(window, char, STRIP_TURNS))


def _fit(window: tuple[np.ndarray, float], char: str, turns: tuple[int, ...]) -> float:
    """How well the best mask of a character parts the px: share of variance between heaps.

    In strips, which are hardly turned, characters have no rims.
    """
    pixels, ratio = window
    (ink, rim, rest, line, hollow, around), ratios = _heaps(char, turns)
    ways = [(ink, rim, rest), (line, hollow, around)]
    if len(turns) < len(SCENE_TURNS):
        ways = [(ink, rim + rest)]
    shape = np.exp(-4 * np.abs(np.log(ratios / ratio))) / (pixels**2).sum()
    between = [
        sum(((heap @ pixels) ** 2).sum(axis=1) / (heap.sum(axis=1) + 1.0) for heap in heaps)
        for heaps in ways
    ]
    return float((np.max(between, axis=0) * shape).max())


@cache
def _heaps(char: str, turns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """A character in every face and turn, filling a square, and the ratios of its sides.

    In heaps of px: ink, rim and rest of a filled one, then line, inside and rest of a hollow one.
    """
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
    ink = np.array(masks, np.float32)
    wide = np.array([cv2.dilate(m.reshape(SIDE, SIDE), np.ones((5, 5))).ravel() for m in masks])
    core = np.array([cv2.erode(m.reshape(SIDE, SIDE), np.ones((3, 3))).ravel() for m in masks])
    return np.stack([ink, wide - ink, 1 - wide, ink - core, core, 1 - ink]), np.array(ratios)


@cache
def _fonts(script: str) -> list[ImageFont.FreeTypeFont]:
    faces = [face for face in FACES if script in face.scripts and face.plain]
    return [ImageFont.truetype(str(path), 100) for face in faces for path in face.paths()[:1]]
