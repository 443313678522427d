"""Small procedural pictures for pages, as inline SVG: landscapes, waves, city, product tiles."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable

from factory.core.rng import Stream
from factory.draw.tokens import to_hex


def _shade(hue_deg: float, light: float, saturation: float) -> str:
    red, green, blue = colorsys.hls_to_rgb((hue_deg % 360) / 360, light, saturation)
    return to_hex((red * 255, green * 255, blue * 255))


def _ridge(stream: Stream, w: int, h: int, level: float, swing: float) -> str:
    """A closed path: a wavy line at ``level * h`` with the ground below it."""
    phase, waves = stream.uniform(0, 6.28), stream.uniform(0.8, 1.9)
    points = []
    steps = 24 if w < 400 else 96
    for step in range(steps + 1):
        t = step / steps
        y = level + swing * (
            math.sin(phase + waves * 6.28 * t) + 0.4 * math.sin(2.3 * phase + waves * 15 * t)
        )
        points.append(f"{t * w:.1f},{y * h:.1f}")
    return f"M{' L'.join(points)} L{w},{h} L0,{h}Z"


def _sky(w: int, h: int, top: str, low: str) -> str:
    return (
        f'<defs><linearGradient id="ID" x1="0" y1="0" x2="0" y2="1"><stop stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{low}"/></linearGradient></defs>'
        f'<rect width="{w}" height="{h}" fill="url(#ID)"/>'
    )


def _hills(stream: Stream, w: int, h: int) -> str:
    hue, ground = stream.uniform(180, 245), stream.uniform(90, 220)
    night = stream.chance(0.25)
    sky = _sky(
        w,
        h,
        _shade(hue, 0.25 if night else 0.62, 0.5),
        _shade(hue - 20, 0.5 if night else 0.88, 0.6),
    )
    size = 0.09 * min(w, h)
    x, y = stream.uniform(0.2, 0.8) * w, stream.uniform(0.16, 0.3) * h
    sun = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="#fff3cf"/>'
    sun += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 * size:.1f}" fill="#fff3cf" opacity=".25"/>'
    layers = [
        f'<path d="{_ridge(stream, w, h, 0.46 + 0.14 * i, 0.055)}" '
        f'fill="{_shade(ground + 14 * i, (0.30 if night else 0.62) - 0.09 * i, 0.28)}"/>'
        for i in range(4)
    ]
    return sky + sun + "".join(layers)


def _waves(stream: Stream, w: int, h: int) -> str:
    hue = stream.uniform(150, 300)
    layers = [
        f'<path d="{_ridge(stream, w, h, 0.22 + 0.16 * i, 0.07)}" '
        f'fill="{_shade(hue + 9 * i, 0.60 - 0.075 * i, 0.52)}" opacity=".85"/>'
        for i in range(5)
    ]
    return _sky(w, h, _shade(hue - 30, 0.80, 0.55), _shade(hue, 0.62, 0.5)) + "".join(layers)


def _dunes(stream: Stream, w: int, h: int) -> str:
    hue = stream.uniform(8, 42)
    layers = [
        f'<path d="{_ridge(stream, w, h, 0.42 + 0.15 * i, 0.06)}" '
        f'fill="{_shade(hue + 6 * i, 0.68 - 0.11 * i, 0.5)}"/>'
        for i in range(4)
    ]
    return _sky(w, h, _shade(hue + 190, 0.55, 0.4), _shade(hue + 10, 0.86, 0.7)) + "".join(layers)


def _city(stream: Stream, w: int, h: int) -> str:
    hue = stream.uniform(200, 330)
    parts = [_sky(w, h, _shade(hue, 0.36, 0.42), _shade(hue + 50, 0.78, 0.6))]
    for row in range(2):
        x, fill = -0.02 * w, _shade(hue - 10, 0.34 - 0.14 * row, 0.35)
        while x < w:
            width = stream.uniform(0.06, 0.13) * w
            top = stream.uniform(0.30 + 0.18 * row, 0.62 + 0.16 * row) * h
            size = f'width="{width:.1f}" height="{h:.1f}"'
            parts.append(f'<rect x="{x:.1f}" y="{top:.1f}" {size} fill="{fill}"/>')
            x += width + stream.uniform(0, 0.02) * w
    return "".join(parts)


def _discs(stream: Stream, w: int, h: int) -> str:
    hue = stream.uniform(0, 360)
    parts = [_sky(w, h, _shade(hue, 0.72, 0.55), _shade(hue + 36, 0.56, 0.5))]
    for _ in range(6):
        size = stream.uniform(0.12, 0.46) * min(w, h)
        x, y = stream.uniform(0, 1) * w, stream.uniform(0, 1) * h
        tone = _shade(hue + stream.uniform(-20, 60), stream.uniform(0.5, 0.8), 0.6)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="{tone}" opacity=".55"/>'
        )
    return "".join(parts)


def _tile(stream: Stream, w: int, h: int) -> str:
    hue = stream.uniform(0, 360)
    return _sky(w, h, _shade(hue, 0.84, 0.5), _shade(hue + 20, 0.70, 0.45))


KINDS: dict[str, Callable[[Stream, int, int], str]] = {
    "hills": _hills,
    "waves": _waves,
    "dunes": _dunes,
    "city": _city,
    "discs": _discs,
    "tile": _tile,
}


def picture(stream: Stream, width: int, height: int, kind: str) -> str:
    """An inline ``<svg>`` of ``width`` x ``height`` user units that fills its box.

    ``kind`` is one of ``KINDS``, or empty for one of the first five by the stream.
    """
    chosen = kind or stream.choice(sorted(set(KINDS) - {"tile"}))
    inner = KINDS[chosen](stream, width, height)
    unique = f"g{stream.integer(0, 1 << 40):x}"
    return (
        f'<svg viewBox="0 0 {width} {height}" preserveAspectRatio="xMidYMid slice" '
        f'aria-hidden="true">{inner.replace("ID", unique)}</svg>'
    )
