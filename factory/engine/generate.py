"""From a request to a finished run: what ``factory gen`` and the Python API both call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from factory.config import CONTEXTS, RunConfig
from factory.core import registry
from factory.draw import pictures
from factory.engine.batch import Batch, Workshops, open_workshop
from factory.engine.finish import finish
from factory.engine.made import Made
from factory.engine.plates import PlateBank
from factory.engine.run import (
    Progress,
    RunOptions,
    Work,
    joined,
    plan_shards,
    run,
)
from factory.engine.shard_task import ShardPlan
from factory.engine.workshop import facts_of
from factory.scene_config import SceneConfig


def complete(config: RunConfig, echo: Callable[[str], None] = lambda line: None) -> RunConfig:
    """The config with the digests of what it draws on: picture folders and the bank of pages.

    Paints pages for viewports that no bank has; ``echo`` hears what is done.
    """
    return complete_batch(Batch((config,), config.type), echo).first


def complete_batch(batch: Batch, echo: Callable[[str], None] = lambda line: None) -> Batch:
    """Every config of a batch completed, all with the same pages."""
    puzzles = [config for config in batch.configs if not isinstance(config, SceneConfig)]
    if not puzzles:
        return batch
    for config in puzzles:
        registry.get(config.type)  # an unknown type is refused before anything is painted
    digests = {
        folders: pictures.use_folders(folders, expected_digest=digest)
        for folders, digest in {(c.assets, c.assets_digest) for c in puzzles}
    }
    bank = PlateBank.prepare(_all_viewports(puzzles), echo)
    return Batch(
        tuple(
            config.model_copy(
                update={"assets_digest": digests.get(config.assets, ""), "bank_digest": bank}
            )
            for config in batch.configs
        ),
        batch.name,
    )


def _all_viewports(configs: Sequence[RunConfig]) -> RunConfig:
    """A config that shows what any of these does."""
    viewports = {name: 1.0 for config in configs for name in config.viewports}
    contexts = {name for config in configs for name in config.contexts}
    return configs[0].model_copy(
        update={"viewports": viewports, "contexts": tuple(c for c in CONTEXTS if c in contexts)}
    )


def default_out(batch: Batch) -> Path:
    """``runs/<name>-<split>-s<seed>-c<digest>`` below the current folder."""
    first = batch.first
    return Path("runs") / f"{batch.name}-{first.split}-s{first.seed}-c{batch.digest}"


def plan(batch: Batch) -> Work:
    """The shards of a batch, all classes checked; what can be refused is refused here."""
    workshops = Workshops(batch.configs)
    plans: list[ShardPlan] = []
    requests: dict[str, Any] = {}
    sizes: dict[str, float] = {}
    bank = Path()
    for workshop in workshops:
        config = workshop.config
        workshop.check()
        plans += plan_shards(workshop)
        requests[config.type] = facts_of(workshop)
        sizes[config.type] = workshop.bytes_per_sample
        bank = workshop.bank_path
    return Work(batch, tuple(plans), joined(requests), bank, sizes)


def generate(
    batch: Batch,
    out: Path,
    options: RunOptions,
    report: Callable[[Progress], None] = lambda progress: None,
) -> dict[str, Any]:
    """Make a run of a completed batch; returns its manifest, whose holes the caller judges.

    One portion of several (``options.portion``) leaves the finish to a last
    call with ``resume`` and no portion, and returns nothing.
    """
    work = plan(batch)
    manifest: dict[str, Any] = {}

    def complete_folder() -> None:
        manifest.update(finish(out, work))

    whole = options.portion == (0, 1)
    run(work, out, options, report, complete_folder if whole else lambda: None)
    return manifest


def stream(config: RunConfig) -> Iterator[Made]:
    """The samples of a completed config in index order, on the fly; holes are left out."""
    workshop = open_workshop(config)
    workshop.check()
    for split, n in config.split_sizes().items():
        keys = (workshop.key(split, index) for index in range(n))
        yield from (outcome for outcome in workshop.make(keys) if isinstance(outcome, Made))
