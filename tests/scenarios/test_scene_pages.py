"""Pages of scenarios in Chromium: the verdict accepts what the items say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from factory.engine.scene_workshop import LOOKS
from factory.scenarios import catalog, grammar, kits
from factory.scenarios.page import Item, Scene, ScenePage
from factory.web.verdict import Desk, PageFault, Target, open_desk
from factory.web.verdict.judge import Judged
from tests.scenarios.conftest import some_scenes

SCREENS = [(app, screen) for app in catalog.apps() for screen in catalog.app(app).screens]
LEAST_TARGETS = 4
"""A telephone's screen for writing a message, with a warning on it, has no more."""

LEAST_BESIDE_DIALOG = 2
"""A dialog may leave nothing but its own buttons."""
STATES = ("checked", "selected", "expanded", "pressed")
SIGNS_SHARE = 0.9
"""Accepted targets that must be items: all but what a browser draws by itself in a control."""


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with open_desk() as opened:
        yield opened


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


READ = 16
"""Letters of a label that a cell may cut behind."""


def _says(item: Item, target: Target, height: float) -> bool:
    """Whether the item's label is what the verdict reads in the picture's element.

    Of a card that the window cuts, or a line that its cell cuts, less can be read than there is.
    """
    if target.box_xyxy_css[3] >= height - 1:
        return True
    seen = (target.visible_text, target.generated_text, target.name if target.by_label else "")
    if item.role in ("checkbox", "radio", "switch"):
        seen = (*seen, target.name)
    return any(_plain(item.label).startswith(_plain(text).rstrip("…")) or
               _plain(item.label)[:READ] in _plain(text) for text in seen if text)  # fmt: skip


def _agrees(item: Item, target: Target) -> bool:
    """Whether the states that the item names are those of the element; ``current`` selects too."""
    said = dict(target.state)
    if said.get("current") in ("page", "step"):
        said.setdefault("selected", "true")
    return all(item.state.get(n, said.get(n)) == said.get(n) for n in STATES)


def _judged(desk: Desk, folder: Path, page: ScenePage) -> Judged:
    """The verdict; a page that a busy machine moved is looked at again, as runs do."""
    shell = kits.write_shell(page.scene.kit, folder)
    for look in range(LOOKS):
        try:
            return desk.check_body(shell, page.body, page.scene.window)
        except PageFault:
            if look + 1 == LOOKS:
                raise
    raise AssertionError("unreachable")


def _holds(desk: Desk, folder: Path, scene: Scene) -> None:
    page = grammar.compose(scene)
    judged = _judged(desk, folder, page)
    targets = {t.selector.removeprefix("#"): t for t in judged.verdict.accepted}
    joined = {key: page.items[key] for key in targets if key in page.items}
    covered = scene.state == "dialog"
    assert len(joined) >= (LEAST_BESIDE_DIALOG if covered else LEAST_TARGETS), scene
    assert len(joined) >= SIGNS_SHARE * len(targets), scene
    assert not [i for i in joined.values() if i.hidden], scene
    height = scene.window.height
    assert not [i for k, i in joined.items() if i.label and not _says(i, targets[k], height)], scene
    wrong = [i for k, i in joined.items() if not _agrees(i, targets[k])]
    assert not wrong, scene


@pytest.mark.parametrize(("app", "screen"), SCREENS)
def test_accepted_targets_are_items_and_say_what_items_say(
    desk: Desk, tmp_path: Path, app: str, screen: str
) -> None:
    (scene,) = some_scenes(app, screen, 1)
    _holds(desk, tmp_path, scene)


@pytest.mark.long
@pytest.mark.parametrize(("app", "screen"), SCREENS)
def test_many_scenes_of_a_screen_hold(desk: Desk, tmp_path: Path, app: str, screen: str) -> None:
    for scene in some_scenes(app, screen, 8):
        _holds(desk, tmp_path, scene)


def test_blank_icon_buttons_have_no_ink(desk: Desk, tmp_path: Path) -> None:
    found = 0
    for turn in range(400):
        scene = grammar.scene_of("mail", f"blank/{turn}", {"platform": "web", "state": "plain"})
        page = grammar.compose(scene)
        blank = {f"#{i.id}" for i in page.items.values() if i.hidden == "blank"}
        if not blank:
            continue
        judged = _judged(desk, tmp_path, page)
        reasons = {r.selector: str(r.reason) for r in judged.verdict.rejected}
        assert {reasons.get(one) for one in blank} == {"no_ink"}
        found += 1
        if found == 2:
            return
    pytest.fail("no page of 400 had a blank button")
