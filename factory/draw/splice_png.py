"""PNG files whose bands of rows can be replaced without compressing the rest again.

Each band of 32 rows is filtered and deflated by itself: its first row uses
filter Sub (left neighbour), the others Up (row above in the same band), and the
deflate stream ends in a full flush, so no band looks back into another. A band
is one IDAT chunk with its own CRC; the Adler-32 of the zlib stream is combined
from the bands' sums (zlib, RFC 1950; filters and chunks: PNG specification,
W3C 2025, sections 9 and 11).

Pixels come in as BGR, uint8, (height, width, 3).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import cv2
import numpy as np
from isal import isal_zlib

BAND_ROWS = 32
DEFLATE_LEVEL = 0
"""isal's level 0: its other levels work in a buffer that is not cleared, and level 1 gave other
(valid) bytes for the same input in 288 of 34,120 bands. A third more bytes than level 1."""

RAW_DEFLATE = -15
"""``wbits`` without zlib's own header and sum, which belong to the file and not to a band."""

SUB, UP = 1, 2
ADLER_BASE = 65521
SIGNATURE = b"\x89PNG\r\n\x1a\n"
ZLIB_HEADER = b"\x78\x01"
LAST_DEFLATE_BLOCK = b"\x03\x00"
"""An empty block with the final bit set: bands end in a flush and never close the stream."""


def chunk(kind: bytes, body: bytes) -> bytes:
    """One PNG chunk: length, four-letter kind, body, CRC-32 of kind and body."""
    typed = kind + body
    return b"".join(
        (struct.pack(">I", len(body)), typed, struct.pack(">I", isal_zlib.crc32(typed)))
    )


def filter_band(rows: np.ndarray) -> np.ndarray:
    """The filtered bytes (rows, 1 + 3 * width) of RGB ``rows``; each row leads with its filter."""
    flat = rows.reshape(len(rows), -1)
    out = np.empty((flat.shape[0], flat.shape[1] + 1), np.uint8)
    out[0, 0] = SUB
    out[1:, 0] = UP
    out[0, 1:4] = flat[0, :3]
    np.subtract(flat[0, 3:], flat[0, :-3], out=out[0, 4:])
    np.subtract(flat[1:], flat[:-1], out=out[1:, 1:])
    return out


def encode_band(rows: np.ndarray) -> tuple[bytes, int]:
    """(IDAT chunk, Adler-32 of the filtered bytes) of RGB ``rows``."""
    filtered = filter_band(rows)
    deflate = isal_zlib.compressobj(DEFLATE_LEVEL, isal_zlib.DEFLATED, RAW_DEFLATE)
    body = deflate.compress(filtered) + deflate.flush(isal_zlib.Z_FULL_FLUSH)
    return chunk(b"IDAT", body), isal_zlib.adler32(filtered)


def combine_adlers(sums: Iterable[tuple[int, int]]) -> int:
    """Adler-32 of a concatenation, from each part's (Adler-32, length in bytes)."""
    low, high = 1, 0
    for adler, size in sums:
        # each part was summed from (low, high) = (1, 0), not from where its forerunner ended
        high = (high + (adler >> 16) + (low - 1) * size) % ADLER_BASE
        low = (low + (adler & 0xFFFF) - 1) % ADLER_BASE
    return high << 16 | low


PngPatch: TypeAlias = tuple[int, int, np.ndarray]
"""(x0, y0, BGR pixels)."""


class PngCanvas:
    """An encoded backdrop in bands of rows. Holds its pixels too: a patch rarely fills a band.

    ``grid`` is (1, 1): a patch may lie anywhere, but costs every band it touches.
    """

    grid = (1, 1)

    def __init__(self, pixels: np.ndarray) -> None:
        height, width = pixels.shape[:2]
        self._rgb = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        self._head = SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", ZLIB_HEADER)
        bands = [self._rgb[top : top + BAND_ROWS] for top in range(0, height, BAND_ROWS)]
        self._sizes = [len(band) * (1 + 3 * width) for band in bands]
        self._bands = [encode_band(band) for band in bands]

    @property
    def nbytes(self) -> int:
        """Memory held: the plain pixels (three bytes each) and the compressed bands."""
        return self._rgb.nbytes + sum(len(idat) for idat, _ in self._bands)

    def prepare(self, patch: PngPatch) -> PngPatch:
        """A patch to be spliced many times: itself, since bands join all patches of a file."""
        return patch

    def splice(
        self, patches: Sequence[PngPatch], prepared: Sequence[PngPatch] = ()
    ) -> tuple[bytes, list[bytes | np.ndarray]]:
        """The whole file with ``patches`` (x0, y0, pixels) in it, and the patches' pixels.

        PNG is lossless, so what was drawn is what a reader decodes.
        """
        bands = list(self._bands)
        placed = [
            (x0, y0, cv2.cvtColor(p, cv2.COLOR_BGR2RGB)) for x0, y0, p in (*prepared, *patches)
        ]
        dirty = {
            band
            for _, y0, rgb in placed
            for band in range(y0 // BAND_ROWS, (y0 + len(rgb) - 1) // BAND_ROWS + 1)
        }
        for band in dirty:
            bands[band] = encode_band(self._patched_band(band, placed))
        return self._assemble(bands), [pixels for _, _, pixels in patches]

    def _patched_band(self, band: int, placed: list[tuple[int, int, np.ndarray]]) -> np.ndarray:
        """RGB rows of one band with the parts of the patches that reach into it."""
        first = band * BAND_ROWS
        rows = self._rgb[first : first + BAND_ROWS].copy()
        for x0, y0, rgb in placed:
            top, bottom = max(y0, first), min(y0 + len(rgb), first + len(rows))
            if top < bottom:
                part = rgb[top - y0 : bottom - y0]
                rows[top - first : bottom - first, x0 : x0 + rgb.shape[1]] = part
        return rows

    def _assemble(self, bands: list[tuple[bytes, int]]) -> bytes:
        adlers = (adler for _, adler in bands)
        adler = combine_adlers(zip(adlers, self._sizes, strict=True))
        tail = chunk(b"IDAT", LAST_DEFLATE_BLOCK + struct.pack(">I", adler))
        return b"".join((self._head, *(idat for idat, _ in bands), tail, chunk(b"IEND", b"")))
