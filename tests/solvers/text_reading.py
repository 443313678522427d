"""What the judges of typed text share: reading one glyph off pixels, by correlation ratio.

Every candidate character of every face of the split is drawn by FreeType from the font's
file, turned and sheared, filled and as an outline, and brought to the box of the glyph. A
candidate explains the picture as far as the colours of its px tell ink from ground: the
px are grouped by colour, and the share of the candidate's variance that lies between
groups is its score. That needs no knowledge of inks, rims, shades or grounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

from factory.core.geometry import Box
from factory.draw import glyphs

SIDE, PAD = 30, 4
FIELD = SIDE + 2 * PAD
"""A glyph is compared at 30 px with 4 px around it."""

TURNS = (-28.0, -18.0, -9.0, 0.0, 9.0, 18.0, 28.0)
SHEARS = (-0.25, 0.0, 0.25)
GROUPS = 7
"""Groups of colours: two tones of ink, a rim, and grounds."""

ROUNDS, BATCH = 4, 14
SPREADS = np.array([7.0, 0.10, 1.0, 1.0, 0.06, 0.06, 1.2, 1.2])
"""First steps of the search: turn, shear, move x and y, stretch x and y, bend x and y."""

INKS = ("fill", "outline")
RING = 0.055
"""Width of an outline by the size of the glyph."""

DRAWN_PX = 96


@dataclass(frozen=True)
class Reading:
    """Scores in [0, 1] of candidates, by character."""

    scores: dict[str, float]

    @property
    def best(self) -> str:
        """The likeliest character."""
        return max(self.scores, key=lambda char: self.scores[char])


@lru_cache(maxsize=1024)
def _font(face: str, char: str) -> Any:
    for path in glyphs.face_named(face).paths():
        if ord(char) in _characters(path):
            return ImageFont.truetype(str(path), DRAWN_PX)
    raise LookupError(f"{face} has no {char}")


@lru_cache(maxsize=64)
def _characters(path: Path) -> frozenset[int]:
    return frozenset(TTFont(path).getBestCmap() or {})


@cache
def upright(face: str, char: str) -> tuple[Any, Any]:
    """The mask of a character, 0 to 1, and the px of its outline ``(n, 2)`` about its middle."""
    image = Image.new("L", (4 * DRAWN_PX, 4 * DRAWN_PX))
    ImageDraw.Draw(image).text((DRAWN_PX, DRAWN_PX), char, 255, _font(face, char))
    mask = np.asarray(image.crop(image.getbbox()), np.float32) / 255.0
    mask = cv2.copyMakeBorder(mask, 4, 4, 4, 4, cv2.BORDER_CONSTANT)
    edge = np.argwhere((mask > 0.5) & (cv2.erode(mask, np.ones((3, 3))) <= 0.5))[:, ::-1]
    return mask, (edge + 0.5 - np.array(mask.shape[::-1]) / 2).astype(np.float32)


def _extent(along: Any) -> tuple[Any, Any]:
    """How far px of each row reach, and the middle of that."""
    low, high = (found(along, axis=1, keepdims=True) for found in (np.min, np.max))
    return high - low + 1e-6, (low + high) / 2


OVER, ACROSS = (np.indices((FIELD, FIELD), np.float32)[::-1] + np.float32(0.5)).reshape(2, -1)
"""Middles of the field's px."""


def posed(face: str, char: str, ink: str, poses: Any) -> Any:
    """A candidate in its field, a row a pose: turned, sheared, bent, brought to the box, moved."""
    turn, shear, dx, dy, sx, sy, bend_x, bend_y = np.asarray(poses, np.float32).T[..., None]
    edge_x, edge_y = upright(face, char)[1].T
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    a, b, c, d = cos, -cos * shear - sin, sin, cos - sin * shear
    ring = RING * DRAWN_PX if ink == "outline" else 0.0
    shape = _hollow(face, char) if ring else _soft(face, char)
    wide, middle_x = _extent(a * edge_x + b * edge_y)
    high, middle_y = _extent(c * edge_x + d * edge_y)
    over, across = OVER - FIELD / 2 - dx, ACROSS - FIELD / 2 - dy
    bent_x = over - bend_x * ((across / (SIDE / 2)) ** 2 - 0.4)
    bent_y = across - bend_y * ((over / (SIDE / 2)) ** 2 - 0.4)
    there_x = bent_x * (wide + ring) / (SIDE * (1 + sx)) + middle_x
    there_y = bent_y * (high + ring) / (SIDE * (1 + sy)) + middle_y
    # The inverse of a turn and a shear, whose determinant is 1.
    x = d * there_x - b * there_y + shape.shape[1] / 2 - 0.5
    y = a * there_y - c * there_x + shape.shape[0] / 2 - 0.5
    return cv2.remap(shape, x, y, cv2.INTER_LINEAR)


