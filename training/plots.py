"""The curves of a stage as one SVG: small panels of what was logged, no library needed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

PANEL_W, PANEL_H, COLUMNS = 300, 180, 3
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 26, 24
"""Sizes in px: a panel, and the margins of its axes."""

COLOURS = ("#1f6feb", "#d1541b", "#2a8a4a", "#8250df", "#8a6d00", "#bf3989")

PANELS: dict[str, tuple[str, ...]] = {
    "loss": ("loss",),
    "reward": ("reward", "reward/format", "reward/types", "reward/outcome"),
    "outcome by domain": ("outcome/",),
    "groups that teach nothing (share)": ("frac_reward_zero_std",),
    "refusals": ("refusal_rate", "over_refusal"),
    "answers by status": ("status/",),
    "distance": ("kl", "teacher_gap"),
    "entropy": ("entropy",),
    "answer length (tokens)": ("completions/mean_length",),
    "size of gradient": ("grad_norm",),
}
"""Titles, and the metrics of each panel; a name that ends in ``/`` stands for all that begin so."""

Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Curve:
    """A named line of (step, value)."""

    name: str
    points: Points


def write_plot(metrics: Sequence[Mapping[str, Any]], path: Path, title: str) -> None:
    """Draw the panels that have data; a stage that logged nothing gets an empty picture."""
    path.write_text(plot(metrics, title), encoding="utf-8")


def plot(metrics: Sequence[Mapping[str, Any]], title: str) -> str:
    """The SVG of a stage's ``metrics.jsonl``."""
    panels = [(name, curves_of(metrics, wanted)) for name, wanted in PANELS.items()]
    panels = [(name, curves) for name, curves in panels if curves]
    rows = math.ceil(len(panels) / COLUMNS)
    width, height = COLUMNS * PANEL_W, 30 + rows * PANEL_H
    drawn = [
        f'<g transform="translate({k % COLUMNS * PANEL_W},{30 + k // COLUMNS * PANEL_H})">'
        f"{_panel(name, curves)}</g>"
        for k, (name, curves) in enumerate(panels)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="{height}" fill="white"/>'
        f'<text x="12" y="20" font-size="14">{escape(title)}</text>{"".join(drawn)}</svg>\n'
    )


def curves_of(metrics: Sequence[Mapping[str, Any]], wanted: Sequence[str]) -> list[Curve]:
    """The finite values of these metrics by step, without metrics that were never logged."""
    names: list[str] = []
    for one in wanted:
        if one.endswith("/"):
            names += sorted({n for line in metrics for n in line if n.startswith(one)})
        else:
            names.append(one)
    curves = [Curve(name, _points(metrics, name)) for name in names]
    return [curve for curve in curves if curve.points]


def _points(metrics: Sequence[Mapping[str, Any]], name: str) -> Points:
    found: Points = []
    for line in metrics:
        value = line.get(name)
        if isinstance(value, int | float) and math.isfinite(value):
            found.append((float(line.get("step", 0)), float(value)))
    return found


def _panel(title: str, curves: Sequence[Curve]) -> str:
    xs = [x for curve in curves for x, _ in curve.points]
    ys = [y for curve in curves for _, y in curve.points]
    x_range, y_range = (min(xs), max(xs)), _padded(min(ys), max(ys))
    parts = [f'<text x="{LEFT}" y="14" font-weight="bold">{escape(title)}</text>']
    parts += _axes(x_range, y_range)
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{_x(x, x_range):.1f},{_y(y, y_range):.1f}" for x, y in curve.points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        if len(curve.points) == 1:
            x, y = line.split(",")
            parts.append(f'<circle cx="{x}" cy="{y}" r="2" fill="{colour}"/>')
        if len(curves) > 1:
            shown = escape(curve.name.rpartition("/")[2])
            at = TOP + 10 + 12 * number
            parts.append(f'<text x="{LEFT + 6}" y="{at}" fill="{colour}">{shown}</text>')
    return "".join(parts)


def _padded(low: float, high: float) -> tuple[float, float]:
    """The range with a little room; one of width 1 around a constant."""
    room = 0.05 * (high - low) or 0.5
    return low - room, high + room


def _axes(x_range: tuple[float, float], y_range: tuple[float, float]) -> list[str]:
    right, bottom = PANEL_W - RIGHT, PANEL_H - BOTTOM
    frame = f"M{LEFT},{TOP} V{bottom} H{right}"
    found = [f'<path d="{frame}" fill="none" stroke="#888"/>']
    for value in (y_range[0], sum(y_range) / 2, y_range[1]):
        y = _y(value, y_range)
        found.append(f'<text x="{LEFT - 4}" y="{y + 4:.1f}" text-anchor="end">{value:.3g}</text>')
    for value, anchor in ((x_range[0], "start"), (x_range[1], "end")):
        x = _x(value, x_range)
        found.append(
            f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="{anchor}">{value:.0f}</text>'
        )
    return found


def _x(value: float, span: tuple[float, float]) -> float:
    share = (value - span[0]) / (span[1] - span[0]) if span[1] > span[0] else 0.0
    return LEFT + share * (PANEL_W - LEFT - RIGHT)


def _y(value: float, span: tuple[float, float]) -> float:
    share = (value - span[0]) / (span[1] - span[0])
    return PANEL_H - BOTTOM - share * (PANEL_H - TOP - BOTTOM)
