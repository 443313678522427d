"""Independent judges of the plain classes: they read the goal and the pixels, nothing else."""

from __future__ import annotations

import re

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.testing import View
from saboteurs.plain.base import COLOURS, ZH

NEAR = 60
"""Levels by which a decoded colour may differ from the one that was drawn."""


def region(view: View, name: str) -> Box:
    """A region of the record."""
    return next(Box(*r.box) for r in view.record.regions if r.name == name)


def submitted(view: View, clicks: list[ActionBase]) -> list[ActionBase]:
    """The clicks, and one on the submit button where there is one."""
    names = {r.name for r in view.record.regions}
    return [*clicks, Click(region(view, "submit").center)] if "submit" in names else clicks


def mask(picture: np.ndarray, box: Box, rgb: tuple[int, ...]) -> np.ndarray:
    """Where a colour is inside a box."""
    x0, y0, x1, y1 = box.outer_pixels()
    return (np.abs(picture[y0:y1, x0:x1].astype(int) - np.array(rgb[::-1])) < NEAR).all(axis=2)


def middle(found: np.ndarray, box: Box) -> Point:
    """The centroid of a mask on the canvas."""
    rows, columns = np.nonzero(found)
    x0, y0, _, _ = box.outer_pixels()
    return Point(x0 + float(np.median(columns)) + 0.5, y0 + float(np.median(rows)) + 0.5)


class OfBars:
    """Finds the bars by the colours that the goal names."""

    def solve(self, view: View) -> list[ActionBase]:
        goal, box = view.record.tasks[0].goal, region(view, "picture")
        words = {**{name: name for name in ZH}, **{word: name for name, word in ZH.items()}}
        named = re.findall("|".join(words), goal)
        spots = [middle(mask(view.picture, box, COLOURS[words[w]]), box) for w in named]
        return submitted(view, [Click(spot) for spot in spots])


class OfBoard:
    """Tells shapes by how much of their box they fill."""

    def solve(self, view: View) -> list[ActionBase]:
        goal = view.record.tasks[0].goal
        wanted = next(
            k for k, word in enumerate(("square|方块", "disc|圆", "triangle|三角形"))
            if re.search(word, goal)
        )  # fmt: skip
        clicks: list[ActionBase] = []
        for k in range(9):
            box = region(view, f"cell.{k}")
            rows, columns = np.nonzero(mask(view.picture, box, (40, 70, 150)))
            around = (np.ptp(rows) + 1) * (np.ptp(columns) + 1)
            shape = int(np.argmin(np.abs(np.array([1.0, np.pi / 4, 0.5]) - len(rows) / around)))
            clicks += [Click(box.center)] if shape == wanted else []
        return submitted(view, clicks)


class OfLamps:
    """Finds the lamp that is lit in each picture."""

    def solve(self, view: View) -> list[ActionBase]:
        box = region(view, "picture")
        spots = [middle(mask(picture, box, (250, 190, 20)), box) for picture in view.pictures]
        return submitted(view, [Click(spot) for spot in spots])


class OfSteps:
    """Counts the dots and steps forward."""

    def solve(self, view: View) -> list[ActionBase]:
        wanted = int(re.findall(r"\d+", view.record.tasks[0].goal)[0])
        ink = mask(view.picture, region(view, "picture"), (30, 40, 80)).astype(np.uint8)
        sizes = cv2.connectedComponentsWithStats(ink)[2][1:, cv2.CC_STAT_AREA]
        shown = int((sizes > sizes.max() / 2).sum())  # the panel's frame shows in the corners
        arrow = region(view, "next")
        steps = (wanted - shown) % 6
        spots = [arrow.center._replace(x=arrow.center.x + 2 * (k % 3)) for k in range(steps)]
        return submitted(view, [Click(spot) for spot in spots])
