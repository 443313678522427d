"""Why draws were refused: from what the run kept, or from its counts of attempts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from factory.gallery.run_folder import RunFolder

LISTED_PER_REASON = 24
"""Draws listed for a reason; the rest are counted."""

UNMEASURED = -1.0
"""What ``rejected.parquet`` holds where a reason has no number."""


@dataclass
class Reason:
    """One reason: its draws, and the range of measured values and of limits."""

    name: str
    count: int = 0
    low: float = float("inf")
    high: float = float("-inf")
    limits: set[float] = field(default_factory=set)
    listed: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, key: str, value: float, limit: float) -> None:
        """Count one refused draw."""
        self.count += 1
        measured = value != UNMEASURED or limit != UNMEASURED
        if measured:
            self.low, self.high = min(self.low, value), max(self.high, value)
            self.limits.add(limit)
        if len(self.listed) < LISTED_PER_REASON:
            number, bound = (f"{value:.5g}", f"{limit:.5g}") if measured else ("", "")
            self.listed.append((key, number, bound))

    @property
    def measured(self) -> str:
        """The range of values."""
        if self.low > self.high:
            return ""
        return f"{self.low:.5g}" if self.low == self.high else f"{self.low:.5g} to {self.high:.5g}"

    @property
    def limit(self) -> str:
        """The limit, or the range of limits where they differ from sample to sample."""
        ends = sorted({min(self.limits), max(self.limits)}) if self.limits else []
        return " to ".join(f"{end:.5g}" for end in ends)


@dataclass(frozen=True)
class Rejects:
    """What the page of rejections shows; ``kept`` is whether the run wrote refused draws down."""

    kept: bool
    reasons: list[Reason]
    quarantined: list[dict[str, Any]]


def rejects_of(run: RunFolder) -> Rejects:
    """Read ``rejected.parquet`` and ``quarantine.jsonl``, where there are such."""
    reasons: dict[str, Reason] = {}
    for row in _refused(run):
        name = str(row["reason"])
        reasons.setdefault(name, Reason(name)).add(row["key"], row["value"], row["limit"])
    ordered = sorted(reasons.values(), key=lambda reason: (-reason.count, reason.name))
    kept = (run.path / "rejected.parquet").is_file()
    return Rejects(kept, ordered, list(_quarantined(run)))


def _refused(run: RunFolder) -> Iterator[dict[str, Any]]:
    path = run.path / "rejected.parquet"
    if not path.is_file():
        return
    try:
        with pq.ParquetFile(path) as table:
            for batch in table.iter_batches():
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        run.warn(f"rejected.parquet cannot be read: {error}")


def _quarantined(run: RunFolder) -> Iterator[dict[str, Any]]:
    path = run.path / "quarantine.jsonl"
    if not path.is_file():
        return
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            yield orjson.loads(line)
        except orjson.JSONDecodeError:
            run.warn(f"quarantine.jsonl, line {number}, is not JSON")
