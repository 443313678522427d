"""Packed rows: several examples in one, and each learned from as if it were alone."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; run `make train-extra`")

from factory.core.errors import InvalidOptions
from tests.training.runs_for_training import data, examples, source
from tests.training.stages import PLAIN, Stopped, stop_after, told
from training.collate import IGNORED, ChatForm, SftCollator
from training.config import ModelConfig, RlConfig, SftConfig, build_config
from training.models import load_policy
from training.packing import PackedBatches, packed, positions_of
from training.sft import train_sft
from training.stream import ShardStream

pytestmark = pytest.mark.train

FAMILIES = ("tiny:qwen3-vl", "tiny:qwen2.5-vl", "tiny:idefics3", "tiny:llava")

CLOSE = 2e-5
"""Log-probabilities of float32 agree to this between rows of one and of several examples."""


def logps(model: Any, batch: dict[str, Any]) -> Any:
    """The log-probability of each token that is learned from, in order."""
    labels = batch.pop("labels")[:, 1:]
    with torch.no_grad():
        logits = model(**batch, use_cache=False).logits[:, :-1]
    kept = labels != IGNORED
    return logits.log_softmax(-1)[kept].gather(1, labels[kept][:, None])[:, 0]


@pytest.mark.parametrize("name", FAMILIES)
def test_an_example_does_not_see_those_it_is_packed_with(name: str, rotate_run: Path) -> None:
    model, processor = load_policy(ModelConfig(name=name))
    collate = SftCollator(ChatForm.of(processor))
    asked = list(islice(examples(rotate_run, data(source(rotate_run), **PLAIN)), 3))
    alone = [collate([one]) for one in asked]
    row = packed(alone, [positions_of(model, one) for one in alone])
    assert row["input_ids"].shape[0] == 1
    found = logps(model.eval(), row)
    wanted = torch.cat([logps(model, one) for one in alone])
    assert torch.allclose(found, wanted, atol=CLOSE)


def sft_config(run: Path, out: Path, **changes: Any) -> SftConfig:
    optim = {"batch": 1, "steps": 3, "warmup": 0, "log_every": 1, "save_every": 1, "lr": 1e-3}
    packs = {"sources": [{"run": run}], **PLAIN, "packing": 500}
    values = {"out": out, "model": {"name": "tiny:qwen3-vl"}, "data": packs, "optim": optim}
    return build_config(SftConfig, {**values, **changes})


def batches_of(run: Path, limit: int) -> PackedBatches:
    model, processor = load_policy(ModelConfig(name="tiny:qwen3-vl"))
    stream = ShardStream(data(source(run), **PLAIN))
    return PackedBatches(stream, SftCollator(ChatForm.of(processor)), model, limit)


def test_rows_are_full_and_lose_no_example(rotate_run: Path) -> None:
    """Every example of the stream is in the rows once, in its order."""
    batches = batches_of(rotate_run, 700)
    rows = list(islice(batches, 3))
    starts = [int((row["position_ids"][0] == 0).sum()) for row in rows]
    assert min(starts) >= 2
    assert max(row["input_ids"].shape[1] for row in rows) <= 700
    stream = ShardStream(batches.stream.data)
    alone = [batches.collate([next(stream)]) for _ in range(sum(starts))]
    wanted = torch.cat([one["input_ids"] for one in alone], dim=1)
    assert torch.equal(torch.cat([row["input_ids"] for row in rows], dim=1), wanted)


def test_an_example_longer_than_a_row_is_told(rotate_run: Path) -> None:
    with pytest.raises(InvalidOptions, match=r"takes \d+ tokens and a row holds data.packing = 50"):
        next(iter(batches_of(rotate_run, 50)))


def test_half_a_packed_run_resumed_equals_a_whole_one(
    rotate_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = train_sft(sft_config(rotate_run, tmp_path / "whole"))
    half = sft_config(rotate_run, tmp_path / "half")
    with monkeypatch.context() as patched:
        stop_after(2, patched)
        with pytest.raises(Stopped):
            train_sft(half)
    resumed = train_sft(half, resume=True)
    assert told(resumed) == told(whole)


@pytest.mark.parametrize("changes", [{"batch": 2}, {"epochs": 1.0, "batch": 1}])
def test_what_packing_decides_may_not_be_given_too(changes: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidOptions, match="each pass is one row"):
        sft_config(tmp_path, tmp_path, optim=changes)


def test_stages_that_sample_do_not_pack(tmp_path: Path) -> None:
    values = {"out": tmp_path, "model": {"name": "tiny:llava"},
              "data": {"sources": [{"run": tmp_path}], "packing": 100}}  # fmt: skip
    with pytest.raises(InvalidOptions, match="packing is of the supervised stage"):
        build_config(RlConfig, {**values, "optim": {"batch": 8}})
