"""The independent judge of ``layer_order_count``: looks whose colour is seen where two meet.

Outlines and colours of the shapes are taken as they were dealt, by name, never their order.
Where two outlines meet, the decoded picture shows mostly the colour of the one that lies
higher; who lies over whom, followed from shape to shape, ranks a pile.
"""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.draw.colours import parse_hex
from factory.testing import View

MISREADS = 0.01
"""2 of 500, both looked at: a heart of which a fifth was seen (a third is,
since), and a small crossing."""

NAMES = {
    "circle": "circle|圆形", "square": "square|正方形", "triangle": "triangle|三角形",
    "star": "star|五角星", "heart": "heart|心形", "cross": "cross|十字",
}  # fmt: skip
NTH = {"second": 1, "third": 2, "fourth": 3, "第二": 1, "第三": 2, "第四": 3}
CLOSE = 55.0
"""Levels of RGB by which a px may be off the colour that it is taken for: edges are no colour."""

FEW_CSS2 = 8.0
"""CSS px squared in which two shapes meet, below which nothing is made of it."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles whose piles are as the goal prints."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    goal = view.record.tasks[0].goal
    tiles = [boxes[f"cell.{k}"] for k in range(len(view.state.piles))]
    right = [
        tile
        for tile, pile in zip(tiles, view.state.piles, strict=True)
        if _fits(goal, _ranked(view, tile, sorted(pile, key=lambda one: one.shape)))
    ]
    clicks: list[ActionBase] = [Click(tile.center) for tile in right]
    return clicks + ([Click(boxes["submit"].center)] if "submit" in boxes else [])


def _fits(goal: str, ranked: list[str]) -> bool:
    """Whether shapes, lowest first, are as the goal prints."""
    spots = [(found.start(), name) for name, words in NAMES.items()
             for found in re.finditer(words, goal)]  # fmt: skip
    named = [name for _, name in sorted(spots)]
    at = ranked.index(named[0])
    if "lies over" in goal or "压在" in goal:
        return at > ranked.index(named[1])
    if "at the very back" in goal or "最底层" in goal:
        return at == 0
    if "on top of all" in goal or "最上层" in goal:
        return at == len(ranked) - 1
    return at == next(place for word, place in NTH.items() if word in goal)


def _ranked(view: View, tile: Box, pile: list[Any]) -> list[str]:
    """The shapes of a pile, lowest first."""
    dpr = view.record.observations[0].dpr
    x0, y0, x1, y1 = tile.outer_pixels()
    pixels = view.picture[y0:y1, x0:x1].astype(np.float32)
    unit = min(tile.width, tile.height) / 46.0
    masks = {one.shape: _mask(one, tile, unit, pixels.shape[:2]) for one in pile}
    colours = np.array([parse_hex(one.colour)[::-1] for one in pile], np.float32)
    off = np.linalg.norm(pixels[:, :, None] - colours, axis=3)
    nearest = np.where(off.min(axis=2) < CLOSE, off.argmin(axis=2), -1)
    names = [one.shape for one in pile]
    wins = dict.fromkeys(permutations(names, 2), 0.0)
    for a, b in wins:
        meet = masks[a] & masks[b]
        mine, other = (int((meet & (nearest == names.index(name))).sum()) for name in (a, b))
        wins[a, b] = max(0.0, mine - other) if mine >= FEW_CSS2 * dpr**2 else 0.0
    orders = permutations(names)
    return list(max(orders, key=lambda order: _agreement(order, wins)))


def _agreement(order: tuple[str, ...], wins: dict[tuple[str, str], float]) -> float:
    """How much of what is seen an order explains."""
    return sum(
        wins[high, low] - wins[low, high]
        for place, high in enumerate(order)
        for low in order[:place]
    )


def _mask(one: Any, tile: Box, unit: float, shape: tuple[int, int]) -> Any:
    """The px of a shape on its tile, without its edge."""
    x0, y0 = tile.outer_pixels()[:2]
    middle = Point(tile.center.x - x0, tile.center.y - y0)
    mask = np.zeros(shape, np.uint8)
    corners = np.array(one.outline(middle, unit)) - 0.5
    cv2.fillPoly(mask, [np.rint(corners * 16).astype(np.int32)], 1, shift=4)
    return cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
