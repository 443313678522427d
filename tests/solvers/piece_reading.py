"""What the judges of boards with pieces share: what stands on the squares, and lines on them."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Box
from factory.testing import View

FINE, BLUR, SIDE = 54, 2.5, 18
"""Squares are read at so many px a side, blurred by so many, and compared at so many."""

STANDS_OUT = 12.0
"""Distance in CIELAB from the square's own colour that is ink."""

LEAST_INK = 0.05
"""Share of a square that a piece inks at least."""

SAME = 6.0
"""Mean distance in CIELAB below which two pieces are of one kind."""

EMPTY = -1
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
DRAGS = ("Drag", "拖")


def boxes(view: View) -> dict[str, Box]:
    """The record's regions by name, canvas px."""
    return {region.name: Box(*region.box) for region in view.record.regions}


def squares(view: View) -> list[Box]:
    """The squares in reading order."""
    found = boxes(view)
    return [found[f"cell.{k}"] for k in range(len(found)) if f"cell.{k}" in found]


def kinds(view: View) -> list[int]:
    """What stands on each square: equal numbers for equal pieces, ``EMPTY`` for none."""
    glances = [_glance(view.picture, box) for box in squares(view)]
    found: list[int] = []
    known: list[Any] = []
    for piece in glances:
        if piece is None:
            found.append(EMPTY)
            continue
        apart = [_apart(piece, other) for other in known]
        if not apart or min(apart) > SAME:
            found.append(len(known))
            known.append(piece)
        else:
            found.append(int(np.argmin(apart)))
    return found


def _glance(picture: Any, box: Box) -> Any:
    """A square as soft small CIELAB px less its own colour; None where there is no ink."""
    inner = box.grown(-0.06 * box.width)
    step = inner.width / FINE
    across = (inner.x0 - 0.5 + step * (np.arange(FINE) + 0.5)).astype(np.float32)
    down = (inner.y0 - 0.5 + step * (np.arange(FINE) + 0.5)).astype(np.float32)
    shown = cv2.remap(picture, *np.meshgrid(across, down), cv2.INTER_LINEAR)
    lab = cv2.cvtColor(shown.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    rim = np.concatenate([lab[1:4].reshape(-1, 3), lab[-4:-1].reshape(-1, 3)])
    off = lab - np.median(rim, axis=0)
    if (np.linalg.norm(off, axis=2) > STANDS_OUT).mean() < LEAST_INK:
        return None
    return cv2.resize(
        cv2.GaussianBlur(off, (0, 0), BLUR), (SIDE, SIDE), interpolation=cv2.INTER_AREA
    )


def _apart(a: Any, b: Any) -> float:
    """The mean distance at the best of nine small shifts."""
    inner = a[1:-1, 1:-1]
    return min(
        float(np.linalg.norm(inner - b[y : y + SIDE - 2, x : x + SIDE - 2], axis=2).mean())
        for y in range(3)
        for x in range(3)
    )


def has_line(board: list[int], long: int) -> bool:
    """Whether ``long`` equal pieces stand in a row, a column or a diagonal, side by side."""
    side = round(len(board) ** 0.5)
    for at, kind in enumerate(board):
        row, column = divmod(at, side)
        for down, across in WAYS:
            last_row, last = row + down * (long - 1), column + across * (long - 1)
            if kind == EMPTY or last_row >= side or not 0 <= last < side:
                continue
            if all(board[at + k * (down * side + across)] == kind for k in range(long)):
                return True
    return False


def exchanged(board: list[int], a: int, b: int) -> list[int]:
    """The board after what stands on two squares changed places."""
    after = board.copy()
    after[a], after[b] = after[b], after[a]
    return after


def made(view: View, a: int, b: int) -> list[ActionBase]:
    """The move as a drag or two clicks, as the goal says, then the button where there is one."""
    found, ends = boxes(view), [squares(view)[k].center for k in (a, b)]
    drag = any(word in view.record.tasks[0].goal for word in DRAGS)
    actions: list[ActionBase] = [Drag(*ends)] if drag else [Click(end) for end in ends]
    return [*actions, *([Click(found["submit"].center)] if "submit" in found else [])]
