"""A run opens unmodified in the readers that trainers and analysts use."""

from __future__ import annotations

import io

import cv2
import datasets
import duckdb
import numpy as np
import orjson
import polars
import pytest
import webdataset as wds
from PIL import Image
from runs import PER_SHARD, N, key_of

import factory
from exporters.shard_reader import iter_samples

DECODER_LEVELS = 2
"""Levels by which two JPEG decoders may differ."""


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """No reader may ask the hub; the switch is read from the environment and from a constant."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


def test_webdataset_reads_every_sample(small_run):
    url = str(small_run / "train" / f"rotate-train-{{000000..{N // PER_SHARD - 1:06d}}}.tar")
    samples = list(wds.WebDataset(url, shardshuffle=False).decode("pil"))
    assert [sample["__key__"] for sample in samples] == [key_of(small_run, i) for i in range(N)]
    for sample in samples:
        assert sample["jpg"].size == (sample["json"]["width"], sample["json"]["height"])
        assert sample["txt"] == sample["json"]["prompt"]
        assert factory.verdict(sample["json"]["payload"], sample["json"]["response"]).passed


def test_hugging_face_reads_every_sample(small_run, tmp_path):
    table = datasets.load_dataset(
        "webdataset", data_files={"train": str(small_run / "train" / "*.tar")}, split="train",
        cache_dir=str(tmp_path / "cache"),
    )  # fmt: skip
    assert len(table) == N
    assert isinstance(table.features["jpg"], datasets.Image)
    for row in table:
        assert row["jpg"].size == (row["json"]["width"], row["json"]["height"])
        assert row["txt"] == row["json"]["prompt"]
        assert orjson.loads(row["json"]["payload"])["key"] == row["__key__"]


def test_hugging_face_streams_the_folder_by_its_card(small_run):
    table = datasets.load_dataset(str(small_run), split="train", streaming=True)
    assert {row["__key__"] for row in table} == {key_of(small_run, i) for i in range(N)}


def test_duckdb_and_polars_read_the_manifest_alike(small_run):
    path = small_run / "manifest.parquet"
    table = polars.read_parquet(path)
    assert table.height == N and table["key"].n_unique() == N
    query = f"select lang, count(*), sum(image_bytes) from '{path}' group by lang order by lang"
    assert duckdb.sql(query).fetchall() == table.group_by("lang").agg(
        polars.len(), polars.sum("image_bytes")
    ).sort("lang").rows()  # fmt: skip
    assert table.null_count().sum_horizontal().item() == 0


def test_opencv_and_pillow_decode_alike(small_run):
    for shard in sorted((small_run / "train").glob("*.tar")):
        for _, parts, _ in iter_samples(shard):
            ours = cv2.imdecode(np.frombuffer(parts["jpg"], np.uint8), cv2.IMREAD_COLOR)
            theirs = np.asarray(Image.open(io.BytesIO(parts["jpg"])).convert("RGB"))[..., ::-1]
            assert np.abs(ours.astype(int) - theirs.astype(int)).max() <= DECODER_LEVELS
