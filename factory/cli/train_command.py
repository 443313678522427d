"""``factory train``: the stages of training, imported when they run."""

from __future__ import annotations

import json as encoding
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from factory.core.errors import DependencyMissing

train = App(name="train", help="Train, merge and evaluate models on runs.")

NEEDED = ("torch", "transformers", "trl", "peft", "safetensors", "accelerate")
"""What the train extra brings."""

Config = Annotated[Path, Parameter(name="--config")]
Changes = Annotated[tuple[str, ...], Parameter(name="--set", negative=())]
Resume = Annotated[bool, Parameter(negative=())]
Out = Annotated[Path | None, Parameter(name="--out")]


def need_extra() -> None:
    """``DependencyMissing`` in one line when the train extra is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise DependencyMissing(
            f"`factory train` needs {', '.join(missing)}: run `make train-extra` or "
            "`pip install 'gui-data-factory[train]'`"
        )


def _told(out: Path | None, changes: tuple[str, ...]) -> list[str]:
    return [*changes, *([f"out={encoding.dumps(str(out))}"] if out else [])]


@train.command
def sft(*, config: Config, out: Out = None, set: Changes = (), resume: Resume = False) -> None:
    """Mid-training and supervised fine-tuning.

    Parameters
    ----------
    config
        A TOML file of the stage; docs/training.md has all fields.
    out
        Folder of the stage, instead of the config's.
    set
        One field as NAME=VALUE, such as optim.lr=1e-4; repeatable, wins over the file.
    resume
        Go on from the last whole checkpoint.
    """
    need_extra()
    from training.config import SftConfig, load_config
    from training.sft import train_sft

    _done(train_sft(load_config(SftConfig, config, _told(out, set)), resume=resume))


@train.command
def rl(*, config: Config, out: Out = None, set: Changes = (), resume: Resume = False) -> None:
    """Offline RL: GRPO on sampled answers, paid by the factory's own judges.

    Parameters
    ----------
    config
        A TOML file of the stage; docs/training.md has all fields.
    out
        Folder of the stage, instead of the config's.
    set
        One field as NAME=VALUE, such as optim.lr=1e-5; repeatable, wins over the file.
    resume
        Go on from the last whole checkpoint.
    """
    need_extra()
    from training.config import RlConfig, load_config
    from training.rl import train_rl

    _done(train_rl(load_config(RlConfig, config, _told(out, set)), resume=resume))


@train.command
def mopd(*, config: Config, out: Out = None, set: Changes = (), resume: Resume = False) -> None:
    """Distil the teachers of several domains into one student, on its own answers.

    Parameters
    ----------
    config
        A TOML file of the stage; docs/training.md has all fields.
    out
        Folder of the stage, instead of the config's.
    set
        One field as NAME=VALUE, such as hint=false; repeatable, wins over the file.
    resume
        Go on from the last whole checkpoint.
    """
    need_extra()
    from training.config import MopdConfig, load_config
    from training.mopd.trainer import train_mopd

    _done(train_mopd(load_config(MopdConfig, config, _told(out, set)), resume=resume))


@train.command
def merge(*, config: Config, out: Out = None, set: Changes = (), resume: Resume = False) -> None:
    """Merge models of one architecture by their weights: linear, or TIES.

    Parameters
    ----------
    config
        A TOML file with the models and the method.
    out
        Folder of the merged model, instead of the config's.
    set
        One field as NAME=VALUE, such as density=0.3; repeatable, wins over the file.
    resume
        Do again what was interrupted.
    """
    need_extra()
    from training.config import MergeConfig, load_config
    from training.merge import train_merge

    _done(train_merge(load_config(MergeConfig, config, _told(out, set)), resume=resume))


@train.command(name="eval")
def evaluate(
    *,
    config: Config,
    out: Out = None,
    set: Changes = (),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Evaluate a model or an endpoint on runs, or on a benchmark's file.

    Parameters
    ----------
    config
        A TOML file with the model or endpoint and the data or benchmark.
    out
        Folder of the evaluation, instead of the config's.
    set
        One field as NAME=VALUE; repeatable, wins over the file.
    json
        Print the scores as JSON.
    """
    need_extra()
    from training import evaluate as scoring
    from training.config import EvalConfig, load_config

    settings = load_config(EvalConfig, config, _told(out, set))
    summary = scoring.evaluate(settings)
    print(encoding.dumps(summary) if json else scoring.table(summary))
    if not json:
        print(f"wrote       {settings.out / 'scores.json'}")


@train.command
def export(*, config: Config, out: Out = None, set: Changes = ()) -> None:
    """Rows, reward and launch script for ms-swift or verl.

    Parameters
    ----------
    config
        A TOML file with the trainer, the model and the data.
    out
        Folder of the files, instead of the config's.
    set
        One field as NAME=VALUE, such as to="verl"; repeatable, wins over the file.
    """
    need_extra()
    from training.config import ExportConfig, load_config
    from training.export import export as write

    print(f"wrote       {write(load_config(ExportConfig, config, _told(out, set)))}")


@train.command
def demo(
    *,
    out: Path = Path("runs/train-demo"),
    seeds: int = 3,
    panels: int = 3000,
    items: int = 2000,
    workers: str = "auto",
    set: Changes = (),
) -> None:
    """The whole chain on two CPU cores with a small model: a table, and what it shows.

    Makes shards of two classes, trains a teacher by RL for each of three domains, distils them
    into one model and merges them. Goes on from where it was stopped.

    Parameters
    ----------
    out
        Folder of the shards, models, results and the report.
    seeds
        How often the chain is run.
    panels
        Train samples of each class.
    items
        Items of each domain that models are evaluated on.
    workers
        Processes, or auto for one per core.
    set
        One size of the plan as NAME=VALUE, such as rl_steps=20; repeatable.
    """
    need_extra()
    from factory.cli.train_demo import demonstrate

    demonstrate(out, seeds=seeds, panels=panels, items=items, workers=workers, changes=set)


def _done(folder: Any) -> None:
    losses = [line["loss"] for line in folder.metrics() if "loss" in line]
    if losses:
        print(f"loss        {losses[0]:.4g} -> {losses[-1]:.4g}")
    print(f"model       {folder.model}")
