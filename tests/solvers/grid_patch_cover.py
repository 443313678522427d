"""The independent judge of ``grid_patch_cover``: what differs from the bare picture is a thing.

The picture without things is drawn by the raster kit; where the decoded one differs, things
are. Each is compared in colour with the things that are about, turned and mirrored; those that
look most like what the goal names are kept, and cells with more than a speck of them clicked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw import icons, picture_images, pictures
from factory.testing import View

MISREADS = 0.02
"""It takes a shadow that falls over a line for a part of its thing, once in a hundred pictures."""

INKED = 24
"""Levels of some channel by which a thing differs from the bare picture."""

PART = 0.06
"""Share of a cell that is more than a speck."""

SIDE = 28
TURNS = tuple(range(-24, 25, 6))


def solve(view: View) -> list[ActionBase]:
    """Click the cells that hold some of what the goal names."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    cells = [boxes[f"cell.{k}"] for k in range(len(boxes)) if f"cell.{k}" in boxes]
    things = [boxes[f"thing.{k}"] for k in range(len(boxes)) if f"thing.{k}" in boxes]
    about = sorted({one.asset for one in (*view.state.things, *view.state.others)})
    goal = view.record.tasks[0].goal
    named = {a for a in about if any(icons.icon_info(a).called(x) in goal for x in ("en", "zh"))}
    covered = np.zeros(view.picture.shape[:2], np.uint8)
    differs = _differs(view, boxes["picture"])
    for thing in things:
        if _looks_like(view.picture, thing, about) in named:
            _add(covered, differs, thing, view.record.observations[0].dpr)
    clicks: list[ActionBase] = [
        Click(cell.center) for cell in cells if _cut(covered, cell).mean() > PART
    ]
    return clicks + ([Click(boxes["submit"].center)] if "submit" in boxes else [])


def _cut(pixels: Any, box: Box) -> Any:
    x0, y0, x1, y1 = (round(edge) for edge in box.as_list())
    return pixels[y0:y1, x0:x1]


def _differs(view: View, slot: Box) -> Any:
    """Where the canvas differs from the bare picture in its slot."""
    spec = pictures.PictureSpec.from_dict(view.state.picture)
    image = picture_images.picture_image(spec, slot, 1.0)
    bare = image.toarray(colorType=skia.kBGRA_8888_ColorType)[..., :3]
    found = np.zeros(view.picture.shape[:2], np.uint8)
    shown = _cut(view.picture, slot)
    found[round(slot.y0) : round(slot.y1), round(slot.x0) : round(slot.x1)] = (
        cv2.absdiff(shown, np.ascontiguousarray(bare)).max(axis=2) > INKED
    )
    return found


def _add(covered: Any, differs: Any, thing: Box, dpr: float) -> None:
    """Fill the largest piece of what differs about a thing."""
    x0, y0, x1, y1 = thing.grown(0.05 * max(thing.width, thing.height)).outer_pixels()
    wide = 2 * round(2 * dpr) + 1
    part = cv2.morphologyEx(differs[y0:y1, x0:x1], cv2.MORPH_CLOSE, np.ones((wide, wide)))
    part = cv2.morphologyEx(part, cv2.MORPH_OPEN, np.ones((wide - 2, wide - 2)))
    outlines = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    largest = max(outlines, key=cv2.contourArea)
    cv2.drawContours(covered[y0:y1, x0:x1], [largest], -1, 1, cv2.FILLED)


def _looks_like(picture: Any, thing: Box, about: list[str]) -> str:
    """The thing of those about that a part of the picture looks most like."""
    shown = cv2.resize(_cut(picture, thing), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    shown = shown.astype(np.float32)
    scores = {
        asset: max(
            _alike(shown, *_pose(asset, turn, mirror)) for turn in TURNS for mirror in (0, 1)
        )
        for asset in about
    }
    return max(scores, key=lambda asset: scores[asset])


def _alike(shown: Any, drawn: Any, alpha: Any) -> float:
    """How little a thing as drawn differs from what is shown, where it has ink."""
    off = np.abs(shown - drawn).mean(axis=2) * alpha
    return -float(off.sum() / alpha.sum())


@lru_cache(maxsize=512)
def _pose(asset: str, turn: int, mirror: int) -> tuple[Any, Any]:
    """A thing in a pose: BGR of its box at ``SIDE`` px, and coverage 0 to 1."""
    spec = icons.IconSpec(asset, 96.0, 100.0, 100.0, icons.IconStyle("plain"),
                          turn_deg=float(turn), mirrored=bool(mirror))  # fmt: skip
    buffer = np.zeros((200, 200, 4), np.uint8)
    info = skia.ImageInfo.Make(200, 200, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, buffer) as canvas:
        icons.draw_icon(canvas, spec)
    part = cv2.resize(_cut(buffer, icons.icon_ink(spec).box), (SIDE, SIDE),
                      interpolation=cv2.INTER_AREA).astype(np.float32)  # fmt: skip
    alpha = part[..., 3] / 255.0
    return part[..., :3] / np.maximum(alpha, 0.02)[..., None], alpha * (alpha > 0.5)
