"""What the judge of icons to tap looks with: icons of the packages, and how well each fits a spot.

Every icon of the packages' own files is rendered by another library, upright once, then brought
to the window of a spot in many sizes and turns. A line icon fits as far as the colours of the
window tell its px from those around them, whatever the colours are; an emoji as far as the
levels of the window are its own.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

import cv2
import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.rng import SPLITS
from factory.draw.assets import npm_package
from factory.draw.icons import icons

SIDE, GLANCE = 36, 18
"""Windows are squares of so many px, around the middle of a region and as wide as its longer side
times ``ROOM``; glances are cast at smaller ones."""

ROOM = 1.1
STEPS = ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2))
"""Where windows start, (y, x) px: regions are outlines, which lie a little off their icons."""

SCENE_TURNS = tuple(range(-60, 61, 5))
WAYS = {
    "glance": tuple((size, turn) for size in (0.9, 0.96) for turn in range(-24, 25, 8)),
    "strip": tuple((size, turn) for size in (0.87, 0.92, 0.97) for turn in range(-24, 25, 4)),
    "bare": tuple((size, turn) for size in (0.88, 0.93, 0.98) for turn in SCENE_TURNS),
    "disc": tuple((0.66, turn) for turn in SCENE_TURNS),
    "badge": tuple((0.66, turn) for turn in SCENE_TURNS),
}
"""How icons may stand: longest side by that of the region (of the upright tile), and turn, deg."""

CORNER = 0.22
"""Radius of the corners of badges by their side: turned ones have smaller boxes than squares."""

NOISE = 30.0
"""Variance, in levels, that noise and packing leave between a drawing and what is seen of it."""

GREY, GREYISH = np.array([0.114, 0.587, 0.299], np.float32), 10.0
"""Shares of blue, green and red in a grey; levels between channels below which a strip is grey."""

DEEPENED, DARK = 0.72, 100.0
"""Grey emoji are so much darker, but for those on paper below this level."""

SHADE, DROP = 0.7, 0.03
"""What a shadow leaves of the paper's levels, and how far it falls, by the window's side."""

FROM_MIDDLE = np.hypot(*(np.mgrid[:SIDE, :SIDE] + 0.5 - SIDE / 2)) * ROOM / SIDE
TILE, RING = FROM_MIDDLE < 0.44, (FROM_MIDDLE > 0.36) & (FROM_MIDDLE < 0.4)
"""The disc that every tile fills, and the part of it that icons leave free, mostly."""

EVEN, MOSTLY = 20.0, 0.6
"""The share of the ring that is within so many levels of its median, where there is a tile."""


@cache
def assets(source: str) -> tuple[str, ...]:
    """Every ``icon/`` or ``emoji3d/`` of the catalogue."""
    every = (info.asset for split in SPLITS for info in icons(split))
    return tuple(asset for asset in every if asset.startswith(source))


def window(picture: np.ndarray, box: Box) -> np.ndarray:
    """The squares around a spot, one for each of ``STEPS``: ``(steps, SIDE, SIDE, 3)``, BGR."""
    longest, wide = max(box.width, box.height), SIDE + 2
    scale = SIDE / (ROOM * longest)
    x0, y0, x1, y1 = box.grown(0.3 * longest).outer_pixels()
    x0, y0 = max(0, x0), max(0, y0)
    near = cv2.GaussianBlur(picture[y0:y1, x0:x1], (0, 0), max(0.01, 0.35 / scale))
    move = np.array([[scale, 0, wide / 2 - scale * (box.center.x - x0)],
                     [0, scale, wide / 2 - scale * (box.center.y - y0)]])  # fmt: skip
    whole = cv2.warpAffine(near, move, (wide, wide), borderMode=cv2.BORDER_REPLICATE)
    return np.array([whole[y : y + SIDE, x : x + SIDE] for y, x in STEPS], np.float32)


def glance(seen: np.ndarray, source: str) -> np.ndarray:
    """How well each icon of a source fits a window of a strip, roughly."""
    small = [cv2.resize(w, (GLANCE, GLANCE), interpolation=cv2.INTER_AREA) for w in seen]
    fits = (_line_fit if source == "icon/" else _strip_fit)(np.array(small), *_all(source))
    return fits.reshape(len(assets(source)), -1).max(axis=1)


def fit(seen: np.ndarray, asset: str, way: str) -> float:
    """How well an icon fits a window in its best size and turn, 1 at most."""
    drawings = _drawings(asset, way)
    if asset.startswith("icon/"):
        return float(_line_fit(seen, *drawings).max())
    by_way = {"strip": _strip_fit, "bare": _bare_fit, "disc": _tile_fit, "badge": _tile_fit}
    return float(by_way[way](seen, *drawings).max())


def _line_fit(seen: np.ndarray, near: np.ndarray, share: np.ndarray) -> np.ndarray:
    """How much of each line drawing the colours tell, along the axes in which they differ most."""
    inner = seen[0, 4:-4, 4:-4].reshape(-1, 3)
    _, axes = np.linalg.eigh(np.cov(inner.T))
    looks = (seen.reshape(len(seen), -1, 3) - inner.mean(axis=0)) @ axes.astype(np.float32)
    looks = looks.transpose(1, 0, 2).reshape(looks.shape[1], -1)
    spread = share @ looks**2 - (share @ looks) ** 2
    told = (near @ looks) ** 2 / (spread + NOISE)
    told = told.reshape(len(near), -1, 3).sum(axis=2).max(axis=1)
    return np.sqrt(np.minimum(told, 1.0))  # the axes of the middle overlap a little elsewhere


def _strip_fit(seen: np.ndarray, inks: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Emoji on the paper of the window, with a white edge or a shadow."""
    paper = np.median(seen[0, [0, -1]].reshape(-1, 3), axis=0)
    quarter = seen.shape[1] // 4
    inner = seen[0, quarter:-quarter, quarter:-quarter]
    looks = seen.reshape(len(seen), -1, 3)
    if np.median(np.ptp(inner, axis=2)) < GREYISH:
        looks, paper = looks @ GREY[:, None], paper @ GREY[:, None]
        inks = inks @ GREY[:, None] * np.float32(1.0 if paper < DARK else DEEPENED)
    found = []
    for around, level in ((masks[:, 1], 255 + 0 * paper), (masks[:, 2], SHADE * paper)):
        drawn = inks + (around - masks[:, 0])[..., None] * level - around[..., None] * paper
        found.append(_concord(looks - paper, drawn, np.ones(drawn.shape[1:2])))
    return np.max(found, axis=0)


