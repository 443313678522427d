"""manifest.parquet: one row a sample and no pixels, written and read one row group at a time."""

# pyright: basic
# pyarrow ships no types, so strict checking would report every call of it.

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from exporters.durable import ensure_folder, naming_disk_full, partial_path, publish
from exporters.spill import repeated
from factory.core.errors import SchemaMismatch, ShardCorrupt

_TYPES = {
    "key": pa.string(),
    "type": pa.string(),
    "family": pa.string(),
    "split": pa.string(),
    "lang": pa.string(),
    "theme": pa.string(),
    "context": pa.string(),
    "difficulty": pa.float64(),
    "width": pa.int32(),
    "height": pa.int32(),
    "dpr": pa.float64(),
    "answer_kind": pa.string(),
    "instruction_mode": pa.string(),
    "image_bytes": pa.int64(),
    "phash": pa.uint64(),
    "fingerprint": pa.string(),
    "duplicate_of": pa.string(),
    "shard": pa.string(),
    "offset": pa.int64(),
    "nbytes": pa.int64(),
    "attempts": pa.int32(),
    "picture": pa.string(),
    "flags": pa.string(),
}
SCHEMA = pa.schema([pa.field(name, kind, nullable=False) for name, kind in _TYPES.items()])
"""Columns of the manifest. ``width`` and ``height`` are image pixels; ``phash`` is 64 bits;
``fingerprint`` 32 hex digits; ``duplicate_of`` a key or ""; ``shard`` a path below the run;
``offset`` and ``nbytes`` place the sample in it; ``picture`` is the kind of content; ``flags``
a JSON object."""

Columns = Mapping[str, Sequence[object]]


def _batch(columns: Columns) -> pa.RecordBatch:
    """One row group in the fixed schema; ``SchemaMismatch`` for anything it would have to bend."""
    if columns.keys() != _TYPES.keys():
        odd = sorted(columns.keys() ^ _TYPES.keys())
        raise SchemaMismatch(f"the manifest's columns differ from the schema in {', '.join(odd)}")
    arrays = [_array(name, columns[name]) for name in _TYPES]
    lengths = {len(array) for array in arrays}
    if len(lengths) != 1:
        raise SchemaMismatch(f"the manifest's columns have different lengths: {sorted(lengths)}")
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _array(name: str, values: Sequence[object]) -> pa.Array:
    kind = _TYPES[name]
    # Told to make integers, pyarrow 26 cuts 1.5 to 1 without a word.
    if pa.types.is_integer(kind) and any(isinstance(value, float) for value in values):
        raise SchemaMismatch(f"manifest column {name!r} is {kind} and holds a float")
    try:
        array = pa.array(values, type=kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise SchemaMismatch(f"manifest column {name!r} is not {kind}: {error}") from error
    if array.null_count:
        raise SchemaMismatch(f'manifest column {name!r} holds a null; write "" or -1')
    return array


def write_manifest(path: Path, row_batches: Iterable[Columns]) -> int:
    """Write the table, one row group for each batch of columns (a shard); return the rows.

    The bytes depend on the rows, their batches and the version of pyarrow. Published
    whole or not at all; batches without rows are left out.
    """
    ensure_folder(path.parent)
    partial = partial_path(path)
    rows = 0
    try:
        with naming_disk_full(path), partial.open("wb") as file:
            with pq.ParquetWriter(file, SCHEMA, compression="zstd", write_page_index=True) as table:
                for columns in row_batches:
                    batch = _batch(columns)
                    if batch.num_rows:
                        table.write_batch(batch)
                    rows += batch.num_rows
            file.flush()
            os.fsync(file.fileno())
        publish(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return rows


def read_manifest(path: Path, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The table as batches of at most 65,536 rows, all columns or the named ones.

    ``SchemaMismatch`` when the file has another schema or is not parquet, ``ShardCorrupt`` when
    there is none.
    """
    try:
        table = pq.ParquetFile(path)
    except FileNotFoundError as error:
        raise ShardCorrupt(f"{path} is not there; `factory verify` says more") from error
    except pa.ArrowInvalid as error:
        raise SchemaMismatch(f"{path} is not a parquet file: {error}") from error
    with table:
        if not table.schema_arrow.equals(SCHEMA):
            raise SchemaMismatch(
                f"{path} has other columns than this version's manifest; it was written by "
                "another version, or is not a manifest"
            )
        wanted = None if columns is None else list(columns)
        yield from table.iter_batches(columns=wanted)


def duplicates(batches: Iterable[Iterable[tuple[str, str]]]) -> dict[str, str]:
    """Key of each duplicate -> the first key with the same fingerprint, in order of keys.

    ``batches`` yield (fingerprint, key) in any order. Memory grows with the duplicates
    found, not with the samples. ``DiskFull`` when the temporary folder is.
    """
    firsts: dict[str, str] = {}
    pairs = (pair for batch in batches for pair in batch)
    for _, keys in repeated(pairs):
        first, *others = sorted(keys)
        firsts.update(dict.fromkeys(others, first))
    return dict(sorted(firsts.items()))
