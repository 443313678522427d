"""Small charts as inline SVG, in the colours of the token set around them."""

from __future__ import annotations

import math
from collections.abc import Callable

from factory.core.rng import Stream

SERIES = ("var(--accent)", "var(--success)", "var(--muted)", "var(--danger)", "var(--track-fill)")


def values(stream: Stream, count: int) -> list[float]:
    """A wandering series in [0.08, 0.95]."""
    level, out = stream.uniform(0.3, 0.6), list[float]()
    for _ in range(count):
        level = min(0.95, max(0.08, level + stream.uniform(-0.16, 0.18)))
        out.append(level)
    return out


def _grid(width: int, height: int, lines: int = 4) -> str:
    rows = "".join(
        f'<path d="M0 {height * i / lines + 0.5:.1f}H{width}" stroke="var(--border)"/>'
        for i in range(lines)
    )
    return f'{rows}<path d="M0 {height - 0.5:.1f}H{width}" stroke="var(--muted)" opacity=".5"/>'


def _svg(width: int, height: int, inner: str) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="100%" height="{height}" fill="none" '
        f'preserveAspectRatio="none" aria-hidden="true">{inner}</svg>'
    )


def line(stream: Stream, width: int, height: int, points: int) -> str:
    """A line over its soft area."""
    series = values(stream, points)
    step = width / (points - 1)
    path = " L".join(f"{i * step:.1f},{height * (1 - v):.1f}" for i, v in enumerate(series))
    area = f'<path d="M{path} L{width},{height} L0,{height}Z" fill="var(--accent)" opacity=".12"/>'
    stroke = f'<path d="M{path}" stroke="var(--accent)" stroke-width="2" stroke-linejoin="round"/>'
    return _svg(width, height, _grid(width, height) + area + stroke)


def bars(stream: Stream, width: int, height: int, points: int) -> str:
    """Upright bars, the highest in the full accent."""
    series = values(stream, points)
    step, top = width / points, max(series)
    parts = [
        f'<rect x="{i * step + 0.2 * step:.1f}" y="{height * (1 - v):.1f}" '
        f'width="{0.6 * step:.1f}" height="{height * v:.1f}" rx="2" '
        f'fill="var({"--accent" if v == top else "--track-fill"})"/>'
        for i, v in enumerate(series)
    ]
    return _svg(width, height, _grid(width, height) + "".join(parts))


def spark(stream: Stream, width: int, height: int, points: int) -> str:
    """A line without axes."""
    series = values(stream, points)
    step = width / (points - 1)
    path = " L".join(f"{i * step:.1f},{height * (1 - v):.1f}" for i, v in enumerate(series))
    return _svg(width, height, f'<path d="M{path}" stroke="var(--accent)" stroke-width="2"/>')


def donut(stream: Stream, width: int, height: int, points: int) -> str:
    """A ring of ``points`` shares, at most as many as there are colours."""
    shares = [stream.uniform(0.5, 2) for _ in range(min(points, len(SERIES)))]
    whole, at = math.fsum(shares), 0.0
    parts: list[str] = []
    for share, colour in zip(shares, SERIES, strict=False):
        part = 100 * share / whole
        parts.append(
            f'<circle cx="21" cy="21" r="15.9" pathLength="100" stroke="{colour}" '
            f'stroke-width="6" stroke-dasharray="{part - 1:.2f} {101 - part:.2f}" '
            f'stroke-dashoffset="{-at:.2f}"/>'
        )
        at += part
    return (
        f'<svg viewBox="0 0 42 42" width="{width}" height="{height}" fill="none" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def wave(stream: Stream, width: int, height: int, points: int) -> str:
    """A sound's loudness as upright strokes around the middle."""
    step = width / points
    parts = [
        f'<rect x="{i * step:.1f}" y="{height * (0.5 - v / 2):.1f}" width="{0.6 * step:.1f}" '
        f'height="{height * v:.1f}" rx="1" fill="var(--accent)"/>'
        for i, v in enumerate(values(stream, points))
    ]
    return _svg(width, height, "".join(parts))


KINDS: dict[str, Callable[[Stream, int, int, int], str]] = {
    "line": line,
    "bars": bars,
    "spark": spark,
    "donut": donut,
    "wave": wave,
}
