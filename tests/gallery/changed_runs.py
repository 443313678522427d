"""Runs made of changed samples: what no generator writes, or not yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import orjson

from exporters.shard_reader import iter_samples
from exporters.shards import ShardWriter
from factory.core import record as records
from factory.core.record import FlatRecord, Record

Parts = dict[str, bytes]
Change = Callable[[FlatRecord, Record, Parts], tuple[FlatRecord, Record, Parts]]


def first_sample(run: Path) -> tuple[str, Parts]:
    """The key and parts of a run's first sample."""
    shard = min(run.rglob("*.tar"))
    key, parts, _ = next(iter_samples(shard))
    return key, parts


def changed_run(source: Path, out: Path, change: Change) -> Path:
    """A folder with one shard of one sample, changed, and nothing else of a run."""
    key, parts = first_sample(source)
    flat = records.decode(parts["json"])
    flat, record, parts = change(flat, records.record_of(flat), parts)
    again = records.flatten(record, response=flat.response)
    again = msgspec.structs.replace(again, prompt=flat.prompt)
    name = "train/rotate-train-000000.tar"
    (out / "train").mkdir(parents=True)
    with ShardWriter(out / name, name=name) as writer:
        writer.add(key, {**parts, "json": records.encode(again)})
        writer.close()
    return out


def solved_in_two_looks(
    flat: FlatRecord, record: Record, parts: Parts
) -> tuple[FlatRecord, Record, Parts]:
    """The sample as an episode of two observations with a drag on each."""
    kind, task = record.observations[0].part, record.tasks[0]
    looks = tuple(
        msgspec.structs.replace(record.observations[0], part=f"i{place:02d}.{kind}")
        for place in range(2)
    )
    steps = tuple(msgspec.structs.replace(task.steps[0], observation=place) for place in range(2))
    picture = parts[kind]
    pictures = {look.part: picture for look in looks}
    rest = {name: data for name, data in parts.items() if name != kind}
    tasks = (msgspec.structs.replace(task, steps=steps),)
    return flat, msgspec.structs.replace(record, observations=looks, tasks=tasks), rest | pictures


def payload_of(run: Path, key: str) -> dict[str, object]:
    """The payload of a sample of a run."""
    for shard in sorted(run.rglob("*.tar")):
        for found, parts, _ in iter_samples(shard):
            if found == key:
                return orjson.loads(records.decode(parts["json"]).payload)
    raise LookupError(key)
