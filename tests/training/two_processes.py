"""What each of two processes runs, started by torchrun: a stage, then a look at what it holds.

Arguments: the stage, a JSON file of its config, and a folder for one report a process.
"""

from __future__ import annotations

import os
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson
import torch

import training.mopd.trainer
import training.rl
import training.sft
from tests.training.stages import paid_for_digits
from training import rollouts
from training.config import MopdConfig, RlConfig, SftConfig, build_config
from training.mopd.trainer import train_mopd
from training.rl import train_rl
from training.sft import train_sft

STAGES: dict[str, tuple[Any, Any]] = {
    "sft": (SftConfig, train_sft),
    "rl": (RlConfig, train_rl),
    "mopd": (MopdConfig, train_mopd),
}


def main(stage: str, config: Path, reports: Path) -> None:
    keys: list[str] = []
    held: list[Any] = []
    _watch(keys, held)
    training.rl.score = paid_for_digits
    kind, run = STAGES[stage]
    run(build_config(kind, orjson.loads(config.read_bytes())))
    digest = blake2b(digest_size=16)
    for name, weight in sorted(held[0].state_dict().items()):
        digest.update(name.encode())
        digest.update(weight.detach().cpu().numpy().tobytes())
    report = {"keys": keys, "weights": digest.hexdigest(),
              "backend": torch.distributed.get_backend()}  # fmt: skip
    (reports / f"{os.environ['RANK']}.json").write_bytes(orjson.dumps(report))
    torch.distributed.destroy_process_group()


def _watch(keys: list[str], held: list[Any]) -> None:
    """Note which examples this process reads, and the model that it trains."""
    drawn = training.sft.ShardStream.__next__

    def noted(self: Any) -> Any:
        example = drawn(self)
        keys.append(example.key)
        return example

    training.sft.ShardStream.__next__ = noted
    assert rollouts.ShardStream is training.sft.ShardStream
    run = training.sft.run_trainer

    def running(trainer: Any, *args: Any, **more: Any) -> None:
        run(trainer, *args, **more)
        held.append(trainer.accelerator.unwrap_model(trainer.model))

    training.sft.run_trainer = training.rl.run_trainer = running
    training.mopd.trainer.run_trainer = running


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
