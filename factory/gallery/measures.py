"""What the statistics page measures on the samples of the gallery, whose records it has read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from factory.core.actions import Drag, Swipe, Type, point_names
from factory.core.geometry import Box
from factory.core.reward import verdict
from factory.gallery import charts
from factory.gallery.charts import Chart
from factory.gallery.overlay import LAYERS, layer_of
from factory.gallery.shown import Shown

CANDIDATES = 24
"""Constant answers tried for the position prior."""

NEAR_BITS = 6
"""Perceptual hashes this close (of 64 bits) are worth a look side by side."""

LISTED_PAIRS = 60

MOST_BARS = 12
"""Values that take at most so many forms are counted one by one."""


class Answer(NamedTuple):
    """What is needed of a sample to try another's answer on it."""

    key: str
    payload: str
    response: str


@dataclass
class Measures:
    """Values of the samples read so far."""

    values: dict[str, list[Any]] = field(default_factory=dict)
    travels: list[float] = field(default_factory=list)
    counts: list[float] = field(default_factory=list)
    centres: list[tuple[float, float]] = field(default_factory=list)
    areas: dict[str, list[float]] = field(default_factory=dict)
    lengths: dict[str, list[float]] = field(default_factory=dict)
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    hashes: list[tuple[str, int]] = field(default_factory=list)

    def add(self, shown: Shown) -> None:
        """Measure a sample."""
        width, height = shown.flat.width, shown.flat.height
        for name, value in _state_values(shown.record.state):
            self.values.setdefault(f"{shown.record.type}: {name}", []).append(value)
        self.counts.append(len(shown.actions))
        for action in shown.actions:
            if isinstance(action, Drag | Swipe):
                self.travels.append(1000 * (action.end[0] - action.start[0]) / width)
            for name in point_names(type(action))[-1:]:
                x, y = getattr(action, name)
                self.centres.append((x / width, y / height))
        for region in shown.record.regions:
            box, layer = Box(*region.box), LAYERS[layer_of(region)]
            share = 100 * box.width * box.height / (width * height)
            self.areas.setdefault(layer, []).append(share)
        for name, text in _texts(shown):
            self.lengths.setdefault(name, []).append(len(text))
        answer = Answer(shown.record.key, shown.flat.payload, shown.flat.response)
        self.answers.setdefault(shown.record.type, []).append(answer)
        if shown.row["phash"]:
            self.hashes.append((shown.record.key, shown.row["phash"]))

    def charts(self) -> Iterator[Chart]:
        """Everything as charts."""
        for name, values in sorted(self.values.items()):
            yield from _value_charts(name, values)
        if self.travels:
            yield charts.histogram(
                "Drag travel in x", self.travels, limits=(-1000, 1000), unit=" units"
            )
        if len(set(self.counts)) > 1:
            yield charts.histogram("Actions in an answer", self.counts, bins=12)
        for name, values in sorted(self.areas.items()):
            yield charts.histogram(f"Area, {name.lower()}", values, unit=" % of the picture")
        for name, values in sorted(self.lengths.items()):
            yield charts.histogram(f"Text length, {name}", values, unit=" chars")

    def centre_map(self) -> Chart:
        """Where the last point of each gold action lies."""
        note = f"{len(self.centres)} end points, as shares of the picture"
        return charts.heat("Target centres", self.centres, cells=20, note=note)

    def priors(self) -> list[tuple[str, float, str, int]]:
        """``(class, share, key, n)``: the most samples that one constant answer solves."""
        return [(name, *_best_constant(held)) for name, held in sorted(self.answers.items())]

    def near_pairs(self) -> list[tuple[str, str, int]]:
        """Pairs of samples that look alike by perceptual hash, nearest first."""
        values = np.array([value for _, value in self.hashes], np.uint64)
        pairs: list[tuple[str, str, int]] = []
        for place, (key, value) in enumerate(self.hashes):
            apart = np.bitwise_count(values[place + 1 :] ^ np.uint64(value))
            for other in np.flatnonzero(apart <= NEAR_BITS):
                pairs.append((key, self.hashes[place + 1 + int(other)][0], int(apart[other])))
        return sorted(pairs, key=lambda pair: (pair[2], pair[0], pair[1]))[:LISTED_PAIRS]


def _texts(shown: Shown) -> Iterable[tuple[str, str]]:
    typed = "".join(act.content for act in shown.actions if isinstance(act, Type))
    yield "prompt", shown.flat.prompt
    yield "goal", shown.task.goal
    yield "response", shown.flat.response
    if typed:
        yield "typed answer", typed


def _state_values(state: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The state's own scalars: what the class drew, the answer's values among them."""
    for name, value in state.items():
        if isinstance(value, str | bool | int | float):
            yield name, value


def _value_charts(name: str, values: Sequence[Any]) -> Iterator[Chart]:
    """A histogram of numbers, bars of words; nothing for what hardly repeats or never varies."""
    counts = Counter(map(str, values))
    if len(counts) < 2:
        return
    if len(counts) <= MOST_BARS:
        yield charts.rows(name, dict(sorted(counts.items())))
    elif not any(isinstance(value, str) for value in values):
        yield charts.histogram(name, [float(value) for value in values], bins=24)


def _best_constant(held: Sequence[Answer]) -> tuple[float, str, int]:
    """Tries the answers of a few samples on all others; the share that the best one solves."""
    tried = held[:: max(1, len(held) // CANDIDATES)]
    shares = []
    for candidate in tried:
        others = [other for other in held if other.key != candidate.key]
        solved = sum(verdict(other.payload, candidate.response).passed for other in others)
        shares.append((solved / max(1, len(others)), candidate.key, len(others)))
    return max(shares, default=(0.0, "", 0))
