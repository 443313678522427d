"""From a judged page to its sample: tasks, record, parts and manifest row."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, cast

import cv2
import msgspec
import numpy as np
import orjson

from factory.core import answers
from factory.core import record as records
from factory.core.action_text import format_grounding
from factory.core.actions import Action, Answer, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point, to_grid
from factory.core.prompts import Lang, Platform, prompt_for
from factory.core.record import Observation, Record, Region, Step, Task
from factory.core.rng import Rng, SampleKey
from factory.engine.diversity import shape_of
from factory.engine.made import Made
from factory.engine.make import picture_hash
from factory.scenarios import catalog
from factory.scenarios.catalog import App
from factory.scenarios.page import ScenePage
from factory.scenarios.table import Element, Table, table_of
from factory.scenarios.task_spec import TaskSpec
from factory.scenarios.tasks import SMALL, USUAL, tasks_of
from factory.scene_config import SceneConfig
from factory.web.paint import decode_png
from factory.web.verdict.judge import Judged
from factory.web.verdict.types import PageVerdict, Rejection

FAMILY = "grounding"
MANY = 60
"""Targets from which on a page is as hard as pages get."""

LEANS = {"windows": 2.5, "macos": 2.5, "web": 2.0}
"""How much larger targets are asked for more often where the usual lean leaves them too small."""

PICTURE_BIN_PX = 8
"""Places of targets are binned for fingerprints: nearer ones are the same page."""


def page_record(
    config: SceneConfig,
    app: App,
    key: SampleKey,
    page: ScenePage,
    judged: Judged,
    rejected: tuple[Rejected, ...],
    provenance: str,
) -> Made:
    """The sample of a page; ``Rejected`` when nothing can be asked of it."""
    attempt = len(rejected)
    table = table_of(page, judged.verdict, judged.png)
    stream = Rng.of(key).retry(attempt).fresh("tasks")
    lean = SMALL if config.sizes == "small" else LEANS.get(page.scene.platform, USUAL)
    asked = tasks_of(
        table,
        app,
        stream,
        catalog.asked_in(page.scene.lang),
        config.tasks,
        config.negatives,
        _others(app),
        lean,
    )
    if not asked:
        raise Rejected("nothing to ask", value=len(table.targets), limit=1)
    pixels = np.asarray(decode_png(judged.png))[..., :3]
    record = _record(config, key, page, judged, table, asked, attempt + 1, provenance)
    part = record.observations[0].part
    flat = records.flatten(record, response=_said(record.tasks[0], record))
    parts = {
        "html": page.body.encode(),
        part: _encoded(pixels, config),
        "json": records.encode(flat),
        "txt": records.prompts_text(record).encode(),
    }
    row = _row(record, len(parts[part]), picture_hash(pixels), shape_of(page.body))
    return Made(key, record, dict(sorted(parts.items())), row, rejected)


def _others(app: App) -> tuple[App, ...]:
    """The other scenarios, of whose functions a refusal may ask."""
    return tuple(catalog.app(name) for name in catalog.apps() if name != app.name)


def _encoded(pixels: Any, config: SceneConfig) -> bytes:
    """The picture in the run's format, 4:4:4."""
    flags = [cv2.IMWRITE_JPEG_QUALITY, config.quality,
             cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]  # fmt: skip
    done, data = cv2.imencode(f".{config.format}", pixels, flags if config.format == "jpg" else [])
    assert done
    return data.tobytes()


def _record(
    config: SceneConfig,
    key: SampleKey,
    page: ScenePage,
    judged: Judged,
    table: Table,
    asked: tuple[TaskSpec, ...],
    attempts: int,
    provenance: str,
) -> Record:
    scene, (width, height) = page.scene, judged.verdict.png_size
    scale = judged.verdict.window["dpr"]
    return Record(
        key=str(key),
        type=key.type,
        family=FAMILY,
        generator=f"{key.type}@1",
        split=key.split,
        lang=catalog.asked_in(scene.lang),
        theme=scene.theme,
        context=scene.platform,
        difficulty=round(min(1.0, len(table.targets) / MANY), 4),
        observations=(Observation(config.format, width, height, scale),),
        tasks=tuple(_task(spec, scale, (float(width), float(height))) for spec in asked),
        regions=tuple(_region(k, one, scale) for k, one in enumerate(table.elements) if one.box),
        maps={"canvas_from_page": [scale, 0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0, 1.0]},
        state={
            "scene": {name: value for name, value in vars(scene).items() if name != "window"},
            "elements": _evidence(table, judged.verdict),
            "facts": dict(table.facts),
            "browser": judged.verdict.browser,
            "asked": [spec.to_json() for spec in asked],
            **page.notes,
        },
        plate={"id": "", "viewport": f"{scene.window.width}x{scene.window.height}@{scale:g}"},
        checks={"targets": float(len(table.targets))},
        parity={},
        fingerprint=_fingerprint(page, table),
        attempts=attempts,
        provenance=provenance,
        tags=(
            f"picture:{scene.screen}",
            f"kit:{scene.kit}",
            f"state:{scene.state}",
            *([f"page_lang:{scene.lang}"] if scene.lang in catalog.RTL else []),
        ),
    )


