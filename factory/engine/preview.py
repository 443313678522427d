"""``preview.jpg``: 24 samples of a run on one sheet, the same for the same run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from exporters.shard_reader import iter_samples
from factory.core.puzzle import Bitmap

TILES = 24
COLUMNS = 6
TILE = (320, 240)
GAP = 12
GROUND = 236


def preview_sheet(out: Path, shards: Sequence[Mapping[str, Any]]) -> bytes:
    """A JPEG of the first samples of each shard, taken round by round up to 24."""
    each = -(-TILES // len(shards))
    pictures: list[Bitmap] = []
    for shard in shards:
        for number, (_, parts, _) in enumerate(iter_samples(out / str(shard["name"]))):
            if number == each or len(pictures) == TILES:
                break
            pictures.append(fitted(_decoded(parts)))
    ok, data = cv2.imencode(".jpg", contact_sheet(pictures), [cv2.IMWRITE_JPEG_QUALITY, 88])
    assert ok
    return data.tobytes()


def first_image(parts: Mapping[str, bytes]) -> bytes:
    """A sample's picture, the first of several."""
    images = [part for part in sorted(parts) if part.rpartition(".")[2] in ("jpg", "png", "webp")]
    return parts[images[0]]


def _decoded(parts: Mapping[str, bytes]) -> Bitmap:
    image = np.frombuffer(first_image(parts), np.uint8)
    return np.asarray(cv2.imdecode(image, cv2.IMREAD_COLOR))


def fitted(picture: Bitmap) -> Bitmap:
    """The picture shrunk to fit a tile."""
    scale = min(TILE[0] / picture.shape[1], TILE[1] / picture.shape[0])
    if scale >= 1:
        return picture
    return np.asarray(
        cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )


def contact_sheet(pictures: Sequence[Bitmap]) -> Bitmap:
    """Pictures (BGR) fitted into equal tiles, row by row."""
    width, height = TILE
    rows = max(1, -(-len(pictures) // COLUMNS))
    sheet = np.full(
        (rows * (height + GAP) + GAP, COLUMNS * (width + GAP) + GAP, 3), GROUND, np.uint8
    )
    for number, picture in enumerate(pictures):
        row, column = divmod(number, COLUMNS)
        small = fitted(picture)
        y = GAP + row * (height + GAP) + (height - small.shape[0]) // 2
        x = GAP + column * (width + GAP) + (width - small.shape[1]) // 2
        sheet[y : y + small.shape[0], x : x + small.shape[1]] = small
    return sheet
