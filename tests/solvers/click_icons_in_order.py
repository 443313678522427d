"""The independent judge of ``click_icons_in_order``: knows icons from their packages' own files.

Where icons stand is taken from the regions, sorted from left to right, so that their names and
order say nothing. Every icon of the packages is rendered by another library, turned and scaled,
and correlated with what is seen: first to name the icons of the strip, then to find each of
them in the picture.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from itertools import permutations

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.core.rng import SPLITS
from factory.draw.assets import npm_package
from factory.draw.icons import icons
from factory.testing import View

SIDE = 44
"""Windows are squares of so many px, around the middle of a region and as wide as its longer side
times ``ROOM``."""

ROOM = 1.1
BARE = 0.86
"""From this size on an icon stands on no tile."""

STRIP_SIZES, STRIP_TURNS = (0.88, 0.96), tuple(range(-24, 25, 6))
GLANCE_TURNS = (-16, 0, 16)
SCENE_SIZES = (0.5, 0.56, 0.62, 0.68, 0.87, 0.92, 0.97)
SCENE_TURNS = tuple(range(-60, 61, 6))
"""Longest side of an icon by that of its region (a tile is larger than its icon), and turns."""

SHORTLIST, MEANT = 24, 5
"""So many icons of a source are looked at closely, and so many then sought in the picture."""

DEPTHS = (1.0, 0.75)
"""Strips show emoji as they are, or in greys a quarter darker."""

DOUBT = 0.15
"""How much worse than the best an icon may fit the strip that is sought as well."""

RIM, EDGE = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8)
"""Brushes: one px around, and the width of the white edge of a sticker."""

GREY, GREYISH = np.array([0.114, 0.587, 0.299], np.float32), 10.0
"""Shares of blue, green and red in a grey; levels between channels below which a strip is grey."""


def solve(view: View) -> list[ActionBase]:
    """A click on each icon of the strip, found in the picture, then the button."""
    names = {region.name: Box(*region.box) for region in view.record.regions}
    spots = _boxes(names, "target", "distractor")
    seen = [_window(view.picture, box) for box in spots]
    shown = [_window(view.picture, box) for box in _boxes(names, "reference")]
    fits = np.array([_found(window, seen) for window in shown])
    best = max(
        permutations(range(len(spots)), len(shown)),
        key=lambda places: sum(fits[k, place] for k, place in enumerate(places)),
    )
    outlines = {Box(*region.box): region.polygon for region in view.record.regions}
    clicks: list[ActionBase] = [Click(_inside(outlines[spots[place]])) for place in best]
    return [*clicks, *([Click(names["submit"].center)] if "submit" in names else [])]


def _boxes(names: dict[str, Box], *roles: str) -> list[Box]:
    found = [box for name, box in names.items() if name.partition(".")[0] in roles]
    return sorted(found, key=lambda box: box.center.x)


def _inside(polygon: list[float]) -> Point:
    """The point of an outline that lies deepest in it: the middle of a magnet is in none."""
    corners = np.array(polygon, np.float32).reshape(-1, 2)
    low = np.floor(corners.min(axis=0)) - 1
    room = np.zeros(np.ceil(np.ptp(corners, axis=0) + 4).astype(int)[::-1], np.uint8)
    cv2.fillPoly(room, [np.round(corners - low).astype(np.int32)], 1)
    y, x = np.unravel_index(cv2.distanceTransform(room, cv2.DIST_L2, 5).argmax(), room.shape)
    return Point(float(x + low[0] + 0.5), float(y + low[1] + 0.5))


def _window(picture: np.ndarray, box: Box) -> np.ndarray:
    """The square around a spot, BGR float."""
    scale = SIDE / (ROOM * max(box.width, box.height))
    move = np.array([[scale, 0, SIDE / 2 - scale * box.center.x],
                     [0, scale, SIDE / 2 - scale * box.center.y]])  # fmt: skip
    blurred = cv2.GaussianBlur(picture, (0, 0), max(0.01, 0.35 / scale))
    return cv2.warpAffine(
        blurred, move, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)


def _found(shown: np.ndarray, seen: list[np.ndarray]) -> np.ndarray:
    """How well each spot shows what a window of the strip shows, whatever icon that may be."""
    meant = sorted([*_named(shown, "icon/"), *_named(shown, "emoji3d/")])
    rows = [
        [_fit(window, asset, SCENE_SIZES, SCENE_TURNS) - unlike for window in seen]
        for unlike, asset in meant
        if unlike < meant[0][0] + DOUBT
    ]
    return np.max(rows, axis=0)


def _named(window: np.ndarray, source: str) -> list[tuple[float, str]]:
    """The icons of a source that a window of the strip may show, with how little they fit."""
    assets = [asset for asset in _assets() if asset.startswith(source)]
    glances = {asset: _fit(window, asset, STRIP_SIZES, GLANCE_TURNS) for asset in assets}
    first = sorted(assets, key=lambda asset: -glances[asset])[:SHORTLIST]
    return sorted((1 - _fit(window, a, STRIP_SIZES, STRIP_TURNS), a) for a in first)[:MEANT]


@cache
def _assets() -> tuple[str, ...]:
    return tuple(info.asset for split in SPLITS for info in icons(split))


def _fit(window: np.ndarray, asset: str, sizes: tuple[float, ...], turns: tuple[int, ...]) -> float:
    """The best correlation of an icon in any size and turn with a window."""
    inks, masks = _drawings(asset, sizes, turns)
    if asset.startswith("icon/"):
        greys = _greys(window)
        return max(float(np.abs(_correlated(g[:, None], inks, masks)).max()) for g in greys)
    if sizes == STRIP_SIZES:
        paper = np.median(window[[0, -1]].reshape(-1, 3), axis=0)
        edged = np.array([cv2.dilate(m.reshape(SIDE, SIDE), EDGE).ravel() for m in masks])
        papers = paper + np.stack([edged * 0, edged])[..., None] * (255 - paper)
        drawn = inks * masks[..., None] * np.array(DEPTHS)[:, None, None, None, None]
        inks = (drawn + papers * (1 - masks[..., None])).reshape(-1, SIDE**2, 3)
        masks = np.ones(inks.shape[:2], np.float32)
    else:  # without the outermost px, where stickers have their edge
        masks = np.array([cv2.erode(m.reshape(SIDE, SIDE), RIM).ravel() for m in masks]) + 1e-3
    flat = window.reshape(-1, 3)
    inner = window[SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]
    if np.median(np.ptp(inner, axis=2)) < GREYISH:
        flat, inks = flat @ GREY[:, None], inks @ GREY[:, None]
    return float(_correlated(flat, inks, masks).max())


def _correlated(window: np.ndarray, inks: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Correlation of ``(px, channels)`` with each of ``(n, px, channels)`` under ``(n, px)``."""
    share = masks / (masks.sum(axis=1, keepdims=True) * window.shape[1])
    near = inks - np.einsum("np,npc->n", share, inks)[:, None, None]
    mean = share @ window.sum(axis=1)
    both = np.einsum("np,npc,pc->n", share, near, window, optimize=True)
    spread = share @ (window**2).sum(axis=1) - mean**2
    return both / np.sqrt(
        np.maximum(spread, 4.0) * np.maximum(np.einsum("np,npc->n", share, near**2), 1e-6)
    )


