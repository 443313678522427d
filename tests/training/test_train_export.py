"""Files for other trainers: rows that they read, rewards that are ours, scripts that start them."""

from __future__ import annotations

import io
import runpy
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
from PIL import Image

pytest.importorskip("torch", reason="torch is not installed; run `make train-extra`")

from factory.core.errors import InvalidOptions, RunExists
from tests.training.runs_for_training import examples
from training.config import ExportConfig, build_config
from training.export import IMAGE, export, turns
from training.rewards import score

pytestmark = pytest.mark.train


def config(run: Path, out: Path, to: str, **changes: Any) -> ExportConfig:
    values = {"out": out, "to": to, "model": "some/model", "per_class": 4,
              "data": {"sources": [{"run": run, "domain": "turn"}]}}  # fmt: skip
    return build_config(ExportConfig, {**values, **changes})


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in (folder / "train.jsonl").read_bytes().splitlines()]


class Orm:
    """What ms-swift's plugins derive from."""


@pytest.fixture
def swift(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A stand-in for the part of ms-swift that a plugin sees; returns its table of rewards."""
    package, rewards = ModuleType("swift"), ModuleType("swift.rewards")
    table: dict[str, Any] = {}
    vars(rewards).update(ORM=Orm, orms=table)
    monkeypatch.setitem(sys.modules, "swift", package)
    monkeypatch.setitem(sys.modules, "swift.rewards", rewards)
    return table


class TestSwift:
    def test_rows_have_a_picture_for_each_of_their_marks(
        self, frames_run: Path, tmp_path: Path
    ) -> None:
        export(config(frames_run, tmp_path / "out", "ms-swift"))
        rows, asked = rows_of(tmp_path / "out"), list(examples(frames_run))[:4]
        assert [row["key"] for row in rows] == [one.key for one in asked]
        for row, example in zip(rows, asked, strict=True):
            marks = sum(turn["content"].count(IMAGE) for turn in row["messages"])
            assert marks == len(row["images"]) == len(example.images) > 0
            assert [Path(path).read_bytes() for path in row["images"]] == list(example.images)
            assert all(Image.open(path).format == "JPEG" for path in row["images"])
            assert row["messages"][-1]["role"] == "user"

    def test_the_supervised_stage_has_the_gold_answer(
        self, rotate_run: Path, tmp_path: Path
    ) -> None:
        script = export(config(rotate_run, tmp_path / "out", "ms-swift", stage="sft"))
        for row, example in zip(rows_of(tmp_path / "out"), examples(rotate_run), strict=False):
            assert row["messages"][-1] == {"role": "assistant", "content": example.response}
        assert "exec swift" in script.read_text() and "  sft" in script.read_text()
        assert not (tmp_path / "out" / "plugin.py").exists()

    def test_the_plugin_pays_what_we_pay(
        self, rotate_run: Path, tmp_path: Path, swift: dict[str, Any]
    ) -> None:
        export(
            config(rotate_run, tmp_path / "out", "ms-swift", reward={"captcha": [0.2, 0.2, 0.6]})
        )
        runpy.run_path(str(tmp_path / "out" / "plugin.py"))
        rows, asked = rows_of(tmp_path / "out"), list(examples(rotate_run))[:4]
        form = "<think></think><action>Click(point=(1, 2))</action>"
        texts = [asked[0].response, asked[0].response, form, "prose"]
        pay = swift["factory"]()
        found = pay(texts, task=[row["task"] for row in rows], solution=None)
        assert found[0] == pytest.approx(1.0) and found[3] == 0.0
        assert found[2] == pytest.approx(0.2), "the weights are those of the config"
        assert found[1] < 1.0, "another sample's answer"


class TestVerl:
    def test_rows_hold_their_pictures(self, rotate_run: Path, tmp_path: Path) -> None:
        export(config(rotate_run, tmp_path / "out", "verl"))
        rows = pq.read_table(tmp_path / "out" / "train.parquet").to_pylist()
        for row, example in zip(rows, examples(rotate_run), strict=False):
            assert [turn["role"] for turn in row["prompt"]] == ["system", "user"]
            assert row["prompt"][1]["content"].startswith(IMAGE)
            assert [Image.open(io.BytesIO(one["bytes"])).size for one in row["images"]]
            assert row["data_source"] == "turn" and row["extra_info"]["key"] == example.key
        assert len(rows) == 4

    def test_the_reward_pays_what_we_pay(self, rotate_run: Path, tmp_path: Path) -> None:
        export(config(rotate_run, tmp_path / "out", "verl"))
        pay = runpy.run_path(str(tmp_path / "out" / "reward.py"))["compute_score"]
        rows = pq.read_table(tmp_path / "out" / "train.parquet").to_pylist()
        for row, example in zip(rows, examples(rotate_run), strict=False):
            truth = row["reward_model"]["ground_truth"]
            for text in (example.response, "<action>Click(point=(1, 2))</action>", ""):
                found = pay("turn", text, truth, extra_info=row["extra_info"])
                assert found["score"] == score(example, text).total
                assert found["outcome"] == score(example, text).outcome


@pytest.mark.parametrize("to", ["ms-swift", "verl"])
def test_the_script_is_a_shells_and_names_what_is_there(
    to: str, rotate_run: Path, tmp_path: Path
) -> None:
    """Run with a trainer that says what it was told: every file that it is told of exists."""
    script = export(config(rotate_run, tmp_path / "a folder", to))
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("swift", "python"):
        (tools / name).write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        (tools / name).chmod(0o755)
    path = {"PATH": f"{tools}:/usr/bin:/bin"}
    done = subprocess.run([script, "more=1"], env=path, capture_output=True, text=True, check=True)
    words = done.stdout.splitlines()
    assert words[-1] == "more=1"
    assert sum("some/model" in word for word in words) == 1
    files = [word.rpartition("=")[2] for word in words if "a folder" in word]
    made = [Path(one) for one in files if not one.endswith("trained")]
    assert len(made) >= 2 and all(one.is_file() for one in made)


def test_a_mark_in_words_is_words(rotate_run: Path) -> None:
    example = next(examples(rotate_run))
    told = turns(replace(example, prompt="what does <image> say?"), answered=False)
    assert sum(turn["content"].count(IMAGE) for turn in told) == len(example.images)


def test_a_used_folder_is_refused(rotate_run: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(RunExists, match="is not empty"):
        export(config(rotate_run, tmp_path, "verl"))


def test_verl_is_for_rl_alone(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptions, match="verl is written for stage rl"):
        config(tmp_path, tmp_path, "verl", stage="sft")
