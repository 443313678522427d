"""What ``factory train demo`` needs of the engine: the shards that the chain learns from.

Training may not see the engine, so the runs are made here and handed over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from factory.cli.gen_request import worker_count
from factory.engine.run import RunOptions

VIEWPORT = "375x812@1"
"""The small model sees the panel only, so one canvas does, and the quickest."""
HARDEST = 0.3
"""Difficulty 0 to this: the small model reads one place a part."""

SEEDS = {"train": 0, "test": 1}
"""The roots of the two sets. Both are of the train split: fresh puzzles of designs that were
trained on. The held-out designs are another question, which this model is too small for."""


def make_runs(
    folder: Path, classes: tuple[str, ...], sizes: dict[str, int], workers: int,
    echo: Callable[[str], None],
) -> dict[str, dict[str, Path]]:  # fmt: skip
    """``{set: {class: run}}`` with ``sizes[set]`` samples each; what is made already is kept."""
    return {
        name: {one: _run(folder, name, one, sizes[name], workers, echo) for one in classes}
        for name in SEEDS
    }


def _run(
    folder: Path, name: str, type: str, n: int, workers: int, echo: Callable[[str], None]
) -> Path:
    from factory.engine.batch import batch_of
    from factory.engine.generate import complete_batch, generate
    from factory.engine.run import check_holes

    values = {
        "n": n, "seed": SEEDS[name], "split": "train", "difficulty": (0.0, HARDEST),
        "viewports": {VIEWPORT: 1.0}, "langs": {"en": 1.0}, "themes": {"light": 1.0},
        "contexts": ("embedded",),
    }  # fmt: skip
    out = folder / f"{type}-{name}"
    manifest = generate(
        complete_batch(batch_of(type, values), echo), out, RunOptions(workers=workers, resume=True)
    )
    check_holes(len(manifest.get("holes", ())), n)
    echo(f"made        {out}: {n} samples")
    return out


def demonstrate(
    out: Path, *, seeds: int, panels: int, items: int, workers: str, changes: Sequence[str]
) -> None:
    """Runs, chain and report; prints the table."""
    from training.demo import chain, report
    from training.demo.stages import planned

    demo = chain.Demo(out, planned(changes), items)
    count = worker_count(workers) or os.cpu_count() or 1
    sizes = {"train": panels, "test": items}
    runs = make_runs(out / "runs", tuple(chain.PARTS), sizes, count, print)
    results = chain.demonstrate(demo, runs, range(seeds), count, print)
    written = report.write(results, demo.plan, out)
    print(written.read_text(encoding="utf-8"))
    print(f"wrote       {written} and {out / report.PLOT}")
