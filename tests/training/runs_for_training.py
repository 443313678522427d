"""Runs that the training tests read: a handful of samples, made once a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from exporters.shard_reader import iter_samples
from tests.runs import make_run
from training.config import DataConfig, SourceConfig, build_config
from training.samples import Example, examples_of

SAMPLES, PER_SHARD = 12, 4
ANSWERED_AT_ONCE, FRAMES, EPISODE = "rotate", "trajectory_match", "pager_image_match"


def make_training_run(out: Path, type: str = ANSWERED_AT_ONCE, n: int = SAMPLES, **values) -> Path:
    """A run of a few samples on one canvas, in shards of four."""
    wanted = {"viewports": {"1280x800": 1.0}, "shard_samples": PER_SHARD, **values}
    return make_run(out, type=type, n=n, **wanted)


def source(run: Path, **values) -> SourceConfig:
    return build_config(SourceConfig, {"run": run, **values})


def data(*sources: SourceConfig, **values) -> DataConfig:
    return build_config(DataConfig, {"sources": sources, **values})


def shards(run: Path) -> list[Path]:
    return sorted(run.rglob("*.tar"))


def examples(run: Path, config: DataConfig | None = None) -> Iterator[Example]:
    """Every example of a run in the order of its shards."""
    config = config or data(source(run))
    for shard in shards(run):
        for _, parts, _ in iter_samples(shard):
            yield from examples_of(parts, config.sources[0], config)
