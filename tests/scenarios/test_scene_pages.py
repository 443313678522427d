"""Pages of scenarios in Chromium: the verdict accepts what the items say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from factory.scenarios import catalog, grammar
from factory.web.verdict import Desk, open_desk
from tests.scenarios.conftest import some_scenes
from tests.scenarios.page_checks import holds, judged_of

SCREENS = [(app, screen) for app in catalog.apps() for screen in catalog.app(app).screens]


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with open_desk() as opened:
        yield opened


@pytest.mark.parametrize(("app", "screen"), SCREENS)
def test_accepted_targets_are_items_and_say_what_items_say(
    desk: Desk, tmp_path: Path, app: str, screen: str
) -> None:
    (scene,) = some_scenes(app, screen, 1)
    holds(desk, tmp_path, scene)


@pytest.mark.long
@pytest.mark.parametrize(("app", "screen"), SCREENS)
def test_many_scenes_of_a_screen_hold(desk: Desk, tmp_path: Path, app: str, screen: str) -> None:
    for scene in some_scenes(app, screen, 8):
        holds(desk, tmp_path, scene)


def test_blank_icon_buttons_have_no_ink(desk: Desk, tmp_path: Path) -> None:
    found = 0
    for turn in range(400):
        scene = grammar.scene_of("mail", f"blank/{turn}", {"platform": "web", "state": "plain"})
        page = grammar.compose(scene)
        blank = {f"#{i.id}" for i in page.items.values() if i.hidden == "blank"}
        if not blank:
            continue
        judged = judged_of(desk, tmp_path, page)
        reasons = {r.selector: str(r.reason) for r in judged.verdict.rejected}
        assert {reasons.get(one) for one in blank} == {"no_ink"}
        found += 1
        if found == 2:
            return
    pytest.fail("no page of 400 had a blank button")
