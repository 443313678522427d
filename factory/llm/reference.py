"""The style of a reference screenshot: told by a vision model, or measured from its pixels.

Only the style is taken: a handful of colours, a theme, roundness, density and where bars stand. The
picture itself is never kept, sent on or shown. What comes out is a small table that belongs to the
run's options, so the picture is not needed again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, StringConstraints

from factory.core.errors import InvalidOptions
from factory.draw.colours import contrast, luminance, parse_hex, to_hex

Pixels = npt.NDArray[np.uint8]
Colour = Annotated[str, StringConstraints(pattern="^#[0-9a-f]{6}$")]

WORKED_PX = 256
"""Longer side at which a picture is measured."""
SHOWN_PX = 1024
"""Longer side at which it is shown to a vision model."""
BINS = 16
"""Steps of a channel in the histogram of colours."""
LIVELY = 70
"""Difference of the greatest and least channel from which a colour may be an accent."""
SMALLEST_ACCENT = 0.0015
"""Share of the picture that an accent has at least."""
SURFACE_SHARE, SURFACE_CONTRAST = 0.03, 1.6
"""Of a second ground: its share of the picture at least, its contrast to the first at most."""
MOST_GROUNDS = 12
NEAR = 28.0
"""Distance in RGB below which two colours are shades of one."""
BUSY, CALM = 0.11, 0.05
"""Share of edge pixels of a compact and of a roomy screen."""
BAR = 0.06
"""Share of the height that a bar at the top has at least."""
MOSTLY, SELDOM = 0.4, 0.3
"""Share of a row that a bar's ground has at least; of the rest that has it, at most."""
GROUND_SHARE = 0.3
"""Share of a column that is ground, however dense the text on it."""
SAME = 2
"""Difference of a channel up to which two pixels have one colour."""
SIDE = (0.10, 0.40)
"""Share of the width that a sidebar may have."""


class Style(BaseModel):
    """What is taken from a reference."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    theme: Literal["light", "dark"]
    background: Colour
    surface: Colour
    text: Colour
    accent: Colour
    density: Literal["compact", "normal", "roomy"]
    corners: Literal["square", "soft", "round"]
    header: bool
    sidebar: bool

    def told(self) -> str:
        """The style in words, for a prompt."""
        bars = [name for name, there in (("a bar at the top", self.header),
                                         ("a sidebar", self.sidebar)) if there]  # fmt: skip
        return (
            f"{self.theme}, background {self.background}, surfaces {self.surface}, text "
            f"{self.text}, accent {self.accent}; {self.density}; {self.corners} corners; "
            f"{' and '.join(bars) or 'no bars'}."
        )


def picture_of(path: Path) -> Pixels:
    """The pixels of a reference, RGB; ``InvalidOptions`` when it is no picture."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise InvalidOptions(f"the reference {path} cannot be read: {error.strerror}") from error
    found = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if found is None or min(found.shape[:2]) < 32:
        raise InvalidOptions(f"the reference {path} is no picture of 32 px a side or more")
    return np.ascontiguousarray(found[..., ::-1], np.uint8)


def png_of(pixels: Pixels) -> bytes:
    """The reference as PNG, at the size that a model is shown."""
    small = _shrunk(pixels, SHOWN_PX)
    done, data = cv2.imencode(".png", np.ascontiguousarray(small[..., ::-1]))
    assert done
    return data.tobytes()


