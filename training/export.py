"""Files for other trainers: their rows, a reward function that calls this project, a launch script.

Neither ms-swift nor verl is imported: their pins clash with each other's and with ours. What the
script starts runs in the environment of that trainer, with this project installed beside it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from exporters.durable import ensure_folder, naming_disk_full, partial_path
from factory.core.errors import RunExists
from training.collate import messages
from training.config import ExportConfig, RewardConfig
from training.rewards import Task
from training.samples import Example
from training.stream import every_example

IMAGE = "<image>"
"""Where a picture stands in the words of both trainers."""
MARKERS = (IMAGE, "<video>", "<audio>")
_ZERO_WIDTH = "\u200b"

ROWS_AT_ONCE = 256
"""Rows of a parquet row group, which is what is held in memory."""

SWIFT_PLUGIN = '''"""The reward of this data's answers, for ms-swift (--external_plugins)."""

try:
    from swift.rewards import ORM, orms
except ImportError:  # before ms-swift 4
    from swift.plugin import ORM, orms

from training.rewards import Task, options_of, score

OPTIONS = options_of({options})


class Factory(ORM):
    """The factory's own judges; ``task`` is the column of that name."""

    def __call__(self, completions, task, **kwargs):
        pairs = zip(completions, task, strict=True)
        return [score(Task.of_json(line), text, OPTIONS).total for text, line in pairs]


orms["factory"] = Factory
'''

VERL_REWARD = '''"""The reward of this data's answers, for verl (custom_reward_function.path)."""

from training.rewards import Task, options_of, score

OPTIONS = options_of({options})


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs):
    """The factory's own judges; ``ground_truth`` is the task as JSON."""
    found = score(Task.of_json(ground_truth), solution_str, OPTIONS)
    return {{"score": found.total, "outcome": found.outcome, "format": found.format}}
