"""Measurements on pixels that decide whether an attribute can be seen."""

from __future__ import annotations

import cv2
import numpy as np

from factory.core.puzzle import Bitmap

SIDE = 64
"""Pictures are compared at this size: fine detail does not tell a picture's pose."""
ANGLES = 72
RADII = 24


def turn_margin(disc: Bitmap, least_deg: float) -> float:
    """How far the picture is from every copy of itself turned by ``least_deg`` or more.

    ``disc`` is BGR with the picture in its inscribed circle. The picture is
    unrolled into rings; the circular autocorrelation over all rings, as a share
    of its variance, is 1 at no turn; the margin is 1 minus its highest value
    elsewhere. 0 means that some turn maps the picture onto itself.
    """
    small = cv2.resize(disc, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    rings = cv2.warpPolar(
        small, (RADII, ANGLES), (SIDE / 2 - 0.5, SIDE / 2 - 0.5), SIDE / 2 - 2, cv2.INTER_LINEAR
    ).astype(np.float32)
    weights = np.sqrt(np.arange(1, RADII + 1, dtype=np.float32))[None, :, None]
    rings = (rings - rings.mean(axis=0, keepdims=True)) * weights
    spectrum = np.fft.rfft(rings, axis=0)
    power = (spectrum.real**2 + spectrum.imag**2).sum(axis=(1, 2))
    correlation = np.fft.irfft(power, n=ANGLES)
    if correlation[0] <= 0:
        return 0.0
    first = round(least_deg / 360.0 * ANGLES)
    return float(1.0 - correlation[first : ANGLES - first + 1].max() / correlation[0])


def pixel_fidelity(decoded: Bitmap, drawn: Bitmap) -> float:
    """Peak signal-to-noise ratio in dB; 99 for equal pixels."""
    return min(99.0, float(cv2.PSNR(decoded, drawn)))
