"""From the parts of a record to what a model is asked: one example for each question.

A puzzle gives one example. A page gives one for each of its tasks, on the same picture. An
episode is answered at once from its first picture (``whole``), or gives one example a step
(``steps``) with the pictures of the last few steps before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from factory.core import answers
from factory.core import record as records
from factory.core.action_text import format_response
from factory.core.actions import Action, to_builtins, to_grid
from factory.core.errors import ShardCorrupt
from factory.core.record import FlatRecord, Observation, Step, Task
from factory.core.wording import render_reasoning
from training.config import DataConfig, SourceConfig, TaskKind
from training.crop import cropped

FILM_STRIP = "sheet"
"""The part (without extension) that shows all pages of a stepper, and so belongs to the question;
of other episodes it would give the answer away."""


@dataclass(frozen=True)
class Example:
    """One question with its pictures, its gold answer and what judges an answer.

    ``key`` is the record's, with ``#t03`` for a task of several and ``#s02`` for a step.
    ``images`` are encoded, oldest first; ``history`` holds the responses of earlier steps, the
    last ``len(images) - 1`` of which have a picture. ``payload`` is what the reward reads:
    ``size`` (canvas, px), ``actions`` (gold, canvas px, builtins) and ``mechanic``, the judge.
    """

    key: str
    domain: str
    kind: TaskKind
    type: str
    family: str
    lang: str
    system: str
    prompt: str
    images: tuple[bytes, ...]
    response: str
    payload: Mapping[str, Any]
    history: tuple[str, ...] = ()

    @property
    def refuses(self) -> bool:
        """Whether the gold answer is that nothing fits."""
        return self.kind == "grounding" and not self.payload["mechanic"]["boxes"]


def wanted(flat: FlatRecord, source: SourceConfig) -> bool:
    """Whether a record is in the portion that the source names."""
    families, types = source.families, source.types
    return (not families or flat.family in families) and (not types or flat.type in types)


def examples_of(
    parts: Mapping[str, bytes], source: SourceConfig, data: DataConfig
) -> list[Example]:
    """The examples of a sample's parts, in the order of tasks and steps; none where filtered.

    ``SchemaMismatch`` for another schema, ``ShardCorrupt`` when a picture is not there.
    """
    if "json" not in parts:
        raise ShardCorrupt(f"a sample with the parts {sorted(parts)} has no part json")
    flat = records.decode(parts["json"])
    if not wanted(flat, source):
        return []
    reader = _Reader(flat, parts, source, data)
    return [one for one in reader.examples() if not source.kinds or one.kind in source.kinds]


class _Reader:
    """One record on its way to examples."""

    def __init__(
        self,
        flat: FlatRecord,
        parts: Mapping[str, bytes],
        source: SourceConfig,
        data: DataConfig,
    ) -> None:
        self.record = records.record_of(flat)
        self.parts = dict(parts)
        if data.crop == "panel":
            self.record, self.parts = cropped(self.record, self.parts)
        self.domain = source.domain or self.record.family
        self.data = data

    def examples(self) -> Iterator[Example]:
        tasks = self.record.tasks
        for task in tasks:
            suffix = f"#{task.id}" if len(tasks) > 1 else ""
            if len(task.steps) > 1 and self.data.episodes == "steps":
                yield from self._steps(task, suffix)
            else:
                yield self._whole(task, suffix)

    def _whole(self, task: Task, suffix: str) -> Example:
        """The task answered at once."""
        kind = _kind(task)
        actions = [action for step in task.steps for action in step.actions]
        said = (
            self._response(task.steps)
            if kind == "captcha"
            else answers.spoken(actions, self._size())
        )
        return self._example(task, suffix, kind, self._shown(task), said, actions)

    def _steps(self, task: Task, suffix: str) -> Iterator[Example]:
        """Each step on seeing its picture and those of the last ``history`` steps."""
        said = [self._response([step]) for step in task.steps]
        for number, step in enumerate(task.steps):
            first = max(0, number - self.data.history)
            seen = [self._image(one.observation) for one in task.steps[first : number + 1]]
            yield self._example(
                task,
                f"{suffix}#s{number:02d}",
                "action" if len(step.actions) == 1 else "captcha",
                seen,
                said[number],
                step.actions,
                tuple(said[:number]),
            )

    def _example(
        self,
        task: Task,
        suffix: str,
        kind: TaskKind,
        images: Sequence[bytes],
        response: str,
        actions: Sequence[Action],
        history: tuple[str, ...] = (),
    ) -> Example:
        short = self.data.prompt == "short"
        return Example(
            key=self.record.key + suffix,
            domain=self.domain,
            kind=kind,
            type=self.record.type,
            family=self.record.family,
            lang=self.record.lang,
            system="" if short else task.system,
            prompt=task.goal if short else task.instruction,
            images=tuple(images),
            response=response,
            payload={
                "size": list(self._size()),
                "actions": to_builtins(actions),
                "mechanic": task.mechanic,
            },
            history=history,
        )

    def _size(self) -> tuple[float, float]:
        first = self.record.observations[0]
        return float(first.width), float(first.height)

    def _shown(self, task: Task) -> list[bytes]:
        """What is seen of a task that is answered at once."""
        if len(task.steps) == 1:
            return [self._image(number) for number in range(len(self.record.observations))]
        return [self._image(0), *self._film_strip(task)]

    def _film_strip(self, task: Task) -> list[bytes]:
        """The sheet, where it shows the pages among which one is to be chosen."""
        if task.mechanic.get("mechanic") != "stepper":
            return []
        return [data for part, data in sorted(self.parts.items()) if _stem(part) == FILM_STRIP]

    def _image(self, number: int) -> bytes:
        seen: Observation = self.record.observations[number]
        if seen.part not in self.parts:
            raise ShardCorrupt(
                f"{self.record.key} names the picture {seen.part!r}, which its shard does not "
                f"hold; run `factory verify`"
            )
        return self.parts[seen.part]

    def _response(self, steps: Sequence[Step]) -> str:
        """``<think>...</think><action>...</action>`` of some steps, in grid cells."""
        width, height = (int(side) for side in self._size())
        reasons = [reason for step in steps for reason in step.reasoning]
        think = (
            render_reasoning(reasons, lang=self.record.lang, width=width, height=height)
            if self.data.thinking
            else ""
        )
        actions = [to_grid(one, width, height) for step in steps for one in step.actions]
        return format_response(think, actions)


def _stem(part: str) -> str:
    return part.partition(".")[0]


def _kind(task: Task) -> TaskKind:
    if not answers.is_answer(task.mechanic):
        return "captcha"
    return "answer" if task.mechanic["mechanic"] == answers.WORDS else "grounding"