'''


def export(config: ExportConfig) -> Path:
    """Write the folder; returns the launch script. ``RunExists`` when something is there."""
    out = config.out.resolve()
    if out.is_dir() and any(out.iterdir()):
        raise RunExists(f"{out} is not empty; name another --out")
    ensure_folder(out)
    every = every_example(config.data, config.per_class)
    with naming_disk_full(out):
        script = (
            _swift(config, every, out) if config.to == "ms-swift" else _verl(config, every, out)
        )
    path = out / "launch.sh"
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)
    return path


def harmless(text: str) -> str:
    """Words in which a picture's marker is only words: a zero-width space parts it."""
    for marker in MARKERS:
        text = text.replace(marker, marker[0] + _ZERO_WIDTH + marker[1:])
    return text


def turns(example: Example, *, answered: bool) -> list[dict[str, str]]:
    """The conversation in words, ``IMAGE`` for each picture; with the gold answer or without."""
    told = [
        {"role": turn["role"], "content": "".join(map(_words, turn["content"]))}
        for turn in messages(example)
    ]
    gold = {"role": "assistant", "content": harmless(example.response)}
    return [*told, gold] if answered else told


def _words(part: dict[str, Any]) -> str:
    return IMAGE if part["type"] == "image" else harmless(part["text"])


def task_of(example: Example) -> str:
    """What judges an answer, as a line of JSON."""
    return Task(example.kind, example.payload, example.domain, example.lang).to_json()


def _options(reward: RewardConfig) -> str:
    return repr(reward.model_dump(mode="json"))


# ms-swift


def _swift(config: ExportConfig, every: Iterable[Example], out: Path) -> str:
    """Pictures as files, rows as JSON lines, the plugin; returns the script."""
    ensure_folder(out / "images")
    rows = out / "train.jsonl"
    with partial_path(rows).open("wb") as file:
        for number, example in enumerate(every):
            file.write(orjson.dumps(_swift_row(config, example, number, out)) + b"\n")
    partial_path(rows).rename(rows)
    plugin = out / "plugin.py"
    if config.stage == "rl":
        plugin.write_text(SWIFT_PLUGIN.format(options=_options(config.reward)), encoding="utf-8")
    return _script(_swift_words(config, rows, plugin))


def _swift_row(config: ExportConfig, example: Example, number: int, out: Path) -> dict[str, Any]:
    paths: list[str] = []
    for k, data in enumerate(example.images):
        path = out / "images" / f"{number:07d}-{k}.{_kind(data)}"
        path.write_bytes(data)
        paths.append(str(path))
    row = {"messages": turns(example, answered=config.stage == "sft"), "images": paths}
    return {**row, "key": example.key, "task": task_of(example)}


def _kind(data: bytes) -> str:
    """The file ending of a picture, by its first bytes."""
    return "png" if data.startswith(b"\x89PNG") else "jpg"


def _swift_words(config: ExportConfig, rows: Path, plugin: Path) -> list[str]:
    shared = ["--model", config.model, "--dataset", str(rows), "--torch_dtype", "bfloat16",
              "--output_dir", str(config.out.resolve() / "trained"),
              "--strict", "true"]  # fmt: skip
    if config.stage == "sft":
        return ["swift", "sft", *shared, "--learning_rate", "2e-5", "--warmup_ratio", "0.03"]
    return [
        "swift", "rlhf", "--rlhf_type", "grpo", *shared, "--external_plugins", str(plugin),
        "--reward_funcs", "factory", "--num_generations", "8", "--temperature", "1.0",
        "--max_completion_length", "384", "--learning_rate", "1e-6", "--beta", "0.0",
        "--use_vllm", "true", "--vllm_mode", "colocate",
    ]  # fmt: skip


# verl

_TURN = pa.struct({"role": pa.string(), "content": pa.string()})
_SCHEMA = pa.schema(
    {
        "data_source": pa.string(),
        "prompt": pa.list_(_TURN),
        "images": pa.list_(pa.struct({"bytes": pa.binary()})),
        "ability": pa.string(),
        "reward_model": pa.struct({"style": pa.string(), "ground_truth": pa.string()}),
        "extra_info": pa.struct({"key": pa.string(), "lang": pa.string()}),
    }
)
"""Plain lists and structs only: older readers refuse the newer list types."""


def _verl(config: ExportConfig, every: Iterable[Example], out: Path) -> str:
    """Rows as parquet with the pictures in them, the reward; returns the script."""
    rows, reward = out / "train.parquet", out / "reward.py"
    with pq.ParquetWriter(partial_path(rows), _SCHEMA) as writer:
        for chunk in _chunks(map(_verl_row, every)):
            writer.write_table(pa.Table.from_pylist(chunk, schema=_SCHEMA))
    partial_path(rows).rename(rows)
    reward.write_text(VERL_REWARD.format(options=_options(config.reward)), encoding="utf-8")
    return _script(_verl_words(config, rows, reward))


def _chunks(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        yield chunk


def _verl_row(example: Example) -> dict[str, Any]:
    return {
        "data_source": example.domain,
        "prompt": turns(example, answered=False),
        "images": [{"bytes": data} for data in example.images],
        "ability": example.kind,
        "reward_model": {"style": "rule", "ground_truth": task_of(example)},
        "extra_info": {"key": example.key, "lang": example.lang},
    }


def _verl_words(config: ExportConfig, rows: Path, reward: Path) -> list[str]:
    model = "actor_rollout_ref.model.path"
    return [
        "python", "-m", "verl.trainer.main_ppo", "algorithm.adv_estimator=grpo",
        f"data.train_files={rows}", f"data.val_files={rows}", "data.image_key=images",
        "data.max_prompt_length=4096", "data.max_response_length=384", "data.truncation=error",
        "data.train_batch_size=256", f"{model}={config.model}",
        "actor_rollout_ref.actor.optim.lr=1e-6", "actor_rollout_ref.actor.ppo_mini_batch_size=64",
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4",
        "actor_rollout_ref.actor.use_kl_loss=False", "actor_rollout_ref.rollout.name=vllm",
        "actor_rollout_ref.rollout.n=8",
        "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8",
        f"custom_reward_function.path={reward}", "custom_reward_function.name=compute_score",
        "trainer.logger=[console]", "trainer.n_gpus_per_node=8", "trainer.nnodes=1",
        f"trainer.default_local_dir={config.out.resolve() / 'trained'}",
    ]  # fmt: skip


def _script(words: list[str]) -> str:
    """One command, one option a line; what is added to the script's own words wins."""
    lines = " \\\n  ".join(shlex.quote(word) for word in words)
    about = "# In the environment of the trainer, with this project installed."
    return f'#!/bin/sh\n{about}\nexec {lines} "$@"\n'
