"""A run folder is compared with its manifest and its sums, and never written to."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import orjson
import pytest
from shard_samples import write_shard

from exporters.problems import Code
from exporters.run_check import inspect_run_files, manifest_shards
from exporters.sums import write_sums
from factory.core.errors import SchemaMismatch

Manifest = dict[str, object]


def make_run(run: Path) -> Manifest:
    """Three training shards and one validation shard of three samples each."""
    infos = [
        write_shard(run, f"train/rotate-train-{number:06d}.tar", range(number * 3, number * 3 + 3))
        for number in range(3)
    ]
    infos.append(write_shard(run, "val/rotate-val-000000.tar", range(3), split="val"))
    manifest: Manifest = {"shards": [dataclasses.asdict(info) for info in infos]}
    data = orjson.dumps(manifest)
    (run / "manifest.json").write_bytes(data)
    write_sums(run, {info.name: info.sha256 for info in infos})
    return manifest


def codes(run: Path, manifest: Manifest) -> set[Code]:
    return {problem.code for problem in inspect_run_files(run, manifest)}


def test_a_good_run_has_no_problems(tmp_path):
    assert inspect_run_files(tmp_path, make_run(tmp_path)) == []


def test_a_partial_is_named_by_its_path(tmp_path):
    manifest = make_run(tmp_path)
    (tmp_path / "train/rotate-train-000003.tar.partial").write_bytes(b"x")
    (problem,) = inspect_run_files(tmp_path, manifest)
    assert problem.code is Code.PARTIAL_FILE
    assert problem.shard == "train/rotate-train-000003.tar.partial"


def test_a_missing_shard_is_named(tmp_path):
    manifest = make_run(tmp_path)
    (tmp_path / "train/rotate-train-000002.tar").unlink()
    assert codes(tmp_path, manifest) == {Code.SHARD_MISSING, Code.SUMS_ABSENT_FILE}


def test_a_shard_that_nobody_names_is_named(tmp_path):
    manifest = make_run(tmp_path)
    write_shard(tmp_path, "train/rotate-train-000003.tar", range(9, 12))
    assert codes(tmp_path, manifest) == {Code.SHARD_UNKNOWN, Code.SUMS_NOT_LISTED}


def test_a_gap_in_the_numbers_is_named_with_the_number(tmp_path):
    manifest = make_run(tmp_path)
    manifest["shards"] = [
        s for s in manifest["shards"] if not s["name"].endswith("train-000001.tar")
    ]
    (tmp_path / "train/rotate-train-000001.tar").unlink()
    problems = [p for p in inspect_run_files(tmp_path, manifest) if p.code is Code.SHARD_GAP]
    assert [problem.message for problem in problems] == ["1 missing: 000001"]


def test_a_series_that_does_not_begin_at_zero_has_a_gap(tmp_path):
    info = write_shard(tmp_path, "train/rotate-train-000001.tar", range(3))
    write_sums(tmp_path, {})
    assert codes(tmp_path, {"shards": [dataclasses.asdict(info)]}) == {Code.SHARD_GAP}


def copy_shard(run: Path, manifest: Manifest, source: str, target: str) -> None:
    shutil.copy(run / source, run / target)
    entry = next(s for s in manifest["shards"] if s["name"] == source)
    manifest["shards"].append({**entry, "name": target})
    write_sums(run, {})


def test_a_key_in_two_shards_is_named_with_both(tmp_path):
    manifest = make_run(tmp_path)
    first, copy = "train/rotate-train-000000.tar", "train/rotate-train-000003.tar"
    copy_shard(tmp_path, manifest, first, copy)
    problems = inspect_run_files(tmp_path, manifest)
    assert {problem.code for problem in problems} == {Code.KEY_IN_TWO_SHARDS}
    assert len(problems) == 3
    assert {(p.shard, p.message) for p in problems} == {(copy, f"also in {first}")}


def test_a_key_in_two_splits_is_worse_and_has_its_own_name(tmp_path):
    manifest = make_run(tmp_path)
    copy_shard(tmp_path, manifest, "train/rotate-train-000000.tar", "val/rotate-val-000001.tar")
    assert codes(tmp_path, manifest) == {Code.KEY_IN_TWO_SPLITS}


def test_a_changed_small_file_is_named(tmp_path):
    manifest = make_run(tmp_path)
    (tmp_path / "manifest.json").write_bytes(b"{}")
    assert codes(tmp_path, manifest) == {Code.SUMS_MISMATCH}


def test_a_cut_shard_does_not_stop_the_check(tmp_path):
    manifest = make_run(tmp_path)
    shard = tmp_path / "train/rotate-train-000001.tar"
    shard.write_bytes(shard.read_bytes()[:700])
    assert codes(tmp_path, manifest) == set()


def test_checking_writes_nothing_into_the_folder(tmp_path):
    manifest = make_run(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    inspect_run_files(tmp_path, manifest)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize(
    "manifest",
    [
        {},
        {"shards": {}},
        {"shards": [{"name": "a.tar"}]},
        {"shards": [{"name": "../a.tar", "sha256": "", "bytes": 0, "samples": 0}]},
        {"shards": [{"name": "/a.tar", "sha256": "", "bytes": 0, "samples": 0}]},
        {"shards": [{"name": "a.tar", "sha256": "", "bytes": "0", "samples": 0}]},
    ],
)
def test_a_manifest_of_another_shape_is_refused(manifest):
    with pytest.raises(SchemaMismatch):
        manifest_shards(manifest)