def _bare_fit(seen: np.ndarray, inks: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Emoji by what is inside them."""
    return _concord(seen.reshape(len(seen), -1, 3), inks, (masks[:, 0] > 0.9) + 1e-4)


def _tile_fit(seen: np.ndarray, inks: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Emoji on a tile of one colour; none where the ring around them has many."""
    ring = seen[0][RING]
    paper = np.median(ring, axis=0)
    if np.mean(np.abs(ring - paper).max(axis=1) < EVEN) < MOSTLY:
        return np.zeros(len(inks))
    drawn = inks - masks[:, 0, :, None] * paper
    return _concord(seen.reshape(len(seen), -1, 3) - paper, drawn, TILE.ravel())


def _concord(looks: np.ndarray, drawn: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Lin's concordance of the best of ``(steps, px, channels)`` with each of ``(n, px,
    channels)`` where ``(px,)`` or ``(n, px)`` weigh."""
    share = np.repeat(np.atleast_2d(weights), drawn.shape[2], axis=1).astype(np.float32)
    share /= share.sum(axis=1, keepdims=True)
    flat = drawn.reshape(len(drawn), -1).astype(np.float32)
    seen = looks.reshape(len(looks), -1).astype(np.float32).T
    flat_mean, seen_mean = (share * flat).sum(axis=1, keepdims=True), share @ seen
    near = flat - flat_mean
    spreads = (share * near**2).sum(axis=1, keepdims=True) + share @ seen**2 - seen_mean**2
    both = (share * near) @ seen
    return (2 * both / (spreads + (seen_mean - flat_mean) ** 2 + NOISE)).max(axis=1)


@cache
def _all(source: str) -> list[np.ndarray]:
    drawn = [_drawings(asset, "glance") for asset in assets(source)]
    return [np.concatenate(arrays) for arrays in zip(*drawn, strict=True)]


@lru_cache(maxsize=4096)
def _drawings(asset: str, way: str) -> tuple[np.ndarray, np.ndarray]:
    """An icon in all sizes and turns of a way. Lines: of length one under the shares of px, and
    these shares. Emoji: levels times coverage; coverage bare, with an edge and with a shadow."""
    side = GLANCE if way == "glance" else SIDE
    art, outline = _art(asset)
    zoom = min(1.0, 1.4 * side * WAYS[way][-1][0] / np.ptp(outline, axis=0).max())
    art = cv2.resize(art, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    moves = [_framing(outline * zoom, size, turn, way) for size, turn in WAYS[way]]
    inks = np.array([cv2.warpAffine(art, move * side / SIDE, (side, side)) for move in moves])
    return (_lines if asset.startswith("icon/") else _coverages)(inks)


def _edged(mask: np.ndarray) -> np.ndarray:
    """A mask with as much around it as rims and white edges take."""
    return cv2.dilate(mask, np.ones((5, 5) if len(mask) == SIDE else (3, 3), np.uint8))


def _lines(inks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    wide = np.array([_edged((ink > 0.3).astype(np.float32)).ravel() for ink in inks])
    share = wide / wide.sum(axis=1, keepdims=True)
    flat = inks.reshape(len(inks), -1)
    near = flat - (flat * share).sum(axis=1, keepdims=True)
    return near * share / np.sqrt((near**2 * share).sum(axis=1, keepdims=True)), share


def _coverages(inks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    masks = inks[..., 3]
    side = masks.shape[1]
    fall = np.array([[1, 0, 0.7 * DROP * side], [0, 1, DROP * side]])
    shaded = [np.maximum(mask, cv2.warpAffine(mask, fall, (side, side))) for mask in masks]
    kinds = np.stack([masks, [_filled(_edged(mask)) for mask in masks], shaded], axis=1)
    return inks[..., :3].reshape(len(inks), -1, 3), kinds.reshape(len(inks), 3, -1)


def _filled(mask: np.ndarray) -> np.ndarray:
    """A mask without holes, as edges leave none."""
    inked = (mask > 0.5).astype(np.uint8)
    outer, _ = cv2.findContours(inked, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return cv2.drawContours(mask, outer, -1, 1.0, cv2.FILLED)


def _framing(outline: np.ndarray, size: float, turn: int, way: str) -> np.ndarray:
    """``window_from_drawing``. On a tile the middle of the upright icon is the region's middle;
    without one the region is the box around the turned icon."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    move = cv2.getRotationMatrix2D(((low + high) / 2).tolist(), -turn, 1.0)
    if way not in ("disc", "badge"):
        turned = outline @ move[:, :2].T + move[:, 2]
        low, high = turned.min(axis=0), turned.max(axis=0)
    elif way == "badge":
        slant = abs(math.cos(math.radians(turn))) + abs(math.sin(math.radians(turn)))
        size /= (1 - 2 * CORNER) * slant + 2 * CORNER
    move[:, 2] -= (low + high) / 2
    move *= size * SIDE / ROOM / (high - low).max()
    move[:, 2] += SIDE / 2
    return move


@cache
def _art(asset: str) -> tuple[np.ndarray, np.ndarray]:
    """An icon upright, and its convex outline ``(corners, 2)``."""
    art = _line_art(asset) if asset.startswith("icon/") else _emoji(asset)
    inked = np.argwhere((art if art.ndim == 2 else art[..., 3]) > 0.3)
    return art, cv2.convexHull(inked[:, ::-1].astype(np.float32))[:, 0] + 0.5


def _line_art(asset: str) -> np.ndarray:
    """Strokes of the package's own SVG, 1 on 0, with a margin."""
    path = npm_package("lucide-static") / "icons" / f"{asset.partition('/')[2]}.svg"
    text = path.read_text(encoding="utf-8").replace("currentColor", "#ffffff")
    dom = skia.SVGDOM.MakeFromStream(skia.MemoryStream(text.encode()))
    surface = skia.Surface(144, 144)
    with surface as canvas:
        canvas.translate(24, 24)
        canvas.scale(4, 4)
        dom.render(canvas)
    return np.ascontiguousarray(surface.toarray()[..., 3]).astype(np.float32) / 255


def _emoji(asset: str) -> np.ndarray:
    """The package's own picture: BGR times coverage, and coverage."""
    folder, code = npm_package("@lobehub/fluent-emoji-3d") / "assets", asset.partition("/")[2]
    path = next(p for p in (folder / f"{code}.webp", folder / f"{code}-fe0f.webp") if p.is_file())
    whole = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    assert whole is not None, path
    pixels = cv2.resize(whole, (128, 128), interpolation=cv2.INTER_AREA).astype(np.float32)
    cover = pixels[..., 3:] / 255
    return np.dstack([pixels[..., :3] * cover, cover])
