"""The independent judge of ``drag_multi_jigsaw``: lays the pieces in all ways and looks at joints.

Colours along the edges of the gaps' neighbours and of the pieces, as decoded, say how well each
piece joins in each gap, and two pieces in neighbouring gaps. The smoothest way is dragged.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Box, Point
from factory.testing import View

MISREADS = 0.01
"""2 of 500, both looked at: two pieces of shelves, and two of one blue."""

INSIDE_CSS = (2.0, 4.0)
"""Where colours along an edge are read: two lines, of which the nearer one is drawn out."""

STRONG = 40.0
"""A difference in CIELAB beyond which a joint is broken, however far."""

SIDES = ((0, -1, 0), (1, 0, -1), (2, 1, 0), (3, 0, 1))
"""Left, top, right and foot, with the step to the tile beside."""


def solve(view: View) -> list[ActionBase]:
    """Drag the pieces to the gaps in which all of them join best."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    named = {role: _of(boxes, role) for role in ("piece", "target", "cell")}
    eye = _Eye(view)
    loose = [eye.sides(box) for box in named["piece"]]
    still = [(box, eye.sides(box)) for box in named["cell"]]
    gaps = named["target"]
    beside = [[_neighbour(gap, step, [b for b, _ in still]) for step in SIDES] for gap in gaps]
    joint = [[_neighbour(gap, step, gaps) for step in SIDES] for gap in gaps]
    fixed = np.zeros((len(loose), len(gaps)))
    for p, piece in enumerate(loose):
        for g in range(len(gaps)):
            fixed[p, g] = sum(
                _apart(piece[side], still[k][1][(side + 2) % 4])
                for side, k in enumerate(beside[g])
                if k is not None
            )

    def cost(way: tuple[int, ...]) -> float:
        total = sum(fixed[piece, gap] for piece, gap in enumerate(way))
        lying = {gap: loose[piece] for piece, gap in enumerate(way)}
        for gap, others in enumerate(joint):
            for side in (2, 3):
                other = others[side]
                if other is not None:
                    total += _apart(lying[gap][side], lying[other][(side + 2) % 4])
        return float(total)

    best = min(permutations(range(len(gaps))), key=cost)
    drags = [Drag(named["piece"][piece].center, gaps[gap].center) for piece, gap in enumerate(best)]
    return [*drags, *([Click(boxes["submit"].center)] if "submit" in boxes else [])]


def _of(boxes: dict[str, Box], role: str) -> list[Box]:
    names = [name for name in boxes if name.partition(".")[0] == role]
    return [boxes[name] for name in sorted(names, key=lambda name: int(name.partition(".")[2]))]


def _neighbour(box: Box, step: tuple[int, int, int], others: list[Box]) -> int | None:
    """Which of the others lies a step beside a box."""
    _, dx, dy = step
    there = (box.center.x + 1.05 * dx * box.width, box.center.y + 1.05 * dy * box.height)
    found = [k for k, other in enumerate(others) if other.contains(Point(*there))]
    return found[0] if found else None


def _apart(mine: Any, other: Any) -> float:
    return float(np.minimum(np.linalg.norm(mine - other, axis=1), STRONG).mean())


class _Eye:
    """The picture in CIELAB."""

    def __init__(self, view: View) -> None:
        self.dpr = view.record.observations[0].dpr
        self.lab = cv2.cvtColor(view.picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)

    def sides(self, box: Box) -> list[Any]:
        """Colours along left, top, right and foot of a tile, drawn out to the edge."""
        near, far = (off * self.dpr for off in INSIDE_CSS)
        lines = [[self._line(box.grown(-off), k) for off in (near, far)] for k in range(4)]
        return [one + 0.5 * (one - two) for one, two in lines]

    def _line(self, box: Box, side: int) -> Any:
        shares = (np.arange(40, dtype=np.float32) + 0.5) / 40
        x, y = box.x0 + shares * box.width, box.y0 + shares * box.height
        xs = [np.full_like(x, box.x0), x, np.full_like(x, box.x1), x][side]
        ys = [y, np.full_like(y, box.y0), y, np.full_like(y, box.y1)][side]
        across, down = ((part - 0.5).astype(np.float32)[:, None] for part in (xs, ys))
        return cv2.remap(self.lab, across, down, cv2.INTER_LINEAR).reshape(-1, 3)
