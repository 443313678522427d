"""The pixels of Chromium's own pictures, twice as fast as a general decoder gives them.

With ``optimizeForSpeed`` Chromium writes 8-bit RGB and filters each row by the
one above (PNG specification, W3C 2025, section 9), so the rows only have to be
added up. Whatever else comes goes the general way.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from isal import isal_zlib

from factory.web.paint import Pixels, decode_png

HEADER = slice(24, 29)
RGB_8_BIT = b"\x08\x02\x00\x00\x00"
"""Depth, colour type, compression, filter method, interlacing."""
FIRST_CHUNK_END = 33
UP = 2


def rgb_of(png: bytes) -> Pixels:
    """The pixels of a screenshot, HxWx3, RGB; alpha is dropped. ``RenderFailed`` on no PNG."""
    if png[HEADER] == RGB_8_BIT:
        width, height = (int.from_bytes(png[i : i + 4], "big") for i in (16, 20))
        size = height * (1 + 3 * width)
        data = isal_zlib.decompress(b"".join(_data_chunks(png)), bufsize=size)
        rows = np.frombuffer(data, np.uint8).reshape(height, 1 + 3 * width)
        if (rows[:, 0] == UP).all():
            return _added_up(rows[:, 1:]).reshape(height, width, 3)
    return np.ascontiguousarray(decode_png(png)[..., 2::-1])


def _data_chunks(png: bytes) -> Iterator[memoryview]:
    view, at = memoryview(png), FIRST_CHUNK_END
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            yield view[at + 8 : at + 8 + size]
        at += 12 + size


def _added_up(rows: Pixels) -> Pixels:
    """Each row plus all above it, modulo 256; row by row that is twice as fast as ``cumsum``."""
    out = np.empty(rows.shape, np.uint8)
    out[0] = rows[0]
    for y in range(1, len(rows)):
        np.add(out[y - 1], rows[y], out=out[y])
    return out
