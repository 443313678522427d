"""Procedural surfaces: cloudy noise, paper, linen, brushed metal; small, seeded and cached.

Fields are float32 ``(side, side)`` in [0, 1], mean near 0.5, and tile without a
seam, so that one small field can cover any area.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import shake_256
from typing import Any

import cv2
import numpy as np

from factory.core.errors import InvalidOptions
from factory.core.rng import Stream

SIDE_PX = 256
"""Side of a cached field: 256 kB."""

BLUR_PX = 8
"""Wrapped border that a blur may reach into."""


def noise(name: str, rows: int, columns: int) -> Any:
    """White noise in [0, 1), float32, from an extendable hash: the same on every machine."""
    data = shake_256(name.encode()).digest(2 * rows * columns)
    return np.frombuffer(data, "<u2").reshape(rows, columns).astype(np.float32) / 65536


def cloudy(name: str, side: int, *, cells: int, octaves: int) -> Any:
    """Value noise: random lattices of ``cells``, doubling, each half as strong as the last."""
    total = np.zeros((side, side), np.float32)
    for octave in range(octaves):
        count = cells << octave
        lattice = noise(f"{name}|{octave}", count, count)
        wrapped = np.pad(lattice, 2, mode="wrap")
        pad = 2 * side // count
        grown = cv2.resize(wrapped, (side + 2 * pad, side + 2 * pad), interpolation=cv2.INTER_CUBIC)
        total += grown[pad : pad + side, pad : pad + side] / (1 << octave)
    return _stretched(total)


def _stretched(field: Any) -> Any:
    """Centred on 0.5, three standard deviations to the ends."""
    spread = float(field.std()) or 1.0
    return np.clip(0.5 + (field - field.mean()) / (6 * spread), 0, 1).astype(np.float32)


def _paper(name: str, side: int) -> Any:
    wrapped = np.pad(noise(name, side, side), BLUR_PX, mode="wrap")
    fibres = cv2.GaussianBlur(wrapped, (0, 0), 1.1)[BLUR_PX:-BLUR_PX, BLUR_PX:-BLUR_PX]
    return _stretched(_stretched(fibres) + 0.8 * cloudy(name, side, cells=4, octaves=4))


def _linen(name: str, side: int) -> Any:
    uneven = 0.4 * noise(name, side, side)
    warp = noise(f"{name}|warp", 1, side) + uneven
    weft = noise(f"{name}|weft", side, 1) + uneven
    over = (np.add.outer(np.arange(side), np.arange(side)) % 2).astype(np.float32)
    return _stretched(warp * over + weft * (1 - over))


def _brushed(name: str, side: int) -> Any:
    rows = noise(name, side, side)
    spectrum = np.fft.rfft(rows, axis=1)
    spectrum *= np.exp(-np.arange(spectrum.shape[1], dtype=np.float32) / 3.0)
    return _stretched(np.fft.irfft(spectrum, n=side, axis=1))


def _clouds(name: str, side: int) -> Any:
    return cloudy(name, side, cells=4, octaves=5)


SURFACES = {"clouds": _clouds, "paper": _paper, "linen": _linen, "brushed": _brushed}


@lru_cache(maxsize=64)
def _cached(surface: str, name: str, side: int) -> Any:
    field = SURFACES[surface](f"{surface}|{name}", side)
    field.setflags(write=False)
    return field


def texture(surface: str, stream: Stream, *, side: int = SIDE_PX) -> Any:
    """A field of a surface, the same for streams of the same name. Read-only and shared."""
    if surface not in SURFACES:
        raise InvalidOptions(f"no surface {surface!r}; there are {', '.join(SURFACES)}")
    return _cached(surface, stream.name, side)


def grain(pixels: Any, field: Any, strength: float) -> None:
    """Lighten and darken uint8 pixels ``(h, w, c)`` in place by a tiled field.

    ``strength`` is the full swing in grey levels.
    """
    height, width = pixels.shape[:2]
    side = field.shape[0]
    tiled = np.tile(field, (-(-height // side), -(-width // side)))[:height, :width, None]
    shifted = pixels + (tiled - 0.5) * strength
    np.copyto(pixels, np.clip(np.rint(shifted), 0, 255).astype(pixels.dtype))
