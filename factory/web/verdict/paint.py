"""Paint proof: a target is seen if something goes when it goes.

Targets that do not touch are taken out together, the picture is shot again,
and what changed inside a target's box is its ink. The rest of the picture must
stay as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import orjson
from numpy.typing import NDArray

from factory.web.paint import Pixels, decode_png
from factory.web.verdict.page import Page
from factory.web.verdict.types import BoxList, Ink, PageFault, PageReason

INK_STEP = 8
"""Of 255 in any channel: what an eye may see, and more than encoders or blending leave behind."""
MIN_INK_PX2 = 12.0
MIN_INK_SHARE = 0.02
"""A 10 px icon in a 40 px button has 4 %; less is a speck."""
MAX_STRAY = 0.25
"""Share of a target's change outside its box: beyond it, something else moved too."""
MARGIN_PX = 4.0
"""CSS px around a box that still count as its own: focus rings, anti-aliasing, small shadows."""
GAP_PX = 2.0
"""CSS px between targets of one batch: ink is counted in boxes, so only anti-aliasing counts."""
RETRIES = 8
"""Shots spent on finding out which target of a batch changes what lies elsewhere."""


@dataclass
class Proof:
    """Ink by candidate index, and the number of shots it took."""

    inks: dict[int, Ink] = field(default_factory=dict)
    shots: int = 0


@dataclass(frozen=True)
class Subject:
    """A candidate to prove: ``box`` to be published, ``reach`` all it may paint, CSS px."""

    index: int
    box: BoxList
    reach: BoxList


def batches(subjects: Sequence[Subject]) -> list[list[Subject]]:
    """Groups without overlap: each subject joins the first group that it does not touch."""
    out: list[list[Subject]] = []
    for subject in subjects:
        for group in out:
            if not any(_touch(subject.reach, other.reach) for other in group):
                group.append(subject)
                break
        else:
            out.append([subject])
    return out


def _touch(a: BoxList, b: BoxList) -> bool:
    gap = GAP_PX
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap


def prove(page: Page, picture: bytes, boxes: dict[int, BoxList], *, again: bool) -> Proof:
    """Ink of each candidate in ``boxes``; with ``again`` the whole picture is shot once more.

    ``UNSTABLE`` when that last picture is not the first.
    """
    proof = Proof()
    if not boxes:
        return proof
    before = decode_png(picture)
    wanted = ",".join(map(str, boxes))
    reaches = orjson.loads(page.evaluate(f"JSON.stringify(verdict.extents({wanted}))"))
    subjects = [
        Subject(i, box, reach or box)
        for (i, box), reach in zip(boxes.items(), reaches, strict=True)
    ]
    waiting = batches(subjects)
    limit = len(waiting) + RETRIES
    while waiting:
        group = waiting.pop(0)
        change = _without(page, before, group)
        proof.shots += 1
        inks = _inks(change, group, page.window.dpr)
        doubtful = max(ink.stray for ink in inks.values()) > MAX_STRAY
        if doubtful and len(group) > 1 and proof.shots + len(waiting) < limit:
            waiting += [group[::2], group[1::2]]
        else:
            proof.inks |= inks
    if again:
        _same(before, page)
        proof.shots += 1
    return proof


def _without(page: Page, before: Pixels, group: Sequence[Subject]) -> NDArray[np.uint8]:
    """255 where the picture changes when the group is out of it."""
    page.evaluate(f"verdict.hide({','.join(str(s.index) for s in group)})")
    try:
        after = decode_png(page.shoot())
    finally:
        page.evaluate("verdict.show()")
    return _difference(before, after)


def _difference(before: Pixels, after: Pixels) -> NDArray[np.uint8]:
    apart = cv2.absdiff(before[..., :3], after[..., :3])
    return cv2.bitwise_not(cv2.inRange(apart, (0, 0, 0), (INK_STEP,) * 3)).astype(
        np.uint8, copy=False
    )


def _inks(change: NDArray[np.uint8], group: Sequence[Subject], dpr: float) -> dict[int, Ink]:
    rest = change.copy()
    for subject in group:
        _crop(rest, subject.reach, dpr, MARGIN_PX)[:] = 0
    stray = cv2.countNonZero(rest)
    return {s.index: _ink(change, s, stray, dpr) for s in group}


def _ink(change: NDArray[np.uint8], subject: Subject, stray_px: int, dpr: float) -> Ink:
    inside = cv2.countNonZero(np.ascontiguousarray(_crop(change, subject.box, dpr)))
    near = _crop(change, subject.box, dpr, MARGIN_PX)
    bounds = _bounds(near, subject.box, dpr)
    total = inside + stray_px
    return Ink(
        area=round(inside / dpr**2, 2),
        box=bounds,
        stray=round(stray_px / total, 4) if total else 0.0,
        iou=round(_iou(bounds, subject.box), 4) if bounds else 0.0,
    )


def _corners(box: BoxList, dpr: float, margin: float) -> tuple[int, int, int, int]:
    x0, y0 = ((v - margin) * dpr for v in box[:2])
    x1, y1 = ((v + margin) * dpr for v in box[2:])
    return max(0, round(x0)), max(0, round(y0)), max(0, round(x1)), max(0, round(y1))


def _crop(
    mask: NDArray[np.uint8], box: BoxList, dpr: float, margin: float = 0.0
) -> NDArray[np.uint8]:
    x0, y0, x1, y1 = _corners(box, dpr, margin)
    return mask[y0:y1, x0:x1]


def _bounds(near: NDArray[np.uint8], box: BoxList, dpr: float) -> BoxList | None:
    """The box of the changed pixels in CSS px."""
    if near.size == 0:
        return None
    x, y, w, h = cv2.boundingRect(np.ascontiguousarray(near))
    if w == 0:
        return None
    x0, y0, _, _ = _corners(box, dpr, MARGIN_PX)
    return [round(v / dpr, 4) for v in (x0 + x, y0 + y, x0 + x + w, y0 + y + h)]


def _iou(a: BoxList, b: BoxList) -> float:
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return w * h / (both - w * h)


def _same(before: Pixels, page: Page) -> None:
    changed = cv2.countNonZero(_difference(before, decode_png(page.shoot())))
    if changed > MIN_INK_PX2 * page.window.dpr**2:
        raise PageFault(PageReason.UNSTABLE, f"{changed} px differ when all is put back")
