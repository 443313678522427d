"""What sliders with a scale set, and the scales: ticks at even distances, values by a rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from factory.core.puzzle import State

Rule = Literal["linear", "piecewise", "doubling", "tenfold"]

MOST_TICKS = 12
"""Ticks after the first on the longest scale."""

BREAK = 4
"""The tick at which a piecewise scale changes its step: it is labelled on every scale."""


class Series(NamedTuple):
    """Values from ``first`` on. ``step`` is what they grow by, or the second step of a piecewise
    scale after the first ``BREAK`` ticks of ``step``; what grows by a factor needs no step."""

    rule: Rule
    first: int
    step: int = 0
    then: int = 0

    def value(self, tick: int) -> int:
        """The value at a tick."""
        if self.rule == "doubling":
            return self.first * 2**tick
        if self.rule == "tenfold":
            return self.first * 10**tick
        if self.rule == "linear":
            return self.first + self.step * tick
        return self.first + self.step * min(tick, BREAK) + self.then * max(0, tick - BREAK)


_PERCENT = (Series("linear", 0, 10), Series("linear", 0, 5), Series("linear", 20, 10),
            Series("linear", 40, 5), Series("piecewise", 0, 5, 10))  # fmt: skip
_LEVEL = (Series("linear", 0, 1), Series("linear", 1, 1), Series("linear", 0, 2),
          Series("linear", 0, 10), Series("linear", 10, 5), Series("piecewise", 0, 1, 2),
          Series("piecewise", 0, 5, 20))  # fmt: skip
_ROUND = (Series("linear", -12, 2), Series("linear", -10, 5), Series("linear", -6, 1),
          Series("linear", -20, 4), Series("linear", -30, 5))  # fmt: skip
_SPAN = (Series("linear", 0, 15), Series("linear", 0, 5), Series("linear", 5, 5),
         Series("linear", 0, 20), Series("piecewise", 0, 5, 10), Series("piecewise", 0, 10, 50),
         Series("piecewise", 0, 15, 60), Series("doubling", 1))  # fmt: skip
_WIDE = (Series("linear", 0, 100), Series("linear", 100, 100), Series("linear", 0, 50),
         Series("linear", 200, 50), Series("piecewise", 0, 25, 100),
         Series("piecewise", 0, 50, 200), Series("doubling", 25), Series("doubling", 10),
         Series("tenfold", 1))  # fmt: skip
_WARM = (Series("linear", 16, 1), Series("linear", 10, 2), Series("linear", 40, 10),
         Series("linear", 60, 5), Series("linear", 15, 5), Series("linear", -10, 5))  # fmt: skip


class Quantity(NamedTuple):
    """Something that is set: its name in the wording, its unit, its scales and their last value."""

    name: str
    unit: str
    series: tuple[Series, ...]
    most: int = 10_000


QUANTITIES = (
    Quantity("volume", "%", _PERCENT, 100), Quantity("brightness", "%", _PERCENT, 100),
    Quantity("contrast", "%", _PERCENT, 100), Quantity("opacity", "%", _PERCENT, 100),
    Quantity("humidity", "%", _PERCENT, 100), Quantity("bass", "dB", _ROUND),
    Quantity("treble", "dB", _ROUND), Quantity("gain", "dB", _ROUND),
    Quantity("balance", "", _ROUND), Quantity("offset", "mm", _ROUND),
    Quantity("fan", "", _LEVEL), Quantity("sharpness", "", _LEVEL), Quantity("level", "", _LEVEL),
    Quantity("weight", "kg", _LEVEL), Quantity("zoom", "", _LEVEL), Quantity("timer", "min", _SPAN),
    Quantity("pause", "s", _SPAN), Quantity("distance", "km", _SPAN),
    Quantity("speed", "km/h", _SPAN), Quantity("delay", "ms", _WIDE),
    Quantity("frequency", "Hz", _WIDE), Quantity("light", "lx", _WIDE),
    Quantity("budget", "", _WIDE), Quantity("range", "m", _WIDE),
    Quantity("temperature", "°C", _WARM[:2] + _WARM[4:], 40),
    Quantity("water", "°C", _WARM[1:5], 100),
)  # fmt: skip


class Row(State):
    """A slider: what it sets, its ticks' values in the way that the knob goes, of which every
    ``every``-th is labelled, and the tick at which the knob stands."""

    name: str
    unit: str
    values: tuple[int, ...]
    every: int
    at: int

    def label(self, tick: int) -> str:
        """What is written at a tick, if it is a labelled one."""
        return text_of(self.values[tick])


@dataclass(frozen=True)
class Scale:
    """A quantity with one of its scales."""

    quantity: Quantity
    series: Series

    def values(self, ticks: int) -> tuple[int, ...]:
        """Values at ``ticks`` ticks and the first, as far as the quantity goes, ascending."""
        found = [self.series.value(tick) for tick in range(ticks + 1)]
        return tuple(value for value in found if value <= self.quantity.most)


@cache
def scales() -> tuple[Scale, ...]:
    """Every quantity with every scale of its own."""
    return tuple(Scale(quantity, series) for quantity in QUANTITIES for series in quantity.series)


def space() -> int:
    """How many pairs of scales there are."""
    return len(scales()) ** 2


def pair(number: int) -> tuple[Scale, Scale]:
    """The scale that is asked for, and one beside it, of a content number."""
    first, second = divmod(number, len(scales()))
    return scales()[first], scales()[second]


def text_of(value: int) -> str:
    """A value as it is written: thousands with a k, and a true minus."""
    if abs(value) >= 10_000 and value % 1000 == 0:
        return f"{value // 1000}k"
    return str(value).replace("-", "\N{MINUS SIGN}")


def labelled(row: Row) -> list[int]:
    """The ticks that have a label."""
    return [tick for tick in range(len(row.values)) if tick % row.every == 0]


def readable(row: Row) -> list[int]:
    """The ticks that may be asked for: labelled, or midway between two labels.

    Not the first two, where a drag would be short, nor the last, where the end stop would help.
    """
    half = max(1, row.every // 2)
    return [tick for tick in range(2, len(row.values) - 1) if tick % half == 0]