def _evidence(table: Table, verdict: PageVerdict) -> list[dict[str, Any]]:
    """Each element as it was measured, without what does not apply; CSS px."""
    measured = {one.selector: one for one in (*verdict.accepted, *verdict.rejected)}
    blank = msgspec.to_builtins(Element(id="", role=""))
    found: list[dict[str, Any]] = []
    for element in table.elements:
        row = {k: v for k, v in msgspec.to_builtins(element).items() if v != blank.get(k)}
        seen = measured.get(element.id)
        if seen is not None and seen.report is not None:
            row |= {"mask": seen.report.mask, "hits": seen.report.hits}
        if isinstance(seen, Rejection):
            row |= {"value": seen.value, "limit": seen.limit, "by": seen.by}
        found.append(row)
    return found


def _task(spec: TaskSpec, scale: float, size: tuple[float, float]) -> Task:
    """A task in canvas px: a place, a refusal, or words."""
    answer = spec.answer
    platform: Platform = "screen" if answer.text else "grounding"
    asked = _filled(spec, scale, size)
    prompt = prompt_for(platform, goal=asked, lang=cast("Lang", spec.lang))
    actions: tuple[Action, ...] = ()
    if answer.text:
        actions, mechanic = (Answer(answer.text),), answers.words([answer.text])
    else:
        boxes = [box for box in (answer.hit_box, *answer.alt_boxes) if box]
        if answer.point is not None:
            actions = (Click(Point(*(v * scale for v in answer.point))),)
        mechanic = answers.place([Box(*(round(v * scale, 3) for v in box)) for box in boxes])
    return Task(
        id=spec.id,
        kind=spec.kind,
        platform=platform,
        instruction_mode="goal",
        goal=asked,
        instruction=prompt.user,
        system=prompt.system,
        steps=(Step(0, actions),),
        mechanic=mechanic,
    )


def _filled(spec: TaskSpec, scale: float, size: tuple[float, float]) -> str:
    """The instruction with the place that it may speak of, in cells."""
    if spec.at is None:
        return spec.instruction
    cells = tuple(to_grid(v * scale, side) for v, side in zip(spec.at, size, strict=True))
    return spec.instruction.replace("{point}", format_grounding((cells[0], cells[1])))


def _said(task: Task, record: Record) -> str:
    """The answer text of a task."""
    seen = record.observations[0]
    actions = [action for step in task.steps for action in step.actions]
    return answers.spoken(actions, (float(seen.width), float(seen.height)))


def _region(number: int, one: Element, scale: float) -> Region:
    assert one.box is not None
    x0, y0, x1, y1 = (round(v * scale, 3) for v in one.box)
    role = "target" if one.target else "refused" if one.reason else "other"
    return Region(
        name=f"{one.role or 'other'}.{number}", role=role,
        polygon=[x0, y0, x1, y0, x1, y1, x0, y1], box=[x0, y0, x1, y1],
    )  # fmt: skip


def _fingerprint(page: ScenePage, table: Table) -> str:
    """128 bits of what the page shows: roles, words and coarse places of its elements."""
    shown = [
        [one.role, one.text, [int(v // PICTURE_BIN_PX) for v in one.box or ()]]
        for one in table.elements
        if one.seen == "yes"
    ]
    text = orjson.dumps([page.scene.app, page.scene.lang, shown])
    return blake2b(text, digest_size=16).hexdigest()


def _row(record: Record, image_bytes: int, phash: int, shape: str) -> Mapping[str, Any]:
    """The manifest row."""
    seen = record.observations[0]
    kinds = [task.kind for task in record.tasks]
    counts = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    return {
        "key": record.key,
        "type": record.type,
        "family": record.family,
        "split": record.split,
        "lang": record.lang,
        "theme": record.theme,
        "context": record.context,
        "difficulty": record.difficulty,
        "width": seen.width,
        "height": seen.height,
        "dpr": seen.dpr,
        "answer_kind": "place",
        "instruction_mode": "goal",
        "image_bytes": image_bytes,
        "phash": phash,
        "fingerprint": record.fingerprint,
        "attempts": record.attempts,
        "picture": record.tags[0].partition(":")[2],
        "flags": orjson.dumps(
            {
                "shape": shape,
                "tasks": len(kinds),
                **counts,
            },
            option=orjson.OPT_SORT_KEYS,
        ).decode(),
    }