def measured(pixels: Pixels) -> Style:
    """The style of a screenshot from its pixels alone: the same picture gives the same style."""
    step = max(1, max(pixels.shape[:2]) // WORKED_PX)
    sampled = pixels[step // 2 :: step, step // 2 :: step]  # not shrunk: grounds stay pure
    grounds = _exact(sampled)
    background = grounds[0][0]
    surface = next(
        (c for c, share in grounds[1:]
         if share >= SURFACE_SHARE and contrast(c, background) < SURFACE_CONTRAST
         and _chroma(c) < LIVELY),
        background,
    )  # fmt: skip
    shades = _palette(_shrunk(pixels, WORKED_PX))
    text = max((c for c, _ in shades), key=lambda c: contrast(c, background))
    accent = next(
        (c for c, share in shades
         if _chroma(c) >= LIVELY and share >= SMALLEST_ACCENT and apart(c, background) > NEAR),
        text,
    )  # fmt: skip
    busy = _edges(_shrunk(pixels, WORKED_PX))
    return Style(
        theme="dark" if luminance(background) < 0.18 else "light",
        background=background, surface=surface, text=text, accent=accent,
        density="compact" if busy > BUSY else "roomy" if busy < CALM else "normal",
        corners="soft", header=_has_header(sampled), sidebar=_has_sidebar(sampled),
    )  # fmt: skip


def _exact(pixels: Pixels) -> list[tuple[str, float]]:
    """Exact colours with their shares, the most frequent first."""
    flat = pixels.reshape(-1, 3)
    values, counts = np.unique(flat, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:MOST_GROUNDS]
    return [
        (to_hex((float(values[i][0]), float(values[i][1]), float(values[i][2]))),
         float(counts[i]) / len(flat))
        for i in order
    ]  # fmt: skip


def _shrunk(pixels: Pixels, side: int) -> Pixels:
    height, width = pixels.shape[:2]
    scale = side / max(height, width)
    if scale >= 1:
        return pixels
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _palette(pixels: Pixels) -> list[tuple[str, float]]:
    """Colours with their shares, the most frequent first; shades of one colour count together."""
    flat = pixels.reshape(-1, 3).astype(np.int64)
    cells = flat // (256 // BINS)
    index = (cells[:, 0] * BINS + cells[:, 1]) * BINS + cells[:, 2]
    counts = np.bincount(index, minlength=BINS**3)
    sums = [np.bincount(index, weights=flat[:, c], minlength=BINS**3) for c in range(3)]
    merged: list[list[float]] = []
    for cell in np.argsort(-counts, kind="stable"):
        count = float(counts[cell])
        if count == 0:
            break
        mean = [float(total[cell]) / count for total in sums]
        near = next((one for one in merged if _distance(one, mean) < NEAR), None)
        if near is None:
            merged.append([*mean, count])
        else:
            near[3] += count
    merged.sort(key=lambda one: -one[3])
    return [(to_hex((r, g, b)), n / len(flat)) for r, g, b, n in merged]


def _distance(a: list[float], b: list[float]) -> float:
    return float(sum((x - y) ** 2 for x, y in zip(a[:3], b[:3], strict=True))) ** 0.5


def apart(a: str, b: str) -> float:
    """How far two colours are from each other in RGB."""
    return _distance([*map(float, parse_hex(a))], [*map(float, parse_hex(b))])


def _chroma(colour: str) -> int:
    return max(parse_hex(colour)) - min(parse_hex(colour))


def _edges(pixels: Pixels) -> float:
    """Share of pixels that differ from their neighbour."""
    grey = pixels.astype(np.int32).sum(axis=2) / 3
    across = np.abs(np.diff(grey, axis=1)) > 24
    return float(across.mean())


def _has_header(pixels: Pixels) -> bool:
    """Whether the first rows share a ground that few rows below have."""
    top = pixels[: max(1, round(len(pixels) * BAR * 0.8))].reshape(-1, 3)
    ground = _commonest(top)
    shares = _has_ground(pixels, ground).mean(axis=1)
    return bool(
        shares[: max(1, round(len(shares) * BAR * 0.8))].min() > MOSTLY
        and (shares[len(shares) // 5 :] > MOSTLY).mean() < SELDOM
    )


def _has_sidebar(pixels: Pixels) -> bool:
    """Whether the first columns share a ground that ends within the width of a sidebar."""
    body = pixels[len(pixels) // 5 :]
    width = body.shape[1]
    ground = _commonest(body[:, : max(1, round(width * 0.04))].reshape(-1, 3))
    with_it = _has_ground(body, ground).mean(axis=0) > GROUND_SHARE
    ends = np.flatnonzero(~with_it)
    if not len(ends):
        return False
    low, high = SIDE
    return bool(low * width <= ends[0] <= high * width and with_it[ends[0] :].mean() < SELDOM)


def _commonest(flat: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The colour that most pixels of ``(n, 3)`` have."""
    values, counts = np.unique(flat.astype(np.int64), axis=0, return_counts=True)
    return values[counts.argmax()]


def _has_ground(pixels: Pixels, ground: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Where a picture shows a colour, as ``(height, width)``."""
    return np.abs(pixels.astype(np.int64) - ground).max(axis=2) <= SAME
