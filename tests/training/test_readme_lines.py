"""The ten lines that the README shows train on a fresh run, word for word.

Two names are exchanged: the model's for a tiny one, and the run's. The trainer is told
to be quick and to stay on the CPU; everything else is as a reader would copy it.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import datasets
import orjson
import pytest

from exporters.shard_reader import iter_samples

pytestmark = [
    pytest.mark.train,
    pytest.mark.skipif(
        not (find_spec("torch") and find_spec("trl")),
        reason="torch and trl are not installed; run `make train-extra`",
    ),
]

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "docs" / "train-in-ten-lines.md")
MARK = "# ten lines: train on a run"
MODEL = "llava-hf/llava-interleave-qwen-0.5b-hf"
RUN = "runs/demo/"
SAMPLES = 4

LEARNING = {"per_device_train_batch_size": SAMPLES, "learning_rate": 5e-3}
"""All samples in each step, and a rate at which a model of this size learns in a few."""

Sample = tuple[str, bytes, dict[str, Any]]
"""Key, picture and record, as the shard has them."""


def ten_lines() -> str:
    """The marked block, from the first page that shows it."""
    shown = [
        block
        for page in PAGES
        if page.is_file()
        for block in _python_blocks(page.read_text(encoding="utf-8"))
        if block.startswith(MARK + "\n")
    ]
    assert shown, f"no page has a block that starts with '{MARK}'"
    assert len(set(shown)) == 1, "the pages show different lines"
    return shown[0]


def _python_blocks(page: str) -> Iterator[str]:
    for rest in page.split("```python\n")[1:]:
        yield rest.partition("```")[0]


@dataclass
class Watch:
    """What happened in a training: the trainer, and each picture that the model looked at."""

    trainer: Any = None
    seen: list[Any] = field(default_factory=list)

    @property
    def losses(self) -> list[float]:
        return [row["loss"] for row in self.trainer.state.log_history if "loss" in row]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of four samples, fresh from the command line."""
    folder = tmp_path_factory.mktemp("fresh") / "run"
    command = [sys.executable, "-m", "factory.cli.app", "gen", "captcha", "--type", "rotate"]
    subprocess.run(
        [*command, "--n", str(SAMPLES), "--workers", "1", "--out", str(folder)],
        check=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return folder


@pytest.fixture(scope="module")
def samples(run: Path) -> list[Sample]:
    return [
        (key, parts["jpg"], orjson.loads(parts["json"]))
        for shard in sorted((run / "train").glob("*.tar"))
        for key, parts, _ in iter_samples(shard)
    ]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from training.tiny_model import build_tiny_vlm

    return build_tiny_vlm(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture
def train(
    run: Path, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Watch]:
    """Runs the ten lines for so many steps, offline and in an empty folder."""
    import huggingface_hub.constants as hub
    import torch
    import trl

    for module in (hub, datasets.config):
        monkeypatch.setattr(module, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    threads = torch.get_num_threads()
    configure = trl.SFTConfig
    watch = Watch()

    class WatchedTrainer(trl.SFTTrainer):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            watch.trainer = self
            patches = self.model.model.vision_tower.embeddings.patch_embedding
            patches.register_forward_pre_hook(lambda _, inputs: watch.seen.extend(inputs[0]))

    def runner(steps: int, **changes: Any) -> Watch:
        quick = {"max_steps": steps, "logging_steps": 1, "use_cpu": True, "report_to": "none"}
        code = ten_lines()
        for name, ours in ((MODEL, str(tiny)), (RUN, f"{run}/")):
            assert code.count(name) == 1
            code = code.replace(name, ours)
        torch.set_num_threads(1)
        with monkeypatch.context() as patch:
            patch.setattr(trl, "SFTTrainer", WatchedTrainer)
            patch.setattr(
                trl,
                "SFTConfig",
                lambda *args, **kwargs: configure(*args, **kwargs | quick | changes),
            )
            try:
                exec(compile(code, "ten lines", "exec"), {"__name__": "ten_lines"})
            finally:
                torch.set_num_threads(threads)
        return watch

    return runner


def test_there_are_ten_lines_and_they_fit_the_page() -> None:
    lines = [line for line in ten_lines().splitlines() if line and not line.startswith("#")]
    assert len(lines) == 10
    assert max(map(len, lines)) <= 100


def test_two_steps_as_written_teach_the_answers_and_only_them(
    train: Callable[..., Watch], samples: list[Sample], tmp_path: Path
) -> None:
    watch = train(2)
    assert len(watch.losses) == 2
    assert all(map(math.isfinite, watch.losses))

    trainer = watch.trainer
    tokenizer = trainer.processing_class.tokenizer
    # A model that knows nothing takes every token for equally likely.
    assert watch.losses[0] == pytest.approx(math.log(len(tokenizer)), abs=0.3)
    assert len(trainer.train_dataset) == len(samples) == SAMPLES
    for row, (_, _, record) in zip(trainer.train_dataset, samples, strict=True):
        batch = trainer.data_collator([row])
        labels = batch["labels"][0]
        assert tokenizer.decode(labels[labels != -100]) == f"{record['response']}<|im_end|>\n"
        told = tokenizer.decode(batch["input_ids"][0][labels == -100])
        assert f"<|im_start|>system\n{record['system']}<|im_end|>" in told
        assert f"<image>{record['prompt']}<|im_end|>" in told
        assert record["response"] not in told
    assert (tmp_path / "rotate-sft" / "checkpoint-2" / "model.safetensors").is_file()


def test_the_model_sees_the_pictures_of_the_shards(
    train: Callable[..., Watch], samples: list[Sample]
) -> None:
    import torch
    from safetensors.torch import load_file

    watch = train(1, **LEARNING)
    trainer = watch.trainer
    stored = trainer.train_dataset.cast_column("image", datasets.Image(decode=False))
    assert {row["__key__"]: row["image"]["bytes"] for row in stored} == {
        key: picture for key, picture, _ in samples
    }

    expected = trainer.data_collator(list(trainer.train_dataset))["pixel_values"]
    assert len({picture.numpy().tobytes() for picture in expected}) == SAMPLES
    assert watch.seen
    # Under autocast the pictures may reach the model in bfloat16: eight bits of mantissa.
    near = [[torch.allclose(p, s.float(), atol=0.02) for s in watch.seen] for p in expected]
    assert all(map(any, near))
    assert all(map(any, zip(*near, strict=True)))

    # What was seen has been learned from: the layer that looks at pixels has moved.
    name = "vision_tower.embeddings.patch_embedding.weight"
    folder = Path(trainer.model.config._name_or_path)
    before = next(w for n, w in load_file(folder / "model.safetensors").items() if name in n)
    after = dict(trainer.model.named_parameters())[f"model.{name}"].detach()
    assert torch.isfinite(after).all()
    assert not torch.equal(before, after)


def test_the_loss_falls(train: Callable[..., Watch]) -> None:
    losses = train(12, **LEARNING).losses
    assert len(losses) == 12
    assert all(map(math.isfinite, losses))
    assert losses[-1] < 0.85 * losses[0], losses
    assert sum(losses[6:]) < sum(losses[:6]), losses


def test_the_tiny_model_is_the_same_every_time(tiny: Path, tmp_path: Path) -> None:
    from training.tiny_model import build_tiny_vlm

    again = build_tiny_vlm(tmp_path / "again")
    names = sorted(path.name for path in tiny.iterdir())
    assert names == sorted(path.name for path in again.iterdir())
    for name in names:
        assert (tiny / name).read_bytes() == (again / name).read_bytes(), name
