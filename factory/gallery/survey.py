"""Counts over every row of a run, in one pass and in flat memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from factory.engine.stats import Tally
from factory.gallery.choice import band_of, bands, canvas_of
from factory.gallery.run_folder import Row

THIN_SHARE = 0.25
"""A cell with less than this share of its row's even part is thin: too little to measure on."""

LISTED_DUPLICATES = 200
"""Duplicates named; the count goes on."""

CROSSED = ("type", "split", "theme", "lang", "context", "picture", "canvas")
"""What is counted against the difficulty bands."""


@dataclass(frozen=True)
class Cell:
    """One cell of the heat map. ``shade`` is 0 (empty) to 8 (the fullest)."""

    band: str
    count: int
    shade: int
    state: str


class Line(NamedTuple):
    """One line of the heat map: a value, its cells by band, and its sum."""

    name: str
    cells: list[Cell]
    total: int


@dataclass
class Survey:
    """Sums over rows."""

    tally: Tally = field(default_factory=Tally)
    crossed: dict[str, Counter[tuple[str, str]]] = field(
        default_factory=lambda: {name: Counter() for name in CROSSED}
    )
    duplicates: list[tuple[str, str]] = field(default_factory=list)
    duplicate_count: int = 0

    def add(self, row: Row) -> None:
        """Count one row."""
        self.tally.add(row)
        band = band_of(row["difficulty"])
        for name in CROSSED:
            value = canvas_of(row) if name == "canvas" else row[name]
            self.crossed[name][value, band] += 1
        if row["duplicate_of"]:
            self.duplicate_count += 1
            if len(self.duplicates) < LISTED_DUPLICATES:
                self.duplicates.append((row["key"], row["duplicate_of"]))

    def heat(self, name: str) -> list[Line]:
        """The heat map of a column against the bands."""
        counts = self.crossed[name]
        most = max(counts.values(), default=0)
        return [
            _line(value, [counts[value, band] for band in bands()], most)
            for value in sorted({value for value, _ in counts})
        ]


def _line(name: str, counts: list[int], most: int) -> Line:
    even = sum(counts) / len(counts)
    cells = [
        Cell(band, count, -(-8 * count // most) if most else 0, _state(count, even))
        for band, count in zip(bands(), counts, strict=True)
    ]
    return Line(name, cells, sum(counts))


def _state(count: int, even: float) -> str:
    if not count:
        return "empty"
    return "thin" if count < THIN_SHARE * even else ""
