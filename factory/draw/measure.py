"""Measurements on pixels that decide whether an attribute can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from factory.core.geometry import Box, Point
from factory.core.puzzle import Bitmap

ANGLES = 72
RADII = 24
RING_WEIGHTS = np.sqrt(np.arange(1, RADII + 1, dtype=np.float32))
"""Rings count by their length."""
_TURNS = np.array(
    [[row * ANGLES + (row + turn) % ANGLES for row in range(ANGLES)] for turn in range(ANGLES)]
)
"""Where the products of rows a given turn apart lie in the flat table of products."""
RIM = 0.94
"""Share of the radius that is looked at: the frame around a disc is not part of it."""


@lru_cache(maxsize=512)
def _polar(disc: Box) -> tuple[Any, Any]:
    """Maps for ``cv2.remap``: angles down, radii across, to pixel centres of the picture."""
    angles = (np.arange(ANGLES) * (2 * np.pi / ANGLES))[:, None]
    radii = ((np.arange(RADII) + 0.5) * (disc.width / 2 * RIM / RADII))[None, :]
    x = disc.center.x - 0.5 + radii * np.cos(angles)
    y = disc.center.y - 0.5 + radii * np.sin(angles)
    return x.astype(np.float32), y.astype(np.float32)


def turn_margin(pixels: Bitmap, disc: Box, least_deg: float) -> float:
    """How far the picture is from every copy of itself turned by ``least_deg`` or more.

    ``disc`` is the box of the round picture in px of ``pixels`` (grey, some 60
    px wide: fine detail does not tell a pose). The picture is unrolled into
    rings; the circular autocorrelation over all rings, as a share of its
    variance, is 1 at no turn; the margin is 1 minus its highest value
    elsewhere. 0 means that some turn maps the picture onto itself.
    """
    rings = cv2.remap(pixels, *_polar(disc), cv2.INTER_LINEAR).astype(np.float32)
    rings = (rings - rings.mean(axis=0)) * RING_WEIGHTS
    products = rings @ rings.T
    correlation = products.ravel()[_TURNS].sum(axis=1)
    if correlation[0] <= 0:
        return 0.0
    first = round(least_deg / 360.0 * ANGLES)
    return float(1.0 - correlation[first : ANGLES - first + 1].max() / correlation[0])


def pixel_fidelity(decoded: Bitmap, drawn: Bitmap) -> float:
    """Peak signal-to-noise ratio in dB; 99 for equal pixels."""
    return min(99.0, float(cv2.PSNR(decoded, drawn)))


def edge_contrast(pixels: Bitmap, edge: Sequence[tuple[Point, Point]], reach_px: float) -> float:
    """Median step in grey across an outline: ``reach_px`` inside against ``reach_px`` outside.

    ``edge`` holds points with their outward unit normals, in px of ``pixels`` (BGR or grey).
    """
    grey = pixels if pixels.ndim == 2 else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    points = np.array([point for point, _ in edge], np.float32)
    normals = np.array([normal for _, normal in edge], np.float32) * np.float32(reach_px)
    inside, outside = points - normals - 0.5, points + normals - 0.5
    where = np.stack([inside, outside])
    values = cv2.remap(grey, where[..., 0], where[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    return float(np.median(np.abs(values[0] - values[1])))


def grey_step(pixels: Bitmap, box: Box) -> float:
    """Levels between the darkest and the lightest tenth of a box, in px of grey ``pixels``."""
    x0, y0, x1, y1 = box.outer_pixels()
    window = np.sort(pixels[max(0, y0) : y1, max(0, x0) : x1].ravel())
    tenth = max(1, window.size // 10)
    return float(window[-tenth:].mean() - window[:tenth].mean())
