"""Counts over a run: classes, mixture, sizes, answers; streamed, so memory stays flat."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from exporters.parquet import read_manifest
from factory.core.errors import ShardCorrupt

COUNTED = (
    "type", "split", "lang", "theme", "context", "instruction_mode", "picture", "answer_kind",
)  # fmt: skip
BANDS = 5


class Tally:
    """Sums over manifest rows."""

    def __init__(self) -> None:
        self.samples = 0
        self.image_bytes = 0
        self.attempts: Counter[int] = Counter()
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTED}
        self.canvas: Counter[str] = Counter()
        self.difficulty: Counter[str] = Counter()
        self.plates: set[str] = set()

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one manifest row."""
        self.samples += 1
        self.image_bytes += row["image_bytes"]
        self.attempts[row["attempts"]] += 1
        for name, counter in self.counts.items():
            counter[row[name]] += 1
        self.canvas[f"{row['width']}x{row['height']}@{row['dpr']:g}"] += 1
        band = min(BANDS - 1, math.floor(row["difficulty"] * BANDS))
        self.difficulty[f"{band / BANDS:.1f}-{(band + 1) / BANDS:.1f}"] += 1
        plates = orjson.loads(row["flags"]).get("plate")
        if plates:
            self.plates.update(plates.split("+"))

    def attempts_quantile(self, share: float) -> int:
        """The number of attempts that ``share`` of the samples needed at most."""
        left = share * self.samples
        for attempts, count in sorted(self.attempts.items()):
            left -= count
            if left <= 0:
                return attempts
        return 0

    def summary(self) -> dict[str, Any]:
        """JSON-able counts with names in a fixed order."""
        return {
            "samples": self.samples,
            "image_bytes": self.image_bytes,
            "attempts_p50": self.attempts_quantile(0.5),
            "attempts_p99": self.attempts_quantile(0.99),
            "attempts_max": max(self.attempts, default=0),
            "canvas": dict(sorted(self.canvas.items())),
            "difficulty": dict(sorted(self.difficulty.items())),
            **{name: dict(sorted(counter.items())) for name, counter in self.counts.items()},
        }


def run_stats(run: Path) -> dict[str, Any]:
    """``stats.json`` of a finished run."""
    path = run / "stats.json"
    if not path.is_file():
        raise ShardCorrupt(f"{run} has no stats.json: the run is not complete, --resume it")
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise ShardCorrupt(f"{path} is not JSON ({error}); `factory verify` says more") from error


def rows(run: Path, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Manifest rows of a finished run."""
    for batch in read_manifest(run / "manifest.parquet", columns):
        yield from batch.to_pylist()
