"""The independent judge of ``pager_image_match``: compares what the card shows with every page.

What differs from the ground that pages share is the thing of a page. Every thing of the split
is no candidate: the card is read as the thing among those of the pages that explains its
colours best, drawn anew in plain ink; then every page is read in the same way over all turns,
mirrored or not, by the silhouette of what is on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import skia

from captcha_types.pager_stepper.pager_image_match import page_raster
from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw import icons
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("page_reading", Path(__file__).parent)

MISREADS = 0.02
"""One of 150 pages, white headphones on pale grey: plain to see, but hardly darker or lighter."""

SCALE = 2.0
SIDE = 64
TURN_STEP = 6
CARD = 104
FAINT = 400.0
"""Variance of colours under which a thing is too plain to be told by them."""

APART = 28
"""Levels by which a thing differs from what is under it, above the noise of the encoder."""

NEAR_CSS = 12.0
"""More than lies between the parts of any thing."""

INSIDE = 0.66
"""Share of a disc or badge that its thing takes."""


def solve(view: View) -> list[ActionBase]:
    """Turn to the page that shows the card's thing, and confirm."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    state, start = view.state, view.state.pager.start
    blank, pages = reading.read_pages(view, page_raster, SCALE)
    assets = sorted({thing.asset for thing in state.things})
    card = _cut(view.picture, regions["card"])
    wanted = max(assets, key=lambda asset: _on_card(card, asset))
    scores = [_shown(page, blank, wanted) for page in pages]
    target = int(np.argmax(scores))
    arrow = regions["next" if target > start else "prev"].center
    taps = [Click(arrow._replace(x=arrow.x + k)) for k in range(abs(target - start))]
    return [*taps, Click(regions["submit"].center)]


def _cut(picture: Any, box: Box) -> Any:
    x0, y0, x1, y1 = box.outer_pixels()
    return picture[y0:y1, x0:x1]


def _drawn(asset: str, side: int, size: float) -> Any:
    """BGRA of a thing in the middle of a square, white lines or an emoji's own colours."""
    line = asset.startswith("icon/")
    style = icons.IconStyle("line", "#ffffff", "", 2.1) if line else icons.IconStyle("plain")
    surface = skia.Surface(side, side)
    with surface as canvas:
        canvas.clear(skia.ColorTRANSPARENT)
        icons.draw_icon(canvas, icons.IconSpec(asset, size, side / 2, side / 2, style))
    return np.asarray(surface.makeImageSnapshot().toarray(colorType=skia.kBGRA_8888_ColorType))


def _on_card(card: Any, asset: str) -> float:
    """How well a thing, drawn where the card has it, explains the card."""
    big = cv2.resize(card, (CARD, CARD), interpolation=cv2.INTER_AREA)[8:-8, 8:-8]
    big = big.astype(np.float32)
    size = min(36.0, 0.58 * 36.0 / icons.icon_reach(asset, 1.0)) * CARD / 52.0
    drawn = _drawn(asset, CARD, size)[8:-8, 8:-8].astype(np.float32)
    far = np.linalg.norm(big - np.median(big.reshape(-1, 3), axis=0), axis=2)
    shape = float(np.corrcoef(far.ravel(), drawn[..., 3].ravel())[0, 1])
    if asset.startswith("icon/"):
        return shape
    inked = drawn[..., 3] > 200
    return shape - float(np.abs(big - drawn[..., :3])[inked].mean()) / 60.0


def _shown(page: Any, blank: Any, asset: str) -> float:
    """How well a thing in any turn, bare or on a tile, explains what is on a page."""
    apart = cv2.absdiff(page, blank).max(axis=2)
    inked = cv2.morphologyEx((apart > APART).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2)))
    own = _together(inked)
    windows = [*_windows(page, own, (1.0, 0.93, INSIDE, INSIDE * 0.8))]
    windows += _windows(page, _on_tile(page, own), (1.0, 1.08))
    return max((_explained(window, asset) for window in windows), default=-1.0)


