"""A run as it lies on disk, whole or torn: what can be read is read, the rest is named.

Nothing is written into the folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from exporters import journal
from exporters.durable import PARTIAL
from exporters.parquet import read_manifest
from exporters.run_check import manifest_shards
from exporters.shard_reader import TarFault, iter_samples, shard_keys
from exporters.shards import ShardInfo
from factory.core import record as records
from factory.core.errors import FactoryError, InvalidOptions, SchemaMismatch, ShardCorrupt

Row = Mapping[str, Any]
"""A row of the manifest, or what a shard tells of one where there is no manifest."""


@dataclass
class RunFolder:
    """A run folder. ``warnings`` say what is torn; reading rows and samples may add to them."""

    path: Path
    manifest: Mapping[str, Any] = field(default_factory=dict)
    shards: list[ShardInfo] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Look at a folder; ``InvalidOptions`` when it is no run at all."""
        if not path.is_dir():
            raise InvalidOptions(f"{path} is not a folder; give the --out of a run")
        run = cls(path)
        marks = (path / name for name in ("manifest.json", "request.json"))
        if not any(mark.is_file() for mark in marks) and not run.tars():
            raise InvalidOptions(
                f"{path} is not a run: no manifest.json, no request.json and no shard in it; "
                "give the --out of `factory gen`"
            )
        run._read_manifest()
        run._inspect_shards()
        return run

    @property
    def complete(self) -> bool:
        """Whether the run has its manifest, which is written last."""
        return bool(self.manifest)

    def tars(self) -> list[str]:
        """The shards that are there, as paths below the run, in order."""
        found = (file.relative_to(self.path).as_posix() for file in self.path.rglob("*.tar"))
        return sorted(name for name in found if not name.startswith("parts/"))

    def json(self, name: str) -> dict[str, Any]:
        """A JSON object of the run; empty, with a warning where it is damaged, if it has none."""
        path = self.path / name
        if not path.is_file():
            return {}
        try:
            value = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError as error:
            self.warn(f"{name} is not JSON: {error}")
            return {}
        return value if isinstance(value, dict) else {}

    def warn(self, text: str) -> None:
        """Note something that is wrong, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def journalled(self) -> list[dict[str, object]]:
        """The lines of the journal that say that a shard is done."""
        try:
            lines = journal.read(self.path)
        except ShardCorrupt as error:
            self.warn(str(error))
            return []
        return [line for line in lines if line.get("event") == "shard"]

    def rows(self) -> Iterator[Row]:
        """Rows of the samples whose bytes are there, from the manifest or else from the shards."""
        sizes = {name: (self.path / name).stat().st_size for name in self.tars()}
        table = self.path / "manifest.parquet"
        if table.is_file():
            try:
                for batch in read_manifest(table):
                    rows = batch.to_pylist()
                    yield from (row for row in rows if _is_there(row, sizes))
                return
            except (SchemaMismatch, pa.ArrowException, OSError) as error:
                self.warn(f"manifest.parquet cannot be read, the shards are: {error}")
        for name in sizes:
            yield from self._rows_of(name)

    def _rows_of(self, name: str) -> Iterator[Row]:
        """Rows of a shard: those that wait beside it, or what its records say."""
        shard = Path(name)
        beside = self.json(f"parts/{shard.stem}.{shard.parent.name}.json").get("rows")
        if beside:
            yield from ({**row, "duplicate_of": ""} for row in beside)
            return
        try:
            for key, parts, offset in iter_samples(self.path / name):
                yield _row_from(key, parts, name, offset)
        except FactoryError as error:
            self.warn(f"{name}: {error}")

    def _read_manifest(self) -> None:
        if not (self.path / "manifest.json").is_file():
            done = len(self.journalled())
            self.warn(
                f"The run is not complete: no manifest.json, {done} shards in its journal. "
                "`factory gen ... --resume` completes it."
            )
            return
        self.manifest = self.json("manifest.json")
        try:
            self.shards = manifest_shards(self.manifest)
        except SchemaMismatch as error:
            self.warn(str(error))

    def _inspect_shards(self) -> None:
        """Name shards that are missing, unknown, cut or unpublished; digests are verify's part."""
        there = self.tars()
        for info in self.shards:
            if info.name not in there:
                self.warn(f"{info.name} is missing; the manifest says {info.samples} samples")
            elif (size := (self.path / info.name).stat().st_size) != info.bytes:
                self.warn(self._fault_of(info, size))
        if self.shards:
            known = {info.name for info in self.shards}
            for name in sorted(set(there) - known):
                self.warn(f"{name} is there and the manifest does not name it")
        for path in sorted(self.path.rglob(f"*{PARTIAL}")):
            self.warn(f"{path.relative_to(self.path).as_posix()} was never published")

    def _fault_of(self, info: ShardInfo, size: int) -> str:
        told = f"{info.name} has {size:,} bytes, the manifest says {info.bytes:,}"
        try:
            for _ in shard_keys(self.path / info.name):
                pass
        except TarFault as fault:
            return f"{told}: {fault.code}, {fault.code.meaning}"
        return told


def _is_there(row: Row, sizes: Mapping[str, int]) -> bool:
    return row["offset"] + row["nbytes"] <= sizes.get(row["shard"], 0)


def _row_from(key: str, parts: Mapping[str, bytes], shard: str, offset: int) -> Row:
    """What the manifest would say of a sample, as far as its record tells."""
    flat = records.decode(parts.get("json", b"{}"))
    record = records.record_of(flat)
    tags = dict(tag.split(":", 1) for tag in record.tags if ":" in tag)
    kinds = [type(action).__name__ for step in record.tasks[0].steps for action in step.actions]
    pictures = (parts.get(observation.part, b"") for observation in record.observations)
    shared = ("type", "family", "split", "lang", "theme", "context", "difficulty", "fingerprint")
    return {
        **{name: getattr(record, name) for name in shared},
        "key": key, "width": flat.width, "height": flat.height, "dpr": flat.dpr,
        "answer_kind": "+".join(dict.fromkeys(kinds)),
        "instruction_mode": record.tasks[0].instruction_mode,
        "image_bytes": sum(map(len, pictures)), "phash": 0, "duplicate_of": "",
        "shard": shard, "offset": offset, "nbytes": sum(map(len, parts.values())),
        "attempts": record.attempts, "picture": tags.get("picture", ""), "flags": "{}",
    }  # fmt: skip