@cache
def _soft(face: str, char: str) -> Any:
    """The mask as seen at a third of its size."""
    return cv2.GaussianBlur(upright(face, char)[0], (0, 0), 1.2)


@cache
def _hollow(face: str, char: str) -> Any:
    mask = upright(face, char)[0]
    side = max(1, round(RING * DRAWN_PX / 2))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * side + 1, 2 * side + 1))
    ring = cv2.dilate(mask, disc) - cv2.erode(mask, disc)
    return cv2.GaussianBlur(ring, (0, 0), 1.2)


START = np.zeros(8)


@lru_cache(maxsize=12)
def _candidates(
    split: str, chars: str, inks: tuple[str, ...], script: str, turns: tuple[float, ...]
) -> tuple[list[tuple[str, str, str, Any]], Any, Any]:
    """``(face, char, ink, pose)`` of each template, which of the characters each shows, and the
    templates without mean, of length 1."""
    keys: list[tuple[str, str, str, Any]] = []
    rows: list[Any] = []
    poses = [np.array([turn, shear, *START[2:]]) for turn in turns for shear in SHEARS]
    for face in (face.name for face in glyphs.faces(split, script, plain=True)):
        for char in chars:
            if not glyphs.has_glyph(face, char):
                continue
            for ink in inks:
                keys += [(face, char, ink, pose) for pose in poses]
                rows.append(posed(face, char, ink, poses))
    owners = np.array([chars.index(char) for _, char, _, _ in keys])
    return keys, owners, _normal(np.concatenate(rows))


def _normal(rows: Any) -> Any:
    rows = rows - rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.sqrt((rows**2).sum(axis=1, keepdims=True)), 1e-6)


def groups(picture: Any, box: Box) -> Any:
    """Which group of colours each px of the field is in: one column a group, each over the
    root of its size, ``(px, groups)``."""
    grown = SIDE / 2 + PAD
    scale = np.array([box.width, box.height]) / SIDE
    there = np.indices((FIELD, FIELD), np.float32)[::-1] + 0.5 - grown
    x = there[0] * scale[0] + box.center.x - 0.5
    y = there[1] * scale[1] + box.center.y - 0.5
    window = cv2.remap(picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    lab = cv2.cvtColor(window.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    colours = np.asarray(lab).reshape(-1, 3)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    label = np.zeros((len(colours), 1), np.int32)
    cv2.kmeans(colours, GROUPS, label, stop, 2, cv2.KMEANS_PP_CENTERS)
    shares = np.eye(GROUPS, dtype=np.float32)[label.ravel()]
    return shares / np.sqrt(np.maximum(shares.sum(axis=0), 1.0))


def _explained(rows: Any, grouped: Any) -> Any:
    """The share of each row's variance that lies between the groups."""
    return ((rows @ grouped) ** 2).sum(axis=1)


def read(
    picture: Any,
    box: Box,
    split: str,
    chars: str,
    inks: tuple[str, ...] = INKS,
    finalists: int = 10,
    script: str = "latin",
    turns: tuple[float, ...] = TURNS,
) -> Reading:
    """How well each character explains the px of a box (picture px, BGR).

    ``finalists`` candidates, each of another character or face, are posed more finely.
    """
    grouped = groups(picture, box)
    keys, owners, rows = _candidates(split, chars, inks, script, turns)
    coarse = _explained(rows, grouped)
    chosen: dict[tuple[str, str], int] = {}
    for at in np.argsort(-coarse):
        if len(chosen) == finalists:
            break
        chosen.setdefault(keys[at][:2], int(at))
    best = np.zeros(len(chars))
    np.maximum.at(best, owners, coarse)
    scores = dict(zip(chars, best.tolist(), strict=True))
    for at in chosen.values():
        face, char, ink, pose = keys[at]
        scores[char] = max(scores[char], _searched(face, char, ink, pose, grouped))
    return Reading(scores)


def _searched(face: str, char: str, ink: str, pose: Any, grouped: Any) -> float:
    """The best score about a pose, by random steps that grow smaller."""
    rng = np.random.default_rng(7)
    best, score = pose, 0.0
    for turn in range(ROUNDS):
        steps = rng.normal(size=(BATCH, 8)) * SPREADS * 0.6**turn
        steps[0] = 0.0
        tried = best + steps
        found = _explained(_normal(posed(face, char, ink, tried)), grouped)
        if found.max() > score:
            best, score = tried[int(found.argmax())], float(found.max())
    return score


def read_all(picture: Any, boxes: Sequence[Box], split: str, alphabets: Sequence[str]) -> str:
    """The text of boxes from left to right, in the alphabet that explains them best."""
    found: list[tuple[float, str]] = []
    for chars in alphabets:
        readings = [read(picture, box, split, chars) for box in boxes]
        total = math.fsum(max(reading.scores.values()) for reading in readings)
        found.append((total, "".join(reading.best for reading in readings)))
    return max(found)[1]
