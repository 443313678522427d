"""From a page in the browser to its tasks: what is asked can be pressed, what is refused cannot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from marked_pages import measured, page_of
from tiny_apps import MAIL

from factory.core.geometry import Box
from factory.core.reward import grounding_reward
from factory.core.rng import Stream
from factory.scenarios.page import Item
from factory.scenarios.table import Table
from factory.scenarios.task_spec import TaskSpec
from factory.scenarios.tasks import tasks_of
from factory.web.verdict import open_desk

BIN = '<svg width="20" height="20"><rect x="3" y="3" width="14" height="14" fill="#333"/></svg>'
PAGE = f"""<div class="bar"><button id="x1" class="blue">Compose</button>
<button id="x2" class="red">Archive</button>
<button id="x3" aria-label="Delete">{BIN}</button><button id="x4" disabled>Reply</button></div>
<div class="bar"><label><input type="checkbox" id="x5" checked> Sync mail</label>
<label><input type="checkbox" id="x6"> Show pictures</label></div>
<p id="x7">12 unread letters</p>
<div style="height:90px; width:300px; overflow:auto"><button id="x8">Mail of 2025</button>
<div style="height:600px"></div><button id="x9">Oldest mail</button></div>
<button id="x10" style="display:none">Print</button>"""
ITEMS = (
    Item(id="x1", role="button", fn="compose", label="Compose", section="toolbar"),
    Item(id="x2", role="button", fn="archive", label="Archive", section="toolbar"),
    Item(id="x3", role="button", fn="delete", icon="trash-2", section="toolbar"),
    Item(id="x4", role="button", fn="reply", label="Reply", section="toolbar",
         state={"disabled": "true"}),
    Item(id="x5", role="checkbox", label="Sync mail", section="form", state={"checked": "true"}),
    Item(id="x6", role="checkbox", label="Show pictures", section="form",
         state={"checked": "false"}),
    Item(id="x7", role="text", label="12 unread letters"),
    Item(id="x8", role="button", label="Mail of 2025", section="list"),
    Item(id="x9", role="button", label="Oldest mail", section="list", hidden="scroll"),
    Item(id="x10", role="button", fn="print", label="Print", hidden="menu"),
)  # fmt: skip


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with open_desk() as desk:
        yield measured(desk, page_of(PAGE, *ITEMS, unread="12"))


@pytest.fixture(scope="module")
def made(table: Table) -> list[TaskSpec]:
    names = [Stream(f"e{i}") for i in range(25)]
    return [t for s in names for t in tasks_of(table, MAIL, s, "en", 12, 0.4)]


def test_each_answer_is_right_in_grid_cells(table: Table, made: list[TaskSpec]) -> None:
    for task in (t for t in made if t.kind == "ground"):
        assert task.answer.hit_box and task.answer.point
        element = table.by_id(task.element)
        assert element and element.grid
        said = f"[{element.grid[0]},{element.grid[1]}]"
        reward = grounding_reward(said, Box(*task.answer.hit_box), table.size)
        assert reward.outcome == 1.0, task


def test_a_refusal_is_right_only_as_one(table: Table, made: list[TaskSpec]) -> None:
    for task in (t for t in made if t.kind == "refuse"):
        assert task.answer.refuse and task.answer.hit_box is None
        assert grounding_reward("[-1,-1]", None, table.size).outcome == 1.0


def test_the_screen_gives_the_refusals_that_it_allows(made: list[TaskSpec]) -> None:
    codes = {t.negative for t in made if t.negative}
    assert codes >= {"N1", "N2", "N3", "N4", "N5", "N7", "N8", "N10", "N11"}
    assert not codes & {"N6", "N13"}


def test_what_is_out_of_view_or_disabled_is_never_an_answer(made: list[TaskSpec]) -> None:
    assert not {t.element for t in made if t.kind == "ground"} & {"#x4", "#x7", "#x9", "#x10"}


def test_states_are_told_from_both_sides(made: list[TaskSpec]) -> None:
    told = {(t.element, t.style, t.answer.text) for t in made if t.kind == "state"}
    assert ("#x5", "checked", "Yes") in told and ("#x6", "checked", "No") in told
    assert ("#x4", "disabled", "No") in told


def test_a_question_is_asked_about_what_can_be_read(made: list[TaskSpec]) -> None:
    (asked,) = {(t.instruction, t.answer.text) for t in made if t.kind == "question"}
    assert asked == ("How many letters are unread?", "12")


def test_colours_are_asked_for_as_they_are_painted(made: list[TaskSpec]) -> None:
    asked = {
        (t.query["colour"], t.element) for t in made if t.kind == "ground" and "colour" in t.query
    }
    assert asked <= {("blue", "#x1"), ("red", "#x2")} and asked
