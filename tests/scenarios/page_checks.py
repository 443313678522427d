"""What is checked of every page in Chromium: the verdict accepts what the items say."""

from __future__ import annotations

from pathlib import Path

from factory.engine.scene_workshop import SceneWorkshop
from factory.scenarios import grammar, kits
from factory.scenarios.page import Item, Scene, ScenePage
from factory.web.verdict import Desk, PageFault, Target
from factory.web.verdict.judge import Judged

LEAST_TARGETS = 4
"""A telephone's screen for writing a message, with a warning on it, has no more."""

LEAST_BESIDE_DIALOG = 2
"""A dialog may leave nothing but its own buttons."""
STATES = ("checked", "selected", "expanded", "pressed")
SIGNS_SHARE = 0.9
"""Accepted targets that must be items: all but what a browser draws by itself in a control."""


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


def judged_of(desk: Desk, folder: Path, page: ScenePage) -> Judged:
    """The verdict; a page that a busy machine moved is looked at again, as runs do."""
    shell = kits.write_shell(page.scene.kit, folder)
    for look in range(SceneWorkshop.looks):
        try:
            return desk.check_body(shell, page.body, page.scene.window)
        except PageFault:
            if look + 1 == SceneWorkshop.looks:
                raise
    raise AssertionError("unreachable")


def holds(desk: Desk, folder: Path, scene: Scene) -> tuple[ScenePage, Judged]:
    """The page of a scene and its verdict, after checking that its items are true of it."""
    page = grammar.compose(scene)
    judged = judged_of(desk, folder, page)
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
    return page, judged
