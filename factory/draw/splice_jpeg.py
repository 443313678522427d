"""JPEG files whose small rectangles can be replaced without encoding the rest again.

A JPEG restart marker (RSTn, ITU-T T.81 section F.1.2.3) byte-aligns the stream
and forgets the DC predictors, so what lies between two markers (a *segment*)
depends on its own blocks alone. A patch that covers whole segments is encoded
by itself, with the canvas's parameters, and its segments take the place of the
old ones; only the running number n of each marker has to be rewritten. This
holds because the Huffman tables are the standard ones (``OPTIMIZE`` 0) and
because 4:4:4 sampling makes every block 8x8 px of the canvas.

Pixels are BGR, uint8, (height, width, 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import cv2
import numpy as np

from factory.core.errors import RenderFailed

BLOCK_PX = 8
"""Side of a block; at 4:4:4 also of a minimum coded unit (MCU)."""

PREFERRED_INTERVAL = 10
LEAST_INTERVAL = 6
"""MCUs between restart markers. At 10 (80 px) the markers and lost predictions cost some 2-8 %
of the bytes of a page, at half of that 16 %; finer grids are not worth it."""

RST0, EOI, SOS = 0xD0, 0xD9, 0xDA
"""Second bytes of the markers used here; the first is always 0xFF."""


def restart_interval(width_px: int) -> int:
    """MCUs between restart markers: a divisor of the MCUs in a row, so that rows start afresh.

    The divisor nearest to 10, never below 6; the whole row where there is none
    (a narrow canvas, or a prime number of MCUs).
    """
    row = -(-width_px // BLOCK_PX)
    divisors = [n for n in range(LEAST_INTERVAL, row + 1) if row % n == 0]
    return min(divisors, key=lambda n: abs(n - PREFERRED_INTERVAL), default=row)


def encode_jpeg(pixels: np.ndarray, *, quality: int, interval: int) -> np.ndarray:
    """The file of ``pixels`` as a writable uint8 array: JFIF, 4:4:4, standard Huffman tables."""
    parameters = (
        cv2.IMWRITE_JPEG_QUALITY, quality,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
        cv2.IMWRITE_JPEG_RST_INTERVAL, interval,
        cv2.IMWRITE_JPEG_OPTIMIZE, 0,
        cv2.IMWRITE_JPEG_PROGRESSIVE, 0,
    )  # fmt: skip
    done, data = cv2.imencode(".jpg", pixels, parameters)
    if not done:
        raise RenderFailed(f"cv2 could not encode a JPEG of shape {pixels.shape}")
    return data


def header_size(data: bytes) -> int:
    """Bytes before the entropy-coded scan: up to the end of the SOS header."""
    at = 2
    while True:
        code, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        at += 2 + size
        if code == SOS:
            return at


def segment_ends(data: np.ndarray, header: int) -> np.ndarray:
    """Offsets just after each segment's closing marker (RSTn; EOI for the last one).

    In a scan a data byte 0xFF is followed by a stuffed 0, so any other follower
    makes it a marker.
    """
    escapes = np.flatnonzero(data[header:] == 0xFF) + header
    return escapes[data[escapes + 1] != 0] + 2


Piece: TypeAlias = tuple[int, int, bytes | memoryview]
"""(from, to, replacement): bytes of a canvas's file and what goes there instead."""


class JpegCanvas:
    """An encoded backdrop, cut at its restart markers. Holds no pixels.

    ``grid`` is the (width, height) in px of one segment: patches start on its
    multiples and end on them or at the canvas's edge.
    """

    def __init__(self, pixels: np.ndarray, *, quality: int) -> None:
        height, width = pixels.shape[:2]
        self._quality = quality
        self._interval = restart_interval(width)
        self.grid = (self._interval * BLOCK_PX, BLOCK_PX)
        self._row_segments = -(-width // self.grid[0])
        data = encode_jpeg(pixels, quality=quality, interval=self._interval)
        self._file = data.tobytes()
        self._header = header_size(self._file)
        cuts = np.concatenate(([self._header], segment_ends(data, self._header)))
        self._cuts = cuts.astype(np.uint32)
        segments = self._row_segments * -(-height // BLOCK_PX)
        if len(cuts) != segments + 1:
            raise RenderFailed(
                f"cv2 {cv2.__version__} wrote {len(cuts) - 1} restart segments for "
                f"{width}x{height} px where {segments} were due; its JPEG codec may lack "
                "IMWRITE_JPEG_RST_INTERVAL: install opencv-python-headless"
            )

    @property
    def nbytes(self) -> int:
        """Memory held: the file and four bytes a segment."""
        return len(self._file) + self._cuts.nbytes

    def prepare(self, patch: tuple[int, int, np.ndarray]) -> list[Piece]:
        """A patch encoded once, to be spliced into this canvas any number of times."""
        x0, y0, pixels = patch
        data = encode_jpeg(pixels, quality=self._quality, interval=self._interval)
        columns = -(-pixels.shape[1] // self.grid[0])
        return [
            (cut, resume, bytes(piece))
            for cut, resume, piece in self._pieces(x0, y0, columns, data)
        ]

    def splice(
        self,
        patches: Sequence[tuple[int, int, np.ndarray]],
        prepared: Sequence[list[Piece]] = (),
    ) -> tuple[bytes, list[bytes | np.ndarray]]:
        """The whole file with ``patches`` (x0, y0, pixels) in it, and each patch as its own file.

        A patch's own file decodes to the very pixels of that part of the whole one.
        """
        crops: list[bytes | np.ndarray] = []
        pieces = [piece for one in prepared for piece in one]
        for x0, y0, pixels in patches:
            data = encode_jpeg(pixels, quality=self._quality, interval=self._interval)
            crops.append(data.tobytes())
            pieces += self._pieces(x0, y0, -(-pixels.shape[1] // self.grid[0]), data)
        return self._join(pieces), crops

    def _pieces(self, x0: int, y0: int, columns: int, data: np.ndarray) -> Iterator[Piece]:
        """(from, to, replacement) in bytes of the file for each row of segments of one patch.

        ``data`` is the patch's file, ``columns`` its segments in a row; its
        markers are renumbered in place. Its header is as long as the canvas's:
        the two differ in the picture's size alone.
        """
        ends = segment_ends(data, self._header)
        top, left = y0 // BLOCK_PX, x0 // self.grid[0]
        rows = np.arange(top, top + len(ends) // columns)
        first = rows * self._row_segments + left
        numbers = first[:, None] + np.arange(columns)
        data[ends - 1] = RST0 + (numbers.ravel() & 7)
        if numbers[-1, -1] == len(self._cuts) - 2:
            data[-1] = EOI
        stops = ends[columns - 1 :: columns].tolist()
        starts = [self._header, *stops[:-1]]
        view = data.data
        replaced_from = self._cuts[first].tolist()
        replaced_to = self._cuts[first + columns].tolist()
        for start, stop, cut, resume in zip(starts, stops, replaced_from, replaced_to, strict=True):
            yield cut, resume, view[start:stop]

    def _join(self, pieces: list[Piece]) -> bytes:
        """The file with each (from, to) range replaced; the ranges must not overlap."""
        backdrop = memoryview(self._file)
        parts: list[bytes | memoryview] = []
        kept = 0
        for cut, resume, piece in sorted(pieces, key=lambda piece: piece[0]):
            parts += (backdrop[kept:cut], piece)
            kept = resume
        parts.append(backdrop[kept:])
        return b"".join(parts)
