"""Panels as small pictures, and what is asked of them: the puzzle, or a part's place.

The third domain is grounding in a reduced form: the parts of the same panels (knob, loose
piece, hole, line of text) are asked for by name and answered by ``[x,y]``; a part that the panel
does not have is to be refused.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from exporters.shard_reader import iter_samples
from factory.core import answers
from factory.core import record as records
from factory.core.action_text import format_response
from factory.core.actions import Click, to_builtins, to_grid
from factory.core.geometry import Box
from factory.core.record import Record
from factory.core.rng import Stream
from training.config import SourceConfig, build_config
from training.crop import PANEL, moved
from training.samples import Example
from training.sources import open_source

WIDTH_PX, HEIGHT_PX = 96, 112
"""The size that every panel is scaled to: a third of a panel's 300 x 270 to 390 CSS px."""

PLACES = "places"
"""The domain of parts that are asked for by name."""

PARTS: dict[str, dict[str, str]] = {
    "slider_jigsaw_gap": {
        "handle": "the round knob", "piece": "the loose piece", "target": "the dark hole",
        "goal": "the line of text",
    },
    "slider_drag_to_end": {"handle": "the round knob", "goal": "the line of text"},
}  # fmt: skip
"""The parts that may be asked for, by class and name of the region."""

ABSENT = {"slider_drag_to_end": ("the loose piece", "the dark hole")}
"""Parts that only the other class has."""
REFUSALS = 0.3
"""Share of the questions to a panel that lacks parts, which ask for one of them."""


AIMS = ("handle", "piece", "target", "goal", "target.end")
"""The regions whose centres vision is taught beside the answers, where a panel has them."""


class Pictures(NamedTuple):
    """``pixels`` (P, 3, H, W) bytes, and two questions to each: number 2 p and 2 p + 1 are of p.

    ``aims`` (P, AIMS, 2) are centres of regions as shares of the panel's sides, NaN where the
    panel has no such region.
    """

    pixels: Tensor
    aims: Tensor
    examples: list[Example]


@dataclass(frozen=True)
class _Panel:
    record: Record
    pixels: NDArray[np.uint8]


def load(runs: Mapping[str, Path]) -> Pictures:
    """The panels of the runs, in order, with a puzzle and a part asked of each.

    ``runs`` are by class, which is the domain of its puzzles.
    """
    pixels: list[NDArray[np.uint8]] = []
    aims: list[list[list[float]]] = []
    examples: list[Example] = []
    for name, run in runs.items():
        for panel in _panels(run):
            examples += [_puzzle(panel.record, name), _part(panel.record)]
            pixels.append(panel.pixels)
            aims.append([_aim(panel.record, region) for region in AIMS])
    return Pictures(torch.from_numpy(np.stack(pixels)), torch.tensor(aims), examples)


def _panels(run: Path) -> Iterator[_Panel]:
    source = open_source(build_config(SourceConfig, {"run": run}))
    for info in source.shards:
        for _, parts, _ in iter_samples(source.path(info)):
            yield _panel(records.record_of(records.decode(parts["json"])), parts)


def _panel(record: Record, parts: Mapping[str, bytes]) -> _Panel:
    seen = record.observations[0]
    box = next(Box(*region.box) for region in record.regions if region.name == PANEL)
    x0, y0, x1, y1 = box.outer_pixels()
    frame = (max(0, x0), max(0, y0), min(seen.width, x1), min(seen.height, y1))
    with Image.open(io.BytesIO(parts[seen.part])) as picture:
        small = picture.convert("RGB").resize(
            (WIDTH_PX, HEIGHT_PX), Image.Resampling.BOX, box=frame
        )
    return _Panel(moved(record, frame), np.asarray(small).transpose(2, 0, 1).copy())


def _puzzle(record: Record, domain: str) -> Example:
    task, (width, height) = record.tasks[0], _size(record)
    actions = [action for step in task.steps for action in step.actions]
    said = format_response("", [to_grid(action, width, height) for action in actions])
    return _example(record, domain, "captcha", record.key, task.goal, said, task.mechanic, actions)


def _part(record: Record) -> Example:
    """A question about one part, drawn by the record's key; sometimes about one not there."""
    draw = Stream(f"{record.key}/part")
    absent = ABSENT.get(record.type, ())
    refuses = bool(absent) and draw.chance(REFUSALS)
    names = PARTS[record.type]
    region = draw.choice(sorted(names))
    asked = draw.choice(absent) if refuses else names[region]
    boxes = [] if refuses else [_box(record, region)]
    actions = [Click(point=box.center) for box in boxes]
    said = answers.spoken(actions, _size(record))
    place = answers.place(boxes)
    key = f"{record.key}#part"
    return _example(record, PLACES, "grounding", key, f"Locate {asked}", said, place, actions)


def _box(record: Record, name: str) -> Box:
    """A region, as far as it lies on the panel, px of the panel."""
    width, height = _size(record)
    x0, y0, x1, y1 = next(region.box for region in record.regions if region.name == name)
    return Box(max(0.0, x0), max(0.0, y0), min(width, x1), min(height, y1))


def _aim(record: Record, name: str) -> list[float]:
    if all(region.name != name for region in record.regions):
        return [math.nan, math.nan]
    return [v / side for v, side in zip(_box(record, name).center, _size(record), strict=True)]


def _size(record: Record) -> tuple[float, float]:
    seen = record.observations[0]
    return float(seen.width), float(seen.height)


def _example(
    record: Record,
    domain: str,
    kind: Any,
    key: str,
    asked: str,
    said: str,
    mechanic: Mapping[str, Any],
    actions: Sequence[Any],
) -> Example:
    return Example(
        key=key,
        domain=domain,
        kind=kind,
        type=record.type,
        family=record.family,
        lang=record.lang,
        system="",
        prompt=asked,
        images=(),
        response=said,
        payload={
            "size": list(_size(record)),
            "actions": to_builtins(actions),
            "mechanic": mechanic,
        },
    )
