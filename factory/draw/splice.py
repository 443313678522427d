"""Encode a backdrop once, then splice small rectangles into the file.

A sample repaints a small part of a page that many samples share.
``SplicedCanvas`` encodes that page once and afterwards only what changed; the
bytes are those of encoding the whole changed picture (``encode_whole``), which
is what its tests claim. JPEG (4:4:4) splices restart segments, PNG (lossless)
splices bands of rows: see ``splice_jpeg`` and ``splice_png``.

All pixels here are **BGR**, uint8, (height, width, 3): the order cv2 encodes
without a copy. Rectangles are (x0, y0, x1, y1) in canvas pixels, x1 and y1
exclusive. The same input gives the same bytes with the same versions of cv2 and
isal; other versions, or another kind of processor, may compress otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol, TypeAlias

import cv2
import numpy as np

from factory.core.errors import InvalidOptions, RenderFailed
from factory.draw.splice_jpeg import JpegCanvas, Piece, encode_jpeg, restart_interval
from factory.draw.splice_png import PngCanvas

FORMATS = ("jpg", "png")

Patch: TypeAlias = tuple[int, int, np.ndarray]
"""(x0, y0, BGR pixels): a rectangle on the splice grid, to be painted over the backdrop."""

EncodedCrop: TypeAlias = bytes | np.ndarray
"""One patch as a reader of the file will see it: a small JPEG, or the pixels where lossless."""

Rect: TypeAlias = tuple[int, int, int, int]


class _Backdrop(Protocol):
    @property
    def grid(self) -> tuple[int, int]: ...

    @property
    def nbytes(self) -> int: ...

    def prepare(self, patch: Patch) -> Any: ...

    def splice(
        self, patches: Sequence[Patch], prepared: Sequence[Any] = ()
    ) -> tuple[bytes, list[EncodedCrop]]: ...


@dataclass(frozen=True)
class PreparedPatch:
    """A patch made ready by ``SplicedCanvas.prepare``; good for that canvas only."""

    rect: Rect
    content: Any
    nbytes: int


class SplicedCanvas:
    """One encoded backdrop, into which small rectangles can be spliced.

    ``pixels`` is the BGR backdrop, ``format`` 'jpg' or 'png', ``quality`` 1-100
    (JPEG only). Nothing refers to ``pixels`` afterwards, and encoding changes
    nothing here, so one canvas serves any number of samples.
    Raises ``InvalidOptions`` for other arguments.
    """

    def __init__(self, pixels: np.ndarray, *, format: str, quality: int = 90) -> None:
        _check_request(pixels, format, quality)
        self.height, self.width = int(pixels.shape[0]), int(pixels.shape[1])
        self._backdrop: _Backdrop = (
            JpegCanvas(pixels, quality=quality) if format == "jpg" else PngCanvas(pixels)
        )

    @property
    def nbytes(self) -> int:
        """Bytes of memory held: about the file's size for JPEG, the file and the pixels for PNG."""
        return self._backdrop.nbytes

    def align(self, x0: int, y0: int, x1: int, y1: int) -> Rect:
        """The smallest rectangle on the splice grid that covers this one, clipped to the canvas.

        Raises ``InvalidOptions`` when nothing of it lies on the canvas.
        """
        left, top = max(x0, 0), max(y0, 0)
        right, bottom = min(x1, self.width), min(y1, self.height)
        if left >= right or top >= bottom:
            raise InvalidOptions(
                f"rectangle {(x0, y0, x1, y1)} covers nothing of a "
                f"{self.width}x{self.height} px canvas"
            )
        step_x, step_y = self._backdrop.grid
        return (
            left // step_x * step_x,
            top // step_y * step_y,
            min(-(-right // step_x) * step_x, self.width),
            min(-(-bottom // step_y) * step_y, self.height),
        )

    def encode(self, patches: Sequence[Patch]) -> bytes:
        """The complete file of the backdrop with ``patches`` painted over it.

        Patches lie on the splice grid (``align``) and do not overlap, else
        ``InvalidOptions``. Their pixels may be views of a larger picture.
        """
        return self.encode_with_crops(patches)[0]

    def prepare(self, patch: Patch) -> PreparedPatch:
        """A patch for repeated use on this canvas: a JPEG one is encoded here, once."""
        rect = self._checked_rect(patch)
        content = self._backdrop.prepare(patch)
        size = patch[2].nbytes if isinstance(self._backdrop, PngCanvas) else _held(content)
        return PreparedPatch(rect, content, size)

    def encode_with_crops(
        self, patches: Sequence[Patch], prepared: Sequence[PreparedPatch] = ()
    ) -> tuple[bytes, list[EncodedCrop]]:
        """As ``encode``, and each patch as readers will see it: ``decode_crop`` opens it.

        Decoding a crop gives exactly what decoding the whole file gives there,
        at the cost of the crop alone. ``prepared`` patches are spliced in too
        and have no crops.
        """
        rects = [self._checked_rect(patch) for patch in patches]
        rects += [ready.rect for ready in prepared]
        for a, b in combinations(rects, 2):
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                raise InvalidOptions(f"patches {a} and {b} overlap; encode them as one")
        return self._backdrop.splice(patches, [ready.content for ready in prepared])

    def _checked_rect(self, patch: Patch) -> Rect:
        x0, y0, pixels = patch
        _check_pixels(pixels)
        rect = (x0, y0, x0 + pixels.shape[1], y0 + pixels.shape[0])
        aligned = self.align(*rect)
        if rect != aligned:
            raise InvalidOptions(f"patch {rect} is off the splice grid; cut it at {aligned}")
        return rect


def _held(pieces: Sequence[Piece]) -> int:
    return sum(len(piece) for _, _, piece in pieces)


def encode_whole(pixels: np.ndarray, *, format: str, quality: int = 90) -> bytes:
    """The file of BGR ``pixels`` by encoding all of them: what splicing must equal, byte for byte.

    Also the way for a picture that is used once. Arguments as for ``SplicedCanvas``.
    """
    _check_request(pixels, format, quality)
    if format == "png":
        return PngCanvas(pixels).splice(())[0]
    interval = restart_interval(pixels.shape[1])
    return encode_jpeg(pixels, quality=quality, interval=interval).tobytes()


def decode_crop(crop: EncodedCrop) -> np.ndarray:
    """BGR pixels of one patch from ``encode_with_crops``; ``RenderFailed`` if it is no picture."""
    if isinstance(crop, np.ndarray):
        return crop
    pixels = cv2.imdecode(np.frombuffer(crop, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise RenderFailed(f"cv2 could not decode a crop of {len(crop)} bytes")
    return pixels


def _check_request(pixels: np.ndarray, format: str, quality: int) -> None:
    if format not in FORMATS:
        raise InvalidOptions(f"image format {format!r} is not one of {', '.join(FORMATS)}")
    if not 1 <= quality <= 100:
        raise InvalidOptions(f"JPEG quality {quality} is outside 1-100")
    _check_pixels(pixels)


def _check_pixels(pixels: np.ndarray) -> None:
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.size:
        raise InvalidOptions(
            f"pixels must be a BGR uint8 array (height, width, 3), "
            f"not {pixels.dtype} of shape {pixels.shape}"
        )