def _greys(window: np.ndarray) -> list[np.ndarray]:
    """The window in the two directions in which the colours of its middle differ most."""
    flat = window.reshape(-1, 3)
    inner = window[8:-8, 8:-8].reshape(-1, 3)
    _, axes = np.linalg.eigh(np.cov(inner.T))
    return [flat @ axes[:, -1], flat @ axes[:, -2]]


@lru_cache(maxsize=2048)
def _drawings(
    asset: str, sizes: tuple[float, ...], turns: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """The icon in every size and turn in the middle of a window: ink, and where it counts."""
    ink, mask = _line_art(asset) if asset.startswith("icon/") else _emoji(asset)
    inks, masks = [], []
    for size in sizes:
        for turn in turns:
            move = _framing(mask, size, turn)
            ink_there = cv2.GaussianBlur(ink, (0, 0), 0.4 / math.hypot(*move[0, :2]))
            inks.append(cv2.warpAffine(ink_there, move, (SIDE, SIDE)).reshape(SIDE * SIDE, -1))
            masks.append(cv2.warpAffine(mask, move, (SIDE, SIDE)).ravel())
    halo = np.array(masks, np.float32)
    if asset.startswith("icon/"):
        halo = np.array([cv2.dilate(m.reshape(SIDE, SIDE), np.ones((5, 5))).ravel() for m in masks])
    return np.array(inks, np.float32), halo.astype(np.float32) + 1e-3


def _framing(mask: np.ndarray, size: float, turn: int) -> np.ndarray:
    """``window_from_drawing``. On a tile the middle of the upright icon is the region's middle;
    without one the region is the box around the turned icon."""
    points = np.argwhere(mask > 0.2)[:, ::-1].astype(np.float32)
    points = points[:: max(1, len(points) // 600)]
    low, high = points.min(axis=0), points.max(axis=0)
    move = cv2.getRotationMatrix2D(((low + high) / 2).tolist(), -turn, 1.0)
    turned = points @ move[:, :2].T + move[:, 2]
    middle, longest = (low + high) / 2, (high - low).max() + 1
    if size >= BARE:
        low, high = turned.min(axis=0), turned.max(axis=0)
        middle, longest = (low + high) / 2, (high - low).max() + 1
    scale = size * SIDE / ROOM / longest
    move[:, 2] -= middle
    move *= scale
    move[:, 2] += SIDE / 2
    return move


def _line_art(asset: str) -> tuple[np.ndarray, np.ndarray]:
    """Strokes of the package's own SVG, white on black, with a margin."""
    path = npm_package("lucide-static") / "icons" / f"{asset.partition('/')[2]}.svg"
    text = path.read_text(encoding="utf-8").replace("currentColor", "#ffffff")
    dom = skia.SVGDOM.MakeFromStream(skia.MemoryStream(text.encode()))
    surface = skia.Surface(144, 144)
    with surface as canvas:
        canvas.translate(24, 24)
        canvas.scale(4, 4)
        dom.render(canvas)
    ink = np.ascontiguousarray(surface.toarray()[..., 3]).astype(np.float32) / 255
    return ink, (ink > 0.3).astype(np.float32)


def _emoji(asset: str) -> tuple[np.ndarray, np.ndarray]:
    """The package's own picture, BGR, and its alpha."""
    folder, code = npm_package("@lobehub/fluent-emoji-3d") / "assets", asset.partition("/")[2]
    path = next(p for p in (folder / f"{code}.webp", folder / f"{code}-fe0f.webp") if p.is_file())
    whole = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    assert whole is not None, path
    pixels = cv2.resize(whole, (128, 128), interpolation=cv2.INTER_AREA).astype(np.float32)
    return pixels[..., :3] * pixels[..., 3:] / 255, pixels[..., 3] / 255
