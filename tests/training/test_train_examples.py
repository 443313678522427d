"""The example configs are those of their stages, and what the guide says of them is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from training.config import (
    EvalConfig,
    ExportConfig,
    MergeConfig,
    MopdConfig,
    Part,
    RlConfig,
    SftConfig,
    load_config,
)

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "training" / "examples"
STAGES: dict[str, type[Part]] = {
    "sft": SftConfig,
    "rl": RlConfig,
    "mopd": MopdConfig,
    "merge": MergeConfig,
    "eval": EvalConfig,
    "export": ExportConfig,
}

pytestmark = pytest.mark.train


def stage_of(path: Path) -> type[Part]:
    """An example is named STAGE.toml or STAGE-WHAT.toml."""
    return STAGES[path.stem.partition("-")[0]]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_an_example_is_a_config_of_its_stage(path: Path) -> None:
    assert load_config(stage_of(path), path)


def test_every_stage_has_an_example() -> None:
    assert {stage_of(path) for path in EXAMPLES.glob("*.toml")} == set(STAGES.values())


def test_stages_find_what_the_stages_before_them_wrote() -> None:
    """The chain of the guide: each model that an example reads is one that an example makes."""
    made = {load_config(stage_of(path), path).out for path in EXAMPLES.glob("*.toml")}  # pyright: ignore[reportAttributeAccessIssue]
    mopd = load_config(MopdConfig, EXAMPLES / "mopd.toml")
    ties = load_config(MergeConfig, EXAMPLES / "merge.toml")
    read = [mopd.model.name, *mopd.teachers.values(), *ties.models, ties.base]
    assert {Path(name) for name in read} <= made


def test_the_launcher_of_many_gpus_reads_its_example() -> None:
    """accelerate takes the file as its own: FSDP 2, and no key that it does not know."""
    config = pytest.importorskip("accelerate.commands.config.config_args")
    read = config.load_config_from_file(str(EXAMPLES / "accelerate-fsdp2.yaml"))
    assert read.distributed_type == "FSDP"
    assert read.fsdp_config["fsdp_version"] == 2


def test_the_guide_names_files_and_commands_that_are_there() -> None:
    guide = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    named = re.findall(r"training/examples/[\w.-]+", guide)
    assert named and all((ROOT / name).is_file() for name in named)
    from factory.cli.train_command import train

    commands = set(re.findall(r"factory train ([a-z]+) +--", guide))
    assert commands and all(train[name] for name in commands)
