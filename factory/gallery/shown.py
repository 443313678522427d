"""One sample, read from its shard, as its page shows it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np

from exporters.shard_reader import read_sample
from exporters.shards import KEY_PATTERN, PART_PATTERN
from factory.core import answers
from factory.core import record as records
from factory.core.action_text import format_actions
from factory.core.actions import ARGUMENTS, Action, to_grid
from factory.core.errors import FactoryError, RenderFailed, ShardCorrupt
from factory.core.geometry import Box
from factory.core.mechanics import Verdict, failed, from_payload, judge
from factory.core.puzzle import Bitmap
from factory.core.record import FlatRecord, Record, Region, Step, Task
from factory.core.reward import verdict
from factory.gallery.run_folder import Row, RunFolder


class Check(NamedTuple):
    """A measured margin. ``floor`` is None where the class could not be asked."""

    name: str
    value: float
    floor: float | None

    @property
    def passed(self) -> bool | None:
        """Whether the value reaches the floor; None when that is not known."""
        return None if self.floor is None else self.value >= self.floor


class Act(NamedTuple):
    """A gold action as the page lists it: its number, the grid text, and what it is in px."""

    number: int
    grid: str
    px: str


@dataclass(frozen=True)
class Shown:
    """A sample with its row of the manifest, its bytes and its record."""

    row: Row
    parts: Mapping[str, bytes]
    flat: FlatRecord
    record: Record

    @classmethod
    def read(cls, run: RunFolder, row: Row) -> Shown:
        """Read the sample of a row; ``FactoryError`` where it is damaged."""
        parts = read_sample(run.path / row["shard"], row["offset"], row["key"])
        names_fit = all(PART_PATTERN.fullmatch(part) for part in parts)
        if not (KEY_PATTERN.fullmatch(row["key"]) and names_fit):
            raise ShardCorrupt(f"{row['shard']} has a key or part that no file may be named by")
        flat = records.decode(parts.get("json", b"{}"))
        return cls(row, parts, flat, records.record_of(flat))

    @property
    def task(self) -> Task:
        """The task that the page shows."""
        return self.record.tasks[0]

    @cached_property
    def pictures(self) -> list[Bitmap]:
        """The observations as a reader decodes them, BGR."""
        return [self._decoded(seen.part) for seen in self.record.observations]

    def _decoded(self, part: str) -> Bitmap:
        data = np.frombuffer(self.parts.get(part, b""), np.uint8)
        pixels = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        if pixels is None:
            raise RenderFailed(f"part {part} is no picture", key=self.record.key)
        return np.asarray(pixels, np.uint8)

    def region(self, name: str) -> Region | None:
        """A region by name."""
        return next((region for region in self.record.regions if region.name == name), None)

    @property
    def panel(self) -> Box | None:
        """The box of the puzzle's panel in image px; None for a record without one."""
        panel = self.region("panel")
        return None if panel is None else Box(*panel.box)

    def steps_on(self, observation: int) -> list[Step]:
        """The steps decided on an observation."""
        return [step for step in self.task.steps if step.observation == observation]

    @property
    def actions(self) -> list[Action]:
        """All gold actions, image px."""
        return [action for step in self.task.steps for action in step.actions]

    def acts(self) -> Iterator[Act]:
        """The gold actions for people."""
        for number, action in enumerate(self.actions, start=1):
            cells = to_grid(action, self.flat.width, self.flat.height)
            yield Act(number, format_actions([cells]), _in_px(action))

    def checks(self, floors: Mapping[str, float]) -> list[Check]:
        """The measured margins beside their floors."""
        return [Check(name, value, floors.get(name)) for name, value in self.record.checks.items()]

    @property
    def gold_verdict(self) -> Verdict:
        """What the record's mechanic says about its own actions."""
        try:
            if answers.is_answer(self.task.mechanic):
                size = (float(self.flat.width), float(self.flat.height))
                said = answers.spoken(self.actions, size)
                return answers.verdict(self.task.mechanic, said, size)
            return judge(from_payload(self.task.mechanic), self.actions)
        except FactoryError as error:
            return failed(str(error))

    @property
    def response_verdict(self) -> Verdict:
        """What a trainer's reward sees in the response text."""
        return verdict(self.flat.payload, self.flat.response)

    def hashes(self) -> dict[str, str]:
        """SHA-256 of each part."""
        return {part: hashlib.sha256(data).hexdigest() for part, data in self.parts.items()}


def _in_px(action: Action) -> str:
    told = []
    for name, kind in ARGUMENTS[type(action)]:
        value = getattr(action, name)
        told.append(
            f"{name} {value[0]:.1f}, {value[1]:.1f}" if kind == "point" else f"{name} {value}"
        )
    if action.duration_ms is not None:
        told.append(f"{action.duration_ms:g} ms")
    return " → ".join(told)
