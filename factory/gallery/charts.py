"""Geometry of the small charts: what the templates draw as SVG, in CSS px."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

WIDTH = 372
PLOT_HEIGHT = 120
TOP, LEFT, FOOT = 16, 8, 20
"""Space above the bars for their counts, beside them, and below for the axis."""

ROW = 22
NAME_WIDTH = 112
COUNT_WIDTH = 84
HEAT_SIDE = 260


@dataclass(frozen=True)
class Bar:
    """A bar or cell with what it says; ``href`` leads to its samples where a filter can."""

    x: float
    y: float
    width: float
    height: float
    label: str
    count: int
    text: str
    href: str
    shade: float


class Tick(NamedTuple):
    """A word below the axis."""

    x: float
    text: str
    anchor: str


@dataclass(frozen=True)
class Chart:
    """A chart: ``kind`` is ``bars``, ``rows`` or ``heat``."""

    kind: str
    title: str
    note: str
    width: int
    height: int
    bars: list[Bar]
    ticks: list[Tick]

    @property
    def spoken(self) -> str:
        """The chart in words, for those who do not see it."""
        told = ", ".join(f"{bar.label}: {bar.count}" for bar in self.bars[:40] if bar.count)
        return f"{self.title}: {told or 'nothing'}"


Href = Callable[[str], str]


def nowhere(label: str) -> str:
    """The link of a bar that no filter can show."""
    return ""


def histogram(
    title: str,
    values: Sequence[float],
    *,
    limits: tuple[float, float] | None = None,
    bins: int = 20,
    unit: str = "",
    note: str = "",
) -> Chart:
    """Upright bars over equal bins; by default between round numbers around the values."""
    low, high = limits or _round_limits(values)
    counts = [0] * bins
    for value in values:
        place = math.floor((value - low) / (high - low) * bins)
        counts[min(bins - 1, max(0, place))] += 1
    step = (WIDTH - 2 * LEFT) / bins
    edges = [low + (high - low) * place / bins for place in range(bins + 1)]
    bars = [
        _upright(LEFT + place * step, step, count, max(counts), _span(edges, place, unit))
        for place, count in enumerate(counts)
    ]
    ticks = [
        Tick(LEFT, _short(low, ""), "start"),
        Tick(WIDTH / 2, _short((low + high) / 2, ""), "middle"),
        Tick(WIDTH - LEFT, _short(high, ""), "end"),
    ]
    middle = sorted(values)[len(values) // 2] if values else 0.0
    said = note or f"{len(values)} values, median {_short(middle, unit)}"
    return Chart("bars", title, said, WIDTH, TOP + PLOT_HEIGHT + FOOT, bars, ticks)


def _upright(x: float, step: float, count: int, most: int, label: str) -> Bar:
    height = PLOT_HEIGHT * count / most if most else 0.0
    height = max(1.0, height) if count else 0.0
    y = TOP + PLOT_HEIGHT - height
    return Bar(round(x + 0.5, 2), round(y, 2), round(step - 1, 2), round(height, 2),
               label, count, "", "", 1.0)  # fmt: skip


def _span(edges: Sequence[float], place: int, unit: str) -> str:
    return f"{_short(edges[place], '')} to {_short(edges[place + 1], unit)}"


def _short(value: float, unit: str) -> str:
    return f"{value:.4g}{unit}" if abs(value) < 10_000 else f"{value:,.0f}{unit}"


def _round_limits(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    reach = high - low or max(1.0, abs(high))
    step = 10.0 ** math.floor(math.log10(reach))
    return math.floor(low / step) * step, math.floor(high / step + 1) * step


def rows(title: str, counts: Mapping[str, int], href: Href = nowhere, note: str = "") -> Chart:
    """Lying bars, one a value, in the order given."""
    most, total = max(counts.values(), default=0), sum(counts.values())
    room = WIDTH - NAME_WIDTH - COUNT_WIDTH
    bars = [
        Bar(NAME_WIDTH, place * ROW + 4, round(room * count / most if most else 0.0, 2), ROW - 8,
            name, count, f"{count:,} · {count / total if total else 0:.1%}", href(name), 1.0)
        for place, (name, count) in enumerate(counts.items())
    ]  # fmt: skip
    return Chart("rows", title, note, WIDTH, max(ROW, ROW * len(bars)), bars, [])


def heat(title: str, points: Sequence[tuple[float, float]], *, cells: int, note: str) -> Chart:
    """Where points of the unit square lie, as a map of ``cells`` x ``cells``; y points down."""
    counts: dict[tuple[int, int], int] = {}
    for x, y in points:
        place = min(cells - 1, int(x * cells)), min(cells - 1, int(y * cells))
        counts[place] = counts.get(place, 0) + 1
    most, side = max(counts.values(), default=0), HEAT_SIDE / cells
    bars = [
        Bar(round(column * side, 2), round(row * side, 2), round(side, 2), round(side, 2),
            f"x {column / cells:.0%}, y {row / cells:.0%}", count, "", "", round(count / most, 3))
        for (column, row), count in sorted(counts.items())
    ]  # fmt: skip
    return Chart("heat", title, note, HEAT_SIDE, HEAT_SIDE, bars, [])
