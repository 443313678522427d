"""Tasks of screens that the grammar makes, read a second time by independent code."""

from __future__ import annotations

from pathlib import Path

import pytest
from second_reading import loose, strict

from factory.core.rng import Stream
from factory.scenarios import catalog, grammar, kits
from factory.scenarios.table import Table, table_of
from factory.scenarios.tasks import tasks_of
from factory.web.verdict import Desk, open_desk

SCREENS = (
    ("mail", "inbox", ""), ("bank", "home", ""), ("files", "list", ""), ("calendar", "week", ""),
    ("shop", "browse", "ar"), ("files", "list", "ar"),
)  # fmt: skip
"""Apps, screens, and a language where it is not drawn."""
GEOMETRY = ("relation", "ordinal", "name")
"""Clauses that the second reading knows for elements of one size only, or not at all."""


@pytest.fixture(scope="module", params=SCREENS, ids="-".join)
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    app, screen, lang = request.param
    cell = {"screen": screen, "platform": "web", **({"lang": lang} if lang else {})}
    folder: Path = tmp_path_factory.mktemp("shells")
    scene = grammar.scene_of(app, f"tasks {app}", cell)
    page = grammar.compose(scene)
    with open_desk() as desk:
        return judged(desk, page, kits.write_shell(scene.kit, folder))


def judged(desk: Desk, page: grammar.ScenePage, shell: str) -> Table:
    found = desk.check_body(shell, page.body, page.scene.window, static=True)
    return table_of(page, found.verdict, found.png)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_screen_gives_tasks_that_a_second_reading_confirms(table: Table, lang: str) -> None:
    app, others = catalog.app(table.app), [catalog.app(name) for name in catalog.apps()]
    seeds = [Stream(f"{table.app}{i}") for i in range(4)]
    made = [t for s in seeds for t in tasks_of(table, app, s, lang, 12, 0.4, others)]
    asked = [t for t in made if t.kind == "ground"]
    refused = [t for t in made if t.kind == "refuse"]
    assert len(asked) >= 15 and len(refused) >= 8
    for task in refused:
        assert loose(task.query, table) == [], task
    for task in (t for t in asked if not set(GEOMETRY) & set(t.query)):
        meant = table.by_id(task.element)
        assert meant and {e.effect for e in strict(task.query, table)} == {meant.effect}, task


def test_screens_have_nothing_to_press_that_no_template_marked(table: Table) -> None:
    assert [e.id for e in table.targets if not e.marked] == []
