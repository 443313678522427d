"""Configs of the training stages: whole files are checked, and faults are told by name."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from factory.core.errors import InvalidOptions
from training.config import (
    EvalConfig,
    MergeConfig,
    MopdConfig,
    SftConfig,
    apply_change,
    build_config,
    load_config,
    resolved,
)

SFT = """
out = "out"
[model]
name = "tiny:qwen3-vl"
[[data.sources]]
run = "runs/a"
"""


@pytest.fixture
def sft(tmp_path: Path) -> Path:
    path = tmp_path / "sft.toml"
    path.write_text(SFT)
    return path


def test_a_short_file_is_completed_by_defaults(sft: Path) -> None:
    config = load_config(SftConfig, sft)
    assert config.model.lora is None
    assert config.optim.batch == 4
    assert config.data.sources[0].split == "train"
    assert orjson.loads(resolved(config))["optim"]["lr"] == config.optim.lr


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("optim.learning_rate=1", "optim.learning_rate: there is no such field"),
        ("model.lora.rnk=1", "model.lora.rnk: there is no such field"),
        ("optim.lr=-1", "optim.lr"),
        ("data.sources.0.weight=0", "data.sources.0.weight"),
        ("data.sources.7.weight=1", "there is nothing named 7"),
        ("optim.lr", "is not like optim.lr=1e-4"),
        ("data.episodes=half", "data.episodes"),
    ],
)
def test_a_fault_is_told_by_name(sft: Path, change: str, said: str) -> None:
    with pytest.raises(InvalidOptions, match=said):
        load_config(SftConfig, sft, [change])


def test_changes_win_over_the_file_and_may_be_any_toml(sft: Path) -> None:
    changes = ["optim.lr=1e-4", "data.sources.0.types=['rotate']", "model.name=some/model",
               "model.lora={rank=4}"]  # fmt: skip
    config = load_config(SftConfig, sft, changes)
    assert config.optim.lr == 1e-4
    assert config.data.sources[0].types == ("rotate",)
    assert config.model.name == "some/model"
    assert config.model.lora and config.model.lora.rank == 4


def test_a_change_reaches_entries_of_lists() -> None:
    values = {"data": {"sources": [{"run": "a"}, {"run": "b"}]}}
    apply_change(values, "data.sources.1=c")
    assert values["data"]["sources"][1] == "c"


@pytest.mark.parametrize("text", ["out = ", "out = [", "\x00"])
def test_what_is_no_toml_is_one_clear_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(InvalidOptions, match=r"broken\.toml is not TOML"):
        load_config(SftConfig, path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptions, match="cannot be read"):
        load_config(SftConfig, tmp_path / "none.toml")


def test_parts_that_do_not_fit_are_told() -> None:
    with pytest.raises(InvalidOptions, match="2 weights for 1 models"):
        build_config(MergeConfig, {"out": "o", "models": ["a"], "weights": [1, 2]})
    with pytest.raises(InvalidOptions, match="ties needs `base`"):
        build_config(MergeConfig, {"out": "o", "models": ["a"], "method": "ties"})
    stage = {"out": "o", "model": {"name": "m"}, "data": {"sources": [{"run": "r"}]}}
    with pytest.raises(InvalidOptions, match=r"window 1\.5\.\.2\.0 must hold 1"):
        build_config(MopdConfig, {**stage, "teachers": {"a": "b"}, "window": [1.5, 2.0]})
    with pytest.raises(InvalidOptions, match="one of `model` and `endpoint`"):
        build_config(EvalConfig, {"out": "o", "data": stage["data"]})
