"""Paint proof: a target is seen if something goes when it goes.

Targets that do not touch are taken out together, the picture is shot again,
and what changed inside a target's box is its ink. The rest of the picture must
stay as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import msgspec
import numpy as np
import orjson
from numpy.typing import NDArray

from factory.web.paint import Pixels
from factory.web.verdict.page import Page, Steps
from factory.web.verdict.pixels import rgb_of
from factory.web.verdict.types import BoxList, Ink, Measured, PageFault, PageReason

INK_STEP = 8
"""Of 255 in any channel: what an eye may see, and more than encoders or blending leave behind."""
MIN_INK_PX2 = 12.0
MIN_INK_SHARE = 0.02
"""A 10 px icon in a 40 px button has 4 %; less is a speck."""
MAX_STRAY = 0.25
"""Share of a target's change outside its box: beyond it, something else moved too."""
MARGIN_PX = 4.0
"""CSS px around a box that still count as its own: focus rings, anti-aliasing, small shadows."""
GAP_PX = 0.5
"""CSS px between targets of one batch: ink is counted in boxes, so these must only not touch."""
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
    reaches = np.array([subject.reach for subject in subjects])
    low, high = reaches[:, :2] - GAP_PX / 2, reaches[:, 2:] + GAP_PX / 2
    apart = (low[:, None] >= high[None]) | (low[None] >= high[:, None])
    touch: NDArray[np.bool_] = ~np.any(apart, axis=2)
    groups: list[list[int]] = []
    taken: list[NDArray[np.bool_]] = []
    for i in range(len(subjects)):
        place = next((g for g, near in enumerate(taken) if not near[i]), None)
        if place is None:
            groups.append([])
            taken.append(np.zeros(len(subjects), bool))
            place = -1
        groups[place].append(i)
        taken[place] |= touch[i]
    return [[subjects[i] for i in group] for group in groups]


def prove(
    page: Page,
    picture: bytes,
    boxes: dict[int, BoxList],
    *,
    again: bool,
    kept: NDArray[np.uint8] | None = None,
) -> Steps[Proof]:
    """Ink of each candidate in ``boxes``; with ``again`` the whole picture is shot once more.

    ``kept`` (H, W), device px, becomes 255 where ink is.

    Without it the last batch stays out of the picture until the next swap.
    ``UNSTABLE`` when that last picture is not the first.
    """
    proof = Proof()
    if not boxes:
        return proof
    before = rgb_of(picture)
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
        change = yield from _without(page, before, group)
        proof.shots += 1
        inks = _inks(change, group, page.window.dpr)
        doubtful = max(ink.stray for ink in inks.values()) > MAX_STRAY
        if doubtful and len(group) > 1 and proof.shots + len(waiting) < limit:
            waiting += [group[::2], group[1::2]]
        else:
            proof.inks |= inks
            if kept is not None:
                _keep(kept, change, group, page.window.dpr)
    if again:
        page.evaluate("verdict.show()")
        _same(before, (yield page.ask_picture()), page.window.dpr)
        proof.shots += 1
    return proof


def _keep(
    kept: NDArray[np.uint8], change: NDArray[np.uint8], group: Sequence[Subject], dpr: float
) -> None:
    for x0, y0, x1, y1 in _pixels([s.box for s in group], dpr, MARGIN_PX):
        kept[y0:y1, x0:x1] |= change[y0:y1, x0:x1]


def ink_mask(page: Page) -> tuple[bytes, NDArray[np.uint8]]:
    """The picture of the shown page (PNG), and 255 where its targets paint: (H, W), device px.

    Targets stay out of the page until the next swap.
    """
    found = msgspec.json.decode(page.measure(static=True), type=Measured).candidates
    boxes = {i: e.box for i, e in enumerate(found) if e.reason is None and e.box}
    picture = page.shoot()
    kept = np.zeros(rgb_of(picture).shape[:2], np.uint8)
    page.finish(prove(page, picture, boxes, again=False, kept=kept))
    return picture, kept


def _without(page: Page, before: Pixels, group: Sequence[Subject]) -> Steps[NDArray[np.uint8]]:
    """255 where the picture changes when the group is out of it."""
    page.evaluate(f"verdict.show(); verdict.hide({','.join(str(s.index) for s in group)})")
    png = yield page.ask_picture()
    return _difference(before, rgb_of(png))


def _difference(before: Pixels, after: Pixels) -> NDArray[np.uint8]:
    apart = cv2.absdiff(before, after)
    return cv2.bitwise_not(cv2.inRange(apart, (0, 0, 0), (INK_STEP,) * 3)).astype(
        np.uint8, copy=False
    )


def _inks(change: NDArray[np.uint8], group: Sequence[Subject], dpr: float) -> dict[int, Ink]:
    rest = change.copy()
    for x0, y0, x1, y1 in _pixels([s.reach for s in group], dpr, MARGIN_PX):
        rest[y0:y1, x0:x1] = 0
    stray = cv2.countNonZero(rest)
    boxes = [s.box for s in group]
    places = zip(group, _pixels(boxes, dpr), _pixels(boxes, dpr, MARGIN_PX), strict=True)
    return {s.index: _ink(change, s.box, inner, outer, stray, dpr) for s, inner, outer in places}


def _pixels(boxes: Sequence[BoxList], dpr: float, margin: float = 0.0) -> list[list[int]]:
    """The boxes, grown by a margin in CSS px, as whole device px; nothing is negative."""
    grown = np.array(boxes) + np.array([-margin, -margin, margin, margin])
    return np.maximum(np.rint(grown * dpr), 0).astype(int).tolist()


def _ink(
    change: NDArray[np.uint8],
    box: BoxList,
    inner: list[int],
    outer: list[int],
    stray_px: int,
    dpr: float,
) -> Ink:
    x0, y0, x1, y1 = inner
    inside = cv2.countNonZero(change[y0:y1, x0:x1]) if x1 > x0 and y1 > y0 else 0
    total = inside + stray_px
    bounds = _bounds(change, outer, dpr)
    return Ink(
        area=round(inside / dpr**2, 2),
        box=bounds,
        stray=round(stray_px / total, 4) if total else 0.0,
        iou=round(_iou(bounds, box), 4) if bounds else 0.0,
    )


def _bounds(change: NDArray[np.uint8], outer: list[int], dpr: float) -> BoxList | None:
    """The box of the changed pixels near a target, in CSS px."""
    x0, y0, x1, y1 = outer
    near = change[y0:y1, x0:x1]
    if near.size == 0:
        return None
    x, y, w, h = cv2.boundingRect(near)
    if w == 0:
        return None
    return [round(v / dpr, 4) for v in (x0 + x, y0 + y, x0 + x + w, y0 + y + h)]


def _iou(a: BoxList, b: BoxList) -> float:
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return w * h / (both - w * h)


def _same(before: Pixels, png: bytes, dpr: float) -> None:
    changed = cv2.countNonZero(_difference(before, rgb_of(png)))
    if changed > MIN_INK_PX2 * dpr**2:
        raise PageFault(PageReason.UNSTABLE, f"{changed} px differ when all is put back")
