"""The manifest has one schema, fixed bytes, and the usual query engines read it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shard_samples import key_of

from exporters.parquet import SCHEMA, duplicates, read_manifest, write_manifest
from factory.core.errors import SchemaMismatch


def rows(start: int, count: int) -> dict[str, list[object]]:
    """Columns of ``count`` samples of one shard."""
    values = {pa.string(): "x", pa.float64(): 0.25, pa.int32(): 7, pa.int64(): 8, pa.uint64(): 9}
    columns: dict[str, list[object]] = {f.name: [values[f.type]] * count for f in SCHEMA}
    columns["key"] = [key_of(start + index) for index in range(count)]
    columns["phash"] = [2**64 - 1 - index for index in range(count)]
    columns["shard"] = [f"train/rotate-train-{start // max(count, 1):06d}.tar"] * count
    return columns


def shards(count: int, size: int) -> Iterator[dict[str, list[object]]]:
    return (rows(number * size, size) for number in range(count))


def test_duckdb_and_polars_read_every_row_and_type(tmp_path):
    path = tmp_path / "manifest.parquet"
    assert write_manifest(path, shards(3, 100)) == 300
    total, keys, largest = duckdb.sql(
        f"select count(*), count(distinct key), max(phash) from '{path}'"
    ).fetchall()[0]
    assert (total, keys, largest) == (300, 300, 2**64 - 1)
    frame = pl.read_parquet(path)
    assert frame.shape == (300, len(SCHEMA))
    assert frame.schema["phash"] == pl.UInt64
    assert frame.group_by("shard").len()["len"].to_list() == [100, 100, 100]


def test_a_row_group_is_a_shard_so_that_memory_stays_flat(tmp_path):
    write_manifest(tmp_path / "m.parquet", shards(4, 50))
    meta = pq.read_metadata(tmp_path / "m.parquet")
    assert [meta.row_group(i).num_rows for i in range(meta.num_row_groups)] == [50] * 4
    assert meta.row_group(0).column(0).compression == "ZSTD"


def test_the_same_rows_give_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_manifest(tmp_path / name, shards(3, 40))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_columns_can_be_read_alone_and_in_batches(tmp_path):
    write_manifest(tmp_path / "m.parquet", shards(3, 40))
    batches = list(read_manifest(tmp_path / "m.parquet", ["key", "offset"]))
    assert batches[0].schema.names == ["key", "offset"]
    keys = [key for batch in batches for key in batch.column("key").to_pylist()]
    assert keys == [key_of(index) for index in range(120)]
    assert next(read_manifest(tmp_path / "m.parquet")).schema.names == SCHEMA.names


def test_a_manifest_of_no_rows_has_the_schema(tmp_path):
    assert write_manifest(tmp_path / "m.parquet", [rows(0, 0)]) == 0
    assert pl.read_parquet(tmp_path / "m.parquet").columns == SCHEMA.names
    assert list(read_manifest(tmp_path / "m.parquet")) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": [1, 1]}, "extra"),
        ({"key": ["a"]}, "lengths"),
        ({"width": ["a", "b"]}, "width"),
        ({"phash": [-1, 0]}, "phash"),
        ({"width": [2**31, 0]}, "width"),
        ({"lang": [None, "en"]}, "null"),
        ({"width": [1.5, 2]}, "width"),
        ({"width": ["7", "8"]}, "width"),
        ({"lang": [1, 2]}, "lang"),
        ({"flags": [{}, {}]}, "flags"),
    ],
)
def test_rows_of_another_shape_are_refused_and_nothing_is_left(tmp_path, change, message):
    with pytest.raises(SchemaMismatch, match=message):
        write_manifest(tmp_path / "m.parquet", [{**rows(0, 2), **change}])
    assert list(tmp_path.iterdir()) == []


def test_a_missing_column_is_refused_by_name(tmp_path):
    columns = rows(0, 2)
    del columns["flags"]
    with pytest.raises(SchemaMismatch, match="flags"):
        write_manifest(tmp_path / "m.parquet", [columns])


def test_a_table_of_another_version_is_refused(tmp_path):
    pq.write_table(pa.table({"key": ["a"]}), tmp_path / "m.parquet")
    with pytest.raises(SchemaMismatch, match="other columns"):
        next(read_manifest(tmp_path / "m.parquet"))
    (tmp_path / "m.parquet").write_bytes(b"no parquet at all")
    with pytest.raises(SchemaMismatch, match="not a parquet file"):
        next(read_manifest(tmp_path / "m.parquet"))


@settings(max_examples=25, deadline=None)
@given(marks=st.lists(st.sampled_from("abcdef"), max_size=30), seed=st.randoms())
def test_each_duplicate_points_to_the_first_key_of_its_fingerprint(marks, seed):
    pairs = [(mark, key_of(index)) for index, mark in enumerate(marks)]
    first: dict[str, str] = {}
    for mark, key in pairs:
        first.setdefault(mark, key)
    shuffled = seed.sample(pairs, len(pairs))
    found = duplicates([shuffled[:7], shuffled[7:]])
    assert found == {key: first[mark] for mark, key in pairs if key != first[mark]}
    assert list(found) == sorted(found)


def test_finding_duplicates_among_many_takes_little_memory():
    def pairs() -> Iterator[list[tuple[str, str]]]:
        for start in range(0, 100_000, 10_000):
            indices = range(start, start + 10_000)
            yield [(f"{index % 99_990:032x}", key_of(index)) for index in indices]

    tracemalloc.start()
    try:
        found = duplicates(pairs())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == {key_of(99_990 + index): key_of(index) for index in range(10)}
    # 8 MB of file buffers and 3 MB of one batch; all pairs in a dict would be 20 MB.
    assert peak < 14e6
