"""The style of a reference screenshot: told by a vision model, or measured from its pixels.

Only the style is taken: a handful of colours, a theme, roundness, density and where bars stand. The
picture itself is never kept, sent on or shown. What comes out is a small table that belongs to the
run's options, so the picture is not needed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, StringConstraints

from factory.core.errors import InvalidOptions
from factory.draw.colours import contrast, luminance, mix, parse_hex, to_hex
from factory.draw.tokens import AA_TEXT, Tokens, tokens_named
from factory.scenarios.kits import tokens_for

Pixels = npt.NDArray[np.uint8]
Colour = Annotated[str, StringConstraints(pattern="^#[0-9a-f]{6}$")]

WORKED_PX = 256
"""Longer side at which a picture is measured."""
SHOWN_PX = 1024
"""Longer side at which it is shown to a vision model."""
BINS = 16
"""Steps of a channel in the histogram of colours."""
LIVELY = 0.35
"""Saturation from which a colour may be an accent."""
SMALLEST_ACCENT = 0.0015
"""Share of the picture that an accent has at least."""
NEAR = 28.0
"""Distance in RGB below which two colours are shades of one."""
BUSY, CALM = 0.11, 0.05
"""Share of edge pixels of a compact and of a roomy screen."""
BAR = 0.06
"""Share of the height that a bar at the top has at least."""
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
    small = _shrunk(pixels, WORKED_PX)
    colours = _palette(small)
    background = colours[0][0]
    surface = next((c for c, _ in colours[1:] if _saturation(c) < LIVELY), background)
    text = max((c for c, share in colours if share > 0), key=lambda c: contrast(c, background))
    accent = next(
        (c for c, share in colours
         if _saturation(c) >= LIVELY and share >= SMALLEST_ACCENT and _apart(c, background) > NEAR),
        text,
    )  # fmt: skip
    busy = _edges(small)
    return Style(
        theme="dark" if luminance(background) < 0.18 else "light",
        background=background, surface=surface, text=text, accent=accent,
        density="compact" if busy > BUSY else "roomy" if busy < CALM else "normal",
        corners="soft", header=_has_header(small), sidebar=_has_sidebar(small),
    )  # fmt: skip


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


def _apart(a: str, b: str) -> float:
    return _distance([*map(float, parse_hex(a))], [*map(float, parse_hex(b))])


def _saturation(colour: str) -> float:
    red, green, blue = parse_hex(colour)
    high, low = max(red, green, blue), min(red, green, blue)
    return (high - low) / high if high > 40 else 0.0


def _edges(pixels: Pixels) -> float:
    """Share of pixels that differ from their neighbour."""
    grey = pixels.astype(np.int32).sum(axis=2) / 3
    across = np.abs(np.diff(grey, axis=1)) > 24
    return float(across.mean())


def _has_header(pixels: Pixels) -> bool:
    """Whether the first rows share a ground that rows below do not have."""
    rows = np.median(pixels.astype(np.float64), axis=1)
    height = len(rows)
    top = rows[: max(1, round(height * BAR))]
    ground = np.median(top, axis=0)
    even = float(np.abs(top - ground).max()) < NEAR
    below = np.median(rows[round(height * 0.2) :], axis=0)
    return bool(even and float(np.abs(ground - below).max()) > 3)


def _has_sidebar(pixels: Pixels) -> bool:
    """Whether the first columns share a ground that ends within the width of a sidebar."""
    columns = np.median(pixels[pixels.shape[0] // 5 :].astype(np.float64), axis=0)
    width = len(columns)
    ground = np.median(columns[: max(1, round(width * 0.04))], axis=0)
    far = np.abs(columns - ground).max(axis=1) > 3
    ends = np.flatnonzero(far)
    if not len(ends):
        return False
    low, high = SIDE
    stays = float(far[ends[0] :].mean()) > 0.7
    return bool(low * width <= ends[0] <= high * width and stays)


# ------------------------------------------------------------------- to our tokens


def nearest_tokens(style: Style) -> str:
    """The token set of the theme that is nearest in background and accent."""

    def apart(name: str) -> float:
        own = tokens_named(name)
        return _apart(own.page_bg, style.background) + 2 * _apart(own.accent, style.accent)

    plain = [n for n in tokens_for(style.theme) if tokens_named(n).mode != "contrast"]
    return min(sorted(plain), key=apart)


RADII = {"square": 0, "soft": 8, "round": 16}


def custom_properties(style: Style) -> str:
    """CSS that lays the style over the token set; colours are moved until texts can be read."""
    base = tokens_named(nearest_tokens(style))
    pole = "#000000" if style.theme == "light" else "#ffffff"
    grounds = (style.background, style.surface)
    accent = _readable(style.accent, grounds, pole)
    roles = {
        "page-bg": style.background,
        "surface": style.surface,
        "raised": mix(style.text, style.surface, 0.05),
        "track": mix(style.text, style.surface, 0.1),
        "border": mix(style.text, style.surface, 0.18),
        "accent-soft": mix(style.accent, style.surface, 0.1),
        "text": _readable(style.text, grounds, pole),
        "muted": _readable(mix(style.text, style.surface, 0.6), grounds, pole),
        "link": accent,
        "accent": accent,
        "on-accent": max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, accent)),
        **_unless_readable(base, grounds, pole),
    }
    radius = RADII[style.corners]
    css = " ".join(f"--{name}: {value};" for name, value in roles.items())
    return f"{css} --radius: {radius}px; --radius-sm: {min(radius, 4 + radius // 2)}px;"


def _unless_readable(base: Tokens, grounds: tuple[str, ...], pole: str) -> Mapping[str, str]:
    return {name: _readable(getattr(base, name), grounds, pole) for name in ("success", "danger")}


def _readable(colour: str, grounds: tuple[str, ...], pole: str) -> str:
    """A colour moved towards black or white until it reads on every ground."""
    shades = (mix(pole, colour, step / 20) for step in range(21))
    return next(
        (shade for shade in shades if min(contrast(shade, g) for g in grounds) >= AA_TEXT), pole
    )
