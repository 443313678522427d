"""Answers of the kind that able models give become whole pages with tasks about them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from factory.core.rng import Stream
from factory.engine.llm_workshop import LlmWorkshop
from factory.llm.checks import check_content, check_layout
from factory.llm.compose import WrittenPage, html_page, plan_page
from factory.llm.gates import check_page
from factory.llm.plan import Content, Layout
from factory.llm.sanitise import html_in, sanitise
from factory.llm.words import check_language
from factory.scenarios import kits
from factory.scenarios.table import table_of
from factory.scenarios.tasks import tasks_of
from factory.web.browser import BrowserChoice
from factory.web.verdict import Desk, PageFault, open_desk
from factory.web.verdict.judge import Judged
from factory.web.verdict.types import Reason

FOLDER = Path(__file__).parent / "answers"
FEWEST_TASKS = 6
"""A screen behind an open dialog has so many; others reach the twelve that are asked for."""


@cache
def cells() -> dict[str, dict[str, Any]]:
    found = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))
    return {name: one["cell"] for name, one in found.items()}


@pytest.fixture(scope="module")
def desk(chromium: BrowserChoice) -> Iterator[Desk]:
    with open_desk() as opened:
        yield opened


def plan_of(name: str) -> tuple[Content, Layout]:
    told = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return Content.model_validate(told["content"]), Layout.model_validate(told["layout"])


def written(name: str) -> WrittenPage:
    """The page of an answer, by the same steps as the writer's."""
    cell = dict(cells()[name])
    if (FOLDER / f"{name}.json").is_file():
        content, layout = plan_of(name)
        check_content(content, cell["lang"])
        check_layout(layout, content, cell["lang"])
        return plan_page(content, layout, "root", cell)
    clean = sanitise(html_in((FOLDER / f"{name}.md").read_text(encoding="utf-8")))
    check_language(clean.texts(), cell["lang"])
    bare = [k for k in kits.kits_for(cell["platform"]) if not kits.kit_named(k).package]
    return html_page(clean, clean.title, "root", {"kit": bare[0], **cell})


def judged(desk: Desk, made: WrittenPage, folder: Path) -> Judged:
    scene = made.page.scene
    shell = kits.write_shell(scene.kit, folder, kits.POLICY)
    for again in range(LlmWorkshop.looks):
        try:
            return desk.check_body(shell, made.page.body, scene.window, static=True)
        except PageFault:
            if again + 1 == LlmWorkshop.looks:
                raise
    raise AssertionError("unreachable")


QUICK = {"canteen", "choir", "freight"}
"""Both ways, computers and phones, both languages, an open dialog."""


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in cells()],
)
def test_a_good_answer_becomes_a_page_with_tasks(desk: Desk, name: str, tmp_path: Path) -> None:
    made = written(name)
    seen = judged(desk, made, tmp_path)
    check_page(made.page, seen, made.letters)
    unseen = [one for one in seen.verdict.rejected if one.reason is Reason.NO_INK]
    assert not unseen, "everything that is said can be read"
    table = table_of(made.page, seen.verdict, seen.png)
    tasks = tasks_of(table, made.app, Stream("t"), cells()[name]["lang"], most=12, negatives=0.2)
    assert len(tasks) >= FEWEST_TASKS and {"ground", "refuse"} <= {task.kind for task in tasks}
    assert any(task.instruction for task in tasks if task.kind == "ground")
    picture = cv2.imdecode(np.frombuffer(seen.png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    scene = made.page.scene
    assert picture.shape[1::-1] == scene.window.size_px


def test_a_screen_behind_a_dialog_has_only_the_dialogs_controls(desk: Desk, tmp_path: Path) -> None:
    seen = judged(desk, written("choir"), tmp_path)
    names = {one.name for one in seen.verdict.accepted if one.kind == "control"}
    assert names == {"Cancel", "Leave rehearsal"}
