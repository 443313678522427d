"""One shard: its samples made, written, and its manifest rows put beside it.

The rows of a shard wait in ``parts/`` until the run is finished; the shard is
published last, so a shard that exists has its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from exporters.durable import write_whole
from exporters.shards import ShardWriter, shard_name
from factory.core.errors import AttemptsExhausted, Rejected, VerificationFailed
from factory.engine.made import Made
from factory.engine.workshop import Workshop

COUNT_EVERY = 16
"""Samples between two reports of progress."""


@dataclass(frozen=True)
class ShardPlan:
    """``count`` indices of a class's split from ``first`` on, ``step`` apart, in a shard."""

    type: str
    split: str
    number: int
    first: int
    count: int

    group: str = ""
    """The shard group of samples with several pictures, ``i04`` for four."""

    step: int = 1
    """How many forms of samples the class has, which take turns and have shards of their own."""

    @property
    def indices(self) -> range:
        """The indices of its samples."""
        return range(self.first, self.first + self.count * self.step, self.step)

    @property
    def name(self) -> str:
        """The shard's path below the run."""
        return shard_name(self.split, self.group, self.type, self.number)

    def rows_path(self, out: Path) -> Path:
        """Where its rows wait."""
        return out / "parts" / (Path(self.name).stem + f".{self.group or self.split}.json")


def make_shard(
    workshop: Workshop, plan: ShardPlan, out: Path, count: Callable[[int, int, int], None]
) -> dict[str, Any]:
    """Write the shard; returns its journal line. ``count`` hears (made, drawn, bytes)."""
    name = plan.name
    rows: list[orjson.Fragment] = []
    rejected: list[dict[str, Any]] = []
    quarantined: list[dict[str, Any]] = []
    holes: list[str] = []
    last_failure: AttemptsExhausted | VerificationFailed | None = None
    drawn = nbytes = 0
    with ShardWriter(out / name, name=name) as writer:
        keys = [workshop.key(plan.split, index) for index in plan.indices]
        for key, made in zip(keys, workshop.make(keys), strict=True):
            if isinstance(made, AttemptsExhausted):
                last_failure = made
                holes.append(str(key))
                drawn += sum(made.reasons.values())
                rejected += [
                    {"key": str(key), "reason": reason, "value": -1.0, "limit": float(times)}
                    for reason, times in sorted(made.reasons.items())
                ]
                continue
            if isinstance(made, VerificationFailed):
                last_failure = made
                holes.append(str(key))
                replay = f"{made.replay} --run ."
                quarantined.append({"key": str(key), "error": str(made), "replay": replay})
                continue
            offset, size = writer.add(str(key), made.parts)
            row = {**made.row, "shard": name, "offset": offset, "nbytes": size}
            rows.append(orjson.Fragment(orjson.dumps(row)))
            drawn += made.record.attempts
            nbytes += size
            rejected += [_reject_row(made, reason) for reason in made.rejected]
            if len(rows) % COUNT_EVERY == 0:
                count(len(rows), drawn, nbytes)
        if last_failure is not None and not rows:
            raise last_failure  # nothing at all: the class or the options are broken
        beside = {
            "rows": rows, "rejected": rejected, "quarantined": quarantined,
            "sources": workshop.sources(),
        }  # fmt: skip
        write_whole(plan.rows_path(out), orjson.dumps(beside))
        info = writer.close()
    count(len(rows), drawn, nbytes)
    return {
        "event": "shard",
        "name": info.name,
        "sha256": info.sha256,
        "bytes": info.bytes,
        "samples": info.samples,
        "holes": holes,
        "drawn": drawn,
    }


def _reject_row(made: Made, reason: Rejected) -> dict[str, Any]:
    return {
        "key": str(made.key),
        "reason": reason.reason,
        "value": -1.0 if reason.value is None else float(reason.value),
        "limit": -1.0 if reason.limit is None else float(reason.limit),
    }
