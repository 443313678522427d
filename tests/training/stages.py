"""Small stages for tests of what samples answers: a tiny model on a handful of puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factory.core.reward import Reward
from training.config import MopdConfig, RlConfig, build_config

TINY = "tiny:qwen3-vl"
LLAVA = "tiny:llava"

PLAIN = {"crop": "panel", "prompt": "short", "thinking": False, "shuffle": 4}
"""What makes a puzzle small enough for a model of half a million weights."""


def stage(run: Path, out: Path, **changes: Any) -> dict[str, Any]:
    """The fields that RL and MOPD share: eight answers of at most ten tokens a step."""
    optim = {"batch": 8, "steps": 2, "warmup": 0, "lr": 1e-3, "log_every": 1, "save_every": 2}
    values: dict[str, Any] = {
        "out": out,
        "model": {"name": TINY},
        "data": {"sources": [{"run": run, "domain": "turn"}], **PLAIN},
        "optim": optim | changes.pop("optim", {}),
        "sample": {"max_new_tokens": 10},
    }
    return {**values, **changes}


def rl_config(run: Path, out: Path, **changes: Any) -> RlConfig:
    return build_config(RlConfig, stage(run, out, **{"group": 4, **changes}))


def mopd_config(run: Path, out: Path, **changes: Any) -> MopdConfig:
    return build_config(MopdConfig, stage(run, out, **{"teachers": {"turn": TINY}, **changes}))


def paid_for_digits(asked: Any, text: object, options: Any = None) -> Reward:
    """A reward that a random model earns a little of: the share of figures in what it says."""
    figures = sum(c in "0123456789" for c in str(text))
    share = figures / max(1, len(str(text)))
    return Reward(share, 0.0, 0.0, share, "figures")


class Stopped(BaseException):
    """A process that goes down."""


def stop_after(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next stage go down once this step is logged."""
    from training.sft import Keeper

    log = Keeper.on_log

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **more: Any) -> None:
        log(self, args, state, control, logs=logs, **more)
        if state.global_step == step:
            raise Stopped

    monkeypatch.setattr(Keeper, "on_log", on_log)


OF_THE_PROCESS = ("step_time", "train_runtime", "train_samples_per_second",
                  "train_steps_per_second", "train_loss", "epoch", "num_tokens")  # fmt: skip
"""Metrics of the clock, and those that count from where the process began."""


def told(folder: Any) -> list[dict[str, Any]]:
    """The metrics of a run, less those of its processes."""
    return [{k: v for k, v in line.items() if k not in OF_THE_PROCESS} for line in folder.metrics()]
