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
        self.attempts_of: dict[str, Counter[int]] = {}
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTED}
        self.canvas: Counter[str] = Counter()
        self.difficulty: Counter[str] = Counter()
        self.plates: set[str] = set()

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one manifest row."""
        self.samples += 1
        self.image_bytes += row["image_bytes"]
        self.attempts[row["attempts"]] += 1
        self.attempts_of.setdefault(row["type"], Counter())[row["attempts"]] += 1
        for name, counter in self.counts.items():
            counter[row[name]] += 1
        self.canvas[f"{row['width']}x{row['height']}@{row['dpr']:g}"] += 1
        band = min(BANDS - 1, math.floor(row["difficulty"] * BANDS))
        self.difficulty[f"{band / BANDS:.1f}-{(band + 1) / BANDS:.1f}"] += 1
        plates = orjson.loads(row["flags"]).get("plate")
        if plates:
            self.plates.update(plates.split("+"))

    def summary(self) -> dict[str, Any]:
        """JSON-able counts with names in a fixed order."""
        return {
            "samples": self.samples,
            "image_bytes": self.image_bytes,
            "attempts_p50": quantile(self.attempts, 0.5),
            "attempts_p99": quantile(self.attempts, 0.99),
            "attempts_max": max(self.attempts, default=0),
            "canvas": dict(sorted(self.canvas.items())),
            "difficulty": dict(sorted(self.difficulty.items())),
            **{name: dict(sorted(counter.items())) for name, counter in self.counts.items()},
            "attempts_by_type": {
                name: attempts_facts(counter) for name, counter in sorted(self.attempts_of.items())
            },
        }


def quantile(counts: Counter[int], share: float) -> int:
    """The least number that ``share`` of those counted do not exceed; 0 of none."""
    left = share * counts.total()
    for number, count in sorted(counts.items()):
        left -= count
        if left <= 0:
            return number
    return 0


def attempts_facts(attempts: Counter[int]) -> dict[str, float]:
    """``p99`` and ``max`` of a class's attempts, and the share of its draws that were refused."""
    drawn = sum(number * count for number, count in attempts.items())
    return {
        "p99": quantile(attempts, 0.99),
        "max": max(attempts),
        "reject_rate": round(1 - attempts.total() / drawn, 4),
    }


def run_stats(run: Path) -> dict[str, Any]:
    """``stats.json`` of a finished run."""
    path = run / "stats.json"
    if not run.is_dir():
        raise ShardCorrupt(f"{run} is not a folder; give the --out of a run")
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
