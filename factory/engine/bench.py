"""How fast classes are, against encoding alone.

Rounds of generation (``make_shard``: validity, drawing, gates, record, tar and
hash, to disk) alternate with rounds in which plain OpenCV encodes the very
same canvases at 4:4:4 and the same quality, without restart markers. Ratios
are medians over rounds of one run: machines are shared, so rates of different
runs do not compare, ratios do.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from exporters.shard_reader import iter_samples
from factory.config import CONTEXTS, RunConfig, Viewport
from factory.core.puzzle import Bitmap
from factory.engine.generate import complete
from factory.engine.make import make_record
from factory.engine.shard_task import ShardPlan, make_shard
from factory.engine.studio import Studio

ROUND = 250
"""Samples of a round: one shard of the size that small runs have, so that what a shard costs once
(three flushes to disk) has its usual share."""

PAIR_SAMPLES = 8000
"""Samples of each run in the comparison of one and two workers."""


@dataclass(frozen=True)
class Bench:
    """Rates of one class in one context."""

    per_s: float
    encode_only_per_s: float
    ratio: float


def contexts_of(viewport: Viewport) -> list[str]:
    """The contexts that exist at a viewport."""
    from factory.engine.plates import context_fits

    return [context for context in CONTEXTS if context_fits(context, viewport)]


def bench_class(
    type_name: str,
    viewport: Viewport,
    context: str,
    *,
    rounds: int,
    warm_up: int,
    echo: Callable[[str], None],
) -> Bench:
    """Time one class in one context, caches warm; the first round of each form is not counted.

    A sample of several pictures stands beside the encoding of all of them.
    """
    config = RunConfig.build(
        type=type_name,
        n=warm_up + ROUND * (rounds + 1) * 2,
        viewports={str(viewport): 1.0},
        contexts=(context,),
        allow_repeats=True,
    )
    studio = Studio.open(complete(config, echo))
    made: list[float] = []
    encoded: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for index in range(warm_up):
            make_record(studio.key("train", index), studio)
        for number, plan in enumerate(_rounds(studio, warm_up, rounds)):
            start = time.perf_counter()
            line = make_shard(studio, plan, Path(folder), lambda made, drawn, nbytes: None)
            generation = time.perf_counter() - start
            shard = Path(folder) / line["name"]
            if number >= len(studio.groups()):
                made.append(generation / plan.count)
                encoded.append(_encoding_s(shard, studio.config.quality) / plan.count)
            shard.unlink()
    ratios = [e / m for e, m in zip(encoded, made, strict=True)]
    return Bench(
        per_s=round(1 / statistics.median(made), 1),
        encode_only_per_s=round(1 / statistics.median(encoded), 1),
        ratio=round(statistics.median(ratios), 3),
    )


def _rounds(studio: Studio, first: int, rounds: int) -> Iterator[ShardPlan]:
    """Shards of the class's forms in turns; the more pictures a sample has, the fewer samples."""
    groups, pictures = studio.groups(), max(studio.puzzle.forms())
    forms, name = len(groups), studio.config.type
    count = max(1, ROUND // pictures)
    for number in range((rounds + 1) * forms):
        form, turn = number % forms, number // forms
        start = (first // forms + turn * count) * forms + form
        yield ShardPlan(name, "train", number, start, count, groups[form], forms)


def _encoding_s(shard: Path, quality: int) -> float:
    """Seconds that encoding takes for every picture of a shard, contact sheets left out."""
    spent = 0.0
    for _, parts, _ in iter_samples(shard):
        for part in sorted(parts):
            if part.endswith("jpg") and not part.startswith("sheet"):
                data = np.frombuffer(parts[part], np.uint8)
                canvas = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
                start = time.perf_counter()
                encode_only(canvas, quality)
                spent += time.perf_counter() - start
    return spent


def encode_only(canvas: Bitmap, quality: int) -> bytes:
    """The yardstick: OpenCV's whole-canvas JPEG, 4:4:4, no restart markers."""
    ok, data = cv2.imencode(
        ".jpg",
        canvas,
        [
            cv2.IMWRITE_JPEG_QUALITY, quality,
            cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
        ],
    )  # fmt: skip
    assert ok
    return data.tobytes()


def workers_two_over_one(
    type_name: str, viewport: Viewport, *, pairs: int, echo: Callable[[str], None]
) -> float:
    """Median over interleaved pairs of whole commands: one worker's time over that of two.

    Each is a process of its own, so both start cold.
    """
    ratios: list[float] = []
    for _ in range(pairs):
        seconds = [_seconds_of_a_run(type_name, viewport, workers) for workers in (1, 2)]
        ratios.append(seconds[0] / seconds[1])
        echo(f"two workers over one: {ratios[-1]:.2f}")
    return round(statistics.median(ratios), 3)


def _seconds_of_a_run(type_name: str, viewport: Viewport, workers: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "factory.cli.app", "gen", "captcha", "--type", type_name,
            "--n", str(PAIR_SAMPLES), "--viewport", str(viewport), "--workers", str(workers),
            "--out", f"{folder}/run",
        ]  # fmt: skip
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - start


def bench(
    names: list[str],
    viewport: Viewport,
    contexts: list[str],
    *,
    rounds: int,
    pairs: int,
    warm_up: int,
    echo: Callable[[str], None],
) -> dict[str, Any]:
    """All figures as ``bench --json`` prints them; a class's ``ratio`` is its lowest context's."""
    classes: dict[str, Any] = {}
    rates: list[float] = []
    for name in names:
        found = {
            c: bench_class(name, viewport, c, rounds=rounds, warm_up=warm_up, echo=echo)
            for c in contexts
        }
        echo(f"{name}: {min(one.ratio for one in found.values()):.2f}")
        worst = min(found.values(), key=lambda b: b.ratio)
        rates += [b.encode_only_per_s for b in found.values()]
        classes[name] = {
            "per_s": worst.per_s,
            "ratio": worst.ratio,
            "contexts": {c: vars(b) for c, b in found.items()},
        }
    result: dict[str, Any] = {
        "viewport": str(viewport),
        "encode_only_per_s": round(statistics.median(rates), 1),
        "ratio_median": round(statistics.median(row["ratio"] for row in classes.values()), 3),
        "classes": classes,
    }
    if pairs:
        result["workers_2_over_1"] = workers_two_over_one(
            names[0], viewport, pairs=pairs, echo=echo
        )
    return result
