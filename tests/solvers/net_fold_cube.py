"""The independent judge of ``net_fold_cube``: compares pictures by their pixels and folds paper.

Every face that a cube shows is pulled straight and matched with the six pictures of the net in
four turns. The net is folded by turning its cells about their creases as points in space; a
cube fits when one rigid turn brings the three pictures that it shows, with their own
directions, to where they are seen.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.testing import View

SIDE = 48
ENDS = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
SEEN = (
    ((0, 0, 1), (1, 0, 0)), ((0, -1, 0), (1, 0, 0)), ((1, 0, 0), (0, 1, 0)),
)  # fmt: skip
"""Of the sides of a view: which way they look, and which way is right on them."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles whose cube the net makes."""
    regions = {region.name: region for region in view.record.regions}
    count = sum(name.startswith("cell.") for name in regions)
    prints = [_straight(view.picture, regions[f"net.{i}"]) for i in range(6)]
    made = _folded([Box(*regions[f"net.{i}"].box) for i in range(6)])
    right = []
    for tile in range(count):
        faces = [_straight(view.picture, regions[f"face.{3 * tile + k}"]) for k in range(3)]
        marks = [_match(face, prints, view.state.sheet.free) for face in faces]
        if _fits(made, marks, view.state.sheet.free):
            right.append(tile)
    clicks = [Click(Box(*regions[f"cell.{tile}"].box).center) for tile in right]
    submit = regions.get("submit")
    return [*clicks, *([Click(Box(*submit.box).center)] if submit else [])]


def _straight(picture: np.ndarray, region: Any) -> np.ndarray:
    """A face or a cell as a square, in grey levels of its picture against its paper."""
    corners = np.array(region.polygon, np.float32).reshape(-1, 2)
    matrix = cv2.getPerspectiveTransform(corners, ENDS)
    flat = cv2.warpPerspective(picture, matrix, (SIDE, SIDE))[5:-5, 5:-5].astype(np.float32)
    paper = np.median(np.concatenate([flat[:3].reshape(-1, 3), flat[-3:].reshape(-1, 3)]), axis=0)
    apart = np.abs(flat - paper).sum(axis=2)
    return cv2.GaussianBlur((apart > 0.4 * apart.max()).astype(np.float32), (0, 0), 1.2)


def _match(face: np.ndarray, prints: list[np.ndarray], free: bool) -> tuple[int, int]:
    """Which print in which quarter turn clockwise is most like a face."""
    turns = range(1 if free else 4)
    padded = np.pad(face, 2)
    scores = {
        (i, k): cv2.matchTemplate(padded, np.rot90(p, -k).copy(), cv2.TM_CCOEFF_NORMED).max()
        for i, p in enumerate(prints) for k in turns
    }  # fmt: skip
    return max(scores, key=lambda key: scores[key])


def _folded(boxes: list[Box]) -> dict[int, np.ndarray]:
    """By print: its out and right as rows, after folding every crease by a right angle."""
    side = boxes[0].width
    cells = [(round(b.x0 / side - boxes[0].x0 / side), round(b.y0 / side - boxes[0].y0 / side))
             for b in boxes]  # fmt: skip
    frames = {0: np.eye(3)}  # columns: right, up, out of the sheet
    while len(frames) < 6:
        for i, (x, y) in enumerate(cells):
            for j, (u, v) in enumerate(cells):
                if i in frames and j not in frames and abs(u - x) + abs(v - y) == 1:
                    crease = np.array([0, u - x, 0]) if u != x else np.array([v - y, 0, 0])
                    frames[j] = frames[i] @ cv2.Rodrigues(crease * (np.pi / 2))[0]
    return {i: np.rint(np.stack([f[:, 2], f[:, 0]])) for i, f in frames.items()}


def _fits(made: dict[int, np.ndarray], marks: list[tuple[int, int]], free: bool) -> bool:
    if len({i for i, _ in marks}) < 3:
        return False
    outs = np.array([made[i][0] for i, _ in marks])
    turn = np.array([out for out, _ in SEEN]).T @ np.linalg.pinv(outs.T)
    if round(float(np.linalg.det(outs))) == 0 or round(float(np.linalg.det(turn))) != 1:
        return False
    for (i, k), (out, right) in zip(marks, SEEN, strict=True):
        down = np.cross(right, out)
        shown = (np.array(right), down, -np.array(right), -down)[k]
        if not free and not np.allclose(turn @ made[i][1], shown):
            return False
    return True
