"""Which shards a source names: those of a complete manifest, and no others."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path, PurePosixPath

import orjson

from exporters.run_check import manifest_shards
from exporters.shards import ShardInfo
from factory.core.errors import InvalidOptions, SchemaMismatch, ShardCorrupt
from training.config import DataConfig, SourceConfig

MANIFEST = "manifest.json"
_SHARD = re.compile(r"(?P<type>.+)-(?P<split>train|val|test)-[0-9]{6}\.tar")


@dataclass(frozen=True)
class Source:
    """The shards of a source in the order of the manifest, and the manifest's digest."""

    config: SourceConfig
    shards: tuple[ShardInfo, ...]
    digest: str

    @property
    def samples(self) -> int:
        """Samples as the manifest counts them; pages give several examples each."""
        return sum(info.samples for info in self.shards)

    def path(self, info: ShardInfo) -> Path:
        """Where a shard lies; ``ShardCorrupt`` unless it is there and as long as it should be."""
        path = self.config.run / info.name
        try:
            nbytes = path.stat().st_size
        except OSError:
            raise ShardCorrupt(
                f"{path} is in the manifest and not on the disk; run `factory verify`"
            ) from None
        if nbytes != info.bytes:
            raise ShardCorrupt(
                f"{path} has {nbytes} bytes and the manifest says {info.bytes}; "
                "run `factory verify`"
            )
        return path


def open_source(config: SourceConfig) -> Source:
    """The source of a run; ``InvalidOptions`` when the run is not complete or nothing matches."""
    path = config.run / MANIFEST
    if not path.is_file():
        what = "is not complete" if config.run.is_dir() else "is not there"
        raise InvalidOptions(
            f"the run {config.run} {what}: it has no {MANIFEST}; "
            "`factory gen ... --resume` completes a run"
        )
    data = path.read_bytes()
    try:
        manifest = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise SchemaMismatch(f"{path} is not JSON: {error}") from error
    named = manifest_shards(manifest)
    shards = tuple(info for info in named if _matches(info, config))
    if not shards:
        kinds = sorted({f"{_named(one)['type']} ({_named(one)['split']})" for one in named})
        raise InvalidOptions(
            f"{config.run} has no shard for split {config.split}"
            f"{' and types ' + ', '.join(config.types) if config.types else ''}; "
            f"it has {', '.join(kinds)}"
        )
    return Source(config, shards, blake2b(data, digest_size=16).hexdigest())


def _named(info: ShardInfo) -> dict[str, str]:
    """The type and split in a shard's name."""
    found = _SHARD.fullmatch(PurePosixPath(info.name).name)
    if found is None:
        raise SchemaMismatch(f"the shard {info.name} is not named TYPE-SPLIT-NUMBER.tar")
    return found.groupdict()


def shard_type(info: ShardInfo) -> str:
    """The class of the samples in a shard."""
    return _named(info)["type"]


def _matches(info: ShardInfo, config: SourceConfig) -> bool:
    named = _named(info)
    types = config.types
    return named["split"] == config.split and (not types or named["type"] in types)


def open_sources(data: DataConfig) -> tuple[Source, ...]:
    """All sources of a config."""
    return tuple(open_source(config) for config in data.sources)


def static_steps(sources: Sequence[Source], epochs: float, batch: int) -> int:
    """Steps for so many passes with ``batch`` samples a step over all processes together.

    Taken from the manifests alone, so every process has the same number, whatever shards it
    reads, and none waits for another.
    """
    return max(1, math.ceil(epochs * sum(source.samples for source in sources) / batch))


def digests(sources: Sequence[Source]) -> list[dict[str, str | int]]:
    """What the sources were, for the run folder of a stage."""
    return [
        {
            "run": str(source.config.run),
            "split": source.config.split,
            "manifest": source.digest,
            "shards": len(source.shards),
            "samples": source.samples,
        }
        for source in sources
    ]
