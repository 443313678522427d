"""What the judges of characters to tap share: how well each character explains a spot.

Every character of every face of the split is drawn by FreeType from the font's file, turned,
filled (and hollow, where strokes are thick enough), and brought to the box of the spot. A
drawing explains the spot as far as the colours of its px tell ink from the rest: the px are
grouped by colour, and the share of the drawing's variance that lies between groups is its
score. That needs no knowledge of inks, rims or grounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw import glyphs
from factory.testing import View

SIDE, PAD = 20, 3
FIELD = SIDE + 2 * PAD
"""A spot is compared at 20 px with 3 px around it."""

GROUPS = 7
"""Groups of colours: two ends of a shade, a rim, grounds."""

DRAWN_PX, CANVAS_PX = 72, 176
RING = 0.055
"""Width of an outline by the size of the character."""

HOLLOW = 15.0
"""Strokes as thick as this, in hundredths of the size, may be hollow."""


@dataclass(frozen=True)
class Drawing:
    """What a template shows."""

    char: str
    face: str
    turn_deg: float
    mirrored: bool


@dataclass(frozen=True, eq=False)
class Bank:
    """Templates without mean and of length 1, one a row, and what each shows."""

    drawings: tuple[Drawing, ...]
    rows: Any

    def scores(self, picture: Any, box: Box) -> Any:
        """How well each drawing explains the px of a box, 0 to 1."""
        return ((self.rows @ groups(picture, box)) ** 2).sum(axis=1)

    def by_char(self, picture: Any, boxes: Sequence[Box]) -> dict[str, Any]:
        """For every character how well its best drawing explains each of the boxes."""
        found = np.stack([self.scores(picture, box) for box in boxes])
        starts = [
            k for k, d in enumerate(self.drawings) if k == 0 or d.char != self.drawings[k - 1].char
        ]
        best = np.maximum.reduceat(found, starts, axis=1)
        return {self.drawings[k].char: best[:, n] for n, k in enumerate(starts)}


@lru_cache(maxsize=12)
def bank(
    split: str,
    script: str,
    chars: str | tuple[str, ...],
    turns: tuple[float, ...],
    mirrors: tuple[bool, ...] = (False,),
    cased: bool = False,
) -> Bank:
    """The drawings of characters, or of texts on one line, in all plain faces of a split."""
    some = glyphs.faces(split, script, cased=cased, plain=True) or glyphs.faces(split, script)
    faces = [face.name for face in some]
    drawings: list[Drawing] = []
    rows: list[Any] = []
    for char in chars:
        for face in faces:
            for mask in _masks(face, char):
                for mirrored in mirrors:
                    for turn in turns:
                        drawings.append(Drawing(char, face, turn, mirrored))
                        rows.append(_posed(mask[:, ::-1] if mirrored else mask, turn))
    return Bank(tuple(drawings), _normal(np.array(rows, np.float32)))


def _normal(rows: Any) -> Any:
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.maximum(np.sqrt((rows**2).sum(axis=1, keepdims=True)), 1e-6)
    return rows


def _masks(face: str, char: str) -> Iterator[Any]:
    """A character or a line of them filled, and hollow where its face allows."""
    font = _font(face, char[0])
    if font is None:
        return
    image = Image.new("L", (CANVAS_PX, CANVAS_PX))
    ImageDraw.Draw(image).text((CANVAS_PX / 2, CANVAS_PX / 2), char, 255, font, anchor="mm")
    mask = np.asarray(image)
    yield mask
    if glyphs.stroke(face) >= HOLLOW:
        side = max(1, round(RING * DRAWN_PX / 2))
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * side + 1, 2 * side + 1))
        yield cv2.dilate(mask, disc) - cv2.erode(mask, disc)


@cache
def _font(face: str, char: str) -> Any:
    return next(
        (_sized(path) for path in glyphs.face_named(face).paths() if ord(char) in _chars(path)),
        None,
    )


@cache
def _sized(path: Path) -> Any:
    return ImageFont.truetype(str(path), DRAWN_PX)


@cache
def _chars(path: Path) -> frozenset[int]:
    return frozenset(TTFont(path).getBestCmap() or {})


def _posed(mask: Any, turn: float) -> Any:
    """A mask turned clockwise and brought to the field, as one row."""
    about = cv2.getRotationMatrix2D((CANVAS_PX / 2, CANVAS_PX / 2), -turn, 1.0)
    turned = cv2.warpAffine(np.ascontiguousarray(mask), about, (CANVAS_PX, CANVAS_PX))
    x, y, w, h = cv2.boundingRect((turned > 100).astype(np.uint8))
    cut = turned[y : y + max(h, 1), x : x + max(w, 1)]
    small = cv2.resize(cut, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    field = cv2.copyMakeBorder(small, PAD, PAD, PAD, PAD, cv2.BORDER_CONSTANT)
    return cv2.GaussianBlur(field, (3, 3), 0.6).ravel() / np.float32(255)


def groups(picture: Any, box: Box, count: int = GROUPS) -> Any:
    """Which of ``count`` groups of colours each px is in, over the root of the group's size."""
    scale = np.array([box.width, box.height]) / SIDE
    there = np.indices((FIELD, FIELD), np.float32)[::-1] + 0.5 - FIELD / 2
    x = there[0] * scale[0] + box.center.x - 0.5
    y = there[1] * scale[1] + box.center.y - 0.5
    x0, y0, x1, y1 = box.grown(PAD * max(scale) + 4).outer_pixels()
    x0, y0 = max(0, x0), max(0, y0)
    window = picture[y0:y1, x0:x1]
    shrunk = max(1.0, min(scale))
    window = cv2.GaussianBlur(window, (0, 0), 0.4 * shrunk) if shrunk > 1.2 else window
    px = cv2.remap(
        window, (x - x0).astype(np.float32), (y - y0).astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    lab = cv2.cvtColor(px.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    colours = np.asarray(lab).reshape(-1, 3)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    label = np.zeros((len(colours), 1), np.int32)
    cv2.kmeans(colours, count, label, stop, 2, cv2.KMEANS_PP_CENTERS)
    shares = np.eye(count, dtype=np.float32)[label.ravel()]
    return shares / np.sqrt(np.maximum(shares.sum(axis=0), 1.0))


def spots(view: View) -> list[Box]:
    """The boxes of all characters of the picture, from left to right: names say nothing."""
    found = [
        Box(*region.box)
        for region in view.record.regions
        if region.role in ("target", "distractor")
    ]
    return sorted(found, key=lambda box: box.center.x)


def answer(view: View, chosen: Sequence[Box]) -> list[ActionBase]:
    """A click on each box, then on the button where one is drawn."""
    clicks: list[ActionBase] = [Click(box.center) for box in chosen]
    submit = [Box(*region.box) for region in view.record.regions if region.name == "submit"]
    return [*clicks, *(Click(box.center) for box in submit)]


def assigned(fits: Any) -> tuple[float, tuple[int, ...]]:
    """The best sum of a matrix with a column of its own for each row, and those columns."""
    rows, columns = fits.shape
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for row in range(rows):
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for used, (total, places) in best.items():
            for column in range(columns):
                bit = 1 << column
                found = (total + float(fits[row, column]), (*places, column))
                if not used & bit and found > after.get(used | bit, (-1e9, ())):
                    after[used | bit] = found
        best = after
    return max(best.values())
