"""The readers that trainers use see every sample, part and value of our shards."""

from __future__ import annotations

from pathlib import Path

import datasets
import orjson
import pytest
import webdataset as wds
from shard_samples import fields_of, key_of, picture, write_shard

from exporters.shards import ShardWriter, shard_name

SHARDS, SIZE = 2, 7


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    for number in range(SHARDS):
        name = shard_name("train", "", "rotate", number)
        write_shard(folder, name, range(number * SIZE, number * SIZE + SIZE))
    return folder


def load(paths: str, tmp_path: Path) -> datasets.Dataset:
    return datasets.load_dataset(
        "webdataset", data_files={"train": paths}, split="train", cache_dir=str(tmp_path / "cache")
    )


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """No reader may ask the hub; the switch is read from the environment and from a constant."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


def test_webdataset_reads_pictures_text_and_json_over_a_brace_range(run):
    url = str(run / "train" / "rotate-train-{000000..000001}.tar")
    samples = list(wds.WebDataset(url, shardshuffle=False).decode("pil"))
    assert [sample["__key__"] for sample in samples] == [key_of(i) for i in range(SHARDS * SIZE)]
    for index, sample in enumerate(samples):
        assert sample["json"] == fields_of(key_of(index), index)
        assert sample["png"].size == (16, 12)
        assert sample["txt"] == f"Turn picture {index} upright.\n"


def test_hugging_face_reads_pictures_text_and_typed_columns(run, tmp_path):
    table = load(str(run / "train" / "*.tar"), tmp_path)
    assert len(table) == SHARDS * SIZE
    assert set(table.column_names) == {"__key__", "__url__", "json", "png", "txt"}
    assert isinstance(table.features["png"], datasets.Image)
    kinds = {name: feature.dtype for name, feature in table.features["json"].items()}
    assert kinds == {
        "key": "string",
        "type": "string",
        "difficulty": "float64",
        "width": "int64",
        "mirrored": "bool",
        "payload": "string",
    }
    for index, row in enumerate(sorted(table, key=lambda row: row["__key__"])):
        assert row["json"] == fields_of(key_of(index), index)
        assert row["png"].size == (16, 12)


def test_both_readers_see_every_frame_of_a_multi_image_group(tmp_path):
    name = shard_name("train", "i04", "video", 0)
    with ShardWriter(tmp_path / name, name=name) as shard:
        for index in range(6):
            frames = {f"i{f:02d}.jpg": picture(index + f, kind="JPEG") for f in range(4)}
            fields = orjson.dumps({"key": f"v-{index}"})
            shard.add(f"v-{index}", {**frames, "json": fields, "txt": b"Wait."})
    frames = [f"i{f:02d}.jpg" for f in range(4)]
    url = str(tmp_path / name)
    for sample in wds.WebDataset(url, shardshuffle=False).decode("pil"):
        assert [sample[frame].size for frame in frames] == [(16, 12)] * 4
    table = load(url, tmp_path)
    assert len(table) == 6
    assert all(isinstance(table.features[frame], datasets.Image) for frame in frames)
