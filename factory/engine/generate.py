"""From a request to a finished run: what ``factory gen`` and the Python API both call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from factory.config import RunConfig
from factory.core import registry
from factory.core.errors import AttemptsExhausted, VerificationFailed
from factory.draw import pictures
from factory.engine.finish import finish
from factory.engine.make import Made, make_record
from factory.engine.plates import PlateBank
from factory.engine.run import Progress, RunOptions, plan_shards, run
from factory.engine.studio import Studio


def complete(config: RunConfig, echo: Callable[[str], None] = lambda line: None) -> RunConfig:
    """The config with the digests of what it draws on: picture folders and the bank of pages.

    Paints pages for viewports that no bank has; ``echo`` hears what is done.
    """
    registry.get(config.type)  # an unknown type is refused before anything is painted
    digest = pictures.use_folders(config.assets, expected_digest=config.assets_digest)
    bank = PlateBank.prepare(config, echo)
    return config.model_copy(update={"assets_digest": digest, "bank_digest": bank})


def default_out(config: RunConfig) -> Path:
    """``runs/<type>-<split>-s<seed>-c<digest>`` below the current folder."""
    name = f"{config.type}-{config.split}-s{config.seed}-c{config.data_digest()}"
    return Path("runs") / name


def generate(
    config: RunConfig,
    out: Path,
    options: RunOptions,
    report: Callable[[Progress], None] = lambda progress: None,
) -> dict[str, Any]:
    """Make a run of a completed config; returns its manifest, whose holes the caller judges.

    One portion of several (``options.portion``) leaves the finish to a last
    call with ``resume`` and no portion, and returns nothing.
    """
    studio = Studio.open(config)
    studio.check_capacity()
    studio.plates.check(split for split, n in config.split_sizes().items() if n)
    manifest: dict[str, Any] = {}

    def complete_folder() -> None:
        plans = plan_shards(config, studio.bytes_per_sample, studio.group)
        manifest.update(finish(out, config, studio, plans))

    whole = options.portion == (0, 1)
    run(config, studio, out, options, report, complete_folder if whole else lambda: None)
    return manifest


def stream(config: RunConfig) -> Iterator[Made]:
    """The samples of a completed config in index order, on the fly; holes are left out."""
    studio = Studio.open(config)
    studio.check_capacity()
    for split, n in config.split_sizes().items():
        for index in range(n):
            try:
                yield make_record(studio.key(split, index), studio)
            except (AttemptsExhausted, VerificationFailed):
                continue
