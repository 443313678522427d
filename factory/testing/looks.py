"""How the slots of a class look as encoded: what probes and distances need of each, no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from factory.core.geometry import Box
from factory.core.puzzle import Seen
from factory.engine.make import perceptual_hash
from factory.testing.painting import slot_picture
from factory.testing.subject import Draw, Subject

QUALITY = 90
"""JPEG quality, as runs have it by default."""


@dataclass(frozen=True)
class Look:
    """A slot in its first state: bytes of its JPEG, mean and spread of its colours, its hash."""

    draw: Draw
    size: int
    area: int
    mean: tuple[float, ...]
    spread: float
    phash: int


def looks(subject: Subject, count: int) -> list[Look]:
    """The slots of the first ``count`` draws, painted without a page and encoded."""
    for draw in subject.draws(count):
        if draw.key not in subject.seen:
            subject.seen[draw.key] = _look(subject, draw)
    return [subject.seen[draw.key] for draw in subject.draws(count)]


def _look(subject: Subject, draw: Draw) -> Look:
    artwork = subject.puzzle.draw(draw.state, draw.placement)
    pose = draw.mechanic.pose(draw.mechanic.start())
    drawn = slot_picture(artwork, pose, draw.placement)
    data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    decoded = np.asarray(cv2.imdecode(data, cv2.IMREAD_REDUCED_COLOR_2), np.uint8)
    height, width = decoded.shape[:2]
    means = decoded.reshape(-1, 3).mean(axis=0)
    return Look(
        draw=draw,
        size=len(data),
        area=drawn.shape[0] * drawn.shape[1],
        mean=tuple(float(value) for value in means),
        spread=float(decoded.std()),
        phash=perceptual_hash(Seen(decoded, decoded, Box(0, 0, width, height), 1.0)),
    )


def distances(hashes: list[int]) -> Any:
    """Hamming distances of all pairs of 64-bit hashes, ``(n, n)``."""
    bits = np.unpackbits(np.array(hashes, ">u8").view(np.uint8).reshape(-1, 8), axis=1)
    bits = bits.astype(np.float32)
    return np.rint(bits @ (1 - bits).T + (1 - bits) @ bits.T).astype(np.int64)
