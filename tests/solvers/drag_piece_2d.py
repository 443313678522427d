"""The independent judge of ``drag_piece_2d``: lays every loose piece over the picture.

Where a piece belongs, the picture shows the piece's bright rim and its content under a veil:
one and the same share of the way to black or white everywhere. Places are ranked by their
rims, the best of them by how well a veil explains them. The best of all pieces and places is
dragged together; then the button is clicked, where there is one.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.drop import Drop
from factory.testing import View

CLOSE = 3.0
"""CSS px between two ways of finding the gap's centre."""

RIM_CSS, CLIP = 4.0, (40, 30)
"""Rims are thinner than this; levels of grey beyond which lines and edges are equally strong."""

PLACES = 12
"""Best places by rims that are looked at for a veil."""

VEILS = (0.3, 0.8)
"""What a veil leaves of the piece's contrast."""

RESIDUE = 0.2
"""Unexplained share of a place's content that weighs as much as all of the rim."""


def solve(view: View) -> list[ActionBase]:
    """Drag the piece that matches best to where it does."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    pieces = [box for name, box in sorted(regions.items()) if name.startswith("piece.")]
    rims = _rims(view.picture, view.record.observations[0].dpr)
    _, shift, home = max(
        (*_best_place(view.picture, rims, box, regions["picture"], pieces), box.as_list())
        for box in pieces
    )
    start = Box(*home).center
    actions: list[ActionBase] = [Drag(start, Point(start.x + shift[0], start.y + shift[1]))]
    if "submit" in regions:
        actions.append(Click(regions["submit"].center))
    return actions


def error(mechanic: AnyMechanic, actions: list[ActionBase]) -> float:
    """CSS px between the dragged piece and its gap; infinite for a piece without one."""
    assert isinstance(mechanic, Drop)
    drag, (index,) = actions[0], mechanic.required
    assert isinstance(drag, Drag)
    if not mechanic.pieces[index].home.contains(Point(*drag.start)):
        return math.inf
    shift = mechanic.clamped(index, drag.end[0] - drag.start[0], drag.end[1] - drag.start[1])
    return math.dist(mechanic.center_at(index, shift), mechanic.targets[0].spot) / (
        mechanic.px_per_css
    )


def _rims(picture: np.ndarray, dpr: float) -> tuple[np.ndarray, np.ndarray]:
    """Thin bright lines; and edges as ``(strength cos 2a, strength sin 2a)`` of their normals."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    wide = 2 * round(RIM_CSS * dpr / 2) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    lines = np.minimum(cv2.morphologyEx(grey, cv2.MORPH_TOPHAT, kernel), CLIP[0])
    soft = cv2.GaussianBlur(grey, (0, 0), dpr / 2)
    dx, dy = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=0.25) for way in ((1, 0), (0, 1)))
    strength = np.hypot(dx, dy) + 1e-6
    part = np.minimum(strength, CLIP[1]) / strength**2
    return lines.astype(np.float32), np.dstack([(dx**2 - dy**2) * part, 2 * dx * dy * part])


def _best_place(
    picture: np.ndarray, rims: tuple[np.ndarray, ...], piece: Box, area: Box, pieces: list[Box]
) -> tuple[float, tuple[int, int]]:
    """``(score, shift in canvas px)`` of the place in ``area`` where the piece fits best."""
    ground, own = _cut(picture, area), _cut(picture, piece)
    lines, edges = (
        cv2.matchTemplate(_cut(rim, area), _cut(rim, piece), cv2.TM_CCOEFF_NORMED) for rim in rims
    )
    score = 0.5 * lines + edges  # white rims on a white ground are no lines, but are edges
    x0, y0, side = round(area.x0), round(area.y0), own.shape[0]
    for box in pieces:
        _blank(score, round(box.x0) - x0, round(box.y0) - y0, side)
    found: list[tuple[float, tuple[int, int]]] = []
    for _ in range(PLACES):
        _, rim, _, (x, y) = cv2.minMaxLoc(score)
        left = _residue(own, ground[y : y + side, x : x + side])
        found.append((rim - left / RESIDUE, (x + x0 - round(piece.x0), y + y0 - round(piece.y0))))
        _blank(score, x, y, 6)
    return max(found)


def _residue(piece: np.ndarray, place: np.ndarray) -> float:
    """The share of the heart of the piece that no veil over it explains; 0.2 for no veil."""
    heart = slice(3 * len(piece) // 10, 7 * len(piece) // 10)
    left = math.inf
    for shade in (0.0, 255.0):
        from_piece = piece[heart, heart].astype(np.float64) - shade
        from_place = place[heart, heart].astype(np.float64) - shade
        share = (from_piece * from_place).sum() / max(1.0, (from_piece**2).sum())
        share = min(max(share, VEILS[0]), VEILS[1])
        off = np.abs(from_place - share * from_piece).mean()
        left = min(left, float(off / max(1.0, np.abs(from_piece).mean())))
    return left


def _blank(score: np.ndarray, x: int, y: int, reach: int) -> None:
    score[max(0, y - reach) : max(0, y + reach), max(0, x - reach) : max(0, x + reach)] = -2.0


def _cut(pixels: np.ndarray, box: Box) -> np.ndarray:
    return pixels[round(box.y0) : round(box.y1), round(box.x0) : round(box.x1)]