def _windows(page: Any, inked: Any, shares: tuple[float, ...]) -> Iterator[Any]:
    """Squares of a page about the middle of what is inked, as shares of its longer side."""
    rows, columns = np.nonzero(inked)
    if len(rows) == 0:
        return
    x, y = (columns.min() + columns.max() + 1) / 2, (rows.min() + rows.max() + 1) / 2
    half = max(np.ptp(columns), np.ptp(rows)) / 2 + 1
    for share in shares:
        yield cv2.getRectSubPix(page, (round(2 * half * share),) * 2, (x, y))


def _on_tile(page: Any, own: Any) -> Any:
    """What has another colour than most of a tile, clear of its rim."""
    hull = cv2.convexHull(np.argwhere(own)[:, ::-1].astype(np.int32)) if own.any() else None
    if hull is None:
        return own
    whole = cv2.fillConvexPoly(np.zeros(own.shape, np.uint8), hull, 1)
    core = cv2.distanceTransform(whole, cv2.DIST_L2, 5) > 3 * SCALE
    if not core.any():
        return core
    tile = np.median(page[core], axis=0)
    return core & (np.abs(page.astype(np.float32) - tile).max(axis=2) > APART)


def _together(inked: Any) -> Any:
    """What lies within ``NEAR_CSS`` of each other and is most: noise elsewhere is no part of it."""
    side = round(NEAR_CSS * SCALE)
    _, labels = cv2.connectedComponents(cv2.dilate(inked, np.ones((side, side), np.uint8)))
    own = np.bincount((labels * inked).ravel())
    own[0] = 0
    return (labels * inked == own.argmax()) & (inked > 0)


def _explained(cut: Any, asset: str) -> float:
    """How much of a window's colours the best turn of a thing explains, at most 1."""
    window = cv2.resize(cut, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    masks, covers, colours = _turned(asset)
    if asset.startswith("icon/"):
        return float(((masks @ _grouped(window)) ** 2).sum(axis=1).max())
    flat = window.reshape(-1, 3).astype(np.float32)
    area = covers.sum(axis=1)
    error = (covers[..., None] * (colours - flat) ** 2).sum(axis=(1, 2)) / area
    mean = covers @ flat / area[:, None]
    spread = covers @ (flat**2).sum(axis=1) / area - (mean**2).sum(axis=1)
    return float((1.0 - error / (spread + FAINT)).max())


def _grouped(window: Any) -> Any:
    """Which group of colours each px is in, a column a group over the root of its size."""
    lab = np.asarray(cv2.cvtColor(window, cv2.COLOR_BGR2Lab), np.float32).reshape(-1, 3)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    label = np.zeros((len(lab), 1), np.int32)
    cv2.kmeans(lab, 6, label, stop, 2, cv2.KMEANS_PP_CENTERS)
    shares = np.eye(6, dtype=np.float32)[label.ravel()]
    return shares / np.sqrt(np.maximum(shares.sum(axis=0), 1.0))


@lru_cache(maxsize=8)
def _turned(asset: str) -> tuple[Any, Any, Any]:
    """A thing in all turns and both hands, brought to its box.

    Masks without mean and of length 1, covers from 0 to 1, and (of emoji) colours.
    """
    whole = _drawn(asset, 256, 128.0).astype(np.float32)
    found: list[Any] = []
    for mirrored in (False, True):
        for turn in range(0, 360, TURN_STEP):
            flat = np.ascontiguousarray(whole[:, ::-1] if mirrored else whole)
            matrix = cv2.getRotationMatrix2D((128, 128), turn, 1.0)
            art = cv2.warpAffine(flat, matrix, (256, 256), flags=cv2.INTER_LINEAR)
            rows, columns = np.nonzero(art[..., 3] > 100)
            x, y = (columns.min() + columns.max() + 1) // 2, (rows.min() + rows.max() + 1) // 2
            half = math.ceil(max(np.ptp(columns), np.ptp(rows)) / 2) + 1
            patch = art[y - half : y + half, x - half : x + half]
            small = cv2.resize(patch, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
            found.append(small.reshape(-1, 4))
    art = np.array(found, np.float32)
    covers = art[..., 3] / 255.0
    masks = covers - covers.mean(axis=1, keepdims=True)
    masks /= np.sqrt((masks**2).sum(axis=1, keepdims=True))
    colours = art[..., :3] / np.maximum(covers, 0.05)[..., None]  # skia premultiplies
    return masks, np.where(covers > 0.6, covers, 0.0), colours
